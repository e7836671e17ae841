//! Decides which events name a service: by signatures of map libraries where names are kept, else
//! by the shapes of objects.
//!
//! - [`sign`] and [`tables`]: how to recognise library calls, and where their URLs are;
//! - [`shapes`]: recognises layers by the members of an object;
//! - [`judge`]: combines use and URL; [`address`], [`noise`] and [`types`] classify the parts;
//! - [`reader`] processes the events, [`gather`] returns each URL once.

mod address;
mod gather;
mod hosts;
mod judge;
mod lookup;
mod noise;
mod proxy;
mod reader;
mod shapes;
mod sign;
mod tables;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;
mod types;
mod values;

use crate::model::{AnalysisLevel, Sighting};
use crate::value::CodeEvent;
pub use types::service_of_type;

/// Services found in the events of an application.
#[derive(Debug, Default)]
pub struct RecognitionResult {
    pub sightings: Vec<Sighting>,
    /// Whether a library is called or its object shapes are used.
    pub makes_maps: bool,
    /// Number of layers with unknown URLs.
    pub undecided: u32,
}

/// Finds services in the events of a level.
pub fn recognise_events(events: &[CodeEvent], level: AnalysisLevel) -> RecognitionResult {
    reader::read(events, level)
}

/// Returns whether a call with this name is worth an event.
pub fn is_relevant_call(name: &[&str]) -> bool {
    match name {
        [.., "Ext", "create"] | [.., "addProxyRule"] => true,
        name => lookup::has_signature(name),
    }
}

/// Returns whether an object with this member is worth an event.
pub fn is_relevant_member(name: &str) -> bool {
    shapes::is_relevant_name(name)
}

/// Returns whether an assignment to a member with this name is worth an event.
pub fn is_relevant_assignment(name: &str) -> bool {
    match name {
        "ProxyHost" | "portalUrl" | "portalURL" => true,
        name => shapes::is_url_member(name) || shapes::is_service_member(name),
    }
}
