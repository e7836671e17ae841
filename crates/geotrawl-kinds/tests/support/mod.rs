//! Documents made here.

pub mod generated;
