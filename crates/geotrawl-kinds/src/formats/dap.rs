//! OPeNDAP dataset descriptions: structure (DDS) and attributes (DAS) in DAP's own notation, and
//! the XML equivalents (DDX, DMR).

use super::bbox::{classify_bbox, parse_decimal};
use super::xml::tidy_text;
use geotrawl_model::{Contact, Resource};

/// Number of lines to read.
const LINES: usize = 200_000;

/// Type of a document in DAP's notation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DapText {
    /// `Dataset { ... } name;`
    Dds,
    /// `Attributes { ... }`
    Das,
    /// `Error { code = 404; message = "..."; };`
    Error,
}

impl DapText {
    /// Detects the type of a document.
    pub fn detect(text: &str) -> Option<Self> {
        let text = text.trim_start_matches('\u{FEFF}').trim_start();
        let begins = |word: &str| {
            text.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word))
                && text[word.len()..].trim_start().starts_with('{')
        };
        if begins("Dataset") {
            // Every DDS declares at least one variable and ends with the name of the dataset.
            Some(Self::Dds).filter(|_| text.contains('}') && text.contains(';'))
        } else if begins("Attributes") {
            Some(Self::Das)
        } else if begins("Error") {
            Some(Self::Error).filter(|_| text.contains("code") || text.contains("message"))
        } else {
            None
        }
    }
}

/// Returns the name of the dataset in a DDS: the text after the last brace.
pub fn dds_name(text: &str) -> Option<String> {
    let (_, name) = text.trim_end().rsplit_once('}')?;
    tidy_text(name.trim().trim_end_matches(';'), 512)
}

/// Returns the variables of a DDS: the grids and arrays at the outermost level.
pub fn dds_variables(text: &str) -> Vec<String> {
    let mut names = Vec::new();
    let mut depth = 0i32;
    for line in text.lines().take(LINES) {
        let line = line.trim();
        if line.ends_with('{') {
            depth += 1;
            continue;
        }
        if line.starts_with('}') {
            depth -= 1;
        }
        if depth == 1 && line.ends_with(';') {
            let before = line.split('[').next().unwrap_or_default().trim_end_matches(';');
            if let Some(name) = before.split_whitespace().next_back().map(|n| n.trim_start_matches('}'))
                && !name.is_empty()
                && names.len() < 10_000
            {
                names.push(name.to_owned());
            }
        }
    }
    names
}

/// Global attributes of a dataset, following the ACDD conventions.
#[derive(Debug, Default, Clone, PartialEq)]
pub struct DapAttributes {
    pairs: Vec<(String, String)>,
}

impl DapAttributes {
    /// Adds an attribute. The first value of a name is kept.
    pub fn insert(&mut self, name: &str, value: &str) {
        let name = name.trim().to_ascii_lowercase();
        if self.pairs.len() < 500 && value.len() <= 16 * 1024 && !self.pairs.iter().any(|(n, _)| *n == name) {
            self.pairs.push((name, value.trim().to_owned()));
        }
    }

    /// Parses the global container of a DAS (`NC_GLOBAL`, `HDF_GLOBAL`, `DODS_EXTRA`).
    pub fn from_das(text: &str) -> Self {
        let mut acdd = Self::default();
        let mut path: Vec<String> = Vec::new();
        for line in text.lines().take(LINES) {
            let line = line.trim();
            if let Some(name) = line.strip_suffix('{') {
                path.push(name.trim().to_ascii_lowercase());
            } else if line.starts_with('}') {
                path.pop();
            } else if path.iter().any(|name| name.ends_with("_global") || name == "global") {
                let mut parts = line.trim_end_matches(';').splitn(3, char::is_whitespace);
                let (_, name, value) = (parts.next(), parts.next(), parts.next());
                if let (Some(name), Some(value)) = (name, value) {
                    acdd.insert(name, &unquoted(value));
                }
            }
        }
        acdd
    }

    fn text(&self, names: &[&str], cap: usize) -> Option<String> {
        names.iter().find_map(|name| {
            let (_, value) = self.pairs.iter().find(|(n, _)| n == name)?;
            tidy_text(value, cap)
        })
    }

    fn number(&self, name: &str) -> Option<f64> {
        self.pairs.iter().find(|(n, _)| n == name).and_then(|(_, value)| parse_decimal(value))
    }

    /// Fills the empty fields of a resource.
    pub fn fill_resource(&self, resource: &mut Resource) {
        let or = |field: &mut Option<String>, names: &[&str], cap| {
            if field.is_none() {
                *field = self.text(names, cap);
            }
        };
        or(&mut resource.title, &["title", "long_name", "name"], 1024);
        or(&mut resource.abstract_, &["summary", "abstract", "description", "comment"], 4096);
        or(&mut resource.licence, &["license", "licence", "use_constraints"], 1024);
        or(&mut resource.provider, &["institution", "publisher_name", "creator_institution"], 512);
        if resource.keywords.is_empty()
            && let Some(keywords) = self.text(&["keywords"], 4096)
        {
            resource.keywords =
                keywords.split([',', ';']).filter_map(|word| tidy_text(word, 256)).take(100).collect();
        }
        if resource.contact.is_empty() {
            resource.contact = Contact {
                person: self.text(&["creator_name", "contact"], 256),
                organisation: self.text(&["institution", "publisher_name"], 256),
                email: self
                    .text(&["creator_email", "publisher_email"], 256)
                    .filter(|mail| mail.contains('@')),
                phone: None,
                url: self.text(&["creator_url", "publisher_url"], 512),
            };
        }
        if resource.bbox.is_none() {
            let edge = |name: &str| self.number(&format!("geospatial_{name}"));
            if let (Some(west), Some(south), Some(east), Some(north)) =
                (edge("lon_min"), edge("lat_min"), edge("lon_max"), edge("lat_max"))
            {
                resource.bbox = classify_bbox([west, south, east, north]).bbox();
            }
        }
    }

    /// Returns the time coverage.
    pub fn time_range(&self) -> Option<String> {
        let start = self.text(&["time_coverage_start", "start_date"], 64);
        let end = self.text(&["time_coverage_end", "stop_date", "end_date"], 64);
        match (start, end) {
            (Some(start), Some(end)) => Some(format!("{start}/{end}")),
            (start, end) => start.or(end),
        }
    }
}

/// Returns the first value of a DAS attribute, without its quotes.
fn unquoted(value: &str) -> String {
    let value = value.trim();
    let Some(inside) = value.strip_prefix('"') else {
        return value.split(',').next().unwrap_or_default().trim().to_owned();
    };
    let mut out = String::new();
    let mut chars = inside.chars();
    while let Some(c) = chars.next() {
        match c {
            '"' => break,
            '\\' => out.extend(chars.next()),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const DDS: &str = "Dataset {\n  Grid {\n   ARRAY:\n    Float32 sst[time = 12][lat = 90][lon = 180];\n   MAPS:\n    Float64 time[time = 12];\n  } sst;\n  Float64 time[time = 12];\n} data/sst.nc;\n";
    const DAS: &str = "Attributes {\n NC_GLOBAL {\n  String title \"Sea \\\"surface\\\" temperature\";\n  String keywords \"sea, ocean\";\n  Float64 geospatial_lon_min 0.25;\n  Float64 geospatial_lon_max 359.75;\n  Float32 geospatial_lat_min -75.5;\n  Float32 geospatial_lat_max 89.5;\n  String time_coverage_start \"2000-01-01\";\n  String creator_email \"a@b.org\";\n }\n sst {\n  String title \"not this\";\n }\n}\n";

    #[test]
    fn notations_are_told_apart() {
        assert_eq!(DapText::detect(DDS), Some(DapText::Dds));
        assert_eq!(DapText::detect(DAS), Some(DapText::Das));
        assert_eq!(DapText::detect("\n Error {\n code = 404;\n message = \"no\";\n};"), Some(DapText::Error));
        for other in ["Dataset of rivers", "dataset {", "Attributes: a", "", "{\"Dataset\": {}}", "Error"] {
            assert_eq!(DapText::detect(other), None, "{other}");
        }
        assert_eq!(dds_name(DDS).as_deref(), Some("data/sst.nc"));
        assert_eq!(dds_variables(DDS), ["sst", "time"]);
    }

    #[test]
    fn attributes_describe_the_dataset() {
        let mut resource = Resource::default();
        let acdd = DapAttributes::from_das(DAS);
        acdd.fill_resource(&mut resource);
        assert_eq!(resource.title.as_deref(), Some("Sea \"surface\" temperature"));
        assert_eq!(resource.keywords, ["sea", "ocean"]);
        assert_eq!(resource.contact.email.as_deref(), Some("a@b.org"));
        assert!(resource.bbox.is_some_and(|b| b.south.to_bits() == (-75.5f64).to_bits()));
        assert_eq!(acdd.time_range().as_deref(), Some("2000-01-01"));
    }

    proptest! {
        #[test]
        fn any_text_is_survived(text in ".{0,400}") {
            DapText::detect(&text);
            dds_name(&text);
            dds_variables(&text);
            DapAttributes::from_das(&text).fill_resource(&mut Resource::default());
        }
    }
}
