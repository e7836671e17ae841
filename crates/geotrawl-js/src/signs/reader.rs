//! Processes the events.

use super::RecognitionResult;
use super::address::{
    UrlHost, arcgis_service, contains_ignore_case, is_address, is_rooted, query_parameter,
    requested_ogc_service, tile_template_service, url_host,
};
use super::gather::{AddressFinding, FindingCollection, FindingRank};
use super::hosts::same_source;
use super::judge::{JudgedAddress, is_vendor_scheme, judge_address};
use super::lookup::{SignatureRow, find_signatures};
use super::noise::{is_library_default, is_noise, is_promising};
use super::proxy::{ProxyPrefixes, is_proxy_name, percent_decode};
use super::shapes::{self, ShapedAddress};
use super::sign::{AddressUse, ArgumentPath, CallSignature, FEATURE_TYPES, WMS_LAYERS};
use super::types::service_of_member;
use super::values::{FoundAddress, collect_names, find_addresses, layers, title};
use crate::model::{AnalysisLevel, HOLE, ScriptPosition, says};
use crate::value::{CodeEvent, JsObject, JsValue};
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

/// Maximum number of values read per application.
const MOST_VALUES: usize = 4_000_000;
/// Maximum nesting depth.
const DEEPEST: u8 = 24;

/// Rule, reason and position of the value that is being read.
struct ReadContext<'a> {
    rule: &'a str,
    reason: &'a str,
    layers: Vec<String>,
    title: &'a str,
    rank: FindingRank,
    place: ScriptPosition,
}

/// State of processing the events.
pub struct EventProcessor {
    gathered: FindingCollection,
    proxies: ProxyPrefixes,
    portal: String,
    makes_maps: bool,
    undecided: u32,
    /// Objects that were read, by their address in memory, which the events keep valid.
    read: HashSet<*const JsObject>,
    /// Kind of the capabilities that a script parses.
    capabilities: HashMap<u32, &'static str>,
    left: usize,
}

/// Processes all events.
pub fn read(events: &[CodeEvent], level: AnalysisLevel) -> RecognitionResult {
    let mut reader = EventProcessor {
        gathered: FindingCollection::default(),
        proxies: ProxyPrefixes::default(),
        portal: "https://www.arcgis.com".to_owned(),
        makes_maps: false,
        undecided: 0,
        read: HashSet::new(),
        capabilities: HashMap::new(),
        left: MOST_VALUES,
    };
    // Global settings come first, then the most certain events.
    for event in events {
        reader.settings(event);
    }
    for event in events {
        if let CodeEvent::Call { name, args, place, .. } = event {
            reader.call(name, args, *place, true);
        }
    }
    for event in events {
        match event {
            CodeEvent::Object { object, place } => reader.object(object, *place, "", DEEPEST),
            CodeEvent::Assign { name, value, place } => reader.assignment(name, value, *place),
            _ => {}
        }
    }
    for event in events {
        if let CodeEvent::Text { text, place } = event {
            reader.text(text, *place);
        }
    }
    reader.gathered.assign_capabilities_kinds(&reader.capabilities);
    RecognitionResult {
        sightings: reader.gathered.into_sightings(level),
        makes_maps: reader.makes_maps,
        undecided: reader.undecided,
    }
}

impl EventProcessor {
    /// Collects proxies and the portal.
    fn settings(&mut self, event: &CodeEvent) {
        match event {
            CodeEvent::Assign { name, value, .. } => {
                if let Some(last) = name.last() {
                    self.setting(last, value);
                }
            }
            CodeEvent::Object { object, .. } => {
                for (key, value) in &object.members {
                    self.setting(key, value);
                }
            }
            CodeEvent::Call { name, args, .. } => {
                // esri's `urlUtils.addProxyRule({urlPrefix, proxyUrl})`.
                if name.last().is_some_and(|last| &**last == "addProxyRule")
                    && let Some(JsValue::Object(rule)) = args.first()
                {
                    rule.members.iter().for_each(|(key, value)| self.setting(key, value));
                }
            }
            CodeEvent::Text { .. } => {}
        }
    }

    fn setting(&mut self, name: &str, value: &JsValue) {
        if is_proxy_name(name) || name == "ProxyHost" {
            for text in value.texts() {
                self.proxies.add_prefix(text);
            }
            if let Some(text) =
                value.get("url").and_then(JsValue::as_text).filter(|text| contains_ignore_case(text, "proxy"))
            {
                self.proxies.add_prefix(text);
            }
        } else if matches!(name, "portalUrl" | "portalURL" | "arcgisUrl" | "portal_url")
            && let Some(text) =
                value.texts().into_iter().find(|text| matches!(url_host(text), UrlHost::Known(_)))
        {
            let text = text.trim_end_matches('/');
            let text = text.strip_suffix("/sharing/rest/content/items").unwrap_or(text);
            text.strip_suffix("/sharing").unwrap_or(text).clone_into(&mut self.portal);
        }
    }

    /// Processes a call or `new`.
    fn call(&mut self, name: &[Rc<str>], args: &[JsValue], place: ScriptPosition, counts: bool) {
        // `Ext.create('GeoExt.data.store.X', {...})` constructs the class named by its first
        // argument.
        if name.last().is_some_and(|last| matches!(&**last, "create" | "widget"))
            && let Some((JsValue::Text(class), rest)) = args.split_first()
            && class.contains('.')
            && !class.contains(['/', ':', ' '])
        {
            let name: Vec<Rc<str>> = class.split('.').map(Rc::from).collect();
            return self.call(&name, rest, place, counts);
        }
        let found = find_signatures(name);
        let mut told = false;
        for row in &found {
            if self.row(row, name, args, place) {
                told = true;
                break;
            }
        }
        if let Some(row) = found.first() {
            self.note(row, name, args, place, told, counts);
        } else if !told {
            self.unnamed(args, place);
        }
        // The name of a source serves as its title.
        let named = matches!(name.last().map(|last| &**last), Some("addSource" | "addLayer"));
        let called = if named { args.first().and_then(title).unwrap_or_default() } else { "" };
        for arg in args {
            self.value(arg, place, called, DEEPEST);
        }
    }

    /// Records what a call shows besides its URL.
    fn note(
        &mut self,
        row: &SignatureRow,
        name: &[Rc<str>],
        args: &[JsValue],
        place: ScriptPosition,
        told: bool,
        counts: bool,
    ) {
        let uses = row.sign.uses;
        let sure = row.is_sure(name);
        self.makes_maps |= uses.makes_maps() && (told || sure || uses == AddressUse::Map);
        let kind = match name.last().map(|last| &**last) {
            Some("WMTSCapabilities" | "optionsFromCapabilities") => Some("wmts"),
            Some("WMSCapabilities") => Some("wms"),
            _ => None,
        };
        if let Some(kind) = kind {
            self.capabilities.entry(place.script).or_insert(kind);
        }
        if !told
            && counts
            && sure
            && uses.needs_address()
            && (uses != AddressUse::Item || row.has_library_root(name))
        {
            // A missing URL is the author's choice; an unknown one is a loss.
            let open = row.sign.url.iter().any(|spot| at_spot(args, *spot).into_iter().any(is_open));
            let whole = matches!(args.first(), Some(JsValue::Unknown))
                && matches!(uses, AddressUse::Is(_) | AddressUse::Arcgis);
            if open || whole {
                self.undecided = self.undecided.saturating_add(1);
            }
        }
    }

    /// Reads a call according to a signature; returns whether it has a URL.
    fn row(&mut self, row: &SignatureRow, name: &[Rc<str>], args: &[JsValue], place: ScriptPosition) -> bool {
        let sign = row.sign;
        if matches!(sign.uses, AddressUse::Map | AddressUse::Bare) {
            return false;
        }
        if sign.uses == AddressUse::Opened && !is_method(args.first()) {
            return false;
        }
        for spot in sign.url {
            let values = at_spot(args, *spot);
            let texts: Vec<FoundAddress> = values.iter().flat_map(|value| find_addresses(value).0).collect();
            if texts.is_empty() {
                continue;
            }
            let rule = row.rule_name();
            let reason = reason_of(sign, name);
            // `$.get(url, {service: "WFS", ...})`, `axios.get(url, {params: {...}})`.
            let (uses, asked) = match sign.uses {
                AddressUse::Loaded => with_parameters(args.get(1))
                    .unwrap_or_else(|| (AddressUse::Loaded, layers_of(sign, args))),
                uses => (uses, layers_of(sign, args)),
            };
            let context = ReadContext {
                rule: &rule,
                reason: &reason,
                layers: asked,
                title: sign
                    .title
                    .iter()
                    .find_map(|spot| at_spot(args, *spot).into_iter().find_map(title))
                    .unwrap_or_default(),
                rank: if sign.uses.makes_maps() { FindingRank::Call } else { FindingRank::Named },
                place,
            };
            if self.addresses(&texts, uses, &context) {
                // The signature has read this object, so it is not read by its shape as well.
                if let (
                    ArgumentPath::In(at, _),
                    AddressUse::Is(_) | AddressUse::File | AddressUse::Tiles | AddressUse::VectorTiles,
                ) = (*spot, sign.uses)
                    && let Some(JsValue::Object(object)) = args.get(usize::from(at))
                {
                    self.read_members(object, place);
                }
                return true;
            }
        }
        false
    }

    /// Reads a call with an unknown name: an ArcGIS URL, or a URL with layers.
    fn unnamed(&mut self, args: &[JsValue], place: ScriptPosition) {
        let with_layers = args.iter().any(|arg| matches!(arg, JsValue::Object(o) if o.get("layers").or_else(|| o.get("LAYERS")).is_some_and(|v| v.as_text().is_some())));
        for arg in args.iter().take(2) {
            let JsValue::Text(text) = arg else { continue };
            let uses = if arcgis_service(text).is_some() {
                AddressUse::Arcgis
            } else if with_layers && is_address(text) {
                AddressUse::Is("wms")
            } else {
                continue;
            };
            let layers = args.iter().find_map(|arg| match arg {
                JsValue::Object(object) => Some(layers(object, WMS_LAYERS)).filter(|names| !names.is_empty()),
                _ => None,
            });
            let context = ReadContext {
                rule: "shape:positional",
                reason: "the URL is followed by layer options, or belongs to an ArcGIS server",
                layers: layers.unwrap_or_default(),
                title: "",
                rank: FindingRank::Shape,
                place,
            };
            let found = [FoundAddress { url: text.trim().to_owned(), returned: false, listed: false }];
            if self.addresses(&found, uses, &context) {
                self.makes_maps = true;
                return;
            }
        }
    }

    /// Reports URLs; returns whether there was one.
    fn addresses(&mut self, texts: &[FoundAddress], uses: AddressUse, context: &ReadContext<'_>) -> bool {
        let mut any = false;
        let mut reported: Vec<String> = Vec::new();
        for found in texts {
            let unwrapped = self.proxies.unwrap_url(&found.url);
            let found = FoundAddress { url: unwrapped.unwrap_or_else(|| found.url.clone()), ..found.clone() };
            let open = url_host(&found.url) == UrlHost::Unknown || self.proxies.is_open(&found.url);
            if is_all_open(&found.url) && found.returned {
                continue;
            }
            if found.url.contains(HOLE) && open {
                if uses.needs_address() {
                    self.undecided = self.undecided.saturating_add(1);
                    any = true;
                }
                continue;
            }
            if self.proxies.is_prefix(&found.url) {
                continue;
            }
            let JudgedAddress::Is { url, says } = judge_address(uses, &found, &self.portal) else { continue };
            any = true;
            if context.rank < FindingRank::Call && is_library_default(&url) {
                continue;
            }
            // Several hosts of one source are one service.
            if found.listed && reported.iter().any(|other| same_source(other, &url)) {
                self.gathered.mark_covered(&url);
                continue;
            }
            if has_open_path(&url) && matches!(uses, AddressUse::Is(_) | AddressUse::Arcgis) {
                self.undecided = self.undecided.saturating_add(1);
            }
            reported.push(url.clone());
            let mut layers = context.layers.clone();
            if layers.is_empty() {
                layers = asked_layers(&url);
            }
            self.gathered.add_finding(AddressFinding {
                url,
                says,
                layers,
                title: context.title.to_owned(),
                rank: context.rank,
                rule: context.rule.to_owned(),
                reason: context.reason.to_owned(),
                place: context.place,
            });
        }
        any
    }

    /// Reads a value and its contents.
    fn value(&mut self, value: &JsValue, place: ScriptPosition, called: &str, depth: u8) {
        let Some(depth) = depth.checked_sub(1) else { return };
        if self.left == 0 {
            return;
        }
        self.left -= 1;
        match value {
            JsValue::Object(object) => self.object(object, place, called, depth),
            JsValue::List(values) | JsValue::OneOf(values) => {
                values.iter().for_each(|value| self.value(value, place, "", depth));
            }
            JsValue::Returns(value) => self.value(value, place, "", depth),
            // A text that no rule has read may identify a service by itself; without host or root
            // it is just a name.
            JsValue::Text(text) if is_rooted(text) => self.text(text, place),
            // The event of this call reports its unknown parts.
            JsValue::Made(made) => self.nested_call(made, place, depth),
            _ => {}
        }
    }

    fn nested_call(&mut self, made: &crate::value::ConstructedValue, place: ScriptPosition, depth: u8) {
        for row in find_signatures(&made.name) {
            if self.row(&row, &made.name, &made.args, place) {
                self.makes_maps |= row.sign.uses.makes_maps();
                break;
            }
        }
        for arg in &made.args {
            self.value(arg, place, "", depth);
        }
    }

    /// Reads an object by its shape, then its contents.
    fn object(&mut self, object: &Rc<JsObject>, place: ScriptPosition, called: &str, depth: u8) {
        if !self.read.insert(Rc::as_ptr(object)) {
            return;
        }
        let shapes = shapes::read(object);
        self.makes_maps |= shapes.is_map;
        let name = if called.is_empty() { shapes.title } else { called };
        for shaped in shapes.found {
            self.shaped(shaped, name, place);
        }
        self.members(object, place, depth);
    }

    /// Reads the contents of an object that a signature has read.
    fn read_members(&mut self, object: &Rc<JsObject>, place: ScriptPosition) {
        if self.read.insert(Rc::as_ptr(object)) {
            self.members(object, place, DEEPEST - 2);
        }
    }

    fn members(&mut self, object: &JsObject, place: ScriptPosition, depth: u8) {
        for (_, value) in &object.members {
            self.value(value, place, "", depth);
        }
    }

    fn shaped(&mut self, shaped: ShapedAddress<'_>, title: &str, place: ScriptPosition) {
        let (texts, unknown) = find_addresses(shaped.value);
        let rule = format!("shape:{}", shaped.rule);
        let rank = if shaped.rule == "member-name" { FindingRank::Named } else { FindingRank::Shape };
        let context =
            ReadContext { rule: &rule, reason: shaped.reason, layers: shaped.layers, title, rank, place };
        let found = self.addresses(&texts, shaped.uses, &context);
        self.makes_maps |= shaped.sure || found && rank == FindingRank::Shape;
        if !found && unknown && shaped.sure {
            self.undecided = self.undecided.saturating_add(1);
        }
    }

    /// Processes an assignment to a member.
    fn assignment(&mut self, name: &[Rc<str>], value: &JsValue, place: ScriptPosition) {
        let Some(last) = name.last() else { return };
        self.value(value, place, "", DEEPEST);
        if is_proxy_name(last) || &**last == "ProxyHost" {
            return;
        }
        let uses = match service_of_member(last) {
            Some("") => AddressUse::Loaded,
            Some(says::FILE) => AddressUse::File,
            Some(says::DOCUMENT) => AddressUse::Document,
            Some(kind) => AddressUse::Is(kind),
            None if shapes::is_url_member(last) => AddressUse::Loaded,
            None => return,
        };
        let (texts, _) = find_addresses(value);
        let rule = format!("assign:{last}");
        let context = ReadContext {
            rule: &rule,
            reason: "the code assigns a URL to this name",
            layers: Vec::new(),
            title: "",
            rank: FindingRank::Named,
            place,
        };
        self.addresses(&texts, uses, &context);
    }

    /// Processes a text that looks like a URL.
    fn text(&mut self, text: &str, place: ScriptPosition) {
        let text = super::address::trim_quotes(text);
        if self.gathered.contains_url(text)
            || !is_address(text)
            || is_vendor_scheme(text)
            || self.proxies.is_prefix(text)
        {
            return;
        }
        let unwrapped = self.proxies.unwrap_url(text);
        let text = unwrapped.as_deref().unwrap_or(text);
        let text = super::address::inside_scheme(text);
        let says = tile_template_service(text)
            .or_else(|| arcgis_service(text))
            .or_else(|| requested_ogc_service(text));
        if is_noise(text) || is_library_default(text) || says.is_none() && !is_promising(text) {
            return;
        }
        if url_host(text) == UrlHost::Unknown || self.proxies.is_open(text) {
            let service = says.is_some()
                || ["/wms", "/wfs", "/wmts", "/ows", "geoserver", "mapserv"]
                    .iter()
                    .any(|piece| contains_ignore_case(text, piece));
            self.undecided = self.undecided.saturating_add(u32::from(service && !is_all_open(text)));
            return;
        }
        self.gathered.add_finding(AddressFinding {
            url: text.to_owned(),
            says: says.unwrap_or_default(),
            layers: asked_layers(text),
            title: String::new(),
            rank: FindingRank::Text,
            rule: "text".to_owned(),
            reason: "the URL occurs in the code".to_owned(),
            place,
        });
    }
}

/// Returns the service that request parameters name, with their layers.
fn with_parameters(value: Option<&JsValue>) -> Option<(AddressUse, Vec<String>)> {
    let JsValue::Object(object) = value? else { return None };
    let inner = object.get("params").map(|value| match value {
        JsValue::Object(inner) => inner,
        _ => object,
    });
    let object = inner.unwrap_or(object);
    let (kind, _) = shapes::service_of_parameters(object);
    let keys = if kind == Some("wfs") { FEATURE_TYPES } else { WMS_LAYERS };
    Some((AddressUse::Is(kind?), layers(object, keys)))
}

/// Returns the layers named in the parameters of a URL.
fn asked_layers(url: &str) -> Vec<String> {
    let mut out = Vec::new();
    if url.contains('?') {
        for name in ["layers", "layer", "typename", "typenames", "coverageid", "coverage"] {
            if let Some(value) = query_parameter(url, name).filter(|value| !value.contains(['{', '$'])) {
                collect_names(&JsValue::from_text(&percent_decode(value)), &mut out);
            }
        }
    }
    out
}

/// Returns whether a value is an HTTP method.
fn is_method(value: Option<&JsValue>) -> bool {
    value.and_then(JsValue::as_text).is_some_and(|text| {
        ["GET", "POST", "HEAD", "PUT", "OPTIONS"].iter().any(|method| text.eq_ignore_ascii_case(method))
    })
}

/// Returns whether a value is or contains something unknown.
fn is_open(value: &JsValue) -> bool {
    find_addresses(value).1
}

/// Returns whether only a bounding box is known, as in URLs that libraries build for their tiles.
fn is_all_open(url: &str) -> bool {
    let rest = url.trim_start_matches([HOLE, '?', '&']);
    let bare = rest.get(..5).filter(|start| start.eq_ignore_ascii_case("bbox=")).and_then(|_| rest.get(5..));
    rest.len() < url.len() && bare.is_some_and(|rest| rest.chars().all(|c| c == HOLE || c == ','))
}

/// Returns whether a part of the path, before the query, is unknown.
fn has_open_path(url: &str) -> bool {
    url.split('?').next().unwrap_or(url).contains(HOLE)
}

/// Returns the values at a path of a call's arguments.
fn at_spot(args: &[JsValue], spot: ArgumentPath) -> Vec<&JsValue> {
    let objects = |at: u8| {
        args.get(usize::from(at)).into_iter().flat_map(JsValue::alternatives).filter_map(
            |value| match value {
                JsValue::Object(object) => Some(&**object),
                _ => None,
            },
        )
    };
    match spot {
        ArgumentPath::Arg(at) => args
            .get(usize::from(at))
            .filter(|value| !matches!(value, JsValue::Object(_)))
            .into_iter()
            .collect(),
        ArgumentPath::In(at, name) => objects(at).filter_map(|object| object.get(name)).collect(),
        ArgumentPath::Deep(at, outer, name) => objects(at)
            .filter_map(|object| object.get(outer))
            .flat_map(|value| match value {
                JsValue::Object(object) if name == "*" => {
                    object.members.iter().map(|(_, value)| value).collect()
                }
                JsValue::Made(made) => made.args.first().and_then(|arg| arg.get(name)).into_iter().collect(),
                value => value.get(name).into_iter().collect::<Vec<_>>(),
            })
            .collect(),
        ArgumentPath::Each(at, outer, name) => {
            let list: Vec<&JsValue> = if outer.is_empty() {
                args.get(usize::from(at)).into_iter().collect()
            } else {
                objects(at).filter_map(|object| object.get(outer)).collect()
            };
            let values = list.into_iter().flat_map(|value| match value {
                JsValue::List(values) => values.iter().collect::<Vec<_>>(),
                value => vec![value],
            });
            values.filter_map(|value| value.get(name)).collect()
        }
    }
}

/// Returns the layers named in a call.
fn layers_of(sign: &CallSignature, args: &[JsValue]) -> Vec<String> {
    let mut out = Vec::new();
    if sign.layers.is_empty() {
        return out;
    }
    for object in args.iter().flat_map(JsValue::alternatives) {
        if let JsValue::Object(object) = object {
            for name in layers(object, sign.layers) {
                if !out.contains(&name) {
                    out.push(name);
                }
            }
        }
    }
    out
}

/// Returns the human-readable reason why a call counts.
fn reason_of(sign: &CallSignature, name: &[Rc<str>]) -> String {
    let name = name.join(".");
    match sign.uses {
        AddressUse::Loaded | AddressUse::Opened => format!("{name} loads this URL"),
        AddressUse::File => format!("{name} reads this URL as data"),
        AddressUse::Document => format!("{name} reads this URL as a style or configuration"),
        AddressUse::Item => format!("{name} shows this item"),
        _ => format!("{name} draws this URL"),
    }
}
