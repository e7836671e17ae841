//! URLs: cleans, canonicalises and classifies them.
//!
//! A URL found in a document passes [`clean_link`] (what did the author mean?) and
//! [`append_targets`] (is it a service, a file, a page, or nothing?). URLs of pages are made
//! [`canonical_url`]s; those of services become [`endpoint_url`]s, which keep every parameter that
//! is not known to belong to a single request.

mod address_filter;
mod canonical;
mod clean;
mod cluster;
mod endpoint;
mod entities;
mod file_hint;
mod filter;
mod hosts;
mod probe_hint;
mod proxy;
mod query;
mod record_id;
mod relatives;
mod service_hint;
mod service_path;
mod skip;
mod skip_hosts;
mod targets;
mod traps;

pub use address_filter::may_lead_to_data;
pub use canonical::{MAX_PAGE_URL, canonical_url};
pub use clean::{MAX_RAW, clean_attribute, clean_link};
pub use cluster::cluster_key;
pub use endpoint::{endpoint_url, named_layers, with_params};
pub use file_hint::{FILE_TYPES, FileHint, FileType, FileTypes, file_hint, file_hint_of_name};
pub use hosts::{host_key, registrable_domain};
pub use probe_hint::probe_hints;
pub use proxy::unwrap_proxy;
pub use record_id::{identity_key, record_id};
pub use relatives::related_targets;
pub use service_hint::{HintStrength, ServiceHint, service_hint};
pub use skip::skip_reason;
pub use targets::append_targets;
pub use traps::{trap_shape, url_pattern};

pub(crate) use entities::{decode_entity, unescape_entities};
