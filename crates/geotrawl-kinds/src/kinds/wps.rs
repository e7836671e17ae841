//! Web Processing Service.

use super::ows::capabilities_root;
use super::ows::items::{Shape, read};
use super::ows::{Path, Tag};
use super::{Claim, Kind, KindDoc, OwsRequest, Reading};
use crate::formats::xml::Reader;
use crate::sniff::XmlRoot;

/// Web Processing Service 1.0.0 and 2.0.
pub struct Wps;

static DOC: KindDoc = KindDoc {
    id: "wps",
    name: "Web Processing Service",
    what: "Runs named processes on data: buffers, interpolations, models.",
    specification: "https://www.ogc.org/standard/wps/",
    evidence: "A root element Capabilities in http://www.opengis.net/wps/1.0.0 or http://www.opengis.net/wps/2.0 \
               (0.4: http://www.opengeospatial.net/wps).",
    impostors: "DescribeProcess and Execute answers of the same namespace (ProcessDescriptions, \
                ExecuteResponse), Capabilities of other services.",
};

static REQUEST: OwsRequest = OwsRequest { service: "WPS", versions: &["1.0.0", "2.0.0"] };

impl Kind for Wps {
    fn doc(&self) -> &'static KindDoc {
        &DOC
    }

    fn ows(&self) -> Option<&'static OwsRequest> {
        Some(&REQUEST)
    }

    fn claims(&self, root: &XmlRoot) -> Option<Claim> {
        capabilities_root(root, "wps", &["opengis.net/wps", "opengeospatial.net/wps"])
    }

    fn read(&self, reader: &mut Reader<'_>, root: &XmlRoot, claim: Claim, endpoint: &str) -> Reading {
        read::<Processes>(reader, root, claim, endpoint).0
    }
}

#[derive(Default)]
struct Processes;

impl Shape for Processes {
    const KIND: &'static str = "wps";

    fn is_item(tag: Tag, path: &Path<'_>) -> bool {
        tag == Tag::Process && matches!(path.parent(), Tag::ProcessOfferings | Tag::Contents)
    }

    fn is_name(tag: Tag) -> bool {
        tag == Tag::Identifier
    }
}
