use crate::harness::{Engine, ServedSimWeb, TestStore, run_command, share_machine};
use geotrawl_simweb::SimWebConfig;
use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Answer of the engine to every query.
const ANSWER: &str = r#"{"query": "x", "results": [{"url": "https://one.example/wms", "title": "One"},
    {"url": "https://two.example/", "title": "Two"}], "unresponsive_engines": []}"#;

/// Starts a SearXNG instance that counts its queries.
fn instance() -> (SocketAddr, Arc<AtomicU64>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let (address, asked) = (listener.local_addr().unwrap(), Arc::new(AtomicU64::new(0)));
    let count = asked.clone();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let Ok(mut stream) = stream else { continue };
            let (mut head, mut piece) = (Vec::new(), [0; 4_096]);
            while !head.windows(4).any(|end| end == b"\r\n\r\n") {
                match stream.read(&mut piece) {
                    Ok(0) | Err(_) => break,
                    Ok(n) => head.extend_from_slice(&piece[..n]),
                }
            }
            count.fetch_add(1, Ordering::SeqCst);
            let answer = format!(
                "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{ANSWER}",
                ANSWER.len()
            );
            let _ = stream.write_all(answer.as_bytes());
        }
    });
    (address, asked)
}

fn engines_are_asked_within_their_quota_and_become_a_list(engine: Engine) {
    let data = TestStore::new(engine);
    let (address, asked) = instance();
    let config = data.path().join("geotrawl.toml");
    std::fs::write(
        &config,
        format!(
            "[engines.ours]\nkind = 'searxng'\nurl = 'http://{address}/'\nallow_net = ['127.0.0.1/32']\n\
             quota_per_day = 2\nrate = 6000\n[engines.brave]\nkey_env = 'GEOTRAWL_TEST_NO_SUCH_KEY'\n"
        ),
    )
    .unwrap();
    let geotrawl = || {
        let mut command = data.geotrawl_command();
        command.arg("--config").arg(&config).args(["--delay", "0"]);
        command
    };
    let said = run_command(geotrawl().args(["seeds", "engines"]));
    assert_eq!(said.code, 0, "{}", said.err);
    assert!(
        said.out.contains("2 requests left") && said.out.contains("GEOTRAWL_TEST_NO_SUCH_KEY"),
        "{}",
        said.out
    );
    let said = run_command(geotrawl().args([
        "seeds",
        "search",
        "water",
        "--plan",
        "--questions",
        "3",
        "--languages",
        "de",
    ]));
    assert!(said.out.starts_with("-   WMS GetCapabilities water\n"), "{}", said.out);
    assert_eq!(asked.load(Ordering::SeqCst), 0, "a plan asks nobody");

    let search = ["seeds", "search", "water", "--questions", "4", "--import", "water", "--json"];
    let said = run_command(geotrawl().args(search));
    assert_eq!(said.code, 1, "brave has no key: {}", said.err);
    assert!(said.err.contains("brave: the key is missing") && said.err.contains("(quota)"), "{}", said.err);
    let seeds = said.json_lines();
    assert_eq!(
        (seeds[0]["url"].as_str(), seeds[0]["weight"].as_u64()),
        (Some("https://one.example/wms"), Some(40))
    );
    assert_eq!(
        (seeds[0]["width"].as_u64(), seeds[0]["engines"][0]["engine"].as_str()),
        (Some(1), Some("ours"))
    );
    let again = run_command(geotrawl().args(search));
    assert_eq!(again.json_lines(), seeds, "what is kept costs nothing");
    assert_eq!(asked.load(Ordering::SeqCst), 2);

    let said = run_command(geotrawl().args(["seeds", "show", "water", "--json"]));
    assert_eq!(said.json_lines().len(), 2);
    let said = run_command(geotrawl().args(["seeds", "engines", "--json"]));
    let ours = said.json_lines().into_iter().find(|engine| engine["name"] == "ours").unwrap();
    assert_eq!((ours["left"].as_u64(), ours["day"].as_u64()), (Some(0), Some(2)));
    let said = run_command(geotrawl().args(["seeds", "search", "water", "--engines", "bing"]));
    assert_eq!(said.code, 2);
    assert!(said.err.contains("unknown engine 'bing'"), "{}", said.err);
}

fn the_catalogue_knows_where_services_were_found(engine: Engine) {
    let _busy = share_machine();
    let web = ServedSimWeb::start(SimWebConfig { seed: 5, hosts: 12, ..SimWebConfig::default() });
    let data = TestStore::new(engine);
    let crawled = run_command(
        web.geotrawl_command(&data)
            .args(["--json", "--delay", "0", "crawl", "--max-pages", "150"])
            .args(web.sim.seeds()),
    );
    let titles: Vec<String> = crawled
        .json_lines()
        .iter()
        .filter_map(|record| record["title"].as_str().map(str::to_owned))
        .collect();
    let words = titles
        .iter()
        .flat_map(|title| title.split_whitespace())
        .find(|word| word.chars().count() > 4 && word.chars().all(char::is_alphabetic));
    let words = words.unwrap_or_else(|| panic!("nothing was found: {}", crawled.err));
    let said = run_command(data.geotrawl_command().args(["--json", "seeds", "search", words]));
    assert_eq!(said.code, 0, "{}", said.err);
    let seeds = said.json_lines();
    assert!(!seeds.is_empty(), "nothing for '{words}'");
    assert!(seeds.iter().all(|seed| seed["engines"][0]["engine"] == "own"));
}

geotrawl_testkit::on_both_engines! {
    engines_are_asked_within_their_quota_and_become_a_list
    the_catalogue_knows_where_services_were_found
}
