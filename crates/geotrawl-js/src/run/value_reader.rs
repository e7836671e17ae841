//! Reads JavaScript values of a page from Rust, within limits. Reading a member may run a getter of the
//! page: its exceptions are dropped, and the time limit of the sandbox ends endless loops.

use super::sandbox_values::SandboxValue;
use rquickjs::{Array, Ctx, Function, Object, Proxy, Value};

/// Key of a stand-in's state; pages do not use such a name.
pub const KEY: &str = "\u{1}gt";
/// Separator between the parts of a stand-in's name.
pub const JOINT: char = '\u{1}';
const MOST_VALUES: usize = 3_000;
const SHORT_VALUES: usize = 300;
const MOST_TEXT: usize = 16 << 10;
const MOST_TEXTS: usize = 256 << 10;
const MOST_MEMBERS: usize = 256;
const DEEP: u32 = 6;

/// Members with functions that build URLs.
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

/// Reads values, with a budget for all of them.
pub struct ValueReader<'a, 'js> {
    ctx: Ctx<'js>,
    /// Calls a function that builds URLs.
    probe: Option<&'a Function<'js>>,
    values: usize,
    text: usize,
    probes: usize,
}

impl<'a, 'js> ValueReader<'a, 'js> {
    /// Creates a reader with the full budget.
    pub fn new(ctx: &Ctx<'js>, probe: Option<&'a Function<'js>>) -> Self {
        Self { ctx: ctx.clone(), probe, values: MOST_VALUES, text: MOST_TEXTS, probes: 8 }
    }

    /// Reduces the budget, for calls of unknown functions: libraries make thousands of them.
    pub fn with_small_budget(mut self) -> Self {
        self.values = SHORT_VALUES;
        self
    }

    /// Reads the arguments of a call.
    pub fn read_list(&mut self, args: &Value<'js>) -> Vec<SandboxValue> {
        match args.as_array() {
            Some(array) => self.array(array, DEEP, 32),
            None => Vec::new(),
        }
    }

    /// Reads a value.
    pub fn read_value(&mut self, value: &Value<'js>) -> SandboxValue {
        self.read(value, DEEP)
    }

    /// Reads the members of an object.
    pub fn read_members(&mut self, value: &Value<'js>) -> Vec<(String, SandboxValue)> {
        match self.read(value, DEEP) {
            SandboxValue::Object(members) => members,
            _ => Vec::new(),
        }
    }

    fn read(&mut self, value: &Value<'js>, depth: u32) -> SandboxValue {
        if self.values == 0 {
            return SandboxValue::Unknown;
        }
        self.values -= 1;
        if value.is_null() {
            return SandboxValue::Null;
        }
        if let Some(value) = value.as_bool() {
            return SandboxValue::Bool(value);
        }
        if let Some(value) = value.as_number() {
            return SandboxValue::Number(value);
        }
        if let Some(text) = value.as_string() {
            return self.read_text(text);
        }
        if let Some(proxy) = value.as_proxy() {
            return self.standin(proxy, depth);
        }
        if depth == 0 {
            return SandboxValue::Unknown;
        }
        if let Some(array) = value.as_array() {
            return SandboxValue::List(self.array(array, depth - 1, MOST_MEMBERS));
        }
        if value.is_function() {
            return SandboxValue::Unknown;
        }
        match value.as_object() {
            Some(object) => self.object(object, depth - 1),
            None => SandboxValue::Unknown,
        }
    }

    fn read_text(&mut self, text: &rquickjs::String<'js>) -> SandboxValue {
        let Ok(mut text) = text.to_string() else {
            self.ctx.catch();
            return SandboxValue::Unknown;
        };
        if text.len() > MOST_TEXT {
            let end = text.floor_char_boundary(MOST_TEXT);
            text.truncate(end);
        }
        if text.len() > self.text {
            return SandboxValue::Unknown;
        }
        self.text -= text.len();
        SandboxValue::Text(text)
    }

    fn array(&mut self, array: &Array<'js>, depth: u32, most: usize) -> Vec<SandboxValue> {
        let mut out = Vec::new();
        for at in 0..array.len().min(most) {
            if self.values == 0 {
                break;
            }
            if let Ok(value) = array.get::<Value<'js>>(at) {
                out.push(self.read(&value, depth));
            } else {
                self.ctx.catch();
                out.push(SandboxValue::Unknown);
            }
        }
        out
    }

    fn object(&mut self, object: &Object<'js>, depth: u32) -> SandboxValue {
        // DOM nodes and the like carry a mark and are not read.
        match object.get::<_, Value<'js>>(KEY) {
            Ok(mark) if mark.is_undefined() => {}
            Ok(_) => return SandboxValue::Unknown,
            Err(_) => {
                self.ctx.catch();
            }
        }
        // Class instances contain internals; only members near the surface may be useful.
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
        SandboxValue::Object(members)
    }

    /// Returns the result of a function that builds URLs.
    fn returned(&mut self, function: &Function<'js>, object: &Object<'js>, key: &str) -> SandboxValue {
        let Some(probe) = self.probe else { return SandboxValue::Unknown };
        if self.probes == 0 || !ADDRESS_MAKERS.contains(&key) {
            return SandboxValue::Unknown;
        }
        self.probes -= 1;
        match probe.call::<_, Value<'js>>((function.clone(), object.clone(), key)) {
            Ok(value) if value.is_string() => SandboxValue::Returns(Box::new(self.read(&value, 0))),
            Ok(_) => SandboxValue::Unknown,
            Err(_) => {
                self.ctx.catch();
                SandboxValue::Unknown
            }
        }
    }

    /// Reads a stand-in as the call that created it; other proxies are not asked.
    fn standin(&mut self, proxy: &Proxy<'js>, depth: u32) -> SandboxValue {
        let state = proxy.target().and_then(|target| target.get::<_, Value<'js>>(KEY));
        let Ok(state) = state else {
            self.ctx.catch();
            return SandboxValue::Unknown;
        };
        let Some(state) = state.as_object() else { return self.page_proxy(proxy, depth) };
        let name: String = state.get("name").unwrap_or_default();
        let made: bool = state.get("made").unwrap_or_default();
        if name.is_empty() {
            return SandboxValue::Unknown;
        }
        let args = match state.get::<_, Value<'js>>("args") {
            Ok(args) if made && depth > 0 => {
                args.as_array().map(|args| self.array(args, depth - 1, 8)).unwrap_or_default()
            }
            _ => Vec::new(),
        };
        if !made {
            return SandboxValue::Unknown;
        }
        SandboxValue::Made(name.split(JOINT).map(str::to_owned).collect(), args)
    }

    /// Reads the target of a reactive wrapper (Vue, MobX), which is a proxy, too.
    fn page_proxy(&mut self, proxy: &Proxy<'js>, depth: u32) -> SandboxValue {
        match proxy.target() {
            Ok(target) if depth > 0 => self.read(target.as_value(), depth - 1),
            _ => SandboxValue::Unknown,
        }
    }
}
