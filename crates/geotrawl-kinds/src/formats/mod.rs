//! Readers of formats that several kinds share.

pub mod bbox;
pub mod xml;
