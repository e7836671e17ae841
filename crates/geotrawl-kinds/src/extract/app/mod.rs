//! Pages that are map applications: their services stand in code, not in links.
//!
//! Reading a page tells whether it is one ([`judge`]) and makes a [`Draft`] of it: its inline scripts, and the
//! pieces that must be fetched. Whoever can fetch puts them into a [`Gathering`], lets `geotrawl-js` study the
//! application, and fetches what the study wants, until it wants nothing more; [`targets_of`] makes targets of
//! what the code shows. No I/O here.

mod draft;
mod gather;
mod judge;
mod sightings;

pub use draft::{AppDraft, is_script, script_draft};
pub(super) use draft::{RawScript, ScriptType, draft_app};
pub use gather::{AppAsset, AppFacts, AppLoader};
pub(super) use judge::{AppSigns, is_map_id, is_map_style, is_root_id};
pub use sightings::{targets_of_document, targets_of_sightings};
