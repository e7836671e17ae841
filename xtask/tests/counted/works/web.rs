//! Addresses, pages and their ranking, with pages of the simulated web processed as by the crawler.

use super::WorkPass;
use anyhow::{Context, Result, ensure};
use geotrawl_kinds::extract::read_html;
use geotrawl_kinds::probe::{Finding, ResponseHead};
use geotrawl_kinds::urls;
use geotrawl_model::Intent;
use geotrawl_rank::{LinkToRank, LinkingPage, PageFeedback, TaskTopic, create_ranking};
use geotrawl_simweb::{SimWeb, SimWebConfig};
use serde::{Deserialize, Serialize};
use std::path::Path;
use url::{Position, Url};

const PAGES: usize = 24;
const ADDRESSES: usize = 600;

#[derive(Serialize, Deserialize)]
struct StoredPage {
    url: Url,
    content_type: String,
    body: String,
}

fn write<T: Serialize>(folder: &Path, name: &str, value: &T) -> Result<()> {
    Ok(std::fs::write(folder.join(name), serde_json::to_vec(value)?)?)
}

fn read<T: for<'a> Deserialize<'a>>(folder: &Path, name: &str) -> Result<T> {
    Ok(serde_json::from_slice(&std::fs::read(folder.join(name))?)?)
}

/// Returns pages from all parts of a small web.
fn pages() -> Result<Vec<StoredPage>> {
    let web =
        SimWeb::generate(SimWebConfig { seed: 1, hosts: 12, pages: Some(400), ..SimWebConfig::default() });
    let all: Vec<String> = web.page_urls().collect();
    let mut pages = Vec::new();
    for address in all.iter().step_by(4) {
        let url = Url::parse(address)?;
        let host = url.host_str().context("a host")?;
        let Some(plain) = web.get(host, &url[Position::BeforePath..], None) else { continue };
        let Ok(body) = String::from_utf8(plain.body) else { continue };
        if plain.status == 200 && plain.content_type.starts_with("text/html") {
            pages.push(StoredPage { url, content_type: plain.content_type, body });
        }
        if pages.len() == PAGES {
            return Ok(pages);
        }
    }
    anyhow::bail!("the simulated web has only {} such pages", pages.len())
}

pub fn prepare_pages(folder: &Path) -> Result<()> {
    write(folder, "pages", &pages()?)
}

/// Writes the addresses in the attributes of those pages, with typical addresses of services.
pub fn prepare_addresses(folder: &Path) -> Result<()> {
    let mut raw: Vec<(Url, String)> = Vec::new();
    for page in pages()? {
        for part in page.body.split("href=\"").skip(1) {
            let address = part.split('"').next().unwrap_or_default().replace("&amp;", "&");
            raw.push((page.url.clone(), address));
        }
    }
    let base = Url::parse("https://www.example.org/maps/index.html?lang=en#top")?;
    for number in 0..raw.len() / 10 {
        for shape in [
            "https://geo.example.org/cgi-bin/mapserv?map=/data/N.map&SERVICE=WMS&REQUEST=GetMap&LAYERS=a,b&BBOX=1,2,3,4",
            "//maps.example.org/arcgis/rest/services/Roads_N/MapServer/N?f=json",
            "../download/data_N.zip?utm_source=mail&session=abcN",
            "/geoserver/ns_N/ows?service=wfs&version=2.0.0&request=GetFeature&typeNames=ns:N",
            "HTTP://Example.ORG:80/a/./b/../c/%7Euser/page-N.html?b=2&a=1#part",
            "calendar.php?year=20N&month=3&day=4",
        ] {
            raw.push((base.clone(), shape.replace('N', &number.to_string())));
        }
    }
    let step = (raw.len() / ADDRESSES).max(1);
    let some: Vec<_> = raw.into_iter().step_by(step).take(ADDRESSES).collect();
    ensure!(some.len() == ADDRESSES, "only {} addresses", some.len());
    write(folder, "addresses", &some)
}

pub fn begin_urls(folder: &Path) -> Result<Box<WorkPass>> {
    let addresses: Vec<(Url, String)> = read(folder, "addresses")?;
    let mut targets = Vec::new();
    Ok(Box::new(move || {
        let mut seen = 0;
        for (base, raw) in &addresses {
            let Some(url) = urls::clean_attribute(raw, base) else { continue };
            if urls::skip_reason(&url).is_some() || urls::trap_shape(&url).is_some() {
                continue;
            }
            urls::append_targets(url, "href".into(), "words of a link", &mut targets);
            for target in targets.drain(..) {
                seen += urls::host_key(&target.url).len() + urls::registrable_domain(&target.url).len();
                seen += target.intent.request_key().len() + target.url.as_str().len();
            }
        }
        Ok(seen as u64)
    }))
}

fn read_page(page: &StoredPage) -> Finding {
    let head = ResponseHead {
        url: Some(page.url.clone()),
        status: 200,
        content_type: Some(page.content_type.clone()),
        ..ResponseHead::default()
    };
    read_html(&page.url, &head, page.body.as_bytes())
}

pub fn begin_links(folder: &Path) -> Result<Box<WorkPass>> {
    let pages: Vec<StoredPage> = read(folder, "pages")?;
    Ok(Box::new(move || Ok(pages.iter().map(|page| read_page(page).targets.len() as u64).sum())))
}

pub fn begin_ranking(folder: &Path) -> Result<Box<WorkPass>> {
    let pages: Vec<StoredPage> = read(folder, "pages")?;
    let read: Vec<(Url, Finding)> = pages.iter().map(|page| (page.url.clone(), read_page(page))).collect();
    let ordering = create_ranking("learned", &TaskTopic::default(), None)?;
    Ok(Box::new(move || {
        let mut places = 0;
        for (url, finding) in &read {
            let shows = finding.targets.iter().filter(|target| target.intent.is_probe()).count() as u32;
            let Some(facts) = &finding.page else { continue };
            let page = LinkingPage {
                url: url.as_str(),
                title: facts.title.as_deref().unwrap_or_default(),
                language: facts.language.as_deref(),
                terms: &facts.terms,
                words: facts.words,
                shows,
                depth: 2,
                distance: u32::from(shows == 0),
            };
            let origin = ordering.page_context(&page);
            for target in finding.targets.iter().filter(|target| target.intent == Intent::Page) {
                let way = target.way.as_ref();
                let link = LinkToRank {
                    url: target.url.as_str(),
                    words: &target.words,
                    way,
                    depth: 3,
                    width: 1,
                    origin,
                };
                places += u64::from(ordering.rank_link(&link) > 0);
                if let Some(sketch) = ordering.prepare_link(&link) {
                    places += u64::from(ordering.rank_prepared(&sketch) > 0);
                }
            }
            let link = LinkToRank { url: url.as_str(), words: "", way: "href", depth: 2, width: 1, origin };
            ordering.learn_from(&PageFeedback { link, page: Some(page), gained: shows.min(2) });
        }
        Ok(places)
    }))
}
