//! Groups related notices into one item, so that a dead host is one alert, however many services it
//! has.
//!
//! Rules for the notices of one message, in order:
//! 1. A service that died and was reborn within the window is one outage with a duration. The same
//!    holds for degraded and recovered.
//! 2. Notices with the same host and topic within the window, counted from the first of them, form
//!    one item. New and changed services of a host share a topic.
//! 3. The most severe items come first; items beyond [`GroupingRules::most_items`] are only
//!    counted.
//!
//! Every notice is counted exactly once, in an item or in the rest.

use super::model::{AlertNotice, MOST_TEXT, NewsKind, NoticeCount, to_single_line};
use jiff::{SignedDuration, Timestamp};
use serde::Serialize;
use std::collections::{BTreeMap, HashMap, HashSet};

/// Limits of grouping.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GroupingRules {
    /// Maximum time between notices of one item.
    pub window: SignedDuration,
    /// Maximum number of items in a message; the rest is counted.
    pub most_items: usize,
    /// Maximum number of services named per item; the rest is counted.
    pub most_named: usize,
}

impl GroupingRules {
    /// Rules for messages that are sent as soon as something happens.
    pub const IMMEDIATE: Self =
        Self { window: SignedDuration::from_mins(15), most_items: 50, most_named: 10 };
    /// Rules for daily messages.
    pub const DAILY: Self = Self { window: SignedDuration::from_hours(24), ..Self::IMMEDIATE };
    /// Rules for weekly messages.
    pub const WEEKLY: Self = Self { window: SignedDuration::from_hours(7 * 24), ..Self::IMMEDIATE };
}

/// Topic of an item, most severe first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum AlertTopic {
    Died,
    Degraded,
    Blocked,
    Restricted,
    Moved,
    /// Died and reborn.
    WasDown,
    /// Degraded and recovered.
    WasDegraded,
    Reborn,
    Recovered,
    /// New services, possibly with changed ones of the same host.
    Born,
    Changed,
}

impl From<NewsKind> for AlertTopic {
    fn from(kind: NewsKind) -> Self {
        match kind {
            NewsKind::Born => Self::Born,
            NewsKind::Died => Self::Died,
            NewsKind::Reborn => Self::Reborn,
            NewsKind::Degraded => Self::Degraded,
            NewsKind::Recovered => Self::Recovered,
            NewsKind::Restricted => Self::Restricted,
            NewsKind::Blocked => Self::Blocked,
            NewsKind::Changed => Self::Changed,
            NewsKind::Moved => Self::Moved,
        }
    }
}

/// Several notices reported as one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AlertItem {
    pub topic: AlertTopic,
    pub host: String,
    /// What happened, e.g. "12 services of gis.example.org stopped answering: connection refused".
    pub sentence: String,
    /// Number of affected services.
    pub services: u64,
    /// Number of notices by kind.
    pub counts: BTreeMap<NewsKind, u64>,
    /// Times of the first and the last notice.
    pub from: Timestamp,
    pub to: Timestamp,
    /// The most frequent reason, and the number of other reasons.
    pub reason: Option<String>,
    pub other_reasons: u64,
    /// The longest duration, if it is over.
    pub lasted: Option<SignedDuration>,
    /// The latest notice of each named service.
    pub named: Vec<AlertNotice>,
    /// Number of services that are not named.
    pub more: u64,
}

/// Items that are only counted.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OmittedItems {
    pub items: u64,
    pub counts: BTreeMap<NewsKind, u64>,
}

/// All notices of a message.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct GroupedNotices {
    pub items: Vec<AlertItem>,
    pub rest: OmittedItems,
}

impl GroupedNotices {
    /// Returns the number of notices, including those that are only counted.
    pub fn count_notices(&self) -> u64 {
        let counts = self.items.iter().map(|item| &item.counts).chain([&self.rest.counts]);
        counts.flat_map(BTreeMap::values).fold(0, |sum, count| sum.saturating_add(*count))
    }
}

/// Groups notices; their order does not matter.
pub fn group_notices(
    news: &[AlertNotice],
    unlisted: &[NoticeCount],
    rules: &GroupingRules,
) -> GroupedNotices {
    let mut sorted: Vec<&AlertNotice> = news.iter().collect();
    sorted.sort_by_key(|news| (news.at, news.seq));
    let mut units = pair_notices(&sorted, rules.window);
    units.extend(unlisted.iter().filter(|some| some.count > 0).map(GroupingUnit::Counted));
    units.sort_by_key(GroupingUnit::at);

    let mut drafts: Vec<AlertItemBuilder> = Vec::new();
    let mut open: HashMap<(&str, AlertTopic), usize> = HashMap::new();
    for unit in units {
        let key = (unit.host(), unit.class());
        let draft = match open.get(&key) {
            Some(&at) if unit.at().duration_since(drafts[at].from) <= rules.window => at,
            _ => {
                drafts.push(AlertItemBuilder::new(&unit));
                open.insert(key, drafts.len() - 1);
                drafts.len() - 1
            }
        };
        drafts[draft].add(unit);
    }

    let mut items: Vec<AlertItem> = drafts.into_iter().map(|draft| draft.finish(rules.most_named)).collect();
    items.sort_by(|a, b| {
        (a.topic, std::cmp::Reverse(a.services), a.from, &a.host).cmp(&(
            b.topic,
            std::cmp::Reverse(b.services),
            b.from,
            &b.host,
        ))
    });
    let mut rest = OmittedItems::default();
    for item in items.drain(rules.most_items.min(items.len())..) {
        rest.items += 1;
        for (kind, count) in item.counts {
            add(&mut rest.counts, kind, count);
        }
    }
    GroupedNotices { items, rest }
}

/// The smallest unit that is never split between items.
enum GroupingUnit<'a> {
    One(&'a AlertNotice),
    /// A beginning and its end.
    Pair(&'a AlertNotice, &'a AlertNotice),
    Counted(&'a NoticeCount),
}

impl<'a> GroupingUnit<'a> {
    fn at(&self) -> Timestamp {
        match self {
            Self::One(news) | Self::Pair(news, _) => news.at,
            Self::Counted(some) => some.at,
        }
    }

    fn host(&self) -> &'a str {
        match self {
            Self::One(news) | Self::Pair(news, _) => &news.host,
            Self::Counted(some) => &some.host,
        }
    }

    /// Returns the topic that decides which units may share an item.
    fn class(&self) -> AlertTopic {
        let topic = match self {
            Self::One(news) => news.kind.into(),
            Self::Pair(news, _) if news.kind == NewsKind::Died => AlertTopic::WasDown,
            Self::Pair(..) => AlertTopic::WasDegraded,
            Self::Counted(some) => some.kind.into(),
        };
        // New and changed services of a host share an item.
        if topic == AlertTopic::Changed { AlertTopic::Born } else { topic }
    }
}

/// Pairs the end of each outage with its beginning. `sorted` is sorted by time.
fn pair_notices<'a>(sorted: &[&'a AlertNotice], window: SignedDuration) -> Vec<GroupingUnit<'a>> {
    let mut ends: Vec<Option<&AlertNotice>> = vec![None; sorted.len()];
    let mut is_end = vec![false; sorted.len()];
    let mut begun: HashMap<(&str, &str, NewsKind), usize> = HashMap::new();
    for (place, news) in sorted.iter().enumerate() {
        let began = match news.kind {
            NewsKind::Died | NewsKind::Degraded => {
                begun.insert((&news.host, &news.id, news.kind), place);
                continue;
            }
            NewsKind::Reborn => NewsKind::Died,
            NewsKind::Recovered => NewsKind::Degraded,
            _ => continue,
        };
        // In order of time: a rebirth ends only an outage that began before it.
        if let Some(first) = begun.remove(&(&news.host, &news.id, began))
            && news.at.duration_since(sorted[first].at) <= window
        {
            ends[first] = Some(news);
            is_end[place] = true;
        }
    }
    let units = sorted.iter().zip(ends).zip(is_end).filter(|(_, is_end)| !is_end);
    units
        .map(|((news, end), _)| end.map_or(GroupingUnit::One(news), |end| GroupingUnit::Pair(news, end)))
        .collect()
}

/// An item under construction.
struct AlertItemBuilder<'a> {
    class: AlertTopic,
    host: &'a str,
    from: Timestamp,
    to: Timestamp,
    /// The latest notice of each service, in the order of its first notice, and its index by record
    /// id.
    named: Vec<&'a AlertNotice>,
    places: HashMap<&'a str, usize>,
    born: HashSet<&'a str>,
    /// Counted-only services: those that are new, and the others.
    unlisted_born: u64,
    unlisted: u64,
    counts: BTreeMap<NewsKind, u64>,
    reasons: HashMap<&'a str, u64>,
    lasted: Option<SignedDuration>,
}

impl<'a> AlertItemBuilder<'a> {
    fn new(unit: &GroupingUnit<'a>) -> Self {
        Self {
            class: unit.class(),
            host: unit.host(),
            from: unit.at(),
            to: unit.at(),
            named: Vec::new(),
            places: HashMap::new(),
            born: HashSet::new(),
            unlisted_born: 0,
            unlisted: 0,
            counts: BTreeMap::new(),
            reasons: HashMap::new(),
            lasted: None,
        }
    }

    fn add(&mut self, unit: GroupingUnit<'a>) {
        match unit {
            GroupingUnit::One(news) => {
                self.take(news);
                self.add_reason(news);
            }
            GroupingUnit::Pair(first, last) => {
                self.take(first);
                self.take(last);
                self.add_reason(first);
                let lasted = last.at.duration_since(first.at);
                self.lasted = Some(self.lasted.map_or(lasted, |longest| longest.max(lasted)));
            }
            GroupingUnit::Counted(some) => {
                add(&mut self.counts, some.kind, some.count);
                let of =
                    if some.kind == NewsKind::Born { &mut self.unlisted_born } else { &mut self.unlisted };
                *of = of.saturating_add(some.count);
                self.to = self.to.max(some.at);
            }
        }
    }

    fn take(&mut self, news: &'a AlertNotice) {
        add(&mut self.counts, news.kind, 1);
        self.to = self.to.max(news.at);
        if news.kind == NewsKind::Born {
            self.born.insert(&news.id);
        }
        let place = *self.places.entry(&news.id).or_insert(self.named.len());
        match self.named.get_mut(place) {
            Some(earlier) => *earlier = news,
            None => self.named.push(news),
        }
    }

    fn add_reason(&mut self, news: &'a AlertNotice) {
        if !news.reason.trim().is_empty() {
            *self.reasons.entry(&news.reason).or_default() += 1;
        }
    }

    fn finish(self, most_named: usize) -> AlertItem {
        let listed = self.named.len() as u64;
        let services = listed.saturating_add(self.unlisted).saturating_add(self.unlisted_born);
        let born = (self.born.len() as u64).saturating_add(self.unlisted_born);
        // Without new services, the shared item is about the changed ones.
        let topic =
            if self.class == AlertTopic::Born && born == 0 { AlertTopic::Changed } else { self.class };
        // Ties are broken alphabetically, so that the same notices always give the same message.
        let reason = self.reasons.iter().max_by(|a, b| a.1.cmp(b.1).then_with(|| b.0.cmp(a.0)));
        let reason = reason.map(|(text, _)| to_single_line(text, MOST_TEXT)).filter(|text| !text.is_empty());
        let mut item = AlertItem {
            topic,
            host: to_single_line(self.host, MOST_TEXT),
            sentence: String::new(),
            services,
            counts: self.counts,
            from: self.from,
            to: self.to,
            reason,
            other_reasons: (self.reasons.len() as u64).saturating_sub(1),
            lasted: self.lasted,
            named: self.named.iter().take(most_named).map(|news| (*news).clone()).collect(),
            more: services - listed.min(most_named as u64),
        };
        let only = if services == 1 { self.named.first().copied() } else { None };
        item.sentence = describe_item(&item, only, born);
        item
    }
}

fn add(counts: &mut BTreeMap<NewsKind, u64>, kind: NewsKind, count: u64) {
    let known = counts.entry(kind).or_default();
    *known = known.saturating_add(count);
}

/// Describes what happened, in one sentence.
fn describe_item(item: &AlertItem, only: Option<&AlertNotice>, born: u64) -> String {
    let one = item.services == 1;
    let host = if item.host.is_empty() { "an unknown host" } else { &item.host };
    let say = |singular: &'static str, plural: &'static str| if one { singular } else { plural };
    let lasted = || {
        let upto = if one { "" } else { "up to " };
        format!("{upto}{}", format_duration(item.lasted.unwrap_or_default()))
    };
    let what = match item.topic {
        AlertTopic::Died => "stopped answering".to_owned(),
        AlertTopic::Degraded => say("does not work as it should", "do not work as they should").to_owned(),
        AlertTopic::Blocked => say("blocks us", "block us").to_owned(),
        AlertTopic::Restricted => say("requires a login or key", "require a login or key").to_owned(),
        AlertTopic::Moved => say("was found at another address", "were found at other addresses").to_owned(),
        AlertTopic::WasDown => format!("{} down for {}", say("was", "were"), lasted()),
        AlertTopic::WasDegraded => {
            format!("did not work as {} should for {}", say("it", "they"), lasted())
        }
        AlertTopic::Reborn => say("answers again", "answer again").to_owned(),
        AlertTopic::Recovered => say("works as it should again", "work as they should again").to_owned(),
        AlertTopic::Born if born == item.services => say("is new", "are new").to_owned(),
        AlertTopic::Born => {
            let changed = item.services.saturating_sub(born);
            return format!(
                "{} {} new, {changed} changed",
                services(born, host),
                if born == 1 { "is" } else { "are" }
            );
        }
        AlertTopic::Changed => "changed".to_owned(),
    };
    let title = only.and_then(|news| news.title.as_deref()).map(|title| to_single_line(title, 80));
    let who = match (only, title.filter(|title| !title.is_empty())) {
        (Some(news), Some(title)) => {
            format!("'{title}' ({}) of {host}", to_single_line(&news.record_kind, 40))
        }
        _ => services(item.services, host),
    };
    let tells_why = !matches!(item.topic, AlertTopic::Reborn | AlertTopic::Recovered | AlertTopic::Born)
        && (item.topic != AlertTopic::Changed || one);
    match item.reason.as_deref().filter(|_| tells_why) {
        None => format!("{who} {what}"),
        Some(reason) if item.other_reasons == 0 => format!("{who} {what}: {reason}"),
        Some(reason) => format!("{who} {what}: {reason}, and {} other reasons", item.other_reasons),
    }
}

/// Returns e.g. `1 service of gis.example.org` or `12 services of gis.example.org`.
fn services(count: u64, host: &str) -> String {
    format!("{count} service{} of {host}", if count == 1 { "" } else { "s" })
}

/// Returns e.g. `40 min`, `3 h` or `2 d 4 h`.
fn format_duration(lasted: SignedDuration) -> String {
    let minutes = lasted.as_secs().max(0) / 60;
    let (days, hours) = (minutes / 1440, minutes % 1440 / 60);
    match (days, hours, minutes) {
        (0, 0, 0) => "less than a minute".to_owned(),
        (0, 0, minutes) => format!("{minutes} min"),
        (0, hours, _) if hours < 3 && minutes % 60 > 0 => format!("{hours} h {} min", minutes % 60),
        (0, hours, _) => format!("{hours} h"),
        (days, 0, _) => format!("{days} d"),
        (days, hours, _) => format!("{days} d {hours} h"),
    }
}

#[cfg(test)]
mod tests;
