//! As found: every page has the same place.

use crate::{FIRST, Link, Ordering, Why};

pub(crate) struct Fifo;

impl Ordering for Fifo {
    fn name(&self) -> &'static str {
        "fifo"
    }

    fn weigh(&self, _: &Link<'_>) -> u32 {
        FIRST
    }

    fn why(&self, link: &Link<'_>) -> Why {
        Why { ordering: self.name().into(), place: self.weigh(link), ..Why::default() }
    }
}
