//! The catalogue: finds become rows, rows become records.

pub(crate) mod assemble;
pub(crate) mod chain;
pub(crate) mod content;
pub(crate) mod group;
mod identity;
pub(crate) mod observe;
pub(crate) mod records;
pub(crate) mod redirects;
