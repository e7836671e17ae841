//! Values as they are reported.

use super::{Env, Eval, Val};
use crate::value::{Made, Object, Value};
use std::rc::Rc;

/// Objects within objects.
const DEEPEST: u32 = 7;
/// Members of one reported object or list.
const MOST_MEMBERS: usize = 256;

impl<'a> Eval<'a> {
    /// A value as it is reported.
    pub(in crate::fold) fn reify(&mut self, value: &Val<'a>, depth: u32) -> Value {
        if depth > DEEPEST || !self.step(1) {
            return Value::Unknown;
        }
        match value {
            Val::Null => Value::Null,
            Val::Bool(value) => Value::Bool(*value),
            Val::Number(number) => Value::Number(*number),
            Val::Text(text) => Value::Text(text.clone()),
            Val::List(list) => Value::List(
                list.iter().take(MOST_MEMBERS).map(|value| self.reify(value, depth + 1)).collect(),
            ),
            Val::Fields(_) | Val::Literal(..) => self.object(value, depth),
            Val::With(with) => match &with.base {
                Val::Func(..) | Val::Class(_) | Val::Text(_) | Val::List(_) | Val::Made(..) => {
                    self.reify(&with.base.clone(), depth)
                }
                Val::OneOf(several)
                    if several.iter().all(|one| !matches!(one, Val::Literal(..) | Val::Fields(_))) =>
                {
                    self.reify(&with.base.clone(), depth)
                }
                _ => self.object(value, depth),
            },
            Val::Instance(_) if depth < 2 => self.object(value, depth),
            Val::OneOf(values) => {
                let mut out: Vec<Value> = Vec::new();
                for value in values.iter() {
                    let value = self.reify(value, depth);
                    if !matches!(value, Value::Unknown) && !out.contains(&value) {
                        out.push(value);
                    }
                }
                match out.len() {
                    0 => Value::Unknown,
                    1 => out.swap_remove(0),
                    _ => Value::OneOf(out.into()),
                }
            }
            Val::Func(func, env) => self.returned(*func, &env.clone(), depth),
            Val::Made(names, node, env) => {
                if depth > 4 {
                    return Value::Made(Rc::new(Made { name: names.to_vec(), args: Vec::new() }));
                }
                let args = self.arguments(node.arguments(), env);
                let args = args.iter().map(|value| self.reify(value, depth + 1)).collect();
                Value::Made(Rc::new(Made { name: names.to_vec(), args }))
            }
            _ => Value::Unknown,
        }
    }

    fn object(&mut self, value: &Val<'a>, depth: u32) -> Value {
        let entries = self.entries(value);
        let mut members: Vec<(Rc<str>, Value)> = Vec::with_capacity(entries.len().min(MOST_MEMBERS));
        for (name, value) in entries.into_iter().take(MOST_MEMBERS) {
            let value = self.reify(&value, depth + 1);
            members.push((name, value));
        }
        Value::Object(Rc::new(Object { members }))
    }

    /// What a function gives, when it is small enough to be asked.
    fn returned(&mut self, func: u32, env: &Env<'a>, depth: u32) -> Value {
        let Some(known) = self.t.funcs.get(func as usize) else { return Value::Unknown };
        if depth > 4 || known.node.span().size() > 20_000 {
            return Value::Unknown;
        }
        let given = self.invoke(func, Vec::new(), env);
        match self.reify(&given, depth + 1) {
            Value::Unknown => Value::Unknown,
            value => Value::Returns(Rc::new(value)),
        }
    }
}
