//! Values as far as they are known, and events of the code that use them.

use crate::model::ScriptPosition;
use std::rc::Rc;

/// A JavaScript value. Cheap to clone.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum JsValue {
    #[default]
    Unknown,
    Null,
    Bool(bool),
    Number(f64),
    /// Text; unknown parts are [`HOLE`](crate::model::HOLE)s.
    Text(Rc<str>),
    List(Rc<[JsValue]>),
    Object(Rc<JsObject>),
    /// One of several: the branches of a condition, the values of a variable that is assigned more
    /// than once. At most [`MOST_ALTERNATIVES`] values, none of them `OneOf`.
    OneOf(Rc<[JsValue]>),
    /// A function with known results, such as `getTileUrl` and `url: () => ...`: what it returns.
    Returns(Rc<JsValue>),
    /// The result of a named call: `new OpenLayers.Layer.WMS(...)`, `ol.proj.get(...)`.
    Made(Rc<ConstructedValue>),
}

/// Maximum number of alternatives; further ones are dropped.
pub const MOST_ALTERNATIVES: usize = 16;

/// Members of an object in source order; if a name repeats, the last one counts.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct JsObject {
    pub members: Vec<(Rc<str>, JsValue)>,
}

/// Result of a named call.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ConstructedValue {
    pub name: Vec<Rc<str>>,
    pub args: Vec<JsValue>,
}

impl JsObject {
    /// Returns the member with a name.
    pub fn get(&self, name: &str) -> Option<&JsValue> {
        self.members.iter().rev().find(|(key, _)| &**key == name).map(|(_, value)| value)
    }
}

impl JsValue {
    /// Creates a text.
    pub fn from_text(text: &str) -> Self {
        Self::Text(Rc::from(text))
    }

    /// Returns the text, if the value is one.
    pub fn as_text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    /// Returns a member, if the value is an object.
    pub fn get(&self, name: &str) -> Option<&JsValue> {
        match self {
            Self::Object(object) => object.get(name),
            _ => None,
        }
    }

    /// Returns all values that this may be.
    pub fn alternatives(&self) -> &[JsValue] {
        match self {
            Self::OneOf(values) => values,
            _ => std::slice::from_ref(self),
        }
    }

    /// Returns all texts that this may be: alternatives, list members and function results, one
    /// level deep.
    pub fn texts(&self) -> Vec<&str> {
        let mut out = Vec::new();
        for value in self.alternatives() {
            match value {
                Self::Text(text) => out.push(&**text),
                Self::List(list) => {
                    out.extend(list.iter().flat_map(Self::alternatives).filter_map(Self::as_text));
                }
                Self::Returns(value) => out.extend(value.alternatives().iter().filter_map(Self::as_text)),
                _ => {}
            }
        }
        out
    }
}

/// Something in the code that may name a service.
#[derive(Debug, Clone, PartialEq)]
pub enum CodeEvent {
    /// A call or `new`. The name has the known parts: `["L", "tileLayer", "wms"]`,
    /// `["esri", "layers", "WMSLayer"]` (also if a module or AMD parameter renames it locally),
    /// `["addSource"]` for a method of an unknown object, `[]` if nothing is known.
    Call { name: Vec<Rc<str>>, new: bool, args: Vec<JsValue>, place: ScriptPosition },
    /// An object literal (also within an argument), or an object seen by the sandbox.
    Object { object: Rc<JsObject>, place: ScriptPosition },
    /// An assignment to a relevant member: `esriConfig.defaults.io.proxyUrl = ...`,
    /// `OpenLayers.ProxyHost = ...`, `layer.url = ...`.
    Assign { name: Vec<Rc<str>>, value: JsValue, place: ScriptPosition },
    /// A complete text in the code that looks like a URL, folded as far as possible.
    Text { text: Rc<str>, place: ScriptPosition },
}
