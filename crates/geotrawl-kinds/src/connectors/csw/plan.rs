//! The state of a CSW harvest: what to request next.

use crate::connectors::state::StateFields;
use jiff::civil::DateTime;
use std::fmt;

/// Initial page size. All servers return a hundred records; few return more at the first attempt.
pub const PAGE: u64 = 100;
/// Maximum page size.
pub const LARGEST_PAGE: u64 = 1000;

/// Version, method and format of the requests, in the order in which they are tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum RequestMode {
    /// 2.0.2 by GET, with Dublin Core records.
    #[default]
    Get,
    /// 2.0.2 by POST.
    Post,
    /// 2.0.2 by POST, for servers that support only ISO records.
    PostIso,
    /// 3.0 by GET.
    Get3,
    /// 3.0 by POST.
    Post3,
}

impl RequestMode {
    const ALL: [(Self, &'static str); 5] = [
        (Self::Get, "get"),
        (Self::Post, "post"),
        (Self::PostIso, "post-iso"),
        (Self::Get3, "get3"),
        (Self::Post3, "post3"),
    ];

    fn word(self) -> &'static str {
        Self::ALL.iter().find(|(way, _)| *way == self).map_or("get", |(_, word)| word)
    }

    fn of(word: &str) -> Self {
        Self::ALL.iter().find(|(_, w)| *w == word).map_or(Self::Get, |(way, _)| *way)
    }

    /// Returns the next mode. If the rejection is about the version, skips the remaining modes of
    /// 2.0.2.
    pub fn next_mode(self, about_version: bool) -> Option<Self> {
        match self {
            Self::Get | Self::Post | Self::PostIso if about_version => Some(Self::Get3),
            Self::Get => Some(Self::Post),
            Self::Post => Some(Self::PostIso),
            Self::PostIso => Some(Self::Get3),
            Self::Get3 => Some(Self::Post3),
            Self::Post3 => None,
        }
    }

    /// Returns whether requests are sent by POST.
    pub fn uses_post(self) -> bool {
        matches!(self, Self::Post | Self::PostIso | Self::Post3)
    }

    /// Returns whether the version is 3.0.
    pub fn is_version_3(self) -> bool {
        matches!(self, Self::Get3 | Self::Post3)
    }
}

/// A span of `dct:modified`, including `from` and excluding `to`; `None` is unbounded.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DateSpan {
    pub from: Option<String>,
    pub to: Option<String>,
}

impl DateSpan {
    /// Returns the date at which to split the span: `hint` if it is inside, otherwise the middle.
    /// Returns `None` if the span is too short.
    pub fn split_date(&self, hint: Option<&str>) -> Option<String> {
        // Hardly any records lie outside this range; those that do stay in the open-ended
        // spans.
        let low = self.from.as_deref().and_then(moment).or_else(|| moment("1990-01-01"))?;
        let high = self.to.as_deref().and_then(moment).or_else(|| moment("2040-01-01"))?;
        let inside = |at: DateTime| low < at && at < high;
        let at = if let Some(hint) = hint.and_then(moment).filter(|at| inside(*at)) {
            hint
        } else {
            let half = low.duration_until(high).as_secs() / 2;
            let middle = low.checked_add(jiff::SignedDuration::from_secs(half)).ok()?;
            // Split between days while the span covers several.
            if half > 2 * 86_400 { middle.date().to_datetime(jiff::civil::Time::midnight()) } else { middle }
        };
        inside(at).then(|| written(at))
    }
}

/// Parses `2024-05-06` or `2024-05-06T07:08:09`, ignoring time zone and fractions, which do not
/// matter here.
fn moment(text: &str) -> Option<DateTime> {
    let text = text.trim();
    let date = text.get(..10)?.parse::<jiff::civil::Date>().ok()?;
    match text.get(11..19).and_then(|time| time.parse::<jiff::civil::Time>().ok()) {
        Some(time) => Some(date.to_datetime(time)),
        None => Some(date.to_datetime(jiff::civil::Time::midnight())),
    }
}

/// Formats a date as servers compare it; some compare it as text.
fn written(at: DateTime) -> String {
    if at.time() == jiff::civil::Time::midnight() { at.date().to_string() } else { format!("{at}Z") }
}

/// Position of a harvest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HarvestPlan {
    pub way: RequestMode,
    /// Position of the first record, starting at 1.
    pub at: u64,
    /// Page size.
    pub size: u64,
    /// The server returned fewer records than requested, so the page size is not increased again.
    pub capped: bool,
    /// Request ISO 19139 records, because those in Dublin Core had no links.
    pub iso: bool,
    /// Position at which to continue in Dublin Core if ISO does not work.
    pub back: Option<u64>,
    /// ISO has been tried or is not needed.
    pub iso_settled: bool,
    pub span: DateSpan,
    /// Position from which pages fail: longer results are split by date.
    pub reach: Option<u64>,
    /// Hash of the first record of the previous page.
    pub before: Option<u64>,
    /// Consecutive failures or pages without records.
    pub misses: u64,
}

impl Default for HarvestPlan {
    fn default() -> Self {
        Self {
            way: RequestMode::default(),
            at: 1,
            size: PAGE,
            capped: false,
            iso: false,
            back: None,
            iso_settled: false,
            span: DateSpan::default(),
            reach: None,
            before: None,
            misses: 0,
        }
    }
}

impl HarvestPlan {
    /// Parses a state; the empty one is the start.
    pub fn parse(state: &str) -> Self {
        let fields = StateFields::parse(state);
        let text = |key: &str| fields.get(key).map(str::to_owned);
        Self {
            way: fields.get("by").map_or(RequestMode::Get, RequestMode::of),
            at: fields.number_value("at").unwrap_or(1).max(1),
            size: fields.number_value("n").unwrap_or(PAGE).clamp(1, LARGEST_PAGE),
            capped: fields.get("capped").is_some(),
            iso: fields.get("as") == Some("iso"),
            back: fields.number_value("back"),
            iso_settled: fields.get("settled").is_some(),
            span: DateSpan { from: text("from"), to: text("to") },
            reach: fields.number_value("reach"),
            before: fields.number_value("before"),
            misses: fields.number_value("misses").unwrap_or(0),
        }
    }
}

impl fmt::Display for HarvestPlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut fields = StateFields::default();
        fields.put_value("at", self.at);
        fields.put_value("n", self.size);
        if self.way != RequestMode::Get {
            fields.put_value("by", self.way.word());
        }
        if self.iso {
            fields.put_value("as", "iso");
        }
        for (set, key) in [(self.capped, "capped"), (self.iso_settled, "settled")] {
            if set {
                fields.put_value(key, 1);
            }
        }
        fields.put_optional("from", self.span.from.as_deref());
        fields.put_optional("to", self.span.to.as_deref());
        fields.put_optional("back", self.back);
        fields.put_optional("reach", self.reach);
        fields.put_optional("before", self.before);
        if self.misses > 0 {
            fields.put_value("misses", self.misses);
        }
        fields.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plan_survives_being_written() {
        let plan = HarvestPlan {
            way: RequestMode::PostIso,
            at: 4711,
            size: 500,
            capped: true,
            iso: true,
            back: Some(101),
            iso_settled: true,
            span: DateSpan { from: Some("2020-01-01".into()), to: Some("2021-06-01T12:00:00Z".into()) },
            reach: Some(5000),
            before: Some(u64::MAX),
            misses: 2,
        };
        assert_eq!(HarvestPlan::parse(&plan.to_string()), plan);
        assert_eq!(HarvestPlan::parse(&HarvestPlan::default().to_string()), HarvestPlan::default());
        assert_eq!(HarvestPlan::parse(""), HarvestPlan::default());
        assert_eq!(
            HarvestPlan::parse("at=0 n=99999999 by=pigeon misses=x"),
            HarvestPlan { size: 1000, ..HarvestPlan::default() }
        );
    }

    #[test]
    fn spans_are_cut_until_a_second_is_left() {
        let span = |from: &str, to: &str| {
            let some = |t: &str| (!t.is_empty()).then(|| t.to_owned());
            DateSpan { from: some(from), to: some(to) }
        };
        assert_eq!(span("", "").split_date(None).as_deref(), Some("2015-01-01"));
        assert_eq!(
            span("", "").split_date(Some("2021-02-03T04:05:06.789Z")).as_deref(),
            Some("2021-02-03T04:05:06Z")
        );
        assert_eq!(
            span("2020-01-01", "2020-01-02").split_date(None).as_deref(),
            Some("2020-01-01T12:00:00Z")
        );
        assert_eq!(
            span("2020-01-01", "2020-01-02").split_date(Some("2030-01-01")).as_deref(),
            Some("2020-01-01T12:00:00Z")
        );
        assert_eq!(span("2020-01-01T00:00:00Z", "2020-01-01T00:00:01Z").split_date(None), None);
        assert_eq!(span("2020-01-01", "2020-01-01").split_date(None), None);
        assert_eq!(span("rubbish", "2020-01-02").split_date(None).as_deref(), Some("2005-01-01"));
        let mut cuts = 0;
        let mut span = span("", "");
        while let Some(at) = span.split_date(None) {
            span.from = Some(at);
            cuts += 1;
            assert!(cuts < 64);
        }
    }
}
