//! Derives the ground truth of a planned web.

use crate::hostile::{CANARY, CountedCase};
use crate::reveal::RevealForm;
use crate::robots::{RobotsPathRule, RobotsSummary};
use crate::service::OgcKind;
use crate::truth::{GroundTruth, HostileCase, LookAlike, TrapTruth, TruthResource};
use crate::world::{PlannedReveal, RevealSubject, WorldPlan, depth};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Derives the ground truth of `world` and its hostile cases.
pub(crate) fn derive_truth(world: &WorldPlan, cases: &[CountedCase]) -> GroundTruth {
    let depths = depth::page_depths(world);
    let mut by_subject: HashMap<RevealSubject, Vec<&PlannedReveal>> = HashMap::new();
    for reveal in &world.reveals {
        by_subject.entry(reveal.subject).or_default().push(reveal);
    }
    let mut resources = Vec::new();
    for id in 0..world.endpoints.len() {
        let reveals = by_subject.get(&RevealSubject::Endpoint(id)).map_or(&[][..], Vec::as_slice);
        endpoint_truths(world, id, reveals, &depths, &mut resources);
    }
    for id in 0..world.files.len() {
        let reveals = by_subject.get(&RevealSubject::File(id)).map_or(&[][..], Vec::as_slice);
        resources.push(file_truth(world, id, reveals, &depths));
    }
    resources.extend(world.reveals.iter().filter_map(|reveal| catalogue_truth(world, reveal)));
    let negatives = world.negatives.iter().map(|negative| LookAlike {
        url: negative.url.clone(),
        reason: negative.form.reason.to_owned(),
        host: world.hosts[negative.host].name.clone(),
        robots_allowed: world.hosts[negative.host].robots.allows(&negative.target),
    });
    let traps = world.traps.iter().map(|trap| {
        let host = &world.hosts[trap.host];
        TrapTruth {
            kind: trap.form.kind.to_owned(),
            host: host.name.clone(),
            prefix: trap.form.prefix.to_owned(),
            entry: host.url(trap.form.entry),
        }
    });
    let mut robots = BTreeMap::new();
    for host in &world.hosts {
        for name in std::iter::once(&host.name).chain(&host.twin) {
            robots.insert(name.clone(), host.robots.clone());
        }
    }
    let mut hostile = Vec::new();
    for case in cases {
        robots.insert(case.host_name(), hostile_robots(case));
        hostile.push(HostileCase {
            name: case.form.name.to_owned(),
            url: case.url(),
            expect: case.form.expect.to_owned(),
        });
    }
    GroundTruth {
        seed: world.seed,
        hosts: world.hosts.len(),
        pages: world.pages.len(),
        seeds: (0..world.portals).map(|portal| world.hosts[portal].url("/")).collect(),
        resources,
        negatives: negatives.collect(),
        traps: traps.collect(),
        canaries: vec![CANARY.to_owned()],
        robots,
        hostile,
        max_depth: depths.iter().flatten().copied().max().unwrap_or(0),
        reachable_pages: depths.iter().flatten().count(),
    }
}

fn hostile_robots(case: &CountedCase) -> RobotsSummary {
    let mut summary = RobotsSummary { shape: "missing".to_owned(), ..RobotsSummary::default() };
    if case.form.in_robots {
        case.form.name.clone_into(&mut summary.shape);
        summary.unreachable = case.form.name == "robots-closed";
        if case.form.name == "robots-endless" {
            summary.rules.push(RobotsPathRule { allow: false, path: "/geheim/".to_owned() });
        }
    }
    summary
}

/// Discovery methods, whether one of them counts as surface, and the smallest depth.
struct RevealSummary {
    ways: BTreeSet<String>,
    depth: Option<u32>,
    level: Option<u8>,
}

fn summarize_reveals(
    world: &WorldPlan,
    own_host: usize,
    hinted: bool,
    reveals: &[&PlannedReveal],
    depths: &[Option<u32>],
) -> RevealSummary {
    let mut out = RevealSummary { ways: BTreeSet::new(), depth: None, level: None };
    for reveal in reveals {
        let page = &world.pages[reveal.page];
        out.ways.insert(reveal.way.tag.to_owned());
        if page.host != own_host {
            out.ways.insert("other-host".to_owned());
        }
        if let (Some(level), Some(_)) = (reveal.way.level, reveal_depth(world, reveal, depths)) {
            out.level = Some(out.level.map_or(level, |best| best.min(level)));
        }
        let followed = !page.nofollow || matches!(reveal.way.form, RevealForm::Sitemap);
        if let (true, true, Some(depth)) = (reveal.way.surface, followed, reveal_depth(world, reveal, depths))
        {
            // A URL without a hint is first fetched as a page, one level deeper.
            let depth = depth + u32::from(!hinted);
            out.depth = Some(out.depth.map_or(depth, |best| best.min(depth)));
        }
    }
    out
}

/// Returns the depth of the document that shows the resource; sitemaps are read when a host is
/// first visited.
fn reveal_depth(world: &WorldPlan, reveal: &PlannedReveal, depths: &[Option<u32>]) -> Option<u32> {
    let page = &world.pages[reveal.page];
    let host = &world.hosts[page.host];
    if matches!(reveal.way.form, RevealForm::Sitemap) {
        return host.pages.clone().filter_map(|page| depths[page]).min();
    }
    if !reveal.shown.document.is_empty() {
        let target = reveal.shown.document.strip_prefix(&host.url("")).unwrap_or("/");
        if !host.robots.allows(target) {
            return None;
        }
    }
    depths[reveal.page].map(|depth| depth + reveal.way.extra_depth())
}

fn endpoint_truths(
    world: &WorldPlan,
    id: usize,
    reveals: &[&PlannedReveal],
    depths: &[Option<u32>],
    resources: &mut Vec<TruthResource>,
) {
    let endpoint = &world.endpoints[id];
    let host = &world.hosts[endpoint.host];
    let seen = summarize_reveals(world, endpoint.host, true, reveals, depths);
    let target = endpoint.target();
    let join = if target.contains('?') { '&' } else { '?' };
    let mut doors = vec![target.clone()];
    doors.extend(endpoint.moved_from.clone());
    let robots_allowed = doors.iter().all(|door| {
        let probe = format!("{door}{join}SERVICE=WMS&REQUEST=GetCapabilities");
        host.robots.allows(if endpoint.restful { door } else { &probe })
    });
    let names = std::iter::once(&host.name).chain(&host.twin);
    let mut urls: Vec<String> =
        names.flat_map(|name| doors.iter().map(move |door| format!("http://{name}{door}"))).collect();
    let url = urls.remove(0);
    for &service in &endpoint.services {
        let service = &world.services[service];
        let mut ways = seen.ways.clone();
        // No page names this service, so it can only be found by probing the endpoint of another
        // one.
        if reveals.iter().all(|reveal| reveal.shown.kind != service.kind.id()) {
            ways.insert("sibling".to_owned());
        }
        let names = service.dataset_names();
        let resource = TruthResource {
            kind: service.kind.id().to_owned(),
            url: url.clone(),
            aliases: urls.clone(),
            versions: service.versions.iter().map(|v| (*v).to_owned()).collect(),
            title: service.title.clone(),
            dataset_count: (service.kind != OgcKind::Csw).then_some(names.len()),
            names,
            bbox: (!matches!(service.kind, OgcKind::Csw | OgcKind::Wps)).then_some(service.bbox),
            ways: ways.into_iter().collect(),
            surface: robots_allowed && seen.depth.is_some(),
            depth: seen.depth,
            level: seen.level,
            host: host.name.clone(),
            robots_allowed,
            wellformed: service.quirk.is_wellformed(),
            profile_of: None,
        };
        if service.wcps {
            resources.push(TruthResource {
                kind: "wcps".to_owned(),
                profile_of: Some("wcs".to_owned()),
                ..resource.clone()
            });
        }
        resources.push(resource);
    }
}

/// Catalogue documents and their kinds.
const CATALOGUES: &[(&str, &str)] = &[("catalogue:dcat", "dcat"), ("catalogue:stac", "stac-catalog")];

/// Returns the catalogue document that names a resource, as an optional resource: finding it is
/// correct, missing it does not count.
fn catalogue_truth(world: &WorldPlan, reveal: &PlannedReveal) -> Option<TruthResource> {
    let (_, kind) = CATALOGUES.iter().find(|(tag, _)| *tag == reveal.way.tag)?;
    let host = &world.hosts[world.pages[reveal.page].host];
    let url = reveal.shown.document.clone();
    let target = url.strip_prefix(&host.url("")).unwrap_or("/");
    Some(TruthResource {
        kind: (*kind).to_owned(),
        aliases: host.twin.iter().map(|twin| format!("http://{twin}{target}")).collect(),
        host: host.name.clone(),
        robots_allowed: host.robots.allows(target),
        wellformed: true,
        profile_of: Some("catalogue".to_owned()),
        url,
        ..TruthResource::default()
    })
}

fn file_truth(
    world: &WorldPlan,
    id: usize,
    reveals: &[&PlannedReveal],
    depths: &[Option<u32>],
) -> TruthResource {
    let file = &world.files[id];
    let host = &world.hosts[file.host];
    let seen = summarize_reveals(world, file.host, file.hinted, reveals, depths);
    let robots_allowed = host.robots.allows(&file.target);
    TruthResource {
        kind: file.kind.to_owned(),
        url: host.url(&file.target),
        aliases: host.twin.iter().map(|twin| format!("http://{twin}{}", file.target)).collect(),
        versions: Vec::new(),
        title: file.title.clone(),
        dataset_count: file.datasets,
        names: file.names.clone(),
        bbox: Some(file.bbox),
        ways: seen.ways.into_iter().collect(),
        surface: robots_allowed && seen.depth.is_some(),
        depth: seen.depth,
        level: seen.level,
        host: host.name.clone(),
        robots_allowed,
        wellformed: true,
        profile_of: None,
    }
}
