//! A fixed amount of labelling to be timed: `time target/release/examples/match_speed records` (59 MB of 200,000 records),
//! `long` (60 MB of long texts), `build` (the automaton alone, ten times), or `lines FILE` (each line a record).
#![expect(clippy::print_stdout, reason = "a chore talks to the person who runs it")]

use geotrawl_themes::{Texts, Themes};

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
    let what = std::env::args().nth(1).unwrap_or_default();
    let themes = Themes::builtin();
    let (mut bytes, mut labels) = (0, 0);
    match what.as_str() {
        "records" => {
            for number in 0..200_000 {
                let title = TITLES[number % TITLES.len()];
                let text = ABSTRACTS[number % ABSTRACTS.len()];
                let texts = Texts { title: Some(title), abstract_: Some(text), ..Texts::default() };
                labels += themes.labels(&texts).len();
                bytes += title.len() + text.len();
            }
        }
        "long" => {
            let long = ABSTRACTS.join(" ").repeat(80);
            let text = long.get(..60_000);
            for _ in 0..1_000 {
                labels += themes.keyword_labels(&Texts { abstract_: text, ..Texts::default() }).len();
                bytes += 60_000;
            }
        }
        "lines" => {
            let text = std::env::args()
                .nth(2)
                .and_then(|path| std::fs::read_to_string(path).ok())
                .unwrap_or_default();
            for line in text.lines() {
                labels += themes.labels(&Texts { title: Some(line), ..Texts::default() }).len();
                bytes += line.len();
            }
        }
        _ => labels = (0..10).map(|_| Themes::with(Vec::new()).vocabularies().len()).sum(),
    }
    println!("{:.1} MB, {labels} labels", bytes as f64 / 1e6);
}
