//! Changes to a service when it moves: other software, other names, layers removed and added.

use super::ServiceDraft;
use super::chance::SeededRandom;
use super::services::{self, LayerTheme};
use geotrawl_model::{Bbox, Dataset, Resource};

/// How the new software writes names.
#[derive(Clone, Copy, Debug)]
enum NamingStyle {
    Lower,
    Upper,
    Camel,
    Dashed,
    Schema,
    Prefixed,
    Numbered,
}

/// Returns the service at its new address, and a description of the changes.
pub fn move_service(chance: &mut SeededRandom, draft: &ServiceDraft, number: usize) -> (Resource, String) {
    let old = &draft.resource;
    // Names become numbers only if titles are kept, or there would be nothing left to recognise.
    let titles = chance.below(10);
    let style = match chance.below(14) {
        0..=2 => NamingStyle::Lower,
        3..=4 => NamingStyle::Upper,
        5..=6 => NamingStyle::Camel,
        7..=8 => NamingStyle::Dashed,
        9..=10 => NamingStyle::Schema,
        11..=12 => NamingStyle::Prefixed,
        _ if titles < 5 => NamingStyle::Numbered,
        _ => NamingStyle::Lower,
    };
    let drops_year = chance.chance_of(0.5);
    let (removed, added) = (chance.between(0.0, 0.4), chance.between(0.0, 0.4));
    let boxes_lost = chance.chance_of(0.08);
    let jitter = if chance.chance_of(0.7) { chance.between(0.0, 0.03) } else { 0.0 };
    let rounds = chance.chance_of(0.15);
    let mut kept: Vec<Dataset> = old.datasets.clone();
    chance.shuffle(&mut kept);
    kept.truncate((kept.len() as f64 * (1.0 - removed)).ceil() as usize);
    let mut datasets: Vec<Dataset> = Vec::new();
    for (place, old) in kept.into_iter().enumerate() {
        let mut local = old.name.rsplit(':').next().unwrap().to_owned();
        // Some names are changed beyond recognition.
        if chance.chance_of(0.08) && !matches!(style, NamingStyle::Numbered) {
            local = format!("layer_{}", LayerTheme::random_theme(chance).words());
        }
        if drops_year
            && let Some((front, year)) = local.rsplit_once('_')
            && year.len() == 4
            && year.starts_with('2')
        {
            local = front.to_owned();
        }
        let title = match titles {
            0..=4 => old.title.clone(),
            5..=7 => old.title.as_deref().and_then(services::translate_title),
            8 => None,
            _ => Some(local.clone()),
        };
        let bbox = old.bbox.map(|b| changed(chance, b.into(), jitter, rounds)).filter(|_| !boxes_lost);
        let bbox = if chance.chance_of(0.04) { Some([-180.0, -90.0, 180.0, 90.0]) } else { bbox };
        datasets.push(Dataset {
            name: written(&local, style, place, number),
            title,
            bbox: bbox.map(Bbox::from),
            ..Dataset::default()
        });
    }
    let area = old.datasets.first().and_then(|dataset| dataset.bbox);
    for extra in 0..(old.datasets.len() as f64 * added).floor() as usize {
        let theme = LayerTheme::random_theme(chance);
        let name = written(&theme.words(), style, datasets.len() + extra, number);
        let bbox = area.filter(|_| !boxes_lost).map(|b| services::shrink_bbox(chance, b.into(), 0.3));
        datasets.push(services::build_dataset(theme, name, Some(theme.title(false)), bbox));
    }
    chance.shuffle(&mut datasets);
    let (title, title_story) = match chance.below(10) {
        0..=3 => (old.title.clone(), "kept"),
        4..=6 => {
            (old.title.as_deref().map(|t| format!("{} portal", t.rsplit(' ').next().unwrap())), "reworded")
        }
        7..=8 => (Some("WMS".to_owned()), "default"),
        _ => (None, "lost"),
    };
    let organisation = match chance.below(10) {
        0..=5 => old.contact.organisation.clone(),
        6..=8 => None,
        _ => Some("Shared computing centre".to_owned()),
    };
    let url = format!("https://new{number}.example/maps/{number}/wms");
    let story = format!(
        "{style:?}, titles {titles}, -{:.0} % +{:.0} %, boxes {}, title {title_story}, {} -> {} layers",
        removed * 100.0,
        added * 100.0,
        if boxes_lost { "lost".to_owned() } else { format!("{:.1} %", jitter * 100.0) },
        old.datasets.len(),
        datasets.len()
    );
    let mut resource = services::build_resource(url, title, organisation, datasets);
    resource.versions = vec!["1.3.0".into()];
    (resource, story)
}

/// Returns a box after small changes to the data.
fn changed(
    chance: &mut SeededRandom,
    [west, south, east, north]: [f64; 4],
    jitter: f64,
    rounds: bool,
) -> [f64; 4] {
    let (w, h) = (east - west, north - south);
    let mut off = |size: f64| chance.between(-jitter, jitter) * size;
    let sides = [west + off(w), south + off(h), east + off(w), north + off(h)];
    if rounds { sides.map(|side| (side * 100.0).round() / 100.0) } else { sides }
}

fn written(local: &str, style: NamingStyle, place: usize, number: usize) -> String {
    let camel = || {
        local
            .split('_')
            .map(|word| {
                word.chars().take(1).flat_map(char::to_uppercase).chain(word.chars().skip(1)).collect()
            })
            .collect::<Vec<String>>()
            .concat()
    };
    match style {
        NamingStyle::Lower => local.to_owned(),
        NamingStyle::Upper => local.to_uppercase(),
        NamingStyle::Camel => camel(),
        NamingStyle::Dashed => format!("data:{}", local.replace('_', "-")),
        NamingStyle::Schema => format!("gis.public.{local}"),
        NamingStyle::Prefixed => format!("{}_{local}", services::place_name(number as u64 + 5_000)),
        NamingStyle::Numbered => place.to_string(),
    }
}
