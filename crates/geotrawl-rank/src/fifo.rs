//! In order of discovery: every page has the same rank.

use crate::{FIRST, FrontierRanking, LinkToRank, RankExplanation};

pub(crate) struct FifoRanking;

impl FrontierRanking for FifoRanking {
    fn name(&self) -> &'static str {
        "fifo"
    }

    fn rank_link(&self, _: &LinkToRank<'_>) -> u32 {
        FIRST
    }

    fn explain_rank(&self, link: &LinkToRank<'_>) -> RankExplanation {
        RankExplanation {
            ordering: self.name().into(),
            place: self.rank_link(link),
            ..RankExplanation::default()
        }
    }
}
