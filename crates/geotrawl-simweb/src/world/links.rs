//! Links between pages: sites are trees with shortcuts, and hosts of one cluster link to each
//! other.

use super::{HostRole, WorldPlan};
use crate::rng::SeededRng;

/// Links of all pages, in a compact form.
#[derive(Default)]
pub(crate) struct PageLinks {
    starts: Vec<u32>,
    targets: Vec<u32>,
}

impl PageLinks {
    pub(crate) fn links_of(&self, page: usize) -> &[u32] {
        match (self.starts.get(page), self.starts.get(page + 1)) {
            (Some(&from), Some(&to)) => &self.targets[from as usize..to as usize],
            _ => &[],
        }
    }

    fn push(&mut self, mut links: Vec<u32>, own: usize) {
        let mut seen = Vec::with_capacity(links.len());
        links.retain(|&link| {
            let new = link as usize != own && !seen.contains(&link);
            seen.push(link);
            new
        });
        self.targets.extend_from_slice(&links);
        self.starts.push(self.targets.len() as u32);
    }
}

pub(super) fn plan_links(world: &WorldPlan, rng: SeededRng) -> PageLinks {
    let mut links = PageLinks { starts: vec![0], targets: Vec::new() };
    let mut clusters: Vec<Vec<usize>> = vec![Vec::new(); crate::lexicon::LEXICONS.len()];
    for (id, host) in world.hosts.iter().enumerate() {
        if host.role == HostRole::Geo {
            clusters[host.cluster].push(id);
        }
    }
    for (id, page) in world.pages.iter().enumerate() {
        let mut rng = rng.fork(id as u64);
        let host = &world.hosts[page.host];
        let number = id - host.pages.start;
        let list = if host.role == HostRole::Portal {
            portal_links(world, page.host, number)
        } else {
            site_links(world, page.host, number, &clusters[host.cluster], &mut rng)
        };
        links.push(list, id);
    }
    links
}

/// Links of a portal: the front page links to its directory and some hosts; directory pages link to
/// all hosts.
fn portal_links(world: &WorldPlan, portal: usize, number: usize) -> Vec<u32> {
    let pages = world.hosts[portal].pages.clone();
    let hosts = world.portals..world.hosts.len();
    let mut links = Vec::new();
    if number == 0 {
        links.extend(pages.clone().skip(1).map(|p| p as u32));
        links.extend((0..world.portals).map(|p| world.hosts[p].pages.start as u32));
        let front = hosts.filter(|&h| h % world.portals == portal && world.hosts[h].role == HostRole::Geo);
        links.extend(front.take(60).map(|h| world.hosts[h].pages.start as u32));
        return links;
    }
    links.push(pages.start as u32);
    let parts = pages.len() - 1;
    let own_part = hosts.filter(|host| host % parts == number - 1);
    links.extend(own_part.map(|host| world.hosts[host].pages.start as u32));
    links
}

const SECTIONS: usize = 7;

fn site_links(
    world: &WorldPlan,
    host: usize,
    number: usize,
    cluster: &[usize],
    rng: &mut SeededRng,
) -> Vec<u32> {
    let owner = &world.hosts[host];
    let (start, count) = (owner.pages.start, owner.pages.len());
    let mut links = vec![start as u32];
    let mut own = |n: usize| {
        let page = start + n;
        if n < count && !world.pages[page].orphan {
            links.push(page as u32);
        }
    };
    // Navigation: the sections.
    for section in 1..=SECTIONS.min(count.saturating_sub(1)) {
        own(section);
    }
    // The tree: every page links to five more, so that all can be reached.
    if number > 0 {
        for child in 0..5 {
            own(SECTIONS + (number - 1) * 5 + child + 1);
        }
    }
    for _ in 0..rng.range(4, 26) {
        own(rng.below(count));
    }
    // Links to other hosts, mostly to front pages, sometimes deep ones.
    let foreign = if owner.role == HostRole::Geo {
        rng.range(0, 5)
    } else {
        usize::from(rng.percent(35)) * rng.range(1, 3)
    };
    for _ in 0..foreign {
        let other = if owner.role == HostRole::Geo && !cluster.is_empty() && rng.percent(70) {
            *rng.pick(cluster)
        } else {
            rng.below(world.hosts.len())
        };
        let pages = world.hosts[other].pages.clone();
        if pages.is_empty() {
            continue;
        }
        let page = if rng.percent(70) { pages.start } else { pages.start + rng.below(pages.len()) };
        if !world.pages[page].orphan {
            links.push(page as u32);
        }
    }
    links
}
