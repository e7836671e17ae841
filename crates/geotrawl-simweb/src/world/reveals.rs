//! Where and how every service, file and look-alike is revealed.

use super::{HostRole, HostRoute, PlannedReveal, RevealSubject, SitemapShape, WorldPlan};
use crate::reveal::{
    RevealForm, RevealWay, ShownResource, UrlForm, other_deep_ways, script_ways, surface_ways,
};
use crate::rng::{SeededRng, mix_seeds};
use crate::service::{CatalogueEntry, OgcKind};

pub(super) fn plan_reveals(world: &mut WorldPlan, mut rng: SeededRng) {
    let subjects: Vec<RevealSubject> = (0..world.endpoints.len())
        .map(RevealSubject::Endpoint)
        .chain((0..world.files.len()).map(RevealSubject::File))
        .chain((0..world.negatives.len()).map(RevealSubject::Negative))
        .collect();
    let scripts: Vec<&'static RevealWay> = script_ways().collect();
    let deep: Vec<&'static RevealWay> = other_deep_ways().collect();
    let surface: Vec<&'static RevealWay> = surface_ways().iter().collect();
    // Cycle through each table, so that every method is used. Most script methods suit only a few
    // kinds, so of those that suit, the least used one comes next.
    let (mut next_deep, mut next_surface) = (0, 0);
    let mut script_uses = vec![0_usize; scripts.len()];
    for subject in subjects {
        let deep_share = if matches!(subject, RevealSubject::Endpoint(_)) { 20 } else { 8 };
        if !matches!(subject, RevealSubject::Negative(_)) && rng.percent(deep_share) {
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

/// Uses the first suitable method from `start` on (cyclically); returns its index.
fn reveal_by_next(
    world: &mut WorldPlan,
    subject: RevealSubject,
    ways: &[&'static RevealWay],
    start: usize,
    rng: &mut SeededRng,
) -> Option<usize> {
    (0..ways.len())
        .map(|step| (start + step) % ways.len())
        .find(|&index| reveal(world, subject, ways[index], rng).is_some())
}

/// Uses the least used suitable method; returns its index.
fn reveal_by_least_used(
    world: &mut WorldPlan,
    subject: RevealSubject,
    ways: &[&'static RevealWay],
    uses: &[usize],
    rng: &mut SeededRng,
) -> Option<usize> {
    let mut order: Vec<usize> = (0..ways.len()).collect();
    // Every web starts at a different method, so that small webs together use all of them.
    order.sort_by_key(|&index| (uses[index], mix_seeds(world.seed, index as u64)));
    order.into_iter().find(|&index| reveal(world, subject, ways[index], rng).is_some())
}

fn reveal(
    world: &mut WorldPlan,
    subject: RevealSubject,
    way: &'static RevealWay,
    rng: &mut SeededRng,
) -> Option<()> {
    let mut shown = show(world, subject, way, rng)?;
    let own_host = host_of(world, subject);
    let page = if matches!(way.form, RevealForm::Sitemap) {
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
        RevealForm::Sitemap => world.hosts[own_host].sitemap_urls.push(shown.url.clone()),
        RevealForm::Redirect => {
            let path = format!("/go/{id}");
            shown.document = world.hosts[page_host].url(&path);
            world.hosts[page_host].routes.insert(path, HostRoute::Document(id));
        }
        RevealForm::Document { path, .. } => {
            let path = path(id);
            shown.document = world.hosts[page_host].url(&path);
            world.hosts[page_host].routes.insert(path, HostRoute::Document(id));
        }
        // A page can have only one `base` element.
        RevealForm::Base if has_base(world, page) => return None,
        RevealForm::Record => {
            let catalogues: Vec<usize> =
                (0..world.services.len()).filter(|&s| world.services[s].kind == OgcKind::Csw).collect();
            if catalogues.is_empty() {
                return None;
            }
            let catalogue = *rng.pick(&catalogues);
            let record =
                CatalogueEntry { title: shown.title.clone(), url: shown.url.clone(), kind: shown.kind };
            world.services[catalogue].records.push(record);
        }
        _ => {}
    }
    world.page_reveals.entry(page).or_default().push(id);
    world.reveals.push(PlannedReveal { subject, way, page, shown });
    Some(())
}

fn has_base(world: &WorldPlan, page: usize) -> bool {
    world.page_reveals.get(&page).is_some_and(|all| {
        all.iter().any(|&reveal| matches!(world.reveals[reveal].way.form, RevealForm::Base))
    })
}

fn host_of(world: &WorldPlan, subject: RevealSubject) -> usize {
    match subject {
        RevealSubject::Endpoint(id) => world.endpoints[id].host,
        RevealSubject::File(id) => world.files[id].host,
        RevealSubject::Negative(id) => world.negatives[id].host,
    }
}

/// Draws a page, mostly of the same host and near its front page, else of a host in the same
/// cluster.
fn draw_page(world: &WorldPlan, own_host: usize, rng: &mut SeededRng) -> Option<usize> {
    let host = if rng.percent(72) {
        own_host
    } else {
        let cluster = world.hosts[own_host].cluster;
        let near: Vec<usize> = (0..world.hosts.len())
            .filter(|&h| world.hosts[h].role == HostRole::Portal || world.hosts[h].cluster == cluster)
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

/// Returns the URL and text for a method; `None` if the method does not suit the subject.
fn show(
    world: &WorldPlan,
    subject: RevealSubject,
    way: &RevealWay,
    rng: &mut SeededRng,
) -> Option<ShownResource> {
    match subject {
        RevealSubject::Endpoint(id) => show_endpoint(world, id, way, rng),
        RevealSubject::File(id) => {
            let file = &world.files[id];
            if !way.suits(file.kind) || !suits_file(way, file.hinted) {
                return None;
            }
            let url = world.hosts[file.host].url(&file.target);
            Some(ShownResource {
                url,
                kind: file.kind,
                title: file.title.clone(),
                ..ShownResource::default()
            })
        }
        RevealSubject::Negative(id) => {
            let negative = &world.negatives[id];
            if way.level.is_some() || !suits_file(way, true) {
                return None;
            }
            let title = world.hosts[negative.host].title.clone();
            Some(ShownResource { url: negative.url.clone(), kind: "wms", title, ..ShownResource::default() })
        }
    }
}

/// Whether a method can show a URL that is not a service request. A URL without any hint is only
/// followed as a link.
fn suits_file(way: &RevealWay, hinted: bool) -> bool {
    if matches!(way.url, UrlForm::Operation | UrlForm::Image)
        || matches!(way.tag, "form" | "href-double-escaped")
    {
        return false;
    }
    if way.level.is_some() {
        // Script methods that show files list their kinds.
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

fn show_endpoint(
    world: &WorldPlan,
    id: usize,
    way: &RevealWay,
    rng: &mut SeededRng,
) -> Option<ShownResource> {
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
        // RESTful endpoints are documents, but script libraries expect the address of a service.
        _ if endpoint.restful && !way.kinds.is_empty() && way.tag != "js:wmts-capabilities" => return None,
        _ if endpoint.restful => base.clone(),
        UrlForm::Capabilities => capabilities_url(&base, service.kind, &service.versions, rng),
        // A redirecting alias without a hint would be treated as a page.
        UrlForm::Endpoint if !endpoint.hinted || target != endpoint.target() => return None,
        UrlForm::Endpoint => base.clone(),
        UrlForm::Operation => operation_url(&base, service.kind, &layer),
        UrlForm::Image if matches!(service.kind, OgcKind::Wms | OgcKind::Wmts) => {
            operation_url(&base, service.kind, &layer)
        }
        UrlForm::Image => return None,
    };
    Some(ShownResource {
        url,
        kind: service.kind.id(),
        title: service.title.clone(),
        layer,
        ..ShownResource::default()
    })
}

fn join(base: &str, parameters: &str) -> String {
    let separator = if base.contains('?') { '&' } else { '?' };
    format!("{base}{separator}{parameters}")
}

fn capabilities_url(base: &str, kind: OgcKind, versions: &[&str], rng: &mut SeededRng) -> String {
    let service = kind.service_parameter();
    let version = versions[versions.len() - 1];
    if versions == ["1.0.0"] && kind == OgcKind::Wms && rng.percent(50) {
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

fn operation_url(base: &str, kind: OgcKind, layer: &str) -> String {
    let layer = layer.replace(':', "%3A");
    let parameters = match kind {
        OgcKind::Wms => format!(
            "SERVICE=WMS&VERSION=1.1.1&REQUEST=GetMap&LAYERS={layer}&STYLES=&SRS=EPSG:4326&BBOX=5,47,15,55&WIDTH=400&HEIGHT=300&FORMAT=image/png"
        ),
        OgcKind::Wfs => {
            format!("service=WFS&version=1.1.0&request=GetFeature&typeName={layer}&maxFeatures=10")
        }
        OgcKind::Wcs => format!("service=WCS&version=2.0.1&request=DescribeCoverage&coverageId={layer}"),
        OgcKind::Wmts => format!(
            "SERVICE=WMTS&REQUEST=GetTile&VERSION=1.0.0&LAYER={layer}&STYLE=default&TILEMATRIXSET=WebMercatorQuad&TILEMATRIX=5&TILEROW=10&TILECOL=16&FORMAT=image/png"
        ),
        OgcKind::Wps => format!("service=WPS&version=1.0.0&request=DescribeProcess&identifier={layer}"),
        OgcKind::Sos => "service=SOS&version=1.0.0&request=DescribeSensor&procedure=urn:sensor:0".to_owned(),
        OgcKind::Csw => {
            "service=CSW&version=2.0.2&request=GetRecords&typeNames=csw:Record&resultType=hits".to_owned()
        }
    };
    join(base, &parameters)
}
