//! Functions whose code depends on the team that runs it: they ask for numbers of teams and threads, or divide work among threads.
//!
//! Such a function has no body of its own on the device. Each call is replaced by the body, where it is known who runs it; in a
//! block of threads before the block is divided at its barriers.

use super::{LEVEL_QUERIES, TEAM_QUERIES, THREAD_QUERIES};
use crate::ast::{
    BinaryOp, DeclId, Expr, ExprKind, Function, FunctionKind, Stmt as Ast, StmtKind, Storage, Ty, Var,
};
use crate::lower::context::Context;
use crate::lower::walk;
use accl_directives::{DirectiveKind, Sentinel, ThreadsKind};
use std::collections::HashMap;

/// How many calls may be replaced within one another.
const DEPTH: u32 = 16;

/// What a function does with the team that runs it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TeamWork {
    /// It asks for numbers, or has constructs of teams and threads.
    pub depends: bool,
    /// It asks which team it is, or how many there are.
    pub asks_for_teams: bool,
    /// The same of threads.
    pub asks_for_threads: bool,
    /// It asks about `parallel` constructs around it.
    pub asks_for_levels: bool,
    /// It has constructs that the threads of a `parallel` construct around the call meet together.
    pub shares: bool,
}

impl TeamWork {
    fn add(&mut self, other: TeamWork) {
        self.depends |= other.depends;
        self.asks_for_teams |= other.asks_for_teams;
        self.asks_for_threads |= other.asks_for_threads;
        self.asks_for_levels |= other.asks_for_levels;
        self.shares |= other.shares;
    }
}

#[derive(Debug, Default)]
pub struct TeamFunctions(HashMap<DeclId, TeamWork>);

impl Context<'_> {
    pub fn team_work(&mut self, id: DeclId) -> TeamWork {
        if let Some(known) = self.team_functions.0.get(&id) {
            return *known;
        }
        // A function that calls itself adds nothing that it would not do without.
        self.team_functions.0.insert(id, TeamWork::default());
        let body = self.function_decl(id).and_then(|f| f.body.as_ref());
        let work = body.map_or(TeamWork::default(), |body| self.work_in(body, false));
        self.team_functions.0.insert(id, work);
        work
    }

    /// What the statement does, and those that it calls.
    pub fn work_in(&mut self, s: &Ast, in_parallel: bool) -> TeamWork {
        let mut found = TeamWork::default();
        for e in walk::own_exprs(s) {
            let mut called = vec![];
            walk::within(e, &mut |e| {
                if let ExprKind::Call { callee, .. } = &e.kind {
                    let name = walk::library_name(callee).unwrap_or("");
                    found.asks_for_teams |= TEAM_QUERIES.contains(&name);
                    found.asks_for_threads |= THREAD_QUERIES.contains(&name);
                    found.asks_for_levels |= LEVEL_QUERIES.contains(&name);
                    found.depends |= is_query(name);
                    let id = walk::callee(callee);
                    called.extend(id.map(|id| self.variant_of(id, e.span).unwrap_or(id)));
                }
            });
            for id in called {
                let inner = self.team_work(id);
                found.add(TeamWork { shares: inner.shares && !in_parallel, ..inner });
            }
        }
        let mut inside = in_parallel;
        if let StmtKind::Directed { directive, .. } = &s.kind {
            let pragma = &self.pragmas[*directive];
            let d = &pragma.directive;
            let opens = crate::lower::team::opens_parallel(d, self.source.buffer);
            let shares = match d.kind {
                _ if d.origin != Sentinel::Omp => false,
                DirectiveKind::Loop | DirectiveKind::Teams { .. } => true,
                DirectiveKind::Threads(
                    ThreadsKind::Flush | ThreadsKind::NoEffect | ThreadsKind::NoEffectOnLoop,
                ) => false,
                DirectiveKind::Threads(ThreadsKind::Task) => false,
                DirectiveKind::Threads(_) => true,
                _ => false,
            };
            found.depends |= shares;
            found.shares |= shares && !opens && !in_parallel;
            inside |= opens;
        }
        for inner in walk::children(s) {
            let work = self.work_in(inner, inside);
            found.add(work);
        }
        found
    }

    /// The statements with each call of a function that shares work replaced by the function's body, where the call is a
    /// statement and the body ends without a result.
    pub fn with_shared_work(&mut self, s: &Ast) -> Ast {
        let mut copy = s.clone();
        self.put_shared_work(&mut copy, 0);
        copy
    }

    fn put_shared_work(&mut self, s: &mut Ast, depth: u32) {
        if let StmtKind::Expr(e) = &s.kind
            && let ExprKind::Call { callee, args } = &walk::bare(e).kind
            && let Some(id) = walk::callee(callee)
            && depth < DEPTH
            && self.team_work(id).shares
            && let Some(function) = self.function_decl(id)
            && let Some(body) = in_place_of(function, callee, args, s)
        {
            *s = body;
            return self.put_shared_work(s, depth + 1);
        }
        if let StmtKind::Compound(items) = &mut s.kind {
            let all = std::mem::take(items);
            for mut item in all {
                if depth < DEPTH {
                    items.extend(self.before_result(&mut item));
                }
                items.push(item);
            }
        }
        walk::children_mut(s, &mut |inner| self.put_shared_work(inner, depth));
    }
}

impl Context<'_> {
    /// A statement that uses the result of a function whose body shares work: the body stands before it, with its result in a
    /// variable that takes the place of the call.
    fn before_result(&mut self, s: &mut Ast) -> Vec<Ast> {
        let e = match &mut s.kind {
            StmtKind::Decl(vars) => match &mut vars[..] {
                [Var { init: Some(init), storage: Storage::Auto, .. }] => init,
                _ => return vec![],
            },
            StmtKind::Expr(e) => e,
            _ => return vec![],
        };
        let Some(call) = self.call_with_result(e) else { return vec![] };
        let ExprKind::Call { callee, args } = &call.kind else { return vec![] };
        let function = walk::callee(callee).and_then(|id| self.function_decl(id));
        let Some(function) = function.filter(|f| !f.result.is_reference()) else { return vec![] };
        // No declaration of the program's lies so high.
        let id = DeclId(u64::MAX - u64::from(call.span.start));
        let (name, ty, span) = ("result".to_owned(), function.result.clone(), call.span);
        let place = Expr { kind: ExprKind::Var(id, name.as_str().into()), ty: ty.clone(), span, place: true };
        let at = Ast { kind: StmtKind::Null, span };
        let Some(body) = with_result_in(function, callee, args, &place, &at) else { return vec![] };
        *call = place;
        let type_text = "".into();
        let (storage, extent, init) = (Storage::Auto, None, None);
        let result =
            Var { id, name, ty, type_text, span, decl_span: span, storage, extent, init, link_name: None };
        vec![Ast { kind: StmtKind::Decl(vec![result]), span }, body]
    }

    /// The first such call within an expression, unless a condition decides whether it is evaluated.
    fn call_with_result<'e>(&mut self, e: &'e mut Expr) -> Option<&'e mut Expr> {
        let shares = |cx: &mut Self, e: &Expr| match &e.kind {
            ExprKind::Call { callee, .. } if !matches!(*e.ty.ty, Ty::Void) => {
                walk::callee(callee).is_some_and(|id| cx.team_work(id).shares)
            }
            _ => false,
        };
        if shares(self, e) {
            return Some(e);
        }
        let conditional = match &e.kind {
            ExprKind::Binary { op, .. } => matches!(op, BinaryOp::LogicalAnd | BinaryOp::LogicalOr),
            ExprKind::Conditional { .. } | ExprKind::Lambda(_) => true,
            _ => false,
        };
        if conditional {
            return None;
        }
        walk::operands_mut(e).into_iter().find_map(|operand| self.call_with_result(operand))
    }
}

fn is_query(name: &str) -> bool {
    TEAM_QUERIES.contains(&name) || THREAD_QUERIES.contains(&name) || super::is_routine_of_teams(name)
}

/// `{ T parameter = argument; … body }`
fn in_place_of(function: &Function, callee: &Expr, args: &[Expr], call: &Ast) -> Option<Ast> {
    let StmtKind::Compound(items) = &function.body.as_ref()?.kind else { return None };
    let items = match items.split_last() {
        Some((last, before)) if matches!(last.kind, StmtKind::Return(None)) => before,
        _ => items,
    };
    with_parameters(function, callee, args, items, call)
}

/// The same, which ends by giving `result` what the function returns.
fn with_result_in(
    function: &Function,
    callee: &Expr,
    args: &[Expr],
    result: &Expr,
    call: &Ast,
) -> Option<Ast> {
    let StmtKind::Compound(items) = &function.body.as_ref()?.kind else { return None };
    let (last, before) = items.split_last()?;
    let StmtKind::Return(Some(value)) = &last.kind else { return None };
    let kind = ExprKind::Assign { place: Box::new(result.clone()), value: Box::new(value.clone()) };
    let assign = Expr { kind, ty: result.ty.clone(), span: last.span, place: false };
    let mut items = before.to_vec();
    items.push(Ast { kind: StmtKind::Expr(assign), span: last.span });
    with_parameters(function, callee, args, &items, call)
}

fn with_parameters(
    function: &Function,
    callee: &Expr,
    args: &[Expr],
    items: &[Ast],
    call: &Ast,
) -> Option<Ast> {
    let (object, args) = match &function.kind {
        FunctionKind::Free | FunctionKind::Method { is_static: true, .. } => (None, args),
        FunctionKind::Method { .. } => match &walk::bare_function(callee).kind {
            ExprKind::Member { base, arrow, .. } => (Some((&**base, *arrow)), args),
            // An operator has its object among the arguments.
            _ => args.split_first().map(|(object, rest)| (Some((object, false)), rest))?,
        },
        FunctionKind::Constructor { .. } => return None,
    };
    if items.iter().any(walk::returns) || args.len() != function.params.len() {
        return None;
    }
    let declare = |(param, arg): (&Var, &Expr)| {
        let arg = match (&arg.kind, &param.init) {
            (ExprKind::DefaultArg, Some(default)) => default,
            _ => arg,
        };
        let var = Var { storage: Storage::Auto, init: Some(arg.clone()), extent: None, ..param.clone() };
        Ast { kind: StmtKind::Decl(vec![var]), span: call.span }
    };
    let mut all: Vec<Ast> = function.params.iter().zip(args).map(declare).collect();
    let mut items = items.to_vec();
    if let Some((object, arrow)) = object {
        let object = walk::same_place(object);
        let copies_this = |e: &Expr| match &e.kind {
            ExprKind::Lambda(lambda) => lambda.captures.iter().any(|c| c.id.is_none() && !is_this(&c.init)),
            _ => false,
        };
        let mut stays = is_named(object);
        items.iter().for_each(|s| walk::exprs(s, &mut |e| stays &= !copies_this(e)));
        if !stays {
            return None;
        }
        let address = if arrow { object.kind.clone() } else { ExprKind::AddrOf(Box::new(object.clone())) };
        items.iter_mut().for_each(|s| put_for_this(s, &address));
    }
    all.extend(items);
    Some(Ast { kind: StmtKind::Compound(all), span: call.span })
}

/// A variable, the object of a method, or a member of one: it is the same wherever it is named.
fn is_named(object: &Expr) -> bool {
    match &object.kind {
        ExprKind::Var(..) | ExprKind::This => true,
        ExprKind::Member { base, .. } | ExprKind::Deref(base) | ExprKind::AddrOf(base) => {
            is_named(walk::same_place(base))
        }
        _ => false,
    }
}

fn is_this(e: &Expr) -> bool {
    matches!(e.kind, ExprKind::This)
}

fn put_for_this(s: &mut Ast, address: &ExprKind) {
    fn within(e: &mut Expr, address: &ExprKind) {
        match &mut e.kind {
            ExprKind::This => e.kind = address.clone(),
            ExprKind::Lambda(lambda) => {
                lambda.captures.retain(|c| !is_this(&c.init));
                lambda.captures.iter_mut().for_each(|c| within(&mut c.init, address));
                lambda.calls.iter_mut().for_each(|call| put_for_this(&mut call.body, address));
            }
            _ => walk::operands_mut(e).into_iter().for_each(|e| within(e, address)),
        }
    }
    walk::own_exprs_mut(s).into_iter().for_each(|e| within(e, address));
    walk::children_mut(s, &mut |s| put_for_this(s, address));
}
