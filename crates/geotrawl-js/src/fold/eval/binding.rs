//! Names: variables, parameters, globals, imports.

use super::{Env, Eval, FrameKey, Owner, Val, With, one_of};
use crate::fold::modules;
use crate::fold::table::{Def, Export, NONE, PickKey};
use oxc_ast::ast::{IdentifierReference, TSEnumMemberName};
use std::rc::Rc;

impl<'a> Eval<'a> {
    pub(super) fn identifier(&mut self, name: &'a IdentifierReference<'a>, env: &Env<'a>) -> Val<'a> {
        match self.t.resolve(name) {
            Some(binding) => self.binding(binding, env),
            None => self.global(name.name.as_str()),
        }
    }

    /// The value of a binding: remembered, unless it depends on the call that it is asked in.
    pub(super) fn binding(&mut self, binding: u32, env: &Env<'a>) -> Val<'a> {
        if !self.step(1) {
            return Val::Unknown;
        }
        let scope = self.t.bindings.get(binding as usize).map_or(NONE, |binding| binding.scope);
        if env.frames().any(|frame| self.t.inside(scope, frame.scope)) {
            if self.depth > super::DEEPEST / 2 {
                return Val::Unknown;
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
            return Val::Unknown;
        }
        self.memo.insert(binding, None);
        let value = self.compute(binding, &Env::default());
        if self.spent() {
            self.memo.remove(&binding);
        } else {
            self.memo.insert(binding, Some(value.clone()));
        }
        value
    }

    /// A remembered value that came from a parameter or a loop still varies with it.
    fn consult_again(&mut self, binding: u32) {
        let mut defs = self.t.defs(binding);
        let Some(mut def) = defs.next() else { return };
        drop(defs);
        for _ in 0..8 {
            match def {
                Def::Param(func, _) | Def::Rest(func, _) => {
                    self.consulted.push(FrameKey::Func(func));
                    return;
                }
                Def::Element(of) => {
                    let scope = self.t.bindings.get(binding as usize).map_or(NONE, |binding| binding.scope);
                    self.consulted.push(FrameKey::Loop(std::ptr::from_ref(of) as usize, scope));
                    return;
                }
                Def::Pick(pick) => match self.t.picks.get(pick as usize) {
                    Some(pick) => def = pick.from,
                    None => return,
                },
                Def::Expr(_) => {
                    // Made of parameters of the same function, perhaps.
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

    fn compute(&mut self, binding: u32, env: &Env<'a>) -> Val<'a> {
        let defs: Vec<Def<'a>> = self.t.defs(binding).take(64).collect();
        let scope = self.t.bindings.get(binding as usize).map_or(NONE, |binding| binding.scope);
        let mut values: Vec<Val<'a>> = Vec::new();
        for def in defs {
            if let Def::Append(more) = def {
                let more = self.eval(more, env);
                let before = one_of(values.drain(..));
                if matches!((&before, &more), (Val::Number(_), Val::Number(_))) {
                    return Val::Unknown;
                }
                let before = if before.is_known() { before } else { Val::Unknown };
                values.push(self.joined(&[before, more]));
            } else if let Def::Varies = def {
                return Val::Unknown;
            } else {
                values.push(self.def(def, scope, env));
            }
        }
        let base = one_of(values);
        match self.t.bindings.get(binding as usize) {
            Some(known) if known.members != NONE => Val::With(Rc::new(With {
                base,
                owner: Owner::Binding(binding),
                prefix: Vec::new(),
                env: env.clone(),
            })),
            _ => base,
        }
    }

    /// The value that a definition gives.
    pub(super) fn def(&mut self, def: Def<'a>, scope: u32, env: &Env<'a>) -> Val<'a> {
        match def {
            Def::Expr(value) | Def::Append(value) => self.eval(value, env),
            Def::Func(func) => Val::Func(func, env.clone()),
            Def::Class(class) => Val::Class(class),
            Def::Param(func, index) => {
                if let Some(frame) = env.get(FrameKey::Func(func)) {
                    return frame.args.get(index as usize).cloned().unwrap_or(Val::Undefined);
                }
                if self.packed_funcs.contains(&func) {
                    return Val::Unknown;
                }
                let sources = self.sources(func);
                self.consulted.push(FrameKey::Func(func));
                one_of(sources.iter().filter_map(|args| args.get(index as usize).cloned()))
            }
            Def::Rest(func, from) => match env.get(FrameKey::Func(func)) {
                Some(frame) => Val::List(frame.args.get(from as usize..).unwrap_or_default().to_vec().into()),
                None => Val::Unknown,
            },
            Def::Element(of) => {
                let key = FrameKey::Loop(std::ptr::from_ref(of) as usize, scope);
                if let Some(frame) = env.get(key) {
                    return frame.args.first().cloned().unwrap_or(Val::Unknown);
                }
                let list = self.eval(of, env);
                let elements = Self::elements(&list);
                self.loops.insert(std::ptr::from_ref(of) as usize, of);
                self.consulted.push(key);
                one_of(elements)
            }
            Def::Key(of) => {
                let object = self.eval(of, env);
                let entries = self.entries(&object);
                one_of(entries.into_iter().map(|(name, _)| Val::Text(name)))
            }
            Def::Import(unit, source, name) => self.import(unit, source, name),
            Def::Pick(pick) => {
                let Some(pick) = self.t.picks.get(pick as usize).copied() else { return Val::Unknown };
                let whole = self.def(pick.from, scope, env);
                let value = match pick.key {
                    PickKey::Whole => whole,
                    PickKey::Name(name) => self.member(&whole, name),
                    PickKey::Index(index) => self.member(&whole, &index.to_string()),
                    PickKey::Computed(key) => match self.eval(key, env) {
                        Val::Text(name) => self.member(&whole, &name),
                        _ => Val::Unknown,
                    },
                };
                match pick.default {
                    Some(default) if !value.is_known() || matches!(value, Val::Path(_)) => {
                        self.eval(default, env)
                    }
                    _ => value,
                }
            }
            Def::Varies => Val::Unknown,
            Def::Enum(declared) => {
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
                        None => Val::Number(next),
                    };
                    if let Val::Number(number) = value {
                        next = number + 1.0;
                    }
                    fields.push((Rc::from(name), value));
                }
                Val::Fields(Rc::new(fields))
            }
        }
    }

    /// The value of a global name, of all classic scripts together.
    pub(super) fn global(&mut self, name: &str) -> Val<'a> {
        match name {
            "window" | "self" | "globalThis" | "top" | "parent" | "frames" | "global" => return Val::Window,
            "undefined" | "NaN" => return Val::Undefined,
            _ => {}
        }
        if let Some(known) = self.globals.get(name) {
            return known.clone().unwrap_or_else(|| Val::Path([Rc::from(name)].into()));
        }
        let name: Rc<str> = Rc::from(name);
        self.globals.insert(name.clone(), None);
        let mut values = Vec::new();
        let tops = self.tops.get(&*name).cloned().unwrap_or_default();
        for binding in tops.into_iter().take(8) {
            values.push(self.binding(binding, &Env::default()));
        }
        for def in self.global_defs.get(&*name).cloned().unwrap_or_default().into_iter().take(16) {
            if let Def::Append(more) = def {
                let more = self.eval(more, &Env::default());
                let before = one_of(values.drain(..));
                values.push(self.joined(&[before, more]));
            } else {
                values.push(self.def(def, NONE, &Env::default()));
            }
        }
        let mut value = one_of(values);
        if !value.is_known() {
            value = Val::Path([name.clone()].into());
        }
        if let Some((owner, _)) = self.global_members.get_key_value(&*name) {
            let owner = Owner::Global(owner);
            value = Val::With(Rc::new(With { base: value, owner, prefix: Vec::new(), env: Env::default() }));
        }
        if self.spent() {
            self.globals.remove(&name);
        } else {
            self.globals.insert(name, Some(value.clone()));
        }
        value
    }

    /// A module, or what it exports under a name.
    pub(super) fn import(&mut self, unit: u32, source: &str, name: Option<&str>) -> Val<'a> {
        if let Some(target) = self.find_unit(unit, source) {
            return match name {
                None => Val::Module(target),
                Some(name) => self.export(target, name),
            };
        }
        let base = self.t.units.get(unit as usize).and_then(|unit| unit.url.as_deref());
        let url = modules::join(base.unwrap_or(&self.app.base), source);
        if let Some(document) = url.and_then(|url| self.document(&url)) {
            return document;
        }
        Val::Path(modules::names(source, name).into())
    }

    /// The unit that a module's name means.
    pub(super) fn find_unit(&self, unit: u32, source: &str) -> Option<u32> {
        let base = self.t.units.get(unit as usize).and_then(|unit| unit.url.as_deref());
        let base = base.unwrap_or(&self.app.base);
        modules::candidates(self.app, base, source)
            .into_iter()
            .find_map(|url| self.units.get(url.as_str()).copied())
            .or_else(|| {
                // Loaders have roots that we do not know, bundlers have aliases: the end of the address says enough.
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

    /// A module by its address or relative to the page.
    pub(super) fn import_url(&mut self, source: &str) -> Val<'a> {
        for unit in 0..self.t.units.len() as u32 {
            if let Some(found) = self.find_unit(unit, source) {
                return Val::Module(found);
            }
            if unit > 16 {
                break;
            }
        }
        Val::Path(modules::names(source, None).into())
    }

    /// What a unit exports under a name.
    pub(super) fn export(&mut self, unit: u32, name: &str) -> Val<'a> {
        if self.depth > super::DEEPEST || !self.step(1) {
            return Val::Unknown;
        }
        let Some(known) = self.t.units.get(unit as usize) else { return Val::Unknown };
        let scope = known.scope;
        let export = known.exports.get(name).copied();
        self.depth += 1;
        let value = match export {
            Some(Export::Local(local)) => {
                match self.t.scopes.get(scope as usize).and_then(|at| at.get(local)) {
                    Some(binding) => self.binding(binding, &Env::default()),
                    None => Val::Unknown,
                }
            }
            Some(Export::Value(def)) => self.def(def, scope, &Env::default()),
            Some(Export::From(source, name)) => self.import(unit, source, name),
            None => {
                let sources = known.reexports.clone();
                let mut value = Val::Unknown;
                for source in sources {
                    if let Some(target) = self.find_unit(unit, source) {
                        value = self.export(target, name);
                        if value.is_known() {
                            break;
                        }
                    }
                }
                if !value.is_known() {
                    let whole = self.unit_value(unit);
                    value =
                        if name == "default" && whole.is_known() { whole } else { self.member(&whole, name) };
                }
                value
            }
        };
        self.depth -= 1;
        value
    }
}
