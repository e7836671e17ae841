//! Resolves the original names of callees, whatever their local names are.

use super::collect::member_name;
use super::eval::{EvalEnv, ExpressionEvaluator, ExternalNames, FoldValue};
use super::modules;
use super::table::{FunctionAccess, ValueDefinition};
use oxc_ast::ast::{Argument, CallExpression, ChainElement, Expression};
use std::rc::Rc;

/// Maximum length of a chain of aliases.
const DEEPEST: u32 = 12;
/// Maximum number of parts in a name.
const LONGEST: usize = 10;

/// Beginning of a member chain.
pub(super) enum CalleeStart<'a> {
    /// A name that no script of this page binds.
    Global(&'a str),
    /// A binding, with its external name if it has one.
    Bound(Option<Rc<[Rc<str>]>>),
    Unknown,
}

impl<'a> ExpressionEvaluator<'a> {
    /// Returns the beginning of a callee and the members after it.
    pub(super) fn resolve_callee(&mut self, callee: &'a Expression<'a>) -> (CalleeStart<'a>, Vec<&'a str>) {
        let mut path = Vec::new();
        let mut at = callee;
        loop {
            match at {
                Expression::Identifier(name) => {
                    path.reverse();
                    let start = match self.t.resolve_name(name) {
                        Some(binding) => CalleeStart::Bound(self.binding_names(binding, 0)),
                        None if matches!(
                            name.name.as_str(),
                            "window" | "self" | "globalThis" | "top" | "parent"
                        ) && !path.is_empty() =>
                        {
                            CalleeStart::Global("")
                        }
                        None => CalleeStart::Global(name.name.as_str()),
                    };
                    if let (CalleeStart::Bound(None), false) = (&start, path.is_empty())
                        && let Some(names) = self.packed_names(at, callee)
                    {
                        return (CalleeStart::Bound(Some(names)), Vec::new());
                    }
                    return (start, path);
                }
                Expression::SequenceExpression(sequence) => match sequence.expressions.last() {
                    Some(last) => at = last,
                    None => return (CalleeStart::Unknown, path),
                },
                Expression::ChainExpression(chain) => match chain.expression.as_member_expression() {
                    Some(member) => {
                        path.extend(member_name(member).filter(|name| *name != "default"));
                        at = member.object();
                    }
                    None => break,
                },
                Expression::TSNonNullExpression(inner) => at = &inner.expression,
                Expression::TSAsExpression(inner) => at = &inner.expression,
                Expression::CallExpression(call) if !path.is_empty() => {
                    // `require("ol").source.TileWMS`, `n(12).TileWMS`
                    path.reverse();
                    if let Some(names) = self.call_names(call, 0) {
                        return (CalleeStart::Bound(Some(names)), path);
                    }
                    return (CalleeStart::Unknown, path);
                }
                Expression::ClassExpression(_) => {
                    let names = self.names_of(at, 0);
                    path.reverse();
                    return (CalleeStart::Bound(names), path);
                }
                other => match other.as_member_expression() {
                    Some(member) if path.len() < LONGEST => {
                        match member_name(member) {
                            Some(name) if name != "default" => path.push(name),
                            Some(_) => {}
                            None => break,
                        }
                        at = member.object();
                    }
                    _ => break,
                },
            }
        }
        path.reverse();
        (CalleeStart::Unknown, path)
    }

    /// Returns the full name of a callee, for an event.
    pub(super) fn full_name(&mut self, callee: &'a Expression<'a>) -> Vec<Rc<str>> {
        let (start, path) = self.resolve_callee(callee);
        let mut out: Vec<Rc<str>> = match start {
            CalleeStart::Global("") | CalleeStart::Unknown | CalleeStart::Bound(None) => Vec::new(),
            CalleeStart::Global(name) => vec![Rc::from(name)],
            CalleeStart::Bound(Some(names)) => names.to_vec(),
        };
        out.extend(path.into_iter().map(Rc::from));
        out
    }

    /// Returns the external name of an expression, if it comes from outside these scripts.
    pub(super) fn names_of(&mut self, expression: &'a Expression<'a>, depth: u32) -> Option<Rc<[Rc<str>]>> {
        if depth > DEEPEST {
            return None;
        }
        match expression {
            Expression::Identifier(name) => match self.t.resolve_name(name) {
                Some(binding) => self.binding_names(binding, depth + 1),
                None => match self.global_value(name.name.as_str()) {
                    FoldValue::Path(path) => Some(path),
                    FoldValue::Class(class) => self.class_names(class, depth + 1),
                    _ => None,
                },
            },
            Expression::LogicalExpression(logical) => {
                self.names_of(&logical.left, depth + 1).or_else(|| self.names_of(&logical.right, depth + 1))
            }
            Expression::ConditionalExpression(conditional) => self
                .names_of(&conditional.consequent, depth + 1)
                .or_else(|| self.names_of(&conditional.alternate, depth + 1)),
            Expression::SequenceExpression(sequence) => {
                self.names_of(sequence.expressions.last()?, depth + 1)
            }
            Expression::AssignmentExpression(assignment) => self.names_of(&assignment.right, depth + 1),
            Expression::AwaitExpression(awaited) => self.names_of(&awaited.argument, depth + 1),
            Expression::ParenthesizedExpression(inner) => self.names_of(&inner.expression, depth + 1),
            Expression::TSAsExpression(inner) => self.names_of(&inner.expression, depth + 1),
            Expression::TSNonNullExpression(inner) => self.names_of(&inner.expression, depth + 1),
            Expression::ChainExpression(chain) => match &chain.expression {
                ChainElement::CallExpression(call) => self.call_names(call, depth + 1),
                element => self.chain_names(element.as_member_expression()?, depth + 1),
            },
            Expression::ClassExpression(class) => {
                self.names_of(&class.heritage.as_ref()?.expression, depth + 1)
            }
            Expression::CallExpression(call) => self.call_names(call, depth + 1),
            Expression::ImportExpression(import) => match &import.source {
                Expression::StringLiteral(source) => Some(modules::module_path(&source.value, None).into()),
                _ => None,
            },
            expression => self.chain_names(expression.as_member_expression()?, depth + 1),
        }
    }

    fn chain_names(
        &mut self,
        member: &'a oxc_ast::ast::MemberExpression<'a>,
        depth: u32,
    ) -> Option<Rc<[Rc<str>]>> {
        let name = member_name(member)?;
        if let Expression::Identifier(root) = member.object()
            && matches!(root.name.as_str(), "window" | "self" | "globalThis")
            && self.t.resolve_name(root).is_none()
        {
            return match self.global_value(name) {
                FoldValue::Path(path) => Some(path),
                _ => None,
            };
        }
        let mut names = self.names_of(member.object(), depth)?.to_vec();
        if name != "default" && names.len() < LONGEST {
            names.push(Rc::from(name));
        }
        Some(names.into())
    }

    /// Returns the external name of a binding.
    pub(super) fn binding_names(&mut self, binding: u32, depth: u32) -> Option<Rc<[Rc<str>]>> {
        if let ExternalNames::Known(known) = self.known_names(binding) {
            return known.clone();
        }
        self.remember_names(binding, None);
        let defs: Vec<ValueDefinition<'a>> = self.t.definitions(binding).take(3).collect();
        let found = defs.into_iter().find_map(|def| self.def_names(def, depth));
        self.remember_names(binding, found.clone());
        found
    }

    fn def_names(&mut self, def: ValueDefinition<'a>, depth: u32) -> Option<Rc<[Rc<str>]>> {
        match def {
            ValueDefinition::Expr(value) => self.names_of(value, depth + 1),
            ValueDefinition::Class(class) => self.class_names(class, depth + 1),
            ValueDefinition::Import(unit, source, name) => match self.imported_value(unit, source, name) {
                FoldValue::Path(path) => Some(path),
                FoldValue::Class(class) => self.class_names(class, depth + 1),
                _ => None,
            },
            ValueDefinition::Param(func, index) => {
                let FunctionAccess::Argument(call, _) = self.t.funcs.get(func as usize)?.reached else {
                    return None;
                };
                let node = self.t.calls.get(call as usize)?.node;
                let loader = match node.callee() {
                    Expression::Identifier(name) => name.name.as_str(),
                    Expression::StaticMemberExpression(member) => member.property.name.as_str(),
                    _ => return None,
                };
                if !matches!(
                    loader,
                    "define" | "require" | "requirejs" | "curl" | "then" | "amdRequire" | "dojoRequire"
                ) {
                    return None;
                }
                match self.parameter_sources(func).first()?.get(index as usize)? {
                    FoldValue::Path(path) => Some(path.clone()),
                    _ => None,
                }
            }
            ValueDefinition::Pick(pick) => {
                let pick = *self.t.picks.get(pick as usize)?;
                let names = self.def_names(pick.from, depth + 1)?;
                match pick.key {
                    super::table::DestructuredKey::Whole => Some(names),
                    super::table::DestructuredKey::Name(name) => {
                        let mut names = names.to_vec();
                        if name != "default" {
                            names.push(Rc::from(name));
                        }
                        Some(names.into())
                    }
                    // `const [A, B] = await Promise.all([import("a"), import("b")])`, `$arcgis.import([...])`
                    _ => match self.eval_pick(pick) {
                        FoldValue::Path(path) => Some(path),
                        _ => None,
                    },
                }
            }
            _ => None,
        }
    }

    fn class_names(&mut self, class: u32, depth: u32) -> Option<Rc<[Rc<str>]>> {
        let node = self.t.classes.get(class as usize)?.node;
        self.names_of(&node.heritage.as_ref()?.expression, depth)
    }

    /// Returns the external name of a call's result: `require("ol")`, `n(12)`,
    /// `L.TileLayer.extend({...})`, `interop(require("ol"))`.
    fn call_names(&mut self, call: &'a CallExpression<'a>, depth: u32) -> Option<Rc<[Rc<str>]>> {
        if depth > DEEPEST {
            return None;
        }
        match &call.callee {
            Expression::StaticMemberExpression(member) => match member.property.name.as_str() {
                "extend" | "include" => self.names_of(&member.object, depth + 1),
                "Class" | "n" | "import" | "all" | "extend2" => self.first_names(call, depth),
                _ => None,
            },
            Expression::Identifier(name) => {
                let binding = self.t.resolve_name(name);
                let asks = match binding {
                    Some(binding) => self.is_require(binding),
                    None => name.name == "require",
                };
                if asks {
                    return match self.eval_call_expression(call) {
                        FoldValue::Path(path) => Some(path),
                        FoldValue::Packed(module) => match self.exported_value(module, "default") {
                            FoldValue::Path(path) => Some(path),
                            _ => None,
                        },
                        FoldValue::Module(unit) => match self.unit_export(unit, "default") {
                            FoldValue::Path(path) => Some(path),
                            _ => None,
                        },
                        _ => None,
                    };
                }
                if call.arguments.len() <= 2 { self.first_names(call, depth) } else { None }
            }
            _ => None,
        }
    }

    fn first_names(&mut self, call: &'a CallExpression<'a>, depth: u32) -> Option<Rc<[Rc<str>]>> {
        match call.arguments.first().and_then(Argument::as_expression)? {
            Expression::CallExpression(inner) => self.call_names(inner, depth + 1),
            argument @ Expression::Identifier(_) if depth < 3 => match &call.callee {
                Expression::Identifier(_) => None,
                _ => self.names_of(argument, depth + 1),
            },
            argument @ (Expression::StaticMemberExpression(_) | Expression::ImportExpression(_)) => {
                match &call.callee {
                    Expression::Identifier(_) => None,
                    _ => self.names_of(argument, depth + 1),
                }
            }
            Expression::StringLiteral(source) => match &call.callee {
                Expression::StaticMemberExpression(member) if member.property.name == "import" => {
                    Some(modules::module_path(&source.value, None).into())
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// Returns the external name of a member of a bundled module, if it has one.
    fn packed_names(
        &mut self,
        root: &'a Expression<'a>,
        callee: &'a Expression<'a>,
    ) -> Option<Rc<[Rc<str>]>> {
        let Expression::Identifier(name) = root else { return None };
        let binding = self.t.resolve_name(name)?;
        let Some(ValueDefinition::Expr(Expression::CallExpression(call))) =
            self.t.definitions(binding).next()
        else {
            return None;
        };
        let Expression::Identifier(asks) = &call.callee else { return None };
        let asks = self.t.resolve_name(asks)?;
        if !self.is_require(asks) {
            return None;
        }
        match self.eval(callee, &EvalEnv::default()) {
            FoldValue::Path(path) => Some(path),
            FoldValue::Class(class) => self.class_names(class, 1),
            _ => None,
        }
    }
}
