//! Crawls a web over HTTP like a plain crawler, and compares the result with the ground truth.

use crate::client::{ServedWeb, get, serve_web};
use geotrawl_simweb::{GroundTruth, SimWeb, SimWebConfig, TruthResource};
use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use url::Url;

fn decode(bytes: &[u8], content_type: &str) -> String {
    if let Some((encoding, _)) = encoding_rs::Encoding::for_bom(bytes) {
        return encoding.decode(bytes).0.into_owned();
    }
    let label = content_type.split("charset=").nth(1).unwrap_or("windows-1252");
    encoding_rs::Encoding::for_label(label.as_bytes())
        .unwrap_or(encoding_rs::WINDOWS_1252)
        .decode(bytes)
        .0
        .into_owned()
}

fn unescape(text: &str) -> String {
    text.replace("&amp;", "&").replace("&amp;", "&").replace("&quot;", "\"")
}

/// Every attribute value that can be a link, resolved against the base.
fn links(text: &str, page: &Url) -> Vec<String> {
    let mut base = page.clone();
    if let Some(at) = text.find("<base href=\"")
        && let Some(value) = text[at + 12..].split('"').next()
        && let Ok(url) = Url::parse(&unescape(value))
    {
        base = url;
    }
    let mut out = Vec::new();
    for (start, quote) in [
        ("href=\"", '"'),
        ("href='", '\''),
        ("src=\"", '"'),
        ("action=\"", '"'),
        ("data=\"", '"'),
        ("URL=", '"'),
        ("<loc>", '<'),
        ("<link>", '<'),
    ] {
        for (at, _) in text.match_indices(start) {
            if let Some(value) = text[at + start.len()..].split(quote).next()
                && let Ok(url) = base.join(&unescape(value))
            {
                out.push(url.to_string());
            }
        }
    }
    out
}

#[derive(Default)]
struct WalkResult {
    /// Depth at which every page was first fetched.
    fetched: HashMap<String, u32>,
    /// Smallest depth at which a URL (without its query) was seen, in links or in text.
    shown: HashMap<String, u32>,
}

/// Vendor parameters that tell services on one path apart.
const VENDOR: [&str; 4] = ["map", "MAP", "dienst", "set"];

/// A URL without its request parameters.
fn bare(url: &str) -> String {
    let (path, query) = url.split_once('?').unwrap_or((url, ""));
    let vendor =
        query.split('&').find(|pair| pair.split('=').next().is_some_and(|key| VENDOR.contains(&key)));
    vendor.map_or_else(|| path.to_owned(), |vendor| format!("{path}?{vendor}"))
}

impl WalkResult {
    fn see(&mut self, depth: u32, text: &str, links: &[String]) {
        let in_text = text.split("http://").skip(1).map(|rest| {
            let end = rest.find(|c: char| c.is_whitespace() || "\"'<>),;#".contains(c)).unwrap_or(rest.len());
            format!("http://{}", &rest[..end])
        });
        for url in in_text.chain(links.iter().cloned()) {
            let known = self.shown.entry(bare(&url)).or_insert(depth);
            *known = depth.min(*known);
        }
    }
}

/// Removes scripts and comments, which a surface crawler ignores.
fn without_scripts_and_comments(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = [rest.find("<script"), rest.find("<!--")].into_iter().flatten().min() {
        out.push_str(&rest[..at]);
        let end = if rest[at..].starts_with("<!--") { "-->" } else { "</script>" };
        rest = rest[at..].find(end).map_or("", |length| &rest[at + length + end.len()..]);
    }
    out.push_str(rest);
    out
}

/// Breadth first over HTML pages, feeds, sitemaps and plain XML that robots.txt allows.
fn walk(running: &ServedWeb, truth: &GroundTruth) -> WalkResult {
    let endpoints: Vec<String> = truth
        .resources
        .iter()
        .flat_map(|r| std::iter::once(&r.url).chain(&r.aliases))
        .map(|url| url.split('?').next().unwrap_or(url).to_owned())
        .chain(truth.negatives.iter().map(|n| n.url.split('?').next().unwrap_or(&n.url).to_owned()))
        .collect();
    let avoid: HashSet<&str> = endpoints.iter().map(String::as_str).collect();
    let mut walk = WalkResult::default();
    let mut hosts = HashSet::new();
    let mut queue: VecDeque<(String, u32)> = truth.seeds.iter().map(|s| (s.clone(), 0)).collect();
    while let Some((url, depth)) = queue.pop_front() {
        let Ok(parsed) = Url::parse(&url) else { continue };
        let Some(host) = parsed.host_str().map(str::to_owned) else { continue };
        let Some(robots) = truth.robots.get(&host).filter(|_| !host.ends_with(".hostile.test")) else {
            continue;
        };
        let target =
            url[parsed.origin().ascii_serialization().len()..].split('#').next().unwrap_or("/").to_owned();
        // Tracking parameters do not make a different page.
        let target = target.split("?utm_source").next().unwrap_or("/").to_owned();
        let key = format!("http://{host}{target}");
        let trapped = truth.traps.iter().any(|t| t.host == host && target.starts_with(&t.prefix));
        let asset = target.starts_with("/assets/");
        let known = walk.fetched.contains_key(&key) || avoid.contains(key.split('?').next().unwrap_or(""));
        if known || trapped || asset || parsed.scheme() != "http" || !robots.allows(&target) {
            continue;
        }
        walk.fetched.insert(key.clone(), depth);
        if hosts.insert(host.clone()) {
            for sitemap in [
                "/sitemap.xml",
                "/sitemap_index.xml",
                "/urls.txt",
                "/sitemaps/teil-1.xml",
                "/sitemaps/teil-2.xml.gz",
            ] {
                let Some(answer) = get(running.address, &format!("http://{host}{sitemap}"), "") else {
                    continue;
                };
                if answer.status != 200 {
                    continue;
                }
                let mut body = answer.body.clone();
                if std::path::Path::new(sitemap).extension().is_some_and(|e| e == "gz") {
                    body.clear();
                    std::io::Read::read_to_end(
                        &mut flate2::read::GzDecoder::new(&answer.body[..]),
                        &mut body,
                    )
                    .unwrap();
                }
                let text = unescape(&String::from_utf8_lossy(&body));
                let mut found = links(&text, &parsed);
                if sitemap == "/urls.txt" {
                    found.extend(text.lines().map(str::to_owned));
                }
                walk.see(depth, &text, &found);
                queue.extend(found.into_iter().map(|link| (link, depth + 1)));
            }
        }
        let Some(answer) = get(running.address, &key, "") else { continue };
        if let Some(location) = answer.header("location") {
            walk.see(depth, location, &[]);
            continue;
        }
        let content_type = answer.header("content-type").unwrap_or("").to_owned();
        let text = without_scripts_and_comments(&decode(&answer.body, &content_type));
        if !text.contains("content=\"noindex, nofollow\"") && !content_type.contains("json") {
            let found = links(&text, &parsed);
            let header = answer.header("link").unwrap_or("");
            walk.see(depth, &format!("{header}\n{}", unescape(&text)), &found);
            queue.extend(found.into_iter().map(|link| (link, depth + 1)));
        }
    }
    walk
}

#[test]
fn every_surface_resource_is_shown_on_a_reachable_page_at_its_depth() {
    let running =
        serve_web(SimWebConfig { seed: 11, hosts: 60, pages: Some(1200), ..SimWebConfig::default() });
    let truth = running.web.truth();
    let walk = walk(&running, truth);
    let html_pages = walk.fetched.len();
    assert!(html_pages >= truth.reachable_pages, "walked {html_pages} of {} pages", truth.reachable_pages);

    let seen = |resource: &TruthResource| {
        let doors = std::iter::once(&resource.url).chain(&resource.aliases);
        doors.filter_map(|door| walk.shown.get(&bare(door))).min().copied()
    };
    let mut missing = Vec::new();
    let mut leaked = Vec::new();
    for resource in &truth.resources {
        let what = (&resource.url, &resource.ways, seen(resource), resource.depth);
        // A file that no hint betrays lies one level behind the page that links to it.
        if resource.surface && (seen(resource).is_none() || seen(resource) > resource.depth) {
            missing.push(what);
        } else if resource.depth.is_none() && resource.profile_of.is_none() && seen(resource).is_some() {
            leaked.push(what);
        }
    }
    assert!(missing.is_empty(), "{} not shown: {missing:#?}", missing.len());
    assert!(leaked.is_empty(), "{} shown though not said so: {leaked:#?}", leaked.len());
}

#[test]
fn every_service_answers_with_a_document_of_its_kind() {
    let running = serve_web(SimWebConfig { seed: 5, hosts: 60, pages: Some(600), ..SimWebConfig::default() });
    let truth = running.web.truth();
    let mut kinds: BTreeMap<&str, usize> = BTreeMap::new();
    for resource in &truth.resources {
        *kinds.entry(&resource.kind).or_default() += 1;
    }
    // Some services are slow on purpose, so request many at once.
    std::thread::scope(|scope| {
        for part in truth.resources.chunks(truth.resources.len().div_ceil(24)) {
            let running = &running;
            scope.spawn(move || part.iter().for_each(|resource| check_resource(running, resource)));
        }
    });
    for kind in ["wms", "wfs", "wcs", "wmts", "wps", "csw", "sos", "kml", "kmz", "shapefile"] {
        assert!(kinds.contains_key(kind), "no {kind} in {kinds:?}");
    }
}

/// Checks every version under every alias.
fn check_resource(running: &ServedWeb, resource: &TruthResource) {
    if matches!(resource.kind.as_str(), "kml" | "kmz" | "shapefile") {
        let answer = get(running.address, &resource.url, "Range: bytes=0-16383\r\n").unwrap();
        let magic: &[u8] = if resource.kind == "kml" { b"<" } else { b"PK\x03\x04" };
        assert!(answer.body.starts_with(magic), "{}", resource.url);
        return;
    }
    let service = if resource.kind == "wcps" { "WCS".to_owned() } else { resource.kind.to_ascii_uppercase() };
    for version in &resource.versions {
        for door in std::iter::once(&resource.url).chain(&resource.aliases) {
            let join = if door.contains('?') { '&' } else { '?' };
            let url = format!("{door}{join}SERVICE={service}&REQUEST=GetCapabilities&VERSION={version}");
            let mut answer = get(running.address, &url, "").unwrap();
            if let Some(location) = answer.header("location").map(str::to_owned) {
                answer = get(running.address, &location, "").unwrap();
            }
            check_document(&answer.body, &service, version, resource);
        }
    }
}

/// Root, version and number of datasets, read with a tolerant reader.
fn check_document(body: &[u8], service: &str, version: &str, resource: &TruthResource) {
    use quick_xml::events::Event;
    let text = match encoding_rs::Encoding::for_bom(body) {
        Some((encoding, _)) => encoding.decode(body).0.into_owned(),
        None => String::from_utf8_lossy(body).into_owned(),
    };
    let what = format!("{} {version}: {}", resource.url, text.chars().take(300).collect::<String>());
    let mut reader = quick_xml::Reader::from_str(text.trim_start());
    reader.config_mut().allow_dangling_amp = true;
    let mut root = None;
    let mut datasets = 0;
    let mut path: Vec<String> = Vec::new();
    loop {
        match reader.read_event() {
            Ok(Event::Start(start)) => {
                let local = start.local_name().as_ref().to_owned();
                if root.is_none() {
                    let said = start.try_get_attribute("version").ok().flatten();
                    let said = said.map(|a| a.value.into_owned()).unwrap_or_default();
                    assert_eq!(said, version, "{what}");
                    root = Some(local.clone());
                }
                let parent = path.last().map_or("", String::as_str);
                datasets += usize::from(match service {
                    "WMS" => local == "Name" && parent == "Layer",
                    "WFS" => local == "FeatureType",
                    "WCS" => local == "CoverageOfferingBrief" || local == "CoverageSummary",
                    "WMTS" => local == "Layer",
                    "WPS" => local == "Process" || local == "ProcessSummary",
                    "SOS" => local == "ObservationOffering",
                    _ => false,
                });
                path.push(local);
            }
            Ok(Event::End(_)) => {
                path.pop();
            }
            Ok(Event::Eof) => {
                assert!(path.is_empty() || !resource.wellformed, "{what}");
                break;
            }
            Ok(_) => {}
            Err(error) => {
                assert!(!resource.wellformed, "{error}: {what}");
                break;
            }
        }
    }
    let expected = match (service, version) {
        ("WMS", "1.3.0") => "WMS_Capabilities",
        ("WMS", _) => "WMT_MS_Capabilities",
        ("WFS", _) => "WFS_Capabilities",
        ("WCS", "1.0.0") => "WCS_Capabilities",
        _ => "Capabilities",
    };
    assert_eq!(root.as_deref(), Some(expected), "{what}");
    if let Some(count) = resource.dataset_count {
        assert_eq!(datasets, count, "{what}");
    }
}

#[test]
fn the_same_seed_gives_the_same_bytes_and_another_does_not() {
    let config = SimWebConfig { seed: 42, hosts: 24, pages: Some(300), ..SimWebConfig::default() };
    let (a, b) = (serve_web(config.clone()), serve_web(config.clone()));
    assert_eq!(a.web.truth(), b.web.truth());
    assert_ne!(a.web.truth(), SimWeb::generate(SimWebConfig { seed: 43, ..config }).truth());
    let truth = a.web.truth();
    let urls = truth.seeds.iter().chain(truth.resources.iter().map(|r| &r.url));
    for url in urls {
        let (one, two) = (
            get(a.address, url, "Range: bytes=0-4095\r\n").unwrap(),
            get(b.address, url, "Range: bytes=0-4095\r\n").unwrap(),
        );
        assert_eq!(one.headers, two.headers, "{url}");
        assert!(one.body == two.body, "{url}");
    }
}
