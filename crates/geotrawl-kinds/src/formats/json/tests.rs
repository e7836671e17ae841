use super::*;
use proptest::prelude::*;
use serde_json::json;

fn read(text: &str) -> Option<JsonDocument> {
    JsonDocument::from_reader(&mut text.as_bytes())
}

fn root(text: &str) -> Value {
    read(text).map(|doc| doc.root).unwrap_or_default()
}

#[test]
fn ordinary_documents_are_read_as_they_are() {
    let text = r#"{"a": [1, -2.5, "x\u00e9\n\ud83d\ude00", null, true], "b/c": {"~": {}}, "e": []}"#;
    let doc = read(text).unwrap();
    assert_eq!(doc.root, serde_json::from_str::<Value>(text).unwrap());
    assert!(doc.complete && !doc.sequence && !doc.mended);
    assert_eq!(doc.array_len("/a"), Some(5));
    for nothing in ["", "  ", "12", "\"text\"", "<html>", "{", "[", "no json", "{bad"] {
        assert!(read(nothing).is_none(), "{nothing}");
    }
    assert_eq!(root("[]"), json!([]));
}

#[test]
fn what_came_before_a_break_is_kept() {
    let doc =
        read(r#"{"type": "FeatureCollection", "features": [{"id": 1, "properties": {"a": "b"}}, {"id": 2"#)
            .unwrap();
    assert!(!doc.complete);
    assert_eq!(doc.root["features"], json!([{"id": 1, "properties": {"a": "b"}}, {"id": 2}]));
    let doc = read(r#"{"a": 1, "b": [1, 2, oops], "c": 3}"#).unwrap();
    assert_eq!((doc.root, doc.complete), (json!({"a": 1, "b": [1, 2]}), false));
}

#[test]
fn encodings_and_wrappers_are_taken_off() {
    let value = json!({"name": "Zürich"});
    let text = value.to_string();
    let wide = |big: bool, bom: bool| -> Vec<u8> {
        let mark = if bom { "\u{FEFF}" } else { "" };
        let units = format!("{mark}{text}").encode_utf16().collect::<Vec<_>>();
        units.iter().flat_map(|u| if big { u.to_be_bytes() } else { u.to_le_bytes() }).collect()
    };
    let mut forms: Vec<Vec<u8>> =
        vec![wide(true, true), wide(false, true), wide(true, false), wide(false, false)];
    for wrapped in [
        format!("\u{FEFF}{text}"),
        format!("callback({text});"),
        format!("/**/ jQuery123_4.cb ( {text} )"),
        format!("var data = {text};"),
        format!("window.config={text}"),
        format!(")]}}',\n{text}"),
        format!("while(1);{text}"),
        format!("\u{1E}{text}\n"),
        format!("export default {text}"),
    ] {
        forms.push(wrapped.into_bytes());
    }
    for form in forms {
        let shown = String::from_utf8_lossy(&form).into_owned();
        assert!(looks_like_json(&form), "{shown}");
        let doc = JsonDocument::from_reader(&mut form.as_slice()).unwrap();
        assert_eq!((doc.root, doc.complete), (value.clone(), true), "{shown}");
    }
    for other in
        ["function f() { return 1 }", "body { color: red }", "var a = {b: 1}", "x = [a]", "see (1) {\"a\":1}"]
    {
        assert!(!looks_like_json(other.as_bytes()), "{other}");
    }
}

#[test]
fn common_mistakes_are_mended() {
    for (text, value) in [
        (
            "{\"a\": NaN, \"b\": -Infinity, \"c\": 1e999, \"d\": undefined}",
            json!({"a": null, "b": null, "c": null, "d": null}),
        ),
        ("{\"a\": [1, 2, ], }", json!({"a": [1, 2]})),
        ("{ // note\n\"a\": 1 /* more */ }", json!({"a": 1})),
        ("{\"a\": \"C:\\data\\u00\"}", json!({"a": "C:\\data\u{FFFD}"})),
        ("{\"a\": \"two\nlines \\ud800x \\udc00\"}", json!({"a": "two lines \u{FFFD}x \u{FFFD}"})),
        ("{\"a\": .5, \"b\": +1, \"c\": 007}", json!({"a": 0.5, "b": 1, "c": 7})),
        ("{\"a\": True}", json!({"a": true})),
    ] {
        let doc = read(text).unwrap();
        assert_eq!(doc.root, value, "{text}");
        assert!(doc.complete && doc.mended, "{text}");
    }
}

#[test]
fn long_and_deep_things_are_pruned() {
    let long = format!("{{\"a\": [{}1], \"b\": 2}}", "1,".repeat(29_999));
    let doc = read(&long).unwrap();
    assert_eq!(doc.array_len("/a"), Some(30_000));
    assert_eq!(doc.root["a"].as_array().unwrap().len(), 10_000);
    assert_eq!(doc.root["b"], 2);
    let deep = format!("{{\"a\": {}{}, \"b\": 2}}", "[".repeat(100_000), "]".repeat(100_000));
    let doc = read(&deep).unwrap();
    assert_eq!(doc.root["b"], 2);
    let wide = format!("{{\"a\": \"{}\", \"b\": 2}}", "ü\\n".repeat(100_000));
    let doc = read(&wide).unwrap();
    assert!(doc.root["a"].as_str().unwrap().len() <= 64 << 10);
    assert_eq!(doc.root["b"], 2);
}

#[test]
fn coordinates_are_measured() {
    let many: Vec<String> = (0..1000).map(|i| format!("[{i}, {}]", 50 - i % 100)).collect();
    let text = format!(
        "{{\"geometry\": {{\"type\": \"Point\", \"coordinates\": [-3.5, 60, 12]}}, \
         \"line\": {{\"coordinates\": [{}]}}, \"place\": {{\"coordinates\": [500000, 4000000]}}}}",
        many.join(",")
    );
    let doc = read(&text).unwrap();
    assert_eq!(doc.coordinates, Some([-3.5, -49.0, 999.0, 60.0]));
    assert_eq!(doc.place, Some([500_000.0, 4_000_000.0, 500_000.0, 4_000_000.0]));
    assert_eq!(doc.root["geometry"]["coordinates"], json!([-3.5, 60.0, 12.0]));
    assert_eq!(doc.root["line"]["coordinates"], json!([[0.0, -49.0], [999.0, 50.0]]));
    let topology = r#"{"type":"Topology","objects":{"a":{"type":"MultiPolygon","arcs":[[[0,1]]]}},
        "arcs":[[[10,20],[1,1],[-3,2]],[[100,0],[0,5]]]}"#;
    let doc = read(topology).unwrap();
    assert_eq!(doc.delta_arcs, Some([8.0, 0.0, 100.0, 23.0]));
    assert_eq!(doc.coordinates, None);
    let other = json!({"coordinates": {"lat": 1, "lon": 2}, "paths": {"/a": {}}, "arcs": "none"});
    assert_eq!(root(&other.to_string()), other);
    assert_eq!(doc.root["objects"]["a"]["arcs"], json!([[[0, 1]]]));
}

#[test]
fn sequences_are_arrays() {
    for text in ["{\"a\":1}\n{\"a\":2}\n", "\u{1E}{\"a\":1}\n\u{1E}{\"a\":2}\n"] {
        let doc = read(text).unwrap();
        assert!(doc.sequence && doc.complete);
        assert_eq!(doc.root, json!([{"a": 1}, {"a": 2}]));
    }
    let doc = read(&"{\"a\":[1]}\n".repeat(5000)).unwrap();
    assert_eq!(doc.array_len(""), Some(5000));
    assert!(!read("{\"a\":1} trailing").unwrap().complete);
}

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        any::<f64>().prop_filter("finite", |f| f.is_finite()).prop_map(Value::from),
        any::<String>().prop_map(Value::from),
    ];
    leaf.prop_recursive(5, 64, 8, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..8).prop_map(Value::from),
            prop::collection::btree_map("[a-z/~\"\\\\é]{0,6}", inner, 0..8)
                .prop_map(|members| members.into_iter().collect::<Value>()),
        ]
    })
}

proptest! {
    #[test]
    fn valid_documents_equal_serde_json(value in value()) {
        let document = json!({ "v": value });
        for text in [document.to_string(), serde_json::to_string_pretty(&document).unwrap()] {
            let doc = read(&text).unwrap();
            prop_assert!(doc.complete);
            prop_assert_eq!(&doc.root, &serde_json::from_str::<Value>(&text).unwrap());
        }
    }

    #[test]
    fn any_cut_of_a_document_is_read(value in value(), cut in 0.0..1.0) {
        let text = json!({ "first": 1, "v": value, "w": {"coordinates": [[1, 2], [3, 4]]} }).to_string();
        let at = (text.len() as f64 * cut) as usize;
        if let Some(doc) = JsonDocument::from_reader(&mut &text.as_bytes()[..at]) {
            prop_assert!(!doc.complete);
            prop_assert!(doc.root.is_object());
        }
    }

    #[test]
    fn no_bytes_break_it(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        let _ = JsonDocument::from_reader(&mut bytes.as_slice());
        let _ = looks_like_json(&bytes);
    }

    #[test]
    fn no_text_of_json_marks_breaks_it(text in "[\\[\\]{}:,\"\\\\u0dnN/*\u{1E} é.e-]{0,80}") {
        let _ = read(&text);
        let _ = looks_like_json(text.as_bytes());
    }
}
