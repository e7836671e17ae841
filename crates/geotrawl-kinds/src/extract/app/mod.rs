//! Pages that are map applications: their services are in code, not in links.
//!
//! Reading a page detects whether it is one and creates an [`AppDraft`]: its inline scripts, and
//! the assets to fetch. The caller passes these to an [`AppLoader`], lets `geotrawl-js` analyse the
//! application, and fetches what the analysis asks for until it needs nothing more.
//! [`targets_of_sightings`] converts what the code reveals to targets. No I/O here.

mod draft;
mod judge;
mod loader;
mod sightings;

pub use draft::{AppDraft, is_script, script_draft};
pub(super) use draft::{RawScript, ScriptType, draft_app};
pub(super) use judge::{AppSigns, is_map_id, is_map_style, is_root_id};
pub use loader::{AppAsset, AppFacts, AppLoader};
pub use sightings::{targets_of_document, targets_of_sightings};
