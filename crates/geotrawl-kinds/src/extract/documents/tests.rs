use crate::probe::{Finding, Probe, ProbeResponse, ProbeStep, ResponseBody, ResponseHead};
use geotrawl_model::Intent;
use url::Url;

fn read(url: &str, body: &str) -> Finding {
    let url = Url::parse(url).expect("a URL");
    let (mut probe, _) = Probe::start(Intent::Page, url.clone());
    let head = ResponseHead { url: Some(url), status: 200, ..ResponseHead::default() };
    match probe.handle_response(ProbeResponse {
        head: &head,
        body: ResponseBody::Whole(body.as_bytes()),
        truncated: false,
    }) {
        ProbeStep::Done(finding) => *finding,
        ProbeStep::Ask(ask) => panic!("{ask:?}"),
    }
}

fn targets(finding: &Finding) -> Vec<String> {
    finding.targets.iter().map(|t| format!("{} {} {}", t.intent, t.url, t.way)).collect()
}

#[test]
fn contexts_lead_to_their_servers() {
    let wmc = "<ViewContext xmlns='http://www.opengis.net/context' xmlns:xlink='x' version='1.1.0'><General><Title>My map</Title></General>\
        <LayerList><Layer><Server service='OGC:WMS'><OnlineResource xlink:href='https://a.org/maps?'/></Server><Name>roads</Name></Layer>\
        <Layer><Server service='OGC:WFS'><OnlineResource xlink:href='https://a.org/features'/></Server></Layer></LayerList></ViewContext>";
    let finding = read("https://x.org/context.xml", wmc);
    assert_eq!(finding.document, Some("wmc-viewcontext"));
    assert_eq!(
        targets(&finding),
        ["ows:wms https://a.org/maps config:wmc", "ows:wfs https://a.org/features config:wmc"]
    );
    assert_eq!(finding.targets[0].layers, ["roads"]);
    assert_eq!(finding.page.and_then(|p| p.title).as_deref(), Some("My map"));
    let owc = "<feed xmlns='http://www.w3.org/2005/Atom' xmlns:owc='http://www.opengis.net/owc/1.0' xmlns:georss='http://www.georss.org/georss'>\
        <title>C</title><entry><title>E</title><link rel='via' href='https://x.org/about'/><owc:offering code='http://www.opengis.net/spec/owc-atom/1.0/req/wms'>\
        <owc:operation code='GetCapabilities' href='https://b.org/any?'/></owc:offering></entry></feed>";
    let finding = read("https://x.org/owc", owc);
    assert_eq!(finding.document, Some("georss-atom-feed"));
    assert!(
        targets(&finding).contains(&"ows:wms https://b.org/any config:owc".to_owned()),
        "{:?}",
        targets(&finding)
    );
    assert!(finding.targets.iter().any(|t| t.url.as_str() == "https://x.org/about"));
}

#[test]
fn configurations_lead_to_their_sources() {
    let gdal = "<GDAL_WMS><Service name='WMS'><ServerUrl>https://c.org/cgi?</ServerUrl><Layers>basic</Layers></Service></GDAL_WMS>";
    assert_eq!(targets(&read("https://x.org/g.xml", gdal)), ["ows:wms https://c.org/cgi config:gdal"]);
    let mapbook = "<mapbook><map-source name='r' type='wms'><url>https://d.org/m</url><layer name='l'/></map-source></mapbook>";
    assert_eq!(
        targets(&read("https://x.org/mapbook.xml", mapbook)),
        ["ows:wms https://d.org/m config:geomoose"]
    );
    let project = "<!DOCTYPE qgis PUBLIC 'http://mrcc.com/qgis.dtd' 'SYSTEM'><qgis version='3.28'><title>P</title><projectlayers>\
        <maplayer><datasource>contextualWMSLegend=0&amp;crs=EPSG:3857&amp;layers=a&amp;url=https%3A%2F%2Fe.org%2Fmap%3Fmap%3D1</datasource><provider>wms</provider></maplayer>\
        <maplayer><datasource> pagingEnabled='true' typename='ns:b' url='https://f.org/features?x=1' version='auto'</datasource><provider encoding='UTF-8'>WFS</provider></maplayer>\
        <maplayer><datasource>crs=EPSG:3857&amp;tileMatrixSet=g&amp;url=https://g.org/caps</datasource><provider>wms</provider></maplayer>\
        <maplayer><datasource>/vsicurl/https://h.org/roads.kmz|layername=x</datasource><provider>ogr</provider></maplayer>\
        <maplayer><datasource>./local.gpkg|layername=points</datasource><provider>ogr</provider></maplayer></projectlayers></qgis>";
    let finding = read("https://x.org/p.qgs", project);
    assert_eq!(finding.document, Some("qgis-project"));
    assert_eq!(
        targets(&finding),
        [
            "ows:wms https://e.org/map?map=1 config:qgis",
            "ows:wfs https://f.org/features config:qgis",
            "ows:wmts https://g.org/caps config:qgis",
            "file https://h.org/roads.kmz config:qgis"
        ]
    );
    let connections =
        "<qgsWFSConnections version='1.1'><wfs name='W' url='https://i.org/w?'/></qgsWFSConnections>";
    assert_eq!(targets(&read("https://x.org/c.xml", connections)), ["ows:wfs https://i.org/w config:qgis"]);
}

#[test]
fn records_and_answers_lead_to_what_they_describe() {
    let record = "<gmd:MD_Metadata xmlns:gmd='http://www.isotc211.org/2005/gmd'><gmd:distributionInfo><gmd:CI_OnlineResource><gmd:linkage><gmd:URL>https://j.org/any</gmd:URL></gmd:linkage>\
        <gmd:protocol><c:CharacterString xmlns:c='c'>OGC:WMS</c:CharacterString></gmd:protocol></gmd:CI_OnlineResource></gmd:distributionInfo></gmd:MD_Metadata>";
    let finding = read("https://x.org/md/1.xml", record);
    assert_eq!(finding.document, Some("iso19139-record"));
    assert_eq!(targets(&finding), ["ows:wms https://j.org/any catalogue:record"]);
    let answer = format!(
        "<csw:GetRecordsResponse xmlns:csw='http://www.opengis.net/cat/csw/2.0.2'><csw:SearchResults>{record}</csw:SearchResults></csw:GetRecordsResponse>"
    );
    let finding = read("https://k.org/csw?service=CSW&request=GetRecords", &answer);
    assert_eq!(finding.document, Some("csw-getrecords-response"));
    assert_eq!(
        targets(&finding),
        ["ows:wms https://j.org/any catalogue:record", "ows:csw https://k.org/csw catalogue:record"]
    );
    assert_eq!(targets(&read("https://k.org/files/answer.xml", &answer)).len(), 1, "a stored answer");
    assert_eq!(read("https://x.org/m.xml", "<metadata><groupId>g</groupId></metadata>").document, None);
}
