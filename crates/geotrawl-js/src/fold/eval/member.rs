//! Evaluates members of values.

use super::{
    AssignedMembers, DEEPEST, EvalEnv, ExpressionEvaluator, FoldValue, MOST_ELEMENTS, MemberOwner, one_of,
};
use crate::fold::collect::{key_name, member_name};
use crate::fold::table::{HolderKind, NONE};
use oxc_ast::ast::{ClassElement, Expression, MemberExpression, MethodDefinitionKind, ObjectProperty};
use oxc_ast::ast::{ObjectPropertyKind, PropertyKind};
use std::rc::Rc;
use url::Url;

/// Shorter lists are not string tables that an obfuscator rotates.
const SMALLEST_TABLE: usize = 8;

impl<'a> ExpressionEvaluator<'a> {
    pub(super) fn member_expression(
        &mut self,
        member: &'a MemberExpression<'a>,
        env: &EvalEnv<'a>,
    ) -> FoldValue<'a> {
        if let MemberExpression::StaticMemberExpression(read) = member
            && let Expression::ImportMeta(meta) = &read.object
        {
            let unit = meta.node_id.get().index();
            let url = self.t.units.get(unit).and_then(|unit| unit.url.clone());
            return match read.property.name.as_str() {
                "url" => FoldValue::from_text(url.as_deref().unwrap_or(&self.app.page)),
                _ => FoldValue::Unknown,
            };
        }
        let object = self.eval(member.object(), env);
        if let Some(name) = member_name(member) {
            return self.eval_member(&object, name);
        }
        let MemberExpression::ComputedMemberExpression(member) = member else { return FoldValue::Unknown };
        let key = self.eval(&member.expression, env);
        let names: Vec<Rc<str>> = key
            .alternatives()
            .iter()
            .filter_map(|key| match key {
                FoldValue::Text(name) => Some(name.clone()),
                FoldValue::Number(number) => Some(super::number_text(*number).into()),
                _ => None,
            })
            .collect();
        if names.is_empty() {
            // The key is unknown, so the value may be any member.
            let entries = self.object_entries(&object);
            return one_of(entries.into_iter().map(|(_, value)| value));
        }
        one_of(names.into_iter().map(|name| self.eval_member(&object, &name)).collect::<Vec<_>>())
    }

    /// Returns a member of a value.
    pub(super) fn eval_member(&mut self, value: &FoldValue<'a>, name: &str) -> FoldValue<'a> {
        if self.depth > DEEPEST || !self.step(1) {
            return FoldValue::Unknown;
        }
        self.depth += 1;
        let found = self.member_of(value, name);
        self.depth -= 1;
        found
    }

    fn member_of(&mut self, value: &FoldValue<'a>, name: &str) -> FoldValue<'a> {
        match value {
            FoldValue::OneOf(values) => {
                let values = values.clone();
                one_of(values.iter().map(|value| self.eval_member(value, name)).collect::<Vec<_>>())
            }
            FoldValue::Literal(object, env) => {
                self.steps += object.properties.len() as u64 / 16;
                for property in object.properties.iter().rev() {
                    match property {
                        ObjectPropertyKind::ObjectProperty(property) => {
                            if property.kind != PropertyKind::Set
                                && self.property_name(property, env).is_some_and(|known| &*known == name)
                            {
                                return self.property_value(property, env);
                            }
                        }
                        ObjectPropertyKind::SpreadProperty(spread) => {
                            let spread = self.eval(&spread.argument, env);
                            let found = self.eval_member(&spread, name);
                            if found.is_known() && !matches!(found, FoldValue::Path(_)) {
                                return found;
                            }
                        }
                    }
                }
                FoldValue::Undefined
            }
            FoldValue::Fields(fields) => {
                self.steps += fields.len() as u64 / 16;
                fields
                    .iter()
                    .rev()
                    .find(|(key, _)| &**key == name)
                    .map_or(FoldValue::Undefined, |(_, value)| value.clone())
            }
            FoldValue::List(list) => match name {
                "length" => FoldValue::Number(list.len() as f64),
                _ if self.t.rotates && list.len() >= SMALLEST_TABLE => FoldValue::Unknown,
                _ => name
                    .parse::<usize>()
                    .ok()
                    .and_then(|at| list.get(at))
                    .cloned()
                    .unwrap_or(FoldValue::Unknown),
            },
            FoldValue::With(with) => self.with_member(with, name),
            FoldValue::Window => self.eval_global(name),
            FoldValue::Path(path) => self.path_member(path, name),
            FoldValue::Module(unit) => self.eval_export(*unit, name),
            FoldValue::Packed(func) => self.packed_export(*func, name),
            FoldValue::Instance(holder) => self.holder_member(*holder, name),
            FoldValue::Class(class) => self.class_member(*class, name, true),
            FoldValue::Text(text) => text_member(text, name),
            FoldValue::Response(url)
                if matches!(name, "data" | "responseText" | "response" | "body" | "responseJSON") =>
            {
                let url = url.clone();
                self.eval_document(&url).unwrap_or(FoldValue::Unknown)
            }
            FoldValue::Element(element) => self.element_member(*element, name),
            FoldValue::Dataset(element) => {
                let mut attribute = String::from("data-");
                for letter in name.chars() {
                    if letter.is_ascii_uppercase() {
                        attribute.push('-');
                    }
                    attribute.push(letter.to_ascii_lowercase());
                }
                self.eval_attribute(*element, &attribute)
            }
            _ => FoldValue::Unknown,
        }
    }

    pub(super) fn property_name(
        &mut self,
        property: &'a ObjectProperty<'a>,
        env: &EvalEnv<'a>,
    ) -> Option<Rc<str>> {
        if !property.computed {
            return key_name(&property.key).map(Rc::from);
        }
        let key = property.key.as_expression()?;
        match self.eval(key, env) {
            FoldValue::Text(name) => Some(name),
            FoldValue::Number(number) => Some(super::number_text(number).into()),
            _ => None,
        }
    }

    pub(super) fn property_value(
        &mut self,
        property: &'a ObjectProperty<'a>,
        env: &EvalEnv<'a>,
    ) -> FoldValue<'a> {
        let value = self.eval(&property.value, env);
        match (property.kind, &value) {
            (PropertyKind::Get, FoldValue::Func(func, env)) => {
                self.invoke_function(*func, Vec::new(), &env.clone())
            }
            _ => value,
        }
    }

    fn path_member(&mut self, path: &Rc<[Rc<str>]>, name: &str) -> FoldValue<'a> {
        let first: Vec<&str> = path.iter().map(|part| &**part).collect();
        match (first.as_slice(), name) {
            (["location"] | ["document", "location"], part) => return location(&self.app.page, part),
            (["document"], "baseURI") => return FoldValue::from_text(&self.app.base),
            (["document"], "URL" | "documentURI") => return FoldValue::from_text(&self.app.page),
            _ => {}
        }
        if path.len() > 12 {
            return FoldValue::Unknown;
        }
        if name == "default" {
            return FoldValue::Path(path.clone());
        }
        let mut longer = path.to_vec();
        longer.push(Rc::from(name));
        FoldValue::Path(longer.into())
    }

    /// Returns the member assignments of an owner.
    fn assigned(&mut self, owner: MemberOwner<'a>, name: Option<&str>) -> Vec<u32> {
        let first = match owner {
            MemberOwner::Global(owner) => {
                let all = self.global_members.get(owner).map(Vec::as_slice).unwrap_or_default();
                self.steps += all.len() as u64 / 8;
                let known = |at: &u32| self.t.members.get(*at as usize);
                let fits =
                    |at: &&u32| name.is_none_or(|name| known(at).is_some_and(|known| known.first == name));
                return all.iter().filter(fits).take(MOST_ELEMENTS).copied().collect();
            }
            MemberOwner::Binding(binding) => {
                self.t.bindings.get(binding as usize).map_or(NONE, |known| known.members)
            }
            MemberOwner::Holder(holder) => {
                self.t.holders.get(holder as usize).map_or(NONE, |known| known.members)
            }
        };
        let mut out = Vec::new();
        let mut at = first;
        let mut seen = 0;
        while let Some(member) = self.t.members.get(at as usize) {
            if name.is_none_or(|name| member.first == name) {
                out.push(at);
            }
            at = member.next;
            seen += 1;
            if seen >= 8 * MOST_ELEMENTS || out.len() >= MOST_ELEMENTS {
                break;
            }
        }
        self.steps += seen as u64 / 8;
        out
    }

    fn with_member(&mut self, with: &Rc<AssignedMembers<'a>>, name: &str) -> FoldValue<'a> {
        let base = self.eval_member(&with.base, name);
        let mut values = vec![base];
        let mut deeper = None;
        let wanted = with.prefix.first().copied().unwrap_or(name);
        let assigned = self.assigned(with.owner, Some(wanted));
        for member in assigned {
            let Some(node) = self.t.members.get(member as usize).map(|member| member.node) else { continue };
            let Some(path) = self.assigned_path(member, with.owner) else { continue };
            if path.len() <= with.prefix.len() || path.get(..with.prefix.len()) != Some(&with.prefix) {
                continue;
            }
            if path.get(with.prefix.len()).is_none_or(|part| *part != name) {
                continue;
            }
            if path.len() == with.prefix.len() + 1 {
                values.push(self.eval(&node.right, &with.env));
            } else {
                deeper = path.get(with.prefix.len()).copied();
            }
        }
        let value = one_of(values);
        match deeper {
            Some(part) => {
                let mut prefix = with.prefix.clone();
                prefix.push(part);
                FoldValue::With(Rc::new(AssignedMembers {
                    base: value,
                    owner: with.owner,
                    prefix,
                    env: with.env.clone(),
                }))
            }
            None => value,
        }
    }

    /// Returns the members that are assigned directly, with their values.
    pub(super) fn assigned_entries(&mut self, with: &AssignedMembers<'a>) -> Vec<(Rc<str>, FoldValue<'a>)> {
        let mut out = Vec::new();
        for member in self.assigned(with.owner, with.prefix.first().copied()) {
            let Some(node) = self.t.members.get(member as usize).map(|member| member.node) else { continue };
            let Some(path) = self.assigned_path(member, with.owner) else { continue };
            if path.len() == with.prefix.len() + 1
                && path.get(..with.prefix.len()) == Some(&with.prefix)
                && let Some(name) = path.last()
            {
                let value = self.eval(&node.right, &with.env);
                out.push((Rc::from(*name), value));
            }
        }
        out
    }

    /// Returns the names after the owner in the target of an assignment.
    pub(super) fn assigned_path(&self, member: u32, owner: MemberOwner<'a>) -> Option<Vec<&'a str>> {
        let node = self.t.members.get(member as usize)?.node;
        let (_, mut path) = super::link::target_path(node)?;
        if let MemberOwner::Global(name) = owner {
            // `window.a.b` and `a.b` are the same.
            if path.first() == Some(&name) {
                path.remove(0);
            }
        }
        Some(path)
    }

    pub(super) fn eval_this(&mut self, holder: u32) -> FoldValue<'a> {
        match self.t.holders.get(holder as usize).map(|known| known.kind) {
            Some(HolderKind::Window) => FoldValue::Window,
            Some(_) => FoldValue::Instance(holder),
            None => FoldValue::Unknown,
        }
    }

    fn holder_member(&mut self, holder: u32, name: &str) -> FoldValue<'a> {
        let Some(known) = self.t.holders.get(holder as usize) else { return FoldValue::Unknown };
        let kind = known.kind;
        let has_members = known.members != NONE;
        let mut values = Vec::new();
        match kind {
            HolderKind::Class(class) => values.push(self.class_member(class, name, false)),
            HolderKind::Object(object) => {
                values.push(self.eval_member(&FoldValue::Literal(object, EvalEnv::default()), name));
            }
            HolderKind::Window | HolderKind::Function => {}
        }
        if has_members {
            let with = Rc::new(AssignedMembers {
                base: FoldValue::Unknown,
                owner: MemberOwner::Holder(holder),
                prefix: Vec::new(),
                env: EvalEnv::default(),
            });
            values.push(self.with_member(&with, name));
        }
        let value = one_of(values);
        if value.is_known() || matches!(kind, HolderKind::Class(_)) {
            return value;
        }
        // In a prototype method: use the values that constructors assign to this name.
        let elsewhere = self.this_members.get(name).cloned().unwrap_or_default();
        if elsewhere.len() > 8 {
            return FoldValue::Unknown;
        }
        let nodes: Vec<_> =
            elsewhere.iter().filter_map(|at| self.t.members.get(*at as usize)).map(|m| m.node).collect();
        one_of(nodes.into_iter().map(|node| self.eval(&node.right, &EvalEnv::default())).collect::<Vec<_>>())
    }

    pub(super) fn holder_entries(&mut self, holder: u32) -> Vec<(Rc<str>, FoldValue<'a>)> {
        let with = AssignedMembers {
            base: FoldValue::Unknown,
            owner: MemberOwner::Holder(holder),
            prefix: Vec::new(),
            env: EvalEnv::default(),
        };
        self.assigned_entries(&with)
    }

    fn class_member(&mut self, class: u32, name: &str, statics: bool) -> FoldValue<'a> {
        let Some(known) = self.t.classes.get(class as usize) else { return FoldValue::Unknown };
        let node = known.node;
        let holder = known.holder;
        for element in &node.body.body {
            match element {
                ClassElement::PropertyDefinition(property)
                    if (property.r#static || !statics) && key_name(&property.key) == Some(name) =>
                {
                    if let Some(value) = &property.value {
                        return self.eval(value, &EvalEnv::default());
                    }
                }
                ClassElement::MethodDefinition(method)
                    if (method.r#static || !statics)
                        && method.kind != MethodDefinitionKind::Set
                        && key_name(&method.key) == Some(name) =>
                {
                    let Some(func) = method.value.scope_id.get() else { continue };
                    let func = func.index() as u32;
                    return match method.kind {
                        MethodDefinitionKind::Get => {
                            self.invoke_function(func, Vec::new(), &EvalEnv::default())
                        }
                        _ => FoldValue::Func(func, EvalEnv::default()),
                    };
                }
                _ => {}
            }
        }
        if statics {
            let with = Rc::new(AssignedMembers {
                base: FoldValue::Unknown,
                owner: MemberOwner::Holder(holder),
                prefix: Vec::new(),
                env: EvalEnv::default(),
            });
            let value = self.with_member(&with, name);
            if value.is_known() {
                return value;
            }
        }
        match &node.heritage {
            Some(heritage) => match self.eval(&heritage.expression, &EvalEnv::default()) {
                FoldValue::Class(parent) if parent != class => {
                    let parent_holder =
                        self.t.classes.get(parent as usize).map_or(NONE, |known| known.holder);
                    let value = self.class_member(parent, name, statics);
                    if value.is_known() || statics {
                        value
                    } else {
                        self.eval_member(&FoldValue::Instance(parent_holder), name)
                    }
                }
                _ => FoldValue::Unknown,
            },
            None => FoldValue::Unknown,
        }
    }

    pub(super) fn eval_attribute(&self, element: u32, name: &str) -> FoldValue<'a> {
        let Some(known) = self.app.elements.get(element as usize) else { return FoldValue::Unknown };
        let found = known.attributes.iter().find(|(key, _)| key.eq_ignore_ascii_case(name));
        found.map_or(FoldValue::Null, |(_, value)| FoldValue::from_text(value))
    }

    fn element_member(&mut self, element: u32, name: &str) -> FoldValue<'a> {
        match name {
            "dataset" => FoldValue::Dataset(element),
            "textContent" | "innerText" | "innerHTML" | "text" => {
                match self.app.elements.get(element as usize) {
                    Some(known) => FoldValue::from_text(&known.text),
                    None => FoldValue::Unknown,
                }
            }
            "value"
                if self.app.elements.get(element as usize).is_some_and(|known| known.tag == "textarea") =>
            {
                self.element_member(element, "textContent")
            }
            "className" => self.eval_attribute(element, "class"),
            name => self.eval_attribute(element, name),
        }
    }
}

/// Returns a part of a URL, for `location.host` and `new URL(...).origin`.
fn location<'a>(address: &str, part: &str) -> FoldValue<'a> {
    let Ok(url) = Url::parse(address) else { return FoldValue::Unknown };
    let host = url.host_str().unwrap_or_default();
    let host_port = url.port().map_or_else(|| host.to_owned(), |port| format!("{host}:{port}"));
    FoldValue::from_text(&match part {
        "protocol" => format!("{}:", url.scheme()),
        "hostname" => host.to_owned(),
        "host" => host_port,
        "origin" => format!("{}://{host_port}", url.scheme()),
        "port" => url.port().map(|port| port.to_string()).unwrap_or_default(),
        "pathname" => url.path().to_owned(),
        "href" => address.to_owned(),
        "search" => url.query().map(|query| format!("?{query}")).unwrap_or_default(),
        "hash" => String::new(),
        _ => return FoldValue::Unknown,
    })
}

fn text_member<'a>(text: &Rc<str>, name: &str) -> FoldValue<'a> {
    match name {
        "href" => FoldValue::Text(text.clone()),
        "length" => FoldValue::Number(text.encode_utf16().count() as f64),
        "origin" | "host" | "hostname" | "protocol" | "pathname" | "search" | "port" => location(text, name),
        _ => FoldValue::Unknown,
    }
}
