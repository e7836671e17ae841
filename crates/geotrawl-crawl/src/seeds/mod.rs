//! Reads lists of seed addresses; one file per format.
//!
//! Each reader takes a stream and passes on [`Seed`]s one by one; the caller decides which to keep.
//! Unreadable lines are reported and skipped.

mod csv;
mod list;
mod opml;
mod registry;
pub mod search;
mod sitemap;

use geotrawl_kinds::kinds;
use geotrawl_kinds::probe::CrawlTarget;
use geotrawl_kinds::urls;
use geotrawl_model::Intent;
use std::io::{self, BufRead, BufReader, Read};
use std::str::FromStr;
use url::Url;

pub use geotrawl_model::Seed;

/// Format of a seed list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SeedFormat {
    /// The Data Portals Registry: one JSON object per line, with typed endpoints.
    Registry,
    /// One address per line; text after `#` is a comment.
    List,
    /// OPML outlines, as exchanged by feed readers and portals.
    Opml,
    /// A table with a column of addresses.
    Csv,
    /// A sitemap.
    Sitemap,
}

impl FromStr for SeedFormat {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "registry" => Ok(Self::Registry),
            "list" => Ok(Self::List),
            "opml" => Ok(Self::Opml),
            "csv" => Ok(Self::Csv),
            "sitemap" => Ok(Self::Sitemap),
            _ => Err(format!("'{text}' is not one of: registry, list, opml, csv, sitemap")),
        }
    }
}

/// What was read besides the seeds.
#[derive(Debug, Default)]
pub struct SeedListReport {
    pub format: Option<SeedFormat>,
    /// Position and cause of the first hundred unreadable entries.
    pub problems: Vec<String>,
    pub unreadable: u64,
}

impl SeedListReport {
    fn problem(&mut self, place: impl std::fmt::Display, cause: impl std::fmt::Display) {
        self.unreadable += 1;
        if self.problems.len() < 100 {
            self.problems.push(format!("{place}: {cause}"));
        }
    }
}

/// Reads a list, compressed or not, and passes its seeds to `take` until it returns `false`.
pub fn read_seeds(
    input: impl Read,
    format: Option<SeedFormat>,
    take: &mut dyn FnMut(Seed) -> bool,
) -> io::Result<SeedListReport> {
    let mut input = BufReader::with_capacity(64 * 1024, input);
    let start = input.fill_buf()?;
    if start.starts_with(&[0x28, 0xB5, 0x2F, 0xFD]) {
        let plain = ruzstd::decoding::StreamingDecoder::new(input).map_err(io::Error::other)?;
        return read_plain(BufReader::with_capacity(64 * 1024, plain), format, take);
    }
    if start.starts_with(&[0x1F, 0x8B]) {
        let plain = flate2::bufread::MultiGzDecoder::new(input);
        return read_plain(BufReader::with_capacity(64 * 1024, plain), format, take);
    }
    read_plain(input, format, take)
}

fn read_plain(
    mut input: impl BufRead,
    format: Option<SeedFormat>,
    take: &mut dyn FnMut(Seed) -> bool,
) -> io::Result<SeedListReport> {
    let format = match format {
        Some(format) => format,
        None => guess(input.fill_buf()?),
    };
    let mut told = SeedListReport { format: Some(format), ..SeedListReport::default() };
    match format {
        SeedFormat::Registry => registry::read_entries(input, take, &mut told)?,
        SeedFormat::List => list::read_lines(input, take, &mut told)?,
        SeedFormat::Opml => opml::read_outlines(input, take, &mut told),
        SeedFormat::Csv => csv::read_rows(input, take, &mut told),
        SeedFormat::Sitemap => sitemap::read_locations(input, take, &mut told)?,
    }
    Ok(told)
}

/// Guesses the format from the beginning of a file.
fn guess(start: &[u8]) -> SeedFormat {
    let text = String::from_utf8_lossy(start);
    let text = text.trim_start_matches('\u{feff}').trim_start();
    if text.starts_with('{') {
        return SeedFormat::Registry;
    }
    if text.starts_with('<') {
        let opml = text.get(..2_000.min(text.len())).unwrap_or(text).contains("<opml");
        return if opml { SeedFormat::Opml } else { SeedFormat::Sitemap };
    }
    let first = text.lines().find(|line| !line.trim_start().starts_with('#')).unwrap_or("");
    let is_table = !first.contains("://") && first.contains([',', ';', '\t']);
    if is_table { SeedFormat::Csv } else { SeedFormat::List }
}

/// Parses an address as people write it, with or without a scheme.
fn address(text: &str) -> Result<Url, String> {
    let text = text.trim();
    let whole = if text.contains("://") { text.to_owned() } else { format!("http://{text}") };
    let url = Url::parse(&whole).map_err(|error| format!("'{text}' is not a web address ({error})"))?;
    let named = url.host_str().is_some_and(|host| host.contains('.') || host == "localhost");
    if !matches!(url.scheme(), "http" | "https") || !named {
        return Err(format!("'{text}' is not a web address"));
    }
    Ok(url)
}

/// Adds what to request for a seed: the kind that its list names, otherwise what its URL suggests.
pub fn seed_targets(seed: &Seed, out: &mut Vec<CrawlTarget>) {
    let Ok(url) = address(&seed.url) else { return };
    let words = seed.title.as_deref().unwrap_or_default();
    let way = "seed";
    let told = seed.kind.as_deref().and_then(kinds::by_id).and_then(|kind| {
        let id = kind.profile().id.to_owned();
        if kind.ows().is_some() {
            let at = urls::endpoint_url(&url);
            return Some(CrawlTarget::new(at, Intent::Ows { kind: id, siblings: false }, way));
        }
        kind.start_probe(&url).map(|_| CrawlTarget::new(url.clone(), Intent::Ask { kind: id }, way))
    });
    if let Some(target) = told {
        out.push(CrawlTarget { words: words.to_owned(), ..target });
        return;
    }
    let before = out.len();
    urls::append_targets(url.clone(), way.into(), words, out);
    // Read a seed as a page even if a link to it would be skipped: somebody listed it on purpose.
    if out.len() == before {
        out.push(CrawlTarget::new(urls::canonical_url(&url), Intent::Page, way));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write as _;

    fn all(bytes: &[u8]) -> (Vec<Seed>, SeedListReport) {
        let mut seeds = Vec::new();
        let told = read_seeds(bytes, None, &mut |seed| {
            seeds.push(seed);
            true
        });
        (seeds, told.unwrap())
    }

    #[test]
    fn formats_are_told_by_their_beginning() {
        for (text, format) in [
            ("# ours\nhttps://a.example/\n", SeedFormat::List),
            ("a.example, b.example", SeedFormat::Csv),
            ("name;url\nA;https://a.example/\n", SeedFormat::Csv),
            ("{\"id\": \"a\"}\n", SeedFormat::Registry),
            ("\u{feff}<?xml version='1.0'?>\n<opml version='2.0'/>", SeedFormat::Opml),
            ("<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'/>", SeedFormat::Sitemap),
        ] {
            assert_eq!(guess(text.as_bytes()), format, "{text}");
        }
    }

    #[test]
    fn a_compressed_list_is_a_list() {
        let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        gzip.write_all(b"https://a.example/wms\n").unwrap();
        let (seeds, _) = all(&gzip.finish().unwrap());
        assert_eq!(seeds[0].url, "https://a.example/wms");
    }

    #[test]
    fn a_reader_can_stop() {
        let mut seen = 0;
        let told = read_seeds(&b"a.example\nb.example\nc.example\n"[..], None, &mut |_| {
            seen += 1;
            seen < 2
        });
        assert_eq!((seen, told.unwrap().unreadable), (2, 0));
    }

    #[test]
    fn what_the_list_says_decides_what_is_asked() {
        let mut out = Vec::new();
        let seed =
            Seed { url: "https://a.example/x?y=1".into(), kind: Some("csw".into()), ..Seed::default() };
        seed_targets(&seed, &mut out);
        seed_targets(&Seed { kind: None, ..seed.clone() }, &mut out);
        seed_targets(&Seed { kind: Some("nonsense".into()), ..seed }, &mut out);
        let intents: Vec<String> = out.iter().map(|target| target.intent.to_string()).collect();
        assert_eq!(intents, ["ows:csw", "page", "page"]);
    }
}
