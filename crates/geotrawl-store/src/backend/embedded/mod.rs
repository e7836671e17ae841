//! One SQLite file.
/// The embedded store.
pub struct EmbeddedStore;
