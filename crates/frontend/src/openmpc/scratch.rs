//! Arrays that each thread has for itself and fills anew in each iteration: scratch memory.
//!
//! ```text
//! static double x[2*NK];                   void cffts1(…, dcomplex y0[NX][18], dcomplex y1[NX][18])
//! #pragma omp threadprivate(x)               #pragma omp for
//! #pragma omp for                            for (k = 0; k < d[2]; k++) {
//! for (k = 1; k <= np; k++) {                  … cfftz(is, logd[0], d[0], y0, y1); …
//!   vranlc(2*NK, &t1, A, x - 1); …
//! ```
//!
//! That an iteration reads nothing that it has not written can often not be seen. It need not be: a team of as many threads as
//! the loop has iterations may run the loop, each iteration with what the array had before the loop. That is a right
//! execution of the program if nobody reads afterwards what a thread left in its array, and no two loops are bound to give
//! the same thread the same iterations, as `schedule(static)` binds them.
//!
//! Small arrays become private ones of the construct. Large ones get rows in the device's memory, one for each thread that runs
//! at a time, and the loop is written anew:
//!
//! ```text
//! for (slot …) { double *x = rows + slot * 2*NK; for (iteration = slot; …; iteration += slots) { k = …; … } }
//! ```

use super::lines::OmpLine;
use super::unit::SourceFile;
use crate::ast::{DeclId, Expr, ExprKind, Function, Len, Stmt, StmtKind, Storage, Ty, Var};
use crate::lower::walk;
use accl_directives::omp::ast::OmpClauseKind;
use std::collections::BTreeSet;

/// An array of a thread's own that a loop has as scratch memory.
#[derive(Clone, Debug)]
pub struct Scratch {
    pub id: DeclId,
    pub name: String,
    /// The type of its elements, and its extents: `double`, `[512][18]`.
    pub element: String,
    pub extents: String,
    /// Each row begins with what the array had before the loop.
    pub has_value: bool,
    /// Bytes, where they are known.
    bytes: u64,
    /// It is known as a pointer.
    pub is_parameter: bool,
}

/// Up to here every thread of a device can have its array in its own memory.
const SMALL: u64 = 4096;
/// Up to here an array's contents travel with a kernel's parameters.
const BY_VALUE: u64 = 1024;

impl Scratch {
    pub fn is_small(&self) -> bool {
        let most = if self.has_value { BY_VALUE } else { SMALL };
        self.bytes <= most && !self.is_parameter
    }

    /// The number of elements, as C's text.
    pub fn length(&self) -> String {
        self.extents.replace("][", " * (long)").replace('[', "((long)").replace(']', ")")
    }
}

/// What a loop stands in, for questions about a variable.
pub struct Around<'a> {
    pub line: &'a OmpLine,
    pub index: usize,
    /// The loop.
    pub body: &'a Stmt,
    /// The region or function.
    pub scope: &'a Stmt,
    /// The variable has a value when the loop begins.
    pub has_value: bool,
}

/// The array as scratch memory of the loop, if it may be.
pub fn scratch(unit: &SourceFile<'_>, around: &Around<'_>, id: DeclId) -> Option<Scratch> {
    let var = unit.var(id)?;
    let body_text = unit.text(around.body.span);
    // The size of a pointer would be another, and so would what an array's address points to.
    if body_text.contains("sizeof") || takes_whole(around.body, id) {
        return None;
    }
    if var.storage == Storage::Param {
        return parameter(unit, around, var);
    }
    let (element, extents) = array_text(&var.type_text)?;
    let bytes = bytes(unit, &var.ty.ty)?;
    let alone = if unit.of_threads.contains(&id) {
        is_left_alone(unit, around, id)
    } else {
        !is_static(unit, around.line)
    };
    if !alone || around.has_value && !begins_with_write(unit, around.body, id) {
        return None;
    }
    Some(Scratch {
        id,
        name: var.name.clone(),
        element,
        extents,
        has_value: around.has_value,
        bytes,
        is_parameter: false,
    })
}

/// A private array that is too large for the memory that each thread of a device has.
pub fn large(unit: &SourceFile<'_>, body: &Stmt, id: DeclId) -> Option<Scratch> {
    let var = unit.var(id).filter(|var| var.storage != Storage::Param)?;
    let bytes = bytes(unit, &var.ty.ty).filter(|bytes| *bytes > SMALL)?;
    if unit.text(body.span).contains("sizeof") || takes_whole(body, id) {
        return None;
    }
    let (element, extents) = array_text(&var.type_text)?;
    Some(Scratch {
        id,
        name: var.name.clone(),
        element,
        extents,
        has_value: false,
        bytes,
        is_parameter: false,
    })
}

/// A `threadprivate` array that nobody reads after the loop, and that no other loop finds as this one left it.
fn is_left_alone(unit: &SourceFile<'_>, around: &Around<'_>, id: DeclId) -> bool {
    unit.is_scratch(id, around.index) && (!is_static(unit, around.line) || runs_once(unit, around.index))
}

/// Shared loops that have the array as scratch memory, too. None of them reads what the loop at hand, or one of another file, left in
/// it, as it does not know which of its iterations the same thread ran.
pub fn others(unit: &SourceFile<'_>, id: DeclId, index: Option<usize>) -> Vec<usize> {
    let bodies = unit.program.functions.iter().filter_map(|f| f.body.as_ref());
    let mut found = vec![];
    bodies.for_each(|body| shared_loops(unit, body, &mut found));
    let is_static = |index: usize| is_static(unit, &unit.lines[index]);
    let bound = |other: usize| index.is_none_or(is_static) && is_static(other);
    found.retain(|(other, body)| !bound(*other) && begins_with_write(unit, body, id));
    found.into_iter().map(|(other, _)| other).collect()
}

/// The loops that threads share in a statement, each with its directive.
pub fn shared_loops<'s>(unit: &SourceFile<'_>, s: &'s Stmt, found: &mut Vec<(usize, &'s Stmt)>) {
    match &s.kind {
        StmtKind::Directed { directive, body: Some(body) } if unit.lines[*directive].shares_loop() => {
            found.push((*directive, body));
        }
        _ => walk::children(s).into_iter().for_each(|s| shared_loops(unit, s, found)),
    }
}

/// Whether a directive is met once: in `main`, or a function that is called once, and in no loop.
fn runs_once(unit: &SourceFile<'_>, index: usize) -> bool {
    let directive = |s: &Stmt| matches!(s.kind, StmtKind::Directed { directive, .. } if directive == index);
    let bodies =
        |f: &&Function| f.body.as_ref().is_some_and(|b| is_outside_of_loops(b, &directive).is_some());
    let Some(mut function) = unit.program.functions.iter().find(bodies) else { return false };
    let mut once = function.body.as_ref().is_some_and(|b| is_outside_of_loops(b, &directive) == Some(true));
    for _ in 0..DEPTH {
        if !once || function.name == "main" {
            return once;
        }
        let [(caller, _)] = unit.calls_of(function.id) else { return false };
        let id = function.id;
        let calls = |s: &Stmt| walk::own_exprs(s).into_iter().any(|e| calls(e, id));
        once = unit.is_internal(function)
            && caller.body.as_ref().is_some_and(|b| is_outside_of_loops(b, &calls) == Some(true));
        function = caller;
    }
    false
}

fn calls(e: &Expr, id: DeclId) -> bool {
    let mut calls = false;
    walk::within(e, &mut |e| {
        if let ExprKind::Call { callee, .. } = &e.kind {
            calls |= walk::callee(callee) == Some(id);
        }
    });
    calls
}

/// Whether no loop of a function stands around a statement; `None` if it is not in there.
fn is_outside_of_loops(s: &Stmt, wanted: &dyn Fn(&Stmt) -> bool) -> Option<bool> {
    let is_loop = matches!(
        s.kind,
        StmtKind::For { .. } | StmtKind::RangeFor { .. } | StmtKind::While { .. } | StmtKind::DoWhile { .. }
    );
    let here = wanted(s).then_some(true);
    let found = here.or_else(|| walk::children(s).into_iter().find_map(|s| is_outside_of_loops(s, wanted)));
    found.map(|outside| outside && !is_loop)
}

/// Which thread gets which iterations is known: two loops may rely on it.
fn is_static(unit: &SourceFile<'_>, line: &OmpLine) -> bool {
    line.directive.clauses.iter().any(|clause| {
        matches!(clause.kind, OmpClauseKind::Schedule(..)) && unit.text(clause.span).contains("static")
    })
}

/// The array's address, or the array as a whole, is used.
fn takes_whole(body: &Stmt, id: DeclId) -> bool {
    let mut taken = false;
    walk::exprs(body, &mut |e| {
        if let ExprKind::AddrOf(place) = &e.kind {
            taken |= matches!(walk::same_place(place).kind, ExprKind::Var(of, _) if of == id);
        }
    });
    taken
}

/// `double[512][18]`: its element and extents, all of them numbers.
fn array_text(text: &str) -> Option<(String, String)> {
    let at = text.find('[')?;
    let (element, extents) = text.split_at(at);
    let plain = extents.chars().all(|c| c.is_ascii_digit() || "[]".contains(c)) && !extents.contains("[]");
    (plain && !element.contains(['(', '*', '&'])).then(|| (element.trim().to_owned(), extents.to_owned()))
}

fn bytes(unit: &SourceFile<'_>, ty: &Ty) -> Option<u64> {
    match ty {
        Ty::Bool => Some(1),
        Ty::Int { bits, .. } => Some(u64::from(*bits) / 8),
        Ty::Float { bits } => Some(u64::from(*bits).div_ceil(8)),
        Ty::Array { of, len: Len::Const(length) } => bytes(unit, &of.ty)?.checked_mul(*length),
        Ty::Record(id) => {
            let record = unit.program.records.iter().find(|r| r.id == *id)?;
            let plain = record.is_pod && record.bases.is_empty();
            let mut fields = record.fields.iter().map(|f| bytes(unit, &f.ty.ty));
            fields.try_fold(0u64, |sum, field| Some(sum + field?)).filter(|_| plain)
        }
        _ => None,
    }
}

/// A variable that has a value before the loop is scratch memory where an iteration begins by writing it, as far as can be
/// seen: a generator's state, which its threads carry from number to number, is read first.
fn begins_with_write(unit: &SourceFile<'_>, body: &Stmt, id: DeclId) -> bool {
    first_use(unit, body, id, 0) != Some(Use::Reads)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Use {
    Reads,
    Writes,
}

/// How far calls are followed.
const DEPTH: u32 = 16;

fn first_use(unit: &SourceFile<'_>, s: &Stmt, id: DeclId, depth: u32) -> Option<Use> {
    let own = walk::own_exprs(s).into_iter().find_map(|e| first_use_in(unit, e, id, depth));
    match &s.kind {
        // What a loop counts with is set first, and the condition comes before the body.
        StmtKind::DoWhile { body, .. } => first_use(unit, body, id, depth).or(own),
        _ => own.or_else(|| walk::children(s).into_iter().find_map(|s| first_use(unit, s, id, depth))),
    }
}

fn first_use_in(unit: &SourceFile<'_>, e: &Expr, id: DeclId, depth: u32) -> Option<Use> {
    match &e.kind {
        ExprKind::Assign { place, value } => first_use_in(unit, value, id, depth).or_else(|| {
            let writes = leads_from(place) == Some(id);
            if writes { Some(Use::Writes) } else { first_use_in(unit, place, id, depth) }
        }),
        ExprKind::Call { callee, args } => {
            let handed = args.iter().position(|arg| walk::uses(arg, id) > 0)?;
            if !matches!(&*args[handed].ty.ty, Ty::Pointer { .. }) {
                return Some(Use::Reads);
            }
            // Of functions that are not in the file nobody knows it.
            let function = walk::callee(callee).and_then(|id| unit.function(id)).filter(|_| depth < DEPTH);
            match function.and_then(|f| Some((f.params.get(handed)?, f.body.as_ref()?))) {
                Some((param, body)) => first_use(unit, body, param.id, depth + 1),
                None => Some(Use::Writes),
            }
        }
        ExprKind::Var(of, _) if *of == id => Some(Use::Reads),
        _ => walk::operands(e).into_iter().find_map(|e| first_use_in(unit, e, id, depth)),
    }
}

/// The variable from which a place is found, through whatever pointers.
pub fn leads_from(place: &Expr) -> Option<DeclId> {
    match &walk::bare(place).kind {
        ExprKind::Var(id, _) => Some(*id),
        ExprKind::Index { base, .. } | ExprKind::Member { base, .. } | ExprKind::Deref(base) => {
            leads_from(base)
        }
        _ => None,
    }
}

/// A parameter that leads to an array of the thread's, which all functions use as scratch memory of loops.
fn parameter(unit: &SourceFile<'_>, around: &Around<'_>, var: &Var) -> Option<Scratch> {
    if walk::may_change(around.scope, var.id) {
        return None;
    }
    let mut search = Search { unit, seen: BTreeSet::new(), found: None };
    search.parameter(var.id).then_some(())?;
    let array = search.found?;
    let (element, extents) = array_text(&array.type_text)?;
    let bytes = bytes(unit, &array.ty.ty)?;
    Some(Scratch {
        id: var.id,
        name: var.name.clone(),
        element,
        extents,
        has_value: false,
        bytes,
        is_parameter: true,
    })
}

/// Where the arrays come from that a parameter is given, and what else is done with them.
struct Search<'u, 'a> {
    unit: &'u SourceFile<'a>,
    seen: BTreeSet<DeclId>,
    /// The array; all that are found have its type.
    found: Option<&'a Var>,
}

impl Search<'_, '_> {
    /// Whether the function is called with arrays of threads alone, and the parameter serves its loops alone.
    fn parameter(&mut self, id: DeclId) -> bool {
        if !self.seen.insert(id) {
            return true;
        }
        let unit = self.unit;
        let holds = |f: &&Function| f.body.is_some() && f.params.iter().any(|p| p.id == id);
        let Some(function) = unit.program.functions.iter().find(holds) else { return false };
        let Some(number) = function.params.iter().position(|p| p.id == id) else { return false };
        let calls = unit.calls_of(function.id);
        unit.is_internal(function)
            && !calls.is_empty()
            && function.body.as_ref().is_some_and(|body| self.serves_loops(body, id))
            && calls.iter().all(|(caller, args)| args.get(number).is_some_and(|e| self.argument(caller, e)))
    }

    fn argument(&mut self, caller: &Function, e: &Expr) -> bool {
        let ExprKind::Var(id, _) = &walk::bare(e).kind else { return false };
        let Some(var) = self.unit.var(*id) else { return false };
        match var.storage {
            Storage::Param => self.parameter(*id),
            Storage::Auto => self.array(caller, var.id),
            _ => false,
        }
    }

    /// An array that is declared without a value in a function that threads run.
    fn array(&mut self, function: &Function, id: DeclId) -> bool {
        let Some(var) = self.unit.var(id) else { return false };
        if self.found.is_some_and(|found| found.type_text != var.type_text) {
            return false;
        }
        self.found = Some(var);
        if !self.seen.insert(id) {
            return true;
        }
        let by_threads = self.unit.is_run_by_threads_alone(function);
        let Some(body) = function.body.as_ref().filter(|_| by_threads && var.init.is_none()) else {
            return false;
        };
        self.serves_loops(body, id)
    }

    /// Whether all that is done with it outside of shared loops is to hand it to functions that do no more.
    fn serves_loops(&mut self, s: &Stmt, id: DeclId) -> bool {
        if let StmtKind::Directed { directive, .. } = s.kind
            && self.unit.lines[directive].shares_loop()
        {
            return self.unit.mentions(s, id) == 0 || !is_static(self.unit, &self.unit.lines[directive]);
        }
        walk::own_exprs(s).into_iter().all(|e| self.hands_on(e, id))
            && walk::children(s).into_iter().all(|s| self.serves_loops(s, id))
    }

    fn hands_on(&mut self, e: &Expr, id: DeclId) -> bool {
        match &e.kind {
            ExprKind::Var(of, _) => *of != id,
            ExprKind::Call { callee, args } => {
                let function = walk::callee(callee).and_then(|f| self.unit.function(f));
                args.iter().enumerate().all(|(at, arg)| match &walk::bare(arg).kind {
                    ExprKind::Var(of, _) if *of == id => {
                        let param = function.and_then(|f| f.params.get(at)).map(|p| p.id);
                        param.is_some_and(|param| self.parameter(param))
                    }
                    _ => self.hands_on(arg, id),
                })
            }
            _ => walk::operands(e).into_iter().all(|e| self.hands_on(e, id)),
        }
    }
}

impl SourceFile<'_> {
    /// Other files cannot call it.
    pub fn is_internal(&self, function: &Function) -> bool {
        if self.is_whole_program {
            return true;
        }
        let head = self.text(function.definition).split('(').next().unwrap_or("");
        let declared = self.program.functions.iter().filter(|f| f.id == function.id);
        let words = |text: &str| text.split_whitespace().any(|word| word == "static");
        words(head) || declared.into_iter().any(|f| words(self.text(f.span)))
    }

    /// All calls of the function stand in parallel regions.
    fn is_run_by_threads_alone(&self, function: &Function) -> bool {
        let mut seen = BTreeSet::new();
        self.is_called_by_threads_alone(function, &mut seen)
    }

    fn is_called_by_threads_alone(&self, function: &Function, seen: &mut BTreeSet<DeclId>) -> bool {
        if !seen.insert(function.id) {
            return true;
        }
        let calls = self.calls_of(function.id);
        self.is_internal(function)
            && !calls.is_empty()
            && calls.iter().all(|(caller, _)| {
                let Some(body) = &caller.body else { return false };
                let outside = calls_outside_regions(self, body, function.id);
                !outside || self.is_called_by_threads_alone(caller, seen)
            })
    }
}

fn calls_outside_regions(unit: &SourceFile<'_>, s: &Stmt, id: DeclId) -> bool {
    if let StmtKind::Directed { directive, .. } = s.kind
        && unit.lines[directive].has(accl_directives::omp::ast::Leaf::Parallel)
    {
        return false;
    }
    let here = walk::own_exprs(s).into_iter().any(|e| calls(e, id));
    here || walk::children(s).into_iter().any(|s| calls_outside_regions(unit, s, id))
}
