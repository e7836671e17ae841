//! Values of the page's world, read natively and within bounds. Members may be getters of the page: what they
//! throw is dropped, and the clock stops what they loop.

use super::seen::Seen;
use rquickjs::{Array, Ctx, Function, Object, Proxy, Value};

/// What the state of a stand-in is kept under; no text that a page would use.
pub const KEY: &str = "\u{1}gt";
/// Parts of a stand-in's name are joined with this.
pub const JOINT: char = '\u{1}';
const MOST_VALUES: usize = 3_000;
const SHORT_VALUES: usize = 300;
const MOST_TEXT: usize = 16 << 10;
const MOST_TEXTS: usize = 256 << 10;
const MOST_MEMBERS: usize = 256;
const DEEP: u32 = 6;

/// Members that hold functions which make addresses.
const ADDRESS_MAKERS: [&str; 13] = [
    "url",
    "getTileUrl",
    "getTileURL",
    "getURL",
    "getUrl",
    "getTilesUrl",
    "tileUrlFunction",
    "uriConstructor",
    "urlFunction",
    "imageLoadFunction",
    "getFeatureInfoUrl",
    "tileUrl",
    "data",
];

/// Reads values, with a budget for all that it reads.
pub struct Walk<'a, 'js> {
    ctx: Ctx<'js>,
    /// Calls a function that makes addresses.
    probe: Option<&'a Function<'js>>,
    values: usize,
    text: usize,
    probes: usize,
}

impl<'a, 'js> Walk<'a, 'js> {
    /// A walk with a whole budget.
    pub fn new(ctx: &Ctx<'js>, probe: Option<&'a Function<'js>>) -> Self {
        Self { ctx: ctx.clone(), probe, values: MOST_VALUES, text: MOST_TEXTS, probes: 8 }
    }

    /// For calls of which nothing is known but that they are there: libraries make thousands of them.
    pub fn short(mut self) -> Self {
        self.values = SHORT_VALUES;
        self
    }

    /// The arguments of a call.
    pub fn list(&mut self, args: &Value<'js>) -> Vec<Seen> {
        match args.as_array() {
            Some(array) => self.array(array, DEEP, 32),
            None => Vec::new(),
        }
    }

    /// One value.
    pub fn value(&mut self, value: &Value<'js>) -> Seen {
        self.read(value, DEEP)
    }

    /// The members of an object.
    pub fn members(&mut self, value: &Value<'js>) -> Vec<(String, Seen)> {
        match self.read(value, DEEP) {
            Seen::Object(members) => members,
            _ => Vec::new(),
        }
    }

    fn read(&mut self, value: &Value<'js>, depth: u32) -> Seen {
        if self.values == 0 {
            return Seen::Unknown;
        }
        self.values -= 1;
        if value.is_null() {
            return Seen::Null;
        }
        if let Some(value) = value.as_bool() {
            return Seen::Bool(value);
        }
        if let Some(value) = value.as_number() {
            return Seen::Number(value);
        }
        if let Some(text) = value.as_string() {
            return self.read_text(text);
        }
        if let Some(proxy) = value.as_proxy() {
            return self.standin(proxy, depth);
        }
        if depth == 0 {
            return Seen::Unknown;
        }
        if let Some(array) = value.as_array() {
            return Seen::List(self.array(array, depth - 1, MOST_MEMBERS));
        }
        if value.is_function() {
            return Seen::Unknown;
        }
        match value.as_object() {
            Some(object) => self.object(object, depth - 1),
            None => Seen::Unknown,
        }
    }

    fn read_text(&mut self, text: &rquickjs::String<'js>) -> Seen {
        let Ok(mut text) = text.to_string() else {
            self.ctx.catch();
            return Seen::Unknown;
        };
        if text.len() > MOST_TEXT {
            let end = text.floor_char_boundary(MOST_TEXT);
            text.truncate(end);
        }
        if text.len() > self.text {
            return Seen::Unknown;
        }
        self.text -= text.len();
        Seen::Text(text)
    }

    fn array(&mut self, array: &Array<'js>, depth: u32, most: usize) -> Vec<Seen> {
        let mut out = Vec::new();
        for at in 0..array.len().min(most) {
            if self.values == 0 {
                break;
            }
            if let Ok(value) = array.get::<Value<'js>>(at) {
                out.push(self.read(&value, depth));
            } else {
                self.ctx.catch();
                out.push(Seen::Unknown);
            }
        }
        out
    }

    fn object(&mut self, object: &Object<'js>, depth: u32) -> Seen {
        // Nodes of the document and the like have a mark of their own.
        match object.get::<_, Value<'js>>(KEY) {
            Ok(mark) if mark.is_undefined() => {}
            Ok(_) => return Seen::Unknown,
            Err(_) => {
                self.ctx.catch();
            }
        }
        // What a class made holds its workings: only what is near the surface may be of use.
        let plain =
            object.get_prototype().is_none_or(|proto| !proto.is_proxy() && proto.get_prototype().is_none());
        let depth = if plain { depth } else { depth.min(1) };
        let mut members = Vec::new();
        let keys: Vec<String> = object.keys::<String>().take(MOST_MEMBERS).filter_map(Result::ok).collect();
        for key in keys {
            if self.values == 0 {
                break;
            }
            let Ok(value) = object.get::<_, Value<'js>>(key.as_str()) else {
                self.ctx.catch();
                continue;
            };
            let seen = match value.as_function() {
                Some(function) if !value.is_proxy() => self.returned(function, object, &key),
                _ => self.read(&value, depth),
            };
            members.push((key, seen));
        }
        Seen::Object(members)
    }

    /// What a function that makes addresses gives.
    fn returned(&mut self, function: &Function<'js>, object: &Object<'js>, key: &str) -> Seen {
        let Some(probe) = self.probe else { return Seen::Unknown };
        if self.probes == 0 || !ADDRESS_MAKERS.contains(&key) {
            return Seen::Unknown;
        }
        self.probes -= 1;
        match probe.call::<_, Value<'js>>((function.clone(), object.clone(), key)) {
            Ok(value) if value.is_string() => Seen::Returns(Box::new(self.read(&value, 0))),
            Ok(_) => Seen::Unknown,
            Err(_) => {
                self.ctx.catch();
                Seen::Unknown
            }
        }
    }

    /// A stand-in says what made it; of other proxies nothing is asked.
    fn standin(&mut self, proxy: &Proxy<'js>, depth: u32) -> Seen {
        let state = proxy.target().and_then(|target| target.get::<_, Value<'js>>(KEY));
        let Ok(state) = state else {
            self.ctx.catch();
            return Seen::Unknown;
        };
        let Some(state) = state.as_object() else { return self.page_proxy(proxy, depth) };
        let name: String = state.get("name").unwrap_or_default();
        let made: bool = state.get("made").unwrap_or_default();
        if name.is_empty() {
            return Seen::Unknown;
        }
        let args = match state.get::<_, Value<'js>>("args") {
            Ok(args) if made && depth > 0 => {
                args.as_array().map(|args| self.array(args, depth - 1, 8)).unwrap_or_default()
            }
            _ => Vec::new(),
        };
        if !made {
            return Seen::Unknown;
        }
        Seen::Made(name.split(JOINT).map(str::to_owned).collect(), args)
    }

    /// Reactive wrappers (Vue, MobX) are proxies too: their target is what counts.
    fn page_proxy(&mut self, proxy: &Proxy<'js>, depth: u32) -> Seen {
        match proxy.target() {
            Ok(target) if depth > 0 => self.read(target.as_value(), depth - 1),
            _ => Seen::Unknown,
        }
    }
}
