//! Priorities in the frontier: probes first, then catalogues, sitemaps, and pages as ranked.
//! Smaller is sooner.

use geotrawl_model::Intent;
use geotrawl_rank::{FIRST, FrontierRanking, LAST, LinkToRank};

/// Probes are few and cheap, and lead directly to finds.
const PROBE: u32 = 0;
/// A page of a catalogue lists many services at once.
const HARVEST: u32 = 20;
/// A sitemap lists many pages in one request.
const SITEMAP: u32 = 50;

/// Returns the priority of a link with this intent.
pub fn link_priority(ordering: &dyn FrontierRanking, intent: &Intent, link: &LinkToRank<'_>) -> u32 {
    match intent {
        Intent::Ows { .. } | Intent::File | Intent::Ask { .. } => PROBE,
        Intent::Harvest { .. } => HARVEST,
        Intent::Sitemap => SITEMAP,
        Intent::Page | Intent::Import => page_priority(ordering, link),
    }
}

/// Returns the priority of a page.
pub fn page_priority(ordering: &dyn FrontierRanking, link: &LinkToRank<'_>) -> u32 {
    ordering.rank_link(link).clamp(FIRST, LAST)
}

#[cfg(test)]
mod tests {
    use super::*;
    use geotrawl_rank::{ORDERINGS, PageContext, TaskTopic, create_ranking};

    #[test]
    fn probes_go_before_catalogues_before_sitemaps_before_pages() {
        let link = |depth| LinkToRank {
            url: "http://a.example/wms",
            words: "wms wfs map gis",
            way: "href",
            depth,
            width: 1,
            origin: PageContext::default(),
        };
        let ows = Intent::Ows { kind: "wms".into(), siblings: false };
        let harvest = "harvest:csw 0 x".parse().unwrap();
        for choice in ORDERINGS {
            let ordering = create_ranking(choice.name, &TaskTopic::default(), None).unwrap();
            let of = |intent: &Intent, depth| link_priority(&*ordering, intent, &link(depth));
            let places = [of(&ows, 9), of(&harvest, 9), of(&Intent::Sitemap, 9), of(&Intent::Page, 0)];
            assert!(places.is_sorted_by(|a, b| a < b), "{}: {places:?}", choice.name);
        }
    }
}
