//! Everything that touches other people's servers: the guarded client, the scheduler, the pipeline.

pub mod about;
pub mod alerts;
pub mod apps;
pub mod body;
pub mod check;
pub mod cpu;
pub mod fetch;
pub mod focus;
pub mod frontier;
pub mod inspect;
pub mod known;
pub mod means;
pub mod monitor;
pub mod observe;
pub mod options;
pub mod outcome;
pub mod pipeline;
pub mod rank;
pub mod render;
pub(crate) mod schedule;
pub mod scope;
pub mod seeds;
pub mod traps;
pub mod visit;
pub mod worker;
pub mod writer;
