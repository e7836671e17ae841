//! Calls.

use super::text::concat;
use super::{DEEPEST_CALLS, Env, Eval, FrameKey, Val, one_of};
use crate::fold::table::{CallNode, Def, NONE};
use oxc_ast::ast::{Argument, Expression, IdentifierReference};
use std::rc::Rc;

impl<'a> Eval<'a> {
    /// The value of a call or `new`.
    pub(super) fn call(&mut self, node: CallNode<'a>, env: &Env<'a>) -> Val<'a> {
        match node.callee() {
            Expression::Identifier(name) => self.call_name(name, node, env),
            Expression::FunctionExpression(_) | Expression::ArrowFunctionExpression(_) => {
                let Val::Func(func, closure) = self.eval(node.callee(), env) else { return Val::Unknown };
                let args = self.arguments(node.arguments(), env);
                self.invoke(func, args, &closure)
            }
            Expression::SequenceExpression(sequence) => match sequence.expressions.last() {
                Some(Expression::Identifier(name)) => self.call_name(name, node, env),
                Some(last) => self.call_value_of(last, node, env),
                None => Val::Unknown,
            },
            Expression::Super(_) => Val::Unknown,
            callee => self.call_value_of(callee, node, env),
        }
    }

    fn call_name(&mut self, name: &'a IdentifierReference<'a>, node: CallNode<'a>, env: &Env<'a>) -> Val<'a> {
        let Some(binding) = self.t.resolve(name) else {
            let value = self.global(name.name.as_str());
            return self.call_value(&value, node, env);
        };
        if let Some(module) = self.required(binding, node.arguments(), env) {
            return module;
        }
        if node.arguments().is_empty()
            && let Some(module) = self.wrapped_module(binding)
        {
            return module;
        }
        let value = self.binding(binding, env);
        self.call_value(&value, node, env)
    }

    fn call_value_of(&mut self, callee: &'a Expression<'a>, node: CallNode<'a>, env: &Env<'a>) -> Val<'a> {
        if let Expression::StaticMemberExpression(member) = callee {
            let receiver = self.eval(&member.object, env);
            if let Some(value) = self.method(&receiver, member.property.name.as_str(), node, env) {
                return value;
            }
            let value = self.member(&receiver, member.property.name.as_str());
            return self.call_value(&value, node, env);
        }
        let value = self.eval(callee, env);
        self.call_value(&value, node, env)
    }

    /// The value of a call of a value.
    fn call_value(&mut self, value: &Val<'a>, node: CallNode<'a>, env: &Env<'a>) -> Val<'a> {
        match value {
            Val::Func(func, closure) => {
                let closure = closure.clone();
                if node.is_new() {
                    let holder = self.t.funcs.get(*func as usize).map_or(NONE, |func| func.holder);
                    return Val::Instance(holder);
                }
                let args = self.arguments(node.arguments(), env);
                self.invoke(*func, args, &closure)
            }
            Val::Class(class) => {
                let class = *class;
                // What it extends is what it makes, as far as the libraries are concerned.
                match self.names_of(node.callee(), 0) {
                    Some(names) if names.len() > 1 => Val::Made(names, node, env.clone()),
                    _ => Val::Instance(self.t.classes.get(class as usize).map_or(NONE, |class| class.holder)),
                }
            }
            Val::With(with) => {
                let base = with.base.clone();
                self.call_value(&base, node, env)
            }
            Val::OneOf(values) => {
                let values = values.clone();
                one_of(
                    values.iter().take(4).map(|value| self.call_value(value, node, env)).collect::<Vec<_>>(),
                )
            }
            Val::Path(path) => {
                let path = path.clone();
                self.named_call(&path, node, env)
            }
            Val::Packed(module) if node.arguments().is_empty() => Val::Packed(*module),
            Val::Packed(module) => {
                // A module that is one function.
                let whole = self.packed_export(*module, "default");
                match whole {
                    Val::Func(func, closure) => {
                        let args = self.arguments(node.arguments(), env);
                        self.invoke(func, args, &closure)
                    }
                    _ => Val::Unknown,
                }
            }
            _ => Val::Unknown,
        }
    }

    pub(super) fn arguments(&mut self, arguments: &'a [Argument<'a>], env: &Env<'a>) -> Vec<Val<'a>> {
        let mut out = Vec::with_capacity(arguments.len());
        for argument in arguments.iter().take(32) {
            match argument {
                Argument::SpreadElement(spread) => {
                    let list = self.eval(&spread.argument, env);
                    let list = Self::elements(&list);
                    out.extend(list.into_iter().take(32));
                }
                argument => {
                    if let Some(argument) = argument.as_expression() {
                        out.push(self.eval(argument, env));
                    }
                }
            }
        }
        out
    }

    /// What a function returns for arguments.
    pub(super) fn invoke(&mut self, func: u32, args: Vec<Val<'a>>, env: &Env<'a>) -> Val<'a> {
        let key = FrameKey::Func(func);
        if env.depth() >= DEEPEST_CALLS || env.get(key).is_some() || !self.step(4) {
            return Val::Unknown;
        }
        let scope = self.t.funcs.get(func as usize).map_or(NONE, |func| func.scope);
        let env = env.with(key, scope, args);
        let returns: Vec<_> = self.t.returns(func).take(16).collect();
        one_of(returns.into_iter().rev().map(|value| self.eval(value, &env)).collect::<Vec<_>>())
    }

    /// `n(123)` in a bundle, `require("./a")`.
    fn required(&mut self, binding: u32, arguments: &'a [Argument<'a>], env: &Env<'a>) -> Option<Val<'a>> {
        let id = arguments.first().and_then(Argument::as_expression)?;
        if arguments.len() != 1 || !self.is_require(binding) {
            return None;
        }
        let func = self.t.defs(binding).next().and_then(|def| match def {
            Def::Param(func, _) => Some(func),
            _ => None,
        });
        let id = match self.eval(id, env) {
            Val::Text(id) => id,
            Val::Number(number) => super::number_text(number).into(),
            _ => return None,
        };
        let target = func.and_then(|func| self.t.packed_names.get(&(func, &*id)).copied());
        let module = self.t.packed.get(target.unwrap_or(&id)).copied();
        match module {
            Some(module) => Some(Val::Packed(module)),
            // Not in the bundle: a library beside it.
            None => Some(Val::Path(crate::fold::modules::names(&id, None).into())),
        }
    }

    /// Whether a binding is the function with which the modules of a bundle ask for each other.
    pub(in crate::fold) fn is_require(&self, binding: u32) -> bool {
        let Some(def) = self.t.defs(binding).next() else { return false };
        match def {
            Def::Param(func, index) => {
                self.packed_funcs.contains(&func)
                    && (index == 2
                        || self.t.bindings.get(binding as usize).is_some_and(|known| known.name == "require"))
            }
            Def::Func(func) => self.t.returns(func).take(8).any(|value| {
                matches!(value, Expression::StaticMemberExpression(member) if member.property.name == "exports")
            }),
            _ => false,
        }
    }

    /// `var require_a = __commonJS({"a.js"(exports, module) {...}})`, asked for as `require_a()`.
    fn wrapped_module(&mut self, binding: u32) -> Option<Val<'a>> {
        let Some(Def::Expr(Expression::CallExpression(call))) = self.t.defs(binding).next() else {
            return None;
        };
        if call.arguments.len() != 1 {
            return None;
        }
        let func = match call.arguments.first()?.as_expression()? {
            Expression::ObjectExpression(object) if object.properties.len() == 1 => {
                match object.properties.first()? {
                    oxc_ast::ast::ObjectPropertyKind::ObjectProperty(property) => func_of(&property.value)?,
                    oxc_ast::ast::ObjectPropertyKind::SpreadProperty(_) => return None,
                }
            }
            value => func_of(value)?,
        };
        let has_exports = (0..2).any(|index| {
            self.param_binding(func, index)
                .and_then(|param| self.t.bindings.get(param as usize))
                .is_some_and(|param| param.members != NONE)
        });
        has_exports.then_some(Val::Packed(func))
    }

    /// What a module inside a bundle exports under a name.
    pub(super) fn packed_export(&mut self, func: u32, name: &str) -> Val<'a> {
        let mut values = Vec::new();
        for index in 0..2 {
            let Some(param) = self.param_binding(func, index) else { continue };
            let getters = self.getters.get(&param).cloned().unwrap_or_default();
            if let Some((_, getter)) = getters.iter().find(|(known, _)| *known == name) {
                values.push(self.invoke(*getter, Vec::new(), &Env::default()));
            }
            let own = super::Owner::Binding(param);
            let mut at = self.t.bindings.get(param as usize).map_or(NONE, |known| known.members);
            for _ in 0..super::MOST_ELEMENTS {
                let Some(member) = self.t.members.get(at as usize) else { break };
                let (node, next) = (member.node, member.next);
                let path = self.assigned_path(at, own).unwrap_or_default();
                at = next;
                match path.as_slice() {
                    ["exports"] => {
                        let whole = self.eval(&node.right, &Env::default());
                        let member = self.member(&whole, name);
                        if member.is_known() {
                            values.push(member);
                        } else if name == "default" {
                            values.push(whole);
                        }
                    }
                    ["exports", one] | [one] if *one == name => {
                        values.push(self.eval(&node.right, &Env::default()));
                    }
                    _ => {}
                }
            }
        }
        let value = one_of(values);
        if value.is_known() || name != "default" { value } else { Val::Packed(func) }
    }

    /// What a unit is as a whole: `module.exports`, or what its `define` returns.
    pub(super) fn unit_value(&mut self, unit: u32) -> Val<'a> {
        let Some(known) = self.t.units.get(unit as usize) else { return Val::Unknown };
        let (calls, members) = (known.calls.clone(), known.members.clone());
        for call in calls.take(16) {
            let Some(CallNode::Call(node)) = self.t.calls.get(call as usize).map(|call| call.node) else {
                continue;
            };
            let Expression::Identifier(callee) = &node.callee else { continue };
            if callee.name != "define" || self.t.resolve(callee).is_some() {
                continue;
            }
            if let Some(last) = node.arguments.last().and_then(Argument::as_expression) {
                return match self.eval(last, &Env::default()) {
                    Val::Func(func, _) => {
                        let returns: Vec<_> = self.t.returns(func).take(8).collect();
                        one_of(
                            returns
                                .into_iter()
                                .map(|value| self.eval(value, &Env::default()))
                                .collect::<Vec<_>>(),
                        )
                    }
                    value => value,
                };
            }
        }
        let mut fields = Vec::new();
        for member in members.take(4_096) {
            let Some(node) = self.t.members.get(member as usize).map(|member| member.node) else { continue };
            let Some((super::link::Root::Name(root), path)) = super::link::target_path(node) else {
                continue;
            };
            match (root.name.as_str(), path.as_slice()) {
                ("module", ["exports"]) => return self.eval(&node.right, &Env::default()),
                ("module", ["exports", name]) | ("exports", [name]) => {
                    let value = self.eval(&node.right, &Env::default());
                    fields.push((Rc::from(*name), value));
                }
                _ => {}
            }
        }
        if fields.is_empty() { Val::Unknown } else { Val::Fields(Rc::new(fields)) }
    }

    /// The text of a value, as `String(...)` gives it.
    pub(super) fn to_text(value: &Val<'a>) -> Val<'a> {
        concat(std::slice::from_ref(value))
    }
}

/// The number of the function that an expression is.
fn func_of(value: &Expression<'_>) -> Option<u32> {
    match value {
        Expression::FunctionExpression(function) => function.scope_id.get().map(|at| at.index() as u32),
        Expression::ArrowFunctionExpression(arrow) => arrow.scope_id.get().map(|at| at.index() as u32),
        _ => None,
    }
}
