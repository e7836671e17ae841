//! The catalogue: finds become rows, rows become records.

pub(in crate::backend) mod assemble;
pub(in crate::backend) mod chain;
pub(in crate::backend) mod content;
pub(in crate::backend) mod group;
mod identity;
pub(in crate::backend) mod observe;
pub(in crate::backend) mod records;
pub(in crate::backend) mod redirects;

pub(in crate::backend) use identity::{identity_key, public_id};
