//! Gazetteer: finds places by name.
//!
//! Countries, seas and large regions are built in, with names in several languages. Towns and the
//! other regions come from a list that the program embeds; builds without the web application do
//! not have it.

use crate::words::areas::{self, AREAS};
use crate::words::synonyms::{COUNTRIES, PLACES, is_vocabulary_word};
use geotrawl_model::Bbox;
use geotrawl_text::fold;
use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};

/// Maximum number of words in a name.
const LONGEST: usize = 5;
/// Minimum number of letters to complete: two letters begin a hundred towns.
const SHORTEST: usize = 3;
/// Minimum population of a town that a query can mention: `Bath` and `Nice` are ordinary words,
/// too.
const KNOWN_TOWN: u64 = 50_000;
/// Distance from the centre of the smallest town to its edge, in kilometres.
const SMALLEST_TOWN: f64 = 2.0;
/// Residents per square kilometre beyond that distance, which gives a town's extent from its
/// population.
const DENSITY: f64 = 3_600.0;
const KILOMETRES_OF_A_DEGREE: f64 = 111.2;
/// Words that connect a theme and a place.
const BETWEEN: [&str; 24] = [
    "in", "near", "of", "around", "at", "for", "im", "bei", "nahe", "von", "à", "a", "en", "de", "du",
    "dans", "di", "nel", "em", "do", "da", "w", "v", "i",
];

/// Type of a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum PlaceKind {
    /// A sea, a continent or a mountain range.
    Area,
    Country,
    Region,
    Town,
}

/// A named place.
#[derive(Debug, Clone, PartialEq)]
pub struct GazetteerPlace {
    pub name: String,
    pub kind: PlaceKind,
    /// ISO 3166 code, two upper-case letters.
    pub country: Option<String>,
    /// Region of a town.
    pub region: Option<String>,
    /// Extent; for towns, estimated from the population.
    pub bbox: Bbox,
    /// Population of towns; 0 for areas.
    pub people: u64,
}

/// A place found in a text, with the remaining words.
#[derive(Debug, Clone, PartialEq)]
pub struct PlaceMatch<'a> {
    pub place: &'a GazetteerPlace,
    pub rest: String,
}

/// All places that can be found by name.
#[derive(Debug, Default)]
pub struct Gazetteer {
    places: Vec<GazetteerPlace>,
    /// Sorted folded names with the indexes of their places.
    names: Vec<(Box<str>, u32)>,
}

impl Gazetteer {
    /// Combines the built-in places with `list`, which has one town or region per line, as
    /// `web/places.mjs` writes it. Skips lines that cannot be parsed.
    pub fn new(list: &str) -> Self {
        let mut places: Vec<(GazetteerPlace, Vec<&str>)> = Vec::new();
        for area in areas::parse_areas(AREAS) {
            let Some(name) = area.names.first().map(|name| (*name).to_owned()) else { continue };
            let country = area.country_code().map(str::to_uppercase);
            let kind = if country.is_some() { PlaceKind::Region } else { PlaceKind::Area };
            places.push((
                GazetteerPlace { name, kind, country, region: None, bbox: area.bbox, people: 0 },
                area.names,
            ));
        }
        // Built-in regions have better boxes than those derived from towns.
        let mut known: HashMap<(String, String), usize> = HashMap::new();
        for (at, (place, names)) in places.iter().enumerate() {
            let Some(country) = &place.country else { continue };
            known.extend(names.iter().map(|name| ((country.clone(), key(name)), at)));
        }
        let mut of_country: HashMap<String, u64> = HashMap::new();
        for (mut place, name) in list.lines().filter_map(listed) {
            let country = place.country.clone().unwrap_or_default();
            if place.kind == PlaceKind::Region {
                *of_country.entry(country.clone()).or_default() += place.people;
                if let Some(at) = known.get(&(country.clone(), key(name))) {
                    places[*at].0.people += place.people;
                    continue;
                }
            } else if place.region.as_deref() == Some("") {
                place.region = None;
            }
            places.push((place, vec![name]));
        }
        for country in areas::parse_areas(COUNTRIES) {
            let Some(name) = country.names.first().map(|name| with_capitals(name)) else { continue };
            let (code, kind, bbox) = (country.code.to_uppercase(), PlaceKind::Country, country.bbox);
            let people = of_country.get(&code).copied().unwrap_or_default();
            places.push((
                GazetteerPlace { name, kind, country: Some(code), region: None, bbox, people },
                country.names,
            ));
        }
        Self::named(places)
    }

    fn named(places: Vec<(GazetteerPlace, Vec<&str>)>) -> Self {
        // All names of a place in other languages, by each of its names.
        let mut others: HashMap<String, Vec<&str>> = HashMap::new();
        for line in lines(PLACES) {
            for name in line.split(',').map(str::trim) {
                others.entry(key(name)).or_default().extend(line.split(',').map(str::trim));
            }
        }
        let mut gazetteer = Self::default();
        for (number, (place, names)) in (0_u32..).zip(places) {
            let mut keys: Vec<String> = names.iter().map(|name| key(name)).collect();
            if place.kind != PlaceKind::Country {
                let more = keys.iter().filter_map(|name| others.get(name)).flatten();
                let more: Vec<String> = more.map(|name| key(name)).collect();
                keys.extend(more);
            }
            keys.sort_unstable();
            keys.dedup();
            gazetteer.names.extend(
                keys.into_iter().filter(|key| !key.is_empty()).map(|key| (key.into_boxed_str(), number)),
            );
            gazetteer.places.push(place);
        }
        gazetteer.names.sort_unstable();
        gazetteer
    }

    /// Completes a place name at the end of a text that is still being typed. Returns the places
    /// for the longest ending that starts a name, with the words before it.
    pub fn complete_places(&self, words: &str, most: usize) -> Vec<PlaceMatch<'_>> {
        let words: Vec<&str> = words.split_whitespace().collect();
        for from in words.len().saturating_sub(LONGEST)..words.len() {
            let beginning = key(&words[from..].join(" "));
            if beginning.chars().count() < SHORTEST {
                continue;
            }
            let first = self.names.partition_point(|(name, _)| **name < *beginning);
            let found = self.names[first..].iter().take_while(|(name, _)| name.starts_with(&beginning));
            let found = found.map(|(name, number)| (**name == *beginning, *number));
            // Someone who has typed `water` means water, not Waterloo.
            let word = is_vocabulary_word(&beginning);
            let found = self.best(found.filter(|(whole, _)| *whole || !word), most);
            if !found.is_empty() {
                let rest = rest(&words, from, words.len());
                return found.into_iter().map(|place| PlaceMatch { place, rest: rest.clone() }).collect();
            }
        }
        Vec::new()
    }

    /// Finds the longest place name in a query. Returns its places with the other words.
    pub fn find_mentions(&self, words: &str, most: usize) -> Vec<PlaceMatch<'_>> {
        let words: Vec<&str> = words.split_whitespace().collect();
        for length in (1..=LONGEST.min(words.len())).rev() {
            for from in (0..=words.len() - length).rev() {
                let name = key(&words[from..from + length].join(" "));
                if name.chars().count() < SHORTEST {
                    continue;
                }
                let known =
                    |place: &&GazetteerPlace| place.kind != PlaceKind::Town || place.people >= KNOWN_TOWN;
                let found: Vec<&GazetteerPlace> =
                    self.called(&name).into_iter().filter(known).take(most).collect();
                if !found.is_empty() {
                    let rest = rest(&words, from, from + length);
                    return found.into_iter().map(|place| PlaceMatch { place, rest: rest.clone() }).collect();
                }
            }
        }
        Vec::new()
    }

    /// Returns the best-known place with this name; `Paris, US` restricts the country.
    pub fn find_place(&self, text: &str) -> Option<&GazetteerPlace> {
        let (name, country) = match text.rsplit_once(',') {
            Some((name, code)) if code.trim().len() == 2 => (name, Some(code.trim())),
            _ => (text, None),
        };
        let here = |place: &&GazetteerPlace| {
            country.is_none_or(|asked| {
                place.country.as_deref().is_some_and(|code| code.eq_ignore_ascii_case(asked))
            })
        };
        self.called(name).into_iter().find(here)
    }

    /// Returns all places with exactly this name, the best known first.
    fn called(&self, name: &str) -> Vec<&GazetteerPlace> {
        let name = key(name);
        let first = self.names.partition_point(|(known, _)| **known < *name);
        let found = self.names[first..].iter().take_while(|(known, _)| **known == *name);
        self.best(found.map(|(_, number)| (true, *number)), usize::MAX)
    }

    /// Sorts places: exact names before prefixes, then the best known first.
    fn best(&self, found: impl Iterator<Item = (bool, u32)>, most: usize) -> Vec<&GazetteerPlace> {
        let mut found: Vec<(bool, u32)> = found.collect();
        found.sort_unstable_by_key(|(whole, number)| {
            let place = &self.places[*number as usize];
            (Reverse(*whole), place.kind != PlaceKind::Area, Reverse(place.people), *number)
        });
        // Several names of a place may start with the same letters.
        let mut seen = HashSet::new();
        found.retain(|(_, number)| seen.insert(*number));
        found.into_iter().take(most).map(|(_, number)| &self.places[number as usize]).collect()
    }
}

fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'))
}

/// Normalizes a name for lookups: folded, words only.
fn key(name: &str) -> String {
    let folded = fold(name);
    let words = folded.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join(" ")
}

/// Returns the words around a name, without a preposition before it.
fn rest(words: &[&str], from: usize, to: usize) -> String {
    let before = &words[..from];
    let joined = before.last().is_some_and(|last| BETWEEN.contains(&last.to_lowercase().as_str()));
    let before = if joined { &before[..before.len() - 1] } else { before };
    [before, &words[to..]].concat().join(" ")
}

/// Parses a line of the list.
fn listed(line: &str) -> Option<(GazetteerPlace, &str)> {
    let parts: Vec<&str> = line.split('\t').collect();
    let number = |at: usize| parts.get(at)?.parse::<f64>().ok().filter(|value| value.is_finite());
    let (kind, region, name, bbox, people) = match *parts.first()? {
        "region" => {
            let bbox = Bbox { west: number(3)?, south: number(4)?, east: number(5)?, north: number(6)? };
            (PlaceKind::Region, None, *parts.get(2)?, bbox, number(7)?)
        }
        "town" => {
            let (lon, lat, people) = (number(4)?, number(5)?, number(6)?);
            (
                PlaceKind::Town,
                Some((*parts.get(2)?).to_owned()),
                *parts.get(3)?,
                town(lon, lat, people),
                people,
            )
        }
        _ => return None,
    };
    let country = Some((*parts.get(1)?).to_owned());
    Some((GazetteerPlace { name: name.to_owned(), kind, country, region, bbox, people: people as u64 }, name))
}

/// Estimates the box of a town from its centre and population.
fn town(lon: f64, lat: f64, people: f64) -> Bbox {
    let reach = SMALLEST_TOWN + (people.max(0.0) / DENSITY).sqrt();
    let high = reach / KILOMETRES_OF_A_DEGREE;
    let wide = high / lat.to_radians().cos().max(0.05);
    let on_globe = |lon: f64| {
        if lon > 180.0 {
            lon - 360.0
        } else if lon < -180.0 {
            lon + 360.0
        } else {
            lon
        }
    };
    let short = |value: f64| (value * 1000.0).round() / 1000.0;
    Bbox {
        west: short(on_globe(lon - wide)),
        south: short((lat - high).max(-90.0)),
        east: short(on_globe(lon + wide)),
        north: short((lat + high).min(90.0)),
    }
}

/// Capitalizes a country name, because the list of countries is in lower case.
fn with_capitals(name: &str) -> String {
    let word = |word: &str| {
        if ["of", "and", "the", "da"].contains(&word) {
            return word.to_owned();
        }
        let mut letters = word.chars();
        letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
    };
    name.split(' ').map(word).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIST: &str = "region\tNL\tUtrecht\t4.77\t51.87\t5.67\t52.37\t1290042\n\
        region\tUS\tMinnesota\t-97.11\t43.53\t-91.57\t48.21\t6312222\n\
        region\tDE\tBavaria\t9\t47.2\t13.8\t50.5\t9000000\n\
        town\tNL\tUtrecht\tUtrecht\t5.117\t52.083\t359370\n\
        town\tDE\tBavaria\tMunich\t11.575\t48.138\t2606021\n\
        town\tUS\tNew York\tNew York\t-73.924\t40.694\t18832416\n\
        town\tGB\t\tBath\t-2.36\t51.38\t40000\n\
        town\tFJ\tx\tSomewhere\t179.999\t-16.5\t90000\n\
        town\tbroken\nnothing\n\n";

    fn names(found: &[PlaceMatch]) -> Vec<(String, PlaceKind)> {
        found.iter().map(|named| (named.place.name.clone(), named.place.kind)).collect()
    }

    #[test]
    fn an_end_of_what_is_typed_is_completed() {
        let places = Gazetteer::new(LIST);
        let found = places.complete_places("flood maps in utr", 5);
        assert_eq!(
            names(&found),
            [("Utrecht".into(), PlaceKind::Region), ("Utrecht".into(), PlaceKind::Town)]
        );
        assert!(found.iter().all(|named| named.rest == "flood maps"));
        assert_eq!(found[1].place.region.as_deref(), Some("Utrecht"));
        // The longest name wins: `new york`, not `york`.
        assert_eq!(places.complete_places("roads new yor", 5)[0].rest, "roads");
        // A domain term is not a prefix of a place name.
        let waterloo = Gazetteer::new("town\tBE\tWallonia\tWaterloo\t4.4\t50.72\t30000");
        assert_eq!(waterloo.complete_places("map wate", 5).len(), 1);
        assert!(waterloo.complete_places("map water", 5).is_empty());
        assert!(places.complete_places("ut", 5).is_empty());
        assert!(places.complete_places("", 5).is_empty());
    }

    #[test]
    fn places_are_known_by_the_names_of_several_languages() {
        let places = Gazetteer::new(LIST);
        for (asked, name) in [
            ("münchen", "Munich"),
            ("Munich", "Munich"),
            ("Bayern", "Bavaria"),
            ("NIEDERLANDE", "Netherlands"),
            ("Noordzee", "North Sea"),
            ("mer du Nord", "North Sea"),
            ("united states", "United States"),
            ("Écosse", "Scotland"),
        ] {
            let found = places.find_mentions(asked, 1);
            assert_eq!(found.first().map(|named| named.place.name.as_str()), Some(name), "{asked}");
            assert_eq!(found[0].rest, "");
        }
    }

    #[test]
    fn a_question_is_cut_where_it_names_a_place() {
        let places = Gazetteer::new(LIST);
        let rest = |words: &str| places.find_mentions(words, 1).first().map(|named| named.rest.clone());
        assert_eq!(rest("utrecht noise"), Some("noise".into()));
        assert_eq!(rest("noise near Utrecht 2020"), Some("noise 2020".into()));
        assert_eq!(rest("bathymetry of the North Sea"), Some("bathymetry of the".into()));
        // Names of small towns are ordinary words.
        assert_eq!(rest("bath"), None);
        assert_eq!(rest("noise"), None);
    }

    #[test]
    fn what_is_written_here_has_the_better_boxes() {
        let places = Gazetteer::new(LIST);
        let found = places.find_mentions("minnesota", 5);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].place.bbox, Bbox { west: -97.3, south: 43.4, east: -89.4, north: 49.5 });
        assert_eq!(found[0].place.people, 6_312_222);
    }

    #[test]
    fn the_country_tells_places_of_one_name_apart() {
        let places = Gazetteer::new(LIST);
        let country = |text: &str| places.find_place(text).and_then(|place| place.country.clone());
        assert_eq!(country("Georgia, us").as_deref(), Some("US"));
        assert_eq!(country("Georgia,GE").as_deref(), Some("GE"));
        assert_eq!(country("Georgia, NL"), None);
        assert_eq!(country("bath").as_deref(), Some("GB"));
    }

    #[test]
    fn towns_have_boxes_across_the_date_line_too() {
        let bbox = Gazetteer::new(LIST).find_mentions("somewhere", 1)[0].place.bbox;
        assert!(bbox.west > 179.0 && bbox.east < -179.0, "{bbox:?}");
    }

    #[test]
    fn all_that_is_written_here_is_read() {
        let places = Gazetteer::new("");
        assert_eq!(places.places.len(), lines(AREAS).count() + lines(COUNTRIES).count());
        for place in &places.places {
            let Bbox { west, south, east, north } = place.bbox;
            assert!(south < north && (east - west).abs() > 0.001, "{place:?}");
            assert!([west, east].iter().all(|lon| (-180.0..=180.0).contains(lon)), "{place:?}");
        }
    }
}
