//! A large catalogue: a CSW that generates its records on request, so that a million records use no
//! memory.

use crate::lexicon::LEXICONS;
use crate::prose::draw_sentence;
use crate::reply::SiteReply;
use crate::request::{QueryParameters, SiteRequest};
use crate::rng::SeededRng;
use crate::server::{self, LogSink, RequestHandler, ServerHandle};
use std::fmt::Write as _;
use std::io;
use std::net::TcpListener;
use std::sync::Arc;

const CSW: &str = "http://www.opengis.net/cat/csw/2.0.2";
/// Number of different abstracts, which the records share.
const ABSTRACTS: usize = 500;

/// Configuration of the catalogue.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CatalogueConfig {
    pub seed: u64,
    pub records: usize,
    /// Maximum number of records per response, whatever the client requests.
    pub page: usize,
}

impl Default for CatalogueConfig {
    fn default() -> Self {
        Self { seed: 1, records: 1_000_000, page: 1_000 }
    }
}

/// A CSW 2.0.2 at `http://csw.bench.test/csw`, and on every other host name.
#[derive(Clone)]
pub struct CatalogueSite {
    config: CatalogueConfig,
    abstracts: Arc<Vec<String>>,
}

impl CatalogueSite {
    /// Plans the catalogue.
    pub fn new(config: CatalogueConfig) -> Self {
        let mut rng = SeededRng::new(config.seed);
        let text = |rng: &mut SeededRng| {
            let sentences: Vec<String> = (0..4).map(|_| draw_sentence(&LEXICONS[0], rng, 12)).collect();
            sentences.join(" ")
        };
        let abstracts = Arc::new((0..ABSTRACTS).map(|_| text(&mut rng)).collect());
        Self { config, abstracts }
    }

    /// Returns the address of the endpoint.
    pub fn url(&self) -> &'static str {
        "http://csw.bench.test/csw"
    }

    /// Serves the catalogue. Must be called within a tokio runtime.
    pub fn serve(&self, listener: TcpListener, log: Option<LogSink>) -> io::Result<ServerHandle> {
        server::start_server(Arc::new(self.clone()), listener, log)
    }

    fn records(&self, query: &QueryParameters<'_>) -> SiteReply {
        let number = |key: &str, otherwise: usize| {
            query.get(key).and_then(|text| text.trim().parse::<usize>().ok()).unwrap_or(otherwise)
        };
        let start = number("startposition", 1).max(1);
        let most = number("maxrecords", 10).min(self.config.page);
        let end = (start - 1).saturating_add(most).min(self.config.records);
        let returned = end.saturating_sub(start - 1);
        let next = if end < self.config.records { end + 1 } else { 0 };
        let mut out = String::with_capacity(1_000 + returned * 1_200);
        let _ = write!(
            out,
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<csw:GetRecordsResponse version=\"2.0.2\" xmlns:csw=\"{CSW}\" xmlns:dc=\"http://purl.org/dc/elements/1.1/\" xmlns:dct=\"http://purl.org/dc/terms/\" xmlns:ows=\"http://www.opengis.net/ows\">\n<csw:SearchStatus timestamp=\"2026-01-01T00:00:00Z\"/>\n<csw:SearchResults numberOfRecordsMatched=\"{}\" numberOfRecordsReturned=\"{returned}\" nextRecord=\"{next}\" elementSet=\"full\">\n",
            self.config.records
        );
        for index in start - 1..end {
            self.record(index, &mut out);
        }
        out.push_str("</csw:SearchResults>\n</csw:GetRecordsResponse>\n");
        SiteReply::xml(out)
    }

    fn record(&self, index: usize, out: &mut String) {
        let mixed = (index as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ self.config.seed;
        let (west, south) = ((mixed % 340) as f64 - 180.0, (mixed / 340 % 160) as f64 - 90.0);
        let text = &self.abstracts[index % ABSTRACTS];
        let title: String = text.chars().take(50).collect();
        let _ = writeln!(
            out,
            "<csw:Record><dc:identifier>{mixed:016x}-{index}</dc:identifier><dc:title>{title} {index}</dc:title><dc:type>dataset</dc:type><dc:subject>theme {}</dc:subject><dc:subject>series {}</dc:subject><dct:abstract>{text}</dct:abstract><dct:modified>20{:02}-{:02}-{:02}</dct:modified><dc:rights>CC BY 4.0</dc:rights><dct:references scheme=\"OGC:WMS\">http://h{}.bench.test/wms/{index}?</dct:references><dct:references scheme=\"WWW:LINK\">http://csw.bench.test/record/{index}.html</dct:references><ows:BoundingBox crs=\"urn:ogc:def:crs:EPSG::4326\"><ows:LowerCorner>{south} {west}</ows:LowerCorner><ows:UpperCorner>{} {}</ows:UpperCorner></ows:BoundingBox></csw:Record>",
            mixed % 30,
            index % 1_000,
            10 + mixed % 16,
            1 + mixed / 7 % 12,
            1 + mixed / 11 % 28,
            index % 5_000,
            south + 10.0,
            west + 10.0
        );
    }
}

impl RequestHandler for CatalogueSite {
    fn answer(&self, request: &SiteRequest<'_>) -> SiteReply {
        if request.path() != "/csw" {
            return SiteReply::not_found();
        }
        let query = request.query();
        match query.get("request").map(str::to_ascii_lowercase).as_deref() {
            Some("getcapabilities") => SiteReply::xml(format!(
                "<?xml version=\"1.0\"?>\n<csw:Capabilities version=\"2.0.2\" xmlns:csw=\"{CSW}\" xmlns:ows=\"http://www.opengis.net/ows\"><ows:ServiceIdentification><ows:Title>A large catalogue</ows:Title><ows:ServiceType>CSW</ows:ServiceType></ows:ServiceIdentification></csw:Capabilities>\n"
            )),
            Some("getrecords") => self.records(&query),
            _ => SiteReply::xml(
                "<?xml version=\"1.0\"?>\n<ows:ExceptionReport version=\"1.0.0\" xmlns:ows=\"http://www.opengis.net/ows\"><ows:Exception exceptionCode=\"OperationNotSupported\" locator=\"request\"/></ows:ExceptionReport>\n",
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_join_without_gap_or_overlap() {
        let site =
            CatalogueSite::new(CatalogueConfig { records: 25, page: 10, ..CatalogueConfig::default() });
        let mut ids = Vec::new();
        let mut start = 1;
        while start != 0 {
            let target = format!("/csw?service=CSW&request=GetRecords&startPosition={start}&maxRecords=500");
            let reply = site.records(&QueryParameters::parse(target.split_once('?').unwrap().1));
            let crate::reply::ReplyBody::Bytes(bytes) = reply.body else { panic!("bytes") };
            let text = String::from_utf8(bytes.to_vec()).unwrap();
            ids.extend(
                text.split("<dc:identifier>").skip(1).map(|rest| rest.split('<').next().unwrap().to_owned()),
            );
            start = text.split("nextRecord=\"").nth(1).unwrap().split('"').next().unwrap().parse().unwrap();
        }
        assert_eq!(ids.len(), 25);
        ids.sort();
        ids.dedup();
        assert_eq!(ids.len(), 25);
    }
}
