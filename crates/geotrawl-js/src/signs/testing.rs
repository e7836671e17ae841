//! Events and values made by hand, for tests.

use crate::model::Place;
use crate::value::{Event, Made, Object, Value};
use std::rc::Rc;

pub fn text(text: &str) -> Value {
    Value::text(text)
}

pub fn list(values: Vec<Value>) -> Value {
    Value::List(values.into())
}

pub fn object(members: &[(&str, Value)]) -> Value {
    let members = members.iter().map(|(key, value)| (Rc::from(*key), value.clone())).collect();
    Value::Object(Rc::new(Object { members }))
}

pub fn names(name: &[&str]) -> Vec<Rc<str>> {
    name.iter().map(|part| Rc::from(*part)).collect()
}

pub fn made(name: &[&str], args: Vec<Value>) -> Value {
    Value::Made(Rc::new(Made { name: names(name), args }))
}

pub fn call(name: &[&str], args: Vec<Value>) -> Event {
    Event::Call { name: names(name), new: true, args, place: Place::default() }
}

pub fn literal(members: &[(&str, Value)]) -> Event {
    let Value::Object(object) = object(members) else { unreachable!() };
    Event::Object { object, place: Place::default() }
}

pub fn assign(name: &[&str], value: Value) -> Event {
    Event::Assign { name: names(name), value, place: Place::default() }
}

pub fn plain(text: &str) -> Event {
    Event::Text { text: Rc::from(text), place: Place::default() }
}
