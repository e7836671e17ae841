//! Which events name a service: the signatures of map libraries where names survive, the shapes of objects
//! where they do not.
//!
//! - [`sign`] and [`tables`]: how calls of libraries are told, and where the address stands in them;
//! - [`shapes`]: layers by the members of an object;
//! - [`judge`]: what a use and an address say together; [`address`], [`noise`], [`types`] say it of the parts;
//! - [`reader`] goes through the events, [`gather`] gives each address once.

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

/// What the events of an application show.
#[derive(Debug, Default)]
pub struct RecognitionResult {
    pub sightings: Vec<Sighting>,
    /// A library is called or its shapes are used.
    pub makes_maps: bool,
    /// Layers whose address is not known.
    pub undecided: u32,
}

/// Reads the events that a level gave.
pub fn recognise_events(events: &[CodeEvent], level: AnalysisLevel) -> RecognitionResult {
    reader::read(events, level)
}

/// Whether a call is worth an event: the last part of its name, and all of it.
pub fn is_relevant_call(name: &[&str]) -> bool {
    match name {
        [.., "Ext", "create"] | [.., "addProxyRule"] => true,
        name => lookup::has_signature(name),
    }
}

/// Whether an object with such a member is worth an event.
pub fn is_relevant_member(name: &str) -> bool {
    shapes::is_relevant_name(name)
}

/// Whether an assignment to a member of this name is worth an event.
pub fn is_relevant_assignment(name: &str) -> bool {
    match name {
        "ProxyHost" | "portalUrl" | "portalURL" => true,
        name => shapes::is_url_member(name) || shapes::is_service_member(name),
    }
}
