//! Discovery through catalogues: records that name a resource.

use super::{ANY, RevealDocument, RevealForm, RevealWay, ShownResource, UrlForm};
use serde_json::json;
use std::fmt::Write as _;

const fn api(
    tag: &'static str,
    path: fn(usize) -> String,
    write: fn(&ShownResource) -> RevealDocument,
) -> RevealWay {
    RevealWay {
        tag,
        surface: false,
        level: None,
        kinds: ANY,
        url: UrlForm::Capabilities,
        form: RevealForm::Document { path, link: api_link, in_head: false, write },
    }
}

pub(super) static WAYS: &[RevealWay] = &[
    RevealWay {
        tag: "catalogue:csw",
        surface: false,
        level: None,
        kinds: ANY,
        url: UrlForm::Capabilities,
        form: RevealForm::Record,
    },
    api("catalogue:ckan", |n| format!("/api/3/action/package_show?id=daten-{n}"), ckan),
    api("catalogue:stac", |n| format!("/stac/collection-{n}.json"), stac),
    api("catalogue:dcat", |n| format!("/dcat/{n}/data.json"), dcat),
];

fn api_link(s: &ShownResource, out: &mut String) {
    let _ = writeln!(out, "<p><a href=\"{}\">API</a></p>", s.document);
}

fn document(value: &serde_json::Value) -> RevealDocument {
    RevealDocument { content_type: "application/json", body: value.to_string() }
}

fn ckan(s: &ShownResource) -> RevealDocument {
    document(
        &json!({"help": "package_show", "success": true, "result": {"id": format!("daten-{}", s.number), "title": s.title, "resources": [{"url": s.url, "format": s.kind.to_ascii_uppercase(), "name": s.title}]}}),
    )
}

fn stac(s: &ShownResource) -> RevealDocument {
    document(
        &json!({"type": "Collection", "stac_version": "1.0.0", "id": format!("c{}", s.number), "description": s.title, "license": "CC-BY-4.0", "extent": {"spatial": {"bbox": [[-180, -90, 180, 90]]}, "temporal": {"interval": [[null, null]]}}, "links": [{"rel": s.kind, "href": s.url, "title": s.title}]}),
    )
}

fn dcat(s: &ShownResource) -> RevealDocument {
    document(
        &json!({"@type": "dcat:Catalog", "conformsTo": "https://project-open-data.cio.gov/v1.1/schema", "dataset": [{"@type": "dcat:Dataset", "title": s.title, "distribution": [{"@type": "dcat:Distribution", "accessURL": s.url, "format": s.kind.to_ascii_uppercase()}]}]}),
    )
}
