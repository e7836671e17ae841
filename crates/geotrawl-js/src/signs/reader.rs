//! Goes through the events.

use super::Recognised;
use super::address::{Host, arcgis, holds, host, is_address, is_rooted, parameter, requested, template};
use super::gather::{Finding, Gathered, Rank};
use super::hosts::same_source;
use super::judge::{Judged, is_vendor_scheme, judge};
use super::lookup::{Row, rows};
use super::noise::{is_library_default, is_noise, is_promising};
use super::proxy::{Proxies, is_proxy_name, percent_decoded};
use super::shapes::{self, Shaped};
use super::sign::{FEATURE_TYPES, Sign, Spot, Use, WMS_LAYERS};
use super::types::of_member;
use super::values::{Found, addresses, layers, names, title};
use crate::model::{HOLE, Level, Place, says};
use crate::value::{Event, Object, Value};
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

/// Values that are looked at for one application.
const MOST_VALUES: usize = 4_000_000;
/// Nesting that is followed.
const DEEPEST: u8 = 24;

/// Where and by which rule something is being read.
struct Context<'a> {
    rule: &'a str,
    reason: &'a str,
    layers: Vec<String>,
    title: &'a str,
    rank: Rank,
    place: Place,
}

/// What has been read so far.
pub struct Reader {
    gathered: Gathered,
    proxies: Proxies,
    portal: String,
    makes_maps: bool,
    undecided: u32,
    /// Objects that were read, by where they are in memory: the events keep them there.
    read: HashSet<*const Object>,
    /// Whose capabilities a script reads.
    capabilities: HashMap<u32, &'static str>,
    left: usize,
}

/// Reads all events.
pub fn read(events: &[Event], level: Level) -> Recognised {
    let mut reader = Reader {
        gathered: Gathered::default(),
        proxies: Proxies::default(),
        portal: "https://www.arcgis.com".to_owned(),
        makes_maps: false,
        undecided: 0,
        read: HashSet::new(),
        capabilities: HashMap::new(),
        left: MOST_VALUES,
    };
    // What holds for all of the code comes first, then what is surest.
    for event in events {
        reader.settings(event);
    }
    for event in events {
        if let Event::Call { name, args, place, .. } = event {
            reader.call(name, args, *place, true);
        }
    }
    for event in events {
        match event {
            Event::Object { object, place } => reader.object(object, *place, "", DEEPEST),
            Event::Assign { name, value, place } => reader.assignment(name, value, *place),
            _ => {}
        }
    }
    for event in events {
        if let Event::Text { text, place } = event {
            reader.text(text, *place);
        }
    }
    reader.gathered.say_capabilities(&reader.capabilities);
    Recognised {
        sightings: reader.gathered.into_sightings(level),
        makes_maps: reader.makes_maps,
        undecided: reader.undecided,
    }
}

impl Reader {
    /// Proxies and the portal.
    fn settings(&mut self, event: &Event) {
        match event {
            Event::Assign { name, value, .. } => {
                if let Some(last) = name.last() {
                    self.setting(last, value);
                }
            }
            Event::Object { object, .. } => {
                for (key, value) in &object.members {
                    self.setting(key, value);
                }
            }
            Event::Call { name, args, .. } => {
                // esri's `urlUtils.addProxyRule({urlPrefix, proxyUrl})`.
                if name.last().is_some_and(|last| &**last == "addProxyRule")
                    && let Some(Value::Object(rule)) = args.first()
                {
                    rule.members.iter().for_each(|(key, value)| self.setting(key, value));
                }
            }
            Event::Text { .. } => {}
        }
    }

    fn setting(&mut self, name: &str, value: &Value) {
        if is_proxy_name(name) || name == "ProxyHost" {
            for text in value.texts() {
                self.proxies.add(text);
            }
            if let Some(text) = value.get("url").and_then(Value::as_text).filter(|text| holds(text, "proxy"))
            {
                self.proxies.add(text);
            }
        } else if matches!(name, "portalUrl" | "portalURL" | "arcgisUrl" | "portal_url")
            && let Some(text) = value.texts().into_iter().find(|text| matches!(host(text), Host::Known(_)))
        {
            let text = text.trim_end_matches('/');
            let text = text.strip_suffix("/sharing/rest/content/items").unwrap_or(text);
            text.strip_suffix("/sharing").unwrap_or(text).clone_into(&mut self.portal);
        }
    }

    /// A call, or `new`.
    fn call(&mut self, name: &[Rc<str>], args: &[Value], place: Place, counts: bool) {
        // `Ext.create('GeoExt.data.store.X', {...})` makes what its first argument says.
        if name.last().is_some_and(|last| matches!(&**last, "create" | "widget"))
            && let Some((Value::Text(class), rest)) = args.split_first()
            && class.contains('.')
            && !class.contains(['/', ':', ' '])
        {
            let name: Vec<Rc<str>> = class.split('.').map(Rc::from).collect();
            return self.call(&name, rest, place, counts);
        }
        let found = rows(name);
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
        // A source's name makes its title.
        let named = matches!(name.last().map(|last| &**last), Some("addSource" | "addLayer"));
        let called = if named { args.first().and_then(title).unwrap_or_default() } else { "" };
        for arg in args {
            self.value(arg, place, called, DEEPEST);
        }
    }

    /// What a call shows beside its address.
    fn note(&mut self, row: &Row, name: &[Rc<str>], args: &[Value], place: Place, told: bool, counts: bool) {
        let uses = row.sign.uses;
        let sure = row.is_sure(name);
        self.makes_maps |= uses.makes_maps() && (told || sure || uses == Use::Map);
        let kind = match name.last().map(|last| &**last) {
            Some("WMTSCapabilities" | "optionsFromCapabilities") => Some("wmts"),
            Some("WMSCapabilities") => Some("wms"),
            _ => None,
        };
        if let Some(kind) = kind {
            self.capabilities.entry(place.script).or_insert(kind);
        }
        if !told && counts && sure && uses.needs_address() && (uses != Use::Item || row.rooted(name)) {
            // Missing is a choice of the author; not known is a loss.
            let open = row.sign.url.iter().any(|spot| at_spot(args, *spot).into_iter().any(is_open));
            let whole =
                matches!(args.first(), Some(Value::Unknown)) && matches!(uses, Use::Is(_) | Use::Arcgis);
            if open || whole {
                self.undecided = self.undecided.saturating_add(1);
            }
        }
    }

    /// Reads a call as one row of a table says; true when it gave an address.
    fn row(&mut self, row: &Row, name: &[Rc<str>], args: &[Value], place: Place) -> bool {
        let sign = row.sign;
        if matches!(sign.uses, Use::Map | Use::Bare) {
            return false;
        }
        if sign.uses == Use::Opened && !is_method(args.first()) {
            return false;
        }
        for spot in sign.url {
            let values = at_spot(args, *spot);
            let texts: Vec<Found> = values.iter().flat_map(|value| addresses(value).0).collect();
            if texts.is_empty() {
                continue;
            }
            let rule = row.rule();
            let reason = reason_of(sign, name);
            // `$.get(url, {service: "WFS", ...})`, `axios.get(url, {params: {...}})`.
            let (uses, asked) = match sign.uses {
                Use::Loaded => {
                    with_parameters(args.get(1)).unwrap_or_else(|| (Use::Loaded, layers_of(sign, args)))
                }
                uses => (uses, layers_of(sign, args)),
            };
            let context = Context {
                rule: &rule,
                reason: &reason,
                layers: asked,
                title: sign
                    .title
                    .iter()
                    .find_map(|spot| at_spot(args, *spot).into_iter().find_map(title))
                    .unwrap_or_default(),
                rank: if sign.uses.makes_maps() { Rank::Call } else { Rank::Named },
                place,
            };
            if self.addresses(&texts, uses, &context) {
                // What the row has read needs no second reading by its shape.
                if let (Spot::In(at, _), Use::Is(_) | Use::File | Use::Tiles | Use::VectorTiles) =
                    (*spot, sign.uses)
                    && let Some(Value::Object(object)) = args.get(usize::from(at))
                {
                    self.read_members(object, place);
                }
                return true;
            }
        }
        false
    }

    /// A call whose name says nothing: an address of ArcGIS, or one with layers behind it.
    fn unnamed(&mut self, args: &[Value], place: Place) {
        let with_layers = args.iter().any(|arg| matches!(arg, Value::Object(o) if o.get("layers").or_else(|| o.get("LAYERS")).is_some_and(|v| v.as_text().is_some())));
        for arg in args.iter().take(2) {
            let Value::Text(text) = arg else { continue };
            let uses = if arcgis(text).is_some() {
                Use::Arcgis
            } else if with_layers && is_address(text) {
                Use::Is("wms")
            } else {
                continue;
            };
            let layers = args.iter().find_map(|arg| match arg {
                Value::Object(object) => Some(layers(object, WMS_LAYERS)).filter(|names| !names.is_empty()),
                _ => None,
            });
            let context = Context {
                rule: "shape:positional",
                reason: "an address is followed by the options of a layer, or is an ArcGIS server's",
                layers: layers.unwrap_or_default(),
                title: "",
                rank: Rank::Shape,
                place,
            };
            let found = [Found { url: text.trim().to_owned(), returned: false, listed: false }];
            if self.addresses(&found, uses, &context) {
                self.makes_maps = true;
                return;
            }
        }
    }

    /// Reports addresses; true when there was one.
    fn addresses(&mut self, texts: &[Found], uses: Use, context: &Context<'_>) -> bool {
        let mut any = false;
        let mut reported: Vec<String> = Vec::new();
        for found in texts {
            let unwrapped = self.proxies.unwrapped(&found.url);
            let found = Found { url: unwrapped.unwrap_or_else(|| found.url.clone()), ..found.clone() };
            let open = host(&found.url) == Host::Unknown || self.proxies.is_open(&found.url);
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
            let Judged::Is { url, says } = judge(uses, &found, &self.portal) else { continue };
            any = true;
            if context.rank < Rank::Call && is_library_default(&url) {
                continue;
            }
            // Several hosts of one source are one service.
            if found.listed && reported.iter().any(|other| same_source(other, &url)) {
                self.gathered.cover(&url);
                continue;
            }
            if has_open_path(&url) && matches!(uses, Use::Is(_) | Use::Arcgis) {
                self.undecided = self.undecided.saturating_add(1);
            }
            reported.push(url.clone());
            let mut layers = context.layers.clone();
            if layers.is_empty() {
                layers = asked_layers(&url);
            }
            self.gathered.add(Finding {
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

    /// A value, and what is in it.
    fn value(&mut self, value: &Value, place: Place, called: &str, depth: u8) {
        let Some(depth) = depth.checked_sub(1) else { return };
        if self.left == 0 {
            return;
        }
        self.left -= 1;
        match value {
            Value::Object(object) => self.object(object, place, called, depth),
            Value::List(values) | Value::OneOf(values) => {
                values.iter().for_each(|value| self.value(value, place, "", depth));
            }
            Value::Returns(value) => self.value(value, place, "", depth),
            // What nothing else has read may say enough itself; without a host or a root it is a name.
            Value::Text(text) if is_rooted(text) => self.text(text, place),
            // The event of this call says what is not known.
            Value::Made(made) => self.nested_call(made, place, depth),
            _ => {}
        }
    }

    fn nested_call(&mut self, made: &crate::value::Made, place: Place, depth: u8) {
        for row in rows(&made.name) {
            if self.row(&row, &made.name, &made.args, place) {
                self.makes_maps |= row.sign.uses.makes_maps();
                break;
            }
        }
        for arg in &made.args {
            self.value(arg, place, "", depth);
        }
    }

    /// An object, by its shape; then what is in it.
    fn object(&mut self, object: &Rc<Object>, place: Place, called: &str, depth: u8) {
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

    /// What is in an object that a table's row has read.
    fn read_members(&mut self, object: &Rc<Object>, place: Place) {
        if self.read.insert(Rc::as_ptr(object)) {
            self.members(object, place, DEEPEST - 2);
        }
    }

    fn members(&mut self, object: &Object, place: Place, depth: u8) {
        for (_, value) in &object.members {
            self.value(value, place, "", depth);
        }
    }

    fn shaped(&mut self, shaped: Shaped<'_>, title: &str, place: Place) {
        let (texts, unknown) = addresses(shaped.value);
        let rule = format!("shape:{}", shaped.rule);
        let rank = if shaped.rule == "member-name" { Rank::Named } else { Rank::Shape };
        let context =
            Context { rule: &rule, reason: shaped.reason, layers: shaped.layers, title, rank, place };
        let found = self.addresses(&texts, shaped.uses, &context);
        self.makes_maps |= shaped.sure || found && rank == Rank::Shape;
        if !found && unknown && shaped.sure {
            self.undecided = self.undecided.saturating_add(1);
        }
    }

    /// An assignment to a member.
    fn assignment(&mut self, name: &[Rc<str>], value: &Value, place: Place) {
        let Some(last) = name.last() else { return };
        self.value(value, place, "", DEEPEST);
        if is_proxy_name(last) || &**last == "ProxyHost" {
            return;
        }
        let uses = match of_member(last) {
            Some("") => Use::Loaded,
            Some(says::FILE) => Use::File,
            Some(says::DOCUMENT) => Use::Document,
            Some(kind) => Use::Is(kind),
            None if shapes::is_url_member(last) => Use::Loaded,
            None => return,
        };
        let (texts, _) = addresses(value);
        let rule = format!("assign:{last}");
        let context = Context {
            rule: &rule,
            reason: "the code sets an address of this name",
            layers: Vec::new(),
            title: "",
            rank: Rank::Named,
            place,
        };
        self.addresses(&texts, uses, &context);
    }

    /// A text that reads like an address.
    fn text(&mut self, text: &str, place: Place) {
        let text = super::address::trimmed(text);
        if self.gathered.knows(text)
            || !is_address(text)
            || is_vendor_scheme(text)
            || self.proxies.is_prefix(text)
        {
            return;
        }
        let unwrapped = self.proxies.unwrapped(text);
        let text = unwrapped.as_deref().unwrap_or(text);
        let text = super::address::inside_scheme(text);
        let says = template(text).or_else(|| arcgis(text)).or_else(|| requested(text));
        if is_noise(text) || is_library_default(text) || says.is_none() && !is_promising(text) {
            return;
        }
        if host(text) == Host::Unknown || self.proxies.is_open(text) {
            let service = says.is_some()
                || ["/wms", "/wfs", "/wmts", "/ows", "geoserver", "mapserv"]
                    .iter()
                    .any(|piece| holds(text, piece));
            self.undecided = self.undecided.saturating_add(u32::from(service && !is_all_open(text)));
            return;
        }
        self.gathered.add(Finding {
            url: text.to_owned(),
            says: says.unwrap_or_default(),
            layers: asked_layers(text),
            title: String::new(),
            rank: Rank::Text,
            rule: "text".to_owned(),
            reason: "an address stands in the code".to_owned(),
            place,
        });
    }
}

/// The service that the parameters of a request ask, and the layers that they name.
fn with_parameters(value: Option<&Value>) -> Option<(Use, Vec<String>)> {
    let Value::Object(object) = value? else { return None };
    let inner = object.get("params").map(|value| match value {
        Value::Object(inner) => inner,
        _ => object,
    });
    let object = inner.unwrap_or(object);
    let (kind, _) = shapes::of_parameters(object);
    let keys = if kind == Some("wfs") { FEATURE_TYPES } else { WMS_LAYERS };
    Some((Use::Is(kind?), layers(object, keys)))
}

/// Layers that the parameters of an address name.
fn asked_layers(url: &str) -> Vec<String> {
    let mut out = Vec::new();
    if url.contains('?') {
        for name in ["layers", "layer", "typename", "typenames", "coverageid", "coverage"] {
            if let Some(value) = parameter(url, name).filter(|value| !value.contains(['{', '$'])) {
                names(&Value::text(&percent_decoded(value)), &mut out);
            }
        }
    }
    out
}

/// `GET` and its like.
fn is_method(value: Option<&Value>) -> bool {
    value.and_then(Value::as_text).is_some_and(|text| {
        ["GET", "POST", "HEAD", "PUT", "OPTIONS"].iter().any(|method| text.eq_ignore_ascii_case(method))
    })
}

/// Whether a value is or holds something that is not known.
fn is_open(value: &Value) -> bool {
    addresses(value).1
}

/// Whether nothing is known but a box: so the libraries themselves make the addresses of tiles.
fn is_all_open(url: &str) -> bool {
    let rest = url.trim_start_matches([HOLE, '?', '&']);
    let bare = rest.get(..5).filter(|start| start.eq_ignore_ascii_case("bbox=")).and_then(|_| rest.get(5..));
    rest.len() < url.len() && bare.is_some_and(|rest| rest.chars().all(|c| c == HOLE || c == ','))
}

/// Whether a part of the path, before the query, is not known.
fn has_open_path(url: &str) -> bool {
    url.split('?').next().unwrap_or(url).contains(HOLE)
}

/// The values at a place of a call.
fn at_spot(args: &[Value], spot: Spot) -> Vec<&Value> {
    let objects = |at: u8| {
        args.get(usize::from(at)).into_iter().flat_map(Value::alternatives).filter_map(|value| match value {
            Value::Object(object) => Some(&**object),
            _ => None,
        })
    };
    match spot {
        Spot::Arg(at) => {
            args.get(usize::from(at)).filter(|value| !matches!(value, Value::Object(_))).into_iter().collect()
        }
        Spot::In(at, name) => objects(at).filter_map(|object| object.get(name)).collect(),
        Spot::Deep(at, outer, name) => objects(at)
            .filter_map(|object| object.get(outer))
            .flat_map(|value| match value {
                Value::Object(object) if name == "*" => {
                    object.members.iter().map(|(_, value)| value).collect()
                }
                Value::Made(made) => made.args.first().and_then(|arg| arg.get(name)).into_iter().collect(),
                value => value.get(name).into_iter().collect::<Vec<_>>(),
            })
            .collect(),
        Spot::Each(at, outer, name) => {
            let list: Vec<&Value> = if outer.is_empty() {
                args.get(usize::from(at)).into_iter().collect()
            } else {
                objects(at).filter_map(|object| object.get(outer)).collect()
            };
            let values = list.into_iter().flat_map(|value| match value {
                Value::List(values) => values.iter().collect::<Vec<_>>(),
                value => vec![value],
            });
            values.filter_map(|value| value.get(name)).collect()
        }
    }
}

/// Layers that a call names.
fn layers_of(sign: &Sign, args: &[Value]) -> Vec<String> {
    let mut out = Vec::new();
    if sign.layers.is_empty() {
        return out;
    }
    for object in args.iter().flat_map(Value::alternatives) {
        if let Value::Object(object) = object {
            for name in layers(object, sign.layers) {
                if !out.contains(&name) {
                    out.push(name);
                }
            }
        }
    }
    out
}

/// Why a call counts, for people.
fn reason_of(sign: &Sign, name: &[Rc<str>]) -> String {
    let name = name.join(".");
    match sign.uses {
        Use::Loaded | Use::Opened => format!("{name} loads it"),
        Use::File => format!("{name} reads it as data"),
        Use::Document => format!("{name} reads it as a style or configuration"),
        Use::Item => format!("{name} shows this item"),
        _ => format!("{name} draws it"),
    }
}
