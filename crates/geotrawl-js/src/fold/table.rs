//! Symbol table filled by the walk over the scripts: scopes, names, functions, calls. Nothing is
//! evaluated here.

use oxc_ast::ast::{ArrowFunctionExpression, ImportExpression, JSXOpeningElement};
use oxc_ast::ast::{
    AssignmentExpression, CallExpression, Class, Expression, FormalParameters, Function, IdentifierReference,
    NewExpression, ObjectExpression, TSEnumDeclaration,
};
use oxc_span::{GetSpan, Span};
use oxc_syntax::reference::ReferenceId;
use rustc_hash::FxHashMap;

/// Index that stands for no scope, binding, definition or the like.
pub(super) const NONE: u32 = u32::MAX;

/// A parsed source: a script of the page, or an original source of one.
pub(super) struct SourceUnit<'a> {
    /// Index of the script in the application.
    pub script: u32,
    /// URL of the source; `None` for inline scripts.
    pub url: Option<String>,
    pub module: bool,
    /// Whether it comes from a source map, so that its positions do not refer to the script.
    pub mapped: bool,
    /// The outermost scope.
    pub scope: u32,
    /// Positions of URL-like literals, ascending.
    pub seeds: Vec<u32>,
    pub calls: std::ops::Range<u32>,
    pub objects: Vec<&'a ObjectExpression<'a>>,
    /// Member assignments of this unit.
    pub members: std::ops::Range<u32>,
    /// Complete texts with a seed: concatenations, templates and literals.
    pub texts: Vec<&'a Expression<'a>>,
    pub elements: Vec<&'a JSXOpeningElement<'a>>,
    pub imports: Vec<&'a str>,
    pub dynamic: Vec<&'a ImportExpression<'a>>,
    pub exports: FxHashMap<&'a str, ModuleExport<'a>>,
    /// `export * from`.
    pub reexports: Vec<&'a str>,
}

/// An export of a module.
#[derive(Clone, Copy)]
pub(super) enum ModuleExport<'a> {
    /// The binding with this name in the outermost scope.
    Local(&'a str),
    Value(ValueDefinition<'a>),
    /// A name of another module; `None` re-exports the whole module.
    From(&'a str, Option<&'a str>),
}

/// A scope with its names.
pub(super) struct LexicalScope<'a> {
    pub parent: u32,
    /// The function whose body contains it.
    pub func: u32,
    names: Vec<(&'a str, u32)>,
    /// Hash map, for scopes with many names only.
    map: Option<Box<FxHashMap<&'a str, u32>>>,
}

/// Scopes with more names use a hash map.
const MANY_NAMES: usize = 12;

impl<'a> LexicalScope<'a> {
    pub fn new(parent: u32, func: u32) -> Self {
        Self { parent, func, names: Vec::new(), map: None }
    }

    pub fn get(&self, name: &str) -> Option<u32> {
        if let Some(map) = &self.map {
            return map.get(name).copied();
        }
        self.names.iter().find(|(known, _)| *known == name).map(|(_, at)| *at)
    }

    fn put(&mut self, name: &'a str, binding: u32) {
        self.names.push((name, binding));
        if let Some(map) = &mut self.map {
            map.insert(name, binding);
        } else if self.names.len() > MANY_NAMES {
            self.map = Some(Box::new(self.names.iter().copied().collect()));
        }
    }

    pub fn names(&self) -> &[(&'a str, u32)] {
        &self.names
    }
}

/// A variable, parameter, function, class or import.
pub(super) struct ScopeBinding<'a> {
    pub scope: u32,
    pub name: &'a str,
    first: u32,
    last: u32,
    /// First assignment to its members; the list continues in [`MemberAssign::next`].
    pub members: u32,
    last_member: u32,
    /// First call of it; the list continues in [`CallSite::next`].
    pub calls: u32,
}

/// Source of a binding's value.
#[derive(Clone, Copy)]
pub(super) enum ValueDefinition<'a> {
    Expr(&'a Expression<'a>),
    /// `+=`
    Append(&'a Expression<'a>),
    Func(u32),
    Class(u32),
    Param(u32, u32),
    /// The remaining arguments.
    Rest(u32, u32),
    /// An element of the expression: `for (const x of ...)`.
    Element(&'a Expression<'a>),
    /// A key of the expression: `for (const x in ...)`.
    Key(&'a Expression<'a>),
    /// An import: the whole module, or the export with a name.
    Import(u32, &'a str, Option<&'a str>),
    Pick(u32),
    Enum(&'a TSEnumDeclaration<'a>),
    /// Incremented or decremented, so the value is unknown.
    Varies,
}

/// A part of a destructured value.
#[derive(Clone, Copy)]
pub(super) struct DestructuredPart<'a> {
    pub from: ValueDefinition<'a>,
    pub key: DestructuredKey<'a>,
    pub default: Option<&'a Expression<'a>>,
}

#[derive(Clone, Copy)]
pub(super) enum DestructuredKey<'a> {
    /// The whole value: a parameter with a default.
    Whole,
    Name(&'a str),
    Index(u32),
    Computed(&'a Expression<'a>),
}

/// A function or an arrow function.
#[derive(Clone, Copy)]
pub(super) enum FuncNode<'a> {
    Function(&'a Function<'a>),
    Arrow(&'a ArrowFunctionExpression<'a>),
}

impl<'a> FuncNode<'a> {
    pub fn params(self) -> &'a FormalParameters<'a> {
        match self {
            Self::Function(function) => &function.params,
            Self::Arrow(arrow) => &arrow.params,
        }
    }

    pub fn span(self) -> Span {
        match self {
            Self::Function(function) => function.span,
            Self::Arrow(arrow) => arrow.span,
        }
    }
}

/// How a function can be called.
#[derive(Clone, Copy)]
pub(super) enum FunctionAccess<'a> {
    Unknown,
    Binding(u32),
    Assigned(&'a IdentifierReference<'a>),
    /// It is the value of a property with this name.
    Property(&'a str),
    /// It is the argument with this index of a call.
    Argument(u32, u32),
    /// It is called immediately.
    Immediate,
}

pub(super) struct FunctionInfo<'a> {
    pub node: FuncNode<'a>,
    pub scope: u32,
    pub reached: FunctionAccess<'a>,
    /// First returned expression; the list continues in [`SymbolTable::returns`].
    pub returns: u32,
    /// Holder of `this` within the function.
    pub holder: u32,
}

/// What `this` refers to.
#[derive(Clone, Copy)]
pub(super) enum HolderKind<'a> {
    Window,
    Class(u32),
    Object(&'a ObjectExpression<'a>),
    Function,
}

pub(super) struct ThisHolder<'a> {
    pub kind: HolderKind<'a>,
    pub members: u32,
    pub last_member: u32,
}

/// A call or `new`.
#[derive(Clone, Copy)]
pub(super) enum CallNode<'a> {
    Call(&'a CallExpression<'a>),
    New(&'a NewExpression<'a>),
}

impl<'a> CallNode<'a> {
    pub fn callee(self) -> &'a Expression<'a> {
        match self {
            Self::Call(call) => &call.callee,
            Self::New(new) => &new.callee,
        }
    }

    pub fn arguments(self) -> &'a [oxc_ast::ast::Argument<'a>] {
        match self {
            Self::Call(call) => &call.arguments,
            Self::New(new) => &new.arguments,
        }
    }

    pub fn span(self) -> Span {
        match self {
            Self::Call(call) => call.span,
            Self::New(new) => new.span,
        }
    }

    pub fn is_new(self) -> bool {
        matches!(self, Self::New(_))
    }

    pub fn node_address(self) -> usize {
        match self {
            Self::Call(call) => std::ptr::from_ref(call) as usize,
            Self::New(new) => std::ptr::from_ref(new) as usize,
        }
    }
}

pub(super) struct CallSite<'a> {
    pub node: CallNode<'a>,
    /// Name of the called function or method, or empty; stored here so that filtering calls does
    /// not read the tree.
    pub name: &'a str,
    /// The callee, if it is a plain name.
    pub callee: Option<&'a IdentifierReference<'a>>,
    /// Number of arguments, and whether none of them can be or contain a text; stored here because
    /// reading the tree takes most of the time.
    pub arguments: u8,
    pub dull: bool,
    /// The next call of the same binding.
    pub next: u32,
    /// The next call of a method with the same name.
    pub next_method: u32,
}

/// `a.b.c = value`
pub(super) struct MemberAssign<'a> {
    pub node: &'a AssignmentExpression<'a>,
    pub next: u32,
    /// First name after the owner; set when the owner is known.
    pub first: &'a str,
}

pub(super) struct ClassInfo<'a> {
    pub node: &'a Class<'a>,
    pub holder: u32,
}

/// Symbols of all units.
#[derive(Default)]
pub(super) struct SymbolTable<'a> {
    /// Whether the code rotates a list, so that string tables are not in source order.
    pub rotates: bool,
    pub units: Vec<SourceUnit<'a>>,
    pub scopes: Vec<LexicalScope<'a>>,
    pub bindings: Vec<ScopeBinding<'a>>,
    defs: Vec<(ValueDefinition<'a>, u32)>,
    pub picks: Vec<DestructuredPart<'a>>,
    pub funcs: Vec<FunctionInfo<'a>>,
    pub holders: Vec<ThisHolder<'a>>,
    pub classes: Vec<ClassInfo<'a>>,
    pub calls: Vec<CallSite<'a>>,
    pub returns: Vec<(&'a Expression<'a>, u32)>,
    pub assigns: Vec<(&'a IdentifierReference<'a>, ValueDefinition<'a>)>,
    pub members: Vec<MemberAssign<'a>>,
    /// Functions of bundled modules, by module id.
    pub packed: FxHashMap<&'a str, u32>,
    /// Browserify's module names: from module function and requested name to module id.
    pub packed_names: FxHashMap<(u32, &'a str), &'a str>,
    /// Names of members whose values contain URL-like literals.
    pub seed_names: rustc_hash::FxHashSet<&'a str>,
    /// Number of functions that are values of a property with this name, and one of them.
    pub methods: FxHashMap<&'a str, (u32, u32)>,
}

impl<'a> SymbolTable<'a> {
    /// Reserves capacity for a source of this many bytes.
    pub fn reserve(&mut self, length: usize) {
        self.scopes.reserve(length / 80);
        self.bindings.reserve(length / 48);
        self.defs.reserve(length / 40);
        self.calls.reserve(length / 40);
        self.funcs.reserve(length / 120);
        self.assigns.reserve(length / 100);
        self.members.reserve(length / 100);
    }

    /// Returns the binding of a name in a scope, creating it if necessary.
    pub fn declare_name(&mut self, scope: u32, name: &'a str) -> u32 {
        let Some(at) = self.scopes.get_mut(scope as usize) else { return NONE };
        if let Some(known) = at.get(name) {
            return known;
        }
        let binding = self.bindings.len() as u32;
        at.put(name, binding);
        self.bindings.push(ScopeBinding {
            scope,
            name,
            first: NONE,
            last: NONE,
            members: NONE,
            last_member: NONE,
            calls: NONE,
        });
        binding
    }

    pub fn add_definition(&mut self, binding: u32, def: ValueDefinition<'a>) {
        let at = self.defs.len() as u32;
        let Some(known) = self.bindings.get_mut(binding as usize) else { return };
        let last = std::mem::replace(&mut known.last, at);
        if last == NONE {
            known.first = at;
        } else if let Some(before) = self.defs.get_mut(last as usize) {
            before.1 = at;
        }
        self.defs.push((def, NONE));
    }

    pub fn definitions(&self, binding: u32) -> impl Iterator<Item = ValueDefinition<'a>> + '_ {
        let mut at = self.bindings.get(binding as usize).map_or(NONE, |binding| binding.first);
        std::iter::from_fn(move || {
            let (def, next) = self.defs.get(at as usize)?;
            at = *next;
            Some(*def)
        })
    }

    pub fn add_member(&mut self, binding: u32, member: u32) {
        let Some(known) = self.bindings.get_mut(binding as usize) else { return };
        let last = std::mem::replace(&mut known.last_member, member);
        if last == NONE {
            known.members = member;
        } else if let Some(before) = self.members.get_mut(last as usize) {
            before.next = member;
        }
    }

    pub fn add_holder_member(&mut self, holder: u32, member: u32) {
        let Some(known) = self.holders.get_mut(holder as usize) else { return };
        let last = std::mem::replace(&mut known.last_member, member);
        if last == NONE {
            known.members = member;
        } else if let Some(before) = self.members.get_mut(last as usize) {
            before.next = member;
        }
    }

    pub fn returned_values(&self, func: u32) -> impl Iterator<Item = &'a Expression<'a>> + '_ {
        let mut at = self.funcs.get(func as usize).map_or(NONE, |func| func.returns);
        std::iter::from_fn(move || {
            let (returned, next) = self.returns.get(at as usize)?;
            at = *next;
            Some(*returned)
        })
    }

    /// Returns the binding that a name refers to, or `None` for globals. The result is cached in
    /// the tree.
    pub fn resolve_name(&self, name: &IdentifierReference<'a>) -> Option<u32> {
        let code = name.reference_id.get()?.index() as u32;
        if code & 1 == 1 {
            let binding = code >> 1;
            return (binding != UNBOUND).then_some(binding);
        }
        let mut scope = code >> 1;
        let mut found = None;
        while let Some(at) = self.scopes.get(scope as usize) {
            found = at.get(&name.name);
            if found.is_some() {
                break;
            }
            scope = at.parent;
        }
        name.reference_id.set(Some(encode_reference((found.unwrap_or(UNBOUND) << 1) | 1)));
        found
    }

    /// Returns whether a scope is inside another.
    pub fn is_inside(&self, mut scope: u32, outer: u32) -> bool {
        while scope != outer {
            match self.scopes.get(scope as usize) {
                Some(at) => scope = at.parent,
                None => return false,
            }
        }
        true
    }
}

/// Marks a reference without a binding.
const UNBOUND: u32 = (1 << 30) - 1;

/// Encodes what a reference caches: twice its scope before, or twice its binding plus one after
/// resolution.
pub(super) fn encode_reference(code: u32) -> ReferenceId {
    ReferenceId::from_usize(code as usize & 0x7FFF_FFFF)
}

/// Returns whether a span contains a URL-like literal.
pub(super) fn holds_seed(seeds: &[u32], span: Span) -> bool {
    let at = seeds.partition_point(|seed| *seed < span.start);
    seeds.get(at).is_some_and(|seed| *seed < span.end)
}

/// Returns the span of an expression.
pub(super) fn expression_span(expression: &Expression<'_>) -> Span {
    expression.span()
}
