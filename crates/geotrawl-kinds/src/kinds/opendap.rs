//! OPeNDAP: DAP2 and DAP4.

use super::{
    CorpusLabel, DescriptionFormat, DocumentClaim, DocumentReading, Family, Kind, KindProfile, RubricRow,
};
use crate::formats::dap::{DapAttributes, DapText, dds_name, dds_variables};
use crate::formats::xml::{XmlEvent, XmlReader};
use crate::probe::{
    Finding, Found, ProbeRequest, ProbeResponse, ProbeStep, ResponseBody, ResponseClass, ServiceProbe,
};
use crate::sniff::XmlRoot;
use crate::urls;
use geotrawl_model::{Dataset, Resource};
use std::io::Read;
use url::Url;

/// OPeNDAP datasets.
pub struct OpendapKind;

static PROFILE: KindProfile = KindProfile {
    id: "opendap",
    name: "OPeNDAP dataset",
    what: "Serves a scientific dataset in parts: its structure, its attributes and any slice of its variables, \
           over DAP2 or DAP4.",
    specification: "https://www.opendap.org/support/design-documentation/",
    evidence: "A text that begins with `Dataset {` (DDS) or `Attributes {` (DAS), or a root element Dataset in \
               a namespace of xml.opendap.org (DDX, DMR).",
    false_positives: "`Error { ... };` with status 200, help pages of the server, JSON or XML whose root happens to \
                be called Dataset.",
    family: Family::Coverage,
    description: DescriptionFormat::Types(&[
        "text/plain",
        "application/json",
        "application/xml",
        "text/xml",
        "text/html",
        "application/vnd.opendap.dap4.dataset-metadata+xml",
    ]),
    kept_bytes: 1 << 20,
    protocol: Some("OPeNDAP:OPeNDAP"),
    rubric_row: RubricRow::Observations,
    operation_words: ("values", "returned"),
    corpus_labels: &[
        CorpusLabel::plain("opendap-das"),
        CorpusLabel::plain("opendap-dds"),
        CorpusLabel::plain("opendap-ddx"),
    ],
    ..KindProfile::XML_SERVICE
};

/// Suffixes of a dataset URL that request one of its representations.
const SUFFIXES: &[&str] = &[
    ".html",
    ".info",
    ".ascii",
    ".asc",
    ".ver",
    ".dds",
    ".das",
    ".dods",
    ".dmr.xml",
    ".dmr.html",
    ".dmr",
    ".dap",
    ".ddx",
    ".dmrpp",
    ".iso",
    ".rdf",
    ".help",
    ".xdap",
];
const ACCEPT: &str = "text/plain, */*;q=0.5";
const MAX_BYTES: u64 = 4 << 20;

impl Kind for OpendapKind {
    fn profile(&self) -> &'static KindProfile {
        &PROFILE
    }

    fn claim_xml(&self, root: &XmlRoot) -> Option<DocumentClaim> {
        let opendap = root.namespace.as_deref().is_some_and(|ns| ns.contains("xml.opendap.org/ns/DAP"));
        if root.local != "Dataset" || !opendap {
            return None;
        }
        let version = root.attr("dapVersion").map(str::to_owned);
        Some(DocumentClaim { version, oddity: None })
    }

    fn read_xml(
        &self,
        reader: &mut XmlReader<'_>,
        root: &XmlRoot,
        claim: DocumentClaim,
        endpoint: &str,
    ) -> DocumentReading {
        let mut acdd = DapAttributes::default();
        let variables = read_xml(reader, &mut acdd);
        let mut resource = resource(endpoint, root.attr("name").map(str::to_owned), &variables, &acdd);
        resource.versions = claim.version.into_iter().collect();
        DocumentReading {
            resources: vec![resource],
            document: Some("opendap-ddx"),
            ..DocumentReading::default()
        }
    }

    fn read_text(&self, text: &str, at: &Url) -> Option<DocumentReading> {
        let (document, resource) = match DapText::detect(text)? {
            DapText::Dds => ("opendap-dds", from_dds(at.as_str(), text)),
            DapText::Das => ("opendap-das", resource(at.as_str(), None, &[], &DapAttributes::from_das(text))),
            DapText::Error => return None,
        };
        Some(DocumentReading {
            resources: vec![resource],
            document: Some(document),
            ..DocumentReading::default()
        })
    }

    fn url_marks(&self) -> &'static [&'static str] {
        &["/dodsc/", "/opendap/", "/dods/", "nph-dods", ".dds", ".das", ".dmr"]
    }

    fn probe_url(&self, url: &Url) -> Option<Url> {
        let path = url.path().to_ascii_lowercase();
        let face = SUFFIXES.iter().any(|suffix| path.ends_with(suffix));
        let server = ["/dodsc/", "/opendap/", "/dods/", "/nph-dods/"].iter().any(|mark| path.contains(mark));
        let own = [".dds", ".das", ".dmr", ".dmr.xml", ".ddx"].iter().any(|suffix| path.ends_with(suffix));
        let last = path.rsplit('/').next().unwrap_or_default();
        // Directories and catalogues of the same servers are read as pages.
        let listing = last.is_empty()
            || last.starts_with("contents.")
            || last.starts_with("catalog.")
            || !last.contains('.');
        let data = !listing
            && (last.contains(".nc")
                || last.contains(".h5")
                || last.contains(".hdf")
                || last.contains(".grb")
                || face);
        (own || server && data && !path.contains("/erddap/")).then(|| dataset_url(url))
    }

    fn start_probe(&self, at: &Url) -> Option<(Box<dyn ServiceProbe>, ProbeRequest)> {
        let dataset = dataset_url(at);
        let ask = face(&dataset, ".dds");
        Some((Box::new(OpendapProbe { dataset, found: None, dap4: false }), ask))
    }
}

/// Returns the URL of a dataset without the suffix of a representation and without a constraint.
pub fn dataset_url(url: &Url) -> Url {
    let mut url = urls::endpoint_url(url);
    url.set_query(None);
    let path = url.path().to_owned();
    let lower = path.to_ascii_lowercase();
    if let Some(suffix) = SUFFIXES.iter().find(|suffix| lower.ends_with(**suffix)) {
        url.set_path(&path[..path.len() - suffix.len()]);
    }
    url
}

fn face(dataset: &Url, suffix: &str) -> ProbeRequest {
    let mut url = dataset.clone();
    url.set_path(&format!("{}{suffix}", dataset.path()));
    ProbeRequest::get(url, ACCEPT, MAX_BYTES)
}

/// Requests the structure, then the attributes; DAP4 if DAP2 is rejected.
struct OpendapProbe {
    dataset: Url,
    found: Option<Box<Resource>>,
    dap4: bool,
}

impl ServiceProbe for OpendapProbe {
    fn handle_response(&mut self, answer: ProbeResponse<'_>) -> ProbeStep {
        let status = answer.head.status;
        let content_type = answer.head.content_type.clone();
        let mut body = Vec::new();
        match answer.body {
            ResponseBody::Whole(bytes) => {
                body.extend_from_slice(&bytes[..bytes.len().min(MAX_BYTES as usize)]);
            }
            // After a read error, the bytes received so far are still used.
            ResponseBody::Stream(stream) => drop(stream.take(MAX_BYTES).read_to_end(&mut body)),
        }
        let text = String::from_utf8_lossy(&body);
        if self.dap4 {
            return self.read_dmr(&body, content_type.as_deref());
        }
        match (DapText::detect(&text), self.found.take()) {
            (Some(DapText::Dds), None) => {
                self.found = Some(Box::new(from_dds(self.dataset.as_str(), &text)));
                ProbeStep::Ask(Box::new(face(&self.dataset, ".das")))
            }
            (Some(DapText::Das), Some(mut found)) => {
                // A title in the attributes replaces the name in the structure.
                found.title = None;
                *found = describe(*found, &[], &DapAttributes::from_das(&text));
                done(*found, "DDS and DAS")
            }
            (_, Some(found)) => done(*found, "DDS"),
            // An OPeNDAP error means that there is no such dataset, so DAP4 is not tried.
            (None, None) if status < 400 || status == 404 && text.trim_start().starts_with("Error") => {
                nothing(ResponseClass::Nothing)
            }
            (_, None) if matches!(status, 401 | 407) => nothing(ResponseClass::Login),
            // Servers that support only DAP4 reject DAP2 requests.
            (_, None) if matches!(status, 400 | 404 | 500 | 501) => {
                self.dap4 = true;
                ProbeStep::Ask(Box::new(face(&self.dataset, ".dmr.xml")))
            }
            (_, None) => nothing(ResponseClass::Nothing),
        }
    }
}

impl OpendapProbe {
    fn read_dmr(&self, body: &[u8], content_type: Option<&str>) -> ProbeStep {
        let mut input = body;
        let mut reader =
            XmlReader::new(&mut input, content_type.and_then(crate::formats::xml::charset_parameter));
        loop {
            match reader.next() {
                XmlEvent::Start => break,
                XmlEvent::Eof => return nothing(ResponseClass::Nothing),
                _ => {}
            }
        }
        let root = XmlRoot::from_reader(&reader);
        let Some(claim) = OpendapKind.claim_xml(&root) else { return nothing(ResponseClass::Nothing) };
        let reading = OpendapKind.read_xml(&mut reader, &root, claim, self.dataset.as_str());
        match reading.resources.into_iter().next() {
            Some(resource) => done(resource, "DMR"),
            None => nothing(ResponseClass::Nothing),
        }
    }
}

fn nothing(verdict: ResponseClass) -> ProbeStep {
    ProbeStep::Done(Box::new(Finding { verdict, ..Finding::default() }))
}

fn done(resource: Resource, rule: &str) -> ProbeStep {
    let found = Found::new(resource, rule);
    ProbeStep::Done(Box::new(Finding {
        resources: vec![found],
        verdict: ResponseClass::Resource,
        document: Some("opendap-dds"),
        ..Finding::default()
    }))
}

fn from_dds(at: &str, text: &str) -> Resource {
    resource(at, dds_name(text), &dds_variables(text), &DapAttributes::default())
}

/// Builds the resource. An OPeNDAP dataset is one dataset, and its variables are its keywords.
fn resource(at: &str, name: Option<String>, variables: &[String], acdd: &DapAttributes) -> Resource {
    let url = Url::parse(at).map_or_else(|_| at.to_owned(), |url| dataset_url(&url).into());
    let name = name.unwrap_or_else(|| url.rsplit('/').next().unwrap_or_default().to_owned());
    let resource = Resource {
        kind: PROFILE.id.to_owned(),
        url,
        versions: vec!["2.0".to_owned()],
        datasets: vec![Dataset { name, ..Dataset::default() }],
        dataset_count: 1,
        ..Resource::default()
    };
    describe(resource, variables, acdd)
}

fn describe(mut resource: Resource, variables: &[String], acdd: &DapAttributes) -> Resource {
    acdd.fill_resource(&mut resource);
    if let Some(dataset) = resource.datasets.first_mut() {
        dataset.title.clone_from(&resource.title);
        dataset.abstract_.clone_from(&resource.abstract_);
        dataset.bbox = resource.bbox;
        dataset.time = acdd.time_range().into_iter().collect();
        if dataset.keywords.is_empty() && variables.len() > 1 {
            dataset.keywords = variables.iter().take(100).map(|v| v.as_str().into()).collect();
        }
    }
    if resource.title.is_none() {
        resource.title = resource.datasets.first().map(|dataset| dataset.name.clone());
    }
    resource
}

/// Returns the variables and reads the global attributes of a DDX or DMR, whose root the reader has
/// just entered.
fn read_xml(reader: &mut XmlReader<'_>, acdd: &mut DapAttributes) -> Vec<String> {
    let mut variables = Vec::new();
    // Depth of the container with the dataset's attributes: the root, or NC_GLOBAL in it.
    let mut globals = vec![1usize];
    let mut attribute: Option<String> = None;
    let mut text = String::new();
    loop {
        match reader.next() {
            XmlEvent::Start => {
                let depth = reader.depth();
                let name = reader.attr_by_local_name("name").map(|n| n.chars().take(256).collect::<String>());
                let global = globals.last() == Some(&(depth - 1));
                match reader.local_name() {
                    b"Attribute" if global => {
                        let container = reader
                            .attr_by_local_name("type")
                            .is_some_and(|t| t.eq_ignore_ascii_case("container"));
                        if container
                            && name.as_deref().is_some_and(|n| n.to_ascii_lowercase().ends_with("global"))
                        {
                            globals.push(depth);
                        } else if !container {
                            attribute = name;
                        }
                        // DAP4 also allows the value as an attribute.
                        if let (Some(name), Some(value)) = (&attribute, reader.attr_by_local_name("value")) {
                            acdd.insert(name, &value);
                        }
                    }
                    b"Value" | b"value" => {}
                    b"Dimension" | b"Dim" | b"Map" | b"Group" | b"Attribute" | b"dataBLOB" => {}
                    _ if depth == 2 => variables.extend(name.filter(|_| variables.len() < 10_000)),
                    _ => {}
                }
                text.clear();
            }
            XmlEvent::Text => reader.append_text(&mut text, 16 * 1024),
            XmlEvent::End => {
                if let Some(name) = &attribute
                    && !text.trim().is_empty()
                {
                    acdd.insert(name, &text);
                    attribute = None;
                }
                text.clear();
                if globals.len() > 1 && globals.last().is_some_and(|depth| reader.depth() < *depth) {
                    globals.pop();
                }
            }
            XmlEvent::Eof => return variables,
            XmlEvent::Comment => {}
        }
    }
}
