//! Determines the possible values of function parameters from the calls of the function.

use super::{EvalEnv, ExpressionEvaluator, FoldValue, FrameKey};
use crate::fold::collect::member_name;
use crate::fold::table::{CallNode, FunctionAccess, NONE};
use oxc_ast::ast::{Argument, Expression};
use std::rc::Rc;

/// Maximum number of calls that are considered.
const MOST_PLACES: usize = 48;

impl<'a> ExpressionEvaluator<'a> {
    /// Returns the arguments of every known call of a function.
    pub(in crate::fold) fn parameter_sources(&mut self, func: u32) -> Rc<Vec<Vec<FoldValue<'a>>>> {
        if let Some(known) = self.sources.get(&func) {
            return known.clone();
        }
        // An empty entry stops the recursion of functions that call themselves.
        self.sources.insert(func, Rc::new(Vec::new()));
        if !self.step(8) || self.depth > super::DEEPEST {
            self.sources.remove(&func);
            return Rc::new(Vec::new());
        }
        let reached = self.t.funcs.get(func as usize).map_or(FunctionAccess::Unknown, |func| func.reached);
        self.depth += 1;
        let found = match reached {
            FunctionAccess::Binding(binding) => self.binding_calls(binding),
            FunctionAccess::Assigned(name) => match self.t.resolve_name(name) {
                Some(binding) => self.binding_calls(binding),
                None => Vec::new(),
            },
            FunctionAccess::Property(name) => match self.t.methods.get(name) {
                Some((count, _)) if *count <= 2 => self.method_sources(name),
                _ => Vec::new(),
            },
            FunctionAccess::Argument(call, index) => self.callback(call, index),
            FunctionAccess::Unknown | FunctionAccess::Immediate => Vec::new(),
        };
        self.depth -= 1;
        let found = Rc::new(found);
        if self.spent() {
            self.sources.remove(&func);
        } else {
            self.sources.insert(func, found.clone());
        }
        found
    }

    fn binding_calls(&mut self, binding: u32) -> Vec<Vec<FoldValue<'a>>> {
        let Some(known) = self.t.bindings.get(binding as usize) else { return Vec::new() };
        let mut out = Vec::new();
        let mut at = known.calls;
        let name = known.name;
        let top = self.t.scopes.get(known.scope as usize).is_some_and(|scope| scope.parent == NONE);
        while let Some(call) = self.t.calls.get(at as usize) {
            let node = call.node;
            at = call.next;
            out.push(self.eval_arguments(node.arguments(), &EvalEnv::default()));
            if out.len() >= MOST_PLACES {
                break;
            }
        }
        out.reverse();
        if top && out.len() < MOST_PLACES {
            let more = self.calls_from_elsewhere(name);
            out.extend(more);
        }
        if out.is_empty() {
            // The function may be called as a member of an object, exported or passed on:
            // `{addLayer: addLayer}`.
            out = self.method_sources(name);
        }
        out
    }

    /// Returns the calls of a global function from other scripts of the page.
    fn calls_from_elsewhere(&mut self, name: &str) -> Vec<Vec<FoldValue<'a>>> {
        let Some(tops) = self.tops.get(name) else { return Vec::new() };
        if tops.len() != 1 {
            return Vec::new();
        }
        let nodes = self.free_calls(name);
        nodes.into_iter().map(|node| self.eval_arguments(node.arguments(), &EvalEnv::default())).collect()
    }

    fn free_calls(&mut self, name: &str) -> Vec<CallNode<'a>> {
        if self.t.units.len() < 2 {
            return Vec::new();
        }
        self.steps += self.t.calls.len() as u64 / 256;
        let calls = self.t.calls.iter().map(|call| call.node);
        calls
            .filter(|node| match node.callee() {
                Expression::Identifier(callee) => {
                    callee.name == name && self.t.resolve_name(callee).is_none()
                }
                _ => false,
            })
            .take(MOST_PLACES)
            .collect()
    }

    fn method_sources(&mut self, name: &str) -> Vec<Vec<FoldValue<'a>>> {
        let mut out = Vec::new();
        let mut at = self.method_calls.get(name).copied().unwrap_or(NONE);
        while let Some(call) = self.t.calls.get(at as usize) {
            let node = call.node;
            at = call.next_method;
            out.push(self.eval_arguments(node.arguments(), &EvalEnv::default()));
            if out.len() >= MOST_PLACES {
                break;
            }
        }
        out.reverse();
        out
    }

    /// Returns the arguments that a callback is called with.
    fn callback(&mut self, call: u32, index: u32) -> Vec<Vec<FoldValue<'a>>> {
        let Some(node) = self.t.calls.get(call as usize).map(|call| call.node) else { return Vec::new() };
        let empty = EvalEnv::default();
        let first = node.arguments().first().and_then(Argument::as_expression);
        let (receiver, name) = match node.callee() {
            Expression::Identifier(name) => (None, name.name.as_str()),
            callee => match callee.as_member_expression() {
                Some(member) => (Some(member.object()), member_name(member).unwrap_or_default()),
                None => return Vec::new(),
            },
        };
        match (name, receiver) {
            ("then" | "done" | "success" | "subscribe", Some(receiver)) if index == 0 => {
                let value = self.eval(receiver, &empty);
                vec![vec![value]]
            }
            (
                "forEach" | "map" | "filter" | "some" | "every" | "find" | "flatMap" | "findIndex",
                Some(receiver),
            ) if index == 0 => {
                let list = self.eval(receiver, &empty);
                self.rounds(&list, false)
            }
            ("each" | "forEach" | "map" | "forOwn" | "array.forEach", _) if index == 1 => {
                let Some(first) = first else { return Vec::new() };
                let list = self.eval(first, &empty);
                let jquery = matches!(receiver, Some(Expression::Identifier(name))
                    if matches!(name.name.as_str(), "$" | "jQuery"))
                    && name == "each";
                self.rounds(&list, jquery)
            }
            ("reduce", Some(receiver)) if index == 0 => {
                let list = self.eval(receiver, &empty);
                let rounds = self.rounds(&list, false);
                rounds
                    .into_iter()
                    .map(|mut args| {
                        args.insert(0, FoldValue::Unknown);
                        args
                    })
                    .collect()
            }
            ("getJSON" | "get" | "json" | "post" | "load" | "getScript", _) if index >= 1 => {
                let Some(first) = first else { return Vec::new() };
                let FoldValue::Text(url) = self.eval(first, &empty) else { return Vec::new() };
                match self.eval_document(&url) {
                    // The old form of `d3.json(url, (error, data) => ...)` passes an error first.
                    Some(document) => {
                        let func = node.arguments().get(index as usize).and_then(Argument::as_expression);
                        let pair = name == "json" && matches!(func, Some(func) if params(func) == 2);
                        if pair { vec![vec![FoldValue::Null, document]] } else { vec![vec![document]] }
                    }
                    None => Vec::new(),
                }
            }
            ("define" | "require" | "requirejs" | "curl" | "amdRequire" | "dojoRequire", _) => {
                self.amd_modules(node, call).map(|args| vec![args]).unwrap_or_default()
            }
            _ => Vec::new(),
        }
    }

    /// Returns the modules that `define([...], function (...) {})` passes to its function.
    pub(super) fn amd_modules(&mut self, node: CallNode<'a>, call: u32) -> Option<Vec<FoldValue<'a>>> {
        let unit = self.t.units.iter().position(|unit| unit.calls.contains(&call))? as u32;
        let list =
            node.arguments().iter().filter_map(Argument::as_expression).find_map(
                |argument| match argument {
                    Expression::ArrayExpression(list) => Some(list),
                    _ => None,
                },
            )?;
        let mut out = Vec::new();
        for element in &list.elements {
            let source = element.as_expression().map(|element| self.eval(element, &EvalEnv::default()));
            out.push(match source {
                Some(FoldValue::Text(source)) => match self.eval_import(unit, &source, None) {
                    FoldValue::Module(module) => {
                        let value = self.unit_value(module);
                        if value.is_known() { value } else { FoldValue::Module(module) }
                    }
                    value => value,
                },
                _ => FoldValue::Unknown,
            });
        }
        Some(out)
    }

    fn rounds(&mut self, list: &FoldValue<'a>, index_first: bool) -> Vec<Vec<FoldValue<'a>>> {
        let mut elements = Self::list_elements(list);
        let mut keys: Vec<FoldValue<'a>> =
            (0..elements.len()).map(|at| FoldValue::Number(at as f64)).collect();
        if elements.is_empty() {
            for (name, value) in self.object_entries(list) {
                keys.push(FoldValue::Text(name));
                elements.push(value);
            }
        }
        let pairs = elements.into_iter().zip(keys).take(256);
        pairs.map(|(value, key)| if index_first { vec![key, value] } else { vec![value, key] }).collect()
    }

    /// Returns all possible argument sets of a frame, and the scope whose names depend on it.
    pub(in crate::fold) fn argument_sets(&mut self, key: FrameKey) -> (u32, Vec<Vec<FoldValue<'a>>>) {
        match key {
            FrameKey::Func(func) => {
                let scope = self.t.funcs.get(func as usize).map_or(NONE, |func| func.scope);
                (scope, self.parameter_sources(func).to_vec())
            }
            FrameKey::Loop(address, scope) => {
                let Some(of) = self.loops.get(&address).copied() else { return (scope, Vec::new()) };
                let list = self.eval(of, &EvalEnv::default());
                let elements = Self::list_elements(&list);
                (super::scope_of_loop(scope), elements.into_iter().map(|value| vec![value]).collect())
            }
        }
    }
}

fn params(func: &Expression<'_>) -> usize {
    match func {
        Expression::FunctionExpression(function) => function.params.items.len(),
        Expression::ArrowFunctionExpression(arrow) => arrow.params.items.len(),
        _ => 0,
    }
}
