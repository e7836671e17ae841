//! Prepares scripts: finds undeclared names and imports, and instruments the code so that it
//! reports objects and calls and continues after errors.
//!
//! Bundles contain their libraries, so no stand-in sees their layers, but option objects are still
//! literals. Each literal with a relevant member is passed to a hook with its position when it is
//! created.

use super::names::{HOOKS, is_builtin, is_library_root, is_relevant_member};
use super::sandbox_values::looks_like_address;
use super::value_reader::JOINT;
use crate::signs;
use oxc_allocator::Allocator;
use oxc_ast::ast::{
    Argument, AssignmentExpression, AssignmentTarget, BinaryExpression, BindingIdentifier, BindingPattern,
    BlockStatement, CallExpression, ExportFromDeclaration, Expression, ExpressionStatement, Function,
    FunctionBody, IdentifierReference, ImportDeclaration, ImportDeclarationSpecifier, ImportExpression,
    LogicalExpression, NewExpression, ObjectExpression, ObjectPropertyKind, Program, Statement,
    StaticMemberExpression, TryStatement, UnaryExpression, VariableDeclaration, VariableDeclarationKind,
};
use oxc_ast_visit::{VisitJs, walk_js};
use oxc_parser::{ParseOptions, Parser};
use oxc_span::{GetSpan, SourceType};
use oxc_syntax::operator::UnaryOperator;
use oxc_syntax::scope::ScopeFlags;
use std::collections::{BTreeMap, BTreeSet, HashSet};

/// Maximum length of scripts whose statements are guarded one by one.
const MOST_GUARDED: usize = 3 << 20;
/// Maximum number of guarded statements, because each guard lengthens the code.
const MOST_GUARDS: usize = 60_000;
/// Longer scripts run without instrumentation.
const MOST_INSTRUMENTED: usize = 12 << 20;

/// A script that is ready to run.
#[derive(Debug, Default)]
pub struct PreparedScript {
    /// Instrumented code; `None` runs the original.
    pub source: Option<String>,
    /// Names that it uses but does not declare.
    pub free: BTreeSet<String>,
    /// Names that it declares globally.
    pub declared: BTreeSet<String>,
    /// Imported names by module.
    pub imports: BTreeMap<String, BTreeSet<String>>,
    /// Whether it calls an AMD loader.
    pub amd: bool,
    /// Functions that it assigns to global names; each reports when it runs.
    pub functions: Vec<String>,
}

/// Prepares a script. `is_known` tells whether a module belongs to the application.
pub fn prepare_script(
    source: &str,
    index: usize,
    module: bool,
    is_known: &dyn Fn(&str) -> bool,
) -> PreparedScript {
    if source.len() > MOST_INSTRUMENTED {
        return PreparedScript::default();
    }
    let allocator = Allocator::default();
    let kind = if module { SourceType::mjs() } else { SourceType::cjs().with_script(true) };
    let options = ParseOptions { allow_return_outside_function: false, ..ParseOptions::default() };
    let parsed = Parser::new(&allocator, source, kind).with_options(options).parse();
    // The caller retries scripts with module syntax as modules.
    let other_kind = !module && parsed.module_record.has_module_syntax;
    if parsed.panicked || !parsed.diagnostics.is_empty() || other_kind {
        return PreparedScript::default();
    }
    let mut scan = ScriptScanner {
        source,
        index,
        is_known,
        guard: source.len() <= MOST_GUARDED,
        edits: Vec::new(),
        used: HashSet::new(),
        bound: HashSet::new(),
        declared: BTreeSet::new(),
        imports: BTreeMap::new(),
        amd: false,
        tries: 0,
        functions: BTreeMap::new(),
    };
    scan.visit_program(&parsed.program);
    let universal = memchr::memmem::find(source.as_bytes(), b"define.amd").is_some();
    let amd = scan.amd && !scan.bound.contains("require") && !scan.bound.contains("define") && !universal;
    PreparedScript {
        free: scan
            .used
            .iter()
            .filter(|name| !scan.bound.contains(*name))
            .map(|name| (*name).to_owned())
            .collect(),
        source: Some(apply(source, scan.edits)),
        declared: scan.declared,
        imports: scan.imports,
        amd,
        functions: scan.functions.into_values().collect(),
    }
}

/// Replacement of a range of the source.
struct SourceEdit {
    start: u32,
    end: u32,
    text: String,
}

fn apply(source: &str, mut edits: Vec<SourceEdit>) -> String {
    // The sort is stable, so edits at the same position keep their order.
    edits.sort_by_key(|edit| edit.start);
    let mut out = String::with_capacity(source.len() + edits.len() * 24);
    let mut at = 0usize;
    for edit in edits {
        let (start, end) = (edit.start as usize, edit.end as usize);
        if start >= at {
            out.push_str(source.get(at..start).unwrap_or_default());
            at = end;
        } else {
            at = at.max(end);
        }
        out.push_str(&edit.text);
    }
    out.push_str(source.get(at..).unwrap_or_default());
    out
}

struct ScriptScanner<'s> {
    source: &'s str,
    index: usize,
    is_known: &'s dyn Fn(&str) -> bool,
    guard: bool,
    edits: Vec<SourceEdit>,
    used: HashSet<&'s str>,
    bound: HashSet<&'s str>,
    declared: BTreeSet<String>,
    imports: BTreeMap<String, BTreeSet<String>>,
    amd: bool,
    /// Number of enclosing `try` blocks within this function.
    tries: u32,
    /// Names of functions, by start position.
    functions: BTreeMap<u32, String>,
}

impl<'s> ScriptScanner<'s> {
    fn insert(&mut self, at: u32, text: impl Into<String>) {
        self.edits.push(SourceEdit { start: at, end: at, text: text.into() });
    }

    fn replace(&mut self, start: u32, end: u32, text: impl Into<String>) {
        self.edits.push(SourceEdit { start, end, text: text.into() });
    }

    fn text(&self, start: u32, end: u32) -> &'s str {
        self.source.get(start as usize..end as usize).unwrap_or_default()
    }

    fn may_guard(&self) -> bool {
        self.guard && self.tries == 0 && self.edits.len() < MOST_GUARDS
    }

    fn declare_pattern(&mut self, pattern: &BindingPattern<'_>) {
        if let BindingPattern::BindingIdentifier(id) = pattern {
            self.declared.insert(id.name.to_string());
        }
    }

    fn declare_top(&mut self, statement: &Statement<'_>) {
        match statement {
            Statement::VariableDeclaration(it) => {
                for one in &it.declarations {
                    self.declare_pattern(&one.id);
                    if let (BindingPattern::BindingIdentifier(id), Some(init)) = (&one.id, &one.init) {
                        self.name_functions(&id.name, init);
                    }
                }
            }
            Statement::FunctionDeclaration(it) => {
                self.declared.extend(it.id.iter().map(|id| id.name.to_string()));
                if let Some(id) = &it.id {
                    self.functions.insert(it.span.start, id.name.to_string());
                }
            }
            Statement::ExpressionStatement(it) => {
                if let Expression::AssignmentExpression(it) = &it.expression
                    && let AssignmentTarget::StaticMemberExpression(target) = &it.left
                    && let Some(name) = dotted(target)
                {
                    self.name_functions(&name, &it.right);
                }
            }
            Statement::ClassDeclaration(it) => {
                self.declared.extend(it.id.iter().map(|id| id.name.to_string()));
            }
            _ => {}
        }
    }

    /// Records the name of a function, or the names of the functions in an object.
    fn name_functions(&mut self, name: &str, value: &Expression<'_>) {
        match value {
            Expression::FunctionExpression(it) => {
                self.functions.insert(it.span.start, name.to_owned());
            }
            Expression::ObjectExpression(it) => {
                for property in &it.properties {
                    if let ObjectPropertyKind::ObjectProperty(property) = property
                        && let Expression::FunctionExpression(function) = &property.value
                        && let Some(key) = property.key.static_name().filter(|key| is_identifier(key))
                    {
                        self.functions.insert(function.span.start, format!("{name}.{key}"));
                    }
                }
            }
            _ => {}
        }
    }

    /// Makes a call report its arguments: `f(a, b)` becomes `f(...hook([a, b], ...))`.
    fn begin_site(&mut self, args: &[Argument<'_>], wanted: bool) -> bool {
        let Some(first) = args.first().filter(|_| wanted) else { return false };
        self.insert(first.span().start, format!("...{}([", HOOKS[1]));
        true
    }

    fn end_site(&mut self, args: &[Argument<'_>], name: &[&str], new: bool, offset: u32) {
        let Some(last) = args.last() else { return };
        let mut joined = String::new();
        for part in name {
            if !joined.is_empty() {
                joined.push(JOINT);
            }
            joined.push_str(part);
        }
        let name = serde_json::to_string(&joined).unwrap_or_else(|_| "\"\"".into());
        self.insert(last.span().end, format!("],{name},{new},{},{offset})", self.index));
    }

    /// Guards each `var` of a declaration separately, so that the others still run after an error.
    fn guard_variables(&mut self, it: &VariableDeclaration<'_>) {
        let guarded = self.may_guard()
            && it.kind == VariableDeclarationKind::Var
            && it.declarations.iter().all(|one| matches!(one.id, BindingPattern::BindingIdentifier(_)))
            && it.declarations.iter().any(|one| one.init.as_ref().is_some_and(may_throw));
        if !guarded {
            self.visit_variable_declaration(it);
            return;
        }
        let count = it.declarations.len();
        for (at, one) in it.declarations.iter().enumerate() {
            let BindingPattern::BindingIdentifier(id) = &one.id else { continue };
            self.visit_binding_identifier(id);
            let mut end = one.span.end;
            let mut tail = String::from(";");
            if let Some(init) = &one.init {
                let init_span = init.span();
                self.replace(id.span.end, init_span.start, format!(";try{{{}=(", id.name));
                self.visit_expression(init);
                end = init_span.end;
                tail = guard_end();
            }
            match it.declarations.get(at + 1) {
                Some(next) => {
                    tail.push_str("var ");
                    self.replace(end, next.span.start, tail);
                }
                None if at + 1 == count => self.replace(end, it.span.end.max(end), tail),
                None => {}
            }
        }
    }

    fn statements(&mut self, list: &[Statement<'_>]) {
        for statement in list {
            if let Statement::VariableDeclaration(it) = statement {
                self.guard_variables(it);
            } else {
                self.visit_statement(statement);
            }
        }
    }

    fn note_import(&mut self, request: &str, name: &str) {
        self.imports.entry(request.to_owned()).or_default().insert(name.to_owned());
    }
}

fn guard_end() -> String {
    format!(")}}catch(__e){{{}(__e)}}", HOOKS[2])
}

fn may_throw(expression: &Expression<'_>) -> bool {
    !matches!(
        expression,
        Expression::StringLiteral(_)
            | Expression::NumericLiteral(_)
            | Expression::BooleanLiteral(_)
            | Expression::NullLiteral(_)
            | Expression::RegExpLiteral(_)
            | Expression::FunctionExpression(_)
            | Expression::ArrowFunctionExpression(_)
            | Expression::ThisExpression(_)
    )
}

fn is_telling_object(it: &ObjectExpression<'_>) -> bool {
    it.properties.iter().any(|property| match property {
        ObjectPropertyKind::ObjectProperty(property) => {
            property.key.static_name().is_some_and(|name| is_relevant_member(&name))
        }
        ObjectPropertyKind::SpreadProperty(_) => false,
    })
}

/// Returns the written names of a callee: `a.b.c`, `(0, a.b)`.
fn callee_names<'b>(callee: &'b Expression<'_>) -> Vec<&'b str> {
    let mut names = Vec::new();
    let mut at = callee;
    loop {
        match at {
            Expression::ParenthesizedExpression(it) => at = &it.expression,
            Expression::SequenceExpression(it) => match it.expressions.last() {
                Some(last) => at = last,
                None => break,
            },
            Expression::StaticMemberExpression(it) => {
                if it.property.name != "default" {
                    names.push(it.property.name.as_str());
                }
                at = &it.object;
            }
            Expression::Identifier(it) => {
                // Short names are the result of minification.
                if it.name.len() > 2 || matches!(it.name.as_str(), "L" | "ol" | "H") {
                    names.push(it.name.as_str());
                }
                break;
            }
            _ => break,
        }
        if names.len() > 8 {
            break;
        }
    }
    names.reverse();
    names
}

fn tells(args: &[Argument<'_>]) -> bool {
    args.iter().any(|arg| match arg {
        Argument::StringLiteral(it) => looks_like_address(it.value.as_str()),
        Argument::TemplateLiteral(it) => {
            it.quasis.iter().any(|part| looks_like_address(part.value.raw.as_str()))
        }
        Argument::ObjectExpression(it) => is_telling_object(it),
        _ => false,
    })
}

impl<'a> VisitJs<'a> for ScriptScanner<'_> {
    fn visit_program(&mut self, it: &Program<'a>) {
        for statement in &it.body {
            self.declare_top(statement);
        }
        self.statements(&it.body);
    }

    fn visit_function_body(&mut self, it: &FunctionBody<'a>) {
        self.statements(&it.statements);
    }

    fn visit_block_statement(&mut self, it: &BlockStatement<'a>) {
        self.statements(&it.body);
    }

    fn visit_function(&mut self, it: &Function<'a>, flags: ScopeFlags) {
        let tries = std::mem::take(&mut self.tries);
        if let (Some(name), Some(body)) = (self.functions.get(&it.span.start), &it.body) {
            let name = serde_json::to_string(name).unwrap_or_else(|_| "\"\"".into());
            // Directives must remain first.
            let at = body.directives.last().map_or(body.span.start + 1, |last| last.span.end);
            self.insert(at, format!(";{}({name});", HOOKS[5]));
        }
        walk_js::walk_function(self, it, flags);
        self.tries = tries;
    }

    fn visit_arrow_function_expression(&mut self, it: &oxc_ast::ast::ArrowFunctionExpression<'a>) {
        let tries = std::mem::take(&mut self.tries);
        walk_js::walk_arrow_function_expression(self, it);
        self.tries = tries;
    }

    fn visit_try_statement(&mut self, it: &TryStatement<'a>) {
        self.tries += 1;
        self.visit_block_statement(&it.block);
        self.tries -= 1;
        if let Some(handler) = &it.handler {
            self.visit_catch_clause(handler);
        }
        if let Some(finalizer) = &it.finalizer {
            self.visit_block_statement(finalizer);
        }
    }

    fn visit_expression_statement(&mut self, it: &ExpressionStatement<'a>) {
        if !self.may_guard() {
            self.visit_expression(&it.expression);
            return;
        }
        let parts: Vec<&Expression<'a>> = match &it.expression {
            Expression::SequenceExpression(list) => list.expressions.iter().collect(),
            one => vec![one],
        };
        // Several parts need a block, because they may be the only statement of an `if`.
        let block = parts.len() > 1;
        let (open, close) = if block { ("{", "}") } else { ("", "") };
        for (at, part) in parts.iter().enumerate() {
            let span = part.span();
            if at == 0 {
                self.replace(it.span.start, span.start, format!(" {open}try{{("));
            }
            self.visit_expression(part);
            match parts.get(at + 1) {
                Some(next) => self.replace(span.end, next.span().start, format!("{}try{{(", guard_end())),
                None => self.replace(span.end, it.span.end, format!("{}{close}", guard_end())),
            }
        }
    }

    fn visit_object_expression(&mut self, it: &ObjectExpression<'a>) {
        let telling = is_telling_object(it);
        if telling {
            // The space separates it from a keyword, as in `return{...}`.
            self.insert(it.span.start, format!(" {}(", HOOKS[0]));
        }
        walk_js::walk_object_expression(self, it);
        if telling {
            self.insert(it.span.end, format!(",{},{})", self.index, it.span.start));
        }
    }

    fn visit_call_expression(&mut self, it: &CallExpression<'a>) {
        // Call chains can be arbitrarily long, so use a loop instead of recursion.
        let mut pending: Vec<(&CallExpression<'a>, Vec<&str>)> = Vec::new();
        let mut at = it;
        loop {
            pending.push((at, Vec::new()));
            match chained(&at.callee) {
                Some(next) => at = next,
                None => break,
            }
        }
        if let Some((inner, _)) = pending.last() {
            self.visit_expression_chain(&inner.callee);
        }
        for (call, _) in pending.into_iter().rev() {
            self.call_arguments(call);
        }
    }

    fn visit_new_expression(&mut self, it: &NewExpression<'a>) {
        self.visit_expression(&it.callee);
        let name = callee_names(&it.callee);
        let wanted = !it.arguments.is_empty() && !name.last().is_some_and(|last| is_builtin(last));
        let begun = self.begin_site(&it.arguments, wanted);
        self.visit_arguments(&it.arguments);
        if begun {
            self.end_site(&it.arguments, &name, true, it.span.start);
        }
    }

    fn visit_binary_expression(&mut self, it: &BinaryExpression<'a>) {
        let mut right = vec![&it.right];
        let mut left = &it.left;
        while let Expression::BinaryExpression(next) = left {
            right.push(&next.right);
            left = &next.left;
        }
        self.visit_expression(left);
        right.into_iter().rev().for_each(|one| self.visit_expression(one));
    }

    fn visit_logical_expression(&mut self, it: &LogicalExpression<'a>) {
        let mut right = vec![&it.right];
        let mut left = &it.left;
        while let Expression::LogicalExpression(next) = left {
            right.push(&next.right);
            left = &next.left;
        }
        self.visit_expression(left);
        right.into_iter().rev().for_each(|one| self.visit_expression(one));
    }

    fn visit_static_member_expression(&mut self, it: &StaticMemberExpression<'a>) {
        if let Expression::Identifier(object) = &it.object
            && matches!(object.name.as_str(), "window" | "self" | "globalThis" | "top" | "parent")
            && is_library_root(it.property.name.as_str())
        {
            self.used.insert(self.text(it.property.span.start, it.property.span.end));
        }
        self.visit_expression_chain(&it.object);
    }

    fn visit_unary_expression(&mut self, it: &UnaryExpression<'a>) {
        if it.operator == UnaryOperator::Typeof
            && let Expression::Identifier(name) = &it.argument
            && !is_library_root(name.name.as_str())
        {
            return;
        }
        walk_js::walk_unary_expression(self, it);
    }

    fn visit_assignment_expression(&mut self, it: &AssignmentExpression<'a>) {
        match &it.left {
            AssignmentTarget::AssignmentTargetIdentifier(id) => {
                self.bound.insert(self.text(id.span.start, id.span.end));
                self.declared.insert(id.name.to_string());
                self.visit_expression(&it.right);
                return;
            }
            AssignmentTarget::StaticMemberExpression(member) => {
                if let Expression::Identifier(object) = &member.object
                    && matches!(object.name.as_str(), "window" | "self" | "globalThis" | "root" | "global")
                {
                    self.declared.insert(member.property.name.to_string());
                } else if matches!(member.object, Expression::ThisExpression(_))
                    && is_library_root(member.property.name.as_str())
                {
                    self.declared.insert(member.property.name.to_string());
                }
            }
            _ => {}
        }
        walk_js::walk_assignment_expression(self, it);
    }

    fn visit_identifier_reference(&mut self, it: &IdentifierReference<'a>) {
        self.used.insert(self.text(it.span.start, it.span.end));
    }

    fn visit_binding_identifier(&mut self, it: &BindingIdentifier<'a>) {
        self.bound.insert(self.text(it.span.start, it.span.end));
    }

    fn visit_import_declaration(&mut self, it: &ImportDeclaration<'a>) {
        let request = it.source.value.as_str();
        self.imports.entry(request.to_owned()).or_default();
        for specifier in it.specifiers.iter().flatten() {
            match specifier {
                ImportDeclarationSpecifier::ImportSpecifier(one) => {
                    self.note_import(request, one.imported.name().as_str());
                    self.visit_binding_identifier(&one.local);
                }
                ImportDeclarationSpecifier::ImportDefaultSpecifier(one) => {
                    self.note_import(request, "default");
                    self.visit_binding_identifier(&one.local);
                }
                ImportDeclarationSpecifier::ImportNamespaceSpecifier(one) => {
                    self.visit_binding_identifier(&one.local);
                    if !(self.is_known)(request) {
                        // A namespace object has fixed members, while a stand-in accepts any.
                        self.note_import(request, "default");
                        let local = one.local.name.to_string();
                        self.replace(one.span.start, one.span.end, format!("{{default as {local}}}"));
                    }
                }
            }
        }
    }

    fn visit_export_from_declaration(&mut self, it: &ExportFromDeclaration<'a>) {
        let request = it.source.value.as_str();
        self.imports.entry(request.to_owned()).or_default();
        for specifier in &it.specifiers {
            self.note_import(request, specifier.local.name().as_str());
        }
    }

    fn visit_import_expression(&mut self, it: &ImportExpression<'a>) {
        let span = it.source.span();
        self.replace(it.span.start, span.start, format!("{}(", HOOKS[3]));
        self.visit_expression(&it.source);
        self.replace(span.end, it.span.end, ",__m=>import(__m))");
    }
}

/// Returns the written path of a member.
fn dotted(target: &StaticMemberExpression<'_>) -> Option<String> {
    let mut parts = vec![target.property.name.to_string()];
    let mut at = &target.object;
    loop {
        match at {
            Expression::StaticMemberExpression(it) if parts.len() < 6 => {
                parts.push(it.property.name.to_string());
                at = &it.object;
            }
            Expression::Identifier(it) => {
                parts.push(it.name.to_string());
                parts.reverse();
                return Some(parts.join("."));
            }
            _ => return None,
        }
    }
}

fn is_identifier(text: &str) -> bool {
    text.chars().all(|one| one.is_ascii_alphanumeric() || one == '_' || one == '$')
        && !text.starts_with(|first: char| first.is_ascii_digit())
}

/// Returns the call that a call continues: `f(a)(b)`, `f(a).g(b)`.
fn chained<'b, 'a>(callee: &'b Expression<'a>) -> Option<&'b CallExpression<'a>> {
    let mut at = callee;
    loop {
        match at {
            Expression::CallExpression(it) => return Some(it),
            Expression::StaticMemberExpression(it) => at = &it.object,
            _ => return None,
        }
    }
}

impl ScriptScanner<'_> {
    /// Visits an expression, using a loop for leading members.
    fn visit_expression_chain(&mut self, it: &Expression<'_>) {
        let mut at = it;
        while let Expression::StaticMemberExpression(member) = at {
            if matches!(member.object, Expression::Identifier(_)) {
                break;
            }
            at = &member.object;
        }
        self.visit_expression(at);
    }

    fn call_arguments(&mut self, it: &CallExpression<'_>) {
        if let Expression::Identifier(callee) = &it.callee {
            let list = matches!(it.arguments.first(), Some(Argument::ArrayExpression(_)));
            match callee.name.as_str() {
                "require" | "requirejs" => self.amd |= list,
                "define" => {
                    self.amd |= list
                        || matches!(
                            it.arguments.first(),
                            Some(Argument::FunctionExpression(_) | Argument::StringLiteral(_))
                        );
                }
                _ => {}
            }
        }
        let name = callee_names(&it.callee);
        let special = matches!(it.callee, Expression::Super(_)) || name == ["eval"];
        let wanted = !special && (signs::is_relevant_call(&name) || tells(&it.arguments));
        let begun = self.begin_site(&it.arguments, wanted);
        self.visit_arguments(&it.arguments);
        if begun {
            self.end_site(&it.arguments, &name, false, it.span.start);
        }
    }
}
