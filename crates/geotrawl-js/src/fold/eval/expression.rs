//! Evaluates expressions.

use super::text::concat_values;
use super::{DEEPEST, EvalEnv, ExpressionEvaluator, FoldValue, MOST_ELEMENTS, one_of};
use crate::fold::table::CallNode;
use oxc_ast::ast::{
    ArrayExpressionElement, BinaryExpression, ChainElement, Expression, ObjectPropertyKind, TemplateLiteral,
};
use oxc_syntax::operator::{AssignmentOperator, BinaryOperator, LogicalOperator, UnaryOperator};
use std::rc::Rc;

impl<'a> ExpressionEvaluator<'a> {
    /// Returns the value of an expression.
    pub fn eval(&mut self, expression: &'a Expression<'a>, env: &EvalEnv<'a>) -> FoldValue<'a> {
        if self.depth > DEEPEST || !self.step(1) {
            return FoldValue::Unknown;
        }
        self.depth += 1;
        let value = self.expression(expression, env);
        self.depth -= 1;
        value
    }

    fn expression(&mut self, expression: &'a Expression<'a>, env: &EvalEnv<'a>) -> FoldValue<'a> {
        match expression {
            Expression::StringLiteral(text) => FoldValue::Text(Rc::from(text.value.as_str())),
            Expression::NumericLiteral(number) => FoldValue::Number(number.value),
            Expression::BooleanLiteral(value) => FoldValue::Bool(value.value),
            Expression::NullLiteral(_) => FoldValue::Null,
            Expression::RegExpLiteral(regex) => FoldValue::Regex(regex),
            Expression::TemplateLiteral(template) => self.template(template, false, env),
            Expression::TaggedTemplateExpression(tagged) => match &tagged.tag {
                Expression::StaticMemberExpression(tag) if tag.property.name == "raw" => {
                    self.template(&tagged.quasi, true, env)
                }
                _ => FoldValue::Unknown,
            },
            Expression::Identifier(name) => self.eval_identifier(name, env),
            Expression::BinaryExpression(binary) => self.binary(binary, env),
            Expression::ConditionalExpression(conditional) => {
                let one = self.eval(&conditional.consequent, env);
                let other = self.eval(&conditional.alternate, env);
                one_of([one, other])
            }
            Expression::LogicalExpression(logical) => {
                let right = self.eval(&logical.right, env);
                if logical.operator == LogicalOperator::And {
                    return right;
                }
                let left = self.eval(&logical.left, env);
                match left {
                    FoldValue::Bool(false) | FoldValue::Null | FoldValue::Undefined => right,
                    FoldValue::Text(ref text) if text.is_empty() => right,
                    left => one_of([left, right]),
                }
            }
            Expression::SequenceExpression(sequence) => match sequence.expressions.last() {
                Some(last) => self.eval(last, env),
                None => FoldValue::Unknown,
            },
            Expression::AssignmentExpression(assignment) => match assignment.operator {
                AssignmentOperator::Assign
                | AssignmentOperator::LogicalOr
                | AssignmentOperator::LogicalNullish => self.eval(&assignment.right, env),
                _ => FoldValue::Unknown,
            },
            Expression::AwaitExpression(awaited) => self.eval(&awaited.argument, env),
            Expression::ParenthesizedExpression(inner) => self.eval(&inner.expression, env),
            Expression::TSAsExpression(inner) => self.eval(&inner.expression, env),
            Expression::TSSatisfiesExpression(inner) => self.eval(&inner.expression, env),
            Expression::TSTypeAssertion(inner) => self.eval(&inner.expression, env),
            Expression::TSNonNullExpression(inner) => self.eval(&inner.expression, env),
            Expression::TSInstantiationExpression(inner) => self.eval(&inner.expression, env),
            Expression::ChainExpression(chain) => match &chain.expression {
                ChainElement::CallExpression(call) => self.eval_call(CallNode::Call(call), env),
                ChainElement::TSNonNullExpression(inner) => self.eval(&inner.expression, env),
                element => match element.as_member_expression() {
                    Some(member) => self.member_expression(member, env),
                    None => FoldValue::Unknown,
                },
            },
            Expression::ObjectExpression(object) => FoldValue::Literal(object, env.clone()),
            Expression::ArrayExpression(array) => {
                let mut out = Vec::with_capacity(array.elements.len().min(MOST_ELEMENTS));
                for element in array.elements.iter().take(MOST_ELEMENTS) {
                    match element {
                        ArrayExpressionElement::SpreadElement(spread) => {
                            let spread = self.eval(&spread.argument, env);
                            out.extend(Self::list_elements(&spread));
                        }
                        ArrayExpressionElement::Elision(_) => out.push(FoldValue::Undefined),
                        element => {
                            if let Some(element) = element.as_expression() {
                                out.push(self.eval(element, env));
                            }
                        }
                    }
                }
                out.truncate(MOST_ELEMENTS);
                FoldValue::List(out.into())
            }
            Expression::FunctionExpression(function) => match function.scope_id.get() {
                Some(number) => FoldValue::Func(number.index() as u32, env.clone()),
                None => FoldValue::Unknown,
            },
            Expression::ArrowFunctionExpression(arrow) => match arrow.scope_id.get() {
                Some(number) => FoldValue::Func(number.index() as u32, env.clone()),
                None => FoldValue::Unknown,
            },
            Expression::ClassExpression(class) => match class.scope_id.get() {
                Some(number) => FoldValue::Class(number.index() as u32),
                None => FoldValue::Unknown,
            },
            Expression::CallExpression(call) => self.eval_call(CallNode::Call(call), env),
            Expression::NewExpression(new) => self.eval_call(CallNode::New(new), env),
            Expression::ThisExpression(this) => self.eval_this(this.node_id.get().index() as u32),
            Expression::ImportMeta(_) => FoldValue::Path([Rc::from("import"), Rc::from("meta")].into()),
            Expression::ImportExpression(import) => {
                let FoldValue::Text(source) = self.eval(&import.source, env) else {
                    return FoldValue::Unknown;
                };
                self.import_url(&source)
            }
            Expression::UnaryExpression(unary) => {
                let value = self.eval(&unary.argument, env);
                match (unary.operator, value) {
                    (UnaryOperator::LogicalNot, FoldValue::Number(number)) => FoldValue::Bool(number == 0.0),
                    (UnaryOperator::LogicalNot, FoldValue::Bool(value)) => FoldValue::Bool(!value),
                    (UnaryOperator::UnaryNegation, FoldValue::Number(number)) => FoldValue::Number(-number),
                    (UnaryOperator::UnaryPlus, value @ FoldValue::Number(_)) => value,
                    (UnaryOperator::Void, _) => FoldValue::Undefined,
                    _ => FoldValue::Unknown,
                }
            }
            expression => match expression.as_member_expression() {
                Some(member) => self.member_expression(member, env),
                None => FoldValue::Unknown,
            },
        }
    }

    fn template(&mut self, template: &'a TemplateLiteral<'a>, raw: bool, env: &EvalEnv<'a>) -> FoldValue<'a> {
        let mut pieces = Vec::with_capacity(template.quasis.len() * 2);
        for (index, quasi) in template.quasis.iter().enumerate() {
            let text =
                if raw { &quasi.value.raw } else { quasi.value.cooked.as_ref().unwrap_or(&quasi.value.raw) };
            pieces.push(FoldValue::from_text(text));
            if let Some(value) = template.expressions.get(index) {
                pieces.push(self.eval(value, env));
            }
        }
        self.join_values(&pieces)
    }

    /// Concatenates values and counts the cost in steps.
    pub(super) fn join_values(&mut self, pieces: &[FoldValue<'a>]) -> FoldValue<'a> {
        let value = concat_values(pieces);
        for text in value.alternatives() {
            if let FoldValue::Text(text) = text {
                self.steps += text.len() as u64 / 32;
            }
        }
        value
    }

    /// Long chains of `+` lean to the left, so they are evaluated without recursion.
    fn binary(&mut self, binary: &'a BinaryExpression<'a>, env: &EvalEnv<'a>) -> FoldValue<'a> {
        if binary.operator != BinaryOperator::Addition {
            let (left, right) = (self.eval(&binary.left, env), self.eval(&binary.right, env));
            return match (binary.operator, left, right) {
                (BinaryOperator::Subtraction, FoldValue::Number(a), FoldValue::Number(b)) => {
                    FoldValue::Number(a - b)
                }
                (BinaryOperator::Multiplication, FoldValue::Number(a), FoldValue::Number(b)) => {
                    FoldValue::Number(a * b)
                }
                (BinaryOperator::Division, FoldValue::Number(a), FoldValue::Number(b)) => {
                    FoldValue::Number(a / b)
                }
                _ => FoldValue::Unknown,
            };
        }
        let mut parts = vec![&binary.right];
        let mut left = &binary.left;
        while let Expression::BinaryExpression(inner) = left {
            if inner.operator != BinaryOperator::Addition || parts.len() > 4 * MOST_ELEMENTS {
                break;
            }
            parts.push(&inner.right);
            left = &inner.left;
        }
        parts.push(left);
        let values: Vec<FoldValue<'a>> = parts.into_iter().rev().map(|part| self.eval(part, env)).collect();
        let numbers = values.iter().map(|value| match value {
            FoldValue::Number(number) => Some(*number),
            _ => None,
        });
        if let Some(sum) = numbers.sum::<Option<f64>>() {
            return FoldValue::Number(sum);
        }
        let texts = values.iter().flat_map(FoldValue::alternatives);
        if texts.clone().any(|value| matches!(value, FoldValue::Text(_))) {
            self.join_values(&values)
        } else {
            FoldValue::Unknown
        }
    }

    /// Returns the elements of a list, or the values of an object.
    pub(super) fn list_elements(value: &FoldValue<'a>) -> Vec<FoldValue<'a>> {
        let mut out = Vec::new();
        for value in value.alternatives() {
            match value {
                FoldValue::List(list) => out.extend(list.iter().cloned()),
                FoldValue::With(with) => out.extend(Self::list_elements(&with.base)),
                _ => {}
            }
            if out.len() >= MOST_ELEMENTS {
                out.truncate(MOST_ELEMENTS);
                break;
            }
        }
        out
    }

    /// Returns the members of an object with their names.
    pub(super) fn object_entries(&mut self, value: &FoldValue<'a>) -> Vec<(Rc<str>, FoldValue<'a>)> {
        let mut out = Vec::new();
        if self.depth > DEEPEST {
            return out;
        }
        self.depth += 1;
        for value in value.alternatives() {
            match value {
                FoldValue::Fields(fields) => out.extend(fields.iter().cloned()),
                FoldValue::Literal(object, env) => {
                    for property in object.properties.iter().take(MOST_ELEMENTS) {
                        match property {
                            ObjectPropertyKind::SpreadProperty(spread) => {
                                let spread = self.eval(&spread.argument, env);
                                let spread = self.object_entries(&spread);
                                out.extend(spread);
                            }
                            ObjectPropertyKind::ObjectProperty(property) => {
                                if let Some(name) = self.property_name(property, env) {
                                    let value = self.property_value(property, env);
                                    out.push((name, value));
                                }
                            }
                        }
                        if out.len() > MOST_ELEMENTS {
                            break;
                        }
                    }
                }
                FoldValue::With(with) => {
                    let base = self.object_entries(&with.base);
                    out.extend(base);
                    out.extend(self.assigned_entries(with));
                }
                FoldValue::Instance(holder) => out.extend(self.holder_entries(*holder)),
                FoldValue::List(list) => {
                    out.extend(
                        list.iter().enumerate().map(|(at, value)| (at.to_string().into(), value.clone())),
                    );
                }
                _ => {}
            }
        }
        self.depth -= 1;
        out.truncate(MOST_ELEMENTS);
        out
    }
}
