//! Services that look like a successor, but are not.

use super::chance::SeededRandom;
use super::services::{self, LayerTheme, TownCell};
use super::{ServiceDraft, SimulatedWorld, day};
use geotrawl_model::{Bbox, Dataset, Resource};
use jiff::{SignedDuration, Timestamp};

/// Adds look-alikes of a service that is gone.
pub fn add_look_alikes(
    chance: &mut SeededRandom,
    world: &mut SimulatedWorld,
    draft: &ServiceDraft,
    number: usize,
    last_ok: Timestamp,
) {
    let near_end = |chance: &mut SeededRandom| last_ok - days(chance.below(180) as i64 - 60);
    if let Some(town) = draft.town {
        // Neighbours with the same vendor: the same layers next door, many of them found only
        // recently.
        for (column, row) in [(0, 1), (1, 0), (0, -1), (-1, 0), (1, 1), (-1, 1)] {
            let next = TownCell { column: town.column + column, row: town.row + row, ..town };
            let url = format!("https://{}{number}.example/wms", next.name());
            let seen = if chance.chance_of(0.5) { near_end(chance) } else { day(chance.below(600) as i64) };
            let resource = services::town_service(chance, next, url);
            world.add_candidate(resource, seen, true, "neighbour");
        }
    }
    if draft.sort != "town" && chance.chance_of(0.4) {
        // Other years of the same data, each at its own address.
        for shift in 1..=2 {
            let resource = edition(chance, &draft.resource, shift, number);
            let seen = near_end(chance);
            world.add_candidate(resource, seen, true, "edition");
        }
    }
    if chance.chance_of(0.15) {
        // A mirror that existed in parallel for a long time.
        let mut mirror = draft.resource.clone();
        mirror.url = format!("https://mirror{number}.example/wms");
        world.add_candidate(mirror, last_ok - days(200 + chance.below(300) as i64), true, "mirror");
    }
    if chance.chance_of(0.3) {
        // A sibling on the same server: other layers of the same area, some the same; it existed in
        // parallel.
        let sibling =
            sibling(chance, &draft.resource, format!("http://old{number}.example/geoserver/other/ows"));
        world.add_candidate(sibling, last_ok - days(30 + chance.below(300) as i64), true, "sibling");
    }
    if chance.chance_of(0.3) {
        // Another provider in the same area, with some of the same common layers; found only
        // recently.
        let other = sibling(chance, &draft.resource, format!("https://other{number}.example/wms"));
        let seen = near_end(chance);
        world.add_candidate(other, seen, true, "same area");
    }
    if chance.chance_of(0.1) {
        // A collection with everything of the area and much more.
        let mut all = draft.resource.clone();
        all.url = format!("https://collection{number}.example/wms");
        all.title = Some("Collection of everything".into());
        let own = all.datasets.len();
        for extra in 0..own * 5 + 10 {
            let theme = LayerTheme::random_theme(chance);
            let bbox = services::region_bbox(chance.below(150));
            all.datasets.push(services::build_dataset(
                theme,
                format!("{}_{extra}", theme.words()),
                None,
                Some(bbox),
            ));
        }
        let seen = near_end(chance);
        world.add_candidate(all, seen, true, "collection");
    }
    if draft.resource.datasets.len() <= 3 && chance.chance_of(0.1) {
        // Data of another provider with the same names and nearly the same box.
        let mut namesake = draft.resource.clone();
        namesake.url = format!("https://namesake{number}.example/wms");
        namesake.title = Some(format!("Data of {}", services::place_name(number as u64 + 99_000)));
        namesake.contact.organisation = None;
        for dataset in &mut namesake.datasets {
            dataset.bbox = dataset.bbox.map(|b| Bbox::from(services::shrink_bbox(chance, b.into(), 0.06)));
        }
        let seen = if chance.chance_of(0.5) { near_end(chance) } else { day(chance.below(400) as i64) };
        world.add_candidate(namesake, seen, true, "namesake");
    }
    if chance.chance_of(0.1) {
        // A copy that is dead as well.
        let mut copy = draft.resource.clone();
        copy.url = format!("https://dead{number}.example/wms");
        let seen = near_end(chance);
        world.add_candidate(copy, seen, false, "dead copy");
    }
}

/// Returns the same data of another year; if the data had no year, only the new title has one.
fn edition(chance: &mut SeededRandom, of: &Resource, shift: u16, number: usize) -> Resource {
    let mut resource = of.clone();
    resource.url = format!("https://edition{number}-{shift}.example/wms");
    let mut dated = false;
    for dataset in &mut resource.datasets {
        for text in [Some(&mut dataset.name), dataset.title.as_mut()].into_iter().flatten() {
            let last = text.len().saturating_sub(4);
            if let Some(year) = text.get(last..).and_then(|year| year.parse::<u16>().ok()) {
                *text = format!("{}{}", &text[..last], year + shift);
                dated = true;
            }
        }
        if let Some(bbox) = dataset.bbox {
            dataset.bbox = Some(Bbox::from(services::shrink_bbox(chance, bbox.into(), 0.02)));
        }
    }
    if !dated {
        // Without a year it would be the same data, so it becomes another series of the same
        // agency.
        let taken: Vec<String> = resource.datasets.iter().map(|dataset| dataset.name.clone()).collect();
        for dataset in &mut resource.datasets {
            let mut theme = LayerTheme::random_theme(chance);
            while taken.len() < 30 && taken.contains(&theme.words()) {
                theme = LayerTheme::random_theme(chance);
            }
            (dataset.name, dataset.title) = (theme.words(), Some(theme.title(false)));
        }
    }
    resource
}

/// Returns other layers of the same area; up to 40 % of the names are the same.
fn sibling(chance: &mut SeededRandom, of: &Resource, url: String) -> Resource {
    let mut datasets: Vec<Dataset> = of.datasets.clone();
    chance.shuffle(&mut datasets);
    let area = of.datasets.first().and_then(|dataset| dataset.bbox).map_or([0.0; 4], Into::into);
    datasets.truncate((datasets.len() as f64 * chance.between(0.0, 0.4)).floor() as usize);
    for dataset in &mut datasets {
        // Different data under the same name, so the box is slightly different.
        dataset.bbox = dataset.bbox.map(|b| Bbox::from(services::shrink_bbox(chance, b.into(), 0.15)));
    }
    while datasets.len() < of.datasets.len().max(2) {
        let theme = LayerTheme::random_theme(chance);
        let bbox = services::shrink_bbox(chance, area, 0.2);
        datasets.push(services::build_dataset(theme, theme.words(), Some(theme.title(false)), Some(bbox)));
    }
    services::build_resource(url, None, None, datasets)
}

/// Adds unrelated services, and software in its default state.
pub fn add_crowd(chance: &mut SeededRandom, world: &mut SimulatedWorld, crowd: usize) {
    for number in 0..150 {
        let demo = [
            "topp:states",
            "topp:tasmania_roads",
            "tiger:poi",
            "tiger:tiger_roads",
            "ne:countries",
            "ne:populated_places",
            "nurc:Arc_Sample",
            "sf:streams",
            "osm",
            "basemap",
            "ne:coastlines",
        ];
        let datasets = demo.iter().map(|name| Dataset {
            name: (*name).into(),
            title: Some((*name).into()),
            bbox: Some(Bbox::from([-124.7, 24.9, -66.9, 49.4])),
            ..Dataset::default()
        });
        let url = format!("http://demo{number}.example/geoserver/ows");
        let mut resource =
            services::build_resource(url, Some("GeoServer Web Map Service".into()), None, datasets.collect());
        // Some add their own layers.
        if chance.chance_of(0.5) {
            let own = services::agency_service(chance, number % 150, 1 + number % 3, String::new());
            resource.datasets.extend(own.datasets);
        }
        world.add_candidate(resource, day(chance.below(700) as i64), true, "demo");
    }
    let mut number = 0;
    while world.candidates.len() < crowd {
        number += 1;
        let url = format!("https://crowd{number}.example/wms");
        let resource = if chance.chance_of(0.4) {
            let town = TownCell {
                column: chance.below(360) as i32,
                row: chance.below(240) as i32,
                vendor: chance.below(12),
            };
            services::town_service(chance, town, url)
        } else {
            // Agencies of the same regions: the same boxes, other layers and some of the same.
            let (region, layers) = (chance.below(150), 1 + chance.below(20));
            services::agency_service(chance, region, layers, url)
        };
        world.add_candidate(resource, day(chance.below(720) as i64), chance.chance_of(0.9), "crowd");
    }
}

fn days(number: i64) -> SignedDuration {
    SignedDuration::from_hours(24 * number)
}
