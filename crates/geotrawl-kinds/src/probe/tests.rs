//! Exchanges between probes and servers.

use super::*;

const WMS: &str = "<WMS_Capabilities version='1.3.0' xmlns='http://www.opengis.net/wms'><Service><Title>T</Title>\
    </Service><Capability><Layer><Name>a</Name><Title>A</Title></Layer></Capability></WMS_Capabilities>";
const WFS: &str = "<WFS_Capabilities version='2.0.0' xmlns='http://www.opengis.net/wfs/2.0'><FeatureTypeList>\
    <FeatureType><Name>a:b</Name></FeatureType></FeatureTypeList></WFS_Capabilities>";
const NEEDS_VERSION: &str = "<ows:ExceptionReport xmlns:ows='http://www.opengis.net/ows/1.1'><ows:Exception \
    exceptionCode='MissingParameterValue' locator='version'/></ows:ExceptionReport>";
const EXCEPTION: &str = "<ServiceExceptionReport><ServiceException>Service WMS is disabled</ServiceException>\
    </ServiceExceptionReport>";

fn url(text: &str) -> Url {
    Url::parse(text).expect("url")
}

fn ows(kind: &str, siblings: bool) -> Intent {
    Intent::Ows { kind: kind.into(), siblings }
}

fn reply(probe: &mut Probe, asked: &ProbeRequest, status: u16, content_type: &str, body: &str) -> ProbeStep {
    let head = ResponseHead {
        url: Some(asked.url.clone()),
        status,
        content_type: Some(content_type.into()),
        ..ResponseHead::default()
    };
    probe.handle_response(ProbeResponse {
        head: &head,
        body: ResponseBody::Whole(body.as_bytes()),
        truncated: false,
    })
}

fn done(step: ProbeStep) -> Finding {
    match step {
        ProbeStep::Done(finding) => *finding,
        ProbeStep::Ask(ask) => panic!("wants {}", ask.url),
    }
}

fn asks(step: ProbeStep) -> ProbeRequest {
    match step {
        ProbeStep::Ask(ask) => *ask,
        ProbeStep::Done(finding) => panic!("done: {finding:?}"),
    }
}

#[test]
fn a_service_is_asked_without_version_and_proven() {
    let (mut probe, ask) = Probe::start(ows("wms", false), url("http://x.org/mapserv?map=/a.map"));
    assert_eq!(ask.url.as_str(), "http://x.org/mapserv?map=/a.map&SERVICE=WMS&REQUEST=GetCapabilities");
    let finding = done(reply(&mut probe, &ask, 200, "text/plain", WMS));
    assert_eq!(finding.verdict, ResponseClass::Resource);
    let found = &finding.resources[0];
    assert_eq!(found.resource.kind, "wms");
    assert_eq!(found.resource.url, "http://x.org/mapserv?map=/a.map");
    assert_eq!(found.evidence.rule, "root {http://www.opengis.net/wms}WMS_Capabilities version 1.3.0");
    assert!(finding.targets.is_empty());
}

#[test]
fn siblings_are_asked_where_they_are_likely() {
    let (mut probe, ask) = Probe::start(ows("wms", true), url("http://x.org/ows"));
    let finding = done(reply(&mut probe, &ask, 200, "text/xml", WMS));
    let kinds: Vec<String> = finding.targets.iter().map(|t| format!("{} {}", t.intent, t.url)).collect();
    assert_eq!(kinds[0], "ows:wfs http://x.org/ows");
    assert_eq!(kinds.len(), 3);
    assert!(finding.targets.iter().all(|t| t.way == "sibling"));
}

#[test]
fn an_exception_proves_a_live_endpoint_even_with_an_error_status() {
    let (mut probe, ask) = Probe::start(ows("wms", true), url("http://x.org/ows"));
    let finding = done(reply(&mut probe, &ask, 500, "text/html", EXCEPTION));
    assert_eq!(finding.verdict, ResponseClass::Exception);
    assert_eq!(finding.targets.len(), 6);
    assert!(finding.resources.is_empty());
    assert_eq!(finding.issues[0].code, "ows-exception");
}

#[test]
fn a_server_that_wants_a_version_gets_one() {
    let (mut probe, ask) = Probe::start(ows("wfs", false), url("http://x.org/wfs"));
    let ask = asks(reply(&mut probe, &ask, 400, "text/xml", NEEDS_VERSION));
    assert_eq!(ask.url.as_str(), "http://x.org/wfs?SERVICE=WFS&REQUEST=GetCapabilities&VERSION=2.0.0");
    let finding = done(reply(&mut probe, &ask, 200, "text/xml", WFS));
    assert_eq!(finding.resources[0].resource.kind, "wfs");
}

#[test]
fn after_two_versions_the_first_refusal_stands() {
    let (mut probe, ask) = Probe::start(ows("wfs", false), url("http://x.org/wfs"));
    let ask = asks(reply(&mut probe, &ask, 400, "text/xml", NEEDS_VERSION));
    let ask = asks(reply(&mut probe, &ask, 400, "text/xml", NEEDS_VERSION));
    assert!(ask.url.as_str().ends_with("VERSION=1.1.0"));
    let finding = done(reply(&mut probe, &ask, 500, "text/html", "<html>oops</html>"));
    assert_eq!(finding.verdict, ResponseClass::Exception);
}

#[test]
fn a_server_that_ignores_the_service_is_taken_at_its_answer() {
    let (mut probe, ask) = Probe::start(ows("wms", true), url("http://x.org/ows"));
    let finding = done(reply(&mut probe, &ask, 200, "text/xml", WFS));
    assert_eq!(finding.resources[0].resource.kind, "wfs");
    assert!(finding.targets.is_empty());
    assert_eq!(finding.issues[0].code, "service-ignored");
}

#[test]
fn pages_instead_of_capabilities_are_told_apart() {
    for (status, body, verdict) in [
        (200, "<html><form><input type='password'></form></html>", ResponseClass::Login),
        (401, "<html>who are you?</html>", ResponseClass::Login),
        (401, "", ResponseClass::Login),
        (403, "<html><div id='cf-chl-widget'></div></html>", ResponseClass::Blocked),
        (200, "<html><script src='/_Incapsula_Resource'></script></html>", ResponseClass::Blocked),
        (404, "<html>not found</html>", ResponseClass::Nothing),
        (200, "<html>a page about WMS</html>", ResponseClass::Page),
        (200, "", ResponseClass::Nothing),
        (404, "gone", ResponseClass::Nothing),
    ] {
        let (mut probe, ask) = Probe::start(ows("wms", true), url("http://x.org/wms"));
        let finding = done(reply(&mut probe, &ask, status, "text/html", body));
        assert_eq!(finding.verdict, verdict, "{status} {body}");
        assert!(finding.resources.is_empty());
    }
}

#[test]
fn a_rest_document_is_asked_for_itself() {
    let at = "http://x.org/wmts/1.0.0/WMTSCapabilities.xml";
    let (_, ask) = Probe::start(ows("wmts", false), url(at));
    assert_eq!(ask.url.as_str(), at);
}

#[test]
fn a_page_that_is_a_service_is_taken_without_another_request() {
    let (mut probe, ask) =
        Probe::start(Intent::Page, url("http://x.org/ows?service=WMS&request=GetCapabilities"));
    let mut stream = WMS.as_bytes();
    let head = ResponseHead { url: Some(ask.url.clone()), status: 200, ..ResponseHead::default() };
    let finding = done(probe.handle_response(ProbeResponse {
        head: &head,
        body: ResponseBody::Stream(&mut stream),
        truncated: true,
    }));
    assert_eq!(finding.resources[0].resource.url, "http://x.org/ows");
    assert_eq!(finding.targets.len(), 3);
    assert!(finding.resources[0].resource.issues.iter().any(|i| i.code == "body-truncated"));
}

#[test]
fn an_exception_where_a_page_was_expected_is_worth_asking() {
    let (mut probe, ask) = Probe::start(Intent::Page, url("http://x.org/cgi?REQUEST=GetMap"));
    let finding = done(reply(&mut probe, &ask, 200, "text/xml", EXCEPTION));
    assert_eq!(finding.verdict, ResponseClass::Exception);
    assert_eq!(finding.targets[0].intent, ows("wms", true));
}

#[test]
fn a_wmts_that_refuses_parameters_is_asked_at_its_rest_address_once() {
    let (mut probe, ask) = Probe::start(ows("wmts", false), url("https://x.org/maps/WMTS/"));
    let ask = asks(reply(&mut probe, &ask, 404, "text/html", "<html>no</html>"));
    assert_eq!(ask.url.as_str(), "https://x.org/maps/WMTS/1.0.0/WMTSCapabilities.xml");
    let finding = done(reply(&mut probe, &ask, 404, "text/html", "<html>no</html>"));
    assert_eq!(finding.verdict, ResponseClass::Nothing);
    let (mut probe, ask) = Probe::start(ows("wmts", false), url("https://x.org/ows"));
    done(reply(&mut probe, &ask, 404, "text/html", "<html>no</html>"));
}

#[test]
fn a_layer_without_which_a_server_does_not_answer_belongs_to_its_endpoint() {
    let (mut probe, ask) =
        Probe::start(ows("wms", false), url("https://x.org/wms?layer=rain&REQUEST=GetMap"));
    assert_eq!(ask.url.as_str(), "https://x.org/wms?SERVICE=WMS&REQUEST=GetCapabilities");
    let ask = asks(reply(&mut probe, &ask, 200, "text/xml", EXCEPTION));
    assert_eq!(ask.url.as_str(), "https://x.org/wms?SERVICE=WMS&REQUEST=GetCapabilities&layer=rain");
    let finding = done(reply(&mut probe, &ask, 200, "text/xml", WMS));
    assert_eq!(finding.resources[0].resource.url, "https://x.org/wms?layer=rain");
    let (mut probe, ask) = Probe::start(ows("wms", false), url("https://x.org/wms?layer=rain"));
    let ask = asks(reply(&mut probe, &ask, 200, "text/xml", EXCEPTION));
    assert_eq!(done(reply(&mut probe, &ask, 200, "text/xml", EXCEPTION)).verdict, ResponseClass::Exception);
}
