//! Recognises how bundlers name chunks.

use super::eval::{EvalEnv, ExpressionEvaluator, FoldValue};
use super::table::FuncNode;
use oxc_ast::ast::Expression;

impl ExpressionEvaluator<'_> {
    /// Returns webpack's function from a chunk number to a file (`n.u = e => ...`) and the public
    /// path of all files (`n.p = "/static/"`).
    pub(super) fn chunk_names(&mut self) -> Option<(u32, Option<String>)> {
        let mut file = None;
        let mut public = None;
        for member in 0..self.t.members.len() {
            let Some(node) = self.t.members.get(member).map(|member| member.node) else { continue };
            let name = node.left.as_member_expression().and_then(super::collect::member_name);
            match name {
                Some("u") if file.is_none() => {
                    let func = match &node.right {
                        Expression::ArrowFunctionExpression(arrow) => arrow.scope_id.get(),
                        Expression::FunctionExpression(function) => function.scope_id.get(),
                        _ => None,
                    };
                    let func = func.map(|func| func.index() as u32);
                    let one = func.and_then(|func| self.t.funcs.get(func as usize)).is_some_and(|func| {
                        let (FuncNode::Function(_) | FuncNode::Arrow(_)) = func.node;
                        func.node.params().items.len() == 1
                    });
                    if one {
                        file = func;
                    }
                }
                Some("p") if public.is_none() => {
                    if let FoldValue::Text(text) = self.eval(&node.right, &EvalEnv::default())
                        && !text.contains(crate::model::HOLE)
                    {
                        public = Some(text.to_string());
                    }
                }
                _ => {}
            }
        }
        file.map(|file| (file, public))
    }
}
