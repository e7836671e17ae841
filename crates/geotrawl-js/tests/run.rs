//! Each folder of `tests/run` contains an application and the expected results of running it.
//!
//! `input.js` is a single classic script; `app.json` lists several: `scripts` (`file`, `url`,
//! `module`), `documents` (`file`, `url`) and `elements`. `expected.json` lists `calls` (`name`,
//! and texts that their arguments `have`), `objects` (members with these texts), `assigns` (`name`,
//! `value`) and `wants` (URLs).

#[cfg(test)]
mod tests {
    use geotrawl_js::{AnalysisLimits, AppDocument, AppScript, CodeEvent, JsValue, MapApp, PageElement, run};
    use serde_json::Value as Json;
    use std::fs;
    use std::path::Path;

    fn text(json: &Json, key: &str) -> Option<String> {
        json.get(key).and_then(Json::as_str).map(str::to_owned)
    }

    fn list<'a>(json: &'a Json, key: &str) -> impl Iterator<Item = &'a Json> {
        json.get(key).and_then(Json::as_array).into_iter().flatten()
    }

    fn application(folder: &Path) -> MapApp {
        let page = "https://maps.example.org/app/index.html";
        let mut app =
            MapApp { page: page.into(), base: page.into(), title: "Map".into(), ..MapApp::default() };
        let read = |name: &str| {
            fs::read_to_string(folder.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
        };
        let Ok(described) = fs::read_to_string(folder.join("app.json")) else {
            app.scripts.push(AppScript {
                url: None,
                source: read("input.js").into(),
                module: false,
                line: 1,
            });
            return app;
        };
        let described: Json = serde_json::from_str(&described).expect("app.json is JSON");
        for script in list(&described, "scripts") {
            app.scripts.push(AppScript {
                url: text(script, "url"),
                source: read(&text(script, "file").expect("a file")).into(),
                module: script.get("module").and_then(Json::as_bool).unwrap_or(false),
                line: 1,
            });
        }
        for document in list(&described, "documents") {
            let body = read(&text(document, "file").expect("a file"));
            app.documents
                .push(AppDocument { url: text(document, "url").expect("an address"), body: body.into() });
        }
        for element in list(&described, "elements") {
            app.elements.push(serde_json::from_value::<PageElement>(element.clone()).expect("an element"));
        }
        app
    }

    fn texts(value: &JsValue, out: &mut Vec<String>) {
        match value {
            JsValue::Text(text) => out.push(text.to_string()),
            JsValue::List(values) => values.iter().for_each(|value| texts(value, out)),
            JsValue::Object(object) => object.members.iter().for_each(|(_, value)| texts(value, out)),
            JsValue::Returns(value) => texts(value, out),
            JsValue::Made(made) => made.args.iter().for_each(|value| texts(value, out)),
            _ => {}
        }
    }

    fn joined(name: &[std::rc::Rc<str>]) -> String {
        name.iter().map(|part| &**part).collect::<Vec<_>>().join(".")
    }

    fn has_call(event: &CodeEvent, expected: &Json) -> bool {
        let CodeEvent::Call { name, args, .. } = event else { return false };
        let mut found = Vec::new();
        for value in args {
            texts(value, &mut found);
        }
        text(expected, "name").is_none_or(|expected| expected == joined(name))
            && list(expected, "have").filter_map(Json::as_str).all(|one| found.iter().any(|text| text == one))
    }

    fn has_object(event: &CodeEvent, expected: &Json) -> bool {
        let CodeEvent::Object { object, .. } = event else { return false };
        expected.as_object().into_iter().flatten().all(|(key, value)| {
            object
                .get(key)
                .is_some_and(|member| member.texts().into_iter().any(|text| Some(text) == value.as_str()))
        })
    }

    fn has_assignment(event: &CodeEvent, expected: &Json) -> bool {
        let CodeEvent::Assign { name, value, .. } = event else { return false };
        text(expected, "name").is_none_or(|expected| expected == joined(name))
            && value.as_text() == expected["value"].as_str()
    }

    #[test]
    fn every_folder_shows_what_it_should() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/run");
        let mut folders: Vec<_> = fs::read_dir(&root)
            .expect("the folder")
            .filter_map(Result::ok)
            .map(|entry| entry.path())
            .collect();
        folders.sort();
        assert!(folders.len() >= 6, "fixtures are missing");
        for folder in folders {
            let expected = fs::read_to_string(folder.join("expected.json")).expect("expected.json");
            let expected: Json = serde_json::from_str(&expected).expect("expected.json is JSON");
            // Debug builds on busy machines are slow; results do not depend on the time.
            let limits =
                AnalysisLimits { run_time: std::time::Duration::from_secs(10), ..AnalysisLimits::default() };
            let ran = run::run(&application(&folder), &limits);
            type EventCheck = (&'static str, fn(&CodeEvent, &Json) -> bool);
            let kinds: [EventCheck; 3] =
                [("calls", has_call), ("objects", has_object), ("assigns", has_assignment)];
            for (key, has) in kinds {
                for one in list(&expected, key) {
                    let found = ran.events.iter().any(|event| has(event, one));
                    assert!(found, "{}: no {one} in {:#?}\n{:?}", folder.display(), ran.events, ran.issues);
                }
            }
            for want in list(&expected, "wants").filter_map(Json::as_str) {
                assert!(
                    ran.wants.iter().any(|one| one.url == want),
                    "{}: {want} is not in {:?}",
                    folder.display(),
                    ran.wants
                );
            }
        }
    }
}
