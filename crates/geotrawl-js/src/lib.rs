//! Reads the code of map applications: which services and files it names, and where.
//!
//! No I/O: whoever has the page gathers its scripts in an [`App`], [`study`] says what they show
//! ([`Sighting`]s) and which further scripts and documents would say more ([`Want`]s). The levels, from cheap
//! to dear:
//!
//! 1. [`paper`]: the published method of 2020, as the baseline that the others are measured against.
//! 2. [`fold`]: the scripts are parsed, and values followed to the calls and objects that use them.
//! 3. [`run`]: what folding cannot decide is run in a sandbox, against stand-ins that write down what they
//!    are called with.
//!
//! A real browser (level 4) is not here. Levels 2 and 3 give the same [`Event`]s, and [`signs`] says for both
//! of them which events name a service.

#![cfg_attr(not(test), warn(clippy::disallowed_methods, clippy::disallowed_types))]

pub mod fold;
pub mod library;
pub mod model;
pub mod paper;
pub mod run;
pub mod signs;
mod study;
pub mod value;

pub use model::{
    AnalysisLevel, AnalysisLevels, AnalysisLimits, AppDocument, AppScript, MapApp, NeededResource,
    NeededResourceKind, PageElement, ScriptAnalysis, ScriptPosition, Sighting,
};
pub use study::analyze_app;
pub use value::{CodeEvent, JsValue};
