//! Services as found on the web: municipal ones with the layers of a vendor, agencies, single
//! layers, large ones.

use super::ServiceDraft;
use super::chance::SeededRandom;
use geotrawl_model::{Bbox, Contact, Dataset, Resource};

/// Topics of layers: name, title, title in another language.
const THINGS: &[(&str, &str, &str)] = &[
    ("roads", "Roads", "Strassen"),
    ("buildings", "Buildings", "Gebäude"),
    ("parcels", "Parcels", "Flurstücke"),
    ("rivers", "Rivers", "Flüsse"),
    ("water", "Water", "Gewässer"),
    ("landuse", "Land use", "Bodennutzung"),
    ("zoning", "Zoning", "Zonenplan"),
    ("addresses", "Addresses", "Adressen"),
    ("contours", "Contours", "Höhenlinien"),
    ("trees", "Trees", "Bäume"),
    ("schools", "Schools", "Schulen"),
    ("bus_stops", "Bus stops", "Bushaltestellen"),
    ("sewer_lines", "Sewer lines", "Kanalisation"),
    ("street_lights", "Street lights", "Strassenlampen"),
    ("playgrounds", "Playgrounds", "Spielplätze"),
    ("noise_levels", "Noise levels", "Lärmpegel"),
    ("flood_zones", "Flood zones", "Überflutungsgebiete"),
    ("bike_paths", "Bike paths", "Velowege"),
    ("monuments", "Monuments", "Denkmäler"),
    ("waste_collection", "Waste collection", "Abfuhrkreise"),
    ("groundwater_wells", "Groundwater wells", "Grundwasserbrunnen"),
    ("soil_types", "Soil types", "Bodentypen"),
    ("bird_habitats", "Bird habitats", "Vogelhabitate"),
    ("wind_turbines", "Wind turbines", "Windräder"),
    ("power_lines", "Power lines", "Stromleitungen"),
    ("mining_claims", "Mining claims", "Bergrechte"),
    ("seismic_stations", "Seismic stations", "Erdbebenstationen"),
    ("fishing_grounds", "Fishing grounds", "Fischgründe"),
    ("snow_depth", "Snow depth", "Schneehöhe"),
    ("peat_bogs", "Peat bogs", "Moore"),
    ("ship_routes", "Ship routes", "Schiffsrouten"),
    ("air_quality", "Air quality", "Luftqualität"),
    ("dialects", "Dialects", "Mundarten"),
    ("vineyards", "Vineyards", "Rebberge"),
    ("avalanche_paths", "Avalanche paths", "Lawinenzüge"),
    ("coastal_erosion", "Coastal erosion", "Küstenerosion"),
    ("heat_islands", "Heat islands", "Hitzeinseln"),
    ("solar_potential", "Solar potential", "Solarpotenzial"),
    ("census_blocks", "Census blocks", "Zählkreise"),
    ("crop_types", "Crop types", "Ackerkulturen"),
];

const SIDES: &[(&str, &str, &str)] = &[
    ("main", "Main", "Haupt"),
    ("planned", "Planned", "Geplante"),
    ("historic", "Historic", "Historische"),
    ("protected", "Protected", "Geschützte"),
    ("regional", "Regional", "Regionale"),
    ("private", "Private", "Private"),
    ("urban", "Urban", "Städtische"),
    ("rural", "Rural", "Ländliche"),
    ("detailed", "Detailed", "Genaue"),
    ("simplified", "Simplified", "Vereinfachte"),
    ("monitored", "Monitored", "Überwachte"),
    ("damaged", "Damaged", "Beschädigte"),
];

const PARTS: &[(&str, &str, &str)] = &[
    ("north", "North", "Nord"),
    ("south", "South", "Süd"),
    ("inventory", "Inventory", "Inventar"),
    ("survey", "Survey", "Aufnahme"),
    ("statistics", "Statistics", "Statistik"),
    ("network", "Network", "Netz"),
    ("class_a", "Class A", "Klasse A"),
    ("class_b", "Class B", "Klasse B"),
    ("buffer", "Buffer", "Umkreis"),
    ("outline", "Outline", "Umriss"),
];

/// A layer before it gets a name: its topic and year.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct LayerTheme {
    pub thing: usize,
    pub side: Option<usize>,
    pub part: Option<usize>,
    pub year: Option<u16>,
}

impl LayerTheme {
    pub fn random_theme(chance: &mut SeededRandom) -> Self {
        Self {
            thing: chance.below(THINGS.len()),
            side: chance.chance_of(0.55).then(|| chance.below(SIDES.len())),
            part: chance.chance_of(0.4).then(|| chance.below(PARTS.len())),
            year: None,
        }
    }

    pub fn words(&self) -> String {
        let side = self.side.map_or(String::new(), |side| format!("{}_", SIDES[side].0));
        let year = self.year.map_or(String::new(), |year| format!("_{year}"));
        let part = self.part.map_or(String::new(), |part| format!("_{}", PARTS[part].0));
        format!("{side}{}{part}{year}", THINGS[self.thing].0)
    }

    pub fn title(&self, translated: bool) -> String {
        let part =
            |entry: (&str, &str, &str)| if translated { entry.2.to_owned() } else { entry.1.to_owned() };
        let side = self.side.map_or(String::new(), |side| format!("{} ", part(SIDES[side])));
        let year = self.year.map_or(String::new(), |year| format!(" {year}"));
        let end = self.part.map_or(String::new(), |end| format!(" {}", part(PARTS[end])));
        format!("{side}{}{end}{year}", part(THINGS[self.thing]))
    }
}

/// A town on a grid, with neighbours.
#[derive(Clone, Copy)]
pub struct TownCell {
    pub column: i32,
    pub row: i32,
    pub vendor: usize,
}

impl TownCell {
    pub fn bbox(self) -> [f64; 4] {
        // Sizes differ a little, neighbours touch.
        let (x, y) = (f64::from(self.column) * 0.09, f64::from(self.row) * 0.07);
        [2.0 + x, 44.0 + y, 2.0 + x + 0.095, 44.0 + y + 0.074]
    }

    pub fn name(self) -> String {
        place_name((self.column * 1000 + self.row) as u64)
    }
}

/// Returns a made-up place name.
pub fn place_name(number: u64) -> String {
    const PARTS: &[&str] =
        &["bel", "tor", "mun", "wald", "hei", "ran", "kos", "lim", "ver", "sta", "ni", "gra", "dur", "pom"];
    const ENDS: &[&str] = &["burg", "heim", "ville", "stad", "ton", "ingen", "ova", "ach"];
    let mut chance = SeededRandom::new(number ^ 0x70_6c61_6365);
    format!("{}{}{}", chance.pick(PARTS), chance.pick(PARTS), chance.pick(ENDS))
}

/// Returns the layers that a vendor installs for every town.
pub fn vendor_themes(vendor: usize) -> Vec<LayerTheme> {
    let mut chance = SeededRandom::new(vendor as u64 ^ 0x7665_6e64);
    let mut themes = Vec::new();
    while themes.len() < 6 + vendor % 7 {
        let theme = LayerTheme { part: None, ..LayerTheme::random_theme(&mut chance) };
        if !themes.contains(&theme) {
            themes.push(theme);
        }
    }
    themes
}

pub fn shrink_bbox(chance: &mut SeededRandom, [west, south, east, north]: [f64; 4], most: f64) -> [f64; 4] {
    let (w, h) = (east - west, north - south);
    let mut off = |size: f64| chance.share() * most * size;
    [west + off(w), south + off(h), east - off(w), north - off(h)]
}

pub fn build_dataset(
    theme: LayerTheme,
    name: String,
    title: Option<String>,
    bbox: Option<[f64; 4]>,
) -> Dataset {
    let _ = theme;
    Dataset { name, title, bbox: bbox.map(Bbox::from), ..Dataset::default() }
}

/// Returns the service of a town.
pub fn town_service(chance: &mut SeededRandom, town: TownCell, url: String) -> Resource {
    let name = town.name();
    let mut themes = vendor_themes(town.vendor);
    // Towns add or remove a layer.
    if chance.chance_of(0.4) {
        themes.remove(chance.below(themes.len()));
    }
    if chance.chance_of(0.4) {
        themes.push(LayerTheme::random_theme(chance));
    }
    let prefix = if chance.chance_of(0.4) { format!("{name}:") } else { String::new() };
    let datasets: Vec<Dataset> = themes
        .into_iter()
        .map(|theme| {
            let bbox = shrink_bbox(chance, town.bbox(), 0.12);
            build_dataset(theme, format!("{prefix}{}", theme.words()), Some(theme.title(false)), Some(bbox))
        })
        .collect();
    let title = match chance.below(4) {
        0 => None,
        1 => Some("GeoServer Web Map Service".to_owned()),
        2 => Some(format!("Town of {name}")),
        _ => Some(format!("Map service {name}")),
    };
    build_resource(url, title, chance.chance_of(0.5).then(|| format!("Town council of {name}")), datasets)
}

pub fn build_resource(
    url: String,
    title: Option<String>,
    organisation: Option<String>,
    datasets: Vec<Dataset>,
) -> Resource {
    Resource {
        kind: "wms".into(),
        url,
        versions: vec!["1.1.1".into()],
        title,
        contact: Contact { organisation, ..Contact::default() },
        dataset_count: datasets.len() as u64,
        datasets,
        ..Resource::default()
    }
}

/// Returns the box of a country or a part of it; many agencies share one.
pub fn region_bbox(number: usize) -> [f64; 4] {
    let mut chance = SeededRandom::new(number as u64 ^ 0x7265_6769);
    let (west, south) = (chance.between(-120.0, 140.0), chance.between(-40.0, 60.0));
    let size = chance.between(1.0, 9.0);
    [west, south, west + size, south + size * chance.between(0.6, 1.2)]
}

/// Returns the service of an agency with this many layers in a region.
pub fn agency_service(
    chance: &mut SeededRandom,
    region_number: usize,
    layers: usize,
    url: String,
) -> Resource {
    let region = region_bbox(region_number);
    let year = chance.chance_of(0.3).then(|| 2005 + chance.below(18) as u16);
    let mut themes: Vec<LayerTheme> = Vec::new();
    for _ in 0..layers * 3 {
        let theme = LayerTheme { year, ..LayerTheme::random_theme(chance) };
        if themes.len() < layers && !themes.contains(&theme) {
            themes.push(theme);
        }
    }
    // Half of them use exactly the box of the country, like all agencies there.
    let whole = if chance.chance_of(0.5) { region } else { shrink_bbox(chance, region, 0.03) };
    let datasets: Vec<Dataset> = themes
        .into_iter()
        .map(|theme| {
            // Half of the layers cover exactly the whole region.
            let bbox = if chance.chance_of(0.5) { whole } else { shrink_bbox(chance, region, 0.5) };
            build_dataset(theme, theme.words(), Some(theme.title(false)), Some(bbox))
        })
        .collect();
    let office = place_name(region_number as u64 + 77_000);
    let title = match chance.below(3) {
        0 => None,
        1 => Some(format!("{} office of {office}", THINGS[chance.below(THINGS.len())].1)),
        _ => Some(format!("{office} data service")),
    };
    let organisation = chance.chance_of(0.5).then(|| format!("Survey office {office}"));
    build_resource(url, title, organisation, datasets)
}

/// Returns a service of the world.
pub fn draft_service(chance: &mut SeededRandom, number: usize) -> ServiceDraft {
    let url = format!("http://old{number}.example/geoserver/ows");
    match chance.below(20) {
        0..=7 => {
            let town = TownCell {
                column: chance.below(120) as i32 * 3,
                row: chance.below(80) as i32 * 3,
                vendor: chance.below(12),
            };
            ServiceDraft { sort: "town", town: Some(town), resource: town_service(chance, town, url) }
        }
        8..=14 => {
            let (region, layers) = (chance.below(150), 2 + chance.below(25));
            ServiceDraft { sort: "agency", town: None, resource: agency_service(chance, region, layers, url) }
        }
        15..=17 => {
            let region = chance.below(150);
            ServiceDraft { sort: "single", town: None, resource: agency_service(chance, region, 1, url) }
        }
        _ => {
            let region = chance.below(150);
            let layers = 90 + chance.below(200);
            ServiceDraft { sort: "large", town: None, resource: agency_service(chance, region, layers, url) }
        }
    }
}

/// Translates a title to the other language by its words.
pub fn translate_title(title: &str) -> Option<String> {
    let mut rest = title.to_owned();
    for (_, from, to) in SIDES.iter().chain(PARTS).chain(THINGS) {
        // Match whole words only: "Class A" must not match "Class Action".
        let found = rest.strip_prefix(from).map(|end| format!("{to}{end}"));
        rest = found.unwrap_or_else(|| rest.replace(&format!(" {from}"), &format!(" {to}")));
    }
    (rest != title).then_some(rest)
}
