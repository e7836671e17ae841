//! A catalogue that is generated while it is read.

use geotrawl_model::change::{CatalogueChange, PageWords, RecordDocument};
use geotrawl_model::statistics::CatalogueStatistics;
use geotrawl_model::store::{ChangeStore, Result};
use geotrawl_model::{Bbox, Dataset, Host, Record, Resource, SharedText, Status, Theme};

/// Domain terms at the head of the vocabulary. As in practice, they
/// have synonyms, which make queries slower.
const TRADE: &str = "map roads water land use cover boundaries elevation orthophoto parcels buildings rivers forest \
    soil geology flood noise planning protected areas population address coast depth weather temperature rail \
    straßen gewässer grenzen luftbild höhenmodell gebäude flurstücke wald boden lärm gemeinden kataster \
    routes limites forêts communes cadastre bâtiments rivières sols inondation parcelles \
    wegen grenzen kaart bodem gebouwen percelen bossen hoogte luchtfoto carreteras límites ríos suelo edificios \
    strade confini edifici fiumi drogi granice rzeki lasy silnice hranice lesy";
const SYLLABLES: [&str; 40] = [
    "ka", "lo", "mer", "tin", "sal", "ve", "ro", "gan", "bel", "tor", "mi", "dun", "fa", "ler", "wick",
    "hol", "stad", "burg", "ne", "sha", "pol", "gra", "ter", "vin", "os", "ul", "kir", "zan", "bra", "den",
    "mo", "ria", "chi", "quo", "lund", "ham", "ost", "ard", "eff", "yn",
];
const KINDS: [&str; 10] = [
    "wms",
    "wms",
    "wms",
    "wfs",
    "wfs",
    "wmts",
    "arcgis-mapserver",
    "arcgis-featureserver",
    "ogcapi-features",
    "wcs",
];
const LANGUAGES: [&str; 8] = ["en", "en", "en", "de", "fr", "nl", "es", "it"];
const COUNTRIES: [&str; 24] = [
    "US", "DE", "FR", "NL", "ES", "IT", "GB", "PL", "CZ", "SE", "NO", "FI", "DK", "AT", "CH", "BE", "PT",
    "CA", "AU", "BR", "JP", "IN", "ZA", "MX",
];
const THEMES: [&str; 12] = [
    "transport",
    "water",
    "land use",
    "elevation",
    "imagery",
    "cadastre",
    "nature",
    "soil",
    "climate",
    "population",
    "energy",
    "planning",
];
const VOCABULARY: usize = 30_000;
/// Pairs of a percentage of services and their number of layers; the average is thirty.
const LAYERS: [(usize, usize); 5] = [(60, 3), (25, 20), (10, 80), (4, 240), (1, 560)];

/// A deterministic random number generator.
#[derive(Clone)]
struct CatalogueRandom(u64);

impl CatalogueRandom {
    fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x1234_5678_9abc_def1)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn share(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn below(&mut self, n: usize) -> usize {
        (self.next() % n.max(1) as u64) as usize
    }

    fn one<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.below(of.len())]
    }
}

/// A catalogue of any size. Deterministic, and never in memory as a whole.
pub struct GeneratedCatalogue {
    pub services: usize,
    layers: usize,
    words: Vec<String>,
    crs: Vec<SharedText>,
}

impl GeneratedCatalogue {
    /// Creates a catalogue with this many services and this many layers in total.
    pub fn new(services: usize, layers: usize) -> Self {
        let mut random = CatalogueRandom::new(7);
        let mut words: Vec<String> = TRADE.split_whitespace().map(str::to_owned).collect();
        while words.len() < VOCABULARY {
            let length = 2 + random.below(3);
            words.push((0..length).map(|_| random.one(&SYLLABLES)).collect());
        }
        let crs = [4326, 3857, 25832, 25833, 28992, 2154, 4258, 3035, 31370, 2056, 27700, 5514];
        let crs = crs.iter().map(|code| format!("EPSG:{code}").into()).collect();
        Self { services, layers, words, crs }
    }

    /// Returns a word by Zipf's law: the probability falls with the rank.
    fn word(&self, random: &mut CatalogueRandom) -> &str {
        let rank = (self.words.len() as f64).powf(random.share()) as usize - 1;
        &self.words[rank.min(self.words.len() - 1)]
    }

    fn text(&self, random: &mut CatalogueRandom, words: usize) -> String {
        let words: Vec<&str> = (0..words).map(|_| self.word(random)).collect();
        words.join(" ")
    }

    /// Returns the number of layers of a service.
    fn layers_of(&self, number: usize) -> usize {
        let mut place = (number * 37) % 100;
        for (services, layers) in LAYERS {
            if place < services {
                return (layers * self.layers).div_ceil(30 * self.services);
            }
            place -= services;
        }
        0
    }

    /// Returns a location near one of a few population centres.
    fn centre(random: &mut CatalogueRandom) -> (f64, f64) {
        let mut place = CatalogueRandom::new(1_000 + (300_f64.powf(random.share()) as u64));
        (place.share() * 300.0 - 150.0, place.share() * 110.0 - 45.0)
    }

    fn bbox(random: &mut CatalogueRandom) -> Bbox {
        let (lon, lat) = Self::centre(random);
        let half = match random.below(100) {
            0..3 => return Bbox { west: -180.0, south: -90.0, east: 180.0, north: 90.0 },
            3..15 => 2.5 + random.share() * 5.0,
            15..50 => 0.25 + random.share() * 1.25,
            _ => 0.01 + random.share() * 0.14,
        };
        let (lon, lat) = (lon + random.share() * 2.0 - 1.0, lat + random.share() * 2.0 - 1.0);
        Bbox { west: lon - half, south: lat - half * 0.7, east: lon + half, north: lat + half * 0.7 }
    }

    fn layer(&self, random: &mut CatalogueRandom, number: usize, whole: Bbox) -> Dataset {
        let words = 3 + random.below(4);
        let title = self.text(random, words);
        let name = format!("{}_{}_{number}", self.word(random), self.word(random));
        let keywords = (0..3).map(|_| self.word(random).into()).collect();
        let abstract_ = random.below(2) == 0;
        let abstract_ = abstract_.then(|| self.text(random, 16));
        let mut bbox = whole;
        if random.below(2) == 0 && whole.east - whole.west < 100.0 {
            let (width, height) = (whole.east - whole.west, whole.north - whole.south);
            let (x, y, size) = (random.share() * 0.6, random.share() * 0.6, 0.1 + random.share() * 0.3);
            bbox = Bbox {
                west: whole.west + x * width,
                south: whole.south + y * height,
                east: whole.west + (x + size) * width,
                north: whole.south + (y + size) * height,
            };
        }
        Dataset { name, title: Some(title), abstract_, keywords, bbox: Some(bbox), ..Dataset::default() }
    }

    /// Returns one of the services with its layers.
    pub fn document(&self, number: usize) -> RecordDocument {
        let mut random = CatalogueRandom::new(number as u64 + 1);
        let random = &mut random;
        let title = self.text(random, 5);
        let text = self.text(random, 40);
        let bbox = Self::bbox(random);
        let host = format!("geo{}.example.org", random.below(8_000));
        let kind = random.one(&KINDS);
        let resource = Resource {
            kind: kind.to_owned(),
            url: format!("https://{host}/{}/{kind}", self.word(random)),
            title: Some(title),
            abstract_: Some(text),
            keywords: (0..6).map(|_| self.word(random).to_owned()).collect(),
            provider: Some(format!("Agency of {}", self.words[200 + random.below(2_000)])),
            licence: (random.below(3) == 0).then(|| format!("Licence {}", random.below(20))),
            bbox: Some(bbox),
            crs: (0..=random.below(5)).map(|_| self.crs[random.below(self.crs.len())].clone()).collect(),
            languages: vec![random.one(&LANGUAGES).to_owned()],
            datasets: (0..self.layers_of(number)).map(|place| self.layer(random, place, bbox)).collect(),
            ..Resource::default()
        };
        let status = match random.below(20) {
            0 => Status::Dead,
            1 => Status::Degraded,
            2 => Status::Unchecked,
            _ => Status::Alive,
        };
        let seen =
            jiff::Timestamp::from_second(1_780_000_000 - (random.share() * 6e7) as i64).unwrap_or_default();
        RecordDocument {
            record: Record {
                id: format!("r{number:06}"),
                resource,
                status,
                host: Host {
                    name: host,
                    country: Some(random.one(&COUNTRIES).to_owned()),
                    lat: Some(50.0),
                    lon: Some(8.0),
                    ..Host::default()
                },
                first_seen: seen,
                last_seen: seen,
                score: (random.below(4) > 0).then(|| random.below(101) as u8),
                themes: (0..=random.below(2))
                    .map(|_| Theme { term: random.one(&THEMES).to_owned(), ..Theme::default() })
                    .collect(),
                ..Record::default()
            },
            pages: vec![PageWords { title: self.text(random, 5), words: self.text(random, 2) }],
        }
    }

    /// Returns a query: two words of a title, and a box around a populated location.
    pub fn search_query(&self, number: usize) -> (String, Bbox) {
        let mut random = CatalogueRandom::new(900_000_000 + number as u64);
        let document = self.document(random.below(self.services));
        let datasets = &document.record.resource.datasets;
        let title = datasets.get(random.below(datasets.len())).and_then(|dataset| dataset.title.clone());
        let title = title.unwrap_or_else(|| "map roads".to_owned());
        let words: Vec<&str> = title.split(' ').collect();
        let first = random.below(words.len());
        let second = (first + 1 + random.below(words.len() - 1)) % words.len();
        let (lon, lat) = Self::centre(&mut random);
        let half = match random.below(10) {
            0 => 20.0 + random.share() * 40.0,
            1..4 => 2.0 + random.share() * 6.0,
            _ => 0.1 + random.share() * 1.5,
        };
        let bbox = Bbox {
            west: (lon - half).max(-180.0),
            south: (lat - half).max(-90.0),
            east: (lon + half).min(180.0),
            north: (lat + half).min(90.0),
        };
        (format!("{} {}", words[first], words[second]), bbox)
    }
}

impl ChangeStore for GeneratedCatalogue {
    fn list_changes(&self, after: i64, limit: usize) -> Result<Vec<CatalogueChange>> {
        let from = after.max(0) as usize;
        let to = (from + limit).min(self.services);
        let change = |number: usize| {
            let document = self.document(number);
            CatalogueChange {
                seq: number as i64 + 1,
                id: document.record.id.clone(),
                document: Some(Box::new(document)),
            }
        };
        Ok((from..to).map(change).collect())
    }

    fn last_change(&self) -> Result<i64> {
        Ok(self.services as i64)
    }

    fn find_record(&self, _id: &str) -> Result<Option<Record>> {
        Ok(None)
    }

    fn statistics(&self) -> Result<CatalogueStatistics> {
        Ok(CatalogueStatistics::default())
    }
}
