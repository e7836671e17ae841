//! Our own catalogue, harvested over every standard, is complete.

use crate::harness::{Engine, ServedSimWeb, TestStore, run_command, share_machine};
use crate::serve_client::{ServeProcess, start_server};
use geotrawl_simweb::SimWebConfig;
use std::collections::HashSet;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

/// Sends a request outside the API; returns the complete answer, head and body.
fn ask(server: &ServeProcess, method: &str, path: &str, body: &str) -> String {
    let mut stream = TcpStream::connect(server.address).unwrap();
    stream.set_read_timeout(Some(Duration::from_mins(1))).unwrap();
    let head = format!(
        "{method} {path} HTTP/1.0\r\nhost: {}\r\ncontent-type: application/xml\r\ncontent-length: {}\r\n\r\n",
        server.address,
        body.len()
    );
    stream.write_all(head.as_bytes()).unwrap();
    stream.write_all(body.as_bytes()).unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).unwrap();
    String::from_utf8(answer).unwrap()
}

fn matched(answer: &str) -> usize {
    let (_, after) = answer.split_once("numberOfRecordsMatched=\"").expect(answer);
    after.split('"').next().unwrap().parse().unwrap()
}

fn our_own_catalogue_is_harvested_whole(engine: Engine) {
    let _busy = share_machine();
    let web = ServedSimWeb::start(SimWebConfig { seed: 18, hosts: 24, ..SimWebConfig::default() });
    let data = TestStore::new(engine);
    let mut crawl = web.geotrawl_command(&data);
    crawl.args(["crawl", "--delay", "0", "--concurrency", "32", "--depth", "4", "--task", "own", "-q"]);
    crawl.args(web.sim.seeds().iter().take(6));
    assert!([0, 1].contains(&run_command(&mut crawl).code), "the crawl to give back fails");
    let server = start_server(&web, &data);

    let hits =
        ask(&server, "GET", "/csw?service=CSW&version=2.0.2&request=GetRecords&typeNames=csw:Record", "");
    let there = matched(&hits);
    assert!(there > 20, "{there}");
    // Page by page as other clients read, in both versions and schemas: every record exactly once.
    for (version, prefix, schema) in [
        ("2.0.2", "csw", "http://www.opengis.net/cat/csw/2.0.2"),
        ("3.0.0", "csw30", "http://www.opengis.net/cat/csw/3.0"),
        ("2.0.2", "csw", "http://www.isotc211.org/2005/gmd"),
    ] {
        let mut seen = Vec::new();
        for start in (1..=there).step_by(7) {
            let page = ask(
                &server,
                "GET",
                &format!(
                    "/csw?service=CSW&version={version}&request=GetRecords&typeNames={prefix}:Record&resultType=results\
                     &elementSetName=brief&startPosition={start}&maxRecords=7&outputSchema={schema}"
                ),
                "",
            );
            assert_eq!(matched(&page), there);
            let marks = ["<dc:identifier>", "<gmd:fileIdentifier><gco:CharacterString>"];
            for mark in marks {
                seen.extend(page.split(mark).skip(1).map(|rest| rest.split('<').next().unwrap().to_owned()));
            }
        }
        assert_eq!(seen.len(), there, "{version} {schema}");
        assert_eq!(seen.iter().collect::<HashSet<_>>().len(), there);
    }

    // OAI-PMH returns all records, the other interfaces only usable ones.
    let all = run_command(data.geotrawl_command().args(["export", "--format", "jsonl"])).json_lines().len();
    for (path, served) in [("csw", there), ("oai", all), ("records", there)] {
        let other = TestStore::new(engine);
        let mut harvest = other.geotrawl_command();
        harvest.args(["--allow-net", "127.0.0.0/8", "--delay", "0", "harvest", "--records-only"]);
        let said = run_command(harvest.arg(format!("http://{}/{path}", server.address)));
        assert_eq!(said.code, 0, "{path}: {}", said.err);
        let kept = run_command(other.geotrawl_command().args(["export", "--records"])).json_lines();
        assert_eq!(kept.len(), served, "{path}: {}", said.err);
        println!("/{path}: {served} records served, {} harvested by ourselves", kept.len());
    }

    // Browsers get a page at the same address, which links to the machine-readable form.
    let mut probe = data.geotrawl_command();
    probe.args(["--allow-net", "127.0.0.0/8", "--json", "probe"]);
    let said = run_command(probe.arg(format!("http://{}/records", server.address)));
    let records = said.json_lines().iter().filter(|one| one["kind"] == "ogcapi-records").count();
    assert_eq!(records, 1, "{:?} {}", said.json_lines(), said.err);
}

#[test]
fn hostile_requests_are_refused_in_words() {
    let _busy = share_machine();
    let web = ServedSimWeb::start(SimWebConfig { seed: 19, hosts: 4, ..SimWebConfig::default() });
    let data = TestStore::new(Engine::Embedded);
    let server = start_server(&web, &data);
    let condition = "<ogc:PropertyIsLike><ogc:PropertyName>csw:AnyText</ogc:PropertyName><ogc:Literal>%a%</ogc:Literal></ogc:PropertyIsLike>";
    let filter = |inside: &str| {
        format!(
            "<csw:GetRecords xmlns:csw=\"http://www.opengis.net/cat/csw/2.0.2\" xmlns:ogc=\"http://www.opengis.net/ogc\" \
             service=\"CSW\" version=\"2.0.2\" resultType=\"results\"><csw:Query typeNames=\"csw:Record\"><csw:Constraint>\
             <ogc:Filter>{inside}</ogc:Filter></csw:Constraint></csw:Query></csw:GetRecords>"
        )
    };
    let bodies = [
        filter(&format!("<ogc:Or>{}</ogc:Or>", condition.repeat(6_000))),
        filter(&format!("<ogc:Or>{}</ogc:Or>", condition.repeat(200))),
        filter(&format!("{}{condition}{}", "<ogc:Not>".repeat(5_000), "</ogc:Not>".repeat(5_000))),
        filter(&format!("{}{condition}{}", "<ogc:Not>".repeat(80), "</ogc:Not>".repeat(80))),
        "<!DOCTYPE a [<!ENTITY b \"bbbbbbbb\"><!ENTITY c \"&b;&b;&b;\">]><a>&c;</a>".to_owned(),
        "not xml at all".to_owned(),
        String::new(),
    ];
    for body in bodies {
        let answer = ask(&server, "POST", "/csw", &body);
        let start = &body[..body.len().min(60)];
        assert!(answer.starts_with("HTTP/1.0 400 "), "{start}: {}", &answer[..answer.len().min(400)]);
        assert!(answer.contains("ExceptionReport"), "{start}");
    }
    let large = ask(&server, "POST", "/csw", &" ".repeat((1 << 20) + 1));
    assert!(large.starts_with("HTTP/1.0 413 "), "{}", &large[..large.len().min(200)]);
    assert!(ask(&server, "GET", "/csw", "").contains("csw30:Capabilities"));
}

geotrawl_testkit::on_both_engines! {
    our_own_catalogue_is_harvested_whole
}
