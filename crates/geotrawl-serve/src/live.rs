//! Live events: one follower of the store's rows, any number of watchers.

/// Fans out what happens to those who watch.
#[derive(Default)]
pub struct Hub {}
