//! Distribution of services over hosts, and their content.

use super::{HostRole, HostRoute, PlannedHost, WebSize, WorldPlan};
use crate::lexicon::parse_pairs;
use crate::prose::draw_sentence;
use crate::rng::SeededRng;
use crate::service::{
    DocumentQuirk, EndpointBehaviour, LayerGroup, OgcKind, PlannedDataset, PlannedEndpoint, PlannedService,
    ServerSoftware,
};
use std::time::Duration;

/// A path where some software has its services.
struct ServiceSite {
    software: ServerSoftware,
    /// `{w}` is a workspace or theme slug.
    path: &'static str,
    /// Vendor parameter and its value pattern.
    vendor: Option<(&'static str, &'static str)>,
    kinds: &'static [OgcKind],
    /// Whether the path alone reveals that services are here.
    hinted: bool,
    restful: bool,
}

const fn site(software: ServerSoftware, path: &'static str, kinds: &'static [OgcKind]) -> ServiceSite {
    ServiceSite { software, path, vendor: None, kinds, hinted: true, restful: false }
}

const SITES: &[ServiceSite] = &[
    site(ServerSoftware::GeoServer, "/geoserver/{w}/wms", &[OgcKind::Wms]),
    site(ServerSoftware::GeoServer, "/geoserver/{w}/wfs", &[OgcKind::Wfs]),
    site(ServerSoftware::GeoServer, "/geoserver/{w}/ows", &[OgcKind::Wms, OgcKind::Wfs, OgcKind::Wcs]),
    site(ServerSoftware::GeoServer, "/geoserver/gwc/service/wmts", &[OgcKind::Wmts]),
    ServiceSite {
        vendor: Some(("map", "/srv/maps/{w}.map")),
        ..site(ServerSoftware::MapServer, "/cgi-bin/mapserv", &[OgcKind::Wms, OgcKind::Wfs])
    },
    ServiceSite {
        vendor: Some(("map", "/srv/maps/{w}.map")),
        ..site(ServerSoftware::MapServer, "/cgi-bin/mapserv", &[OgcKind::Wms])
    },
    ServiceSite {
        vendor: Some(("MAP", "/home/qgis/{w}.qgs")),
        ..site(ServerSoftware::Qgis, "/cgi-bin/qgis_mapserv.fcgi", &[OgcKind::Wms, OgcKind::Wfs])
    },
    site(ServerSoftware::ArcGis, "/arcgis/services/{w}/MapServer/WMSServer", &[OgcKind::Wms]),
    site(ServerSoftware::ArcGis, "/arcgis/services/{w}/MapServer/WFSServer", &[OgcKind::Wfs]),
    site(ServerSoftware::ArcGis, "/arcgis/services/{w}/ImageServer/WCSServer", &[OgcKind::Wcs]),
    ServiceSite {
        restful: true,
        ..site(
            ServerSoftware::ArcGis,
            "/arcgis/rest/services/{w}/MapServer/WMTS/1.0.0/WMTSCapabilities.xml",
            &[OgcKind::Wmts],
        )
    },
    site(ServerSoftware::Deegree, "/deegree/services/wms_{w}", &[OgcKind::Wms]),
    site(ServerSoftware::Deegree, "/deegree/services/csw", &[OgcKind::Csw]),
    site(ServerSoftware::MapProxy, "/mapproxy/{w}/service", &[OgcKind::Wms, OgcKind::Wmts]),
    ServiceSite {
        restful: true,
        ..site(ServerSoftware::MapProxy, "/mapproxy/{w}/wmts/1.0.0/WMTSCapabilities.xml", &[OgcKind::Wmts])
    },
    site(ServerSoftware::Plain, "/wms/{w}", &[OgcKind::Wms]),
    site(ServerSoftware::Plain, "/{w}/wfs", &[OgcKind::Wfs]),
    site(ServerSoftware::Plain, "/ows/{w}", &[OgcKind::Wms, OgcKind::Wcs]),
    site(ServerSoftware::Plain, "/csw", &[OgcKind::Csw]),
    site(ServerSoftware::Plain, "/geonetwork/srv/eng/csw", &[OgcKind::Csw]),
    site(ServerSoftware::Plain, "/sos/{w}", &[OgcKind::Sos]),
    site(ServerSoftware::Plain, "/52n-sos-webapp/sos/kvp", &[OgcKind::Sos]),
    site(ServerSoftware::Plain, "/wps/WebProcessingService", &[OgcKind::Wps]),
    site(ServerSoftware::Plain, "/{w}/wps", &[OgcKind::Wps]),
    site(ServerSoftware::Plain, "/thredds/wcs/{w}.nc", &[OgcKind::Wcs]),
    site(ServerSoftware::Plain, "/rasdaman/ows", &[OgcKind::Wcs, OgcKind::Wms]),
    ServiceSite {
        vendor: Some(("dienst", "{w}")),
        hinted: false,
        ..site(ServerSoftware::Plain, "/karten/dienst.php", &[OgcKind::Wms])
    },
    ServiceSite { hinted: false, ..site(ServerSoftware::Plain, "/servlet/GeoDienst_{w}", &[OgcKind::Wfs]) },
];

/// Plans the services of all hosts. Kinds are distributed very unevenly on the real web; cycling
/// through the table makes sure that every kind occurs.
pub(super) fn plan_services(world: &mut WorldPlan, size: WebSize, rng: SeededRng) {
    let geo: Vec<usize> = (0..world.hosts.len()).filter(|&h| world.hosts[h].role == HostRole::Geo).collect();
    let mut next_site = 0;
    for &host in &geo {
        let mut rng = rng.fork(host as u64);
        let count = if size.even { 1 } else { rng.range(2, 9) };
        for _ in 0..count {
            // Half of the endpoints cycle through the table, so that even a small web contains
            // every form.
            let index = if rng.percent(50) { next_site } else { rng.below(SITES.len()) };
            next_site = (index + 1) % SITES.len();
            endpoint(world, host, &SITES[index], &mut rng);
        }
    }
    // One document of several megabytes in every web of some size.
    if let Some(&host) = geo.get(3).filter(|_| !size.even) {
        let mut rng = rng.fork(0xB16);
        let before = world.services.len();
        endpoint(world, host, &SITES[0], &mut rng);
        if let Some(service) = world.services.get_mut(before) {
            service.quirk = DocumentQuirk::None;
            let sample = service.datasets.clone();
            for number in 0..1500 {
                let mut dataset = sample[number % sample.len()].clone();
                dataset.name = format!("{}_{number}", dataset.name);
                service.datasets.push(dataset);
            }
            service.datasets.sort_by_key(|d| d.group);
        }
    }
}

fn endpoint(world: &mut WorldPlan, host: usize, site: &ServiceSite, rng: &mut SeededRng) {
    let owner = &world.hosts[host];
    let themes: Vec<(&str, &str)> = parse_pairs(owner.lexicon().themes).collect();
    let (slug, theme) = *rng.pick(&themes);
    let path = site.path.replace("{w}", slug);
    let vendor = site.vendor.map(|(key, value)| (key, value.replace("{w}", slug)));
    let id = world.endpoints.len();
    let taken = match owner.routes.get(&path) {
        Some(HostRoute::Endpoints(others)) => {
            vendor.is_none() || others.iter().any(|&other| world.endpoints[other].vendor == vendor)
        }
        Some(_) => true,
        None => false,
    };
    if taken {
        return;
    }
    let single = site.kinds.len() == 1;
    let manners = EndpointBehaviour {
        needs_version: !site.restful && site.hinted && rng.percent(8),
        ignores_service: single && !site.restful && rng.percent(8),
        bare_is_capabilities: single && rng.percent(15),
        wrong_type: rng.percent(10),
        advertises_internal_host: rng.percent(10),
        errors_with_400: rng.percent(30),
    };
    let delay = match rng.below(100) {
        0 => Duration::from_millis(2500),
        1..5 => Duration::from_millis(400),
        _ => Duration::ZERO,
    };
    let moved_from = (vendor.is_none() && !site.restful && rng.percent(8))
        .then(|| format!("/{}/{slug}/alt-{id}", site.kinds[0].id()));
    let mut services = Vec::new();
    for &kind in site.kinds {
        services.push(world.services.len());
        let service = service(&world.hosts[host], kind, slug, theme, rng);
        world.services.push(service);
    }
    let owner = &mut world.hosts[host];
    if let Some(HostRoute::Endpoints(others)) = owner.routes.get_mut(&path) {
        others.push(id);
    } else {
        owner.routes.insert(path.clone(), HostRoute::Endpoints(vec![id]));
    }
    if let Some(old) = &moved_from {
        let status = *rng.pick(&[301, 302, 307, 308]);
        owner.routes.insert(old.clone(), HostRoute::Moved(status, path.clone()));
    }
    world.endpoints.push(PlannedEndpoint {
        host,
        path,
        vendor,
        software: site.software,
        manners,
        services,
        hinted: site.hinted,
        restful: site.restful,
        delay,
        moved_from,
    });
}

fn service(
    host: &PlannedHost,
    kind: OgcKind,
    slug: &str,
    theme: &str,
    rng: &mut SeededRng,
) -> PlannedService {
    let lexicon = host.lexicon();
    let count = match (kind, rng.below(100)) {
        (OgcKind::Csw, _) => 0,
        (OgcKind::Wps, _) => rng.range(2, 12),
        (_, 0..60) => rng.range(1, 9),
        (_, 60..92) => rng.range(10, 45),
        _ => rng.range(46, 160),
    };
    let groups = if kind == OgcKind::Wms && count > 4 && rng.percent(50) { rng.range(2, 5) } else { 1 };
    let mut datasets: Vec<PlannedDataset> =
        (0..count).map(|index| dataset(host, kind, index, groups, rng)).collect();
    datasets.sort_by_key(|d| d.group);
    let bbox = union(&datasets).unwrap_or(lexicon.area);
    let quirk = match (kind, rng.below(40)) {
        (OgcKind::Wms | OgcKind::Wfs, 0) if count > 0 => DocumentQuirk::Truncated,
        (_, 1) => DocumentQuirk::LeadingNewline,
        (_, 2) => DocumentQuirk::Bom,
        (OgcKind::Wms | OgcKind::Wfs, 3) => DocumentQuirk::UnescapedAmpersand,
        (OgcKind::Wms, 4) => DocumentQuirk::NoNamespace,
        (_, 5) if host.charset == crate::charset::PageCharset::Latin1 => DocumentQuirk::Latin1,
        (_, 6) => DocumentQuirk::Utf16,
        (_, 7) => DocumentQuirk::LongProlog,
        _ => DocumentQuirk::None,
    };
    let versions = rng.pick(kind.version_sets()).to_vec();
    let words = rng.range(8, 20);
    PlannedService {
        kind,
        wcps: kind == OgcKind::Wcs && versions.contains(&"2.0.1") && rng.percent(35),
        versions,
        title: format!("{} {theme} {}", kind.service_parameter(), host.organisation),
        abstract_: draw_sentence(lexicon, rng, words),
        keywords: vec![slug.to_owned(), theme.to_owned(), kind.service_parameter().to_owned()],
        provider: host.organisation.clone(),
        email: format!("gis@{}", host.name),
        language: lexicon.code,
        groups: (0..groups)
            .map(|index| LayerGroup {
                name: (groups > 1 && rng.percent(40)).then(|| format!("{slug}_gruppe_{index}")),
                title: draw_sentence(lexicon, rng, 3),
            })
            .collect(),
        root_name: (kind == OgcKind::Wms && rng.percent(30)).then(|| format!("{slug}_root")),
        datasets,
        bbox,
        quirk,
        epsg: *rng.pick(&[25832, 3035, 2154, 27700, 32633, 3006, 6668]),
        records: Vec::new(),
    }
}

fn dataset(
    host: &PlannedHost,
    kind: OgcKind,
    index: usize,
    groups: usize,
    rng: &mut SeededRng,
) -> PlannedDataset {
    let lexicon = host.lexicon();
    let themes: Vec<(&str, &str)> = parse_pairs(lexicon.themes).collect();
    let (slug, title) = *rng.pick(&themes);
    let year = rng.range(1998, 2026);
    let name = match kind {
        OgcKind::Wfs if rng.percent(60) => format!("app:{slug}_{index}"),
        OgcKind::Wps => format!("process.{slug}.{index}"),
        OgcKind::Sos => format!("offering_{slug}_{index}"),
        OgcKind::Wms if index < 4 && host.title.len().is_multiple_of(7) => format!("{index}"),
        _ => format!("{slug}_{year}_{index}"),
    };
    let words = rng.range(4, 16);
    PlannedDataset {
        name,
        title: format!("{title} {year}"),
        abstract_: draw_sentence(lexicon, rng, words),
        keywords: vec![slug.to_owned(), title.to_owned()],
        bbox: draw_box(lexicon.area, rng),
        group: index * groups / 1000 + index % groups,
        time: rng.percent(8).then(|| format!("{year}-01-01/{}-12-31/P1D", year + 1)),
    }
}

/// Returns a box inside `area`, rounded so that its text and its numbers agree.
pub(super) fn draw_box([w, s, e, n]: [f64; 4], rng: &mut SeededRng) -> [f64; 4] {
    let (width, height) = (e - w, n - s);
    let west = w + width * 0.6 * rng.unit();
    let south = s + height * 0.6 * rng.unit();
    let east = west + width * (0.05 + 0.35 * rng.unit());
    let north = south + height * (0.05 + 0.35 * rng.unit());
    [west, south, east, north].map(|v| (v * 1e4).round() / 1e4)
}

fn union(datasets: &[PlannedDataset]) -> Option<[f64; 4]> {
    datasets
        .iter()
        .map(|d| d.bbox)
        .reduce(|a, b| [a[0].min(b[0]), a[1].min(b[1]), a[2].max(b[2]), a[3].max(b[3])])
}
