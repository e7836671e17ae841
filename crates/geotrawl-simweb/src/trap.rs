//! Crawler traps with endless pages: calendars, session ids, endless directories, facets and
//! redirect chains.

use crate::reply::SiteReply;
use crate::rng::{SeededRng, mix_seeds};
use crate::world::{HostRole, WorldPlan};
use std::fmt::Write as _;

/// A kind of trap: where it starts and how it answers.
pub(crate) struct TrapForm {
    pub kind: &'static str,
    pub prefix: &'static str,
    pub entry: &'static str,
    answer: fn(&str) -> SiteReply,
}

/// A trap on a host.
pub(crate) struct Trap {
    pub form: &'static TrapForm,
    pub host: usize,
    /// Pages that lead into it.
    pub pages: Vec<usize>,
}

pub(crate) static TRAP_FORMS: &[TrapForm] = &[
    TrapForm { kind: "calendar", prefix: "/kalender/", entry: "/kalender/2026/11/", answer: calendar },
    TrapForm {
        kind: "session",
        prefix: "/shop/",
        entry: "/shop/start.php?sid=a1b2c3d4e5f60718",
        answer: session,
    },
    TrapForm { kind: "endless-directory", prefix: "/ablage/", entry: "/ablage/a/", answer: directory },
    TrapForm { kind: "facets", prefix: "/suche", entry: "/suche?seite=1", answer: facets },
    TrapForm {
        kind: "path-session",
        prefix: "/portal/app",
        entry: "/portal/app;jsessionid=0A1B2C3D4E5F?view=1",
        answer: path_session,
    },
    TrapForm { kind: "redirect-loop", prefix: "/kreis/", entry: "/kreis/1", answer: redirect_loop },
    TrapForm { kind: "redirect-chain", prefix: "/kette/", entry: "/kette/1", answer: redirect_chain },
    TrapForm {
        kind: "relative-growth",
        prefix: "/hilfe/thema/",
        entry: "/hilfe/thema/",
        answer: relative_growth,
    },
];

pub(crate) fn plan_traps(world: &mut WorldPlan, mut rng: SeededRng) {
    let hosts: Vec<usize> =
        (0..world.hosts.len()).filter(|&h| world.hosts[h].role != HostRole::Portal).collect();
    if hosts.is_empty() {
        return;
    }
    // One of each kind in every web, more in large webs.
    let count = TRAP_FORMS.len().max(world.hosts.len() / 40);
    for number in 0..count {
        let form = &TRAP_FORMS[number % TRAP_FORMS.len()];
        let host = *rng.pick(&hosts);
        if world.hosts[host].traps.iter().any(|&trap| std::ptr::eq(world.traps[trap].form, form)) {
            continue;
        }
        let span = world.hosts[host].pages.clone();
        let pages = (0..3).map(|_| span.start + rng.below(span.len())).collect();
        world.hosts[host].traps.push(world.traps.len());
        world.traps.push(Trap { form, host, pages });
    }
}

impl Trap {
    /// Answers a request below the trap's prefix.
    pub(crate) fn answer(&self, target: &str) -> SiteReply {
        (self.form.answer)(target)
    }
}

fn page(title: &str, links: &[String], seed: u64) -> SiteReply {
    let mut body =
        format!("<!DOCTYPE html><html><head><title>{title}</title></head><body><h1>{title}</h1><ul>");
    for link in links {
        let _ = write!(body, "<li><a href=\"{link}\">{link}</a></li>");
    }
    let mut rng = SeededRng::new(seed);
    body.push_str("</ul><p>");
    for _ in 0..120 {
        let _ = write!(
            body,
            "{} ",
            ["Termin", "Angebot", "Eintrag", "Liste", "Details", "mehr", "keine", "Auswahl"][rng.below(8)]
        );
    }
    body.push_str("</p></body></html>");
    SiteReply::html(200, body)
}

fn hash(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |h, b| mix_seeds(h, u64::from(b)))
}

fn calendar(target: &str) -> SiteReply {
    let mut numbers = target.split('/').filter_map(|part| part.parse::<i64>().ok());
    let (year, month) = (numbers.next().unwrap_or(2026), numbers.next().unwrap_or(1).clamp(1, 12));
    let at = year * 12 + month - 1;
    let mut links: Vec<String> = [at - 1, at + 1, at + 12]
        .iter()
        .map(|m| format!("/kalender/{}/{:02}/", m.div_euclid(12), m.rem_euclid(12) + 1))
        .collect();
    links.extend((1..=28).map(|day| format!("/kalender/{year}/{month:02}/{day:02}/")));
    page(&format!("Kalender {month}/{year}"), &links, 7)
}

fn session(target: &str) -> SiteReply {
    let seed = hash(target);
    let links: Vec<String> =
        (0..12).map(|n| format!("/shop/artikel.php?id={n}&amp;sid={:016x}", mix_seeds(seed, n))).collect();
    page("Shop", &links, 8)
}

fn directory(target: &str) -> SiteReply {
    let path = target.split('?').next().unwrap_or(target).trim_end_matches('/');
    let links: Vec<String> = ["a", "b", "alt", "neu"].iter().map(|name| format!("{path}/{name}/")).collect();
    page("Index of files", &links, hash(target))
}

fn facets(target: &str) -> SiteReply {
    let query = target.split_once('?').map_or("", |(_, query)| query);
    let mut links = Vec::new();
    for key in ["farbe", "groesse", "jahr", "sortierung", "seite"] {
        for value in 1..5 {
            let kept: Vec<&str> =
                query.split('&').filter(|pair| !pair.starts_with(key) && !pair.is_empty()).collect();
            let mut pairs: Vec<String> = kept.iter().map(|pair| (*pair).to_owned()).collect();
            pairs.push(format!("{key}={value}"));
            links.push(format!("/suche?{}", pairs.join("&amp;")));
        }
    }
    page("Suche", &links, 9)
}

fn path_session(target: &str) -> SiteReply {
    let seed = hash(target);
    let links: Vec<String> = (1..10)
        .map(|view| format!("/portal/app;jsessionid={:012X}?view={view}", mix_seeds(seed, view) >> 16))
        .collect();
    page("Portal", &links, 10)
}

fn redirect_loop(target: &str) -> SiteReply {
    let next = if target.ends_with('1') { "/kreis/2" } else { "/kreis/1" };
    SiteReply::redirect(302, next.to_owned())
}

fn redirect_chain(target: &str) -> SiteReply {
    let number: u64 = target.rsplit('/').next().and_then(|n| n.parse().ok()).unwrap_or(1);
    SiteReply::redirect(301, format!("/kette/{}", number + 1))
}

/// A link written relative although meant to be absolute, so that every page is one level deeper.
fn relative_growth(target: &str) -> SiteReply {
    page("Hilfe", &["thema/start/".to_owned(), "thema/weiter/".to_owned()], hash(target))
}
