//! Whether a loop carries a dependence.
//!
//! Two accesses to one array, at least one a write, in two different iterations of the loop (and the same
//! iteration of those around it) conflict if their subscripts can be equal. References of the same form are looked at
//! once, those to different storage never together but where pointers may alias ([`storage`]). What single
//! dimensions tell is asked first ([`quick`]); what they leave open is the emptiness of an integer set, which isl
//! decides exactly ([`sets`], [`system`]). Subscripts
//! like `i * m + j` are taken apart into dimensions first ([`subscripts`]), or into parts with strides of which launches test
//! that they are far enough from each other ([`strides`]). What is not affine, what may alias
//! (two pointers without `restrict`) and what a called function does counts as a dependence. The first dependence
//! that is found for a variable is the answer for it.
//!
//! Scalars: each that the loop writes must be private to an iteration or a reduction ([`crate::reduction`]).

mod certain;
mod compare;
mod pairs;
mod quick;
mod sets;
mod storage;
mod strides;
mod subscripts;
mod system;

use crate::access::Access;
use crate::data::Summary;
use crate::effects;
use crate::provenance::Root;
use crate::reduction;
use crate::scalars;
use crate::searches;
pub use accl_ir::Rows;
use accl_ir::{
    Body, Expr, ExprKind, Function, Handle, LaunchTest, Local, Loop, Module, Reduction, ReductionOp, Search,
    Stmt, StmtNode,
};
use accl_source::Span;
pub use certain::{Carried, CarriedElement};
pub use pairs::Analysis;

use std::collections::BTreeSet;
pub use storage::may_alias;

/// How many tests of strides a loop may need.
const MOST_TESTS: usize = 32;

/// The reasons why a loop's iterations cannot run in any order.
#[derive(Clone, Debug, PartialEq)]
pub struct Conflict {
    /// The message, in the words that nvc uses.
    pub message: String,
    /// The two references, or the one that conflicts with itself, and whether each reads or writes.
    pub references: Vec<(Span, String)>,
    /// The variable, as the user wrote it.
    pub name: String,
    /// `restrict` on the pointers would remove the conflict.
    pub aliasing: bool,
    /// What is written is updated by atomic operations.
    pub updated: bool,
}

/// The answer for one loop.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Verdict {
    pub conflicts: Vec<Conflict>,
    /// Scalars that the loop reduces into.
    pub reductions: Vec<Reduction>,
    /// What it looks for, for a gang whose threads share it.
    pub searches: Vec<Search>,
    /// A conflict is assumed because the analysis ran out of its budget.
    pub gave_up: bool,
    /// There would be no conflict where this holds.
    pub parallel_if: Option<Assumptions>,
}

/// What a launch can tell.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Assumptions {
    /// No variable that is written overlaps another one.
    pub distinct: bool,
    /// Among these are rows behind arrays of pointers, which a launch knows where it follows them.
    pub rows: Rows,
    /// Strides of subscripts are far enough from each other.
    pub strides: Vec<LaunchTest>,
}

impl Assumptions {
    /// Both. `None`: more than a launch should test.
    pub fn with(mut self, other: Assumptions) -> Option<Assumptions> {
        self.distinct |= other.distinct;
        self.rows = self.rows.max(other.rows);
        LaunchTest::join(&mut self.strides, other.strides);
        (self.strides.len() <= MOST_TESTS).then_some(self)
    }
}

impl Verdict {
    pub fn is_parallel(&self) -> bool {
        self.conflicts.is_empty()
    }
}

impl Analysis<'_, '_> {
    /// Analyses loop number `index` of the summary, which is `l`.
    pub fn of_loop(&mut self, index: usize, l: &Loop) -> Verdict {
        self.of_loop_in_gang(index, l, &BTreeSet::new())
    }

    /// The same for a loop that threads of a gang share, which has these variables for itself.
    pub fn of_loop_in_gang(&mut self, index: usize, l: &Loop, own: &BTreeSet<Handle<Local>>) -> Verdict {
        self.of_loop_without(index, l, own, &BTreeSet::new())
    }

    /// The same, with the references `except` taken to be to variables that each iteration has for itself.
    fn of_loop_without(
        &mut self,
        index: usize,
        l: &Loop,
        own: &BTreeSet<Handle<Local>>,
        except: &BTreeSet<usize>,
    ) -> Verdict {
        let mut verdict = self.scalars_of_loop(index, l, own);
        self.array_conflicts(index, l, &mut verdict, except);
        if let Some(span) = self.opaque_statement(l) {
            verdict.parallel_if = None;
            verdict.conflicts.push(Conflict {
                message: "Loop contains a call or an exit that prevents parallelization".into(),
                references: vec![(span, "here".into())],
                name: String::new(),
                aliasing: false,
                updated: false,
            });
        }
        verdict
    }

    /// What the loop does with scalars alone. `own`: those of the gang whose threads share it.
    pub fn scalars_of_loop(&self, index: usize, l: &Loop, own: &BTreeSet<Handle<Local>>) -> Verdict {
        let searches = self.searches(l, own);
        let mut verdict = Verdict::default();
        let summary = self.summary();
        let body = summary.provenance.scope.body;
        for (local, span, op) in self.exposed_scalars(l) {
            match op {
                _ if searches.iter().any(|search| search.best == local) => {}
                Some(op) => verdict.reductions.push(Reduction { op, local, span }),
                None => verdict.conflicts.push(scalar_conflict(&body.locals[local].name, span)),
            }
        }
        for (root, access) in self.written_scalars(index) {
            let name = root_name(summary, root);
            verdict.conflicts.push(scalar_conflict(&name, access.span));
        }
        verdict.searches = searches;
        verdict
    }

    /// What the loop looks for with variables of the gang that runs it.
    fn searches(&self, l: &Loop, own: &BTreeSet<Handle<Local>>) -> Vec<Search> {
        if own.is_empty() {
            return vec![];
        }
        let scope = &self.summary().provenance.scope;
        let mut found = searches::recognise(&scope.module.types, scope.body, &l.body);
        let private = l.directive.as_ref().map_or(&[][..], |d| &d.private);
        found.retain(|search| search.variables().all(|v| own.contains(&v) && !private.contains(&v)));
        found
    }

    /// Scalars that are not the loop's own, which an iteration may read before it writes them, each with the first such read and
    /// the operator that combines what iterations give it, if there is one.
    fn exposed_scalars(&self, l: &Loop) -> Vec<(Handle<Local>, Span, Option<ReductionOp>)> {
        let scope = &self.summary().provenance.scope;
        let directive = l.directive.iter();
        let mut own: BTreeSet<_> = accl_ir::visit::declared_locals(&l.body);
        own.insert(l.var);
        own.extend(directive.clone().flat_map(|d| d.private.iter().copied()));
        own.extend(directive.flat_map(|d| d.reductions.iter().map(|r| r.local)));
        let (mut recognised, mut atomic) = (None, None);
        let mut found = vec![];
        for (local, flow) in scalars::flows(scope.body, &l.body).iter() {
            let Some(exposed) = flow.exposed.filter(|_| flow.maybe_written) else { continue };
            if own.contains(&local)
                || !scope.module.types.is_scalar(scope.body.locals[local].ty)
                || self.summary().is_only_read(local)
            {
                continue;
            }
            if atomic.get_or_insert_with(|| atomic_scalars(scope.module, scope.body, l)).contains(&local) {
                continue;
            }
            let all = recognised.get_or_insert_with(|| reduction::recognise_all(scope.body, &l.body));
            found.push((local, exposed, all.get(&local).copied().flatten()));
        }
        found
    }

    /// A statement that the analysis cannot order: its effects or exits are unknown, it might end the loop in any
    /// iteration, or it prints, so that the order of iterations can be seen.
    fn opaque_statement(&self, l: &Loop) -> Option<Span> {
        let scope = &self.summary().provenance.scope;
        let is_opaque = |node: &&StmtNode| match &node.kind {
            Stmt::Return(_) | Stmt::Host | Stmt::Region(_) | Stmt::Directive(_) | Stmt::Print { .. } => true,
            Stmt::Call { function, .. } => scope.module.functions[*function]
                .body
                .as_ref()
                .is_some_and(|body| effects::prints(scope.module, body, &body.block)),
            _ => false,
        };
        let mut found = None;
        accl_ir::visit::for_each_stmt(&l.body, &mut |node| found = found.or(Some(node).filter(is_opaque)));
        found.map(|node| node.span)
    }
}

/// The variables that only atomic operations touch in the loop; these may happen in any order.
fn atomic_scalars(module: &Module, body: &Body, l: &Loop) -> BTreeSet<Handle<Local>> {
    let (mut atomic, mut other) = (BTreeSet::new(), BTreeSet::new());
    accl_ir::visit::for_each_stmt(&l.body, &mut |node| {
        for (operand, _) in node.kind.operands() {
            let updated = match &node.kind {
                Stmt::Atomic(a) => a.place == operand,
                Stmt::Call { function, args, .. } => {
                    let is_address =
                        matches!(body.exprs[operand].kind, ExprKind::AddrOf(of) if is_local(body, of));
                    is_address && is_atomic_argument(module, (*function, args), operand, CALLS_DEEP)
                }
                _ => false,
            };
            accl_ir::visit::for_each_operand(&body.exprs, operand, &mut |e| {
                if let ExprKind::Local(local) = body.exprs[e].kind {
                    if updated { &mut atomic } else { &mut other }.insert(local);
                }
            });
        }
    });
    &atomic - &other
}

/// Functions that hand an address on are followed so far.
const CALLS_DEEP: u32 = 4;

fn is_local(body: &Body, e: Handle<Expr>) -> bool {
    matches!(body.exprs[e].kind, ExprKind::Local(_))
}

fn is_atomic_argument(
    module: &Module,
    (function, args): (Handle<Function>, &[Handle<Expr>]),
    address: Handle<Expr>,
    deep: u32,
) -> bool {
    let mut positions = (0..args.len()).filter(|at| args[*at] == address).peekable();
    positions.peek().is_some() && positions.all(|at| is_atomic_parameter(module, function, at, deep))
}

/// The function does nothing with what the parameter points to but atomic operations.
fn is_atomic_parameter(module: &Module, function: Handle<Function>, at: usize, deep: u32) -> bool {
    let function = &module.functions[function];
    let (Some(body), Some(pointer)) = (&function.body, function.params.get(at).copied()) else {
        return false;
    };
    let is_pointer = |e: Handle<Expr>| match body.exprs[e].kind {
        ExprKind::Load(of) => body.exprs[of].kind == ExprKind::Local(pointer),
        _ => false,
    };
    let mut atomic = deep > 0;
    accl_ir::visit::for_each_stmt(&body.block, &mut |node| {
        for (operand, _) in node.kind.operands() {
            let known = match &node.kind {
                Stmt::Atomic(a) => {
                    a.place == operand
                        && matches!(body.exprs[operand].kind, ExprKind::Deref(of) if is_pointer(of))
                }
                Stmt::Call { function, args, .. } if is_pointer(operand) => {
                    is_atomic_argument(module, (*function, args), operand, deep.saturating_sub(1))
                }
                _ => false,
            };
            accl_ir::visit::for_each_operand(&body.exprs, operand, &mut |e| {
                atomic &= known || body.exprs[e].kind != ExprKind::Local(pointer);
            });
        }
    });
    atomic
}

fn scalar_conflict(name: &str, span: Span) -> Conflict {
    Conflict {
        message: format!("Loop carried scalar dependence for {name} prevents parallelization"),
        references: vec![(span, format!("{name} is written here"))],
        name: name.to_owned(),
        aliasing: false,
        updated: false,
    }
}

/// The place written, and the other place if that is a different one.
fn references(summary: &Summary<'_>, other: &Access, written: &Access) -> Vec<(Span, String)> {
    let scope = summary.provenance.scope;
    let mut found: Vec<(Span, String)> = vec![];
    for a in [other, written] {
        let expr = &scope.body.exprs[a.place];
        let span = if expr.span.is_nowhere() { a.span } else { expr.span };
        let what = match scope.message_text(a.place) {
            Some(text) if a.whole => format!("what {text} points to"),
            Some(text) => text,
            None => root_name(summary, &a.root),
        };
        let does = if a.written { "written" } else { "read" };
        let line = (span, format!("{what} is {does} here"));
        if !found.contains(&line) {
            found.push(line);
        }
    }
    if let [(_, label)] = &mut found[..] {
        label.push_str(", by several iterations perhaps");
    }
    found
}

/// The variable as the user wrote it.
pub fn root_name(summary: &Summary<'_>, root: &Root) -> String {
    let scope = summary.provenance.scope;
    match root {
        Root::Local(l) => scope.local(*l).unwrap_or_else(|| "a temporary".into()),
        Root::Global(g) => scope.module.globals[*g].name.clone(),
        Root::Member(text) => text.clone(),
        Root::Unknown => "an unknown pointer".into(),
    }
}
