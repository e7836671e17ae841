//! The site for crawler benchmarks: similar pages with many links, all reachable and rendered in
//! advance.

use crate::lexicon::LEXICONS;
use crate::prose::draw_sentence;
use crate::reply::SiteReply;
use crate::request::SiteRequest;
use crate::rng::SeededRng;
use crate::server::{self, LogSink, RequestHandler, ServerHandle};
use bytes::Bytes;
use std::fmt::Write as _;
use std::io;
use std::net::TcpListener;
use std::sync::Arc;

/// How hosts are named in links.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HostStyle {
    /// `h0.bench.test`, `h1.bench.test`, ...: for crawlers with configurable name resolution.
    Names,
    /// `127.0.0.1:PORT`, `127.0.0.2:PORT`, ...: for all other crawlers; the listener must accept
    /// all of these addresses.
    Loopback {
        /// Port used in links.
        port: u16,
    },
}

/// Configuration of the site.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BenchConfig {
    pub seed: u64,
    pub pages: usize,
    /// With one host all links are relative, so the site works under any address.
    pub hosts: usize,
    /// Mean size of a page.
    pub mean_bytes: usize,
    /// Links on every page.
    pub links: usize,
    /// Pages contain inline and external scripts, as most pages do; none of them creates a map.
    pub scripts: bool,
    pub style: HostStyle,
}

impl Default for BenchConfig {
    fn default() -> Self {
        Self {
            seed: 1,
            pages: 20_000,
            hosts: 20,
            mean_bytes: 40_000,
            links: 60,
            scripts: false,
            style: HostStyle::Names,
        }
    }
}

/// A site of pre-rendered pages, `/p/0` to `/p/N-1`; page `n` belongs to host `n % hosts`, but
/// every host serves every page.
#[derive(Clone)]
pub struct BenchSite {
    config: BenchConfig,
    pages: Arc<Vec<Bytes>>,
}

const FILLERS: usize = 400;

/// Scripts that content management systems add to every page: a library, the site's script, a menu,
/// a counter.
const SCRIPTS: &str = r#"<script src="/static/jquery.min.js"></script>
<script src="/static/site.js?v=4.2" defer></script>
<script>
  window.siteSettings = {"basePath": "/", "language": "en", "cookie": {"name": "consent", "days": 180},
    "search": {"url": "/search", "minimum": 3, "delay": 250}, "carousel": {"speed": 400, "pause": true}};
  (function (w, d) {
    function ready(run) { if (d.readyState !== "loading") { run(); } else { d.addEventListener("DOMContentLoaded", run); } }
    ready(function () {
      var menu = d.getElementById("main-menu"), open = false;
      if (!menu) { return; }
      menu.addEventListener("click", function (event) {
        open = !open; menu.setAttribute("aria-expanded", String(open)); event.preventDefault();
      });
    });
  })(window, document);
</script>
<script async src="https://counter.example/count.js"></script>
<script>window.counts = window.counts || []; function count() { counts.push(arguments); } count("page", {"anonymous": true});</script>
<nav id="main-menu"><ul><li>Home</li></ul></nav>
"#;

impl BenchSite {
    /// Renders all pages.
    pub fn generate(config: BenchConfig) -> Self {
        let mut rng = SeededRng::new(config.seed);
        let lexicon = &LEXICONS[0];
        let fillers: Vec<String> = (0..FILLERS)
            .map(|_| {
                let text: Vec<String> = (0..5).map(|_| draw_sentence(lexicon, &mut rng, 12)).collect();
                format!("<p class=\"text\">{}</p>\n", text.join(" "))
            })
            .collect();
        let pages =
            (0..config.pages).map(|page| render(&config, page, &fillers, rng.fork(page as u64))).collect();
        Self { config, pages: Arc::new(pages) }
    }

    /// Returns the URL of a page; all pages can be reached from page 0.
    pub fn page_url(&self, page: usize) -> String {
        let host = host_name(&self.config, page % self.config.hosts.max(1));
        format!("http://{host}/p/{page}")
    }

    /// Returns the number of pages.
    pub fn page_count(&self) -> usize {
        self.pages.len()
    }

    /// Returns the mean size of a page in bytes.
    pub fn mean_bytes(&self) -> usize {
        self.pages.iter().map(Bytes::len).sum::<usize>() / self.pages.len().max(1)
    }

    /// Serves the site. Must be called within a tokio runtime.
    pub fn serve(&self, listener: TcpListener, log: Option<LogSink>) -> io::Result<ServerHandle> {
        server::start_server(Arc::new(self.clone()), listener, log)
    }
}

impl RequestHandler for BenchSite {
    fn answer(&self, request: &SiteRequest<'_>) -> SiteReply {
        let path = request.path();
        let page = if path == "/" { Some(0) } else { path.strip_prefix("/p/").and_then(|n| n.parse().ok()) };
        match page.and_then(|page: usize| self.pages.get(page)) {
            Some(bytes) => SiteReply::new(200, "text/html; charset=utf-8", bytes.clone()),
            None => SiteReply::not_found(),
        }
    }
}

fn host_name(config: &BenchConfig, host: usize) -> String {
    match config.style {
        HostStyle::Names => format!("h{host}.bench.test"),
        HostStyle::Loopback { port } => format!("127.0.{}.{}:{port}", host / 250, 1 + host % 250),
    }
}

fn render(config: &BenchConfig, page: usize, fillers: &[String], mut rng: SeededRng) -> Bytes {
    let hosts = config.hosts.max(1);
    let size = config.mean_bytes / 2 + rng.below(config.mean_bytes.max(1));
    let mut out = String::with_capacity(size + 2000);
    let _ = write!(
        out,
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Page {page}</title></head>\n<body><h1>Page {page}</h1>\n"
    );
    if config.scripts {
        out.push_str(SCRIPTS);
    }
    let mut targets = Vec::with_capacity(config.links);
    // A binary tree makes every page reachable; the other links are random.
    targets.extend([2 * page + 1, 2 * page + 2].into_iter().filter(|child| *child < config.pages));
    while targets.len() < config.links {
        let drawn = rng.below(config.pages.max(1));
        let target = if rng.percent(70) { drawn - drawn % hosts + page % hosts } else { drawn };
        targets.push(if target < config.pages { target } else { drawn });
    }
    let text_per_link = size.saturating_sub(targets.len() * 60) / targets.len().max(1);
    let mut written = 0;
    for (index, target) in targets.iter().enumerate() {
        while written < index * text_per_link {
            let filler = rng.pick(fillers);
            written += filler.len();
            out.push_str(filler);
        }
        out.push_str("<a href=\"");
        if target % hosts != page % hosts {
            let _ = write!(out, "http://{}", host_name(config, target % hosts));
        }
        let fragment = if rng.percent(8) { "#part" } else { "" };
        let _ = writeln!(out, "/p/{target}{fragment}\">Link to page {target}</a>");
    }
    out.push_str("</body></html>\n");
    Bytes::from(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_page_is_reachable_and_the_sizes_are_as_asked() {
        let config = BenchConfig { pages: 300, hosts: 5, ..BenchConfig::default() };
        let site = BenchSite::generate(config.clone());
        let mut seen = BTreeSet::from([0]);
        let mut queue = vec![0];
        while let Some(page) = queue.pop() {
            let text = std::str::from_utf8(&site.pages[page]).unwrap();
            let links: Vec<usize> = text
                .match_indices("/p/")
                .map(|(at, _)| text[at + 3..].split(['"', '#']).next().unwrap().parse().unwrap())
                .collect();
            assert_eq!(links.len(), 60);
            queue.extend(links.into_iter().filter(|link| seen.insert(*link)));
        }
        assert_eq!(seen.len(), 300);
        assert!((36_000..44_000).contains(&site.mean_bytes()), "{}", site.mean_bytes());
        assert!(site.pages == BenchSite::generate(config).pages);
        assert_eq!(site.page_url(7), "http://h2.bench.test/p/7");
    }

    #[test]
    fn a_site_of_one_host_has_only_relative_links() {
        let site = BenchSite::generate(BenchConfig { pages: 50, hosts: 1, ..BenchConfig::default() });
        assert!(site.pages.iter().all(|page| !page.windows(7).any(|w| w == b"http://")));
    }
}
