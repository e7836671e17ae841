//! Evaluates names: variables, parameters, globals, imports.

use super::{AssignedMembers, EvalEnv, ExpressionEvaluator, FoldValue, FrameKey, MemberOwner, one_of};
use crate::fold::modules;
use crate::fold::table::{DestructuredKey, ModuleExport, NONE, ValueDefinition};
use oxc_ast::ast::{IdentifierReference, TSEnumMemberName};
use std::rc::Rc;

impl<'a> ExpressionEvaluator<'a> {
    pub(super) fn eval_identifier(
        &mut self,
        name: &'a IdentifierReference<'a>,
        env: &EvalEnv<'a>,
    ) -> FoldValue<'a> {
        match self.t.resolve_name(name) {
            Some(binding) => self.eval_binding(binding, env),
            None => self.eval_global(name.name.as_str()),
        }
    }

    /// Returns the value of a binding, cached unless it depends on the current call.
    pub(super) fn eval_binding(&mut self, binding: u32, env: &EvalEnv<'a>) -> FoldValue<'a> {
        if !self.step(1) {
            return FoldValue::Unknown;
        }
        let scope = self.t.bindings.get(binding as usize).map_or(NONE, |binding| binding.scope);
        if env.frames().any(|frame| self.t.is_inside(scope, frame.scope)) {
            if self.depth > super::DEEPEST / 2 {
                return FoldValue::Unknown;
            }
            self.depth += 1;
            let value = self.compute(binding, env);
            self.depth -= 1;
            return value;
        }
        if let Some(known) = self.memo.get(&binding) {
            if let Some(known) = known {
                let known = known.clone();
                self.consult_again(binding);
                return known;
            }
            return FoldValue::Unknown;
        }
        self.memo.insert(binding, None);
        let value = self.compute(binding, &EvalEnv::default());
        if self.spent() {
            self.memo.remove(&binding);
        } else {
            self.memo.insert(binding, Some(value.clone()));
        }
        value
    }

    /// Records that a cached value still depends on a parameter or a loop.
    fn consult_again(&mut self, binding: u32) {
        let mut defs = self.t.definitions(binding);
        let Some(mut def) = defs.next() else { return };
        drop(defs);
        for _ in 0..8 {
            match def {
                ValueDefinition::Param(func, _) | ValueDefinition::Rest(func, _) => {
                    self.consulted.push(FrameKey::Func(func));
                    return;
                }
                ValueDefinition::Element(of) => {
                    let scope = self.t.bindings.get(binding as usize).map_or(NONE, |binding| binding.scope);
                    self.consulted.push(FrameKey::Loop(std::ptr::from_ref(of) as usize, scope));
                    return;
                }
                ValueDefinition::Pick(pick) => match self.t.picks.get(pick as usize) {
                    Some(pick) => def = pick.from,
                    None => return,
                },
                ValueDefinition::Expr(_) => {
                    // The expression may use parameters of the enclosing function.
                    let scope = self.t.bindings.get(binding as usize).map_or(NONE, |binding| binding.scope);
                    let func = self.t.scopes.get(scope as usize).map_or(NONE, |scope| scope.func);
                    if func != NONE {
                        self.consulted.push(FrameKey::Func(func));
                    }
                    return;
                }
                _ => return,
            }
        }
    }

    fn compute(&mut self, binding: u32, env: &EvalEnv<'a>) -> FoldValue<'a> {
        let defs: Vec<ValueDefinition<'a>> = self.t.definitions(binding).take(64).collect();
        let scope = self.t.bindings.get(binding as usize).map_or(NONE, |binding| binding.scope);
        let mut values: Vec<FoldValue<'a>> = Vec::new();
        for def in defs {
            if let ValueDefinition::Append(more) = def {
                let more = self.eval(more, env);
                let before = one_of(values.drain(..));
                if matches!((&before, &more), (FoldValue::Number(_), FoldValue::Number(_))) {
                    return FoldValue::Unknown;
                }
                let before = if before.is_known() { before } else { FoldValue::Unknown };
                values.push(self.join_values(&[before, more]));
            } else if let ValueDefinition::Varies = def {
                return FoldValue::Unknown;
            } else {
                values.push(self.eval_definition(def, scope, env));
            }
        }
        let base = one_of(values);
        match self.t.bindings.get(binding as usize) {
            Some(known) if known.members != NONE => FoldValue::With(Rc::new(AssignedMembers {
                base,
                owner: MemberOwner::Binding(binding),
                prefix: Vec::new(),
                env: env.clone(),
            })),
            _ => base,
        }
    }

    /// Returns the value of a definition.
    pub(super) fn eval_definition(
        &mut self,
        def: ValueDefinition<'a>,
        scope: u32,
        env: &EvalEnv<'a>,
    ) -> FoldValue<'a> {
        match def {
            ValueDefinition::Expr(value) | ValueDefinition::Append(value) => self.eval(value, env),
            ValueDefinition::Func(func) => FoldValue::Func(func, env.clone()),
            ValueDefinition::Class(class) => FoldValue::Class(class),
            ValueDefinition::Param(func, index) => {
                if let Some(frame) = env.get(FrameKey::Func(func)) {
                    return frame.args.get(index as usize).cloned().unwrap_or(FoldValue::Undefined);
                }
                if self.packed_funcs.contains(&func) {
                    return FoldValue::Unknown;
                }
                let sources = self.parameter_sources(func);
                self.consulted.push(FrameKey::Func(func));
                one_of(sources.iter().filter_map(|args| args.get(index as usize).cloned()))
            }
            ValueDefinition::Rest(func, from) => match env.get(FrameKey::Func(func)) {
                Some(frame) => {
                    FoldValue::List(frame.args.get(from as usize..).unwrap_or_default().to_vec().into())
                }
                None => FoldValue::Unknown,
            },
            ValueDefinition::Element(of) => {
                let key = FrameKey::Loop(std::ptr::from_ref(of) as usize, scope);
                if let Some(frame) = env.get(key) {
                    return frame.args.first().cloned().unwrap_or(FoldValue::Unknown);
                }
                let list = self.eval(of, env);
                let elements = Self::list_elements(&list);
                self.loops.insert(std::ptr::from_ref(of) as usize, of);
                self.consulted.push(key);
                one_of(elements)
            }
            ValueDefinition::Key(of) => {
                let object = self.eval(of, env);
                let entries = self.object_entries(&object);
                one_of(entries.into_iter().map(|(name, _)| FoldValue::Text(name)))
            }
            ValueDefinition::Import(unit, source, name) => self.eval_import(unit, source, name),
            ValueDefinition::Pick(pick) => {
                let Some(pick) = self.t.picks.get(pick as usize).copied() else { return FoldValue::Unknown };
                let whole = self.eval_definition(pick.from, scope, env);
                let value = match pick.key {
                    DestructuredKey::Whole => whole,
                    DestructuredKey::Name(name) => self.eval_member(&whole, name),
                    DestructuredKey::Index(index) => self.eval_member(&whole, &index.to_string()),
                    DestructuredKey::Computed(key) => match self.eval(key, env) {
                        FoldValue::Text(name) => self.eval_member(&whole, &name),
                        _ => FoldValue::Unknown,
                    },
                };
                match pick.default {
                    Some(default) if !value.is_known() || matches!(value, FoldValue::Path(_)) => {
                        self.eval(default, env)
                    }
                    _ => value,
                }
            }
            ValueDefinition::Varies => FoldValue::Unknown,
            ValueDefinition::Enum(declared) => {
                let mut next = 0.0;
                let mut fields = Vec::new();
                for member in &declared.body.members {
                    let name = match &member.id {
                        TSEnumMemberName::Identifier(name) => name.name.as_str(),
                        TSEnumMemberName::String(name) | TSEnumMemberName::ComputedString(name) => {
                            name.value.as_str()
                        }
                        TSEnumMemberName::ComputedTemplateString(_) => continue,
                    };
                    let value = match &member.initializer {
                        Some(value) => self.eval(value, env),
                        None => FoldValue::Number(next),
                    };
                    if let FoldValue::Number(number) = value {
                        next = number + 1.0;
                    }
                    fields.push((Rc::from(name), value));
                }
                FoldValue::Fields(Rc::new(fields))
            }
        }
    }

    /// Returns the value of a global name, across all classic scripts.
    pub(super) fn eval_global(&mut self, name: &str) -> FoldValue<'a> {
        match name {
            "window" | "self" | "globalThis" | "top" | "parent" | "frames" | "global" => {
                return FoldValue::Window;
            }
            "undefined" | "NaN" => return FoldValue::Undefined,
            _ => {}
        }
        if let Some(known) = self.globals.get(name) {
            return known.clone().unwrap_or_else(|| FoldValue::Path([Rc::from(name)].into()));
        }
        let name: Rc<str> = Rc::from(name);
        self.globals.insert(name.clone(), None);
        let mut values = Vec::new();
        let tops = self.tops.get(&*name).cloned().unwrap_or_default();
        for binding in tops.into_iter().take(8) {
            values.push(self.eval_binding(binding, &EvalEnv::default()));
        }
        for def in self.global_defs.get(&*name).cloned().unwrap_or_default().into_iter().take(16) {
            if let ValueDefinition::Append(more) = def {
                let more = self.eval(more, &EvalEnv::default());
                let before = one_of(values.drain(..));
                values.push(self.join_values(&[before, more]));
            } else {
                values.push(self.eval_definition(def, NONE, &EvalEnv::default()));
            }
        }
        let mut value = one_of(values);
        if !value.is_known() {
            value = FoldValue::Path([name.clone()].into());
        }
        if let Some((owner, _)) = self.global_members.get_key_value(&*name) {
            let owner = MemberOwner::Global(owner);
            value = FoldValue::With(Rc::new(AssignedMembers {
                base: value,
                owner,
                prefix: Vec::new(),
                env: EvalEnv::default(),
            }));
        }
        if self.spent() {
            self.globals.remove(&name);
        } else {
            self.globals.insert(name, Some(value.clone()));
        }
        value
    }

    /// Returns a module, or one of its exports.
    pub(super) fn eval_import(&mut self, unit: u32, source: &str, name: Option<&str>) -> FoldValue<'a> {
        if let Some(target) = self.find_unit(unit, source) {
            return match name {
                None => FoldValue::Module(target),
                Some(name) => self.eval_export(target, name),
            };
        }
        let base = self.t.units.get(unit as usize).and_then(|unit| unit.url.as_deref());
        let url = modules::join_url(base.unwrap_or(&self.app.base), source);
        if let Some(document) = url.and_then(|url| self.eval_document(&url)) {
            return document;
        }
        FoldValue::Path(modules::module_path(source, name).into())
    }

    /// Returns the unit that a module name refers to.
    pub(super) fn find_unit(&self, unit: u32, source: &str) -> Option<u32> {
        let base = self.t.units.get(unit as usize).and_then(|unit| unit.url.as_deref());
        let base = base.unwrap_or(&self.app.base);
        modules::module_urls(self.app, base, source)
            .into_iter()
            .find_map(|url| self.units.get(url.as_str()).copied())
            .or_else(|| {
                // Loader roots and bundler aliases are unknown, so compare the end of the URL.
                let far = source.len() > 2 && !source.starts_with('.') && source.contains('/');
                if !far {
                    return None;
                }
                let bare = source.trim_start_matches(['@', '~']).trim_start_matches('/');
                let bare = bare.strip_suffix(".js").unwrap_or(bare);
                let ends = |url: &str| {
                    let url = url.split('?').next().unwrap_or_default();
                    let stem = url.rsplit_once('.').map_or(url, |(stem, _)| stem);
                    let stem = stem.strip_suffix("/index").unwrap_or(stem);
                    stem.ends_with(bare) && stem.strip_suffix(bare).is_some_and(|rest| rest.ends_with('/'))
                        || url.ends_with(bare)
                };
                self.units.iter().filter(|(url, _)| ends(url)).map(|(_, unit)| *unit).min()
            })
    }

    /// Returns a module by its URL, or by a path relative to the page.
    pub(super) fn import_url(&mut self, source: &str) -> FoldValue<'a> {
        for unit in 0..self.t.units.len() as u32 {
            if let Some(found) = self.find_unit(unit, source) {
                return FoldValue::Module(found);
            }
            if unit > 16 {
                break;
            }
        }
        FoldValue::Path(modules::module_path(source, None).into())
    }

    /// Returns an export of a unit.
    pub(super) fn eval_export(&mut self, unit: u32, name: &str) -> FoldValue<'a> {
        if self.depth > super::DEEPEST || !self.step(1) {
            return FoldValue::Unknown;
        }
        let Some(known) = self.t.units.get(unit as usize) else { return FoldValue::Unknown };
        let scope = known.scope;
        let export = known.exports.get(name).copied();
        self.depth += 1;
        let value = match export {
            Some(ModuleExport::Local(local)) => {
                match self.t.scopes.get(scope as usize).and_then(|at| at.get(local)) {
                    Some(binding) => self.eval_binding(binding, &EvalEnv::default()),
                    None => FoldValue::Unknown,
                }
            }
            Some(ModuleExport::Value(def)) => self.eval_definition(def, scope, &EvalEnv::default()),
            Some(ModuleExport::From(source, name)) => self.eval_import(unit, source, name),
            None => {
                let sources = known.reexports.clone();
                let mut value = FoldValue::Unknown;
                for source in sources {
                    if let Some(target) = self.find_unit(unit, source) {
                        value = self.eval_export(target, name);
                        if value.is_known() {
                            break;
                        }
                    }
                }
                if !value.is_known() {
                    let whole = self.unit_value(unit);
                    value = if name == "default" && whole.is_known() {
                        whole
                    } else {
                        self.eval_member(&whole, name)
                    };
                }
                value
            }
        };
        self.depth -= 1;
        value
    }
}
