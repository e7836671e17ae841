//! The catalogue: finds become rows, rows become records.

pub(super) mod assemble;
pub(super) mod chain;
pub(super) mod content;
pub(super) mod group;
mod identity;
pub(super) mod observe;
pub(super) mod records;
pub(super) mod redirects;

pub(super) use identity::{identity_key, public_id};
