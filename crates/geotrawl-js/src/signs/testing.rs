//! Builders of events and values for tests.

use crate::model::ScriptPosition;
use crate::value::{CodeEvent, ConstructedValue, JsObject, JsValue};
use std::rc::Rc;

pub fn text_value(text: &str) -> JsValue {
    JsValue::from_text(text)
}

pub fn list_value(values: Vec<JsValue>) -> JsValue {
    JsValue::List(values.into())
}

pub fn object_value(members: &[(&str, JsValue)]) -> JsValue {
    let members = members.iter().map(|(key, value)| (Rc::from(*key), value.clone())).collect();
    JsValue::Object(Rc::new(JsObject { members }))
}

pub fn name_parts(name: &[&str]) -> Vec<Rc<str>> {
    name.iter().map(|part| Rc::from(*part)).collect()
}

pub fn constructed_value(name: &[&str], args: Vec<JsValue>) -> JsValue {
    JsValue::Made(Rc::new(ConstructedValue { name: name_parts(name), args }))
}

pub fn call_event(name: &[&str], args: Vec<JsValue>) -> CodeEvent {
    CodeEvent::Call { name: name_parts(name), new: true, args, place: ScriptPosition::default() }
}

pub fn object_event(members: &[(&str, JsValue)]) -> CodeEvent {
    let JsValue::Object(object) = object_value(members) else { unreachable!() };
    CodeEvent::Object { object, place: ScriptPosition::default() }
}

pub fn assign_event(name: &[&str], value: JsValue) -> CodeEvent {
    CodeEvent::Assign { name: name_parts(name), value, place: ScriptPosition::default() }
}

pub fn text_event(text: &str) -> CodeEvent {
    CodeEvent::Text { text: Rc::from(text), place: ScriptPosition::default() }
}
