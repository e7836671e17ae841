//! ArcIMS.

use super::{DocumentClaim, DocumentReading, Family, Kind, KindProfile, MetadataDepth};
use crate::formats::tree::XmlTreeNode;
use crate::formats::xml::{XmlEvent, XmlReader, tidy_text};
use crate::probe::{
    Finding, Found, PostBody, ProbeRequest, ProbeResponse, ProbeStep, ResponseBody, ResponseClass,
    ServiceProbe,
};
use crate::sniff::XmlRoot;
use crate::urls;
use geotrawl_model::{Dataset, Resource};
use std::io::Read;
use url::Url;

/// ArcIMS servers, recognised by ArcXML.
pub struct ArcimsKind;

static PROFILE: KindProfile = KindProfile {
    id: "arcims",
    name: "ArcIMS",
    what: "An old map server that speaks ArcXML over POST; some still offer image and feature services.",
    specification: "https://webhelp.esri.com/arcims/9.3/General/mergedProjects/ArcXMLGuide/arcxmlguide.htm",
    evidence: "A root element ARCXML whose RESPONSE contains SERVICES or SERVICEINFO.",
    false_positives: "Map configuration files (ARCXML with CONFIG), error responses, the WMS connector of the same \
                server, which is a WMS.",
    family: Family::Wms,
    metadata: MetadataDepth::Terse,
    has_extent: false,
    ..KindProfile::XML_SERVICE
};

const LISTED: usize = 10_000;
const MAX_BYTES: u64 = 8 << 20;

impl Kind for ArcimsKind {
    fn profile(&self) -> &'static KindProfile {
        &PROFILE
    }

    fn claim_xml(&self, root: &XmlRoot) -> Option<DocumentClaim> {
        root.local.eq_ignore_ascii_case("ARCXML").then(|| DocumentClaim::from_root(root))
    }

    fn read_xml(
        &self,
        reader: &mut XmlReader<'_>,
        _root: &XmlRoot,
        claim: DocumentClaim,
        endpoint: &str,
    ) -> DocumentReading {
        let tree = XmlTreeNode::read_element(reader);
        let resources = response(&tree, claim.version, endpoint).into_iter().collect();
        DocumentReading { resources, document: Some("arcxml"), ..DocumentReading::default() }
    }

    fn url_marks(&self) -> &'static [&'static str] {
        &["com.esri.esrimap.esrimap"]
    }

    fn probe_url(&self, url: &Url) -> Option<Url> {
        let mut at = url.clone();
        at.set_query(None);
        at.set_fragment(None);
        Some(at)
    }

    fn start_probe(&self, at: &Url) -> Option<(Box<dyn ServiceProbe>, ProbeRequest)> {
        let url = urls::with_params(at, &[("cmd", "ping")]);
        let ask = ProbeRequest::get(url, "text/plain, text/xml, */*;q=0.5", 64 * 1024);
        Some((Box::new(ArcimsProbe { at: at.clone(), pinged: None }), ask))
    }
}

/// Builds the resource that a response proves.
fn response(tree: &XmlTreeNode, version: Option<String>, endpoint: &str) -> Option<Resource> {
    let response = tree.child("RESPONSE")?;
    let mut resource = Resource {
        kind: PROFILE.id.to_owned(),
        url: endpoint.to_owned(),
        versions: version.into_iter().collect(),
        software: Some("ArcIMS".to_owned()),
        ..Resource::default()
    };
    if let Some(services) = response.child("SERVICES") {
        for service in services.children_named("SERVICE") {
            let enabled = service.attr("STATUS").is_none_or(|s| s.eq_ignore_ascii_case("ENABLED"));
            let Some(name) = service.attr("NAME").filter(|_| enabled) else { continue };
            resource.dataset_count += 1;
            if resource.datasets.len() < LISTED {
                resource.datasets.push(Dataset {
                    name: tidy_text(name, 512).unwrap_or_default(),
                    abstract_: service.attr("DESC").and_then(|d| tidy_text(d, 4096)),
                    formats: service.attr("TYPE").map(Into::into).into_iter().collect(),
                    ..Dataset::default()
                });
            }
        }
        return Some(resource);
    }
    let info = response.child("SERVICEINFO")?;
    for layer in info.descendants().filter(|node| node.name.eq_ignore_ascii_case("LAYERINFO")) {
        resource.dataset_count += 1;
        if resource.datasets.len() < LISTED {
            let name = layer.attr("id").or_else(|| layer.attr("name")).unwrap_or_default();
            resource.datasets.push(Dataset {
                name: name.to_owned(),
                title: layer.attr("name").and_then(|t| tidy_text(t, 1024)),
                ..Dataset::default()
            });
        }
    }
    Some(resource)
}

/// Sends a ping, then requests the list of services.
struct ArcimsProbe {
    at: Url,
    pinged: Option<String>,
}

impl ServiceProbe for ArcimsProbe {
    fn handle_response(&mut self, answer: ProbeResponse<'_>) -> ProbeStep {
        let mut body = Vec::new();
        match answer.body {
            ResponseBody::Whole(bytes) => {
                body.extend_from_slice(&bytes[..bytes.len().min(MAX_BYTES as usize)]);
            }
            // After a read error, the bytes received so far are still used.
            ResponseBody::Stream(stream) => drop(stream.take(MAX_BYTES).read_to_end(&mut body)),
        }
        let nothing =
            || ProbeStep::Done(Box::new(Finding { verdict: ResponseClass::Nothing, ..Finding::default() }));
        let Some(version) = self.pinged.clone() else {
            // `IMS v9.3.1`
            let text = String::from_utf8_lossy(&body[..body.len().min(4096)]).into_owned();
            let Some((_, rest)) = text.split_once("IMS v") else { return nothing() };
            self.pinged =
                Some(rest.chars().take_while(|c| c.is_ascii_digit() || *c == '.').take(16).collect());
            let url = urls::with_params(&self.at, &[("ServiceName", "catalog")]);
            let body = "<?xml version=\"1.0\" encoding=\"UTF-8\"?><GETCLIENTSERVICES/>".to_owned();
            let post = Some(PostBody { content_type: "text/xml", body });
            return ProbeStep::Ask(Box::new(ProbeRequest {
                post,
                ..ProbeRequest::get(url, "text/xml, */*;q=0.5", MAX_BYTES)
            }));
        };
        let mut input = body.as_slice();
        let mut reader = XmlReader::new(&mut input, None);
        let mut root = reader.next();
        while !matches!(root, XmlEvent::Start | XmlEvent::Eof) {
            root = reader.next();
        }
        let listed = (root == XmlEvent::Start)
            .then(|| {
                response(&XmlTreeNode::read_element(&mut reader), Some(version.clone()), self.at.as_str())
            })
            .flatten();
        // The ping proves the server even if it does not list its services.
        let resource = listed.unwrap_or_else(|| Resource {
            kind: PROFILE.id.to_owned(),
            url: self.at.to_string(),
            versions: vec![version],
            software: Some("ArcIMS".to_owned()),
            ..Resource::default()
        });
        let found = Found::new(resource, "ping and GETCLIENTSERVICES");
        ProbeStep::Done(Box::new(Finding {
            resources: vec![found],
            verdict: ResponseClass::Resource,
            ..Finding::default()
        }))
    }
}
