use crate::server::{
    KINDS, ScriptedServer, SearchFixture, answers_folder, engine_of, json_reply, keyword_request,
    recorded_answer,
};
use geotrawl_crawl::seeds::search::read_response;
use proptest::prelude::*;

#[test]
fn recorded_results_are_read_in_order() {
    for kind in KINDS {
        let page = read_response(kind, 200, "application/json", &recorded_answer(kind, "results.json"))
            .unwrap()
            .unwrap();
        let read: Vec<String> = page
            .hits
            .iter()
            .map(|hit| hit.as_ref().map_or("-".to_owned(), |hit| format!("{}\t{}", hit.url, hit.title)))
            .collect();
        let expected = String::from_utf8(recorded_answer(kind, "results.expected")).unwrap();
        assert_eq!(read, expected.lines().collect::<Vec<_>>(), "{kind}");
        let none = read_response(kind, 200, "application/json", &recorded_answer(kind, "empty.json"))
            .unwrap()
            .unwrap();
        assert!(none.hits.is_empty() && !none.more, "{kind}");
    }
}

#[test]
fn recorded_refusals_have_their_class_and_a_next_step() {
    let mut seen = 0;
    for kind in KINDS {
        for entry in std::fs::read_dir(answers_folder().join(kind)).unwrap() {
            let name = entry.unwrap().file_name().into_string().unwrap();
            let Some(told) = name.strip_prefix("fault-") else { continue };
            let (stem, ending) = told.rsplit_once('.').unwrap();
            let (status, class) = stem.split_once('-').unwrap();
            let content_type = match ending {
                "json" => "application/json",
                "html" => "text/html; charset=utf-8",
                _ => "text/plain",
            };
            let body = recorded_answer(kind, &name);
            let fault =
                read_response(kind, status.parse().unwrap(), content_type, &body).unwrap().unwrap_err();
            assert_eq!(fault.class.as_str(), class, "{kind}/{name}: {}", fault.message);
            // The next step: what to set, where to look, or how long to wait.
            let steps = ["`", "check", "later", "paused", "wait", "resets", "ask for one"];
            assert!(
                steps.iter().any(|step| fault.message.contains(step)),
                "{kind}/{name}: {}",
                fault.message
            );
            assert!(!fault.message.contains(char::is_control), "{kind}/{name}");
            seen += 1;
        }
    }
    assert!(seen >= 25, "{seen} refusals");
}

#[tokio::test]
async fn all_engines_together_give_one_ranked_list() {
    let server =
        ScriptedServer::start(|head| json_reply(&recorded_answer(engine_of(head), "results.json"))).await;
    let engines: Vec<_> = KINDS.map(|kind| (kind, server.engine(kind, kind))).to_vec();
    let place = SearchFixture::new();
    let found = place.search(&engines, None).search(&keyword_request("water")).await.unwrap();
    for report in &found.reports {
        assert_eq!(report.faults, [], "{}", report.engine);
        assert_eq!(report.asked, u64::from(report.kind != "own"), "{}", report.engine);
    }
    assert!(found.seeds.iter().all(|seed| seed.engines.len() == 1), "the sets have no address in common");
    assert_eq!(found.seeds.len(), 13);
    assert_eq!((found.seeds[0].weight, found.seeds[0].width, found.seeds[12].width), (20, 1, 2));
    assert!(found.seeds.iter().all(|seed| seed.engines[0].query == "water"));
    let searxng = found.reports.iter().find(|report| report.engine == "searxng").unwrap();
    assert!(searxng.issues[0].contains("google: Suspended: CAPTCHA"), "{:?}", searxng.issues);
}

#[tokio::test]
async fn an_address_that_several_engines_know_comes_first() {
    let server = ScriptedServer::start(|head| {
        json_reply(match engine_of(head) {
            "a" => br#"{"results":[{"url":"https://x.example/"},{"url":"https://shared.example/"}]}"#,
            "b" => br#"{"results":[{"url":"https://y.example/"},{"url":"http://shared.example/#top"}]}"#,
            _ => br#"{"results":[{"url":"https://z.example/"},{"url":"https://w.example/"}]}"#,
        })
    })
    .await;
    let engines: Vec<_> = ["a", "b", "c"].map(|name| (name, server.engine("searxng", name))).to_vec();
    let found = SearchFixture::new().search(&engines, None).search(&keyword_request("q")).await.unwrap();
    assert_eq!((found.seeds[0].url.as_str(), found.seeds[0].weight), ("https://shared.example/", 38));
    let from: Vec<(&str, u32)> =
        found.seeds[0].engines.iter().map(|placing| (placing.engine.as_str(), placing.rank)).collect();
    assert_eq!(from, [("a", 2), ("b", 2)]);
}

fn any_kind() -> impl Strategy<Value = &'static str> {
    prop::sample::select(KINDS.to_vec())
}

/// Fragments for generating documents that resemble those of engines.
fn pieces() -> impl Strategy<Value = Vec<u8>> {
    let words = prop::sample::select(vec![
        "{",
        "}",
        "[",
        "]",
        ":",
        ",",
        "\"",
        "\\u0000",
        "null",
        "true",
        "1e999",
        "-1",
        "\"results\"",
        "\"web\"",
        "\"response\"",
        "\"status\"",
        "\"channels\"",
        "\"items\"",
        "\"url\"",
        "\"link\"",
        "\"title\"",
        "\"https://a.example/\"",
        "\"http://[\"",
        "\"error\"",
        "\"code\"",
        "\"QUOTA_LIMITED\"",
        "\"unresponsive_engines\"",
        "\"totalResults\"",
        "<html>",
        "captcha",
        "<b",
        "&amp;",
        "\u{feff}",
        "é",
        "地图",
    ]);
    prop::collection::vec(words, 0..60).prop_map(|words| words.concat().into_bytes())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_bytes_are_too_strange(
        kind in any_kind(),
        status in prop::sample::select(vec![0_u16, 200, 204, 301, 302, 400, 401, 402, 403, 404, 418, 422, 429, 500, 503, 599, 999]),
        content_type in "[ -~]{0,30}",
        body in prop_oneof![prop::collection::vec(any::<u8>(), 0..2_000), pieces()],
    ) {
        let read = read_response(kind, status, &content_type, &body).unwrap();
        if let Ok(page) = read {
            prop_assert!(page.hits.len() <= 100);
            for hit in page.hits.iter().flatten() {
                prop_assert!(hit.url.starts_with("http") && hit.title.chars().count() <= 300);
            }
        }
    }

    #[test]
    fn damaged_answers_are_told_or_read(
        kind in any_kind(),
        file in prop::sample::select(vec!["results.json", "empty.json"]),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..8),
        cut in any::<prop::sample::Index>(),
    ) {
        let mut body = recorded_answer(kind, file);
        for (at, byte) in changes {
            let at = at.index(body.len());
            body[at] = byte;
        }
        body.truncate(cut.index(body.len() + 1));
        let _ = read_response(kind, 200, "application/json", &body).unwrap();
    }
}

#[test]
fn deep_and_wide_documents_are_bounded() {
    for body in [
        "[".repeat(1_000_000),
        format!("{{\"results\":{}", "[".repeat(1_000_000)),
        format!("{{\"results\":[{}{{}}]}}", "{\"url\":\"https://a.example/\"},".repeat(50_000)),
        format!(
            "{{\"results\":[{{\"url\":\"https://a.example/\",\"title\":\"{}\"}}]}}",
            "<a".repeat(1_000_000)
        ),
        format!("<html>{}", "captch ".repeat(200_000)),
    ] {
        for kind in KINDS {
            let _ = read_response(kind, 200, "text/html", body.as_bytes()).unwrap();
        }
    }
}
