//! What host code does with an array between the constructs that use it.

use super::distinct::plain_variable;
use super::{Constructs, Map};
use crate::ast::{CastKind, DeclId, Expr, ExprKind, Stmt, StmtKind};
use crate::lower::walk;
use accl_source::Span;
use std::collections::{BTreeMap, BTreeSet};

/// Why an array cannot stay on the device.
#[derive(Clone, Debug)]
pub struct Obstacle {
    pub span: Span,
    pub why: String,
}

/// A construct that uses the array.
#[derive(Clone, Debug)]
pub struct Use {
    pub construct: usize,
    pub map: Map,
    pub in_loop: bool,
    /// It stands in a function that is called.
    pub in_call: bool,
}

/// Statements that are looked at, calls followed: a bound on the time.
const BUDGET: usize = 20_000;

pub struct HostUse<'a, 'c> {
    constructs: &'c Constructs<'a>,
    /// The array, by a variable of the function at hand.
    array: DeclId,
    /// Constructs change it.
    pub is_written: bool,
    /// Looks for constructs alone.
    ignores_host: bool,
    /// Parameters of functions on the way here, with what they were given.
    given: BTreeMap<DeclId, Option<DeclId>>,
    calling: BTreeSet<DeclId>,
    loops: usize,
    budget: usize,
    pub uses: Vec<Use>,
}

type Checked = Result<(), Obstacle>;

impl<'a, 'c> HostUse<'a, 'c> {
    pub fn new(constructs: &'c Constructs<'a>, array: DeclId) -> HostUse<'a, 'c> {
        HostUse {
            constructs,
            array,
            is_written: true,
            ignores_host: false,
            given: BTreeMap::new(),
            calling: BTreeSet::new(),
            loops: 0,
            budget: BUDGET,
            uses: vec![],
        }
    }

    /// The constructs in a statement, and in functions that it calls, that use the array.
    pub fn uses(constructs: &'c Constructs<'a>, array: DeclId, s: &Stmt) -> Vec<Use> {
        let mut this = HostUse { ignores_host: true, ..HostUse::new(constructs, array) };
        let _ = this.statement(s);
        this.uses
    }

    fn obstacle(&self, span: Span, why: impl Into<String>) -> Checked {
        if self.ignores_host { Ok(()) } else { Err(Obstacle { span, why: why.into() }) }
    }

    /// The variable, in terms of the function where the search began.
    fn resolved(&self, id: DeclId) -> Option<DeclId> {
        self.given.get(&id).copied().unwrap_or(Some(id))
    }

    fn is_array(&self, id: DeclId) -> bool {
        self.resolved(id) == Some(self.array)
    }

    /// Nothing in the statement, but constructs, uses the array, and none leaves it.
    pub fn statement(&mut self, s: &Stmt) -> Checked {
        self.budget = self.budget.saturating_sub(1);
        if self.budget == 0 {
            return self.obstacle(s.span, "there is too much code to look at");
        }
        if let Some(at) = self.constructs.construct(s) {
            return self.construct(at, s);
        }
        match &s.kind {
            StmtKind::Goto | StmtKind::Label(_) | StmtKind::Unsupported(..) => {
                self.obstacle(s.span, "a jump or something unknown stands there")?;
            }
            StmtKind::Return(_) if self.calling.is_empty() => {
                self.obstacle(s.span, "the function is left there")?;
            }
            StmtKind::Decl(vars) => {
                if vars.iter().any(|var| var.id == self.array) {
                    self.obstacle(s.span, "it is declared there")?;
                }
            }
            _ => {}
        }
        for e in walk::own_exprs(s) {
            self.expression(e)?;
        }
        let is_loop = matches!(
            s.kind,
            StmtKind::For { .. }
                | StmtKind::RangeFor { .. }
                | StmtKind::While { .. }
                | StmtKind::DoWhile { .. }
        );
        self.loops += usize::from(is_loop);
        let result = walk::children(s).into_iter().try_for_each(|s| self.statement(s));
        self.loops -= usize::from(is_loop);
        result
    }

    fn construct(&mut self, at: usize, s: &Stmt) -> Checked {
        let constructs = self.constructs;
        let data = &constructs.list[at];
        let mut is_used = false;
        for (map, id) in data.maps.iter().zip(&constructs.variables[at]) {
            if self.is_array(*id) {
                is_used = true;
                let in_call = !self.calling.is_empty();
                self.uses.push(Use { construct: at, map: map.clone(), in_loop: self.loops > 0, in_call });
                continue;
            }
            let is_other = self.resolved(*id).is_some_and(|id| constructs.unit.are_distinct(id, self.array));
            if !is_other && constructs.unit.var(*id).is_some() {
                let why = format!("`{}` may lead to the same memory", map.name);
                self.obstacle(s.span, why)?;
            }
        }
        if is_used && data.is_conditional {
            self.obstacle(s.span, "the host may run the construct")?;
        }
        Ok(())
    }

    fn expression(&mut self, e: &Expr) -> Checked {
        match &e.kind {
            ExprKind::Var(id, _) if self.is_array(*id) => {
                return self.obstacle(e.span, "the host uses it");
            }
            ExprKind::SizeOf(_) | ExprKind::AlignOf(_) => return Ok(()),
            ExprKind::Call { callee, args } => return self.call(e, callee, args),
            ExprKind::Lambda(_)
            | ExprKind::Statements(_)
            | ExprKind::Construct { .. }
            | ExprKind::Unsupported(..) => {
                self.obstacle(e.span, "something stands there of which nothing is known")?;
            }
            ExprKind::Cast { kind: CastKind::Load, operand, .. } => {
                if self.is_written {
                    self.access(operand)?;
                }
            }
            ExprKind::Assign { place, .. }
            | ExprKind::CompoundAssign { place, .. }
            | ExprKind::Step { operand: place, .. } => self.access(place)?,
            _ => {}
        }
        walk::operands(e).into_iter().try_for_each(|e| self.expression(e))
    }

    /// An access to memory that is not the array's by name.
    fn access(&self, place: &Expr) -> Checked {
        let place = walk::same_place(place);
        let of = match &place.kind {
            ExprKind::Var(id, _) => {
                // No pointer leads to a variable whose address nobody takes.
                let is_object = !place.ty.is_reference();
                if is_object && !self.constructs.is_addressed(*id) {
                    return Ok(());
                }
                Some(*id)
            }
            _ => base(place),
        };
        let distinct = of
            .and_then(|id| self.resolved(id))
            .is_some_and(|id| id == self.array || self.constructs.unit.are_distinct(id, self.array));
        match distinct {
            true => Ok(()),
            false => self.obstacle(place.span, "an access of the host may lead to it"),
        }
    }

    fn call(&mut self, e: &Expr, callee: &Expr, args: &[Expr]) -> Checked {
        let unit = self.constructs.unit;
        let function = walk::callee(callee).and_then(|id| unit.function(id)).filter(|f| f.body.is_some());
        let Some(function) = function else { return self.library(e, callee, args) };
        let Some(body) = &function.body else { return Ok(()) };
        if !self.calling.insert(function.id) {
            return self.obstacle(e.span, format!("`{}` calls itself", function.name));
        }
        let mut given = vec![];
        for (at, arg) in args.iter().enumerate() {
            let plain = plain_variable(arg);
            if !plain.is_some_and(|id| self.is_array(id)) {
                self.expression(arg)?;
            }
            let resolved = plain.and_then(|id| self.resolved(id));
            if let Some(parameter) = function.params.get(at) {
                let points = unit.is_pointer(parameter.id) || parameter.ty.is_reference();
                if points {
                    if resolved == Some(self.array) && walk::may_change(body, parameter.id) {
                        self.obstacle(e.span, format!("`{}` changes its parameter", function.name))?;
                    }
                    given.push((parameter.id, resolved));
                }
            }
        }
        let before: Vec<_> = given.iter().map(|(id, to)| (*id, self.given.insert(*id, *to))).collect();
        let result = self.statement(body);
        for (id, old) in before {
            match old {
                Some(old) => _ = self.given.insert(id, old),
                None => _ = self.given.remove(&id),
            }
        }
        self.calling.remove(&function.id);
        result
    }

    /// Functions of the library reach memory through their arguments alone.
    fn library(&mut self, e: &Expr, callee: &Expr, args: &[Expr]) -> Checked {
        let Some(name) = walk::library_name(callee).filter(|name| is_known(name)) else {
            let name = walk::library_name(callee).unwrap_or("a function");
            return self.obstacle(e.span, format!("`{name}`, of which nothing is known, is called"));
        };
        for arg in args {
            self.expression(arg)?;
            let is_text = matches!(walk::bare(arg).kind, ExprKind::Str(_));
            let points = matches!(&*arg.ty.ty, crate::ast::Ty::Pointer { .. });
            if points && !is_text && !name.starts_with("free") {
                let of = plain_variable(arg).or_else(|| base(walk::bare(arg)));
                let other = of.and_then(|id| self.resolved(id)).filter(|id| *id != self.array);
                let distinct = other.is_some_and(|id| self.constructs.unit.are_distinct(id, self.array));
                // Streams and the like are no arrays of the program's.
                let is_opaque =
                    matches!(super::distinct::element(&walk::bare(arg).ty.ty), crate::ast::Ty::Record(_));
                if !distinct && !is_opaque && !is_own_variable(arg) {
                    self.obstacle(arg.span, format!("`{name}` may be given it"))?;
                }
            }
        }
        Ok(())
    }
}

/// `&x` of a variable.
fn is_own_variable(arg: &Expr) -> bool {
    match &walk::bare(arg).kind {
        ExprKind::AddrOf(place) => matches!(walk::same_place(place).kind, ExprKind::Var(..)),
        _ => false,
    }
}

/// The variable through which a place is reached.
fn base(place: &Expr) -> Option<DeclId> {
    match &walk::bare(place).kind {
        ExprKind::Var(id, _) => Some(*id),
        ExprKind::Index { base: of, .. } | ExprKind::Deref(of) | ExprKind::AddrOf(of) => base(of),
        ExprKind::Member { base: of, arrow: false, .. } => base(of),
        ExprKind::Binary { left, right, .. } => base(left).or_else(|| base(right)),
        _ => None,
    }
}

/// Functions of the C library that use no memory of the program's but what their arguments lead to.
fn is_known(name: &str) -> bool {
    const NAMES: &[&str] = &[
        "printf",
        "fprintf",
        "sprintf",
        "snprintf",
        "puts",
        "putchar",
        "fputs",
        "fputc",
        "putc",
        "fflush",
        "fopen",
        "fclose",
        "fgets",
        "fgetc",
        "getc",
        "getchar",
        "fscanf",
        "scanf",
        "sscanf",
        "exit",
        "abort",
        "clock",
        "time",
        "gettimeofday",
        "clock_gettime",
        "getenv",
        "atoi",
        "atol",
        "atof",
        "strtol",
        "strtod",
        "strtoul",
        "malloc",
        "calloc",
        "aligned_alloc",
        "free",
        "rand",
        "srand",
        "random",
        "srandom",
        "drand48",
        "srand48",
        "memset",
        "memcpy",
        "memmove",
        "strlen",
        "strcmp",
        "strncmp",
        "strcpy",
        "strcat",
        "fread",
        "fwrite",
        "abs",
        "labs",
        "sqrt",
        "sqrtf",
        "fabs",
        "fabsf",
        "exp",
        "expf",
        "log",
        "logf",
        "log2",
        "log10",
        "pow",
        "powf",
        "sin",
        "sinf",
        "cos",
        "cosf",
        "tan",
        "tanf",
        "atan",
        "atanf",
        "atan2",
        "atan2f",
        "asin",
        "acos",
        "sinh",
        "cosh",
        "tanh",
        "floor",
        "floorf",
        "ceil",
        "ceilf",
        "fmod",
        "fmodf",
        "fmin",
        "fmax",
        "fminf",
        "fmaxf",
        "round",
        "hypot",
        "cbrt",
        "ldexp",
        "frexp",
        "trunc",
        "rint",
        "nearbyint",
        "__assert_fail",
        "perror",
    ];
    NAMES.contains(&name) || name.starts_with("omp_get_") || name.starts_with("__builtin_")
}
