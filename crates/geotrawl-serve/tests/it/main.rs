//! The answering side over real connections.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

/// Tasks and what happens in them: routes, who may see what, streams.
mod tasks;
