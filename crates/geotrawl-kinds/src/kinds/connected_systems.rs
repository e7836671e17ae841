//! OGC API - Connected Systems: platforms, sensors and actuators, their locations and observations.

use super::{Family, KindProfile, LinkedApi, RubricRow};

/// OGC API - Connected Systems, parts 1 (feature resources) and 2 (dynamic data).
pub static CONNECTED_SYSTEMS: LinkedApi = LinkedApi {
    profile: &PROFILE,
    class: "/ogcapi-connectedsystems-",
    rels: &[
        "systems",
        "procedures",
        "deployments",
        "samplingFeatures",
        "properties",
        "datastreams",
        "observations",
        "controlstreams",
        "commands",
        "systemEvents",
    ],
    marks: &["/datastreams", "/samplingfeatures", "/controlstreams", "/systemevents"],
};

static PROFILE: KindProfile = KindProfile {
    id: "ogcapi-connected-systems",
    name: "OGC API - Connected Systems",
    what: "Platforms, sensors, actuators and their deployments as features, with streams of observations and commands. \
           A type of resource that the landing page links to is a dataset.",
    specification: "https://docs.ogc.org/is/23-001/23-001.html",
    evidence: "A conformance class of ogcapi-connectedsystems.",
    false_positives: "SensorThings and SOS offer observations through other APIs; an API of features whose collections \
                      happen to be called systems.",
    family: Family::Sensor,
    protocol: Some("OGC API - Connected Systems"),
    lists_datasets: false,
    has_extent: false,
    rubric_row: RubricRow::Observations,
    ..KindProfile::OGC_API
};
