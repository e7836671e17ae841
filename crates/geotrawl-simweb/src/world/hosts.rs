//! Organisations, their hosts and the pages on them.

use super::{HostRole, HostRoute, PlannedHost, PlannedPage, SitemapShape, WebSize, WorldPlan};
use crate::charset::{CharsetDeclaration, PageCharset};
use crate::lexicon::{LEXICONS, parse_pairs};
use crate::prose::draw_sentence;
use crate::rng::SeededRng;
use crate::robots::{RobotsPathRule, RobotsShape, RobotsSummary};
use std::collections::{HashMap, HashSet};

const PORTALS: &[&str] =
    &["portal.geoweb-verzeichnis.test", "www.opendata-index.test", "links.carto-club.test"];

/// Host prefixes of organisations with and without geodata.
const GEO_PREFIXES: &[&str] = &["geodata", "gis", "maps", "karten", "sig", "geo", "kartta", "sdi", "dienste"];
const OTHER_PREFIXES: &[&str] = &["www", "blog", "news", "shop", "intranet-info", "verein", "m"];
const KINDS: &[&str] = &[
    "umwelt", "uni", "stadt", "forst", "hydro", "zeitung", "institut", "verkehr", "agro", "museum", "archiv",
    "club",
];

/// Robots shapes that every web of some size contains, distributed over its hosts.
const SPECIAL_ROBOTS: &[RobotsShape] = &[
    RobotsShape::Huge,
    RobotsShape::CrawlDelay,
    RobotsShape::OwnGroup,
    RobotsShape::Html,
    RobotsShape::Redirected,
    RobotsShape::ServerError,
    RobotsShape::Bom,
    RobotsShape::CrLf,
    RobotsShape::WrongType,
    RobotsShape::OwnGroupForbids,
    RobotsShape::Forbidden403,
    RobotsShape::Stalls,
];

pub(super) fn plan_hosts(world: &mut WorldPlan, size: WebSize, mut rng: SeededRng) {
    let portals = PORTALS.len().min(size.hosts.div_ceil(12)).max(1);
    world.portals = portals;
    for name in &PORTALS[..portals] {
        let mut host = host((*name).to_owned(), HostRole::Portal, 0, &mut rng);
        host.charset = PageCharset::Utf8;
        host.declared = CharsetDeclaration::Header;
        host.robots_shape = RobotsShape::Plain;
        host.robots = summary(RobotsShape::Plain, Vec::new());
        host.twin = None;
        push(world, host);
    }
    let mut used = HashSet::new();
    while world.hosts.len() < size.hosts {
        let language = rng.below(LEXICONS.len());
        let towns: Vec<&str> = LEXICONS[language].towns.split(' ').collect();
        let town = *rng.pick(&towns);
        let kind = *rng.pick(KINDS);
        let tld = if rng.percent(60) { "example" } else { "test" };
        let mut domain = format!("{town}-{kind}.{tld}");
        if !used.insert(domain.clone()) {
            domain = format!("{town}-{kind}{}.{tld}", world.hosts.len());
            used.insert(domain.clone());
        }
        let geo = rng.percent(26);
        let organisation = format!("{} {}", capital(town), kind);
        let count = if geo { rng.range(1, 4) } else { rng.range(1, 2) };
        for number in 0..count {
            if world.hosts.len() >= size.hosts {
                break;
            }
            let is_geo = geo && (number > 0 || count == 1);
            let prefix = match (is_geo, number) {
                (true, _) => GEO_PREFIXES[(rng.below(GEO_PREFIXES.len()) + number) % GEO_PREFIXES.len()],
                (false, 0) => "www",
                (false, _) => *rng.pick(OTHER_PREFIXES),
            };
            let name = format!("{prefix}.{domain}");
            if world.host_ids.contains_key(&name) {
                continue;
            }
            let role = if is_geo { HostRole::Geo } else { HostRole::Other };
            let mut host = host(name, role, language, &mut rng);
            host.organisation.clone_from(&organisation);
            host.title = format!("{organisation} {prefix}");
            host.cluster = language;
            push(world, host);
        }
    }
    if !size.even {
        special_robots(world);
    }
}

fn push(world: &mut WorldPlan, host: PlannedHost) {
    let id = world.hosts.len();
    world.host_ids.insert(host.name.clone(), id);
    if let Some(twin) = &host.twin {
        world.host_ids.insert(twin.clone(), id);
    }
    world.hosts.push(host);
}

fn capital(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

fn host(name: String, role: HostRole, language: usize, rng: &mut SeededRng) -> PlannedHost {
    let lexicon = &LEXICONS[language];
    let charset = if rng.percent(68) {
        PageCharset::Utf8
    } else if rng.percent(8) {
        *rng.pick(&[PageCharset::Utf16Le, PageCharset::Utf16Be])
    } else {
        *rng.pick(lexicon.charsets)
    };
    let declared = match charset {
        PageCharset::Utf8 => *rng.pick(&[
            CharsetDeclaration::Header,
            CharsetDeclaration::Meta,
            CharsetDeclaration::HttpEquiv,
            CharsetDeclaration::Bom,
            CharsetDeclaration::Nowhere,
        ]),
        PageCharset::Utf16Le | PageCharset::Utf16Be => {
            *rng.pick(&[CharsetDeclaration::Bom, CharsetDeclaration::Header])
        }
        _ => *rng.pick(&[
            CharsetDeclaration::Header,
            CharsetDeclaration::Header,
            CharsetDeclaration::Meta,
            CharsetDeclaration::HttpEquiv,
            CharsetDeclaration::Wrongly,
            CharsetDeclaration::Nowhere,
        ]),
    };
    let robots_shape = if rng.percent(45) { RobotsShape::Missing } else { RobotsShape::Plain };
    let rules = if robots_shape == RobotsShape::Plain { ordinary_rules(rng) } else { Vec::new() };
    // A host that answers with and without `www.`, or under a second name.
    let twin = (role == HostRole::Geo && rng.percent(25)).then(|| format!("www.{name}"));
    let sitemap = *rng.pick(&[
        SitemapShape::None,
        SitemapShape::None,
        SitemapShape::Conventional,
        SitemapShape::Named,
        SitemapShape::Index,
        SitemapShape::Text,
    ]);
    PlannedHost {
        title: name.clone(),
        organisation: name.clone(),
        name,
        twin,
        role,
        language,
        charset,
        declared,
        gzip: rng.percent(12),
        robots: summary(robots_shape, rules),
        robots_shape,
        sitemap: if robots_shape == RobotsShape::Missing && sitemap != SitemapShape::None {
            SitemapShape::Conventional
        } else {
            sitemap
        },
        pages: 0..0,
        routes: HashMap::new(),
        traps: Vec::new(),
        sitemap_urls: Vec::new(),
        cluster: 0,
    }
}

fn summary(shape: RobotsShape, rules: Vec<RobotsPathRule>) -> RobotsSummary {
    RobotsSummary {
        shape: shape.name().to_owned(),
        unreachable: matches!(shape, RobotsShape::ServerError | RobotsShape::Stalls),
        rules,
        crawl_delay: (shape == RobotsShape::CrawlDelay).then_some(1.0),
    }
}

/// Returns typical rules: administration paths, sometimes paths that hide services or files.
fn ordinary_rules(rng: &mut SeededRng) -> Vec<RobotsPathRule> {
    let mut rules = Vec::new();
    let mut disallow = |path: &str| rules.push(RobotsPathRule { allow: false, path: path.to_owned() });
    if rng.percent(70) {
        disallow("/intern/");
    }
    if rng.percent(40) {
        disallow("/*?print=");
    }
    if rng.percent(10) {
        disallow(["/cgi-bin/", "/geoserver/", "/arcgis/"][rng.below(3)]);
    }
    if rng.percent(5) {
        disallow("/*.kmz$");
    }
    if rng.percent(30) {
        disallow("/archive/private");
        rules.push(RobotsPathRule { allow: true, path: "/archive/private/public".to_owned() });
    }
    rules
}

/// Distributes the special shapes over hosts far apart, so that small webs stay mostly ordinary.
fn special_robots(world: &mut WorldPlan) {
    let first = world.portals + 1;
    let room = world.hosts.len().saturating_sub(first) / 4;
    for (index, &shape) in SPECIAL_ROBOTS.iter().take(room).enumerate() {
        let Some(host) = world.hosts.get_mut(first + index * 4) else { break };
        let mut rules = host.robots.rules.clone();
        if shape.carries_rules() && rules.is_empty() {
            rules.push(RobotsPathRule { allow: false, path: "/intern/".to_owned() });
        }
        if shape == RobotsShape::OwnGroupForbids {
            rules = vec![RobotsPathRule { allow: false, path: "/".to_owned() }];
        }
        if !shape.carries_rules() {
            rules.clear();
        }
        host.robots_shape = shape;
        host.robots = summary(shape, rules);
        if !shape.carries_rules() && host.sitemap != SitemapShape::None {
            host.sitemap = SitemapShape::Conventional;
        }
    }
}

/// Draws page counts from a heavy-tailed distribution around the mean, then creates sections and
/// pages.
pub(super) fn plan_pages(world: &mut WorldPlan, size: WebSize, mut rng: SeededRng) {
    let mean = (size.pages / size.hosts.max(1)).max(2);
    let mut counts: Vec<usize> = (0..world.hosts.len())
        .map(|index| {
            if index < world.portals && !size.even {
                return 1 + world.hosts.len().div_ceil(40);
            }
            let slow = world.hosts[index].robots_shape == RobotsShape::CrawlDelay;
            if size.even {
                return mean;
            }
            let draw = rng.unit();
            let factor = 0.25 + 0.4 / (1.0 - draw * 0.93);
            let count = ((mean as f64 * factor) as usize).clamp(2, mean * 5);
            if slow { count.min(6) } else { count }
        })
        .collect();
    // Distribute the difference to the requested total over the ordinary hosts.
    let ordinary: Vec<usize> = (world.portals..world.hosts.len())
        .filter(|&h| world.hosts[h].robots_shape != RobotsShape::CrawlDelay)
        .collect();
    let total: usize = counts.iter().sum();
    if total < size.pages && !ordinary.is_empty() {
        let missing = size.pages - total;
        for (index, &host) in ordinary.iter().enumerate() {
            counts[host] += missing / ordinary.len() + usize::from(index < missing % ordinary.len());
        }
    }
    let mut excess = counts.iter().sum::<usize>().saturating_sub(size.pages);
    for &host in ordinary.iter().cycle().take(ordinary.len() * 400) {
        if excess == 0 {
            break;
        }
        if counts[host] > 2 {
            counts[host] -= 1;
            excess -= 1;
        }
    }
    for (host, count) in counts.into_iter().enumerate() {
        let start = world.pages.len();
        let mut rng = rng.fork(host as u64);
        for number in 0..count {
            let page = page(world, host, number, &mut rng);
            let id = world.pages.len();
            world.hosts[host].routes.insert(page.target.clone(), HostRoute::Page(id));
            world.pages.push(page);
        }
        world.hosts[host].pages = start..world.pages.len();
    }
}

fn page(world: &WorldPlan, host: usize, number: usize, rng: &mut SeededRng) -> PlannedPage {
    let owner = &world.hosts[host];
    let lexicon = owner.lexicon();
    let sections: Vec<(&str, &str)> = parse_pairs(lexicon.sections).collect();
    let blocks = match rng.below(100) {
        0..68 => rng.range(6, 44),
        68..90 => rng.range(44, 90),
        _ => rng.range(90, 250),
    };
    let (target, title) = if number == 0 {
        ("/".to_owned(), owner.title.clone())
    } else if owner.role == HostRole::Portal {
        (format!("/directory/{number}.html"), format!("Directory {number}"))
    } else if number <= sections.len() {
        let (slug, title) = sections[number - 1];
        (format!("/{slug}/"), title.to_owned())
    } else {
        let (slug, _) = sections[number % sections.len()];
        let words = rng.range(3, 6);
        let title = draw_sentence(lexicon, rng, words).trim_end_matches(['.', '。']).to_owned();
        let target = match (host + number) % 9 {
            0 => format!("/index.php?id={number}"),
            1 => format!("/{slug}/20{:02}/{:02}/artikel-{number}.html", 10 + number % 15, 1 + number % 12),
            2 => format!("/node/{number}"),
            3 => format!("/{slug}/%C3%BCbersicht-{number}"),
            4 if number.is_multiple_of(5) => format!("/intern/protokoll-{number}.html"),
            _ => format!("/{slug}/seite-{number}.html"),
        };
        (target, title)
    };
    let regular = number > sections.len() && owner.role != HostRole::Portal;
    PlannedPage {
        host,
        target,
        title,
        blocks: blocks as u16,
        seed: rng.next(),
        nofollow: regular && rng.below(400) == 0,
        orphan: regular && owner.sitemap != SitemapShape::None && rng.percent(3),
    }
}
