//! Measures the labelling: `cargo run --release -p geotrawl-themes --example speed`.
#![expect(clippy::print_stdout, reason = "a chore talks to the person who runs it")]

use geotrawl_themes::{Texts, Themes, naive_land_cover};
use std::time::Instant;

const TITLES: &[&str] = &[
    "Waldfunktionenkartierung Hessen WMS",
    "Land use and land cover of the northern counties",
    "Réseau hydrographique et plans d'eau du département",
    "Red de carreteras y ferrocarriles de la provincia",
    "GeoServer Web Map Service",
    "tl_2021_primaryroads",
];
const ABSTRACTS: &[&str] = &[
    "This service gives access to the boundaries of the municipalities and to the statistical units that are derived from them. The data are updated every year and may be used freely when the source is named. Coordinates are given in the national reference system and in the global one.",
    "Der Dienst stellt die amtlichen Hauskoordinaten und die Grenzen der Flurstücke bereit. Die Daten werden vierteljährlich aus dem Liegenschaftskataster abgeleitet und flächendeckend für das ganze Land angeboten; für die Richtigkeit wird keine Gewähr übernommen.",
    "Ce jeu de données décrit les parcelles, les bâtiments et la voirie de la commune tels qu'ils ont été relevés par les services techniques au cours de la dernière campagne de mise à jour, avec leurs attributs principaux.",
];

fn main() {
    let start = Instant::now();
    let themes = Themes::builtin();
    println!("built in {:.0} ms", start.elapsed().as_secs_f64() * 1e3);
    let (mut bytes, mut labels, mut records) = (0, 0, 0);
    let start = Instant::now();
    while start.elapsed().as_secs_f64() < 3.0 {
        let title = TITLES[records % TITLES.len()];
        let text = ABSTRACTS[records % ABSTRACTS.len()];
        let texts = Texts { title: Some(title), abstract_: Some(text), ..Texts::default() };
        labels += themes.labels(&texts).len();
        bytes += title.len() + text.len();
        records += 1;
    }
    let seconds = start.elapsed().as_secs_f64();
    println!(
        "records: {:.0} a second, {:.1} MB/s, {labels} labels, {:.1} us each",
        records as f64 / seconds,
        bytes as f64 / seconds / 1e6,
        seconds * 1e6 / records as f64
    );
    let long = ABSTRACTS.join(" ").repeat(80);
    let (start, mut bytes) = (Instant::now(), 0);
    while start.elapsed().as_secs_f64() < 2.0 {
        labels += themes.keyword_labels(&Texts { abstract_: Some(&long[..60_000]), ..Texts::default() }).len();
        bytes += 60_000;
    }
    println!("long texts: {:.1} MB/s ({labels})", bytes as f64 / start.elapsed().as_secs_f64() / 1e6);
    let (start, mut bytes) = (Instant::now(), 0);
    while start.elapsed().as_secs_f64() < 1.0 {
        labels += usize::from(naive_land_cover(&long[..60_000]).is_some());
        bytes += 60_000;
    }
    println!("substrings, land cover only: {:.1} MB/s ({labels})", bytes as f64 / start.elapsed().as_secs_f64() / 1e6);
}
