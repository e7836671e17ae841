//! The one walk over a script: writes scopes, definitions, calls and telling places into the [`Table`].

use super::address;
use super::table::{
    Call, CallNode, ClassInfo, Def, Export, Func, FuncNode, Holder, HolderKind, MemberAssign, NONE, Pick, PickKey,
    Reached, Scope, Table, Unit, reference,
};
use super::Interest;
use oxc_ast::ast::*;
use oxc_ast_visit::{Visit, walk};
use oxc_syntax::node::NodeId;
use oxc_syntax::operator::{AssignmentOperator, BinaryOperator};
use oxc_syntax::scope::{ScopeFlags, ScopeId};
use rustc_hash::FxHashMap;
use std::cell::Cell;

/// Walks one program and adds it to the table.
pub(super) fn collect<'a>(
    table: Table<'a>,
    interest: &dyn Interest,
    unit: Unit<'a>,
    program: &'a Program<'a>,
) -> Table<'a> {
    let number = table.units.len() as u32;
    let mut walk = Collect {
        number,
        scope: NONE,
        func: NONE,
        holder: NONE,
        var_scope: NONE,
        reached: Reached::Unknown,
        object: None,
        concat: false,
        interest,
        telling: FxHashMap::default(),
        unit,
        table,
    };
    let first_call = walk.table.calls.len() as u32;
    let first_member = walk.table.members.len() as u32;
    walk.holder = walk.table.holders.len() as u32;
    walk.table.holders.push(Holder { kind: HolderKind::Window, members: NONE, last_member: NONE });
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
    let Collect { mut table, unit, .. } = walk;
    table.units.push(unit);
    table
}

struct Collect<'a, 'i> {
    number: u32,
    scope: u32,
    func: u32,
    holder: u32,
    /// Where `var` goes.
    var_scope: u32,
    /// How the function that is visited next is reached.
    reached: Reached<'a>,
    /// The object literal whose methods are visited.
    object: Option<u32>,
    /// Inside a concatenation, whose parts are no texts of their own.
    concat: bool,
    interest: &'i dyn Interest,
    telling: FxHashMap<&'a str, bool>,
    unit: Unit<'a>,
    table: Table<'a>,
}

/// The name of a property, where it is written down.
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

/// The name of a member that an expression asks for: `a.name`, `a['name']`.
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

impl<'a> Collect<'a, '_> {
    fn push_scope(&mut self, func: u32) {
        let scope = self.table.scopes.len() as u32;
        self.table.scopes.push(Scope::new(self.scope, func));
        self.scope = scope;
    }

    fn note_seed(&mut self, at: u32, text: &str) -> bool {
        let is = address::seed(text);
        if is {
            self.unit.seeds.push(at);
        }
        is
    }

    fn telling_member(&mut self, name: &'a str) -> bool {
        if let Some(known) = self.telling.get(name) {
            return *known;
        }
        let telling = self.interest.member(name);
        self.telling.insert(name, telling);
        telling
    }

    fn enter_function(&mut self, node: FuncNode<'a>, arrow: bool) -> (u32, u32, u32, u32) {
        let func = self.table.funcs.len() as u32;
        let reached = std::mem::replace(&mut self.reached, Reached::Unknown);
        let before = (self.scope, self.func, self.holder, self.var_scope);
        if let Reached::Property(name) = reached {
            let known = self.table.methods.entry(name).or_insert((0, func));
            known.0 += 1;
            known.1 = func;
        }
        if !arrow {
            if let Some(object) = self.object.take() {
                self.holder = object;
            } else {
                self.holder = self.table.holders.len() as u32;
                self.table.holders.push(Holder {
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
        self.table.funcs.push(Func {
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
        self.reached = Reached::Unknown;
    }

    fn parameters(&mut self, func: u32, params: &'a FormalParameters<'a>) {
        for (index, param) in params.items.iter().enumerate() {
            let mut def = Def::Param(func, index as u32);
            if let Some(default) = &param.initializer {
                def = self.pick(def, PickKey::Whole, Some(self.alloc(&**default)));
            }
            self.pattern(&param.pattern, def, self.scope);
            walk::walk_formal_parameter(self, param);
        }
        if let Some(rest) = &params.rest {
            self.pattern(&rest.rest.argument, Def::Rest(func, params.items.len() as u32), self.scope);
        }
    }

    fn pick(&mut self, from: Def<'a>, key: PickKey<'a>, default: Option<&'a Expression<'a>>) -> Def<'a> {
        self.table.picks.push(Pick { from, key, default });
        Def::Pick(self.table.picks.len() as u32 - 1)
    }

    /// Declares the names of a pattern, each with its part of the value.
    fn pattern(&mut self, pattern: &BindingPattern<'a>, def: Def<'a>, scope: u32) {
        match pattern {
            BindingPattern::BindingIdentifier(name) => {
                let binding = self.table.declare(scope, name.name.as_str());
                self.table.define(binding, def);
            }
            BindingPattern::AssignmentPattern(assigned) => {
                let default = self.alloc(&assigned.right);
                let def = self.pick(def, PickKey::Whole, Some(default));
                self.pattern(&assigned.left, def, scope);
            }
            BindingPattern::ObjectPattern(object) => {
                for property in &object.properties {
                    let key = match key_name(&property.key) {
                        Some(name) if !property.computed || property.key.is_literal_key() => PickKey::Name(name),
                        _ => match property.key.as_expression() {
                            Some(key) => PickKey::Computed(self.alloc(key)),
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
                        let def = self.pick(def, PickKey::Index(index as u32), None);
                        self.pattern(element, def, scope);
                    }
                }
                if let Some(rest) = &array.rest {
                    self.pattern(&rest.argument, def, scope);
                }
            }
        }
    }

    /// `({a, b: c} = value)` for plain names.
    fn target_pattern(&mut self, pattern: &'a AssignmentTargetPattern<'a>, value: &'a Expression<'a>) {
        let AssignmentTargetPattern::ObjectAssignmentTarget(object) = pattern else { return };
        for property in &object.properties {
            match property {
                AssignmentTargetProperty::AssignmentTargetPropertyIdentifier(name) => {
                    let default = name.init.as_ref();
                    let def = self.pick(Def::Expr(value), PickKey::Name(name.binding.name.as_str()), default);
                    self.table.assigns.push((&name.binding, def));
                }
                AssignmentTargetProperty::AssignmentTargetPropertyProperty(property) => {
                    if let AssignmentTargetMaybeDefault::AssignmentTargetIdentifier(target) = &property.binding
                        && let Some(name) = key_name(&property.name)
                    {
                        let def = self.pick(Def::Expr(value), PickKey::Name(name), None);
                        self.table.assigns.push((target, def));
                    }
                }
            }
        }
    }

    fn call(&mut self, node: CallNode<'a>) {
        let number = self.table.calls.len() as u32;
        self.table.calls.push(Call { node, next: NONE, next_method: NONE });
        let callee = node.callee();
        let function = match callee {
            Expression::FunctionExpression(_) | Expression::ArrowFunctionExpression(_) => Some(callee),
            _ => called_through(callee),
        };
        let concat = std::mem::take(&mut self.concat);
        if function.is_some() {
            // Parameters of a function that is called where it stands are its arguments.
            let func = self.table.funcs.len() as u32;
            self.reached = Reached::Immediate;
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
                    self.reached = Reached::Argument(number, index as u32);
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
                let binding = self.table.declare(scope, name.name.as_str());
                self.table.define(binding, Def::Expr(value));
            }
        }
    }

    /// Tables of modules: `{12: (e, t, n) => {...}}`, `[function(e, t, n) {...}]`, and browserify's
    /// `{1: [function(require, module, exports) {...}, {"./a": 2}]}`.
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
            ExportDefaultDeclarationKind::FunctionDeclaration(_) => Def::Func(self.table.funcs.len() as u32),
            ExportDefaultDeclarationKind::ClassDeclaration(_) => Def::Class(self.table.classes.len() as u32),
            kind => match kind.as_expression() {
                Some(value) => Def::Expr(value),
                None => return,
            },
        };
        self.unit.exports.insert("default", Export::Value(def));
    }

    fn class_body(&mut self, class: &'a Class<'a>, number: u32, reached: Reached<'a>) {
        let holder = self.holder;
        for element in &class.body.body {
            let class_holder = self.table.classes.get(number as usize).map_or(NONE, |class| class.holder);
            match element {
                ClassElement::MethodDefinition(method) => {
                    if method.kind == MethodDefinitionKind::Constructor {
                        // Called wherever the class is.
                        self.reached = reached;
                    } else if let Some(name) = key_name(&method.key) {
                        self.reached = Reached::Property(name);
                    }
                    self.object = Some(class_holder);
                    self.visit_function(&method.value, ScopeFlags::Function);
                }
                ClassElement::PropertyDefinition(property) => {
                    self.holder = class_holder;
                    if let Some(value) = &property.value {
                        if let Some(name) = key_name(&property.key) {
                            self.reached = Reached::Property(name);
                            self.table.seed_names.insert(name);
                        }
                        self.visit_expression(value);
                        self.reached = Reached::Unknown;
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

/// A name of a key that stands in brackets but is a literal.
trait LiteralKey {
    fn is_literal_key(&self) -> bool;
}

impl LiteralKey for PropertyKey<'_> {
    fn is_literal_key(&self) -> bool {
        matches!(self, Self::StringLiteral(_) | Self::NumericLiteral(_) | Self::TemplateLiteral(_))
    }
}

/// `(function() {...}).call(this, ...)`
fn called_through<'a, 'b>(callee: &'b Expression<'a>) -> Option<&'b Expression<'a>> {
    match callee {
        Expression::StaticMemberExpression(member) if member.property.name == "call" => {
            matches!(&member.object, Expression::FunctionExpression(_)).then_some(&member.object)
        }
        _ => None,
    }
}

/// Methods that make a text of the texts they are called on.
fn folds_text(callee: &Expression<'_>) -> bool {
    matches!(callee, Expression::StaticMemberExpression(member) if matches!(
        member.property.name.as_str(),
        "replace" | "replaceAll" | "concat" | "join" | "trim" | "toLowerCase" | "toString" | "split" | "slice"
            | "substring" | "substr"
    ))
}

impl<'a> Visit<'a> for Collect<'a, '_> {
    fn enter_scope(&mut self, _flags: ScopeFlags, _scope_id: &Cell<Option<ScopeId>>) {
        self.push_scope(self.func);
    }

    fn leave_scope(&mut self) {
        self.scope = self.table.scopes.get(self.scope as usize).map_or(NONE, |scope| scope.parent);
    }

    fn visit_expression(&mut self, it: &Expression<'a>) {
        match it {
            Expression::StringLiteral(literal) => {
                if self.note_seed(literal.span.start, &literal.value) && !self.concat {
                    self.unit.texts.push(self.alloc(it));
                }
            }
            Expression::Identifier(name) => self.visit_identifier_reference(name),
            Expression::BinaryExpression(binary) if binary.operator == BinaryOperator::Addition => {
                self.whole_text(it, |walk| walk::walk_binary_expression(walk, binary));
            }
            Expression::TemplateLiteral(template) => {
                self.whole_text(it, |walk| {
                    for quasi in &template.quasis {
                        walk.note_seed(quasi.span.start, &quasi.value.raw);
                    }
                    walk.visit_expressions(&template.expressions);
                });
            }
            Expression::CallExpression(call) if folds_text(&call.callee) => {
                self.whole_text(it, |walk| {
                    let call = walk.alloc(&**call);
                    walk.call(CallNode::Call(call));
                });
            }
            Expression::BooleanLiteral(_) | Expression::NumericLiteral(_) | Expression::NullLiteral(_) => {}
            Expression::FunctionExpression(_)
            | Expression::ArrowFunctionExpression(_)
            | Expression::ObjectExpression(_)
            | Expression::ArrayExpression(_)
            | Expression::ConditionalExpression(_) => {
                let concat = std::mem::take(&mut self.concat);
                walk::walk_expression(self, it);
                self.concat = concat;
            }
            _ => walk::walk_expression(self, it),
        }
        self.reached = Reached::Unknown;
    }

    fn visit_identifier_reference(&mut self, it: &IdentifierReference<'a>) {
        it.reference_id.set(Some(reference(self.scope << 1)));
    }

    fn visit_this_expression(&mut self, it: &ThisExpression) {
        it.node_id.set(NodeId::from_usize(self.holder as usize & 0x7FFF_FFFF));
    }

    fn visit_import_meta(&mut self, it: &ImportMeta) {
        it.node_id.set(NodeId::from_usize(self.number as usize));
    }

    fn visit_binding_identifier(&mut self, _it: &BindingIdentifier<'a>) {}

    fn visit_call_expression(&mut self, it: &CallExpression<'a>) {
        let it = self.alloc(it);
        self.call(CallNode::Call(it));
    }

    fn visit_new_expression(&mut self, it: &NewExpression<'a>) {
        let it = self.alloc(it);
        self.call(CallNode::New(it));
    }

    fn visit_import_expression(&mut self, it: &ImportExpression<'a>) {
        self.unit.dynamic.push(self.alloc(it));
        walk::walk_import_expression(self, it);
    }

    fn visit_function(&mut self, it: &Function<'a>, _flags: ScopeFlags) {
        let function = self.alloc(it);
        let number = self.table.funcs.len() as u32;
        let declared = it.r#type == FunctionType::FunctionDeclaration;
        if let (true, Some(id)) = (declared, &it.id) {
            let binding = self.table.declare(self.scope, id.name.as_str());
            self.table.define(binding, Def::Func(number));
            self.reached = Reached::Binding(binding);
            self.object = None;
        }
        let concat = std::mem::take(&mut self.concat);
        let before = self.enter_function(FuncNode::Function(function), false);
        if let (false, Some(id)) = (declared, &it.id) {
            let binding = self.table.declare(self.scope, id.name.as_str());
            self.table.define(binding, Def::Func(number));
        }
        self.parameters(number, &function.params);
        if let Some(body) = &it.body {
            self.visit_statements(&body.statements);
        }
        self.leave_function(before);
        self.concat = concat;
    }

    fn visit_arrow_function_expression(&mut self, it: &ArrowFunctionExpression<'a>) {
        let arrow = self.alloc(it);
        let number = self.table.funcs.len() as u32;
        let concat = std::mem::take(&mut self.concat);
        let object = self.object.take();
        let before = self.enter_function(FuncNode::Arrow(arrow), true);
        self.parameters(number, &arrow.params);
        match &arrow.body {
            ArrowFunctionBody::FunctionBody(body) => self.visit_statements(&body.statements),
            body => {
                if let Some(value) = body.as_expression() {
                    self.visit_expression(value);
                    self.returned(value);
                }
            }
        }
        self.leave_function(before);
        self.object = object;
        self.concat = concat;
    }

    fn visit_return_statement(&mut self, it: &ReturnStatement<'a>) {
        if let Some(value) = &it.argument {
            self.visit_expression(value);
            let value = self.alloc(value);
            self.returned(value);
        }
    }

    fn visit_class(&mut self, it: &Class<'a>) {
        let class = self.alloc(it);
        let number = self.table.classes.len() as u32;
        let holder = self.table.holders.len() as u32;
        self.table.holders.push(Holder { kind: HolderKind::Class(number), members: NONE, last_member: NONE });
        self.table.classes.push(ClassInfo { node: class, holder });
        class.scope_id.set(Some(ScopeId::from_usize(number as usize)));
        let mut reached = std::mem::replace(&mut self.reached, Reached::Unknown);
        if let Some(id) = &it.id {
            let binding = self.table.declare(self.scope, id.name.as_str());
            self.table.define(binding, Def::Class(number));
            reached = Reached::Binding(binding);
        }
        if let Some(heritage) = &it.heritage {
            self.visit_expression(&heritage.expression);
        }
        let concat = std::mem::take(&mut self.concat);
        let scope = self.scope;
        self.push_scope(self.func);
        self.class_body(class, number, reached);
        self.scope = scope;
        self.concat = concat;
    }

    fn visit_object_expression(&mut self, it: &ObjectExpression<'a>) {
        let object = self.alloc(it);
        let mut telling = false;
        let mut holder = None;
        for property in &object.properties {
            let seeds = self.unit.seeds.len();
            match property {
                ObjectPropertyKind::SpreadProperty(spread) => self.visit_expression(&spread.argument),
                ObjectPropertyKind::ObjectProperty(property) => {
                    let name = key_name(&property.key);
                    if property.computed
                        && let Some(key) = property.key.as_expression()
                    {
                        self.visit_expression(key);
                    }
                    if let Some(name) = name {
                        telling |= self.telling_member(name);
                        if packed_id(name) {
                            self.packed(name, &property.value);
                        }
                        if matches!(
                            property.value,
                            Expression::FunctionExpression(_) | Expression::ArrowFunctionExpression(_)
                        ) {
                            self.reached = Reached::Property(name);
                        }
                    }
                    if matches!(property.value, Expression::FunctionExpression(_)) {
                        let holder = *holder.get_or_insert_with(|| {
                            self.table.holders.push(Holder {
                                kind: HolderKind::Object(object),
                                members: NONE,
                                last_member: NONE,
                            });
                            self.table.holders.len() as u32 - 1
                        });
                        self.object = Some(holder);
                    }
                    self.visit_expression(&property.value);
                    self.object = None;
                    if let (true, Some(name)) = (self.unit.seeds.len() > seeds, name) {
                        self.table.seed_names.insert(name);
                    }
                }
            }
        }
        if telling {
            self.unit.objects.push(object);
        }
    }

    fn visit_array_expression(&mut self, it: &ArrayExpression<'a>) {
        let array = self.alloc(it);
        let modules = array.elements.len() > 1
            && array.elements.iter().take(4).all(|element| {
                matches!(element, ArrayExpressionElement::FunctionExpression(function)
                    if function.params.items.len() <= 3)
            });
        for (index, element) in array.elements.iter().enumerate() {
            if modules && let (Some(value), Some(id)) = (element.as_expression(), SMALL.get(index)) {
                // Only where nothing else has the number: numbered tables say more than lists.
                if !self.table.packed.contains_key(id.as_str()) {
                    self.packed(id, value);
                }
            }
            self.visit_array_expression_element(element);
        }
    }

    fn visit_variable_declaration(&mut self, it: &VariableDeclaration<'a>) {
        let scope = if it.kind == VariableDeclarationKind::Var { self.var_scope } else { self.scope };
        for declarator in &it.declarations {
            let Some(value) = &declarator.init else {
                if let BindingPattern::BindingIdentifier(name) = &declarator.id {
                    self.table.declare(scope, name.name.as_str());
                }
                continue;
            };
            let value = self.alloc(value);
            self.pattern(&declarator.id, Def::Expr(value), scope);
            if let (
                BindingPattern::BindingIdentifier(name),
                Expression::FunctionExpression(_)
                | Expression::ArrowFunctionExpression(_)
                | Expression::ClassExpression(_),
            ) = (&declarator.id, value)
            {
                self.reached = Reached::Binding(self.table.declare(scope, name.name.as_str()));
            } else {
                self.visit_binding_pattern(&declarator.id);
            }
            self.visit_expression(value);
        }
    }

    fn visit_for_of_statement(&mut self, it: &ForOfStatement<'a>) {
        self.push_scope(self.func);
        let value = self.alloc(&it.right);
        self.loop_names(&it.left, Def::Element(value));
        self.visit_expression(value);
        self.visit_statement(&it.body);
        self.leave_scope();
    }

    fn visit_for_in_statement(&mut self, it: &ForInStatement<'a>) {
        self.push_scope(self.func);
        let value = self.alloc(&it.right);
        self.loop_names(&it.left, Def::Key(value));
        self.visit_expression(value);
        self.visit_statement(&it.body);
        self.leave_scope();
    }

    fn visit_catch_parameter(&mut self, it: &CatchParameter<'a>) {
        if let BindingPattern::BindingIdentifier(name) = &it.pattern {
            self.table.declare(self.scope, name.name.as_str());
        }
    }

    fn visit_assignment_expression(&mut self, it: &AssignmentExpression<'a>) {
        let it = self.alloc(it);
        let function =
            matches!(it.right, Expression::FunctionExpression(_) | Expression::ArrowFunctionExpression(_));
        let plain = matches!(
            it.operator,
            AssignmentOperator::Assign
                | AssignmentOperator::LogicalOr
                | AssignmentOperator::LogicalNullish
                | AssignmentOperator::LogicalAnd
        );
        let mut reached = Reached::Unknown;
        match &it.left {
            AssignmentTarget::AssignmentTargetIdentifier(name) => {
                let name = self.alloc(&**name);
                self.visit_identifier_reference(name);
                if plain {
                    self.table.assigns.push((name, Def::Expr(&it.right)));
                } else if it.operator == AssignmentOperator::Addition {
                    self.table.assigns.push((name, Def::Append(&it.right)));
                }
                reached = Reached::Assigned(name);
            }
            target => {
                if let Some(member) = target.as_member_expression() {
                    if plain {
                        self.table.members.push(MemberAssign { node: it, next: NONE, first: "", length: 0 });
                    }
                    if let Some(name) = member_name(member) {
                        reached = Reached::Property(name);
                    }
                } else if let Some(pattern) = target.as_assignment_target_pattern() {
                    self.target_pattern(pattern, &it.right);
                }
                self.visit_assignment_target(target);
            }
        }
        if function {
            self.reached = reached;
        }
        let seeds = self.unit.seeds.len();
        self.visit_expression(&it.right);
        if let (true, false, Reached::Property(name)) = (self.unit.seeds.len() > seeds, function, reached) {
            self.table.seed_names.insert(name);
        }
    }

    fn visit_update_expression(&mut self, it: &UpdateExpression<'a>) {
        match &it.argument {
            SimpleAssignmentTarget::AssignmentTargetIdentifier(name) => {
                let name = self.alloc(&**name);
                self.visit_identifier_reference(name);
                self.table.assigns.push((name, Def::Varies));
            }
            target => self.visit_simple_assignment_target(target),
        }
    }

    fn visit_ts_enum_declaration(&mut self, it: &TSEnumDeclaration<'a>) {
        let it = self.alloc(it);
        let binding = self.table.declare(self.scope, it.id.name.as_str());
        self.table.define(binding, Def::Enum(it));
        for member in &it.body.members {
            if let Some(value) = &member.initializer {
                self.visit_expression(value);
            }
        }
    }

    fn visit_import_declaration(&mut self, it: &ImportDeclaration<'a>) {
        let source = it.source.value.as_str();
        if it.import_kind == ImportOrExportKind::Type {
            return;
        }
        self.unit.imports.push(source);
        for specifier in it.specifiers.iter().flatten() {
            let (local, name) = match specifier {
                ImportDeclarationSpecifier::ImportSpecifier(one) => {
                    (&one.local, Some(one.imported.name().as_str()))
                }
                ImportDeclarationSpecifier::ImportDefaultSpecifier(one) => (&one.local, Some("default")),
                ImportDeclarationSpecifier::ImportNamespaceSpecifier(one) => (&one.local, None),
            };
            let binding = self.table.declare(self.scope, local.name.as_str());
            self.table.define(binding, Def::Import(self.number, source, name));
        }
    }

    fn visit_export_all_declaration(&mut self, it: &ExportAllDeclaration<'a>) {
        let source = it.source.value.as_str();
        self.unit.imports.push(source);
        match &it.exported {
            Some(name) => {
                self.unit.exports.insert(name.name().as_str(), Export::From(source, None));
            }
            None => self.unit.reexports.push(source),
        }
    }

    fn visit_export_default_declaration(&mut self, it: &ExportDefaultDeclaration<'a>) {
        let it = self.alloc(it);
        self.export_default(it);
        walk::walk_export_default_declaration(self, it);
    }

    fn visit_export_declaration(&mut self, it: &ExportDeclaration<'a>) {
        let before = self.table.scopes.get(self.scope as usize).map_or(0, |scope| scope.names().len());
        walk::walk_export_declaration(self, it);
        let names = self.table.scopes.get(self.scope as usize).map(|scope| scope.names().get(before..));
        for (name, _) in names.flatten().unwrap_or_default() {
            self.unit.exports.insert(name, Export::Local(name));
        }
        // A function that was used before it was declared has its name already: overloads, `var` twice.
        if let Declaration::FunctionDeclaration(function) = &it.declaration
            && let Some(id) = &function.id
        {
            self.unit.exports.insert(id.name.as_str(), Export::Local(id.name.as_str()));
        }
    }

    fn visit_export_named_declaration(&mut self, it: &ExportNamedDeclaration<'a>) {
        for specifier in &it.specifiers {
            let name = specifier.exported.name().as_str();
            self.unit.exports.insert(name, Export::Local(specifier.local.name().as_str()));
        }
    }

    fn visit_export_from_declaration(&mut self, it: &ExportFromDeclaration<'a>) {
        let source = it.source.value.as_str();
        self.unit.imports.push(source);
        for specifier in &it.specifiers {
            let name = specifier.exported.name().as_str();
            let export = Export::From(source, Some(specifier.local.name().as_str()));
            self.unit.exports.insert(name, export);
        }
    }

    fn visit_jsx_opening_element(&mut self, it: &JSXOpeningElement<'a>) {
        self.unit.elements.push(self.alloc(it));
        walk::walk_jsx_opening_element(self, it);
    }

    fn visit_string_literal(&mut self, it: &StringLiteral<'a>) {
        self.note_seed(it.span.start, &it.value);
    }

    fn visit_ts_type_annotation(&mut self, _it: &TSTypeAnnotation<'a>) {}
    fn visit_ts_type_parameter_instantiation(&mut self, _it: &TSTypeParameterInstantiation<'a>) {}
    fn visit_ts_interface_declaration(&mut self, _it: &TSInterfaceDeclaration<'a>) {}
    fn visit_ts_type_alias_declaration(&mut self, _it: &TSTypeAliasDeclaration<'a>) {}
    fn visit_ts_type(&mut self, _it: &TSType<'a>) {}
    fn visit_directive(&mut self, _it: &Directive<'a>) {}
}

impl<'a> Collect<'a, '_> {
    /// Walks what makes one text of several, and writes it down whole when an address is in it.
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

    fn loop_names(&mut self, left: &ForStatementLeft<'a>, def: Def<'a>) {
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

/// Ids of modules in bundles: numbers, hashes, paths.
fn packed_id(name: &str) -> bool {
    name.bytes().next().is_some_and(|byte| byte.is_ascii_digit() || byte == b'.') || name.contains('/')
}

/// Numbers as texts, for modules in lists.
static SMALL: std::sync::LazyLock<Vec<String>> =
    std::sync::LazyLock::new(|| (0..4_000).map(|number: u32| number.to_string()).collect());
