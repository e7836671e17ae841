//! Where and how every service, file and look-alike shows itself.

use super::{Reveal, Role, Route, SitemapShape, Subject, World};
use crate::reveal::{Form, Shown, UrlForm, Way, other_deep_ways, script_ways, surface_ways};
use crate::rng::{Rng, mix};
use crate::service::{Kind, Record};

pub(super) fn plan(world: &mut World, mut rng: Rng) {
    let subjects: Vec<Subject> = (0..world.endpoints.len())
        .map(Subject::Endpoint)
        .chain((0..world.files.len()).map(Subject::File))
        .chain((0..world.negatives.len()).map(Subject::Negative))
        .collect();
    let scripts: Vec<&'static Way> = script_ways().collect();
    let deep: Vec<&'static Way> = other_deep_ways().collect();
    let surface: Vec<&'static Way> = surface_ways().iter().collect();
    // Each table is walked around and around, so that every way is used. Scripts suit few kinds each: of those
    // that suit, the one that was used least comes next.
    let (mut next_deep, mut next_surface) = (0, 0);
    let mut script_uses = vec![0_usize; scripts.len()];
    for subject in subjects {
        let deep_share = if matches!(subject, Subject::Endpoint(_)) { 20 } else { 8 };
        if !matches!(subject, Subject::Negative(_)) && rng.percent(deep_share) {
            if rng.percent(70)
                && let Some(used) = reveal_by_least_used(world, subject, &scripts, &script_uses, &mut rng)
            {
                script_uses[used] += 1;
                continue;
            }
            if let Some(used) = reveal_by_next(world, subject, &deep, next_deep, &mut rng) {
                next_deep = used + 1;
                continue;
            }
        }
        if let Some(used) = reveal_by_next(world, subject, &surface, next_surface, &mut rng) {
            next_surface = used + 1;
        }
        let more = [0, 0, 0, 1, 1, 2][rng.below(6)];
        for _ in 0..more {
            let start = rng.below(surface.len());
            reveal_by_next(world, subject, &surface, start, &mut rng);
        }
    }
}

/// Uses the first way from `start` on (around the table) that suits the subject; gives its index.
fn reveal_by_next(
    world: &mut World,
    subject: Subject,
    ways: &[&'static Way],
    start: usize,
    rng: &mut Rng,
) -> Option<usize> {
    (0..ways.len())
        .map(|step| (start + step) % ways.len())
        .find(|&index| reveal(world, subject, ways[index], rng).is_some())
}

/// Uses the way that was used least of those that suit the subject; gives its index.
fn reveal_by_least_used(
    world: &mut World,
    subject: Subject,
    ways: &[&'static Way],
    uses: &[usize],
    rng: &mut Rng,
) -> Option<usize> {
    let mut order: Vec<usize> = (0..ways.len()).collect();
    // Every web begins elsewhere, so that small ones together use all.
    order.sort_by_key(|&index| (uses[index], mix(world.seed, index as u64)));
    order.into_iter().find(|&index| reveal(world, subject, ways[index], rng).is_some())
}

fn reveal(world: &mut World, subject: Subject, way: &'static Way, rng: &mut Rng) -> Option<()> {
    let mut shown = show(world, subject, way, rng)?;
    let own_host = host_of(world, subject);
    let page = if matches!(way.form, Form::Sitemap) {
        let host = &world.hosts[own_host];
        if host.sitemap == SitemapShape::None || host.pages.is_empty() {
            return None;
        }
        host.pages.start
    } else {
        draw_page(world, own_host, rng)?
    };
    let page_host = world.pages[page].host;
    shown.number = world.reveals.len();
    let id = world.reveals.len();
    match &way.form {
        Form::Sitemap => world.hosts[own_host].sitemap_urls.push(shown.url.clone()),
        Form::Redirect => {
            let path = format!("/go/{id}");
            shown.document = world.hosts[page_host].url(&path);
            world.hosts[page_host].routes.insert(path, Route::Document(id));
        }
        Form::Document { path, .. } => {
            let path = path(id);
            shown.document = world.hosts[page_host].url(&path);
            world.hosts[page_host].routes.insert(path, Route::Document(id));
        }
        Form::Base if has_base(world, page) => return None,
        Form::Record => {
            let catalogues: Vec<usize> =
                (0..world.services.len()).filter(|&s| world.services[s].kind == Kind::Csw).collect();
            if catalogues.is_empty() {
                return None;
            }
            let catalogue = *rng.pick(&catalogues);
            let record = Record { title: shown.title.clone(), url: shown.url.clone(), kind: shown.kind };
            world.services[catalogue].records.push(record);
        }
        _ => {}
    }
    world.page_reveals.entry(page).or_default().push(id);
    world.reveals.push(Reveal { subject, way, page, shown });
    Some(())
}

fn has_base(world: &World, page: usize) -> bool {
    world
        .page_reveals
        .get(&page)
        .is_some_and(|all| all.iter().any(|&reveal| matches!(world.reveals[reveal].way.form, Form::Base)))
}

fn host_of(world: &World, subject: Subject) -> usize {
    match subject {
        Subject::Endpoint(id) => world.endpoints[id].host,
        Subject::File(id) => world.files[id].host,
        Subject::Negative(id) => world.negatives[id].host,
    }
}

/// Mostly a page of the same host, often one near its front; else of a host that links in the same cluster.
fn draw_page(world: &World, own_host: usize, rng: &mut Rng) -> Option<usize> {
    let host = if rng.percent(72) {
        own_host
    } else {
        let cluster = world.hosts[own_host].cluster;
        let near: Vec<usize> = (0..world.hosts.len())
            .filter(|&h| world.hosts[h].role == Role::Portal || world.hosts[h].cluster == cluster)
            .collect();
        *rng.pick(&near)
    };
    let pages = world.hosts[host].pages.clone();
    if pages.is_empty() {
        return None;
    }
    let span = if rng.percent(50) { pages.len().min(12) } else { pages.len() };
    Some(pages.start + rng.below(span))
}

/// The URL and words for a way; `None` where the way does not suit the subject.
fn show(world: &World, subject: Subject, way: &Way, rng: &mut Rng) -> Option<Shown> {
    match subject {
        Subject::Endpoint(id) => show_endpoint(world, id, way, rng),
        Subject::File(id) => {
            let file = &world.files[id];
            if !way.suits(file.kind) || !suits_file(way, file.hinted) {
                return None;
            }
            let url = world.hosts[file.host].url(&file.target);
            Some(Shown { url, kind: file.kind, title: file.title.clone(), ..Shown::default() })
        }
        Subject::Negative(id) => {
            let negative = &world.negatives[id];
            if way.level.is_some() || !suits_file(way, true) {
                return None;
            }
            let title = world.hosts[negative.host].title.clone();
            Some(Shown { url: negative.url.clone(), kind: "wms", title, ..Shown::default() })
        }
    }
}

/// Ways that can show a URL that is not a service request. A URL without any hint is only followed as a link.
fn suits_file(way: &Way, hinted: bool) -> bool {
    if matches!(way.url, UrlForm::Operation | UrlForm::Image)
        || matches!(way.tag, "form" | "href-double-escaped")
    {
        return false;
    }
    if way.level.is_some() {
        // Scripts that show files name their kinds.
        return hinted && !way.kinds.is_empty();
    }
    let is_link = matches!(
        way.tag,
        "href-capabilities"
            | "href-unescaped"
            | "iframe"
            | "area"
            | "link"
            | "base-href"
            | "sitemap"
            | "redirect"
            | "frame"
            | "meta-refresh"
            | "rss"
            | "atom"
    );
    hinted || is_link || !way.surface
}

fn show_endpoint(world: &World, id: usize, way: &Way, rng: &mut Rng) -> Option<Shown> {
    let endpoint = &world.endpoints[id];
    let mut service = &world.services[*rng.pick(&endpoint.services)];
    if !way.kinds.is_empty() {
        let mut mine = endpoint.services.iter().map(|&service| &world.services[service]);
        service = mine.find(|service| way.suits(service.kind.id()))?;
    }
    let host = &world.hosts[endpoint.host];
    let name = match &host.twin {
        Some(twin) if rng.percent(40) => twin,
        _ => &host.name,
    };
    let target = match &endpoint.moved_from {
        Some(old) if rng.percent(50) && way.surface => old.clone(),
        _ => endpoint.target(),
    };
    let base = format!("http://{name}{target}");
    let layer = service.datasets.first().map(|d| d.name.clone()).unwrap_or_default();
    let url = match way.url {
        _ if endpoint.restful && matches!(way.url, UrlForm::Operation | UrlForm::Image) => return None,
        // Libraries want the address of a service, which a document in a folder is not.
        _ if endpoint.restful && !way.kinds.is_empty() && way.tag != "js:wmts-capabilities" => return None,
        _ if endpoint.restful => base.clone(),
        UrlForm::Capabilities => capabilities_url(&base, service.kind, &service.versions, rng),
        // A redirecting alias without a hint of its own would only be a page.
        UrlForm::Endpoint if !endpoint.hinted || target != endpoint.target() => return None,
        UrlForm::Endpoint => base.clone(),
        UrlForm::Operation => operation_url(&base, service.kind, &layer),
        UrlForm::Image if matches!(service.kind, Kind::Wms | Kind::Wmts) => {
            operation_url(&base, service.kind, &layer)
        }
        UrlForm::Image => return None,
    };
    Some(Shown { url, kind: service.kind.id(), title: service.title.clone(), layer, ..Shown::default() })
}

fn join(base: &str, parameters: &str) -> String {
    let separator = if base.contains('?') { '&' } else { '?' };
    format!("{base}{separator}{parameters}")
}

fn capabilities_url(base: &str, kind: Kind, versions: &[&str], rng: &mut Rng) -> String {
    let service = kind.upper();
    let version = versions[versions.len() - 1];
    if versions == ["1.0.0"] && kind == Kind::Wms && rng.percent(50) {
        return join(base, "WMTVER=1.0.0&REQUEST=capabilities");
    }
    let parameters = match rng.below(6) {
        0 | 1 => format!("SERVICE={service}&REQUEST=GetCapabilities"),
        2 => format!("service={service}&version={version}&request=GetCapabilities"),
        3 => format!("request=GetCapabilities&service={service}"),
        4 => format!("REQUEST=GetCapabilities&SERVICE={service}&VERSION={version}&"),
        _ => format!("Service={}&Request=GetCapabilities", service.to_ascii_lowercase()),
    };
    match base.split_once('?') {
        // The vendor parameter may stand anywhere.
        Some((path, vendor)) if rng.percent(40) => format!("{path}?{parameters}&{vendor}").replace("&&", "&"),
        _ => join(base, &parameters),
    }
}

fn operation_url(base: &str, kind: Kind, layer: &str) -> String {
    let layer = layer.replace(':', "%3A");
    let parameters = match kind {
        Kind::Wms => format!(
            "SERVICE=WMS&VERSION=1.1.1&REQUEST=GetMap&LAYERS={layer}&STYLES=&SRS=EPSG:4326&BBOX=5,47,15,55&WIDTH=400&HEIGHT=300&FORMAT=image/png"
        ),
        Kind::Wfs => format!("service=WFS&version=1.1.0&request=GetFeature&typeName={layer}&maxFeatures=10"),
        Kind::Wcs => format!("service=WCS&version=2.0.1&request=DescribeCoverage&coverageId={layer}"),
        Kind::Wmts => format!(
            "SERVICE=WMTS&REQUEST=GetTile&VERSION=1.0.0&LAYER={layer}&STYLE=default&TILEMATRIXSET=WebMercatorQuad&TILEMATRIX=5&TILEROW=10&TILECOL=16&FORMAT=image/png"
        ),
        Kind::Wps => format!("service=WPS&version=1.0.0&request=DescribeProcess&identifier={layer}"),
        Kind::Sos => "service=SOS&version=1.0.0&request=DescribeSensor&procedure=urn:sensor:0".to_owned(),
        Kind::Csw => {
            "service=CSW&version=2.0.2&request=GetRecords&typeNames=csw:Record&resultType=hits".to_owned()
        }
    };
    join(base, &parameters)
}
