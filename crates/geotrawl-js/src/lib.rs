//! Analyzes the code of map applications: finds the services and files that it uses.
//!
//! The crate does no I/O. The caller collects the scripts of a page in a [`MapApp`];
//! [`analyze_app`] returns the addresses that they use ([`Sighting`]s) and further scripts and
//! documents that it needs ([`NeededResource`]s). There are several levels, from cheap to
//! expensive:
//!
//! 1. [`paper`]: the published method of 2020, as the baseline for the others.
//! 2. [`fold`]: parses the scripts and follows values to the calls and objects that use them.
//! 3. [`run`]: runs what folding cannot decide in a sandbox, with stand-ins that record their
//!    calls.
//!
//! The real browser (level 4) is in another crate. Levels 2 and 3 produce the same [`CodeEvent`]s,
//! and [`signs`] decides for both which events name a service.

#![cfg_attr(not(test), warn(clippy::disallowed_methods, clippy::disallowed_types))]

mod analyze;
pub mod fold;
pub mod library;
pub mod model;
pub mod paper;
pub mod run;
pub mod signs;
pub mod value;

pub use analyze::analyze_app;
pub use model::{
    AnalysisLevel, AnalysisLevels, AnalysisLimits, AppDocument, AppScript, MapApp, NeededResource,
    NeededResourceKind, PageElement, ScriptAnalysis, ScriptPosition, Sighting,
};
pub use value::{CodeEvent, JsValue};
