use super::*;
use crate::tree::XmlElement;
use geotrawl_index::ComparisonOperator;
use geotrawl_model::{Bbox, Dataset, Record, RelatedService, Resource, Theme};
use proptest::prelude::*;

fn site() -> CswSite {
    CswSite {
        base: "https://geo.example".to_owned(),
        title: "Cat & Co <x>".to_owned(),
        now: "2026-05-05T10:00:00.5Z".parse().expect("a time"),
        sequence: 7,
    }
}

fn record() -> Record {
    Record {
        id: "r1".to_owned(),
        resource: Resource {
            kind: "wms".to_owned(),
            url: "https://a.example/wms?map=a&b=c".to_owned(),
            title: Some("Wasser \u{1}& <Land>\u{ffff}".to_owned()),
            keywords: vec!["water".to_owned(), "water".to_owned()],
            bbox: Some(Bbox::from([5.0, 50.0, 6.0, 51.0])),
            languages: vec!["de".to_owned()],
            versions: vec!["1.3.0".to_owned()],
            datasets: vec![Dataset {
                name: "l".into(),
                time: vec!["2020-01-01/2021-01-01/P1D".into()],
                ..Dataset::default()
            }],
            ..Resource::default()
        },
        faces: vec![
            RelatedService {
                kind: "wfs".to_owned(),
                url: "https://a.example/wfs".to_owned(),
                id: "r2".to_owned(),
            },
            RelatedService {
                kind: "wms".to_owned(),
                url: "https://a.example/other".to_owned(),
                id: "r3".to_owned(),
            },
        ],
        themes: vec![Theme {
            scheme: "iso-topic".into(),
            term: "inlandWaters".into(),
            evidence: String::new(),
        }],
        score: Some(80),
        ..Record::default()
    }
}

fn get_records(text: &str) -> GetRecords {
    match read_kvp(text).expect(text).operation {
        CswOperation::GetRecords(asked) => *asked,
        other => unreachable!("{other:?}"),
    }
}

#[test]
fn keys_have_any_case() {
    let asked = get_records(
        "SERVICE=CSW&Version=2.0.2&REQUEST=getrecords&typenames=csw:Record&resultType=results&startposition=11&MaxRecords=5000\
         &constraint=title+LIKE+'a%25'&constraintLanguage=CQL_TEXT&sortby=dc:title:D&outputSchema=http://www.isotc211.org/2005/gmd&elementSetName=full",
    );
    assert_eq!(
        (asked.query.offset, asked.query.limit, asked.query.sort),
        (10, MOST_RECORDS, SortOrder::TitleDown)
    );
    assert_eq!(
        asked.output,
        RecordOutput { schema: OutputSchema::Iso, elements: ElementSelection::Set(ElementSet::Full) }
    );
    assert_eq!(
        asked.query.filter,
        Some(FilterExpression::Like { property: FilterProperty::Title, pattern: "a%".to_owned() })
    );
    let newer = get_records(
        "service=CSW&version=3.0.0&request=GetRecords&q=water&bbox=5,50,6,51&time=2020/..&recordIds=a,b&maxRecords=unlimited",
    );
    assert_eq!(newer.query.words, "water");
    assert!(matches!(newer.query.filter, Some(FilterExpression::All(three)) if three.len() == 3));
    let xml = "%3COgc:Filter xmlns:Ogc='x'%3E%3CFeatureId fid='a'/%3E%3C/Ogc:Filter%3E";
    let asked = get_records(&format!(
        "service=CSW&version=2.0.2&request=GetRecords&typeNames=csw:Record&constraint={xml}"
    ));
    assert_eq!(asked.query.filter, Some(FilterExpression::Ids(vec!["a".to_owned()])));
    assert_eq!((asked.result, asked.query.sort), (ResultType::Hits, SortOrder::Oldest));
}

#[test]
fn refusals_name_code_and_place() {
    for (query, code, locator) in [
        ("request=GetRecords&version=2.0.2", "MissingParameterValue", Some("service")),
        ("service=WMS&request=GetRecords", "InvalidParameterValue", Some("service")),
        ("service=CSW", "MissingParameterValue", Some("request")),
        ("service=CSW&request=GetRecords", "MissingParameterValue", Some("version")),
        ("service=CSW&request=GetRecords&version=1.0", "InvalidParameterValue", Some("version")),
        ("service=CSW&request=GetRecords&version=2.0.2", "MissingParameterValue", Some("typeNames")),
        (
            "service=CSW&request=GetRecords&version=2.0.2&typeNames=x:y",
            "InvalidParameterValue",
            Some("typeNames"),
        ),
        ("service=CSW&request=GetRecordById&version=2.0.2", "MissingParameterValue", Some("id")),
        ("service=CSW&request=GetMap&version=2.0.2", "OperationNotSupported", Some("request")),
        ("service=CSW&request=Transaction&version=2.0.2", "OperationNotSupported", Some("transaction")),
        ("service=CSW&request=GetCapabilities&acceptVersions=1.0", "VersionNegotiationFailed", None),
        (
            "service=CSW&request=GetRecords&version=3.0.0&startPosition=x",
            "InvalidParameterValue",
            Some("startPosition"),
        ),
        ("service=CSW&request=GetRecords&version=3.0.0&bbox=x", "InvalidParameterValue", Some("bbox")),
        (
            "service=CSW&request=GetRecords&version=3.0.0&outputSchema=x",
            "InvalidParameterValue",
            Some("outputSchema"),
        ),
        (
            "service=CSW&request=GetRecords&version=3.0.0&outputFormat=text/csv",
            "InvalidParameterValue",
            Some("outputFormat"),
        ),
        (
            "service=CSW&request=GetRecords&version=3.0.0&elementSetName=some",
            "InvalidParameterValue",
            Some("ElementSetName"),
        ),
        (
            "service=CSW&request=GetRecords&version=3.0.0&sortby=dc:rights",
            "InvalidParameterValue",
            Some("SortBy"),
        ),
        (
            "service=CSW&request=GetRecords&version=3.0.0&constraint=nothing%3D1",
            "InvalidParameterValue",
            Some("Constraint"),
        ),
        ("service=CSW&request=GetDomain&version=3.0.0", "MissingParameterValue", Some("ValueReference")),
    ] {
        let refused = read_kvp(query).expect_err(query);
        assert_eq!(
            (refused.exception.code.as_str(), refused.exception.locator.as_deref()),
            (code, locator),
            "{query}"
        );
        assert!((400..=501).contains(&refused.http_status()));
        let report = XmlElement::parse(refused.to_document().as_bytes()).expect("well-formed");
        assert_eq!(report.name, "ExceptionReport");
        assert_eq!(report.children[0].attribute("exceptionCode"), Some(code));
    }
}

#[test]
fn versions_are_negotiated() {
    let version = |query: &str| read_kvp(query).map(|asked| asked.version);
    assert_eq!(version(""), Ok(CswVersion::V3));
    assert_eq!(version("service=CSW&request=GetCapabilities"), Ok(CswVersion::V3));
    assert_eq!(version("service=CSW&request=GetCapabilities&version=2.0.2"), Ok(CswVersion::V2));
    assert_eq!(
        version("service=CSW&request=GetCapabilities&acceptVersions=9,2.0.2,3.0.0"),
        Ok(CswVersion::V2)
    );
}

const POSTED: &str = r#"<csw:GetRecords xmlns:csw="http://www.opengis.net/cat/csw/2.0.2" xmlns:ogc="http://www.opengis.net/ogc" service="CSW" version="2.0.2" resultType="results" startPosition="1" maxRecords="10">
  <csw:Query typeNames="csw:Record"><csw:ElementSetName>brief</csw:ElementSetName>
  <csw:Constraint version="1.1.0"><ogc:Filter><ogc:PropertyIsEqualTo><ogc:PropertyName>dc:type</ogc:PropertyName><ogc:Literal>service</ogc:Literal></ogc:PropertyIsEqualTo></ogc:Filter></csw:Constraint>
  <ogc:SortBy><ogc:SortProperty><ogc:PropertyName>dct:modified</ogc:PropertyName><ogc:SortOrder>DESC</ogc:SortOrder></ogc:SortProperty></ogc:SortBy></csw:Query></csw:GetRecords>"#;

#[test]
fn documents_and_envelopes_are_read() {
    let bare = read_post(POSTED.as_bytes()).expect("a request");
    let CswOperation::GetRecords(asked) = &bare.operation else { unreachable!("{bare:?}") };
    assert_eq!((asked.query.sort, asked.query.limit), (SortOrder::Changed, 10));
    assert!(matches!(asked.query.filter, Some(FilterExpression::Not(_))));
    for (namespace, soap) in [(post::SOAP_11, SoapVersion::V11), (post::SOAP_12, SoapVersion::V12)] {
        let body =
            format!("<e:Envelope xmlns:e='{namespace}'><e:Header/><e:Body>{POSTED}</e:Body></e:Envelope>");
        let asked = read_post(body.as_bytes()).expect("a request");
        assert_eq!((asked.soap, &asked.operation), (Some(soap), &bare.operation));
        let CswOperation::GetRecords(records_asked) = &asked.operation else { unreachable!() };
        let answer = render_records(records_asked, asked.version, asked.soap, &CswPage::default(), &site());
        let read = XmlElement::parse(answer.as_bytes()).expect("well-formed");
        assert_eq!((read.name.as_str(), read.namespace.as_str()), ("Envelope", namespace));
        let wrong = body.replace("<csw:Query", "<csw:Qwery").replace("</csw:Query", "</csw:Qwery");
        let refused = read_post(wrong.as_bytes()).expect_err("no query");
        let read = XmlElement::parse(refused.to_document().as_bytes()).expect("well-formed");
        assert!(
            read.find_descendant(&["Fault"])
                .is_some_and(|fault| fault.find_descendant(&["ExceptionReport"]).is_some())
        );
    }
    for (body, word) in [
        ("<a/>".to_owned(), "Unknown operation"),
        ("<a xmlns='urn:x'/>".to_owned(), "not a CSW request"),
        ("<!DOCTYPE a><a/>".to_owned(), "document type"),
        ("<e:Envelope xmlns:e='x'><e:Body/></e:Envelope>".to_owned(), "empty"),
        (POSTED.replace("dc:type", "dc:nothing"), "Unknown property"),
    ] {
        let refused = read_post(body.as_bytes()).expect_err(&body);
        assert!(refused.exception.text.contains(word), "{}", refused.exception.text);
    }
    let many = "<ogc:FeatureId fid='a'/>".repeat(100_000);
    let refused = read_post(POSTED.replace("<ogc:Filter>", &format!("<ogc:Filter>{many}")).as_bytes());
    assert!(refused.expect_err("too many").exception.text.contains("elements"));
}

#[test]
fn records_are_written_in_both_schemas_and_versions() {
    for version in [CswVersion::V2, CswVersion::V3] {
        for (schema, name) in [(OutputSchema::DublinCore, "Record"), (OutputSchema::Iso, "MD_Metadata")] {
            let output = RecordOutput { schema, elements: ElementSelection::Set(ElementSet::Full) };
            let asked = GetRecords {
                result: ResultType::Results,
                query: SearchQuery { limit: 10, ..SearchQuery::default() },
                output: output.clone(),
            };
            let page = CswPage { total: 30, ids: 1, records: vec![record()] };
            let answer = XmlElement::parse(render_records(&asked, version, None, &page, &site()).as_bytes())
                .expect("well-formed");
            let results = answer.child("SearchResults").expect("results");
            assert_eq!(results.attribute("numberOfRecordsMatched"), Some("30"));
            assert_eq!(results.attribute("nextRecord"), Some("2"));
            let one = results.child(name).expect(name);
            let links: Vec<&str> = match schema {
                OutputSchema::DublinCore => {
                    one.children_named("references").filter_map(|link| link.attribute("scheme")).collect()
                }
                OutputSchema::Iso => {
                    let online = one
                        .find_descendant(&["MD_DigitalTransferOptions"])
                        .expect("options")
                        .children_named("onLine");
                    online
                        .filter_map(|link| {
                            Some(link.find_descendant(&["protocol"])?.children.first()?.trimmed_text())
                        })
                        .collect()
                }
            };
            assert_eq!(links, ["OGC:WMS", "OGC:WFS", "WWW:LINK-1.0-http--link"]);
            let by = render_by_id(&[record()], &output, version, None, &site());
            let by = XmlElement::parse(by.as_bytes()).expect("well-formed");
            match version {
                CswVersion::V2 => assert_eq!(by.children[0].name, name),
                CswVersion::V3 => {
                    assert_eq!((by.name.as_str(), by.namespace.as_str()), (name, schema.uri(version)));
                }
            }
        }
    }
}

#[test]
fn elements_are_as_asked() {
    let written = |elements| {
        let mut xml = crate::xml::XmlWriter::fragment();
        crate::dc::write_dublin_core(
            &mut xml,
            &record(),
            CswVersion::V2,
            &elements,
            "https://geo.example/service/r1",
        );
        let node = XmlElement::parse(xml.finish().as_bytes()).expect("well-formed");
        (node.name.clone(), node.children.iter().map(|child| child.name.clone()).collect::<Vec<_>>())
    };
    assert_eq!(
        written(ElementSelection::Set(ElementSet::Brief)),
        (
            "BriefRecord".to_owned(),
            ["identifier", "title", "type", "BoundingBox"].map(str::to_owned).to_vec()
        )
    );
    let (name, summary) = written(ElementSelection::Set(ElementSet::Summary));
    assert_eq!(name, "SummaryRecord");
    assert_eq!(summary.iter().filter(|name| *name == "subject").count(), 2);
    assert_eq!(
        written(ElementSelection::Names(vec!["dc:title".to_owned()])).1,
        ["identifier", "title"].map(str::to_owned).to_vec()
    );
}

#[test]
fn other_answers_are_well_formed() {
    for version in [CswVersion::V2, CswVersion::V3] {
        let whole = render_capabilities(&[], None, version, None, &site()).expect("capabilities");
        let whole = XmlElement::parse(whole.as_bytes()).expect("well-formed");
        assert_eq!((whole.name.as_str(), whole.namespace.as_str()), ("Capabilities", version.namespace()));
        assert!(whole.child("Filter_Capabilities").is_some() && whole.child("OperationsMetadata").is_some());
        let part = render_capabilities(&["ServiceProvider".to_owned()], Some("3"), version, None, &site())
            .expect("a part");
        assert!(
            XmlElement::parse(part.as_bytes()).expect("well-formed").child("OperationsMetadata").is_none()
        );
        let same = render_capabilities(&[], Some("7"), version, None, &site()).expect("nothing new");
        assert!(XmlElement::parse(same.as_bytes()).expect("well-formed").children.is_empty());
        let future =
            render_capabilities(&[], Some("8"), version, None, &site()).expect_err("from the future");
        assert_eq!(future.code, ExceptionCode::InvalidUpdateSequence);
        assert!(XmlElement::parse(describe_record(&[], version, None).expect("schemas").as_bytes()).is_ok());
        assert!(describe_record(&["x:Y".to_owned()], version, None).is_err());
        let asked = [
            DomainEntry {
                name: "a<".into(),
                is_parameter: false,
                values: DomainValues::List(vec![("x&".into(), 3)]),
            },
            DomainEntry {
                name: "b".into(),
                is_parameter: false,
                values: DomainValues::Range("1".into(), "2".into()),
            },
            DomainEntry {
                name: "GetRecords.resultType".into(),
                is_parameter: true,
                values: parameter_values("GetRecords.resultType", version),
            },
        ];
        let answer =
            XmlElement::parse(render_domains(&asked, version, None).as_bytes()).expect("well-formed");
        assert_eq!(answer.children.len(), 3);
    }
    assert_eq!(
        queryables::comparison_filter("quality", ComparisonOperator::More, " 5 "),
        Ok(FilterExpression::Compare {
            property: FilterProperty::Score,
            comparison: ComparisonOperator::More,
            value: "5".into()
        })
    );
}

proptest! {
    #[test]
    fn any_query_is_read_or_refused(query in any::<String>(), near in "(service|request|version|constraint|bbox|q|=|&|CSW|GetRecords|2.0.2|3.0.0|%3C|[a-z%'(),.0-9]){0,20}") {
        for text in [&query, &near] {
            if let Err(refused) = read_kvp(text) {
                prop_assert!(XmlElement::parse(refused.to_document().as_bytes()).is_ok());
            }
        }
    }

    #[test]
    fn any_body_is_read_or_refused(body in prop::collection::vec(any::<u8>(), 0..400), cut in 0_usize..1_000) {
        let refused = |body: &[u8]| match read_post(body) {
            Ok(_) => true,
            Err(refused) => XmlElement::parse(refused.to_document().as_bytes()).is_ok(),
        };
        prop_assert!(refused(&body));
        prop_assert!(refused(&POSTED.as_bytes()[..cut.min(POSTED.len())]));
    }

    #[test]
    fn texts_of_strangers_make_valid_xml(text in any::<String>()) {
        let mut one = record();
        one.id.clone_from(&text);
        one.resource.title = Some(text.clone());
        one.resource.abstract_ = Some(text.clone());
        one.resource.url.clone_from(&text);
        one.resource.keywords = vec![text.clone()];
        one.reason = text;
        for schema in [OutputSchema::DublinCore, OutputSchema::Iso] {
            let output = RecordOutput { schema, elements: ElementSelection::Set(ElementSet::Full) };
            for version in [CswVersion::V2, CswVersion::V3] {
                let answer = render_by_id(std::slice::from_ref(&one), &output, version, None, &site());
                prop_assert!(XmlElement::parse(answer.as_bytes()).is_ok());
            }
        }
    }
}
