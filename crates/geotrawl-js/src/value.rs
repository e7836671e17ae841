//! Values as far as they are known, and what code does with them.

use crate::model::ScriptPosition;
use std::rc::Rc;

/// A value of the program. Cheap to clone.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum JsValue {
    #[default]
    Unknown,
    Null,
    Bool(bool),
    Number(f64),
    /// Text; what is not known in it stands as [`HOLE`](crate::model::HOLE).
    Text(Rc<str>),
    List(Rc<[JsValue]>),
    Object(Rc<JsObject>),
    /// One of several: the arms of a condition, the values of a variable that is assigned more than once. At
    /// most [`MOST_ALTERNATIVES`], none of them `OneOf`.
    OneOf(Rc<[JsValue]>),
    /// A function whose results are known: what it returns, as `getTileUrl` and `url: () => ...` do.
    Returns(Rc<JsValue>),
    /// Something made by a call with a name: `new OpenLayers.Layer.WMS(...)`, `ol.proj.get(...)`.
    Made(Rc<ConstructedValue>),
}

/// Alternatives beyond this are dropped.
pub const MOST_ALTERNATIVES: usize = 16;

/// Members of an object in the order in which they are written; names may repeat, the last one counts.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct JsObject {
    pub members: Vec<(Rc<str>, JsValue)>,
}

/// What a call with a name makes.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ConstructedValue {
    pub name: Vec<Rc<str>>,
    pub args: Vec<JsValue>,
}

impl JsObject {
    /// The member of this name.
    pub fn get(&self, name: &str) -> Option<&JsValue> {
        self.members.iter().rev().find(|(key, _)| &**key == name).map(|(_, value)| value)
    }
}

impl JsValue {
    /// A text.
    pub fn from_text(text: &str) -> Self {
        Self::Text(Rc::from(text))
    }

    /// The text, when it is one.
    pub fn as_text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    /// A member of an object.
    pub fn get(&self, name: &str) -> Option<&JsValue> {
        match self {
            Self::Object(object) => object.get(name),
            _ => None,
        }
    }

    /// Every value that this may be.
    pub fn alternatives(&self) -> &[JsValue] {
        match self {
            Self::OneOf(values) => values,
            _ => std::slice::from_ref(self),
        }
    }

    /// Every text that this may be: alternatives, members of lists and what functions return, one level deep.
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

/// Something that the code does, or writes down, that may name a service.
#[derive(Debug, Clone, PartialEq)]
pub enum CodeEvent {
    /// A call or `new`. The name is what survived: `["L", "tileLayer", "wms"]`, `["esri", "layers", "WMSLayer"]`
    /// (also where a module or AMD parameter gave it another local name), `["addSource"]` for a method of
    /// something unknown, `[]` when nothing is known.
    Call { name: Vec<Rc<str>>, new: bool, args: Vec<JsValue>, place: ScriptPosition },
    /// An object literal (also one in an argument), or an object that the sandbox saw.
    Object { object: Rc<JsObject>, place: ScriptPosition },
    /// An assignment to a member with a telling name: `esriConfig.defaults.io.proxyUrl = ...`,
    /// `OpenLayers.ProxyHost = ...`, `layer.url = ...`.
    Assign { name: Vec<Rc<str>>, value: JsValue, place: ScriptPosition },
    /// A whole text in the code that reads like an address, wherever it stands; folded as far as it goes.
    Text { text: Rc<str>, place: ScriptPosition },
}
