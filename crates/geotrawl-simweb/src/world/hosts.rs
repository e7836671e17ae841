//! Organisations, their hosts and the pages on them.

use super::{Host, Page, Role, Route, SitemapShape, Size, World};
use crate::charset::{Charset, Declared};
use crate::lexicon::{LEXICONS, pairs};
use crate::prose::sentence;
use crate::rng::Rng;
use crate::robots::{RobotsSummary, Rule, Shape};
use std::collections::{HashMap, HashSet};

const PORTALS: &[&str] =
    &["portal.geoweb-verzeichnis.test", "www.opendata-index.test", "links.carto-club.test"];

/// Host prefixes of organisations that have geodata, and of those that have none.
const GEO_PREFIXES: &[&str] = &["geodata", "gis", "maps", "karten", "sig", "geo", "kartta", "sdi", "dienste"];
const OTHER_PREFIXES: &[&str] = &["www", "blog", "news", "shop", "intranet-info", "verein", "m"];
const KINDS: &[&str] = &[
    "umwelt", "uni", "stadt", "forst", "hydro", "zeitung", "institut", "verkehr", "agro", "museum", "archiv",
    "club",
];

/// Robots shapes that every web of some size must have, spread over its hosts.
const SPECIAL_ROBOTS: &[Shape] = &[
    Shape::Huge,
    Shape::CrawlDelay,
    Shape::OwnGroup,
    Shape::Html,
    Shape::Redirected,
    Shape::ServerError,
    Shape::Bom,
    Shape::CrLf,
    Shape::WrongType,
    Shape::OwnGroupForbids,
    Shape::Forbidden403,
    Shape::Stalls,
];

pub(super) fn plan(world: &mut World, size: Size, mut rng: Rng) {
    let portals = PORTALS.len().min(size.hosts.div_ceil(12)).max(1);
    world.portals = portals;
    for name in &PORTALS[..portals] {
        let mut host = host((*name).to_owned(), Role::Portal, 0, &mut rng);
        host.charset = Charset::Utf8;
        host.declared = Declared::Header;
        host.robots_shape = Shape::Plain;
        host.robots = summary(Shape::Plain, Vec::new());
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
            let role = if is_geo { Role::Geo } else { Role::Other };
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

fn push(world: &mut World, host: Host) {
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

fn host(name: String, role: Role, language: usize, rng: &mut Rng) -> Host {
    let lexicon = &LEXICONS[language];
    let charset = if rng.percent(68) {
        Charset::Utf8
    } else if rng.percent(8) {
        *rng.pick(&[Charset::Utf16Le, Charset::Utf16Be])
    } else {
        *rng.pick(lexicon.charsets)
    };
    let declared = match charset {
        Charset::Utf8 => *rng.pick(&[
            Declared::Header,
            Declared::Meta,
            Declared::HttpEquiv,
            Declared::Bom,
            Declared::Nowhere,
        ]),
        Charset::Utf16Le | Charset::Utf16Be => *rng.pick(&[Declared::Bom, Declared::Header]),
        _ => *rng.pick(&[
            Declared::Header,
            Declared::Header,
            Declared::Meta,
            Declared::HttpEquiv,
            Declared::Wrongly,
            Declared::Nowhere,
        ]),
    };
    let robots_shape = if rng.percent(45) { Shape::Missing } else { Shape::Plain };
    let rules = if robots_shape == Shape::Plain { ordinary_rules(rng) } else { Vec::new() };
    // A host that answers with and without `www.`, or under a second name.
    let twin = (role == Role::Geo && rng.percent(25)).then(|| format!("www.{name}"));
    let sitemap = *rng.pick(&[
        SitemapShape::None,
        SitemapShape::None,
        SitemapShape::Conventional,
        SitemapShape::Named,
        SitemapShape::Index,
        SitemapShape::Text,
    ]);
    Host {
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
        sitemap: if robots_shape == Shape::Missing && sitemap != SitemapShape::None {
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

fn summary(shape: Shape, rules: Vec<Rule>) -> RobotsSummary {
    RobotsSummary {
        shape: shape.name().to_owned(),
        unreachable: matches!(shape, Shape::ServerError | Shape::Stalls),
        rules,
        crawl_delay: (shape == Shape::CrawlDelay).then_some(1.0),
    }
}

/// Rules of an ordinary file: administration paths, sometimes what hides services or files.
fn ordinary_rules(rng: &mut Rng) -> Vec<Rule> {
    let mut rules = Vec::new();
    let mut disallow = |path: &str| rules.push(Rule { allow: false, path: path.to_owned() });
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
        rules.push(Rule { allow: true, path: "/archive/private/public".to_owned() });
    }
    rules
}

/// Gives the special shapes to hosts far apart, keeping small webs mostly ordinary.
fn special_robots(world: &mut World) {
    let first = world.portals + 1;
    let room = world.hosts.len().saturating_sub(first) / 4;
    for (index, &shape) in SPECIAL_ROBOTS.iter().take(room).enumerate() {
        let Some(host) = world.hosts.get_mut(first + index * 4) else { break };
        let mut rules = host.robots.rules.clone();
        if shape.carries_rules() && rules.is_empty() {
            rules.push(Rule { allow: false, path: "/intern/".to_owned() });
        }
        if shape == Shape::OwnGroupForbids {
            rules = vec![Rule { allow: false, path: "/".to_owned() }];
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

/// Draws page counts with a heavy tail around the mean, then lays out sections and pages.
pub(super) fn plan_pages(world: &mut World, size: Size, mut rng: Rng) {
    let mean = (size.pages / size.hosts.max(1)).max(2);
    let mut counts: Vec<usize> = (0..world.hosts.len())
        .map(|index| {
            if index < world.portals && !size.even {
                return 1 + world.hosts.len().div_ceil(40);
            }
            let slow = world.hosts[index].robots_shape == Shape::CrawlDelay;
            if size.even {
                return mean;
            }
            let draw = rng.unit();
            let factor = 0.25 + 0.4 / (1.0 - draw * 0.93);
            let count = ((mean as f64 * factor) as usize).clamp(2, mean * 5);
            if slow { count.min(6) } else { count }
        })
        .collect();
    // Meet the wanted total: spread what is missing or too much over the ordinary hosts.
    let ordinary: Vec<usize> = (world.portals..world.hosts.len())
        .filter(|&h| world.hosts[h].robots_shape != Shape::CrawlDelay)
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
            world.hosts[host].routes.insert(page.target.clone(), Route::Page(id));
            world.pages.push(page);
        }
        world.hosts[host].pages = start..world.pages.len();
    }
}

fn page(world: &World, host: usize, number: usize, rng: &mut Rng) -> Page {
    let owner = &world.hosts[host];
    let lexicon = owner.lexicon();
    let sections: Vec<(&str, &str)> = pairs(lexicon.sections).collect();
    let blocks = match rng.below(100) {
        0..68 => rng.range(6, 44),
        68..90 => rng.range(44, 90),
        _ => rng.range(90, 250),
    };
    let (target, title) = if number == 0 {
        ("/".to_owned(), owner.title.clone())
    } else if owner.role == Role::Portal {
        (format!("/directory/{number}.html"), format!("Directory {number}"))
    } else if number <= sections.len() {
        let (slug, title) = sections[number - 1];
        (format!("/{slug}/"), title.to_owned())
    } else {
        let (slug, _) = sections[number % sections.len()];
        let words = rng.range(3, 6);
        let title = sentence(lexicon, rng, words).trim_end_matches(['.', '。']).to_owned();
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
    let regular = number > sections.len() && owner.role != Role::Portal;
    Page {
        host,
        target,
        title,
        blocks: blocks as u16,
        seed: rng.next(),
        nofollow: regular && rng.below(400) == 0,
        orphan: regular && owner.sitemap != SitemapShape::None && rng.percent(3),
    }
}
