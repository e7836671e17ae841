//! PolarHub's order: a group of seeds is exhausted before the next; within it nearer pages first, as found.

use crate::{FIRST, LAST, Link, Ordering, Reason, Why};

/// From one level to the next.
const LEVEL: u32 = 100;
/// From one group of seeds to the next: room for a hundred levels in each of a hundred groups.
const WIDTH: u32 = 100 * LEVEL;

pub(crate) struct PolarHub;

impl Ordering for PolarHub {
    fn name(&self) -> &'static str {
        "polarhub"
    }

    fn weigh(&self, link: &Link<'_>) -> u32 {
        let width = link.width.saturating_sub(1).min(99);
        FIRST.saturating_add(width * WIDTH + link.depth.min(99) * LEVEL).min(LAST)
    }

    fn why(&self, link: &Link<'_>) -> Why {
        let reason =
            |name: &str, number: u32, text| Reason { name: name.to_owned(), adds: -f64::from(number), text };
        let reasons = vec![
            reason("width", link.width, format!("descends from group {} of the seeds", link.width.max(1))),
            reason("depth", link.depth, format!("{} links away from its seed", link.depth)),
        ];
        Why { ordering: self.name().into(), place: self.weigh(link), expects: None, reasons }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Origin;

    #[test]
    fn a_group_is_exhausted_before_the_next_and_nearer_pages_go_first() {
        let place = |width, depth| {
            PolarHub.weigh(&Link {
                url: "http://a/",
                words: "",
                way: "href",
                depth,
                width,
                origin: Origin(0),
            })
        };
        assert!(place(1, 0) < place(1, 1) && place(1, 1) < place(1, 2));
        assert!(place(1, 99) < place(2, 0) && place(9, 3) < place(10, 0));
        assert!(place(u32::MAX, u32::MAX) <= LAST);
    }
}
