use super::*;
use crate::formats::xml::XmlEvent;
use geotrawl_model::Bbox;
use std::fmt::Write as _;

fn read(xml: &str) -> ThreddsCatalog {
    let mut input = xml.as_bytes();
    let mut reader = XmlReader::new(&mut input, None);
    while !matches!(reader.next(), XmlEvent::Start | XmlEvent::Eof) {}
    ThreddsCatalog::from_xml(&mut reader)
}

const CATALOG: &str = r#"<catalog xmlns:xlink="x" name="Ocean models" version="1.0.7">
  <service name="all" serviceType="Compound" base="">
    <service name="dap" serviceType="OpenDAP" base="/thredds/dodsC/"/><service name="wms" serviceType="WMS" base="/thredds/wms/"/>
    <service name="iso" serviceType="ISO" base="/thredds/iso/"/>
  </service>
  <service name="res" serviceType="Resolver" base=""/>
  <dataset name="Hindcast" ID="h">
    <metadata inherited="true"><serviceName>all</serviceName><documentation type="summary">Daily fields.</documentation>
      <documentation type="rights">CC0</documentation>
      <creator><name>Institute</name><contact email="a@b.org" url="https://b.org"/></creator><keyword>sea</keyword>
      <geospatialCoverage><northsouth><start>50</start><size>10</size></northsouth><eastwest><start>-5</start><size>15</size></eastwest></geospatialCoverage>
      <timeCoverage><start>2000-01-01</start><end>present</end></timeCoverage></metadata>
    <dataset name="field_2000-01-01.nc" ID="h/1" urlPath="hind/field_2000-01-01.nc"/>
    <dataset name="field_2000-01-02.nc" ID="h/2" urlPath="hind/field_2000-01-02.nc"><date type="modified">2024-01-01</date></dataset>
    <dataset name="field_2000-01-03.nc" ID="h/3" urlPath="hind/field_2000-01-03.nc"/>
  </dataset>
  <dataset name="Bathymetry" ID="b"><access serviceName="dap" urlPath="bathy.nc" dataFormat="NetCDF"/></dataset>
  <catalogRef xlink:href="2001/catalog.xml" xlink:title="2001" name=""/>
</catalog>"#;

#[test]
fn granules_are_one_dataset_with_inherited_metadata() {
    let at = Url::parse("https://x.org/thredds/catalog/ocean/catalog.xml").expect("a URL");
    let catalog = read(CATALOG);
    assert_eq!((catalog.accessible, catalog.datasets, catalog.groups.len()), (4, 5, 2));
    assert_eq!((catalog.name.as_deref(), catalog.version.as_deref()), (Some("Ocean models"), Some("1.0.7")));
    let records = catalog.to_records(&at);
    let hindcast = &records[0];
    assert_eq!((hindcast.title.as_deref(), hindcast.type_.as_deref()), (Some("Hindcast"), Some("series")));
    assert_eq!(hindcast.bbox, Some(Bbox::from([-5.0, 50.0, 10.0, 60.0])));
    assert_eq!(hindcast.time, ["2000-01-01/present"]);
    assert_eq!(hindcast.contact.email.as_deref(), Some("a@b.org"));
    let links: Vec<(&str, &str)> =
        hindcast.links.iter().map(|l| (l.url.as_str(), l.protocol.as_deref().unwrap_or_default())).collect();
    assert_eq!(
        links,
        [
            ("https://x.org/thredds/dodsC/hind/field_2000-01-03.nc", "OPENDAP"),
            ("https://x.org/thredds/wms/hind/field_2000-01-03.nc", "OGC:WMS")
        ]
    );
    assert_eq!(records[1].title.as_deref(), Some("Bathymetry"));
    assert_eq!(records[1].links.len(), 1);
    assert_eq!(records[1].bbox, None, "metadata of a neighbour are not inherited");
    assert_eq!(catalog.references[0].href, "2001/catalog.xml");
}

#[test]
fn a_million_granules_are_one_group() {
    let mut xml =
        String::from("<catalog><service name='a' serviceType='HTTPServer' base='/f/'/><dataset name='All'>");
    for i in 0..100_000 {
        let _ = write!(xml, "<dataset name='g{i}' urlPath='d/g_{i:06}.nc'/>");
    }
    let catalog = read(&xml);
    assert_eq!((catalog.accessible, catalog.groups.len(), catalog.cut), (100_000, 1, true));
}

#[test]
fn dates_and_numbers_make_a_pattern() {
    for (name, expected) in [
        ("sst_2020-01-02T00:00.nc", "sst_#.nc"),
        ("a/2020/01/b_20200102.nc", "a/#/b_#.nc"),
        ("run12", "run#"),
        ("plain", "plain"),
    ] {
        assert_eq!(groups::digit_pattern(name), expected);
    }
}
