//! Values of options: parsers shared by several commands.

use clap::builder::{PossibleValue, TypedValueParser};
use geotrawl_kinds::kinds::KINDS;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan};
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::str::FromStr;

/// Parses the id of a kind, in any case. Completions offer the known ids.
#[derive(Debug, Clone, Copy)]
pub struct KindParser;

impl TypedValueParser for KindParser {
    type Value = String;

    fn parse_ref(
        &self,
        command: &clap::Command,
        option: Option<&clap::Arg>,
        value: &std::ffi::OsStr,
    ) -> Result<String, clap::Error> {
        parse_kind.parse_ref(command, option, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(KINDS.iter().map(|kind| PossibleValue::new(kind.profile().id))))
    }
}

fn parse_kind(text: &str) -> Result<String, String> {
    let id = text.trim().to_ascii_lowercase();
    let ids = || KINDS.iter().map(|kind| kind.profile().id);
    if ids().any(|known| known == id) {
        return Ok(id);
    }
    Err(match find_similar(&id, ids()) {
        Some(similar) => format!("unknown kind '{text}'; did you mean '{similar}'?"),
        None => format!("unknown kind '{text}'; known kinds: {}", ids().collect::<Vec<_>>().join(", ")),
    })
}

/// Returns the candidate that a misspelled word most likely stands for.
pub fn find_similar<'a>(word: &str, candidates: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let most = (word.chars().count() / 4).max(1);
    let distances = candidates.map(|candidate| (strsim::damerau_levenshtein(word, candidate), candidate));
    distances.filter(|(distance, _)| *distance <= most).min().map(|(_, candidate)| candidate)
}

/// A moment, or a whole day in UTC.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TimeArg {
    /// The moment, or the first moment of the day.
    pub first: Timestamp,
    /// The moment, or the last moment of the day.
    pub last: Timestamp,
}

impl TimeArg {
    /// Returns whether a moment is the given one or lies on the given day.
    pub fn contains(&self, at: Timestamp) -> bool {
        (self.first..=self.last).contains(&at)
    }
}

impl FromStr for TimeArg {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if let Ok(at) = text.parse::<Timestamp>() {
            return Ok(Self { first: at, last: at });
        }
        // A date with a time but without a zone would be taken for its whole day.
        let day = if text.len() == 10 { text.parse::<Date>().ok() } else { None };
        let start = |day: Date| day.to_zoned(TimeZone::UTC).ok().map(|start| start.timestamp());
        let whole = day.and_then(|day| {
            let next = start(day.tomorrow().ok()?)?;
            Some(Self { first: start(day)?, last: next.checked_sub(1.nanosecond()).ok()? })
        });
        whole.ok_or_else(|| {
            format!(
                "invalid time '{text}'; use a date (2026-01-31) or a date with time (2026-01-31T12:00:00Z)"
            )
        })
    }
}

/// Parses an address to listen on. A port alone means this machine only.
pub fn listen_address(text: &str) -> Result<SocketAddr, String> {
    if let Ok(address) = text.parse() {
        return Ok(address);
    }
    let port = text.strip_prefix("localhost:").unwrap_or(text);
    if let Ok(port) = port.parse() {
        return Ok(SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), port));
    }
    Err("expected an IP address and a port, such as 127.0.0.1:8080 (this machine only) or 0.0.0.0:8080 \
         (every network interface), or only a port, such as 8080 (this machine only)"
        .to_owned())
}

/// Parses a box from its four sides or from a place name.
pub fn bbox(text: &str) -> Result<geotrawl_model::Bbox, String> {
    if !text.contains(|c: char| c.is_ascii_digit()) {
        return place(text);
    }
    let numbers: Vec<f64> = text
        .split(',')
        .map(|part| part.trim().parse().map_err(|error| format!("'{part}' is not a number: {error}")))
        .collect::<Result<_, _>>()?;
    let [west, south, east, north] = numbers[..] else {
        return Err("expected four numbers: west,south,east,north in degrees".into());
    };
    if !(-180.0..=180.0).contains(&west) || !(-180.0..=180.0).contains(&east) {
        return Err("west and east must be between -180 and 180".into());
    }
    if !(-90.0..=90.0).contains(&south) || !(-90.0..=90.0).contains(&north) || south > north {
        return Err("south and north must be between -90 and 90, south first".into());
    }
    Ok([west, south, east, north].into())
}

fn place(text: &str) -> Result<geotrawl_model::Bbox, String> {
    let found = geotrawl_serve::assets::gazetteer().find_place(text);
    found.map(|place| place.bbox).ok_or_else(|| {
        format!(
            "unknown place '{text}'; use a town, region, country or sea (`Paris, US` for the one in a \
             given country), or four numbers: west,south,east,north in degrees"
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bbox_is_checked() {
        assert!(bbox("5,45,11,48").is_ok());
        assert!(bbox("170,-20,-170,10").is_ok(), "crosses the antimeridian");
        assert!(bbox("5,45,11").unwrap_err().contains("four numbers"));
        assert!(bbox("5,48,11,45").unwrap_err().contains("south first"));
        assert!(bbox("x,45,11,48").unwrap_err().contains("'x'"));
    }

    #[test]
    fn a_place_is_a_bbox() {
        let land: [f64; 4] = bbox("Niederlande").unwrap().into();
        assert!(land[0] > 3.0 && land[2] < 8.0 && land[1] > 50.0 && land[3] < 54.0, "{land:?}");
        assert_ne!(bbox("Georgia, US"), bbox("Georgia, GE"));
        assert!(bbox("Nowhere at all").unwrap_err().contains("unknown place 'Nowhere at all'"));
        assert!(bbox("").is_err());
    }

    #[test]
    fn a_misspelled_kind_gets_a_suggestion() {
        assert_eq!(parse_kind("WMS"), Ok("wms".to_owned()));
        assert_eq!(parse_kind("wmss").unwrap_err(), "unknown kind 'wmss'; did you mean 'wms'?");
        assert_eq!(parse_kind("wsm").unwrap_err(), "unknown kind 'wsm'; did you mean 'wms'?");
        assert!(parse_kind("nonsense").unwrap_err().contains(", wms, "));
    }

    #[test]
    fn a_date_is_its_whole_day() {
        let day: TimeArg = "2026-01-31".parse().unwrap();
        assert_eq!(day.first.to_string(), "2026-01-31T00:00:00Z");
        assert_eq!(day.last.to_string(), "2026-01-31T23:59:59.999999999Z");
        assert!(day.contains("2026-01-31T12:00:00Z".parse().unwrap()));
        assert!(!day.contains("2026-02-01T00:00:00Z".parse().unwrap()));
        let moment: TimeArg = "2026-01-31T12:00:00+01:00".parse().unwrap();
        assert_eq!((moment.first, moment.last.to_string()), (moment.last, "2026-01-31T11:00:00Z".into()));
        for wrong in ["2026-02-30", "yesterday", "2026-01-31T12:00", "9999-12-31", ""] {
            assert!(wrong.parse::<TimeArg>().unwrap_err().contains("use a date (2026-01-31)"), "{wrong}");
        }
    }

    #[test]
    fn a_port_alone_listens_on_this_machine() {
        for text in ["8080", "localhost:8080", "127.0.0.1:8080"] {
            assert_eq!(listen_address(text).unwrap().to_string(), "127.0.0.1:8080");
        }
        assert_eq!(listen_address("[::1]:80").unwrap().to_string(), "[::1]:80");
        for wrong in ["127.0.0.1", "example.org:80", ":8080", "99999", ""] {
            assert!(listen_address(wrong).unwrap_err().contains("127.0.0.1:8080"), "{wrong}");
        }
    }
}
