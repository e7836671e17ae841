//! stub
use crate::{Label, Texts};
/// The scheme.
pub const SCHEME: &str = "iso-topic";
/// Labels.
pub fn labels(_texts: &Texts<'_>) -> Vec<Label> { Vec::new() }
