//! Selects the calls, objects, assignments and texts that become events.

use super::EventFilter;
use super::address;
use super::eval::{EvalEnv, ExpressionEvaluator, FoldValue};
use super::names::CalleeStart;
use super::table::{CallNode, ModuleExport, ValueDefinition, expression_span, holds_seed};
use crate::model::ScriptPosition;
use crate::value::{CodeEvent, JsObject, JsValue};
use oxc_ast::ast::{
    Argument, Expression, JSXAttributeItem, JSXAttributeName, JSXAttributeValue, JSXElementName,
    JSXOpeningElement, ObjectPropertyKind,
};
use oxc_span::Span;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use std::rc::Rc;

/// Maximum number of events per application.
const MOST_EVENTS: usize = 20_000;
/// Maximum number of events per position, one for each set of arguments.
const MOST_WAYS: usize = 48;

/// Emits the events of all units.
pub(super) struct EventEmitter<'a, 'e> {
    pub eval: &'e mut ExpressionEvaluator<'a>,
    interest: &'e dyn EventFilter,
    pub events: Vec<CodeEvent>,
    /// Cached decisions about single names.
    telling: FxHashMap<&'a str, bool>,
    /// Cached decisions by binding, whether it may hold a URL.
    bearing: Vec<Option<bool>>,
    /// Seeds that are part of an event, by unit.
    covered: Vec<FxHashSet<u32>>,
    reported: BTreeSet<Rc<str>>,
}

impl<'a, 'e> EventEmitter<'a, 'e> {
    pub fn new(eval: &'e mut ExpressionEvaluator<'a>, interest: &'e dyn EventFilter) -> Self {
        let bearing = vec![None; eval.t.bindings.len()];
        let covered = eval.t.units.iter().map(|_| FxHashSet::default()).collect();
        Self {
            eval,
            interest,
            events: Vec::new(),
            telling: FxHashMap::default(),
            bearing,
            covered,
            reported: BTreeSet::new(),
        }
    }

    /// Emits events for calls, objects and assignments first, then for the remaining texts.
    pub fn emit_all(&mut self) {
        for unit in 0..self.eval.t.units.len() {
            self.calls(unit);
            self.objects(unit);
            self.assignments(unit);
            self.elements(unit);
        }
        for event in &self.events {
            report(event, &mut self.reported);
        }
        for unit in 0..self.eval.t.units.len() {
            self.texts(unit);
        }
    }

    fn place(&self, unit: usize, offset: u32) -> ScriptPosition {
        match self.eval.t.units.get(unit) {
            Some(unit) if unit.mapped => ScriptPosition { script: unit.script, offset: 0 },
            Some(unit) => ScriptPosition { script: unit.script, offset },
            None => ScriptPosition::default(),
        }
    }

    fn cover(&mut self, unit: usize, at: Span) {
        let Some(known) = self.eval.t.units.get(unit) else { return };
        let from = known.seeds.partition_point(|seed| *seed < at.start);
        let Some(covered) = self.covered.get_mut(unit) else { return };
        for seed in known.seeds.get(from..).unwrap_or_default().iter().take_while(|seed| **seed < at.end) {
            covered.insert(*seed);
        }
    }

    /// Marks the seeds in an expression as covered, except those in nested functions.
    fn cover_value(&mut self, unit: usize, value: &Expression<'a>, depth: u32) {
        match value {
            Expression::FunctionExpression(_) | Expression::ArrowFunctionExpression(_) => {}
            Expression::ObjectExpression(object) if depth < 6 => {
                for property in &object.properties {
                    match property {
                        ObjectPropertyKind::ObjectProperty(property) => {
                            self.cover_value(unit, &property.value, depth + 1);
                        }
                        ObjectPropertyKind::SpreadProperty(spread) => {
                            self.cover_value(unit, &spread.argument, depth + 1);
                        }
                    }
                }
            }
            value => self.cover(unit, expression_span(value)),
        }
    }

    fn calls(&mut self, unit: usize) {
        let Some(calls) = self.eval.t.units.get(unit).map(|unit| unit.calls.clone()) else { return };
        for call in calls {
            if self.events.len() >= MOST_EVENTS {
                return;
            }
            let Some(known) = self.eval.t.calls.get(call as usize) else { continue };
            let (node, dull) = (known.node, known.dull);
            if known.arguments == 0 {
                continue;
            }
            let telling = self.telling_call(node);
            if !telling && (dull || !self.bears_any(unit, node)) {
                continue;
            }
            self.call_event(unit, node, telling);
        }
    }

    fn telling_call(&mut self, node: CallNode<'a>) -> bool {
        // Nearly all calls of nearly all scripts end here, so no name is copied.
        let (start, path) = self.eval.resolve_callee(node.callee());
        match (&start, path.as_slice()) {
            (CalleeStart::Global("") | CalleeStart::Unknown | CalleeStart::Bound(None), []) => false,
            (CalleeStart::Global(name), []) => self.telling_name(name),
            (CalleeStart::Unknown | CalleeStart::Bound(None) | CalleeStart::Global(""), [name]) => {
                self.telling_name(name)
            }
            (CalleeStart::Global(name), path) if !name.is_empty() => {
                let mut whole = Vec::with_capacity(path.len() + 1);
                whole.push(*name);
                whole.extend_from_slice(path);
                self.interest.accepts_call(&whole)
            }
            (CalleeStart::Bound(Some(names)), path) => {
                let mut whole: Vec<&str> = names.iter().map(|name| &**name).collect();
                whole.extend_from_slice(path);
                self.interest.accepts_call(&whole)
            }
            (_, path) => self.interest.accepts_call(path),
        }
    }

    fn telling_name(&mut self, name: &'a str) -> bool {
        if let Some(known) = self.telling.get(name) {
            return *known;
        }
        let telling = self.interest.accepts_call(&[name]);
        self.telling.insert(name, telling);
        telling
    }

    fn call_event(&mut self, unit: usize, node: CallNode<'a>, telling: bool) {
        self.eval.begin_event();
        let name = self.eval.full_name(node.callee());
        let place = self.place(unit, node.span().start);
        let found = self.ways(|eval, env| {
            let args = eval.eval_args(node, env);
            args.iter().map(|value| eval.reify(value, 0)).collect::<Vec<_>>()
        });
        let mut any = false;
        for args in found {
            if telling || args.iter().any(|value| says_address(value, 2)) {
                any = true;
                self.events.push(CodeEvent::Call { name: name.clone(), new: node.is_new(), args, place });
            }
        }
        if any {
            for argument in node.arguments() {
                if let Some(argument) = argument.as_expression() {
                    self.cover_value(unit, argument, 0);
                }
            }
        }
    }

    /// Reads a value once, or once for each set of arguments that its parameters can have.
    fn ways(
        &mut self,
        mut read: impl FnMut(&mut ExpressionEvaluator<'a>, &EvalEnv<'a>) -> Vec<JsValue>,
    ) -> Vec<Vec<JsValue>> {
        let whole = read(self.eval, &EvalEnv::default());
        // Without alternatives that depend on parameters, all calls give the same value.
        if !whole.iter().any(|value| is_one_of_several(value, 4)) || self.eval.consulted.is_empty() {
            return vec![whole];
        }
        let mut keys = self.eval.consulted.clone();
        let mut seen = FxHashSet::default();
        keys.retain(|key| seen.insert(*key));
        for key in keys.into_iter().take(4) {
            let (scope, ways) = self.eval.argument_sets(key);
            if ways.len() < 2 || ways.len() > MOST_WAYS {
                continue;
            }
            let mut out: Vec<Vec<JsValue>> = Vec::new();
            for args in ways {
                let env = EvalEnv::default().with_frame(key, scope, args);
                let read = read(self.eval, &env);
                if !out.contains(&read) {
                    out.push(read);
                }
            }
            // Otherwise the function is called in several ways that do not matter here.
            if out.len() > 1 {
                return out;
            }
        }
        vec![whole]
    }

    fn bears_any(&mut self, unit: usize, node: CallNode<'a>) -> bool {
        node.arguments()
            .iter()
            .any(|argument| argument.as_expression().is_some_and(|argument| self.bears(unit, argument, 0)))
    }

    /// Returns whether a value may hold a URL, judging by the syntax tree alone.
    fn bears(&mut self, unit: usize, value: &'a Expression<'a>, depth: u32) -> bool {
        if depth > 6 {
            return false;
        }
        match value {
            Expression::StringLiteral(_) | Expression::TemplateLiteral(_) => {
                self.eval
                    .t
                    .units
                    .get(unit)
                    .is_some_and(|unit| holds_seed(&unit.seeds, expression_span(value)))
                    || matches!(value, Expression::TemplateLiteral(template)
                        if template.expressions.iter().take(4).any(|part| self.bears(unit, part, depth + 2)))
            }
            Expression::BinaryExpression(binary) => {
                self.eval.t.units.get(unit).is_some_and(|unit| holds_seed(&unit.seeds, binary.span))
                    || self.bears(unit, leftmost(value), depth + 2)
            }
            Expression::ArrayExpression(array) => {
                self.eval.t.units.get(unit).is_some_and(|unit| holds_seed(&unit.seeds, array.span))
            }
            Expression::ObjectExpression(object) if depth == 0 => {
                object.properties.iter().take(64).any(|property| match property {
                    ObjectPropertyKind::ObjectProperty(property) => self.bears(unit, &property.value, 1),
                    ObjectPropertyKind::SpreadProperty(_) => false,
                })
            }
            Expression::ConditionalExpression(conditional) => {
                self.bears(unit, &conditional.consequent, depth + 1)
                    || self.bears(unit, &conditional.alternate, depth + 1)
            }
            Expression::LogicalExpression(logical) => {
                self.bears(unit, &logical.left, depth + 1) || self.bears(unit, &logical.right, depth + 1)
            }
            Expression::Identifier(name) => match self.eval.t.resolve_name(name) {
                Some(binding) => self.binding_bears(unit, binding, depth + 1),
                None => {
                    self.eval.t.seed_names.contains(name.name.as_str())
                        || self.global_bears(name.name.as_str())
                }
            },
            Expression::StaticMemberExpression(member) => {
                self.eval.t.seed_names.contains(member.property.name.as_str())
            }
            Expression::ComputedMemberExpression(member) => match &member.expression {
                Expression::StringLiteral(name) => self.eval.t.seed_names.contains(name.value.as_str()),
                _ => self.bears(unit, &member.object, depth + 1),
            },
            Expression::CallExpression(call) => match &call.callee {
                Expression::Identifier(name) => match self.eval.t.resolve_name(name) {
                    Some(binding) => self.binding_bears(unit, binding, depth + 1),
                    None => {
                        call.arguments.first().and_then(Argument::as_expression).is_some_and(|argument| {
                            name.name.len() > 3 && self.bears(unit, argument, depth + 1)
                        })
                    }
                },
                Expression::StaticMemberExpression(member) => self.bears(unit, &member.object, depth + 1),
                _ => false,
            },
            _ => false,
        }
    }

    fn binding_bears(&mut self, unit: usize, binding: u32, depth: u32) -> bool {
        if let Some(Some(known)) = self.bearing.get(binding as usize) {
            return *known;
        }
        self.bears_so(binding, false);
        let defs: Vec<ValueDefinition<'a>> = self.eval.t.definitions(binding).take(8).collect();
        let bears = defs.into_iter().any(|def| match def {
            ValueDefinition::Expr(value) | ValueDefinition::Append(value) => self.bears(unit, value, depth),
            ValueDefinition::Func(func) => {
                let returns: Vec<_> = self.eval.t.returned_values(func).take(4).collect();
                returns.into_iter().any(|value| self.bears(unit, value, depth + 1))
            }
            ValueDefinition::Import(from, source, name) => self.import_bears(from, source, name, depth),
            ValueDefinition::Pick(pick) => {
                match self.eval.t.picks.get(pick as usize).map(|pick| (pick.key, pick.default)) {
                    Some((super::table::DestructuredKey::Name(name), _))
                        if self.eval.t.seed_names.contains(name) =>
                    {
                        true
                    }
                    Some((_, Some(default))) => self.bears(unit, default, depth + 1),
                    _ => false,
                }
            }
            ValueDefinition::Element(of) => self.bears(unit, of, depth),
            _ => false,
        });
        self.bears_so(binding, bears);
        bears
    }

    fn bears_so(&mut self, binding: u32, bears: bool) {
        if let Some(known) = self.bearing.get_mut(binding as usize) {
            *known = Some(bears);
        }
    }

    fn import_bears(&mut self, unit: u32, source: &str, name: Option<&str>, depth: u32) -> bool {
        let Some(name) = name else { return false };
        let Some(target) = self.eval.unit_of(unit, source) else { return false };
        let Some(known) = self.eval.t.units.get(target as usize) else { return false };
        match known.exports.get(name) {
            Some(ModuleExport::Local(local)) => {
                let scope = known.scope as usize;
                match self.eval.t.scopes.get(scope).and_then(|scope| scope.get(local)) {
                    Some(binding) => self.binding_bears(target as usize, binding, depth + 1),
                    None => false,
                }
            }
            Some(ModuleExport::Value(ValueDefinition::Expr(value))) => {
                let value = *value;
                self.bears(target as usize, value, depth + 1)
            }
            Some(_) => true,
            None => !known.reexports.is_empty(),
        }
    }

    fn global_bears(&mut self, name: &'a str) -> bool {
        self.eval.is_global_value(name)
    }

    fn objects(&mut self, unit: usize) {
        let objects = self.eval.t.units.get_mut(unit).map(|unit| std::mem::take(&mut unit.objects));
        for object in objects.unwrap_or_default() {
            if self.events.len() >= MOST_EVENTS {
                return;
            }
            self.eval.begin_event();
            let place = self.place(unit, object.span.start);
            let found = self.ways(|eval, env| vec![eval.reify(&FoldValue::Literal(object, env.clone()), 0)]);
            let mut any = false;
            for value in found.into_iter().flatten() {
                let JsValue::Object(found) = value else { continue };
                if found.members.iter().any(|(_, value)| !matches!(value, JsValue::Unknown)) {
                    any = true;
                    self.events.push(CodeEvent::Object { object: found, place });
                }
            }
            if any {
                for property in &object.properties {
                    if let ObjectPropertyKind::ObjectProperty(property) = property {
                        self.cover_value(unit, &property.value, 1);
                    }
                }
            }
        }
    }

    fn assignments(&mut self, unit: usize) {
        let Some(members) = self.eval.t.units.get(unit).map(|unit| unit.members.clone()) else { return };
        for member in members {
            let Some(node) = self.eval.t.members.get(member as usize).map(|member| member.node) else {
                continue;
            };
            let Some(target) = node.left.as_member_expression() else { continue };
            let Some(last) = super::collect::member_name(target) else { continue };
            if self.events.len() >= MOST_EVENTS {
                return;
            }
            if !self.interest.accepts_assignment(last)
                || matches!(
                    node.right,
                    Expression::FunctionExpression(_) | Expression::ArrowFunctionExpression(_)
                ) && !self
                    .eval
                    .t
                    .units
                    .get(unit)
                    .is_some_and(|unit| holds_seed(&unit.seeds, expression_span(&node.right)))
            {
                continue;
            }
            self.eval.begin_event();
            let mut name = self.eval.full_name(target.object());
            name.push(Rc::from(last));
            let place = self.place(unit, node.span.start);
            let found = self.ways(|eval, env| {
                let value = eval.eval(&node.right, env);
                vec![eval.reify(&value, 0)]
            });
            for value in found.into_iter().flatten() {
                if !matches!(value, JsValue::Unknown | JsValue::Null | JsValue::Bool(_)) {
                    self.cover_value(unit, &node.right, 0);
                    self.events.push(CodeEvent::Assign { name: name.clone(), value, place });
                }
            }
        }
    }

    /// JSX elements: `<WMSTileLayer url={...} layers="..." />`.
    fn elements(&mut self, unit: usize) {
        let elements = self.eval.t.units.get_mut(unit).map(|unit| std::mem::take(&mut unit.elements));
        for element in elements.unwrap_or_default() {
            if self.events.len() >= MOST_EVENTS {
                return;
            }
            let Some(name) = self.element_name(element) else { continue };
            let telling = {
                let parts: Vec<&str> = name.iter().map(|part| &**part).collect();
                self.interest.accepts_call(&parts)
            };
            let bears = self.eval.t.units.get(unit).is_some_and(|unit| holds_seed(&unit.seeds, element.span));
            if !telling && !bears && !self.attributes_bear(unit, element) {
                continue;
            }
            self.eval.begin_event();
            let members = self.attributes(element);
            let object = JsValue::Object(Rc::new(JsObject { members }));
            if telling || says_address(&object, 2) {
                let place = self.place(unit, element.span.start);
                self.cover(unit, element.span);
                self.events.push(CodeEvent::Call { name, new: false, args: vec![object], place });
            }
        }
    }

    fn attributes_bear(&mut self, unit: usize, element: &'a JSXOpeningElement<'a>) -> bool {
        element.attributes.iter().take(64).any(|item| match item {
            JSXAttributeItem::Attribute(attribute) => match &attribute.value {
                Some(JSXAttributeValue::ExpressionContainer(inner)) => {
                    inner.expression.as_expression().is_some_and(|value| self.bears(unit, value, 1))
                }
                _ => false,
            },
            JSXAttributeItem::SpreadAttribute(_) => false,
        })
    }

    fn element_name(&mut self, element: &'a JSXOpeningElement<'a>) -> Option<Vec<Rc<str>>> {
        match &element.name {
            JSXElementName::IdentifierReference(name) => {
                let names =
                    self.eval.t.resolve_name(name).and_then(|binding| self.eval.binding_names(binding, 0));
                Some(names.map_or_else(|| vec![Rc::from(name.name.as_str())], |names| names.to_vec()))
            }
            JSXElementName::Identifier(name) => Some(vec![Rc::from(name.name.as_str())]),
            JSXElementName::MemberExpression(member) => Some(vec![Rc::from(member.property.name.as_str())]),
            _ => None,
        }
    }

    fn attributes(&mut self, element: &'a JSXOpeningElement<'a>) -> Vec<(Rc<str>, JsValue)> {
        let mut members = Vec::new();
        for item in element.attributes.iter().take(64) {
            match item {
                JSXAttributeItem::Attribute(attribute) => {
                    let JSXAttributeName::Identifier(name) = &attribute.name else { continue };
                    let value = match &attribute.value {
                        Some(JSXAttributeValue::StringLiteral(text)) => JsValue::from_text(&text.value),
                        Some(JSXAttributeValue::ExpressionContainer(inner)) => {
                            match inner.expression.as_expression() {
                                Some(value) => {
                                    let value = self.eval.eval(value, &EvalEnv::default());
                                    self.eval.reify(&value, 1)
                                }
                                None => JsValue::Unknown,
                            }
                        }
                        Some(_) => JsValue::Unknown,
                        None => JsValue::Bool(true),
                    };
                    members.push((Rc::from(name.name.as_str()), value));
                }
                JSXAttributeItem::SpreadAttribute(spread) => {
                    let value = self.eval.eval(&spread.argument, &EvalEnv::default());
                    if let JsValue::Object(object) = self.eval.reify(&value, 1) {
                        members.extend(object.members.iter().cloned());
                    }
                }
            }
        }
        members
    }

    fn texts(&mut self, unit: usize) {
        let texts = self.eval.t.units.get_mut(unit).map(|unit| std::mem::take(&mut unit.texts));
        for expression in texts.unwrap_or_default() {
            if self.events.len() >= MOST_EVENTS {
                return;
            }
            let at = expression_span(expression);
            let Some(known) = self.eval.t.units.get(unit) else { return };
            let first = known.seeds.partition_point(|seed| *seed < at.start);
            let seeds = known.seeds.get(first..).unwrap_or_default();
            let mut inside = seeds.iter().take_while(|seed| **seed < at.end);
            if self.covered.get(unit).is_some_and(|covered| inside.all(|seed| covered.contains(seed))) {
                continue;
            }
            self.eval.begin_event();
            let place = self.place(unit, at.start);
            let found = self.ways(|eval, env| {
                let value = eval.eval(expression, env);
                vec![eval.reify(&value, 3)]
            });
            for value in found.iter().flatten() {
                for text in value.texts() {
                    self.text(text, place);
                }
            }
        }
    }

    fn text(&mut self, text: &str, place: ScriptPosition) {
        let whole = text.trim();
        if address::is_address_like(whole) {
            self.text_event(whole, place);
        } else {
            for within in address::addresses_within(whole).collect::<Vec<_>>() {
                self.text_event(within, place);
            }
        }
    }

    fn text_event(&mut self, text: &str, place: ScriptPosition) {
        let text: Rc<str> = Rc::from(text);
        // Skip texts that were reported, and prefixes of longer reported URLs.
        let longer =
            self.reported.range(text.clone()..).next().is_some_and(|known| known.starts_with(&*text));
        if !longer {
            self.reported.insert(text.clone());
            self.events.push(CodeEvent::Text { text, place });
        }
    }
}

/// Returns the first part of a concatenation.
fn leftmost<'a>(mut value: &'a Expression<'a>) -> &'a Expression<'a> {
    while let Expression::BinaryExpression(binary) = value {
        value = &binary.left;
    }
    value
}

/// Returns whether a value is or directly contains a URL.
fn says_address(value: &JsValue, depth: u32) -> bool {
    match value {
        JsValue::Text(text) => address::is_address_like(text),
        JsValue::List(list) | JsValue::OneOf(list) => list.iter().any(|value| says_address(value, depth)),
        JsValue::Object(object) => {
            depth > 0 && object.members.iter().any(|(_, value)| says_address(value, depth - 1))
        }
        JsValue::Returns(value) => says_address(value, depth),
        _ => false,
    }
}

fn is_one_of_several(value: &JsValue, depth: u32) -> bool {
    match value {
        JsValue::OneOf(_) => true,
        JsValue::List(list) => {
            depth > 0 && list.iter().take(32).any(|value| is_one_of_several(value, depth - 1))
        }
        JsValue::Object(object) => {
            depth > 0 && object.members.iter().any(|(_, value)| is_one_of_several(value, depth - 1))
        }
        JsValue::Returns(value) => is_one_of_several(value, depth),
        JsValue::Made(made) => depth > 0 && made.args.iter().any(|value| is_one_of_several(value, depth - 1)),
        _ => false,
    }
}

/// Collects all texts of an event.
fn report(event: &CodeEvent, out: &mut BTreeSet<Rc<str>>) {
    match event {
        CodeEvent::Call { args, .. } => args.iter().for_each(|value| report_value(value, out)),
        CodeEvent::Object { object, .. } => {
            object.members.iter().for_each(|(_, value)| report_value(value, out));
        }
        CodeEvent::Assign { value, .. } => report_value(value, out),
        CodeEvent::Text { text, .. } => {
            out.insert(text.clone());
        }
    }
}

fn report_value(value: &JsValue, out: &mut BTreeSet<Rc<str>>) {
    match value {
        JsValue::Text(text) => {
            // The URL that a proxy forwards to is reported with it.
            let within = text.get(1..).and_then(|rest| rest.find("http"));
            if let Some(inner) = within.and_then(|at| text.get(at + 1..)) {
                out.insert(Rc::from(inner));
                if inner.starts_with("http%3A") || inner.starts_with("https%3A") {
                    out.insert(inner.replace("%3A", ":").replace("%2F", "/").replace("%3F", "?").into());
                }
            }
            out.insert(text.clone());
        }
        JsValue::List(list) | JsValue::OneOf(list) => list.iter().for_each(|value| report_value(value, out)),
        JsValue::Object(object) => object.members.iter().for_each(|(_, value)| report_value(value, out)),
        JsValue::Returns(value) => report_value(value, out),
        JsValue::Made(made) => made.args.iter().for_each(|value| report_value(value, out)),
        _ => {}
    }
}
