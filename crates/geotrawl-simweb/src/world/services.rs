//! Which services stand on which hosts, and what they offer.

use super::{Host, Role, Route, Size, World};
use crate::lexicon::pairs;
use crate::prose::sentence;
use crate::rng::Rng;
use crate::service::{Dataset, Endpoint, Group, Kind, Manners, Quirk, Service, Software};
use std::time::Duration;

/// A place where software of a kind puts its services.
struct Site {
    software: Software,
    /// `{w}` is a workspace or theme slug.
    path: &'static str,
    /// Vendor parameter and its value pattern.
    vendor: Option<(&'static str, &'static str)>,
    kinds: &'static [Kind],
    /// Whether the path alone tells that services live here.
    hinted: bool,
    restful: bool,
}

const fn site(software: Software, path: &'static str, kinds: &'static [Kind]) -> Site {
    Site { software, path, vendor: None, kinds, hinted: true, restful: false }
}

const SITES: &[Site] = &[
    site(Software::GeoServer, "/geoserver/{w}/wms", &[Kind::Wms]),
    site(Software::GeoServer, "/geoserver/{w}/wfs", &[Kind::Wfs]),
    site(Software::GeoServer, "/geoserver/{w}/ows", &[Kind::Wms, Kind::Wfs, Kind::Wcs]),
    site(Software::GeoServer, "/geoserver/gwc/service/wmts", &[Kind::Wmts]),
    Site {
        vendor: Some(("map", "/srv/maps/{w}.map")),
        ..site(Software::MapServer, "/cgi-bin/mapserv", &[Kind::Wms, Kind::Wfs])
    },
    Site {
        vendor: Some(("map", "/srv/maps/{w}.map")),
        ..site(Software::MapServer, "/cgi-bin/mapserv", &[Kind::Wms])
    },
    Site {
        vendor: Some(("MAP", "/home/qgis/{w}.qgs")),
        ..site(Software::Qgis, "/cgi-bin/qgis_mapserv.fcgi", &[Kind::Wms, Kind::Wfs])
    },
    site(Software::ArcGis, "/arcgis/services/{w}/MapServer/WMSServer", &[Kind::Wms]),
    site(Software::ArcGis, "/arcgis/services/{w}/MapServer/WFSServer", &[Kind::Wfs]),
    site(Software::ArcGis, "/arcgis/services/{w}/ImageServer/WCSServer", &[Kind::Wcs]),
    Site {
        restful: true,
        ..site(
            Software::ArcGis,
            "/arcgis/rest/services/{w}/MapServer/WMTS/1.0.0/WMTSCapabilities.xml",
            &[Kind::Wmts],
        )
    },
    site(Software::Deegree, "/deegree/services/wms_{w}", &[Kind::Wms]),
    site(Software::Deegree, "/deegree/services/csw", &[Kind::Csw]),
    site(Software::MapProxy, "/mapproxy/{w}/service", &[Kind::Wms, Kind::Wmts]),
    Site {
        restful: true,
        ..site(Software::MapProxy, "/mapproxy/{w}/wmts/1.0.0/WMTSCapabilities.xml", &[Kind::Wmts])
    },
    site(Software::Plain, "/wms/{w}", &[Kind::Wms]),
    site(Software::Plain, "/{w}/wfs", &[Kind::Wfs]),
    site(Software::Plain, "/ows/{w}", &[Kind::Wms, Kind::Wcs]),
    site(Software::Plain, "/csw", &[Kind::Csw]),
    site(Software::Plain, "/geonetwork/srv/eng/csw", &[Kind::Csw]),
    site(Software::Plain, "/sos/{w}", &[Kind::Sos]),
    site(Software::Plain, "/52n-sos-webapp/sos/kvp", &[Kind::Sos]),
    site(Software::Plain, "/wps/WebProcessingService", &[Kind::Wps]),
    site(Software::Plain, "/{w}/wps", &[Kind::Wps]),
    site(Software::Plain, "/thredds/wcs/{w}.nc", &[Kind::Wcs]),
    site(Software::Plain, "/rasdaman/ows", &[Kind::Wcs, Kind::Wms]),
    Site {
        vendor: Some(("dienst", "{w}")),
        hinted: false,
        ..site(Software::Plain, "/karten/dienst.php", &[Kind::Wms])
    },
    Site { hinted: false, ..site(Software::Plain, "/servlet/GeoDienst_{w}", &[Kind::Wfs]) },
];

/// Share of the kinds on the real web is very uneven; drawing a site by this order keeps every kind present.
pub(super) fn plan(world: &mut World, size: Size, rng: Rng) {
    let geo: Vec<usize> = (0..world.hosts.len()).filter(|&h| world.hosts[h].role == Role::Geo).collect();
    let mut next_site = 0;
    for &host in &geo {
        let mut rng = rng.fork(host as u64);
        let count = if size.even { 1 } else { rng.range(2, 9) };
        for _ in 0..count {
            // Half of the endpoints walk through the table, so that even a small web has every form.
            let index = if rng.percent(50) { next_site } else { rng.below(SITES.len()) };
            next_site = (index + 1) % SITES.len();
            endpoint(world, host, &SITES[index], &mut rng);
        }
    }
    // One document of some megabytes in every web of some size.
    if let Some(&host) = geo.get(3).filter(|_| !size.even) {
        let mut rng = rng.fork(0xB16);
        let before = world.services.len();
        endpoint(world, host, &SITES[0], &mut rng);
        if let Some(service) = world.services.get_mut(before) {
            service.quirk = Quirk::None;
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

fn endpoint(world: &mut World, host: usize, site: &Site, rng: &mut Rng) {
    let owner = &world.hosts[host];
    let themes: Vec<(&str, &str)> = pairs(owner.lexicon().themes).collect();
    let (slug, theme) = *rng.pick(&themes);
    let path = site.path.replace("{w}", slug);
    let vendor = site.vendor.map(|(key, value)| (key, value.replace("{w}", slug)));
    let id = world.endpoints.len();
    let taken = match owner.routes.get(&path) {
        Some(Route::Endpoints(others)) => {
            vendor.is_none() || others.iter().any(|&other| world.endpoints[other].vendor == vendor)
        }
        Some(_) => true,
        None => false,
    };
    if taken {
        return;
    }
    let single = site.kinds.len() == 1;
    let manners = Manners {
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
    if let Some(Route::Endpoints(others)) = owner.routes.get_mut(&path) {
        others.push(id);
    } else {
        owner.routes.insert(path.clone(), Route::Endpoints(vec![id]));
    }
    if let Some(old) = &moved_from {
        let status = *rng.pick(&[301, 302, 307, 308]);
        owner.routes.insert(old.clone(), Route::Moved(status, path.clone()));
    }
    world.endpoints.push(Endpoint {
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

fn service(host: &Host, kind: Kind, slug: &str, theme: &str, rng: &mut Rng) -> Service {
    let lexicon = host.lexicon();
    let count = match (kind, rng.below(100)) {
        (Kind::Csw, _) => 0,
        (Kind::Wps, _) => rng.range(2, 12),
        (_, 0..60) => rng.range(1, 9),
        (_, 60..92) => rng.range(10, 45),
        _ => rng.range(46, 160),
    };
    let groups = if kind == Kind::Wms && count > 4 && rng.percent(50) { rng.range(2, 5) } else { 1 };
    let mut datasets: Vec<Dataset> =
        (0..count).map(|index| dataset(host, kind, index, groups, rng)).collect();
    datasets.sort_by_key(|d| d.group);
    let bbox = union(&datasets).unwrap_or(lexicon.area);
    let quirk = match (kind, rng.below(40)) {
        (Kind::Wms | Kind::Wfs, 0) if count > 0 => Quirk::Truncated,
        (_, 1) => Quirk::LeadingNewline,
        (_, 2) => Quirk::Bom,
        (Kind::Wms | Kind::Wfs, 3) => Quirk::UnescapedAmpersand,
        (Kind::Wms, 4) => Quirk::NoNamespace,
        (_, 5) if host.charset == crate::charset::Charset::Latin1 => Quirk::Latin1,
        (_, 6) => Quirk::Utf16,
        (_, 7) => Quirk::LongProlog,
        _ => Quirk::None,
    };
    let versions = rng.pick(kind.version_sets()).to_vec();
    let words = rng.range(8, 20);
    Service {
        kind,
        wcps: kind == Kind::Wcs && versions.contains(&"2.0.1") && rng.percent(35),
        versions,
        title: format!("{} {theme} {}", kind.upper(), host.organisation),
        abstract_: sentence(lexicon, rng, words),
        keywords: vec![slug.to_owned(), theme.to_owned(), kind.upper().to_owned()],
        provider: host.organisation.clone(),
        email: format!("gis@{}", host.name),
        language: lexicon.code,
        groups: (0..groups)
            .map(|index| Group {
                name: (groups > 1 && rng.percent(40)).then(|| format!("{slug}_gruppe_{index}")),
                title: sentence(lexicon, rng, 3),
            })
            .collect(),
        root_name: (kind == Kind::Wms && rng.percent(30)).then(|| format!("{slug}_root")),
        datasets,
        bbox,
        quirk,
        epsg: *rng.pick(&[25832, 3035, 2154, 27700, 32633, 3006, 6668]),
        records: Vec::new(),
    }
}

fn dataset(host: &Host, kind: Kind, index: usize, groups: usize, rng: &mut Rng) -> Dataset {
    let lexicon = host.lexicon();
    let themes: Vec<(&str, &str)> = pairs(lexicon.themes).collect();
    let (slug, title) = *rng.pick(&themes);
    let year = rng.range(1998, 2026);
    let name = match kind {
        Kind::Wfs if rng.percent(60) => format!("app:{slug}_{index}"),
        Kind::Wps => format!("process.{slug}.{index}"),
        Kind::Sos => format!("offering_{slug}_{index}"),
        Kind::Wms if index < 4 && host.title.len().is_multiple_of(7) => format!("{index}"),
        _ => format!("{slug}_{year}_{index}"),
    };
    let words = rng.range(4, 16);
    Dataset {
        name,
        title: format!("{title} {year}"),
        abstract_: sentence(lexicon, rng, words),
        keywords: vec![slug.to_owned(), title.to_owned()],
        bbox: draw_box(lexicon.area, rng),
        group: index * groups / 1000 + index % groups,
        time: rng.percent(8).then(|| format!("{year}-01-01/{}-12-31/P1D", year + 1)),
    }
}

/// A box inside `area`, rounded so that text and numbers agree.
pub(super) fn draw_box([w, s, e, n]: [f64; 4], rng: &mut Rng) -> [f64; 4] {
    let (width, height) = (e - w, n - s);
    let west = w + width * 0.6 * rng.unit();
    let south = s + height * 0.6 * rng.unit();
    let east = west + width * (0.05 + 0.35 * rng.unit());
    let north = south + height * (0.05 + 0.35 * rng.unit());
    [west, south, east, north].map(|v| (v * 1e4).round() / 1e4)
}

fn union(datasets: &[Dataset]) -> Option<[f64; 4]> {
    datasets
        .iter()
        .map(|d| d.bbox)
        .reduce(|a, b| [a[0].min(b[0]), a[1].min(b[1]), a[2].max(b[2]), a[3].max(b[3])])
}
