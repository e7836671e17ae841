//! Catalogue Service for the Web: `GetRecords`, page by page.
//!
//! The state contains the request mode, the position, the page size and the date span; see
//! [`plan::HarvestPlan`]. Within a span the position never decreases, and spans only get shorter,
//! so every harvest ends, whatever the server returns.

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
    what: "Reads all records of a CSW with GetRecords: by GET, or by POST if GET is rejected; as Dublin \
           Core, or as ISO 19139 if Dublin Core has no links. Pages by position, regardless of nextRecord; \
           if deep pages fail, the catalogue is split by the date of the last change.",
    specification: "https://www.ogc.org/standard/cat/",
    kinds: &["csw"],
    incremental: true,
};

/// Maximum position; no catalogue is that large.
const LAST_POSITION: u64 = 50_000_000;
/// Number of consecutive failures or empty pages after which a span is abandoned.
const MISSES: u64 = 3;
/// The page size is increased as long as pages stay below this many bytes.
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

/// A reader that counts bytes.
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

/// Handles a response that is not a page: tries another request mode at the start, and smaller
/// pages or date spans later.
fn refused(mut plan: HarvestPlan, status: u16, answered: &RecordsResponse) -> CataloguePage {
    let why = match &answered.exception {
        Some(exception) => format!("the catalogue returned an exception: {exception}"),
        None => format!("the response (status {status}) is not a search result"),
    };
    let mut page = CataloguePage::default();
    let mut go_on = |next: Vec<HarvestPlan>, code: &str| {
        page.issues.push(Issue::new(code, why.clone()));
        page.next = next.iter().map(HarvestPlan::to_string).collect();
    };
    if let Some(back) = plan.back {
        // ISO was only tried; continue in Dublin Core.
        let dublin_core =
            HarvestPlan { iso: false, iso_settled: true, back: None, at: back, misses: 0, ..plan };
        go_on(vec![dublin_core], "csw-no-iso");
        return page;
    }
    let begun = plan.at > 1 || plan.before.is_some() || plan.reach.is_some();
    if !begun {
        // If the server does not support the filter, harvest the whole catalogue instead.
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
        // A single record may break its page: continue after the page.
        plan.at += plan.size;
        go_on(vec![plan], "csw-page-skipped");
    } else {
        go_on(Vec::new(), "csw-broken-off");
    }
    page
}

/// Splits the plan's date span in two, each read from its start.
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

/// Returns the plans that follow a page.
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
        issues.push(Issue::new("csw-stuck", "the catalogue returns the same page repeatedly"));
        return Vec::new();
    }
    // Too long to be paged to its end: split by the dates on this page.
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
        issues.push(Issue::new("csw-broken-off", "stopped after several pages without records"));
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
    // No link in Dublin Core: request the first page in ISO before continuing.
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

/// Returns the position of the next page, or `None` at the end.
///
/// `nextRecord` is used only if it is plausible: some servers omit it, always return 0, repeat the
/// position, or point beyond the end. The number of matches takes precedence over it, and the
/// number of records received over both.
fn position_after(plan: &HarvestPlan, answered: &RecordsResponse, issues: &mut Vec<Issue>) -> Option<u64> {
    let came = plan.at + answered.seen;
    let counted = plan.at + answered.seen.max(answered.returned.unwrap_or(0).min(plan.size));
    // Hidden records make a page shorter: the next page still starts after the whole page.
    let at = match answered.next {
        _ if answered.cut => came,
        Some(next) if next >= came && next <= plan.at + plan.size && next > plan.at => next,
        _ if answered.seen == 0 => plan.at + plan.size,
        _ => counted,
    };
    if at <= plan.at {
        // The response was cut off before the first complete record: the page is too long.
        issues.push(Issue::new("csw-page-cut", "a page was cut off before the end of its first record"));
        return (plan.misses < MISSES).then_some(plan.at + plan.size);
    }
    match answered.matched {
        Some(matched) if at > matched => None,
        // Without a number of matches, an empty page is the end.
        None | Some(0) if answered.seen == 0 => None,
        None | Some(0) if answered.next == Some(0) => None,
        _ => Some(at),
    }
}

/// Returns the median date of the records.
fn middle_date(records: &[CatalogueRecord]) -> Option<String> {
    let mut dates: Vec<&str> = records.iter().filter_map(|record| record.modified.as_deref()).collect();
    dates.sort_unstable();
    dates.get(dates.len() / 2).map(|date| (*date).to_owned())
}

#[cfg(test)]
mod tests;
