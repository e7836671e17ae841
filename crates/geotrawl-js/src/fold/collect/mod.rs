//! Walks each script once and records scopes, definitions, calls and relevant nodes in the
//! [`SymbolTable`].

mod visit;

use super::EventFilter;
use super::address;
use super::table::{
    CallNode, CallSite, DestructuredKey, DestructuredPart, FuncNode, FunctionAccess, FunctionInfo,
    HolderKind, LexicalScope, ModuleExport, NONE, SourceUnit, SymbolTable, ThisHolder, ValueDefinition,
};
use oxc_ast::ast::{
    Argument, ArrayExpressionElement, AssignmentTargetMaybeDefault, AssignmentTargetPattern,
    AssignmentTargetProperty, BindingPattern, Class, ClassElement, ExportDefaultDeclaration,
    ExportDefaultDeclarationKind, Expression, ForStatementLeft, FormalParameters, MemberExpression,
    MethodDefinitionKind, ObjectPropertyKind, Program, PropertyKey, VariableDeclarationKind,
};
use oxc_ast_visit::{Visit, walk};
use oxc_syntax::scope::{ScopeFlags, ScopeId};
use rustc_hash::FxHashMap;

/// Walks a program and adds it to the table.
pub(super) fn collect_unit<'a>(
    table: SymbolTable<'a>,
    interest: &dyn EventFilter,
    unit: SourceUnit<'a>,
    program: &'a Program<'a>,
) -> SymbolTable<'a> {
    let number = table.units.len() as u32;
    let mut walk = UnitCollector {
        number,
        scope: NONE,
        func: NONE,
        holder: NONE,
        var_scope: NONE,
        reached: FunctionAccess::Unknown,
        object: None,
        concat: false,
        interest,
        telling: FxHashMap::default(),
        unit,
        table,
    };
    // Growing the tables would dominate for large scripts; the ratios are typical of minified code.
    let length = program.source_text.len();
    walk.table.reserve(length);
    let first_call = walk.table.calls.len() as u32;
    let first_member = walk.table.members.len() as u32;
    walk.holder = walk.table.holders.len() as u32;
    walk.table.holders.push(ThisHolder { kind: HolderKind::Window, members: NONE, last_member: NONE });
    walk.push_scope(NONE);
    walk.var_scope = walk.scope;
    walk.unit.scope = walk.scope;
    for directive in &program.directives {
        walk.visit_directive(directive);
    }
    walk.visit_statements(&program.body);
    walk.unit.calls = first_call..walk.table.calls.len() as u32;
    walk.unit.members = first_member..walk.table.members.len() as u32;
    walk.unit.seeds.sort_unstable();
    let UnitCollector { mut table, unit, .. } = walk;
    table.units.push(unit);
    table
}

struct UnitCollector<'a, 'i> {
    number: u32,
    scope: u32,
    func: u32,
    holder: u32,
    /// Scope of `var` declarations.
    var_scope: u32,
    /// How the function that is visited next can be called.
    reached: FunctionAccess<'a>,
    /// The object literal whose methods are being visited.
    object: Option<u32>,
    /// Whether the walk is inside a concatenation, whose parts are no separate texts.
    concat: bool,
    interest: &'i dyn EventFilter,
    telling: FxHashMap<&'a str, bool>,
    unit: SourceUnit<'a>,
    table: SymbolTable<'a>,
}

/// Returns the name of a property, if it is written literally.
pub(super) fn key_name<'a>(key: &PropertyKey<'a>) -> Option<&'a str> {
    match key {
        PropertyKey::StaticIdentifier(name) => Some(name.name.as_str()),
        PropertyKey::PrivateIdentifier(name) => Some(name.name.as_str()),
        PropertyKey::StringLiteral(text) => Some(text.value.as_str()),
        PropertyKey::NumericLiteral(number) => number.raw.map(|raw| raw.as_str()),
        PropertyKey::TemplateLiteral(text) if text.expressions.is_empty() => {
            text.quasis.first().map(|quasi| quasi.value.raw.as_str())
        }
        _ => None,
    }
}

/// Returns the name of an accessed member: `a.name`, `a['name']`.
pub(super) fn member_name<'a>(member: &MemberExpression<'a>) -> Option<&'a str> {
    match member {
        MemberExpression::StaticMemberExpression(member) => Some(member.property.name.as_str()),
        MemberExpression::PrivateFieldExpression(member) => Some(member.field.name.as_str()),
        MemberExpression::ComputedMemberExpression(member) => match &member.expression {
            Expression::StringLiteral(text) => Some(text.value.as_str()),
            Expression::NumericLiteral(number) => number.raw.map(|raw| raw.as_str()),
            _ => None,
        },
    }
}

impl<'a> UnitCollector<'a, '_> {
    fn push_scope(&mut self, func: u32) {
        let scope = self.table.scopes.len() as u32;
        self.table.scopes.push(LexicalScope::new(self.scope, func));
        self.scope = scope;
    }

    fn note_seed(&mut self, at: u32, text: &str) -> bool {
        let is = address::is_seed(text);
        if is {
            self.unit.seeds.push(at);
        }
        is
    }

    fn telling_member(&mut self, name: &'a str) -> bool {
        if let Some(known) = self.telling.get(name) {
            return *known;
        }
        let telling = self.interest.accepts_member(name);
        self.telling.insert(name, telling);
        telling
    }

    fn enter_function(&mut self, node: FuncNode<'a>, arrow: bool) -> (u32, u32, u32, u32) {
        let func = self.table.funcs.len() as u32;
        let reached = std::mem::replace(&mut self.reached, FunctionAccess::Unknown);
        let before = (self.scope, self.func, self.holder, self.var_scope);
        if let FunctionAccess::Property(name) = reached {
            let known = self.table.methods.entry(name).or_insert((0, func));
            known.0 += 1;
            known.1 = func;
        }
        if !arrow {
            if let Some(object) = self.object.take() {
                self.holder = object;
            } else {
                self.holder = self.table.holders.len() as u32;
                self.table.holders.push(ThisHolder {
                    kind: HolderKind::Function,
                    members: NONE,
                    last_member: NONE,
                });
            }
        }
        self.push_scope(func);
        let number = ScopeId::from_usize(func as usize);
        match node {
            FuncNode::Function(function) => function.scope_id.set(Some(number)),
            FuncNode::Arrow(arrow) => arrow.scope_id.set(Some(number)),
        }
        self.func = func;
        self.var_scope = self.scope;
        self.table.funcs.push(FunctionInfo {
            node,
            scope: self.scope,
            reached,
            returns: NONE,
            holder: self.holder,
        });
        self.object = None;
        before
    }

    fn leave_function(&mut self, before: (u32, u32, u32, u32)) {
        (self.scope, self.func, self.holder, self.var_scope) = before;
        self.reached = FunctionAccess::Unknown;
    }

    fn parameters(&mut self, func: u32, params: &'a FormalParameters<'a>) {
        for (index, param) in params.items.iter().enumerate() {
            let mut def = ValueDefinition::Param(func, index as u32);
            if let Some(default) = &param.initializer {
                def = self.pick(def, DestructuredKey::Whole, Some(self.alloc(&**default)));
            }
            self.pattern(&param.pattern, def, self.scope);
            walk::walk_formal_parameter(self, param);
        }
        if let Some(rest) = &params.rest {
            self.pattern(
                &rest.rest.argument,
                ValueDefinition::Rest(func, params.items.len() as u32),
                self.scope,
            );
        }
    }

    fn pick(
        &mut self,
        from: ValueDefinition<'a>,
        key: DestructuredKey<'a>,
        default: Option<&'a Expression<'a>>,
    ) -> ValueDefinition<'a> {
        self.table.picks.push(DestructuredPart { from, key, default });
        ValueDefinition::Pick(self.table.picks.len() as u32 - 1)
    }

    /// Declares the names of a pattern, each with its part of the value.
    fn pattern(&mut self, pattern: &BindingPattern<'a>, def: ValueDefinition<'a>, scope: u32) {
        match pattern {
            BindingPattern::BindingIdentifier(name) => {
                let binding = self.table.declare_name(scope, name.name.as_str());
                self.table.add_definition(binding, def);
            }
            BindingPattern::AssignmentPattern(assigned) => {
                let default = self.alloc(&assigned.right);
                let def = self.pick(def, DestructuredKey::Whole, Some(default));
                self.pattern(&assigned.left, def, scope);
            }
            BindingPattern::ObjectPattern(object) => {
                for property in &object.properties {
                    let key = match key_name(&property.key) {
                        Some(name) if !property.computed || property.key.is_literal_key() => {
                            DestructuredKey::Name(name)
                        }
                        _ => match property.key.as_expression() {
                            Some(key) => DestructuredKey::Computed(self.alloc(key)),
                            None => continue,
                        },
                    };
                    let def = self.pick(def, key, None);
                    self.pattern(&property.value, def, scope);
                }
                if let Some(rest) = &object.rest {
                    self.pattern(&rest.argument, def, scope);
                }
            }
            BindingPattern::ArrayPattern(array) => {
                for (index, element) in array.elements.iter().enumerate() {
                    if let Some(element) = element {
                        let def = self.pick(def, DestructuredKey::Index(index as u32), None);
                        self.pattern(element, def, scope);
                    }
                }
                if let Some(rest) = &array.rest {
                    self.pattern(&rest.argument, def, scope);
                }
            }
        }
    }

    /// Handles `({a, b: c} = value)` for plain names.
    fn target_pattern(&mut self, pattern: &'a AssignmentTargetPattern<'a>, value: &'a Expression<'a>) {
        let AssignmentTargetPattern::ObjectAssignmentTarget(object) = pattern else { return };
        for property in &object.properties {
            match property {
                AssignmentTargetProperty::AssignmentTargetPropertyIdentifier(name) => {
                    let default = name.init.as_ref();
                    let def = self.pick(
                        ValueDefinition::Expr(value),
                        DestructuredKey::Name(name.binding.name.as_str()),
                        default,
                    );
                    self.table.assigns.push((&name.binding, def));
                }
                AssignmentTargetProperty::AssignmentTargetPropertyProperty(property) => {
                    if let AssignmentTargetMaybeDefault::AssignmentTargetIdentifier(target) =
                        &property.binding
                        && let Some(name) = key_name(&property.name)
                    {
                        let def = self.pick(ValueDefinition::Expr(value), DestructuredKey::Name(name), None);
                        self.table.assigns.push((target, def));
                    }
                }
            }
        }
    }

    fn call(&mut self, node: CallNode<'a>) {
        let number = self.table.calls.len() as u32;
        let callee = node.callee();
        let (name, mere) = match callee {
            Expression::Identifier(name) => (name.name.as_str(), Some(&**name)),
            Expression::StaticMemberExpression(member) => (member.property.name.as_str(), None),
            _ => ("", None),
        };
        let arguments = u8::try_from(node.arguments().len()).unwrap_or(u8::MAX);
        let dull = node.arguments().iter().all(is_dull);
        self.table.calls.push(CallSite {
            node,
            name,
            callee: mere,
            arguments,
            dull,
            next: NONE,
            next_method: NONE,
        });
        let function = match callee {
            Expression::FunctionExpression(_) | Expression::ArrowFunctionExpression(_) => Some(callee),
            _ => called_through(callee),
        };
        let concat = std::mem::take(&mut self.concat);
        if function.is_some() {
            // The parameters of an immediately called function are its arguments.
            let func = self.table.funcs.len() as u32;
            self.reached = FunctionAccess::Immediate;
            self.visit_expression(callee);
            self.immediate(func, node, called_through(callee).is_some());
        } else {
            self.concat = concat && folds_text(callee);
            self.visit_expression(callee);
        }
        self.concat = false;
        for (index, argument) in node.arguments().iter().enumerate() {
            match argument.as_expression() {
                Some(
                    argument @ (Expression::FunctionExpression(_) | Expression::ArrowFunctionExpression(_)),
                ) => {
                    self.reached = FunctionAccess::Argument(number, index as u32);
                    self.visit_expression(argument);
                }
                Some(argument) => {
                    self.concat = concat && folds_text(callee);
                    self.visit_expression(argument);
                    self.concat = false;
                }
                None => self.visit_argument(argument),
            }
        }
        self.concat = concat;
    }

    fn immediate(&mut self, func: u32, node: CallNode<'a>, through: bool) {
        let Some(known) = self.table.funcs.get(func as usize) else { return };
        let (scope, params) = (known.scope, known.node.params());
        let arguments = node.arguments().iter().skip(usize::from(through));
        for (param, argument) in params.items.iter().zip(arguments) {
            if let (BindingPattern::BindingIdentifier(name), Some(value)) =
                (&param.pattern, argument.as_expression())
            {
                let binding = self.table.declare_name(scope, name.name.as_str());
                self.table.add_definition(binding, ValueDefinition::Expr(value));
            }
        }
    }

    /// Records module tables: `{12: (e, t, n) => {...}}`, `[function(e, t, n) {...}]`, and
    /// browserify's `{1: [function(require, module, exports) {...}, {"./a": 2}]}`.
    fn packed(&mut self, id: &'a str, value: &'a Expression<'a>) {
        let next = self.table.funcs.len() as u32;
        match value {
            Expression::FunctionExpression(function) if function.params.items.len() <= 3 => {
                self.table.packed.insert(id, next);
            }
            Expression::ArrowFunctionExpression(arrow) if arrow.params.items.len() <= 3 => {
                self.table.packed.insert(id, next);
            }
            Expression::ArrayExpression(array) if array.elements.len() == 2 => {
                if let (
                    Some(ArrayExpressionElement::FunctionExpression(_)),
                    Some(ArrayExpressionElement::ObjectExpression(names)),
                ) = (array.elements.first(), array.elements.get(1))
                {
                    self.table.packed.insert(id, next);
                    for property in &names.properties {
                        if let ObjectPropertyKind::ObjectProperty(property) = property
                            && let Some(name) = key_name(&property.key)
                            && let Expression::NumericLiteral(target) = &property.value
                            && let Some(target) = target.raw
                        {
                            self.table.packed_names.insert((next, name), target.as_str());
                        }
                    }
                }
            }
            _ => {}
        }
    }

    fn export_default(&mut self, it: &'a ExportDefaultDeclaration<'a>) {
        let def = match &it.declaration {
            ExportDefaultDeclarationKind::FunctionDeclaration(_) => {
                ValueDefinition::Func(self.table.funcs.len() as u32)
            }
            ExportDefaultDeclarationKind::ClassDeclaration(_) => {
                ValueDefinition::Class(self.table.classes.len() as u32)
            }
            kind => match kind.as_expression() {
                Some(value) => ValueDefinition::Expr(value),
                None => return,
            },
        };
        self.unit.exports.insert("default", ModuleExport::Value(def));
    }

    fn class_body(&mut self, class: &'a Class<'a>, number: u32, reached: FunctionAccess<'a>) {
        let holder = self.holder;
        for element in &class.body.body {
            let class_holder = self.table.classes.get(number as usize).map_or(NONE, |class| class.holder);
            match element {
                ClassElement::MethodDefinition(method) => {
                    if method.kind == MethodDefinitionKind::Constructor {
                        // A constructor is called wherever its class is.
                        self.reached = reached;
                    } else if let Some(name) = key_name(&method.key) {
                        self.reached = FunctionAccess::Property(name);
                    }
                    self.object = Some(class_holder);
                    self.visit_function(&method.value, ScopeFlags::Function);
                }
                ClassElement::PropertyDefinition(property) => {
                    self.holder = class_holder;
                    if let Some(value) = &property.value {
                        if let Some(name) = key_name(&property.key) {
                            self.reached = FunctionAccess::Property(name);
                            self.table.seed_names.insert(name);
                        }
                        self.visit_expression(value);
                        self.reached = FunctionAccess::Unknown;
                    }
                    self.holder = holder;
                }
                ClassElement::StaticBlock(block) => {
                    self.holder = class_holder;
                    self.visit_static_block(block);
                    self.holder = holder;
                }
                _ => {}
            }
            self.object = None;
        }
    }
}

/// Recognises computed keys that are literals.
trait LiteralKey {
    fn is_literal_key(&self) -> bool;
}

impl LiteralKey for PropertyKey<'_> {
    fn is_literal_key(&self) -> bool {
        matches!(self, Self::StringLiteral(_) | Self::NumericLiteral(_) | Self::TemplateLiteral(_))
    }
}

/// Returns the function in `(function() {...}).call(this, ...)`.
fn called_through<'a, 'b>(callee: &'b Expression<'a>) -> Option<&'b Expression<'a>> {
    match callee {
        Expression::StaticMemberExpression(member) if member.property.name == "call" => {
            matches!(&member.object, Expression::FunctionExpression(_)).then_some(&member.object)
        }
        _ => None,
    }
}

/// Returns whether a method returns a text made of the text it is called on.
fn folds_text(callee: &Expression<'_>) -> bool {
    matches!(callee, Expression::StaticMemberExpression(member) if matches!(
        member.property.name.as_str(),
        "replace" | "replaceAll" | "concat" | "join" | "trim" | "toLowerCase" | "toString" | "split" | "slice"
            | "substring" | "substr"
    ))
}

impl<'a> UnitCollector<'a, '_> {
    /// Walks an expression that combines texts, and records it as a whole if it contains a URL.
    fn whole_text(&mut self, it: &Expression<'a>, walk: impl FnOnce(&mut Self)) {
        let outermost = !std::mem::replace(&mut self.concat, true);
        let seeds = self.unit.seeds.len();
        walk(self);
        self.concat = !outermost;
        if outermost && self.unit.seeds.len() > seeds {
            self.unit.texts.push(self.alloc(it));
        }
    }

    fn returned(&mut self, value: &'a Expression<'a>) {
        let at = self.table.returns.len() as u32;
        if let Some(func) = self.table.funcs.get_mut(self.func as usize) {
            let next = std::mem::replace(&mut func.returns, at);
            self.table.returns.push((value, next));
        }
    }

    fn loop_names(&mut self, left: &ForStatementLeft<'a>, def: ValueDefinition<'a>) {
        match left {
            ForStatementLeft::VariableDeclaration(declaration) => {
                let var = declaration.kind == VariableDeclarationKind::Var;
                let scope = if var { self.var_scope } else { self.scope };
                for declarator in &declaration.declarations {
                    self.pattern(&declarator.id, def, scope);
                }
            }
            ForStatementLeft::AssignmentTargetIdentifier(name) => {
                let name = self.alloc(&**name);
                self.visit_identifier_reference(name);
                self.table.assigns.push((name, def));
            }
            _ => {}
        }
    }
}

/// Returns whether a name is a module id in bundles: numbers, hashes, paths.
fn packed_id(name: &str) -> bool {
    name.bytes().next().is_some_and(|byte| byte.is_ascii_digit() || byte == b'.') || name.contains('/')
}

/// Numbers as texts, for modules in lists.
static SMALL: std::sync::LazyLock<Vec<String>> =
    std::sync::LazyLock::new(|| (0..4_000).map(|number: u32| number.to_string()).collect());

/// Returns whether an argument neither is nor contains a text.
fn is_dull(argument: &Argument<'_>) -> bool {
    matches!(
        argument,
        Argument::NumericLiteral(_)
            | Argument::BooleanLiteral(_)
            | Argument::NullLiteral(_)
            | Argument::ThisExpression(_)
            | Argument::RegExpLiteral(_)
            | Argument::UnaryExpression(_)
            | Argument::UpdateExpression(_)
            | Argument::FunctionExpression(_)
            | Argument::ArrowFunctionExpression(_)
    )
}
