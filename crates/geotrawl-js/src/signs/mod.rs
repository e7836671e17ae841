//! Which events name a service: the signatures of map libraries where names survive, the shapes of objects
//! where they do not.

use crate::model::{Level, Sighting};
use crate::value::Event;

/// What the events of an application show.
#[derive(Debug, Default)]
pub struct Recognised {
    pub sightings: Vec<Sighting>,
    /// A library is called or its shapes are used.
    pub makes_maps: bool,
    /// Layers whose address is not known.
    pub undecided: u32,
}

/// Reads the events that a level gave.
pub fn recognise(_events: &[Event], _level: Level) -> Recognised {
    Recognised::default()
}

/// Whether a call is worth an event: the last part of its name, and all of it.
pub fn telling_call(_name: &[&str]) -> bool {
    false
}

/// Whether an object with such a member is worth an event.
pub fn telling_member(_name: &str) -> bool {
    false
}

/// Whether an assignment to a member of this name is worth an event.
pub fn telling_assignment(_name: &str) -> bool {
    false
}
