//! Link depth of every page from the seeds, for a crawler that obeys robots.txt and reads sitemaps.

use super::{SitemapShape, WorldPlan};
use std::collections::VecDeque;

/// Returns the depth of every page; `None` if no allowed path leads to it.
pub(crate) fn page_depths(world: &WorldPlan) -> Vec<Option<u32>> {
    let mut depth: Vec<Option<u32>> = vec![None; world.pages.len()];
    let mut host_seen = vec![false; world.hosts.len()];
    let mut queue = VecDeque::new();
    let reach = |page: usize, at: u32, depth: &mut Vec<Option<u32>>, queue: &mut VecDeque<usize>| {
        let allowed = {
            let p = &world.pages[page];
            world.hosts[p.host].robots.allows(&p.target)
        };
        if depth[page].is_none() && allowed {
            depth[page] = Some(at);
            queue.push_back(page);
        }
    };
    for portal in 0..world.portals {
        reach(world.hosts[portal].pages.start, 0, &mut depth, &mut queue);
    }
    while let Some(page) = queue.pop_front() {
        let Some(at) = depth[page] else { continue };
        let host = world.pages[page].host;
        // Crawlers read the sitemap on their first visit to a host.
        if !host_seen[host] {
            host_seen[host] = true;
            if world.hosts[host].sitemap != SitemapShape::None {
                for listed in listed_pages(world, host) {
                    reach(listed, at + 1, &mut depth, &mut queue);
                }
            }
        }
        if !world.pages[page].nofollow {
            for &link in world.links.links_of(page) {
                reach(link as usize, at + 1, &mut depth, &mut queue);
            }
        }
    }
    depth
}

/// Returns the pages in a host's sitemap: every third, and those without incoming links.
pub(crate) fn listed_pages(world: &WorldPlan, host: usize) -> impl Iterator<Item = usize> {
    let pages = world.hosts[host].pages.clone();
    let start = pages.start;
    pages.filter(move |&page| world.pages[page].orphan || (page - start).is_multiple_of(3))
}
