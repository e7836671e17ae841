//! All tests that need no process of their own, in one target so that the crate is linked once.

mod check;
mod check_corpus;
mod score;
mod successor;
