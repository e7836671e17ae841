//! PolarHub's order: one group of seeds after the other; within a
//! group, pages closer to their seed first.

use crate::{FIRST, FrontierRanking, LAST, LinkToRank, RankExplanation, RankReason};

/// Rank difference of adjacent levels.
const LEVEL: u32 = 100;
/// Rank difference of adjacent groups, which leaves room for a
/// hundred levels in each of a hundred groups.
const WIDTH: u32 = 100 * LEVEL;

pub(crate) struct PolarHubRanking;

impl FrontierRanking for PolarHubRanking {
    fn name(&self) -> &'static str {
        "polarhub"
    }

    fn rank_link(&self, link: &LinkToRank<'_>) -> u32 {
        let width = link.width.saturating_sub(1).min(99);
        FIRST.saturating_add(width * WIDTH + link.depth.min(99) * LEVEL).min(LAST)
    }

    fn explain_rank(&self, link: &LinkToRank<'_>) -> RankExplanation {
        let reason = |name: &str, number: u32, text| RankReason {
            name: name.to_owned(),
            adds: -f64::from(number),
            text,
        };
        let reasons = vec![
            reason("width", link.width, format!("found from group {} of the seeds", link.width.max(1))),
            reason("depth", link.depth, format!("{} links from its seed", link.depth)),
        ];
        RankExplanation { ordering: self.name().into(), place: self.rank_link(link), expects: None, reasons }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::PageContext;

    #[test]
    fn a_group_is_exhausted_before_the_next_and_nearer_pages_go_first() {
        let place = |width, depth| {
            PolarHubRanking.rank_link(&LinkToRank {
                url: "http://a/",
                words: "",
                way: "href",
                depth,
                width,
                origin: PageContext(0),
            })
        };
        assert!(place(1, 0) < place(1, 1) && place(1, 1) < place(1, 2));
        assert!(place(1, 99) < place(2, 0) && place(9, 3) < place(10, 0));
        assert!(place(u32::MAX, u32::MAX) <= LAST);
    }
}
