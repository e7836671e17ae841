//! Converts evaluated values to [`JsValue`]s for events.

use super::{EvalEnv, ExpressionEvaluator, FoldValue};
use crate::value::{ConstructedValue, JsObject, JsValue};
use std::rc::Rc;

/// Maximum nesting of objects.
const DEEPEST: u32 = 7;
/// Maximum number of members of a reported object or list.
const MOST_MEMBERS: usize = 256;

impl<'a> ExpressionEvaluator<'a> {
    /// Converts a value for an event.
    pub(in crate::fold) fn reify(&mut self, value: &FoldValue<'a>, depth: u32) -> JsValue {
        if depth > DEEPEST || !self.step(1) {
            return JsValue::Unknown;
        }
        match value {
            FoldValue::Null => JsValue::Null,
            FoldValue::Bool(value) => JsValue::Bool(*value),
            FoldValue::Number(number) => JsValue::Number(*number),
            FoldValue::Text(text) => JsValue::Text(text.clone()),
            FoldValue::List(list) => JsValue::List(
                list.iter().take(MOST_MEMBERS).map(|value| self.reify(value, depth + 1)).collect(),
            ),
            FoldValue::Fields(_) | FoldValue::Literal(..) => self.object(value, depth),
            FoldValue::With(with) => match &with.base {
                FoldValue::Func(..)
                | FoldValue::Class(_)
                | FoldValue::Text(_)
                | FoldValue::List(_)
                | FoldValue::Made(..) => self.reify(&with.base.clone(), depth),
                FoldValue::OneOf(several)
                    if several
                        .iter()
                        .all(|one| !matches!(one, FoldValue::Literal(..) | FoldValue::Fields(_))) =>
                {
                    self.reify(&with.base.clone(), depth)
                }
                _ => self.object(value, depth),
            },
            FoldValue::Instance(_) if depth < 2 => self.object(value, depth),
            FoldValue::OneOf(values) => {
                let mut out: Vec<JsValue> = Vec::new();
                for value in values.iter() {
                    let value = self.reify(value, depth);
                    if !matches!(value, JsValue::Unknown) && !out.contains(&value) {
                        out.push(value);
                    }
                }
                match out.len() {
                    0 => JsValue::Unknown,
                    1 => out.swap_remove(0),
                    _ => JsValue::OneOf(out.into()),
                }
            }
            FoldValue::Func(func, env) => self.returned(*func, &env.clone(), depth),
            FoldValue::Made(names, node, env) => {
                if depth > 4 {
                    return JsValue::Made(Rc::new(ConstructedValue {
                        name: names.to_vec(),
                        args: Vec::new(),
                    }));
                }
                let args = self.eval_arguments(node.arguments(), env);
                let args = args.iter().map(|value| self.reify(value, depth + 1)).collect();
                JsValue::Made(Rc::new(ConstructedValue { name: names.to_vec(), args }))
            }
            _ => JsValue::Unknown,
        }
    }

    fn object(&mut self, value: &FoldValue<'a>, depth: u32) -> JsValue {
        let entries = self.object_entries(value);
        let mut members: Vec<(Rc<str>, JsValue)> = Vec::with_capacity(entries.len().min(MOST_MEMBERS));
        for (name, value) in entries.into_iter().take(MOST_MEMBERS) {
            let value = self.reify(&value, depth + 1);
            members.push((name, value));
        }
        JsValue::Object(Rc::new(JsObject { members }))
    }

    /// Returns the result of a function, if the function is small enough to evaluate.
    fn returned(&mut self, func: u32, env: &EvalEnv<'a>, depth: u32) -> JsValue {
        let Some(known) = self.t.funcs.get(func as usize) else { return JsValue::Unknown };
        if depth > 4 || known.node.span().size() > 20_000 {
            return JsValue::Unknown;
        }
        let given = self.invoke_function(func, Vec::new(), env);
        match self.reify(&given, depth + 1) {
            JsValue::Unknown => JsValue::Unknown,
            value => JsValue::Returns(Rc::new(value)),
        }
    }
}
