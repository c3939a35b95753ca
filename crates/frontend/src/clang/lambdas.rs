//! Lambdas: what they capture, and their bodies, of generic ones each instance.
//!
//! The dump contains the class of a lambda, with a member for each capture in their order, then the captures'
//! initialisers, then the body. Members have no names there. But each is located where its variable is first named,
//! and the text there has the name.

use super::decls::Converter;
use super::json::Node;
use crate::ast::*;
use crate::lower::walk;

impl Converter<'_> {
    pub(super) fn lambda(&mut self, node: &Node<'_>) -> ExprKind {
        let (class, body) = match &node.inner[..] {
            [class, .., body] if &*class.kind == "CXXRecordDecl" && &*body.kind == "CompoundStmt" => {
                (class, body)
            }
            _ => return ExprKind::Unsupported("a lambda", vec![]),
        };
        let inits = &node.inner[1..node.inner.len() - 1];
        let mut methods = vec![];
        let mut written = None;
        for member in class.children().filter(|n| &*n.name == "operator()") {
            if &*member.kind == "CXXMethodDecl" {
                written = Some(member);
                methods.push(member);
            }
            for instance in member.children().filter(|n| &*n.kind == "CXXMethodDecl") {
                if instance.children().any(|n| &*n.kind == "TemplateArgument") {
                    methods.push(instance);
                } else {
                    written = Some(instance);
                }
            }
        }
        let Some(written) = written else { return ExprKind::Unsupported("a lambda", vec![]) };
        let mutable = !written.ty.qual_type.contains(") const");
        let params = self.params(written);
        let body = self.stmt(body);
        let calls: Vec<LambdaCall> = methods.into_iter().filter_map(|n| self.lambda_call(n)).collect();
        let fields: Vec<&Node<'_>> = class.children().filter(|n| &*n.kind == "FieldDecl").collect();
        if fields.len() != inits.len() {
            return ExprKind::Unsupported("a lambda", vec![]);
        }
        let list = self.capture_list_end(node);
        let captures = fields.into_iter().zip(inits).map(|(f, i)| self.capture(f, i, list, &calls)).collect();
        ExprKind::Lambda(Box::new(Lambda { params, body, captures, calls, mutable }))
    }

    fn params(&mut self, method: &Node<'_>) -> Vec<Var> {
        method.children().filter(|n| &*n.kind == "ParmVarDecl").map(|n| self.var(n)).collect()
    }

    fn lambda_call(&mut self, method: &Node<'_>) -> Option<LambdaCall> {
        let params = self.params(method);
        let body = method.children().filter(|n| &*n.kind == "CompoundStmt").last()?;
        let body = self.stmt(body);
        let result = self.types.result(method.ty.text());
        Some(LambdaCall { id: self.id(method.id), params, body, result })
    }

    /// The position of the `]` that ends the capture list of a lambda.
    fn capture_list_end(&self, node: &Node<'_>) -> usize {
        let span = self.span(node);
        let text = self.buffer.get(span.start as usize..span.end as usize).unwrap_or("");
        let mut depth = 0;
        let end = text.char_indices().find(|(_, c)| {
            match c {
                '[' | '(' | '{' => depth += 1,
                ']' | ')' | '}' => depth -= 1,
                _ => {}
            }
            depth == 0
        });
        span.start as usize + end.map_or(0, |(at, _)| at)
    }

    fn capture(&mut self, field: &Node<'_>, init: &Node<'_>, list: usize, calls: &[LambdaCall]) -> Capture {
        let init = self.expr(init);
        let at = field.loc.offset().unwrap_or(0) as usize;
        let text = self.buffer.get(at..).unwrap_or("");
        let is_letter = |c: char| c.is_alphanumeric() || c == '_';
        let name = &text[..text.find(|c| !is_letter(c)).unwrap_or(text.len())];
        let after = text[name.len()..].trim_start();
        let declares = at < list && after.starts_with(['=', '(', '{']);
        // Arrays are copied by loops that Clang makes and that name nothing.
        let by_use = || declared_by_capture(name, calls);
        let id = if declares { by_use() } else { captured(&init).or_else(by_use) };
        let mut ty = self.types.read(field.ty.text());
        // What a structured binding is an element of, its type only tells in the library's words.
        if matches!(&*ty.referred().ty, Ty::Opaque(name) if name.contains("tuple_element")) {
            let element = init.ty.referred().clone();
            ty = if ty.is_reference() { Qual::new(Ty::Reference(element)) } else { element };
        }
        Capture { id, name: name.to_owned(), ty, init, declares }
    }
}

/// The variable that an initialiser reads or refers to.
fn captured(init: &Expr) -> Option<DeclId> {
    match &init.kind {
        ExprKind::Var(id, _) => Some(*id),
        ExprKind::Cast { operand, .. } => captured(operand),
        ExprKind::Construct { args, .. } => match &args[..] {
            [source] => captured(source),
            _ => None,
        },
        _ => None,
    }
}

/// The dump has no declaration of the variable, only its uses.
fn declared_by_capture(name: &str, calls: &[LambdaCall]) -> Option<DeclId> {
    let mut found = None;
    for call in calls {
        let mut own: Vec<DeclId> = call.params.iter().map(|p| p.id).collect();
        walk::vars(&call.body, &mut |var| own.push(var.id));
        walk::exprs(&call.body, &mut |e| {
            if let ExprKind::Var(id, named) = &e.kind
                && **named == *name
                && !own.contains(id)
            {
                found.get_or_insert(*id);
            }
        });
    }
    found
}
