//! Answers of servers, and the expected verdicts.

mod descriptions;
mod kinds;
mod operations;
mod seconds;

use crate::check::documents::*;
use crate::check::server::{CannedReply, known_resource, run_check, serve_pages};
use geotrawl_model::Status;
use geotrawl_trust::check::{CheckOptions, derive_verdict};

type CheckCase =
    (&'static str, &'static str, &'static str, Vec<(&'static str, CannedReply)>, Status, &'static str);

const WMS: &str = "https://x.org/wms";
const CAPS: &str = "GetCapabilities";
const MAP: &str = "GetMap";

fn ok(body: impl Into<Vec<u8>>) -> CannedReply {
    CannedReply::ok(body)
}

fn wms_with(map: CannedReply) -> Vec<(&'static str, CannedReply)> {
    vec![(CAPS, ok(wms("1.3.0", &["a", "b", "c"]))), (MAP, map)]
}

fn wms_description(caps: CannedReply) -> Vec<(&'static str, CannedReply)> {
    vec![(CAPS, caps), (MAP, ok(png(true)))]
}

fn api(name: &str, more: Vec<(&'static str, CannedReply)>) -> Vec<(&'static str, CannedReply)> {
    let mut pages = more;
    pages.push(("/conformance", ok(conformance(name))));
    pages.push(("/collections?", ok(COLLECTIONS)));
    pages.push(("/api?", ok(LANDING)));
    pages
}

fn ows_with(caps: String, operation: &'static str, reply: CannedReply) -> Vec<(&'static str, CannedReply)> {
    vec![(CAPS, ok(caps)), (operation, reply)]
}

const API: &str = "https://x.org/api";
const GML: &str = r#"<wfs:FeatureCollection xmlns:wfs="http://www.opengis.net/wfs/2.0" numberReturned="1"><wfs:member><r xmlns="t"/></wfs:member></wfs:FeatureCollection>"#;
const NO_GML: &str =
    r#"<wfs:FeatureCollection xmlns:wfs="http://www.opengis.net/wfs/2.0" numberReturned="0"/>"#;

const TMS_LIST: &str = r#"<TileMapService version="1.0.0"><Title>Tiles</Title><TileMaps><TileMap title="Base" srs="EPSG:3857" profile="global-mercator" href="https://x.org/tms/1.0.0/base"/></TileMaps></TileMapService>"#;
const TABLE: &str = "name,lat,lon,comment\nTown hall,50.1,7.1,log in to see more\nLibrary,50.2,7.2,api key at the desk\nBath,50.3,7.3,unauthorized\nPark,50.4,7.4,closed at night and on holidays\nSchool,50.5,7.5,open\nStation,50.6,7.6,open\nMarket,50.7,7.7,open\nBridge,50.8,7.8,open at all times of the day\nMuseum,50.9,7.9,open from nine to five o'clock on most days of the week\nZoo,50.15,7.15,open from nine to five o'clock on most days of the week\nHarbour,50.25,7.25,open from nine to five\n";

fn records(matched: u32) -> String {
    format!(
        r#"<csw:GetRecordsResponse xmlns:csw="http://www.opengis.net/cat/csw/2.0.2"><csw:SearchResults numberOfRecordsMatched="{matched}" numberOfRecordsReturned="0" nextRecord="0"/></csw:GetRecordsResponse>"#
    )
}

#[test]
fn servers_get_the_verdict_that_they_deserve() {
    let cases: Vec<CheckCase> = [
        descriptions::description_cases(),
        operations::operation_cases(),
        kinds::kind_cases(),
        seconds::retry_cases(),
    ]
    .concat();
    assert!(cases.len() >= 80, "{}", cases.len());
    let mut wrong = Vec::new();
    for (name, kind, url, pages, status, cause) in cases {
        let (checked, asked) =
            run_check(&known_resource(kind, url), &CheckOptions::default(), serve_pages(pages));
        let check = &checked.check;
        if (check.verdict, check.cause.as_str()) != (status, cause) {
            let requests: Vec<String> = check
                .observations
                .iter()
                .map(|seen| {
                    format!("  {:?} {} -> {:?} {}", seen.purpose, seen.request.url, seen.outcome, seen.seen)
                })
                .collect();
            wrong.push(format!(
                "{name} ({kind}): {} {}, expected {} {cause}\n  {}\n{}",
                check.verdict.as_str(),
                check.cause,
                status.as_str(),
                check.reason,
                requests.join("\n")
            ));
        }
        let again = derive_verdict(kind, &check.observations);
        assert_eq!(
            (again.status, again.cause, &again.reason),
            (check.verdict, check.cause.as_str(), &check.reason)
        );
        assert_eq!(asked.len(), check.observations.len());
        assert!(check.reason.ends_with('.') && check.reason.len() > 10, "{}", check.reason);
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
