//! Titles and paths of pages: pages with services mostly mention it, and so do many pages without.
//!
//! The rates are measured, not chosen. Of the 51 HTML pages with services among the real map pages
//! of our corpus, 62.7% have an indicative word in the title, 52.9% in the path, 88.2% in either
//! (of 10,798 geoportals of the Data Portals Registry: 87.5% in name or address). Of the pages that
//! mention map services, 10 to 16% contain one (Li, Yang and Yang 2010, section 4.1); words in
//! paths reach that rate through the share of the map section alone.

use super::{HostRole, HostRoute, WorldPlan};
use crate::lexicon::parse_pairs;
use crate::rng::SeededRng;

/// Of 1,000 pages with services: those that mention it in title and path, only in the title, only
/// in the path.
const BOTH: usize = 274;
const TITLE: usize = 353;
const PATH: usize = 255;
/// Of a thousand pages with a telling title: those that show something.
const SHOWING: usize = 130;
/// Index of the sections for services and for maps and data, the same in every language.
const SERVICES: usize = 2;
const MAPS: usize = 3;

pub(super) fn plan_titles(world: &mut WorldPlan, mut rng: SeededRng) {
    let (mut silent, mut told) = (Vec::new(), 0);
    for id in 0..world.pages.len() {
        let Some(number) = regular(world, id) else { continue };
        if !world.page_reveals.contains_key(&id) {
            let sections = parse_pairs(world.hosts[world.pages[id].host].lexicon().sections).count();
            if matches!(number % sections, SERVICES | MAPS) {
                silent.push(id);
            }
            continue;
        }
        let draw = rng.below(1000);
        if draw < BOTH + TITLE {
            told += 1;
            world.pages[id].title = title(world, id, &mut rng);
        }
        if draw < BOTH || (BOTH + TITLE..BOTH + TITLE + PATH).contains(&draw) {
            move_to_maps(world, id, number);
        }
    }
    let wanted = told * (1000 - SHOWING) / SHOWING;
    let candidates = silent.len();
    for id in silent {
        if rng.below(candidates) < wanted {
            world.pages[id].title = title(world, id, &mut rng);
        }
    }
}

/// Returns the number of a page on its host; `None` for pages with fixed titles (front pages,
/// sections) and forbidden pages.
fn regular(world: &WorldPlan, id: usize) -> Option<usize> {
    let page = &world.pages[id];
    let host = &world.hosts[page.host];
    let number = id - host.pages.start;
    let named = host.role == HostRole::Portal || number <= parse_pairs(host.lexicon().sections).count();
    (!named && !page.target.starts_with("/intern/")).then_some(number)
}

/// Draws a title about maps: a theme and a kind of offering.
fn title(world: &WorldPlan, id: usize, rng: &mut SeededRng) -> String {
    let lexicon = world.hosts[world.pages[id].host].lexicon();
    let themes: Vec<&str> = parse_pairs(lexicon.themes).map(|(_, title)| title).collect();
    let theme = *rng.pick(&themes);
    let service = *rng.pick(&["WMS", "WFS", "WMTS", "GIS"]);
    match rng.below(3) {
        0 => format!("{theme} ({service})"),
        1 => format!("{service} {theme}"),
        _ => format!("{}: {theme}", parse_pairs(lexicon.sections).nth(MAPS).map_or("", |(_, title)| title)),
    }
}

/// Moves a page to an address in the section for maps and data.
fn move_to_maps(world: &mut WorldPlan, id: usize, number: usize) {
    let owner = world.pages[id].host;
    let Some((slug, _)) = parse_pairs(world.hosts[owner].lexicon().sections).nth(MAPS) else { return };
    let target = format!("/{slug}/seite-{number}.html");
    let routes = &mut world.hosts[owner].routes;
    // Sitemaps, links and robots rules go by the page, not by its address.
    if !routes.contains_key(&target) {
        routes.remove(&world.pages[id].target);
        routes.insert(target.clone(), HostRoute::Page(id));
        world.pages[id].target = target;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::WebSize;

    #[test]
    fn pages_that_show_services_mostly_say_so_and_most_that_say_so_show_none() {
        let world = WorldPlan::generate(7, WebSize { hosts: 120, pages: 7200, even: false });
        let maps = |id: usize| {
            let page = &world.pages[id];
            let lexicon = world.hosts[page.host].lexicon();
            let (slug, section) = parse_pairs(lexicon.sections).nth(MAPS).unwrap();
            let titled = ["WMS", "WFS", "GIS", "WMTS", section].iter().any(|word| page.title.contains(word));
            (titled, page.target.starts_with(&format!("/{slug}/")))
        };
        let all: Vec<usize> = (0..world.pages.len()).filter(|&id| regular(&world, id).is_some()).collect();
        let (show, rest): (Vec<usize>, Vec<usize>) =
            all.iter().partition(|id| world.page_reveals.contains_key(id));
        let count =
            |ids: &[usize], of: fn((bool, bool)) -> bool| ids.iter().filter(|&&id| of(maps(id))).count();
        let share = |part: usize, whole: usize| 100 * part / whole;
        assert!((57..69).contains(&share(count(&show, |(title, _)| title), show.len())));
        assert!((48..68).contains(&share(count(&show, |(_, path)| path), show.len())));
        assert!((83..94).contains(&share(count(&show, |(title, path)| title || path), show.len())));
        for of in [|(title, _)| title, |(_, path)| path] as [fn((bool, bool)) -> bool; 2] {
            let showing = share(count(&show, of), count(&show, of) + count(&rest, of));
            assert!((9..22).contains(&showing), "{showing}");
        }
        assert!(world.pages.iter().all(|page| world.hosts[page.host].routes.contains_key(&page.target)));
    }
}
