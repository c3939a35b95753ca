//! Pass 1: calls that must become part of the kernel.
//!
//! A routine with gang, worker or vector parallelism (OpenACC 3.3 §2.15.1) shares its caller's threads, so its loops
//! have to be seen where the caller's are mapped. A function that uses variables at file scope needs the kernel's
//! parameters for them (where it cannot be inlined, `global_parameters` has passed them to it). A function that is handed a compressed array has to decode it. One that works on a row
//! which an iteration of the construct's loop has for itself, or goes through its iteration's row of an array ([`rows`]), has loops that the
//! lanes of a gang may share. All these are inlined; other functions stay calls.
//!
//! Inlining makes locals of arguments and assignments of `return`s ([`returns`]). A `return` in a loop, a function
//! without a body, and a function to be inlined that calls itself are errors that the user has to mend.

use crate::context::Context;
use crate::levels::{own_arrays, rows};
use crate::pass::Pass;
use crate::regions::{self, Asks};
use crate::returns;
use accl_analysis::indirect::has_pointers;
use accl_ir::calls::calls;
use accl_ir::rewrite::{Cloner, mentions, rewrite_expr, rewrite_exprs};
use accl_ir::{
    BinaryOp, Block, Body, DataVar, Expr, ExprKind, Function, Handle, Level, Local, LocalKind, Module,
    Region, Stmt, StmtNode, TypeKind, Types, visit,
};
use accl_source::codes::transforms as codes;
use accl_source::{Diagnostic, Span};
use std::collections::BTreeSet;

pub const PASS: Pass = Pass {
    name: "inline_routines",
    promise: "Routines that share their caller's threads are part of it.",
    run,
};

fn run(module: &mut Module, cx: &mut Context<'_>) {
    regions::each_compute(module, Asks::Nothing, &mut |module, body, region, site| {
        if !check_calls(module, body, &region.body, cx) {
            return;
        }
        let loops = visit::top_loops(&region.body).into_iter();
        let rows = loops
            .flat_map(|l| own_arrays::own_rows(&module.types, body, region, l))
            .map(|(l, _)| l)
            .collect();
        let iteration = rows::parallel_loop(region).map_or_else(BTreeSet::new, |l| rows::follow(body, l));
        let mut pass = Inliner {
            module,
            compressed: compressed(region),
            rows,
            iteration,
            statements: 0,
            diagnostics: vec![],
            open: vec![],
            inlined: false,
        };
        pass.block(body, &mut region.body);
        if pass.inlined {
            cx.analyses.forget(site.construct);
        }
        cx.diagnostics.append(&mut pass.diagnostics);
    });
}

/// The arrays that the construct's kernels decode.
fn compressed(region: &Region) -> Vec<DataVar> {
    let held = region.clauses.data.iter().filter(|item| item.compression.is_some()).map(|item| &item.var);
    held.chain(region.clauses.compression.iter().map(|c| &c.var)).cloned().collect()
}

/// Whether every function reached from the block has a body.
fn check_calls(module: &Module, body: &Body, block: &Block, cx: &mut Context<'_>) -> bool {
    let mut good = true;
    for (function, span) in calls(body, block) {
        if let Some(wrong) = check(module, function, span, &mut BTreeSet::new()) {
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
    seen: &mut BTreeSet<Handle<Function>>,
) -> Option<Diagnostic> {
    if !seen.insert(function) {
        return None;
    }
    let known = &module.functions[function];
    if known.is_allocation() || known.is_clock() || known.is_fence() {
        return None;
    }
    let Some(body) = &module.functions[function].body else {
        let name = &module.functions[function].name;
        let error = Diagnostic::error(
            codes::NO_BODY,
            format!("`{name}` is called from a kernel but has no body here"),
        );
        return Some(error.at(span).with_help(
            "put its definition into this file, for example in a header, or declare it as the file does that defines it",
        ));
    };
    calls(body, &body.block).into_iter().find_map(|(f, span)| check(module, f, span, seen))
}

struct Inliner<'m> {
    module: &'m mut Module,
    compressed: Vec<DataVar>,
    /// Pointers to rows that iterations have for themselves, whose lanes may share the loops of functions.
    rows: BTreeSet<Handle<Local>>,
    /// Variables that are made of the number of an iteration of the construct's only loop.
    iteration: BTreeSet<Handle<Local>>,
    /// Those of functions that became part of the construct.
    statements: usize,
    diagnostics: Vec<Diagnostic>,
    /// The functions that are being inlined, the outermost first.
    open: Vec<Handle<Function>>,
    /// Some function became part of the construct.
    inlined: bool,
}

/// Functions that could stay calls become part of a construct up to here.
const MOST_STATEMENTS: usize = 2000;

impl Inliner<'_> {
    fn block(&mut self, body: &mut Body, block: &mut Block) {
        for mut node in std::mem::take(block) {
            self.calls_in_exprs(body, &mut node, block);
            for inner in node.kind.blocks_mut() {
                self.block(body, inner);
            }
            match &node.kind {
                Stmt::Call { dest, function, args } if self.is_inlined(body, *function, args) => {
                    let (dest, function, args) = (*dest, *function, args.clone());
                    let inlined = self.inline(body, dest, function, &args, node.span);
                    block.push(StmtNode { kind: Stmt::Block(inlined), span: node.span });
                }
                _ => block.push(node),
            }
        }
    }

    fn is_inlined(&self, body: &Body, function: Handle<Function>, args: &[Handle<Expr>]) -> bool {
        let f = &self.module.functions[function];
        let Some(callee) = &f.body else { return false };
        let shares_threads = matches!(f.routine, Some(Level::Gang | Level::Worker | Level::Vector));
        let decodes = || f.params.iter().zip(args).any(|(p, arg)| self.is_handed_on(body, *arg, callee, *p));
        shares_threads
            || self.uses_globals(function, &mut BTreeSet::new())
            || decodes()
            || self.works_on_rows(body, function, args)
    }

    /// It is given a row of the iteration, has loops, and can become part of the construct.
    fn works_on_rows(&self, body: &Body, function: Handle<Function>, args: &[Handle<Expr>]) -> bool {
        let params = &self.module.functions[function].params;
        let given = args.iter().any(|arg| self.leads_to_row(body, *arg))
            || params.iter().zip(args).any(|(param, arg)| {
                self.is_of_iteration(body, *arg) && self.goes_through(function, *param, &mut BTreeSet::new())
            });
        let Some(callee) = self.module.functions[function].body.as_ref().filter(|_| given) else {
            return false;
        };
        self.statements <= MOST_STATEMENTS
            && !visit::top_loops(&callee.block).is_empty()
            && returns::at_ends(callee.block.clone(), None).is_some()
            && !self.reaches(function, function, &mut BTreeSet::new())
    }

    fn leads_to_row(&self, body: &Body, arg: Handle<Expr>) -> bool {
        rows::uses(body, arg, &self.rows) && is_pointer(&self.module.types, body, arg)
    }

    /// A pointer, or a structure with some.
    fn is_of_iteration(&self, body: &Body, arg: Handle<Expr>) -> bool {
        rows::uses(body, arg, &self.iteration) && has_pointers(&self.module.types, body.exprs[arg].ty)
    }

    /// Some loop of the function uses elements behind this pointer, or one in this structure, by its variable, or a loop of a function
    /// that is given it.
    fn goes_through(
        &self,
        function: Handle<Function>,
        pointer: Handle<Local>,
        seen: &mut BTreeSet<(Handle<Function>, Handle<Local>)>,
    ) -> bool {
        let Some(body) = &self.module.functions[function].body else { return false };
        if !seen.insert((function, pointer)) {
            return false;
        }
        let is_pointer = |e: Handle<Expr>| match body.exprs[e].kind {
            ExprKind::Load(place) => is_part_of(body, place, pointer),
            _ => false,
        };
        let (mut found, mut unmarked) = (false, true);
        visit::for_each_loop(&body.block, &mut |l, _| {
            unmarked &= l.directive.is_none();
            visit::for_each_expr(body, &l.body, &mut |e, _| {
                found |= matches!(body.exprs[e].kind, ExprKind::Index { base, index }
                    if is_pointer(base) && mentions(body, index, l.var));
            });
        });
        let mut handed_on = vec![];
        let mut call = |f: Handle<Function>, args: &[Handle<Expr>]| {
            let given = self.module.functions[f].params.iter().zip(args);
            handed_on.extend(given.filter(|(_, arg)| is_pointer(**arg)).map(|(param, _)| (f, *param)));
        };
        visit::for_each_stmt(&body.block, &mut |node| {
            if let Stmt::Call { function, args, .. } = &node.kind {
                call(*function, args);
            }
        });
        visit::for_each_expr(body, &body.block, &mut |e, _| {
            if let ExprKind::Call { function, args } = &body.exprs[e].kind {
                call(*function, args);
            }
        });
        unmarked && (found || handed_on.into_iter().any(|(f, param)| self.goes_through(f, param, seen)))
    }

    /// Calls lead from one function to the other.
    fn reaches(
        &self,
        from: Handle<Function>,
        to: Handle<Function>,
        seen: &mut BTreeSet<Handle<Function>>,
    ) -> bool {
        let Some(body) = self.module.functions[from].body.as_ref().filter(|_| seen.insert(from)) else {
            return false;
        };
        calls(body, &body.block).into_iter().any(|(f, _)| f == to || self.reaches(f, to, seen))
    }

    /// The argument is a pointer into a compressed array, and the parameter never takes another value.
    fn is_handed_on(&self, body: &Body, arg: Handle<Expr>, callee: &Body, param: Handle<Local>) -> bool {
        if self.compressed.is_empty() || !is_pointer(&self.module.types, body, arg) {
            return false;
        }
        let mut found = false;
        visit::for_each_operand(&body.exprs, arg, &mut |e| {
            found |= self.compressed.iter().any(|var| match (var, &body.exprs[e].kind) {
                (DataVar::Local(a), ExprKind::Local(b)) => a == b,
                (DataVar::Global(a), ExprKind::Global(b)) => a == b,
                _ => false,
            });
        });
        found && only_read(callee, param)
    }

    /// The function, or one it calls, uses a variable at file scope that is no known constant.
    fn uses_globals(&self, function: Handle<Function>, seen: &mut BTreeSet<Handle<Function>>) -> bool {
        let Some(body) = self.module.functions[function].body.as_ref().filter(|_| seen.insert(function))
        else {
            return false;
        };
        let mut found = false;
        visit::all_exprs(&body.exprs, &body.block, &mut |e| {
            if let ExprKind::Global(g) = body.exprs[e].kind {
                found |= self.module.globals[g].value.is_none();
            }
        });
        found || calls(body, &body.block).into_iter().any(|(f, _)| self.uses_globals(f, seen))
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
                if !self.is_inlined(body, function, &args) {
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
        visit::for_each_operand(&body.exprs, root, &mut |e| {
            if let ExprKind::Call { function, args } = &body.exprs[e].kind {
                found |= self.is_inlined(body, *function, args);
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
        if self.open.contains(&function) {
            self.refuse_recursion(function, span);
            return vec![];
        }
        self.inlined = true;
        let callee = self.module.functions[function].clone();
        let Some(from) = &callee.body else { return vec![] };
        visit::for_each_stmt(&from.block, &mut |_| self.statements += 1);
        let params = callee.params.iter().zip(args);
        let mut result: Block = vec![];
        let mut replaced = vec![];
        let handed_on = |(p, arg): (&Handle<Local>, &Handle<Expr>)| {
            let is = self.is_handed_on(body, *arg, from, *p);
            is.then(|| fixed(&self.module.types, body, *arg, &mut result, span))
        };
        let handed_on: Vec<_> = params.clone().map(handed_on).collect();
        let rows: Vec<[bool; 2]> = args
            .iter()
            .map(|arg| [self.leads_to_row(body, *arg), self.is_of_iteration(body, *arg)])
            .collect();
        let mut cloner = Cloner::with_types(&mut self.module.types);
        for (((param, arg), handed_on), [is_row, is_of_iteration]) in params.zip(handed_on).zip(rows) {
            let local = cloner.local(from, body, *param);
            self.rows.extend(is_row.then_some(local));
            self.iteration.extend(is_of_iteration.then_some(local));
            body.locals[local].kind = LocalKind::Copy;
            if let Some(pointer) = handed_on {
                replaced.push((local, pointer));
                continue;
            }
            result.push(StmtNode { kind: Stmt::Declare { local, init: Some(*arg) }, span });
        }
        let Some(mut block) = returns::at_ends(cloner.block(from, body, &from.block), dest) else {
            let name = callee.name;
            self.refuse(span, &format!("`{name}` returns before its end, in a loop or between others"));
            return vec![];
        };
        promise_independence(&mut block);
        rewrite_exprs(body, &mut block, &mut |body, e| {
            let ExprKind::Load(place) = body.exprs[e].kind else { return e };
            let ExprKind::Local(local) = body.exprs[place].kind else { return e };
            replaced.iter().find(|r| r.0 == local).map_or(e, |r| r.1)
        });
        self.open.push(function);
        self.block(body, &mut block);
        self.open.pop();
        result.extend(block);
        result
    }

    fn refuse(&mut self, span: Span, reason: &str) {
        let message = format!("this routine cannot be made part of the kernel: {reason}");
        let error = Diagnostic::error(codes::CANNOT_INLINE, message)
            .at(span)
            .with_help("use one return at the end, or declare the routine seq and pass what it needs");
        self.say(error);
    }

    fn refuse_recursion(&mut self, function: Handle<Function>, span: Span) {
        let name = &self.module.functions[function].name;
        let message = format!("`{name}` calls itself, so it cannot be made part of the kernel");
        if self.diagnostics.iter().any(|d| d.message == message) {
            return;
        }
        let error = Diagnostic::error(codes::RECURSION, message)
            .label(span, "recursive call")
            .with_help("declare the routine seq, and pass what it needs as arguments");
        self.say(error);
    }

    fn say(&mut self, error: Diagnostic) {
        let error = error.with_note(
            "routines with gang, worker or vector loops, and those that use variables at file scope or \
             compressed arrays, are inlined",
        );
        if !self.diagnostics.contains(&error) {
            self.diagnostics.push(error);
        }
    }
}

/// Loops of a routine are independent unless a clause says otherwise, whichever construct calls it (OpenACC 3.3
/// §2.9.9).
fn promise_independence(block: &mut Block) {
    visit::for_each_stmt_mut(block, &mut |node| {
        if let Stmt::For(l) = &mut node.kind
            && let Some(d) = &mut l.directive
        {
            d.independent |= !d.seq && !d.auto;
        }
    });
}

/// The argument is a pointer whose distance from the array is computed before the routine begins. Conversions
/// between pointers to the same type, which change only `const`, are dropped.
fn fixed(types: &Types, body: &mut Body, arg: Handle<Expr>, out: &mut Block, span: Span) -> Handle<Expr> {
    let Expr { kind, ty, span: at } = body.exprs[arg].clone();
    match kind {
        ExprKind::Cast(inner) if types.element(body.exprs[inner].ty) == types.element(ty) => {
            fixed(types, body, inner, out, span)
        }
        ExprKind::AddrOf(element) => match body.exprs[element].kind {
            ExprKind::Index { base, index } if is_pointer(types, body, base) => {
                let kind = ExprKind::Binary { op: BinaryOp::Add, left: base, right: index };
                let sum = body.expr(kind, body.exprs[base].ty, at);
                fixed(types, body, sum, out, span)
            }
            _ => arg,
        },
        ExprKind::Binary { op, left, right } => {
            let distance = body.temp("distance", body.exprs[right].ty);
            out.push(StmtNode { kind: Stmt::Declare { local: distance, init: Some(right) }, span });
            let left = fixed(types, body, left, out, span);
            let right = body.load_local(distance);
            body.expr(ExprKind::Binary { op, left, right }, ty, at)
        }
        _ => arg,
    }
}

fn is_pointer(types: &Types, body: &Body, e: Handle<Expr>) -> bool {
    matches!(types.kind(body.exprs[e].ty), TypeKind::Pointer { .. })
}

/// The place is the variable or a member of it.
fn is_part_of(body: &Body, place: Handle<Expr>, local: Handle<Local>) -> bool {
    match body.exprs[place].kind {
        ExprKind::Local(l) => l == local,
        ExprKind::Member { base, .. } => is_part_of(body, base, local),
        _ => false,
    }
}

/// Every use of the parameter reads it.
fn only_read(body: &Body, param: Handle<Local>) -> bool {
    let (mut uses, mut reads) = (0, 0);
    visit::all_exprs(&body.exprs, &body.block, &mut |e| match body.exprs[e].kind {
        ExprKind::Local(l) if l == param => uses += 1,
        ExprKind::Load(place) if matches!(body.exprs[place].kind, ExprKind::Local(l) if l == param) => {
            reads += 1
        }
        _ => {}
    });
    uses == reads
}
