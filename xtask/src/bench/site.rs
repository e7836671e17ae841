//! The site that every peer crawls: pages of 40 KB on average with 60 links each, rendered before the first
//! request. Host n is the address 127.0.0.n, so that any crawler reaches it without a resolver of its own.

use bytes::Bytes;
use std::fmt::Write as _;
use std::net::Ipv4Addr;

/// Links on a page.
const LINKS: usize = 60;
/// Of a hundred links: to the same host, and with a fragment.
const SAME_HOST: u64 = 70;
const FRAGMENTS: u64 = 8;
/// Sizes are spread evenly between these.
const SMALLEST: u64 = 10_000;
const LARGEST: u64 = 70_000;
/// The same site for everybody, every time.
const SEED: u64 = 40_124;

/// The rendered site.
pub struct Site {
    /// Whole answers, head included.
    pages: Vec<Bytes>,
    hosts: usize,
}

impl Site {
    /// Renders all pages; links carry `port`.
    pub fn render(pages: usize, hosts: usize, port: u16) -> Self {
        let pages = (0..pages).map(|page| answer(&render(page, pages, hosts, port))).collect();
        Self { pages, hosts }
    }

    /// Number of pages.
    pub fn len(&self) -> usize {
        self.pages.len()
    }

    /// Mean size of a page, head included.
    pub fn mean_bytes(&self) -> f64 {
        self.pages.iter().map(Bytes::len).sum::<usize>() as f64 / self.pages.len().max(1) as f64
    }

    /// The page at a path, with its number.
    pub fn page(&self, path: &str) -> Option<(usize, &Bytes)> {
        let number = path.strip_prefix("/p/")?.strip_suffix(".html")?.parse().ok()?;
        self.pages.get(number).map(|page| (number, page))
    }

    /// Paths of all pages of the first host.
    pub fn paths_of_first_host(&self) -> impl Iterator<Item = String> {
        (0..self.pages.len()).step_by(self.hosts.max(1)).map(|page| format!("/p/{page}.html"))
    }
}

/// The address of a host.
pub fn host_address(host: usize) -> Ipv4Addr {
    Ipv4Addr::new(127, 0, 0, host as u8 + 1)
}

/// The URL of a page.
pub fn url_of(page: usize, hosts: usize, port: u16) -> String {
    format!("http://{}:{port}/p/{page}.html", host_address(page % hosts))
}

fn answer(body: &str) -> Bytes {
    let head = format!(
        "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: {}\r\n\r\n",
        body.len()
    );
    Bytes::from(head + body)
}

fn render(page: usize, pages: usize, hosts: usize, port: u16) -> String {
    let mut numbers = Numbers(SEED ^ (page as u64) << 20);
    let size = SMALLEST + numbers.below(LARGEST - SMALLEST);
    let mut html = String::with_capacity(size as usize + 1_000);
    let _ = write!(html, "<!DOCTYPE html><html><head><title>Page {page}</title></head><body><h1>{page}</h1>");
    let between = size / (LINKS as u64 + 1);
    for link in 0..LINKS {
        let start = html.len();
        html.push_str("<p>");
        while ((html.len() - start) as u64) + 60 < between {
            html.push_str(WORDS[numbers.below(WORDS.len() as u64) as usize]);
            html.push(' ');
        }
        let target = target(page, link, pages, hosts, &mut numbers);
        let fragment = if numbers.below(100) < FRAGMENTS { "#part" } else { "" };
        let _ = writeln!(html, "<a href=\"{}{fragment}\">page {target}</a></p>", url_of(target, hosts, port));
    }
    html.push_str("</body></html>");
    html
}

/// Two links make a binary tree, so that every page is reached; the others lead anywhere.
fn target(page: usize, link: usize, pages: usize, hosts: usize, numbers: &mut Numbers) -> usize {
    let child = page * 2 + 1 + link;
    if link < 2 && child < pages {
        return child;
    }
    let any = numbers.below(pages as u64) as usize;
    if numbers.below(100) >= SAME_HOST {
        return any;
    }
    let same = any - any % hosts + page % hosts;
    if same < pages { same } else { any }
}

/// Splitmix64: enough for shuffling words.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, most: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (mixed ^ (mixed >> 31)) % most.max(1)
    }
}

const WORDS: &[&str] = &[
    "river",
    "valley",
    "geology",
    "parcel",
    "orthophoto",
    "census",
    "harbour",
    "relief",
    "soil",
    "network",
    "meeting",
    "minutes",
    "opening",
    "hours",
    "council",
    "notice",
    "forest",
    "road",
    "survey",
    "archive",
    "weather",
    "station",
    "height",
    "model",
    "water",
    "quality",
    "report",
    "annual",
    "budget",
    "press",
    "contact",
    "service",
    "download",
    "licence",
    "metadata",
    "catalogue",
    "boundary",
    "commune",
    "coast",
    "tide",
    "glacier",
    "snow",
    "traffic",
    "noise",
    "plan",
    "zoning",
    "heritage",
    "museum",
    "school",
    "bridge",
];
