//! Evaluates calls.

use super::text::concat_values;
use super::{DEEPEST_CALLS, EvalEnv, ExpressionEvaluator, FoldValue, FrameKey, one_of};
use crate::fold::table::{CallNode, NONE, ValueDefinition};
use oxc_ast::ast::{Argument, Expression, IdentifierReference};
use std::rc::Rc;

impl<'a> ExpressionEvaluator<'a> {
    /// Returns the value of a call or `new`.
    pub(super) fn eval_call(&mut self, node: CallNode<'a>, env: &EvalEnv<'a>) -> FoldValue<'a> {
        match node.callee() {
            Expression::Identifier(name) => self.call_name(name, node, env),
            Expression::FunctionExpression(_) | Expression::ArrowFunctionExpression(_) => {
                let FoldValue::Func(func, closure) = self.eval(node.callee(), env) else {
                    return FoldValue::Unknown;
                };
                let args = self.eval_arguments(node.arguments(), env);
                self.invoke_function(func, args, &closure)
            }
            Expression::SequenceExpression(sequence) => match sequence.expressions.last() {
                Some(Expression::Identifier(name)) => self.call_name(name, node, env),
                Some(last) => self.call_value_of(last, node, env),
                None => FoldValue::Unknown,
            },
            Expression::Super(_) => FoldValue::Unknown,
            callee => self.call_value_of(callee, node, env),
        }
    }

    fn call_name(
        &mut self,
        name: &'a IdentifierReference<'a>,
        node: CallNode<'a>,
        env: &EvalEnv<'a>,
    ) -> FoldValue<'a> {
        let Some(binding) = self.t.resolve_name(name) else {
            let value = self.eval_global(name.name.as_str());
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
        let value = self.eval_binding(binding, env);
        self.call_value(&value, node, env)
    }

    fn call_value_of(
        &mut self,
        callee: &'a Expression<'a>,
        node: CallNode<'a>,
        env: &EvalEnv<'a>,
    ) -> FoldValue<'a> {
        if let Expression::StaticMemberExpression(member) = callee {
            let receiver = self.eval(&member.object, env);
            if let Some(value) = self.eval_method(&receiver, member.property.name.as_str(), node, env) {
                return value;
            }
            let value = self.eval_member(&receiver, member.property.name.as_str());
            return self.call_value(&value, node, env);
        }
        let value = self.eval(callee, env);
        self.call_value(&value, node, env)
    }

    /// Returns the value of calling a value.
    fn call_value(&mut self, value: &FoldValue<'a>, node: CallNode<'a>, env: &EvalEnv<'a>) -> FoldValue<'a> {
        match value {
            FoldValue::Func(func, closure) => {
                let closure = closure.clone();
                if node.is_new() {
                    let holder = self.t.funcs.get(*func as usize).map_or(NONE, |func| func.holder);
                    return FoldValue::Instance(holder);
                }
                let args = self.eval_arguments(node.arguments(), env);
                self.invoke_function(*func, args, &closure)
            }
            FoldValue::Class(class) => {
                let class = *class;
                // A class counts as the library class that it extends.
                match self.names_of(node.callee(), 0) {
                    Some(names) if names.len() > 1 => FoldValue::Made(names, node, env.clone()),
                    _ => FoldValue::Instance(
                        self.t.classes.get(class as usize).map_or(NONE, |class| class.holder),
                    ),
                }
            }
            FoldValue::With(with) => {
                let base = with.base.clone();
                self.call_value(&base, node, env)
            }
            FoldValue::OneOf(values) => {
                let values = values.clone();
                one_of(
                    values.iter().take(4).map(|value| self.call_value(value, node, env)).collect::<Vec<_>>(),
                )
            }
            FoldValue::Path(path) => {
                let path = path.clone();
                self.eval_named_call(&path, node, env)
            }
            FoldValue::Packed(module) if node.arguments().is_empty() => FoldValue::Packed(*module),
            FoldValue::Packed(module) => {
                // A module whose default export is a function.
                let whole = self.packed_export(*module, "default");
                match whole {
                    FoldValue::Func(func, closure) => {
                        let args = self.eval_arguments(node.arguments(), env);
                        self.invoke_function(func, args, &closure)
                    }
                    _ => FoldValue::Unknown,
                }
            }
            _ => FoldValue::Unknown,
        }
    }

    pub(super) fn eval_arguments(
        &mut self,
        arguments: &'a [Argument<'a>],
        env: &EvalEnv<'a>,
    ) -> Vec<FoldValue<'a>> {
        let mut out = Vec::with_capacity(arguments.len());
        for argument in arguments.iter().take(32) {
            match argument {
                Argument::SpreadElement(spread) => {
                    let list = self.eval(&spread.argument, env);
                    let list = Self::list_elements(&list);
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

    /// Returns the result of a function for the given arguments.
    pub(super) fn invoke_function(
        &mut self,
        func: u32,
        args: Vec<FoldValue<'a>>,
        env: &EvalEnv<'a>,
    ) -> FoldValue<'a> {
        let key = FrameKey::Func(func);
        if env.depth() >= DEEPEST_CALLS || env.get(key).is_some() || !self.step(4) {
            return FoldValue::Unknown;
        }
        let scope = self.t.funcs.get(func as usize).map_or(NONE, |func| func.scope);
        let env = env.with_frame(key, scope, args);
        let returns: Vec<_> = self.t.returned_values(func).take(16).collect();
        one_of(returns.into_iter().rev().map(|value| self.eval(value, &env)).collect::<Vec<_>>())
    }

    /// Evaluates `n(123)` in a bundle, or `require("./a")`.
    fn required(
        &mut self,
        binding: u32,
        arguments: &'a [Argument<'a>],
        env: &EvalEnv<'a>,
    ) -> Option<FoldValue<'a>> {
        let id = arguments.first().and_then(Argument::as_expression)?;
        if arguments.len() != 1 || !self.is_require(binding) {
            return None;
        }
        let func = self.t.definitions(binding).next().and_then(|def| match def {
            ValueDefinition::Param(func, _) => Some(func),
            _ => None,
        });
        let id = match self.eval(id, env) {
            FoldValue::Text(id) => id,
            FoldValue::Number(number) => super::number_text(number).into(),
            _ => return None,
        };
        let target = func.and_then(|func| self.t.packed_names.get(&(func, &*id)).copied());
        let module = self.t.packed.get(target.unwrap_or(&id)).copied();
        match module {
            Some(module) => Some(FoldValue::Packed(module)),
            // Not in the bundle, so it is an external library.
            None => Some(FoldValue::Path(crate::fold::modules::module_path(&id, None).into())),
        }
    }

    /// Returns whether a binding is the function with which bundled modules require each other.
    pub(in crate::fold) fn is_require(&self, binding: u32) -> bool {
        let Some(def) = self.t.definitions(binding).next() else { return false };
        match def {
            ValueDefinition::Param(func, index) => {
                self.packed_funcs.contains(&func)
                    && (index == 2
                        || self.t.bindings.get(binding as usize).is_some_and(|known| known.name == "require"))
            }
            ValueDefinition::Func(func) => self.t.returned_values(func).take(8).any(|value| {
                matches!(value, Expression::StaticMemberExpression(member) if member.property.name == "exports")
            }),
            _ => false,
        }
    }

    /// Evaluates `require_a()` of `var require_a = __commonJS({"a.js"(exports, module) {...}})`.
    fn wrapped_module(&mut self, binding: u32) -> Option<FoldValue<'a>> {
        let Some(ValueDefinition::Expr(Expression::CallExpression(call))) =
            self.t.definitions(binding).next()
        else {
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
        has_exports.then_some(FoldValue::Packed(func))
    }

    /// Returns an export of a bundled module.
    pub(super) fn packed_export(&mut self, func: u32, name: &str) -> FoldValue<'a> {
        let mut values = Vec::new();
        for index in 0..2 {
            let Some(param) = self.param_binding(func, index) else { continue };
            let getters = self.getters.get(&param).cloned().unwrap_or_default();
            if let Some((_, getter)) = getters.iter().find(|(known, _)| *known == name) {
                values.push(self.invoke_function(*getter, Vec::new(), &EvalEnv::default()));
            }
            let own = super::MemberOwner::Binding(param);
            let mut at = self.t.bindings.get(param as usize).map_or(NONE, |known| known.members);
            for _ in 0..super::MOST_ELEMENTS {
                let Some(member) = self.t.members.get(at as usize) else { break };
                let (node, next) = (member.node, member.next);
                let path = self.assigned_path(at, own).unwrap_or_default();
                at = next;
                match path.as_slice() {
                    ["exports"] => {
                        let whole = self.eval(&node.right, &EvalEnv::default());
                        let member = self.eval_member(&whole, name);
                        if member.is_known() {
                            values.push(member);
                        } else if name == "default" {
                            values.push(whole);
                        }
                    }
                    ["exports", one] | [one] if *one == name => {
                        values.push(self.eval(&node.right, &EvalEnv::default()));
                    }
                    _ => {}
                }
            }
        }
        let value = one_of(values);
        if value.is_known() || name != "default" { value } else { FoldValue::Packed(func) }
    }

    /// Returns the value of a unit as a whole: `module.exports`, or the result of its `define`.
    pub(super) fn unit_value(&mut self, unit: u32) -> FoldValue<'a> {
        let Some(known) = self.t.units.get(unit as usize) else { return FoldValue::Unknown };
        let (calls, members) = (known.calls.clone(), known.members.clone());
        for call in calls.take(16) {
            let Some(CallNode::Call(node)) = self.t.calls.get(call as usize).map(|call| call.node) else {
                continue;
            };
            let Expression::Identifier(callee) = &node.callee else { continue };
            if callee.name != "define" || self.t.resolve_name(callee).is_some() {
                continue;
            }
            if let Some(last) = node.arguments.last().and_then(Argument::as_expression) {
                return match self.eval(last, &EvalEnv::default()) {
                    FoldValue::Func(func, _) => {
                        let returns: Vec<_> = self.t.returned_values(func).take(8).collect();
                        one_of(
                            returns
                                .into_iter()
                                .map(|value| self.eval(value, &EvalEnv::default()))
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
            let Some((super::link::TargetRoot::Name(root), path)) = super::link::target_path(node) else {
                continue;
            };
            match (root.name.as_str(), path.as_slice()) {
                ("module", ["exports"]) => return self.eval(&node.right, &EvalEnv::default()),
                ("module", ["exports", name]) | ("exports", [name]) => {
                    let value = self.eval(&node.right, &EvalEnv::default());
                    fields.push((Rc::from(*name), value));
                }
                _ => {}
            }
        }
        if fields.is_empty() { FoldValue::Unknown } else { FoldValue::Fields(Rc::new(fields)) }
    }

    /// Converts a value to text like `String(...)`.
    pub(super) fn to_text(value: &FoldValue<'a>) -> FoldValue<'a> {
        concat_values(std::slice::from_ref(value))
    }
}

/// Returns the number of a function expression.
fn func_of(value: &Expression<'_>) -> Option<u32> {
    match value {
        Expression::FunctionExpression(function) => function.scope_id.get().map(|at| at.index() as u32),
        Expression::ArrowFunctionExpression(arrow) => arrow.scope_id.get().map(|at| at.index() as u32),
        _ => None,
    }
}
