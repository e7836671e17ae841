//! Walks a web like a plain crawler, over HTTP, and compares what it sees with the truth.

mod client;

use client::get;
use geotrawl_simweb::{SimWeb, SimWebConfig, Truth};
use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use std::net::{SocketAddr, TcpListener};
use url::Url;

/// A web served on a thread of its own.
struct Running {
    web: SimWeb,
    address: SocketAddr,
    _runtime: tokio::runtime::Runtime,
    _server: geotrawl_simweb::ServerHandle,
}

fn run(config: SimWebConfig) -> Running {
    let web = SimWeb::generate(config);
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    let server = {
        let _guard = runtime.enter();
        web.serve(TcpListener::bind("127.0.0.1:0").unwrap(), None).unwrap()
    };
    Running { address: server.address(), web, _runtime: runtime, _server: server }
}

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

struct Walk {
    /// Depth at which every page was first fetched.
    fetched: HashMap<String, u32>,
    /// Unescaped text of what was fetched, and headers.
    shown: Vec<(u32, String)>,
}

/// Breadth first over HTML pages, feeds, sitemaps and plain XML that robots.txt allows.
fn walk(running: &Running, truth: &Truth) -> Walk {
    let endpoints: Vec<String> = truth
        .resources
        .iter()
        .flat_map(|r| std::iter::once(&r.url).chain(&r.aliases))
        .map(|url| url.split('?').next().unwrap_or(url).to_owned())
        .chain(truth.negatives.iter().map(|n| n.url.split('?').next().unwrap_or(&n.url).to_owned()))
        .collect();
    let avoid: HashSet<&str> = endpoints.iter().map(String::as_str).collect();
    let mut walk = Walk { fetched: HashMap::new(), shown: Vec::new() };
    let mut hosts = HashSet::new();
    let mut queue: VecDeque<(String, u32)> = truth.seeds.iter().map(|s| (s.clone(), 0)).collect();
    while let Some((url, depth)) = queue.pop_front() {
        let Ok(parsed) = Url::parse(&url) else { continue };
        let Some(host) = parsed.host_str().map(str::to_owned) else { continue };
        let Some(robots) = truth.robots.get(&host) else { continue };
        let target =
            url[parsed.origin().ascii_serialization().len()..].split('#').next().unwrap_or("/").to_owned();
        let key = format!("http://{host}{target}");
        let trapped = truth.traps.iter().any(|t| t.host == host && target.starts_with(&t.prefix));
        let asset = target.starts_with("/assets/") || target.contains("utm_source");
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
                queue.extend(links(&text, &parsed).into_iter().map(|l| (l, depth + 1)));
                if sitemap == "/urls.txt" {
                    queue.extend(text.lines().map(|l| (l.to_owned(), depth + 1)));
                }
                walk.shown.push((depth, text));
            }
        }
        let Some(answer) = get(running.address, &key, "") else { continue };
        if let Some(location) = answer.header("location") {
            walk.shown.push((depth, location.to_owned()));
            continue;
        }
        let content_type = answer.header("content-type").unwrap_or("").to_owned();
        let text = decode(&answer.body, &content_type);
        if !text.contains("content=\"noindex, nofollow\"") {
            queue.extend(links(&text, &parsed).into_iter().map(|l| (l, depth + 1)));
            let header = answer.header("link").unwrap_or("");
            walk.shown.push((depth, format!("{header}\n{}", unescape(&text))));
        }
    }
    walk
}

#[test]
fn every_surface_resource_is_shown_on_a_reachable_page_at_its_depth() {
    let running = run(SimWebConfig { seed: 11, hosts: 60, pages: Some(1800), ..SimWebConfig::default() });
    let truth = running.web.truth();
    let walk = walk(&running, truth);
    let html_pages = walk.fetched.len();
    assert!(html_pages >= truth.reachable_pages, "walked {html_pages} of {} pages", truth.reachable_pages);

    // Smallest depth at which each URL without its parameters was seen.
    let mut missing = Vec::new();
    for resource in truth.resources.iter().filter(|r| r.surface) {
        let doors: Vec<String> = std::iter::once(&resource.url)
            .chain(&resource.aliases)
            .map(|url| url.trim_start_matches("http://").split('?').next().unwrap_or("").to_owned())
            .collect();
        let seen = walk
            .shown
            .iter()
            .filter(|(_, text)| {
                doors.iter().any(|door| {
                    text.contains(door.as_str()) || {
                        let (directory, name) = door.rsplit_once('/').unwrap_or(("", door));
                        text.contains(&format!("<base href=\"http://{directory}/\""))
                            && text.contains(&format!("href=\"{name}"))
                    }
                })
            })
            .map(|(depth, _)| *depth)
            .min();
        if seen.is_none() || seen > resource.depth {
            missing.push((resource.url.clone(), resource.ways.clone(), seen, resource.depth));
        }
    }
    assert!(missing.is_empty(), "{} not shown: {missing:#?}", missing.len());
}

#[test]
fn every_service_answers_with_a_document_of_its_kind() {
    let running = run(SimWebConfig { seed: 5, hosts: 60, pages: Some(600), ..SimWebConfig::default() });
    let truth = running.web.truth();
    let mut kinds: BTreeMap<String, usize> = BTreeMap::new();
    for resource in &truth.resources {
        *kinds.entry(resource.kind.clone()).or_default() += 1;
        match resource.kind.as_str() {
            "kml" | "kmz" | "shapefile" => {
                let answer = get(running.address, &resource.url, "Range: bytes=0-16383\r\n").unwrap();
                let magic: &[u8] = if resource.kind == "kml" { b"<" } else { b"PK\x03\x04" };
                assert!(answer.body.starts_with(magic), "{}", resource.url);
            }
            kind => {
                let service = if kind == "wcps" { "WCS".to_owned() } else { kind.to_ascii_uppercase() };
                for version in &resource.versions {
                    for door in std::iter::once(&resource.url).chain(&resource.aliases) {
                        let join = if door.contains('?') { '&' } else { '?' };
                        let url = format!(
                            "{door}{join}SERVICE={service}&REQUEST=GetCapabilities&VERSION={version}"
                        );
                        let mut answer = get(running.address, &url, "").unwrap();
                        if let Some(location) = answer.header("location").map(str::to_owned) {
                            answer = get(running.address, &location, "").unwrap();
                        }
                        check_document(&answer.body, &service, version, resource);
                    }
                }
            }
        }
    }
    for kind in ["wms", "wfs", "wcs", "wmts", "wps", "csw", "sos", "kml", "kmz", "shapefile"] {
        assert!(kinds.contains_key(kind), "no {kind} in {kinds:?}");
    }
}

/// Root, version and number of datasets, read with a tolerant reader.
fn check_document(body: &[u8], service: &str, version: &str, resource: &geotrawl_simweb::TruthResource) {
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
                    let said =
                        said.map(|a| a.value.into_owned()).unwrap_or_default();
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
    let (a, b) = (run(config.clone()), run(config.clone()));
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
