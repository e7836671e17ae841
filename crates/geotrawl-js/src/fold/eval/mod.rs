//! Lazy, cached evaluation of expressions, with limits on steps, depth, length and number of
//! values.

mod binding;
mod builtins;
mod call;
mod expression;
mod link;
mod member;
mod reify;
mod sources;
mod text;

use super::table::{CallNode, NONE, SymbolTable};
use crate::model::{HOLE, MapApp};
use crate::value::MOST_ALTERNATIVES;
use oxc_ast::ast::{ObjectExpression, RegExpLiteral};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

pub(super) use text::number_text;

/// Value during evaluation.
#[derive(Clone)]
pub(super) enum FoldValue<'a> {
    Unknown,
    Undefined,
    Null,
    Bool(bool),
    Number(f64),
    Text(Rc<str>),
    Regex(&'a RegExpLiteral<'a>),
    List(Rc<[FoldValue<'a>]>),
    /// An object that is not a literal in the code: merged, or from a document.
    Fields(Rc<Vec<(Rc<str>, FoldValue<'a>)>>),
    /// An object literal that is not evaluated yet.
    Literal(&'a ObjectExpression<'a>, EvalEnv<'a>),
    /// A value with members that are assigned elsewhere.
    With(Rc<AssignedMembers<'a>>),
    OneOf(Rc<[FoldValue<'a>]>),
    Func(u32, EvalEnv<'a>),
    Class(u32),
    /// `this` in a class, an object or a constructor.
    Instance(u32),
    /// Something external: a global of a library, or a part of a module that was not fetched.
    Path(Rc<[Rc<str>]>),
    Window,
    /// The exports of a unit.
    Module(u32),
    /// The exports of a bundled module, by its function.
    Packed(u32),
    /// The result of a named call, with arguments that are not evaluated yet.
    Made(Rc<[Rc<str>]>, CallNode<'a>, EvalEnv<'a>),
    /// The response from this URL.
    Response(Rc<str>),
    /// An element of the page.
    Element(u32),
    /// The `data-` attributes of an element.
    Dataset(u32),
}

/// Members that are assigned to a binding, a global or a `this` holder, below a prefix.
pub(super) struct AssignedMembers<'a> {
    pub base: FoldValue<'a>,
    pub owner: MemberOwner<'a>,
    pub prefix: Vec<&'a str>,
    pub env: EvalEnv<'a>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum MemberOwner<'a> {
    Binding(u32),
    Global(&'a str),
    Holder(u32),
}

/// Values of the parameters of the enclosing functions and loops.
#[derive(Clone, Default)]
pub(super) struct EvalEnv<'a>(Option<Rc<EnvFrame<'a>>>);

pub(super) struct EnvFrame<'a> {
    pub key: FrameKey,
    /// Bindings in this scope depend on the frame.
    pub scope: u32,
    pub args: Vec<FoldValue<'a>>,
    parent: EvalEnv<'a>,
    depth: u32,
}

/// Function or loop that a frame belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum FrameKey {
    Func(u32),
    /// A loop over the expression at this memory address, and the scope of its names.
    Loop(usize, u32),
}

impl<'a> EvalEnv<'a> {
    pub fn with_frame(&self, key: FrameKey, scope: u32, args: Vec<FoldValue<'a>>) -> Self {
        Self(Some(Rc::new(EnvFrame { key, scope, args, parent: self.clone(), depth: self.depth() + 1 })))
    }

    pub fn depth(&self) -> u32 {
        self.0.as_ref().map_or(0, |frame| frame.depth)
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    pub fn frames(&self) -> impl Iterator<Item = &EnvFrame<'a>> {
        let mut at = self.0.as_deref();
        std::iter::from_fn(move || {
            let frame = at?;
            at = frame.parent.0.as_deref();
            Some(frame)
        })
    }

    pub fn get(&self, key: FrameKey) -> Option<&EnvFrame<'a>> {
        self.frames().find(|frame| frame.key == key)
    }
}

/// External names of a binding, once they are resolved.
#[derive(Clone)]
pub(super) enum ExternalNames {
    NotAsked,
    Known(Option<Rc<[Rc<str>]>>),
}

/// Maximum steps for all scripts of an application.
const MOST_STEPS: u64 = 3_000_000;
/// Maximum steps for an event.
const STEPS_PER_EVENT: u64 = 4_000;
/// Maximum nesting of expressions.
const DEEPEST: u32 = 160;
/// Maximum nesting of calls.
const DEEPEST_CALLS: u32 = 5;
/// Maximum number of elements of a list or members of an object.
const MOST_ELEMENTS: usize = 1_024;

/// Evaluates expressions of all units.
pub(super) struct ExpressionEvaluator<'a> {
    pub app: &'a MapApp,
    pub t: SymbolTable<'a>,
    steps: u64,
    limit: u64,
    depth: u32,
    memo: FxHashMap<u32, Option<FoldValue<'a>>>,
    /// Cached external names by binding.
    names: Vec<ExternalNames>,
    globals: FxHashMap<Rc<str>, Option<FoldValue<'a>>>,
    /// Values assigned to global names.
    global_defs: FxHashMap<&'a str, Vec<super::table::ValueDefinition<'a>>>,
    /// Assignments to members of global names.
    global_members: FxHashMap<&'a str, Vec<u32>>,
    /// Outermost bindings of classic scripts.
    tops: FxHashMap<&'a str, Vec<u32>>,
    /// First call of a method by name.
    method_calls: FxHashMap<&'a str, u32>,
    /// Assignments to members of `this`, by name.
    this_members: FxHashMap<&'a str, Vec<u32>>,
    /// Exports that bundles define by getters: names and functions, by binding of the exports
    /// object.
    getters: FxHashMap<u32, Vec<(&'a str, u32)>>,
    packed_funcs: FxHashSet<u32>,
    units: FxHashMap<String, u32>,
    sources: FxHashMap<u32, Rc<Vec<Vec<FoldValue<'a>>>>>,
    documents: FxHashMap<Rc<str>, FoldValue<'a>>,
    /// Parameters and loops that were evaluated without a specific call or iteration.
    pub consulted: Vec<FrameKey>,
    loops: FxHashMap<usize, &'a oxc_ast::ast::Expression<'a>>,
    pub exhausted: bool,
}

impl<'a> ExpressionEvaluator<'a> {
    pub fn new(app: &'a MapApp, table: SymbolTable<'a>) -> Self {
        let mut eval = Self {
            app,
            t: table,
            steps: 0,
            limit: MOST_STEPS,
            depth: 0,
            memo: FxHashMap::default(),
            names: Vec::new(),
            globals: FxHashMap::default(),
            global_defs: FxHashMap::default(),
            global_members: FxHashMap::default(),
            tops: FxHashMap::default(),
            method_calls: FxHashMap::default(),
            this_members: FxHashMap::default(),
            getters: FxHashMap::default(),
            packed_funcs: FxHashSet::default(),
            units: FxHashMap::default(),
            sources: FxHashMap::default(),
            documents: FxHashMap::default(),
            consulted: Vec::new(),
            loops: FxHashMap::default(),
            exhausted: false,
        };
        eval.link_all();
        eval.names = vec![ExternalNames::NotAsked; eval.t.bindings.len()];
        eval
    }

    /// Resets the limits for the next event.
    pub fn begin_event(&mut self) {
        self.limit = (self.steps + STEPS_PER_EVENT).min(MOST_STEPS);
        self.exhausted |= self.steps >= MOST_STEPS;
        self.depth = 0;
        self.consulted.clear();
    }

    /// Returns the cached external names of a binding.
    pub fn known_names(&self, binding: u32) -> &ExternalNames {
        self.names.get(binding as usize).unwrap_or(&ExternalNames::NotAsked)
    }

    pub fn remember_names(&mut self, binding: u32, names: Option<Rc<[Rc<str>]>>) {
        if let Some(known) = self.names.get_mut(binding as usize) {
            *known = ExternalNames::Known(names);
        }
    }

    pub fn global_value(&mut self, name: &str) -> FoldValue<'a> {
        match self.eval_global(name) {
            FoldValue::With(with) => with.base.clone(),
            value => value,
        }
    }

    pub fn imported_value(&mut self, unit: u32, source: &str, name: Option<&str>) -> FoldValue<'a> {
        match self.eval_import(unit, source, name) {
            FoldValue::With(with) => with.base.clone(),
            value => value,
        }
    }

    pub fn exported_value(&mut self, module: u32, name: &str) -> FoldValue<'a> {
        self.packed_export(module, name)
    }

    pub fn unit_export(&mut self, unit: u32, name: &str) -> FoldValue<'a> {
        self.eval_export(unit, name)
    }

    pub fn eval_call_expression(&mut self, call: &'a oxc_ast::ast::CallExpression<'a>) -> FoldValue<'a> {
        self.eval_call(CallNode::Call(call), &EvalEnv::default())
    }

    pub fn eval_pick(&mut self, pick: super::table::DestructuredPart<'a>) -> FoldValue<'a> {
        let whole = self.eval_definition(pick.from, NONE, &EvalEnv::default());
        match pick.key {
            super::table::DestructuredKey::Index(index) => self.eval_member(&whole, &index.to_string()),
            _ => FoldValue::Unknown,
        }
    }

    /// Returns the arguments of a call, for an event or a needed resource.
    pub fn eval_args(&mut self, node: CallNode<'a>, env: &EvalEnv<'a>) -> Vec<FoldValue<'a>> {
        self.eval_arguments(node.arguments(), env)
    }

    pub fn member_value(&mut self, value: &FoldValue<'a>, name: &str) -> FoldValue<'a> {
        self.eval_member(value, name)
    }

    pub fn call_func(&mut self, func: u32, args: Vec<FoldValue<'a>>) -> FoldValue<'a> {
        self.invoke_function(func, args, &EvalEnv::default())
    }

    pub fn unit_of(&self, unit: u32, source: &str) -> Option<u32> {
        self.find_unit(unit, source)
    }

    /// Returns whether a script assigns a global name.
    pub fn is_global_value(&self, name: &str) -> bool {
        self.tops.contains_key(name) || self.global_defs.contains_key(name)
    }

    /// Returns whether the current event has used up its steps. Results are not cached then,
    /// because they may be incomplete.
    fn spent(&self) -> bool {
        self.steps >= self.limit
    }

    /// Counts steps; returns `false` if none are left.
    fn step(&mut self, steps: u64) -> bool {
        self.steps += steps;
        self.steps < self.limit
    }
}

/// Combines alternatives into one value, without unknown and empty ones if something is known.
pub(super) fn one_of<'a>(values: impl IntoIterator<Item = FoldValue<'a>>) -> FoldValue<'a> {
    let mut out: Vec<FoldValue<'a>> = Vec::new();
    let mut nothing = FoldValue::Unknown;
    for value in values {
        match value {
            FoldValue::OneOf(several) => {
                for value in several.iter() {
                    add(&mut out, value.clone());
                }
            }
            FoldValue::Unknown => {}
            FoldValue::Undefined | FoldValue::Null => nothing = value,
            value => add(&mut out, value),
        }
        if out.len() >= MOST_ALTERNATIVES {
            break;
        }
    }
    // An undefined global is less specific than a value.
    if out.len() > 1 && out.iter().any(|value| !matches!(value, FoldValue::Path(_))) {
        out.retain(|value| !matches!(value, FoldValue::Path(_)));
    }
    match out.len() {
        0 => nothing,
        1 => out.swap_remove(0),
        _ => FoldValue::OneOf(out.into()),
    }
}

fn add<'a>(out: &mut Vec<FoldValue<'a>>, value: FoldValue<'a>) {
    if out.len() < MOST_ALTERNATIVES && !out.iter().any(|known| same(known, &value)) {
        out.push(value);
    }
}

/// Returns whether two values are certainly the same.
fn same(one: &FoldValue<'_>, other: &FoldValue<'_>) -> bool {
    match (one, other) {
        (FoldValue::Text(one), FoldValue::Text(other)) => one == other,
        (FoldValue::Number(one), FoldValue::Number(other)) => one.to_bits() == other.to_bits(),
        (FoldValue::Bool(one), FoldValue::Bool(other)) => one == other,
        (FoldValue::Literal(one, a), FoldValue::Literal(other, b)) => {
            std::ptr::eq(*one, *other) && a.is_empty() && b.is_empty()
        }
        (FoldValue::Func(one, _), FoldValue::Func(other, _)) => one == other,
        (FoldValue::Path(one), FoldValue::Path(other)) => one == other,
        (FoldValue::Class(one), FoldValue::Class(other)) => one == other,
        (FoldValue::List(one), FoldValue::List(other)) => Rc::ptr_eq(one, other),
        (FoldValue::Made(_, one, a), FoldValue::Made(_, other, b)) => {
            one.node_address() == other.node_address() && a.is_empty() && b.is_empty()
        }
        _ => false,
    }
}

impl<'a> FoldValue<'a> {
    pub fn from_text(text: &str) -> Self {
        Self::Text(Rc::from(text))
    }

    pub fn alternatives(&self) -> &[FoldValue<'a>] {
        match self {
            Self::OneOf(values) => values,
            _ => std::slice::from_ref(self),
        }
    }

    pub fn map_alternatives(&self, mut change: impl FnMut(&Self) -> Self) -> Self {
        match self {
            Self::OneOf(values) => one_of(values.iter().map(change).collect::<Vec<_>>()),
            value => change(value),
        }
    }

    pub fn known_text(&self) -> Option<&Rc<str>> {
        match self {
            Self::Text(text) if !text.contains(HOLE) => Some(text),
            _ => None,
        }
    }

    pub fn is_known(&self) -> bool {
        !matches!(self, Self::Unknown | Self::Undefined)
    }
}

/// Returns the scope that contains the names of a frame.
pub(super) fn scope_of_loop(binding_scope: u32) -> u32 {
    if binding_scope == NONE { 0 } else { binding_scope }
}
