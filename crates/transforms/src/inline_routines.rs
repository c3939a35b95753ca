//! Pass 1: calls that must become part of the kernel.
//!
//! A routine with gang, worker or vector parallelism (OpenACC 3.3 §2.15.1) shares its caller's threads, so its loops
//! have to be seen where the caller's are mapped. A function that uses variables at file scope needs the kernel's
//! parameters for them. Both are inlined; other functions stay calls.
//!
//! Inlined: arguments become locals, the last `return` an assignment. A `return` elsewhere, a function without a
//! body and recursion are the user's to mend.

use crate::context::Context;
use crate::regions;
use accl_analysis::walk;
use accl_ir::rewrite::{Cloner, rewrite_expr};
use accl_ir::{Block, Body, Expr, ExprKind, Function, Handle, Level, LocalKind, Module, Stmt, StmtNode};
use accl_source::codes::transforms as codes;
use accl_source::{Diagnostic, Span};

pub fn run(module: &mut Module, cx: &mut Context<'_>) {
    let files = cx.options.files;
    regions::each_compute(module, files, &mut |module, body, region, _| {
        if !check_calls(module, body, &region.body, cx) {
            return;
        }
        let mut pass = Inliner { module, diagnostics: vec![], depth: 0 };
        pass.block(body, &mut region.body);
        cx.diagnostics.append(&mut pass.diagnostics);
    });
}

/// Whether every function reached from the block has a body and does not reach itself.
fn check_calls(module: &Module, body: &Body, block: &Block, cx: &mut Context<'_>) -> bool {
    let mut good = true;
    for (function, span) in calls(body, block) {
        let mut path = vec![];
        if let Some(wrong) = check(module, function, span, &mut path) {
            good = false;
            if !cx.diagnostics.iter().any(|d| d.labels.first() == wrong.labels.first()) {
                cx.diagnostics.push(wrong.label(span, "called from a compute region"));
            }
        }
    }
    good
}

fn check(
    module: &Module,
    function: Handle<Function>,
    span: Span,
    path: &mut Vec<Handle<Function>>,
) -> Option<Diagnostic> {
    let name = &module.functions[function].name;
    if path.contains(&function) {
        let error =
            Diagnostic::error(codes::RECURSION, format!("`{name}`, called from a kernel, calls itself"))
                .label(span, "recursive call")
                .with_note(
                    "a thread of a device has a small stack of fixed size, and OpenCL has no recursion",
                )
                .with_help(
                    "write it as a loop, with a local array as its stack if need be, or call it on the host",
                );
        return Some(error);
    }
    let Some(body) = &module.functions[function].body else {
        let error = Diagnostic::error(
            codes::NO_BODY,
            format!("`{name}` is called from a kernel but has no body here"),
        );
        return Some(error.at(span).with_help("put its definition into this file, for example in a header"));
    };
    path.push(function);
    let found = calls(body, &body.block).into_iter().find_map(|(f, span)| check(module, f, span, path));
    path.pop();
    found
}

fn calls(body: &Body, block: &Block) -> Vec<(Handle<Function>, Span)> {
    let mut found = vec![];
    walk::stmts(block, &mut |node| {
        if let Stmt::Call { function, .. } = node.kind {
            found.push((function, node.span));
        }
        for used in walk::uses(&node.kind) {
            walk::expr_tree(&body.exprs, used.expr(), &mut |e| {
                if let ExprKind::Call { function, .. } = body.exprs[e].kind {
                    found.push((function, body.exprs[e].span));
                }
            });
        }
    });
    found
}

struct Inliner<'m> {
    module: &'m mut Module,
    diagnostics: Vec<Diagnostic>,
    /// Guards against recursion, which has its own message.
    depth: usize,
}

const MAX_DEPTH: usize = 64;

impl Inliner<'_> {
    fn block(&mut self, body: &mut Body, block: &mut Block) {
        for mut node in std::mem::take(block) {
            self.calls_in_exprs(body, &mut node, block);
            for inner in node.kind.blocks_mut() {
                self.block(body, inner);
            }
            match &node.kind {
                Stmt::Call { dest, function, args } if self.is_inlined(*function) => {
                    let (dest, function, args) = (*dest, *function, args.clone());
                    let inlined = self.inline(body, dest, function, &args, node.span);
                    block.push(StmtNode { kind: Stmt::Block(inlined), span: node.span });
                }
                _ => block.push(node),
            }
        }
    }

    fn is_inlined(&self, function: Handle<Function>) -> bool {
        let f = &self.module.functions[function];
        let Some(body) = &f.body else { return false };
        let shares_threads = matches!(f.routine, Some(Level::Gang | Level::Worker | Level::Vector));
        self.depth < MAX_DEPTH && (shares_threads || self.uses_globals(body, 0))
    }

    /// The function, or one it calls, uses a variable at file scope that is no known constant.
    fn uses_globals(&self, body: &Body, depth: usize) -> bool {
        let mut found = false;
        walk::all_exprs(&body.exprs, &body.block, &mut |e| match body.exprs[e].kind {
            ExprKind::Global(g) => found |= self.module.globals[g].value.is_none(),
            ExprKind::Call { function, .. } => found |= self.callee_uses_globals(function, depth),
            _ => {}
        });
        walk::stmts(&body.block, &mut |node| {
            if let Stmt::Call { function, .. } = node.kind {
                found |= self.callee_uses_globals(function, depth);
            }
        });
        found
    }

    fn callee_uses_globals(&self, function: Handle<Function>, depth: usize) -> bool {
        let body = self.module.functions[function].body.as_ref();
        depth < MAX_DEPTH && body.is_some_and(|b| self.uses_globals(b, depth + 1))
    }

    /// Calls inside expressions become temporaries before the statement.
    fn calls_in_exprs(&mut self, body: &mut Body, node: &mut StmtNode, out: &mut Block) {
        let loops = matches!(node.kind, Stmt::While { .. });
        let span = node.span;
        let mut roots: Vec<Handle<Expr>> = node.kind.operands().into_iter().map(|(e, _)| e).collect();
        for root in &mut roots {
            if !self.has_inlined_call(body, *root) {
                continue;
            }
            if loops {
                self.refuse(span, "it is called in the condition of a while loop");
                continue;
            }
            *root = rewrite_expr(body, *root, &mut |body, e| {
                let ExprKind::Call { function, args } = body.exprs[e].kind.clone() else { return e };
                if !self.is_inlined(function) {
                    return e;
                }
                let result = body.temp("result", body.exprs[e].ty);
                let place = body.place(result);
                out.push(StmtNode { kind: Stmt::Declare { local: result, init: None }, span });
                let inlined = self.inline(body, Some(place), function, &args, span);
                out.push(StmtNode { kind: Stmt::Block(inlined), span });
                body.load(place)
            });
        }
        let mut roots = roots.into_iter();
        node.kind.operands_mut(|e| *e = roots.next().unwrap_or(*e));
    }

    fn has_inlined_call(&self, body: &Body, root: Handle<Expr>) -> bool {
        let mut found = false;
        walk::expr_tree(&body.exprs, root, &mut |e| {
            if let ExprKind::Call { function, .. } = body.exprs[e].kind {
                found |= self.is_inlined(function);
            }
        });
        found
    }

    /// The callee's statements with its parameters as locals.
    fn inline(
        &mut self,
        body: &mut Body,
        dest: Option<Handle<Expr>>,
        function: Handle<Function>,
        args: &[Handle<Expr>],
        span: Span,
    ) -> Block {
        let callee = self.module.functions[function].clone();
        let Some(from) = &callee.body else { return vec![] };
        let mut cloner = Cloner::with_types(&mut self.module.types);
        let mut result: Block = vec![];
        for (param, arg) in callee.params.iter().zip(args) {
            let local = cloner.local(from, body, *param);
            body.locals[local].kind = LocalKind::Auto;
            result.push(StmtNode { kind: Stmt::Declare { local, init: Some(*arg) }, span });
        }
        let mut block = cloner.block(from, body, &from.block);
        let value = take_return(&mut block);
        if walk_has_return(&block) {
            let name = callee.name;
            self.refuse(span, &format!("`{name}` returns before its end"));
            return vec![];
        }
        self.depth += 1;
        self.block(body, &mut block);
        self.depth -= 1;
        result.extend(block);
        if let (Some(place), Some(value)) = (dest, value) {
            result.push(StmtNode { kind: Stmt::Store { place, op: None, value }, span });
        }
        result
    }

    fn refuse(&mut self, span: Span, reason: &str) {
        let message = format!("this routine cannot be made part of the kernel: {reason}");
        let error = Diagnostic::error(codes::CANNOT_INLINE, message)
            .at(span)
            .with_note("routines with gang, worker or vector loops, and those that use variables at file scope, are inlined")
            .with_help("use one return at the end, or declare the routine seq and pass what it needs");
        if !self.diagnostics.contains(&error) {
            self.diagnostics.push(error);
        }
    }
}

/// Takes off the `return` at the end; its value.
fn take_return(block: &mut Block) -> Option<Handle<Expr>> {
    match &mut block.last_mut()?.kind {
        Stmt::Return(value) => {
            let value = *value;
            block.pop();
            value
        }
        Stmt::Block(inner) => take_return(inner),
        _ => None,
    }
}

fn walk_has_return(block: &Block) -> bool {
    block.iter().any(|n| n.kind.returns())
}
