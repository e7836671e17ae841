//! ncWMS: read from a WMS, needs no request of its own.

use super::{Kind, KindDoc};
use crate::model::Resource;

/// ncWMS and its library EDAL, also inside THREDDS.
pub struct Ncwms;

/// Kind id.
pub const ID: &str = "ncwms";

static DOC: KindDoc = KindDoc {
    id: ID,
    name: "ncWMS",
    what: "A WMS over multidimensional scientific data that also tells about its variables, times, depths and \
           values (GetMetadata, GetTimeseries, GetVerticalProfile).",
    specification: "https://reading-escience-centre.gitbooks.io/ncwms-user-guide/content/",
    evidence: "A WMS whose capabilities name ncWMS or EDAL, or that stands at the WMS path of a THREDDS server.",
    impostors: "A WMS in front of NetCDF files by other software; the WMS of ERDDAP.",
};

impl Kind for Ncwms {
    fn doc(&self) -> &'static KindDoc {
        &DOC
    }
}

/// Whether a WMS is one.
pub fn is(wms: &Resource, namespaces: &str) -> bool {
    let path = wms.url.to_ascii_lowercase();
    namespaces.contains("edal-java")
        || path.contains("/thredds/wms/")
        || wms.software.as_deref().is_some_and(|software| software.starts_with("ncWMS"))
}

/// The ncWMS that a WMS is as well.
pub fn of(wms: &Resource) -> Resource {
    super::wcps::under_another_kind(wms, ID)
}
