//! Everything that sends requests to other servers: the guarded client, the scheduler, the
//! pipeline.

#![cfg_attr(not(test), warn(clippy::disallowed_methods, clippy::disallowed_types))]

pub mod alerts;
pub mod apps;
pub mod archive;
pub mod body;
pub mod check;
pub mod cpu;
pub mod fetch;
pub mod focus;
pub mod frontier;
pub mod inspect;
pub mod known;
pub(crate) mod leased;
pub mod mine;
pub mod monitor;
pub mod observe;
pub mod options;
pub mod outcome;
pub mod pipeline;
pub mod rank;
pub mod registry;
pub mod render;
pub mod resources;
pub mod scope;
pub mod seeds;
pub mod traces;
pub mod traps;
pub mod visit;
pub mod worker;
