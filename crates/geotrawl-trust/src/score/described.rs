//! What the description shows: validity, metadata, and how well it keeps to its standard.

use super::leave_out;
use super::measured::to_percent;
use super::points::{ComponentPoints, UnweightedPoint, clamp_share};
use super::{ObservedCheck, is_ours};
use geotrawl_kinds::kinds;
use geotrawl_model::{Facts, Outcome, Purpose};
use url::Url;

pub(super) use super::leave_out::lists_no_datasets;

/// Descriptions may be this large, or this large for every dataset.
const MOST_BYTES: u64 = 10_000_000;
const MOST_BYTES_EACH: u64 = 20_000;

/// Returns whether a kind must answer a wrong question with a report in XML; the others may do so by status alone.
fn reports_in_xml(kind: &str) -> bool {
    let asked = kinds::kind_profile(kind).and_then(|profile| profile.read_from).unwrap_or(kind);
    kinds::by_id(asked).is_some_and(|kind| kind.ows().is_some())
}

/// One yes or no of a description.
struct DescriptionPoint {
    id: &'static str,
    what: &'static str,
    of: f64,
    /// Unknown when nothing.
    yes: Option<bool>,
    why: String,
    advice: &'static str,
}

struct PointSheet<'a> {
    seen: &'a ObservedCheck<'a>,
    component: &'static str,
    points: ComponentPoints,
}

impl<'a> PointSheet<'a> {
    fn new(seen: &'a ObservedCheck<'a>, component: &'static str) -> Self {
        Self { seen, component, points: ComponentPoints::new(component) }
    }

    fn ask(&mut self, ask: DescriptionPoint) {
        let id = format!("{}.{}", self.component, ask.id);
        let untold = self.seen.check.facts.as_ref().is_some_and(|facts| facts.unknown.contains(&id));
        let left_out = leave_out::omission_reason(&self.seen.check.kind, &id)
            .or(untold.then_some("left out: what was read does not tell"))
            .or(ask.yes.is_none().then_some("left out: what was read does not tell"));
        self.points.add(UnweightedPoint {
            id: ask.id,
            what: ask.what,
            of: ask.of,
            share: match (left_out, ask.yes) {
                (None, Some(yes)) => Some(if yes { 1.0 } else { 0.0 }),
                _ => None,
            },
            why: left_out.map_or(ask.why, str::to_owned),
            observation: self.seen.description,
            advice: ask.advice,
        });
    }

    /// The facts, or one point that says why there are none.
    fn facts(&mut self) -> Option<&'a Facts> {
        let facts = self.seen.check.facts.as_ref();
        if facts.is_none() {
            self.points.add(UnweightedPoint {
                id: "description",
                what: "The description can be read",
                of: 1.0,
                share: Some(0.0),
                why: "the description was not given, so nothing of it can be seen".to_owned(),
                observation: self.seen.description,
                advice: "Mend what keeps the description from being given.",
            });
        }
        facts
    }
}

pub(super) fn score_capabilities(seen: &ObservedCheck<'_>) -> ComponentPoints {
    let mut sheet = PointSheet::new(seen, "capabilities");
    let Some(facts) = sheet.facts() else { return sheet.points };
    sheet.ask(DescriptionPoint {
        id: "well-formed",
        what: "The description is well-formed",
        of: 0.4,
        yes: Some(facts.well_formed),
        why: told(facts.well_formed, "a strict reader accepts it", "a strict reader rejects it"),
        advice: "Validate the document: escape & and <, close every element, send the encoding that is declared.",
    });
    sheet.ask(DescriptionPoint {
        id: "root",
        what: "Root, namespace and version are those of the standard",
        of: 0.2,
        yes: Some(facts.right_root),
        why: told(facts.right_root, "they are", "they are not, though it can be recognised"),
        advice: "Use the root element, namespace and version of the standard.",
    });
    sheet.ask(DescriptionPoint {
        id: "datasets",
        what: "It offers at least one dataset",
        of: 0.2,
        yes: Some(facts.datasets > 0),
        why: format!("it offers {}", facts.datasets),
        advice: "Publish a dataset, or take the service down.",
    });
    sheet.ask(DescriptionPoint {
        id: "names",
        what: "Every dataset has a name of its own",
        of: 0.1,
        yes: Some(facts.unique_names),
        why: told(facts.unique_names, "all names differ", "a name is empty or used twice"),
        advice: "Give every dataset a name that no other has.",
    });
    let small = facts.bytes <= MOST_BYTES || facts.bytes <= MOST_BYTES_EACH.saturating_mul(facts.datasets);
    sheet.ask(DescriptionPoint {
        id: "size",
        what: "The description is no larger than it needs to be",
        of: 0.1,
        yes: Some(small),
        why: format!(
            "{} bytes for {} datasets; 10 MB, or 20 kB a dataset, is fine",
            facts.bytes, facts.datasets
        ),
        advice: "List only the reference systems that are used, and drop what repeats for every dataset.",
    });
    sheet.points
}

pub(super) fn score_metadata(seen: &ObservedCheck<'_>) -> ComponentPoints {
    let mut sheet = PointSheet::new(seen, "metadata");
    let Some(facts) = sheet.facts() else { return sheet.points };
    sheet.ask(DescriptionPoint {
        id: "title",
        what: "The title is its own",
        of: 1.0,
        yes: Some(facts.title.is_some()),
        why: facts.title.as_ref().map_or_else(
            || "there is no title, or the one that the software came with".to_owned(),
            |title| format!("it is called {title:?}"),
        ),
        advice: "Give a title that says what it is and of whom; defaults of the software count as none.",
    });
    sheet.ask(DescriptionPoint {
        id: "abstract",
        what: "A text of at least 40 characters says what it is",
        of: 2.0,
        yes: Some(facts.abstract_length >= 40),
        why: format!("{} characters, defaults of the software not counted", facts.abstract_length),
        advice: "Write two sentences: what the data are, where and when they come from, what they are for.",
    });
    sheet.ask(DescriptionPoint {
        id: "keywords",
        what: "At least three keywords",
        of: 1.0,
        yes: Some(facts.keywords >= 3),
        why: format!("{} keywords, defaults of the software not counted", facts.keywords),
        advice: "Add three keywords or more, best from a known vocabulary (GEMET, INSPIRE themes).",
    });
    sheet.ask(DescriptionPoint {
        id: "contact",
        what: "Organisation and e-mail address are given",
        of: 1.0,
        yes: Some(facts.organisation && facts.email),
        why: match (facts.organisation, facts.email) {
            (true, true) => "both are there",
            (true, false) => "the e-mail address is missing",
            (false, true) => "the organisation is missing",
            (false, false) => "both are missing, or defaults of the software",
        }
        .to_owned(),
        advice: "Name the organisation and an address that someone reads.",
    });
    sheet.ask(DescriptionPoint {
        id: "licence",
        what: "Licence or conditions of use are stated",
        of: 2.0,
        yes: Some(facts.licence),
        why: told(facts.licence, "they are", "they are not; \"none\" leaves open what is allowed"),
        advice: "State the licence with its name and address, e.g. in the access constraints.",
    });
    let nothing = facts.datasets == 0;
    sheet.ask(DescriptionPoint {
        id: "boxes",
        what: "At least 90 % of the datasets have a valid box",
        of: 2.0,
        yes: (!nothing).then(|| clamp_share(facts.placed) >= 0.9),
        why: format!("{} % have one", to_percent(clamp_share(facts.placed))),
        advice: "Compute the boxes from the data, in degrees, longitude before latitude where the standard says so.",
    });
    sheet.ask(DescriptionPoint {
        id: "titles",
        what: "At least 80 % of the datasets have a title for people",
        of: 2.0,
        yes: (!nothing).then(|| clamp_share(facts.titled) >= 0.8),
        why: format!(
            "{} % have one that is more than the name and no number",
            to_percent(clamp_share(facts.titled))
        ),
        advice: "Give datasets titles in plain words: \"Roads 2024\", not \"rd_24\" or \"0\".",
    });
    sheet.ask(DescriptionPoint {
        id: "link",
        what: "A link to metadata, or a date",
        of: 1.0,
        yes: Some(facts.metadata_or_date),
        why: told(facts.metadata_or_date, "there is one", "there is none"),
        advice: "Link every dataset to its metadata record, or state when it was last changed.",
    });
    sheet.points
}

pub(super) fn score_standards(seen: &ObservedCheck<'_>) -> ComponentPoints {
    let mut sheet = PointSheet::new(seen, "standards");
    let Some(facts) = sheet.facts() else { return sheet.points };
    sheet.ask(DescriptionPoint {
        id: "media-type",
        what: "The media type is right for the document",
        of: 1.0,
        yes: Some(facts.media_type),
        why: told(facts.media_type, "it is", "it is missing, or that of something else"),
        advice: "Send the Content-Type that the standard names.",
    });
    refusal(&mut sheet);
    sheet.ask(DescriptionPoint {
        id: "version",
        what: "The version that was asked for is the one that came",
        of: 1.0,
        yes: facts.version,
        why: told(facts.version == Some(true), "it is", "another version came"),
        advice: "Support the version that is advertised, and negotiate as the standard says.",
    });
    sheet.ask(DescriptionPoint {
        id: "advertised",
        what: "The addresses that it gives for requests have its own scheme and host",
        of: 2.0,
        yes: facts.advertised,
        why: told(facts.advertised == Some(true), "they have", "they lead elsewhere"),
        advice: "Set the public address of the service (proxy base URL, online resource) with https.",
    });
    sheet.ask(DescriptionPoint {
        id: "axis-order",
        what: "Boxes in its own systems agree with the geographic ones",
        of: 1.0,
        yes: facts.axis_order,
        why: told(facts.axis_order == Some(true), "they agree", "latitude and longitude are exchanged"),
        advice: "Write boxes in the axis order that the version of the standard demands.",
    });
    sheet.ask(DescriptionPoint {
        id: "encoding",
        what: "The encoding is declared, and as declared",
        of: 1.0,
        yes: Some(facts.encoding),
        why: told(facts.encoding, "it is", "it is not declared, or the bytes are in another"),
        advice: "Declare the encoding, best UTF-8, in header and document alike, and send just that.",
    });
    // The last description that was asked for, whatever came: the address does not depend on what was given.
    let address = seen
        .of_purpose(Purpose::Description)
        .last()
        .and_then(|(_, observation)| observation.answer.as_ref())
        .map_or(seen.check.url.as_str(), |answer| answer.url.as_str());
    let secure = Url::parse(address).is_ok_and(|url| url.scheme() == "https");
    let trusted = !seen.check.observations.iter().any(|o| o.outcome == Outcome::Tls);
    sheet.ask(DescriptionPoint {
        id: "https",
        what: "It answers over a trustworthy encrypted connection",
        of: 1.0,
        yes: Some(secure && trusted),
        why: match (secure, trusted) {
            (true, true) => "it does",
            (false, _) => "it answers without encryption",
            (true, false) => "a handshake failed or a certificate was not valid",
        }
        .to_owned(),
        advice: "Offer https with a certificate that browsers trust, and renew it in time.",
    });
    sheet.points
}

/// The wrong question: refused properly is right, refused by our own rules or not at all says nothing.
fn refusal(sheet: &mut PointSheet<'_>) {
    let asked = sheet.seen.of_purpose(Purpose::Refusal).next();
    let by_status = !reports_in_xml(&sheet.seen.check.kind);
    let share = asked.and_then(|(_, observation)| match observation.outcome {
        Outcome::Exception => Some(1.0),
        Outcome::Gone | Outcome::ClientError if by_status => Some(1.0),
        outcome if is_ours(outcome) => None,
        Outcome::Login
        | Outcome::Key
        | Outcome::Firewall
        | Outcome::Forbidden
        | Outcome::Dns
        | Outcome::Connect
        | Outcome::Tls
        | Outcome::Timeout
        | Outcome::Reset => None,
        _ => Some(0.0),
    });
    sheet.points.add(UnweightedPoint {
        id: "refusal",
        what: "A question about something that is not there is refused properly",
        of: 1.0,
        share,
        why: match asked {
            None => "left out: it was not asked".to_owned(),
            Some((_, observation)) if share.is_none() => {
                format!("left out, the answer does not tell: {}", observation.seen)
            }
            Some((_, observation)) => observation.seen.clone(),
        },
        observation: asked.map(|(at, _)| at),
        advice: "Answer wrong requests with the exception of the standard and its code, not with a page or a \
                 blank map.",
    });
}

fn told(yes: bool, if_yes: &str, if_no: &str) -> String {
    if yes { if_yes } else { if_no }.to_owned()
}
