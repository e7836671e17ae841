//! Visits the nodes of the tree.

use super::{SMALL, UnitCollector, folds_text, key_name, member_name, packed_id};
use crate::fold::table::{
    CallNode, ClassInfo, FuncNode, FunctionAccess, HolderKind, MemberAssign, ModuleExport, NONE, ThisHolder,
    ValueDefinition, encode_reference,
};
use oxc_ast::ast::{
    ArrayExpression, ArrayExpressionElement, ArrowFunctionBody, ArrowFunctionExpression,
    AssignmentExpression, AssignmentTarget, BindingIdentifier, BindingPattern, CallExpression,
    CatchParameter, Class, Declaration, Directive, ExportAllDeclaration, ExportDeclaration,
    ExportDefaultDeclaration, ExportFromDeclaration, ExportNamedDeclaration, Expression, ForInStatement,
    ForOfStatement, Function, FunctionType, IdentifierReference, ImportDeclaration,
    ImportDeclarationSpecifier, ImportExpression, ImportMeta, ImportOrExportKind, JSXOpeningElement,
    NewExpression, ObjectExpression, ObjectPropertyKind, ReturnStatement, SimpleAssignmentTarget,
    StringLiteral, TSEnumDeclaration, TSInterfaceDeclaration, TSType, TSTypeAliasDeclaration,
    TSTypeAnnotation, TSTypeParameterInstantiation, ThisExpression, UpdateExpression, VariableDeclaration,
    VariableDeclarationKind,
};
use oxc_ast_visit::{Visit, walk};
use oxc_syntax::node::NodeId;
use oxc_syntax::operator::{AssignmentOperator, BinaryOperator};
use oxc_syntax::scope::{ScopeFlags, ScopeId};
use std::cell::Cell;

impl<'a> Visit<'a> for UnitCollector<'a, '_> {
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
        self.reached = FunctionAccess::Unknown;
    }

    fn visit_identifier_reference(&mut self, it: &IdentifierReference<'a>) {
        it.reference_id.set(Some(encode_reference(self.scope << 1)));
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
            let binding = self.table.declare_name(self.scope, id.name.as_str());
            self.table.add_definition(binding, ValueDefinition::Func(number));
            self.reached = FunctionAccess::Binding(binding);
            self.object = None;
        }
        let concat = std::mem::take(&mut self.concat);
        let before = self.enter_function(FuncNode::Function(function), false);
        if let (false, Some(id)) = (declared, &it.id) {
            let binding = self.table.declare_name(self.scope, id.name.as_str());
            self.table.add_definition(binding, ValueDefinition::Func(number));
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
        self.table.holders.push(ThisHolder {
            kind: HolderKind::Class(number),
            members: NONE,
            last_member: NONE,
        });
        self.table.classes.push(ClassInfo { node: class, holder });
        class.scope_id.set(Some(ScopeId::from_usize(number as usize)));
        let mut reached = std::mem::replace(&mut self.reached, FunctionAccess::Unknown);
        if let Some(id) = &it.id {
            let binding = self.table.declare_name(self.scope, id.name.as_str());
            self.table.add_definition(binding, ValueDefinition::Class(number));
            reached = FunctionAccess::Binding(binding);
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
                            self.reached = FunctionAccess::Property(name);
                        }
                    }
                    if matches!(property.value, Expression::FunctionExpression(_)) {
                        let holder = *holder.get_or_insert_with(|| {
                            self.table.holders.push(ThisHolder {
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
                // Numbered tables take precedence, because they are more specific than lists.
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
                    self.table.declare_name(scope, name.name.as_str());
                }
                continue;
            };
            let value = self.alloc(value);
            self.pattern(&declarator.id, ValueDefinition::Expr(value), scope);
            if let (
                BindingPattern::BindingIdentifier(name),
                Expression::FunctionExpression(_)
                | Expression::ArrowFunctionExpression(_)
                | Expression::ClassExpression(_),
            ) = (&declarator.id, value)
            {
                self.reached = FunctionAccess::Binding(self.table.declare_name(scope, name.name.as_str()));
            } else {
                self.visit_binding_pattern(&declarator.id);
            }
            self.visit_expression(value);
        }
    }

    fn visit_for_of_statement(&mut self, it: &ForOfStatement<'a>) {
        self.push_scope(self.func);
        let value = self.alloc(&it.right);
        self.loop_names(&it.left, ValueDefinition::Element(value));
        self.visit_expression(value);
        self.visit_statement(&it.body);
        self.leave_scope();
    }

    fn visit_for_in_statement(&mut self, it: &ForInStatement<'a>) {
        self.push_scope(self.func);
        let value = self.alloc(&it.right);
        self.loop_names(&it.left, ValueDefinition::Key(value));
        self.visit_expression(value);
        self.visit_statement(&it.body);
        self.leave_scope();
    }

    fn visit_catch_parameter(&mut self, it: &CatchParameter<'a>) {
        if let BindingPattern::BindingIdentifier(name) = &it.pattern {
            self.table.declare_name(self.scope, name.name.as_str());
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
        let mut reached = FunctionAccess::Unknown;
        match &it.left {
            AssignmentTarget::AssignmentTargetIdentifier(name) => {
                let name = self.alloc(&**name);
                self.visit_identifier_reference(name);
                if plain {
                    self.table.assigns.push((name, ValueDefinition::Expr(&it.right)));
                } else if it.operator == AssignmentOperator::Addition {
                    self.table.assigns.push((name, ValueDefinition::Append(&it.right)));
                }
                reached = FunctionAccess::Assigned(name);
            }
            target => {
                if let Some(member) = target.as_member_expression() {
                    if plain {
                        self.table.members.push(MemberAssign { node: it, next: NONE, first: "" });
                    }
                    if let Some(name) = member_name(member) {
                        reached = FunctionAccess::Property(name);
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
        if let (true, false, FunctionAccess::Property(name)) =
            (self.unit.seeds.len() > seeds, function, reached)
        {
            self.table.seed_names.insert(name);
        }
    }

    fn visit_update_expression(&mut self, it: &UpdateExpression<'a>) {
        match &it.argument {
            SimpleAssignmentTarget::AssignmentTargetIdentifier(name) => {
                let name = self.alloc(&**name);
                self.visit_identifier_reference(name);
                self.table.assigns.push((name, ValueDefinition::Varies));
            }
            target => self.visit_simple_assignment_target(target),
        }
    }

    fn visit_ts_enum_declaration(&mut self, it: &TSEnumDeclaration<'a>) {
        let it = self.alloc(it);
        let binding = self.table.declare_name(self.scope, it.id.name.as_str());
        self.table.add_definition(binding, ValueDefinition::Enum(it));
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
            let binding = self.table.declare_name(self.scope, local.name.as_str());
            self.table.add_definition(binding, ValueDefinition::Import(self.number, source, name));
        }
    }

    fn visit_export_all_declaration(&mut self, it: &ExportAllDeclaration<'a>) {
        let source = it.source.value.as_str();
        self.unit.imports.push(source);
        match &it.exported {
            Some(name) => {
                self.unit.exports.insert(name.name().as_str(), ModuleExport::From(source, None));
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
            self.unit.exports.insert(name, ModuleExport::Local(name));
        }
        // A function that was declared before (overloads, `var` twice) adds no name to the scope,
        // so the loop misses it.
        if let Declaration::FunctionDeclaration(function) = &it.declaration
            && let Some(id) = &function.id
        {
            self.unit.exports.insert(id.name.as_str(), ModuleExport::Local(id.name.as_str()));
        }
    }

    fn visit_export_named_declaration(&mut self, it: &ExportNamedDeclaration<'a>) {
        for specifier in &it.specifiers {
            let name = specifier.exported.name().as_str();
            self.unit.exports.insert(name, ModuleExport::Local(specifier.local.name().as_str()));
        }
    }

    fn visit_export_from_declaration(&mut self, it: &ExportFromDeclaration<'a>) {
        let source = it.source.value.as_str();
        self.unit.imports.push(source);
        for specifier in &it.specifiers {
            let name = specifier.exported.name().as_str();
            let export = ModuleExport::From(source, Some(specifier.local.name().as_str()));
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
