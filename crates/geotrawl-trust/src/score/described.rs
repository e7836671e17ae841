//! Components that follow from the description: validity, metadata, and compliance with the
//! standard.

use super::leave_out;
use super::measured::to_percent;
use super::points::{ComponentPoints, UnweightedPoint, clamp_share};
use super::{ObservedCheck, is_ours};
use geotrawl_kinds::kinds;
use geotrawl_model::{Facts, Outcome, Purpose};
use url::Url;

pub(super) use super::leave_out::lists_no_datasets;

/// Maximum size of a description, in total or per dataset.
const MOST_BYTES: u64 = 10_000_000;
const MOST_BYTES_EACH: u64 = 20_000;

/// Returns whether a kind must reject a wrong request with an XML report; for the others a status
/// is enough.
fn reports_in_xml(kind: &str) -> bool {
    let asked = kinds::kind_profile(kind).and_then(|profile| profile.read_from).unwrap_or(kind);
    kinds::by_id(asked).is_some_and(|kind| kind.ows().is_some())
}

/// A point that a description earns fully or not at all.
struct DescriptionPoint {
    id: &'static str,
    what: &'static str,
    of: f64,
    /// `None` if unknown.
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
            .or(untold.then_some("left out: it does not follow from the description"))
            .or(ask.yes.is_none().then_some("left out: it does not follow from the description"));
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

    /// Returns the facts, or adds the point that explains why there are none.
    fn facts(&mut self) -> Option<&'a Facts> {
        let facts = self.seen.check.facts.as_ref();
        if facts.is_none() {
            self.points.add(UnweightedPoint {
                id: "description",
                what: "The description is available",
                of: 1.0,
                share: Some(0.0),
                why: "the description was not returned, so it could not be evaluated".to_owned(),
                observation: self.seen.description,
                advice: "Fix the request for the description.",
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
        why: told(facts.well_formed, "a strict parser accepts it", "a strict parser rejects it"),
        advice: "Validate the document: escape & and <, close every element, and use the declared encoding.",
    });
    sheet.ask(DescriptionPoint {
        id: "root",
        what: "Root element, namespace and version follow the standard",
        of: 0.2,
        yes: Some(facts.right_root),
        why: told(facts.right_root, "they do", "they do not, although the document was recognised"),
        advice: "Use the root element, namespace and version of the standard.",
    });
    sheet.ask(DescriptionPoint {
        id: "datasets",
        what: "At least one layer is offered",
        of: 0.2,
        yes: Some(facts.datasets > 0),
        why: format!("layers: {}", facts.datasets),
        advice: "Publish a layer, or shut the service down.",
    });
    sheet.ask(DescriptionPoint {
        id: "names",
        what: "Layer names are unique",
        of: 0.1,
        yes: Some(facts.unique_names),
        why: told(facts.unique_names, "all names are unique", "a name is empty or used twice"),
        advice: "Give every layer a unique name.",
    });
    let small = facts.bytes <= MOST_BYTES || facts.bytes <= MOST_BYTES_EACH.saturating_mul(facts.datasets);
    sheet.ask(DescriptionPoint {
        id: "size",
        what: "The description has a reasonable size",
        of: 0.1,
        yes: Some(small),
        why: format!(
            "{} bytes for {} layers; up to 10 MB, or 20 kB per layer, is fine",
            facts.bytes, facts.datasets
        ),
        advice: "List only the reference systems in use, and avoid repeating the same content for every layer.",
    });
    sheet.points
}

pub(super) fn score_metadata(seen: &ObservedCheck<'_>) -> ComponentPoints {
    let mut sheet = PointSheet::new(seen, "metadata");
    let Some(facts) = sheet.facts() else { return sheet.points };
    sheet.ask(DescriptionPoint {
        id: "title",
        what: "The title is specific",
        of: 1.0,
        yes: Some(facts.title.is_some()),
        why: facts.title.as_ref().map_or_else(
            || "the title is missing or the default of the software".to_owned(),
            |title| format!("the title is {title:?}"),
        ),
        advice: "Set a title that names the content and the provider; defaults of the software count as missing.",
    });
    sheet.ask(DescriptionPoint {
        id: "abstract",
        what: "The abstract has at least 40 characters",
        of: 2.0,
        yes: Some(facts.abstract_length >= 40),
        why: format!("{} characters, not counting defaults of the software", facts.abstract_length),
        advice: "Write two sentences about the data: content, area and date, purpose.",
    });
    sheet.ask(DescriptionPoint {
        id: "keywords",
        what: "There are at least three keywords",
        of: 1.0,
        yes: Some(facts.keywords >= 3),
        why: format!("{} keywords, not counting defaults of the software", facts.keywords),
        advice: "Add three or more keywords, preferably from a known vocabulary (GEMET, INSPIRE themes).",
    });
    sheet.ask(DescriptionPoint {
        id: "contact",
        what: "Contact has an organisation and an e-mail address",
        of: 1.0,
        yes: Some(facts.organisation && facts.email),
        why: match (facts.organisation, facts.email) {
            (true, true) => "both are given",
            (true, false) => "the e-mail address is missing",
            (false, true) => "the organisation is missing",
            (false, false) => "both are missing or defaults of the software",
        }
        .to_owned(),
        advice: "Name the organisation and an e-mail address that is read.",
    });
    sheet.ask(DescriptionPoint {
        id: "licence",
        what: "A licence or conditions of use are given",
        of: 2.0,
        yes: Some(facts.licence),
        why: told(facts.licence, "they are", "they are not; \"none\" does not say what is allowed"),
        advice: "Give the name and address of the licence, e.g. in the access constraints.",
    });
    let nothing = facts.datasets == 0;
    sheet.ask(DescriptionPoint {
        id: "boxes",
        what: "At least 90 % of the layers have a valid bounding box",
        of: 2.0,
        yes: (!nothing).then(|| clamp_share(facts.placed) >= 0.9),
        why: format!("{} % have one", to_percent(clamp_share(facts.placed))),
        advice: "Compute bounding boxes from the data, in degrees and in the axis order of the standard.",
    });
    sheet.ask(DescriptionPoint {
        id: "titles",
        what: "At least 80 % of the layers have a readable title",
        of: 2.0,
        yes: (!nothing).then(|| clamp_share(facts.titled) >= 0.8),
        why: format!(
            "{} % have a title that differs from the name and is not a number",
            to_percent(clamp_share(facts.titled))
        ),
        advice: "Give layers titles in plain words: \"Roads 2024\", not \"rd_24\" or \"0\".",
    });
    sheet.ask(DescriptionPoint {
        id: "link",
        what: "There is a link to metadata or a date of change",
        of: 1.0,
        yes: Some(facts.metadata_or_date),
        why: told(facts.metadata_or_date, "there is one", "there is none"),
        advice: "Link every layer to its metadata record, or give the date of its last change.",
    });
    sheet.points
}

pub(super) fn score_standards(seen: &ObservedCheck<'_>) -> ComponentPoints {
    let mut sheet = PointSheet::new(seen, "standards");
    let Some(facts) = sheet.facts() else { return sheet.points };
    sheet.ask(DescriptionPoint {
        id: "media-type",
        what: "The media type matches the document",
        of: 1.0,
        yes: Some(facts.media_type),
        why: told(facts.media_type, "it does", "it is missing or wrong"),
        advice: "Send the Content-Type that the standard defines.",
    });
    refusal(&mut sheet);
    sheet.ask(DescriptionPoint {
        id: "version",
        what: "The requested version is returned",
        of: 1.0,
        yes: facts.version,
        why: told(facts.version == Some(true), "it is", "another version was returned"),
        advice: "Support the advertised version, and negotiate versions as defined by the standard.",
    });
    sheet.ask(DescriptionPoint {
        id: "advertised",
        what: "Advertised addresses have the scheme and host of the service",
        of: 2.0,
        yes: facts.advertised,
        why: told(facts.advertised == Some(true), "they do", "they lead elsewhere"),
        advice: "Set the public address of the service (proxy base URL, online resource) with https.",
    });
    sheet.ask(DescriptionPoint {
        id: "axis-order",
        what: "Bounding boxes use the right axis order",
        of: 1.0,
        yes: facts.axis_order,
        why: told(facts.axis_order == Some(true), "they do", "latitude and longitude are swapped"),
        advice: "Write bounding boxes in the axis order defined by the version of the standard.",
    });
    sheet.ask(DescriptionPoint {
        id: "encoding",
        what: "The character encoding is declared correctly",
        of: 1.0,
        yes: Some(facts.encoding),
        why: told(facts.encoding, "it is", "it is not declared, or differs from the declaration"),
        advice: "Declare the encoding, preferably UTF-8, in both header and document, and use it.",
    });
    // The last request for the description, whatever it returned: the address does not depend on
    // the answer.
    let address = seen
        .of_purpose(Purpose::Description)
        .last()
        .and_then(|(_, observation)| observation.answer.as_ref())
        .map_or(seen.check.url.as_str(), |answer| answer.url.as_str());
    let secure = Url::parse(address).is_ok_and(|url| url.scheme() == "https");
    let trusted = !seen.check.observations.iter().any(|o| o.outcome == Outcome::Tls);
    sheet.ask(DescriptionPoint {
        id: "https",
        what: "HTTPS with a trusted certificate",
        of: 1.0,
        yes: Some(secure && trusted),
        why: match (secure, trusted) {
            (true, true) => "it is",
            (false, _) => "the connection is not encrypted",
            (true, false) => "a TLS handshake failed or the certificate was invalid",
        }
        .to_owned(),
        advice: "Offer HTTPS with a certificate that browsers trust, and renew it in time.",
    });
    sheet.points
}

/// Scores the request that must be rejected: a proper error earns the point; if our own rules or
/// the network prevented it, the point is left out.
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
        what: "Invalid requests are rejected with a proper error",
        of: 1.0,
        share,
        why: match asked {
            None => "left out: it was not requested".to_owned(),
            Some((_, observation)) if share.is_none() => {
                format!("left out, the answer is inconclusive: {}", observation.seen)
            }
            Some((_, observation)) => observation.seen.clone(),
        },
        observation: asked.map(|(at, _)| at),
        advice: "Answer invalid requests with the exception and code defined by the standard, not with a web page or a \
                 blank map.",
    });
}

fn told(yes: bool, if_yes: &str, if_no: &str) -> String {
    if yes { if_yes } else { if_no }.to_owned()
}
