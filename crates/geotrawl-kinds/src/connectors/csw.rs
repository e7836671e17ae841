//! Catalogue Service for the Web: `GetRecords`, page by page.
//!
//! The state says by which way the server is spoken to, the position, the page's size and the span of dates;
//! see [`plan::Plan`]. A position never goes back within a span, and spans only become shorter, so every
//! harvest ends, whatever the server says.

mod answer;
mod plan;
mod request;

use super::state::page_mark;
use super::{CataloguePage, Connector, ConnectorDoc};
use crate::formats::records::ensure_id;
use crate::probe::{ProbeRequest, ProbeResponse, ResponseBody};
use answer::RecordsResponse;
use geotrawl_model::{CatalogueRecord, Issue};
use plan::{DateSpan, HarvestPlan, LARGEST_PAGE, PAGE};
use std::io::Read;
use url::Url;

/// Catalogue Service for the Web 2.0.2 and 3.0.
pub struct CswConnector;

static DOC: ConnectorDoc = ConnectorDoc {
    id: "csw",
    name: "Catalogue Service for the Web",
    what: "Asks a CSW for all its records with GetRecords: by GET, or by POST where GET is refused; as Dublin \
           Core, or as ISO 19139 where Dublin Core has no links. Pages by position, whatever nextRecord says; \
           where deep pages fail, the catalogue is cut by the date of the last change.",
    specification: "https://www.ogc.org/standard/cat/",
    kinds: &["csw"],
    incremental: true,
};

/// A page beyond which no catalogue goes.
const LAST_POSITION: u64 = 50_000_000;
/// Failures or empty pages in a row after which a span is given up.
const MISSES: u64 = 3;
/// A page is made larger as long as it would stay below this.
const COMFORTABLE: u64 = 4 << 20;

impl Connector for CswConnector {
    fn doc(&self) -> &'static ConnectorDoc {
        &DOC
    }

    fn page_request(&self, at: &Url, state: &str, since: Option<&str>) -> ProbeRequest {
        let mut plan = HarvestPlan::parse(state);
        if plan.span.from.is_none() {
            plan.span.from = since.map(str::to_owned);
        }
        request::get_records_request(at, &plan)
    }

    fn parse_page(&self, _at: &Url, state: &str, answer: ProbeResponse<'_>) -> CataloguePage {
        let mut plan = HarvestPlan::parse(state);
        if state.is_empty() {
            plan.span.from = answer.head.url.as_ref().and_then(request::requested_since);
        }
        let truncated = answer.truncated;
        let status = answer.head.status;
        let content_type = answer.head.content_type.as_deref();
        let (mut answered, bytes) = match answer.body {
            ResponseBody::Whole(mut bytes) => {
                let length = bytes.len() as u64;
                (answer::read_response(&mut bytes, content_type), length)
            }
            ResponseBody::Stream(stream) => {
                let mut counted = CountingReader { stream, bytes: 0 };
                let answered = answer::read_response(&mut counted, content_type);
                (answered, counted.bytes)
            }
        };
        answered.cut |= truncated;
        if !answered.results || status >= 400 && answered.records.is_empty() {
            return refused(plan, status, &answered);
        }
        for record in &mut answered.records {
            ensure_id(record);
        }
        let mut page = CataloguePage { total: answered.matched, ..CataloguePage::default() };
        page.next =
            next(plan, &answered, bytes, &mut page.issues).iter().map(HarvestPlan::to_string).collect();
        page.issues.append(&mut answered.issues);
        page.records = answered.records;
        page
    }
}

/// Counts what passes.
struct CountingReader<'a> {
    stream: &'a mut dyn Read,
    bytes: u64,
}

impl Read for CountingReader<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let n = self.stream.read(buffer)?;
        self.bytes += n as u64;
        Ok(n)
    }
}

/// The answer is no page: another way at the beginning, a shorter page or spans of dates later on.
fn refused(mut plan: HarvestPlan, status: u16, answered: &RecordsResponse) -> CataloguePage {
    let why = match &answered.exception {
        Some(exception) => format!("the catalogue answers: {exception}"),
        None => format!("the answer (status {status}) is no search result"),
    };
    let mut page = CataloguePage::default();
    let mut go_on = |next: Vec<HarvestPlan>, code: &str| {
        page.issues.push(Issue::new(code, why.clone()));
        page.next = next.iter().map(HarvestPlan::to_string).collect();
    };
    if let Some(back) = plan.back {
        // ISO was only an attempt.
        let dublin_core =
            HarvestPlan { iso: false, iso_settled: true, back: None, at: back, misses: 0, ..plan };
        go_on(vec![dublin_core], "csw-no-iso");
        return page;
    }
    let begun = plan.at > 1 || plan.before.is_some() || plan.reach.is_some();
    if !begun {
        // A filter that is not understood must not hide the catalogue: all of it, then.
        if let Some(way) = plan.way.next_mode(answered.is_about_version()) {
            go_on(vec![HarvestPlan { way, ..plan }], "csw-refused");
        } else if plan.span.from.is_some() {
            go_on(vec![HarvestPlan::default()], "csw-no-filter");
        } else {
            page.failure = Some(Issue::new("csw-refused", why));
        }
        return page;
    }
    plan.misses += 1;
    if plan.misses == 1 && plan.size >= PAGE {
        plan.size /= 4;
        plan.capped = true;
        go_on(vec![plan], "csw-page-failed");
    } else if plan.at > 1
        && let Some(halves) = halves(&plan, plan.at, None)
    {
        go_on(halves, "csw-deep-paging");
    } else if plan.misses <= MISSES && plan.at < LAST_POSITION {
        // One record may spoil its page: what is behind it may be well.
        plan.at += plan.size;
        go_on(vec![plan], "csw-page-skipped");
    } else {
        go_on(Vec::new(), "csw-broken-off");
    }
    page
}

/// The two halves of the plan's span, from their beginning.
fn halves(plan: &HarvestPlan, reach: u64, hint: Option<&str>) -> Option<Vec<HarvestPlan>> {
    let cut = plan.span.split_date(hint)?;
    let reach = plan.reach.map_or(reach, |known| known.min(reach)).max(2);
    let half = |span: DateSpan| HarvestPlan {
        span,
        at: 1,
        size: PAGE,
        capped: false,
        before: None,
        misses: 0,
        reach: Some(reach),
        iso_settled: true,
        back: None,
        ..plan.clone()
    };
    let early = DateSpan { from: plan.span.from.clone(), to: Some(cut.clone()) };
    let late = DateSpan { from: Some(cut), to: plan.span.to.clone() };
    Some(vec![half(early), half(late)])
}

/// What follows a page.
fn next(
    plan: HarvestPlan,
    answered: &RecordsResponse,
    bytes: u64,
    issues: &mut Vec<Issue>,
) -> Vec<HarvestPlan> {
    if plan.back.is_some() && !any_links(&answered.records) {
        let at = plan.back.unwrap_or(1);
        return vec![HarvestPlan { iso: false, iso_settled: true, back: None, at, before: None, ..plan }];
    }
    let first = answered.records.first().map(|record| page_mark(&record.id));
    if first.is_some() && first == plan.before && plan.at > 1 {
        issues.push(Issue::new("csw-stuck", "the catalogue gives the same page again: it does not move on"));
        return Vec::new();
    }
    // Too long to be paged to its end: cut, by the dates that this page shows.
    if let (Some(reach), Some(matched)) = (plan.reach, answered.matched)
        && plan.at == 1
        && matched >= reach
        && let Some(halves) = halves(&plan, reach, middle_date(&answered.records).as_deref())
    {
        return halves;
    }
    let Some(at) = position_after(&plan, answered, issues) else { return Vec::new() };
    let mut follow = HarvestPlan { at, before: first.or(plan.before), back: None, ..plan.clone() };
    follow.misses = if answered.seen == 0 { plan.misses + 1 } else { 0 };
    if follow.misses > MISSES || at > LAST_POSITION {
        issues.push(Issue::new("csw-broken-off", "pages without records follow each other: given up"));
        return Vec::new();
    }
    if answered.seen > 0 && answered.seen < plan.size {
        follow.capped = true;
    } else if !follow.capped && !answered.cut && answered.seen >= plan.size {
        let grown = (plan.size * 5).min(LARGEST_PAGE);
        if bytes / plan.size * grown <= COMFORTABLE {
            follow.size = grown;
        }
    }
    // Dublin Core without a single link: the same in ISO, before going on.
    let bare =
        !plan.iso_settled && plan.at == 1 && answered.seen > 0 && plan.way != plan::RequestMode::PostIso;
    if bare && !any_links(&answered.records) {
        let iso = HarvestPlan { iso: true, iso_settled: true, back: Some(at), at: 1, before: None, ..plan };
        return vec![iso];
    }
    follow.iso_settled = true;
    vec![follow]
}

fn any_links(records: &[CatalogueRecord]) -> bool {
    records.iter().any(|record| !record.links.is_empty())
}

/// The position of the next page; `None` at the end.
///
/// `nextRecord` is believed where it is plausible: some servers leave it out, always say 0, repeat the
/// position, or point beyond the end. The number of matches is believed more than it, and what came is
/// believed most.
fn position_after(plan: &HarvestPlan, answered: &RecordsResponse, issues: &mut Vec<Issue>) -> Option<u64> {
    let came = plan.at + answered.seen;
    let counted = plan.at + answered.seen.max(answered.returned.unwrap_or(0).min(plan.size));
    // Records that nobody may see leave holes: the page is short, and the next one begins behind it.
    let at = match answered.next {
        _ if answered.cut => came,
        Some(next) if next >= came && next <= plan.at + plan.size && next > plan.at => next,
        _ if answered.seen == 0 => plan.at + plan.size,
        _ => counted,
    };
    if at <= plan.at {
        // Nothing whole came, and it broke off: the page is too long.
        issues.push(Issue::new("csw-page-cut", "a page broke off before its first record ended"));
        return (plan.misses < MISSES).then_some(plan.at + plan.size);
    }
    match answered.matched {
        Some(matched) if at > matched => None,
        // Without a number, an empty page is the end.
        None | Some(0) if answered.seen == 0 => None,
        None | Some(0) if answered.next == Some(0) => None,
        _ => Some(at),
    }
}

/// The date in the middle of those that the records have.
fn middle_date(records: &[CatalogueRecord]) -> Option<String> {
    let mut dates: Vec<&str> = records.iter().filter_map(|record| record.modified.as_deref()).collect();
    dates.sort_unstable();
    dates.get(dates.len() / 2).map(|date| (*date).to_owned())
}

#[cfg(test)]
mod tests;
