//! Links assignments and calls to their bindings, once for all of them.

use super::ExpressionEvaluator;
use crate::fold::collect::{key_name, member_name};
use crate::fold::table::{CallNode, FuncNode, NONE, ValueDefinition};
use oxc_ast::ast::{AssignmentExpression, Expression, IdentifierReference, ObjectPropertyKind};

/// Beginning of an assignment target.
pub(super) enum TargetRoot<'a> {
    Name(&'a IdentifierReference<'a>),
    This(u32),
}

/// Longer member chains are not followed.
const LONGEST_PATH: usize = 8;

/// Returns the root and the names of `a.b.c = ...`.
pub(super) fn target_path<'a>(node: &'a AssignmentExpression<'a>) -> Option<(TargetRoot<'a>, Vec<&'a str>)> {
    let member = node.left.as_member_expression()?;
    let mut path = vec![member_name(member)?];
    let mut object = member.object();
    loop {
        match object {
            Expression::Identifier(name) => {
                path.reverse();
                return Some((TargetRoot::Name(name), path));
            }
            Expression::ThisExpression(this) => {
                path.reverse();
                return Some((TargetRoot::This(this.node_id.get().index() as u32), path));
            }
            object_member => {
                let member = object_member.as_member_expression()?;
                path.push(member_name(member)?);
                if path.len() > LONGEST_PATH {
                    return None;
                }
                object = member.object();
            }
        }
    }
}

/// Returns the root, the first two names and the number of names of `a.b.c = ...`, without
/// allocating.
fn target_head<'a>(node: &'a AssignmentExpression<'a>) -> Option<(TargetRoot<'a>, &'a str, &'a str, usize)> {
    let mut member = node.left.as_member_expression()?;
    let (mut first, mut second) = (member_name(member)?, "");
    for length in 1..=LONGEST_PATH {
        match member.object() {
            Expression::Identifier(name) => return Some((TargetRoot::Name(name), first, second, length)),
            Expression::ThisExpression(this) => {
                return Some((TargetRoot::This(this.node_id.get().index() as u32), first, second, length));
            }
            object => {
                member = object.as_member_expression()?;
                second = first;
                first = member_name(member)?;
            }
        }
    }
    None
}

/// Returns whether a name refers to the global object.
pub(super) fn is_window(name: &str) -> bool {
    matches!(name, "window" | "self" | "globalThis" | "top" | "parent" | "global")
}

impl<'a> ExpressionEvaluator<'a> {
    pub(super) fn link_all(&mut self) {
        self.link_assigns();
        self.link_members();
        self.link_calls();
        for (number, unit) in self.t.units.iter().enumerate() {
            let number = number as u32;
            if let Some(url) = &unit.url {
                self.units.entry(url.clone()).or_insert(number);
            }
            if !unit.module
                && let Some(scope) = self.t.scopes.get(unit.scope as usize)
            {
                for (name, binding) in scope.names() {
                    self.tops.entry(name).or_default().push(*binding);
                }
            }
        }
        self.packed_funcs = self.t.packed.values().copied().collect();
    }

    fn link_assigns(&mut self) {
        for (name, def) in std::mem::take(&mut self.t.assigns) {
            match self.t.resolve_name(name) {
                Some(binding) => self.t.add_definition(binding, def),
                None => self.global_defs.entry(name.name.as_str()).or_default().push(def),
            }
        }
    }

    fn link_members(&mut self) {
        for member in 0..self.t.members.len() as u32 {
            let Some(node) = self.t.members.get(member as usize).map(|member| member.node) else { continue };
            let Some((root, first, second, length)) = target_head(node) else { continue };
            if let Some(known) = self.t.members.get_mut(member as usize) {
                known.first = first;
            }
            let mut below_window = false;
            match root {
                TargetRoot::Name(name) => match self.t.resolve_name(name) {
                    Some(binding) => {
                        below_window = self.is_window_binding(binding);
                        if !below_window {
                            self.t.add_member(binding, member);
                        }
                    }
                    None if is_window(&name.name) => below_window = true,
                    None => self.global_members.entry(name.name.as_str()).or_default().push(member),
                },
                TargetRoot::This(holder) => {
                    use crate::fold::table::HolderKind;
                    below_window = matches!(
                        self.t.holders.get(holder as usize).map(|holder| holder.kind),
                        Some(HolderKind::Window)
                    );
                    if !below_window {
                        self.t.add_holder_member(holder, member);
                        if length == 1 {
                            self.this_members.entry(first).or_default().push(member);
                        }
                    }
                }
            }
            if below_window {
                if length == 1 {
                    self.global_defs.entry(first).or_default().push(ValueDefinition::Expr(&node.right));
                } else {
                    self.global_members.entry(first).or_default().push(member);
                    if let Some(known) = self.t.members.get_mut(member as usize) {
                        known.first = second;
                    }
                }
            }
        }
    }

    /// Returns whether a parameter is the global object: `(function (w) { w.a = ... })(window)`.
    fn is_window_binding(&self, binding: u32) -> bool {
        self.t.definitions(binding).take(2).any(|def| match def {
            ValueDefinition::Expr(Expression::Identifier(name)) => {
                is_window(&name.name) && self.t.resolve_name(name).is_none()
            }
            ValueDefinition::Expr(Expression::ThisExpression(this)) => matches!(
                self.t.holders.get(this.node_id.get().index()).map(|holder| holder.kind),
                Some(crate::fold::table::HolderKind::Window)
            ),
            _ => false,
        })
    }

    fn link_calls(&mut self) {
        for number in 0..self.t.calls.len() as u32 {
            let Some(call) = self.t.calls.get(number as usize) else { continue };
            let (node, name, callee, several) = (call.node, call.name, call.callee, call.arguments >= 2);
            if let Some(callee) = callee {
                if let Some(binding) = self.t.resolve_name(callee) {
                    let binding = self.imported_binding(binding);
                    if let Some(known) = self.t.bindings.get_mut(binding as usize) {
                        let next = std::mem::replace(&mut known.calls, number);
                        if let Some(call) = self.t.calls.get_mut(number as usize) {
                            call.next = next;
                        }
                    }
                }
                if several {
                    self.note_getters(node);
                }
            } else if !name.is_empty() {
                let next = self.method_calls.insert(name, number).unwrap_or(NONE);
                if let Some(call) = self.t.calls.get_mut(number as usize) {
                    call.next_method = next;
                }
                if name == "d" {
                    self.note_getters(node);
                }
            }
        }
    }

    /// Follows an import of another unit to its binding, by one step.
    fn imported_binding(&self, binding: u32) -> u32 {
        let Some(ValueDefinition::Import(unit, source, Some(name))) = self.t.definitions(binding).next()
        else {
            return binding;
        };
        let found = self.find_unit(unit, source).and_then(|unit| {
            let unit = self.t.units.get(unit as usize)?;
            match unit.exports.get(name)? {
                crate::fold::table::ModuleExport::Local(local) => {
                    self.t.scopes.get(unit.scope as usize)?.get(local)
                }
                _ => None,
            }
        });
        found.unwrap_or(binding)
    }

    /// Records exports by getter: `n.d(t, {a: () => x})`, `__export(t, {a: () => x})` and
    /// `n.d(t, "a", function() { return x })`.
    fn note_getters(&mut self, node: CallNode<'a>) {
        let arguments = node.arguments();
        let Some(Expression::Identifier(target)) = arguments.first().and_then(|one| one.as_expression())
        else {
            return;
        };
        let mut found = Vec::new();
        match arguments.get(1).and_then(|one| one.as_expression()) {
            Some(Expression::ObjectExpression(object)) if arguments.len() == 2 => {
                for property in &object.properties {
                    if let ObjectPropertyKind::ObjectProperty(property) = property
                        && let Some(name) = key_name(&property.key)
                        && let Some(func) = getter(&property.value)
                    {
                        found.push((name, func));
                    }
                }
            }
            Some(Expression::StringLiteral(name)) => {
                if let Some(func) = arguments.get(2).and_then(|one| one.as_expression()).and_then(getter) {
                    found.push((name.value.as_str(), func));
                }
            }
            _ => {}
        }
        if !found.is_empty()
            && let Some(binding) = self.t.resolve_name(target)
        {
            self.getters.entry(binding).or_default().extend(found);
        }
    }

    /// Returns the binding of a function parameter.
    pub(super) fn param_binding(&self, func: u32, index: usize) -> Option<u32> {
        let known = self.t.funcs.get(func as usize)?;
        let params = match known.node {
            FuncNode::Function(function) => &function.params,
            FuncNode::Arrow(arrow) => &arrow.params,
        };
        let name = params.items.get(index)?.pattern.get_identifier_name()?;
        self.t.scopes.get(known.scope as usize)?.get(&name)
    }
}

/// Returns the number of a function without parameters.
fn getter(value: &Expression<'_>) -> Option<u32> {
    match value {
        Expression::ArrowFunctionExpression(arrow) if arrow.params.items.is_empty() => {
            arrow.scope_id.get().map(|number| number.index() as u32)
        }
        Expression::FunctionExpression(function) if function.params.items.is_empty() => {
            function.scope_id.get().map(|number| number.index() as u32)
        }
        _ => None,
    }
}
