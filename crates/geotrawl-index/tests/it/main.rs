//! The index over a catalogue in memory.

mod boxes;
mod catalogue;
mod facets;
mod following;
mod hostile;
mod showing;
mod words;
