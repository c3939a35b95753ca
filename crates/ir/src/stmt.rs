//! Statements, loops, and the directives that stand on loops.

use crate::{
    Body, Expr, ExprKind, Function, GivenSchedule, Handle, HostExpr, Local, MathFn, Region, Standalone,
    Window, visit,
};
use accl_source::Span;
use std::collections::BTreeSet;

pub type Block = Vec<StmtNode>;

#[derive(Clone, Debug, PartialEq)]
pub struct StmtNode {
    pub kind: Stmt,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Stmt {
    /// A local's declaration. Its scope is the rest of the block.
    Declare {
        local: Handle<Local>,
        init: Option<Handle<Expr>>,
    },
    /// `place = value`, or `place op= value` where both have the place's type after the front end's casts.
    Store {
        place: Handle<Expr>,
        op: Option<crate::BinaryOp>,
        value: Handle<Expr>,
    },
    /// `dest = function(args)`
    Call {
        dest: Option<Handle<Expr>>,
        function: Handle<Function>,
        args: Vec<Handle<Expr>>,
    },
    If {
        cond: Handle<Expr>,
        then: Block,
        otherwise: Block,
    },
    For(Box<Loop>),
    /// Any loop that is not canonical. `cond: None` is forever; `step` runs after the body and after
    /// `continue`; `test_last` makes it a `do … while`.
    While {
        cond: Option<Handle<Expr>>,
        body: Block,
        step: Block,
        test_last: bool,
    },
    /// Cases in source order; a body that does not end in `Break` falls through.
    Switch {
        value: Handle<Expr>,
        cases: Vec<Case>,
    },
    Break,
    Continue,
    Return(Option<Handle<Expr>>),
    Block(Block),
    Atomic(Box<Atomic>),
    /// Writes to the standard output what C's `printf` would. Conversions in `format` have no length but `l`, for integers of
    /// 64 bits; each argument has the type that its conversion asks for: so C, CUDA and OpenCL C read it alike.
    Print {
        format: String,
        args: Vec<Handle<Expr>>,
    },
    /// Ends the program: an assertion that does not hold or `exit(1)`, its text here, or `abort()`. Nothing after it runs.
    Stop {
        assertion: Option<String>,
    },
    /// A statement under `fcw` or `cache`; gone after mapping.
    Window(Box<Window>),
    /// A construct of the host program: data, compute, host_data.
    Region(Box<Region>),
    /// A directive without a statement: update, wait, enter data, …
    Directive(Box<Standalone>),
    /// Host text that no analysis needs to understand; the node's span.
    Host,

    // After mapping only
    /// Every thread of the scope arrives before any leaves. Never in divergent control flow. Before mapping it is
    /// the user's `fcw_barrier`, inside a window.
    Barrier(BarrierScope),
    /// Sets `local`, in each thread of the scope, to the reduction of all threads' values of it.
    ReduceAcross {
        op: ReductionOp,
        local: Handle<Local>,
        scope: BarrierScope,
    },
    /// Ends a kernel: combines `local` of all threads of the grid into reduction parameter `param`
    /// (an index of `Kernel::params`). On the cpu: `*partial = partial OP local`.
    ReduceGrid {
        op: ReductionOp,
        local: Handle<Local>,
        param: usize,
    },
    /// Adds what the thread has counted, where its block is one of a sample, to what is measured of the variant: iterations of
    /// the gang loop, executions of the loops inside, and their iterations.
    Measure {
        counts: [Handle<Local>; 3],
    },
    /// The threads of a warp multiply two matrices together.
    TensorProduct(Box<TensorProduct>),
    /// `dst[0..n] = src[0..n]` in one wide access; `dst`: a local array, `src`: an aligned place (its
    /// first element). `VectorStore` is the other way round. Where the array is shared, a block's threads fill or empty all
    /// of it together, `n` elements for each; their number is the array's length by `n`.
    VectorLoad {
        dst: Handle<Local>,
        src: Handle<Expr>,
        n: u8,
    },
    VectorStore {
        dst: Handle<Expr>,
        src: Handle<Local>,
        n: u8,
    },
}

/// The product of a 16x8 matrix of doubles and an 8x8 one, added to a 16x8 one, of which each thread of a warp has its part
/// (PTX ISA, `mma.m16n8k8` of `.f64`). Thread `t` has rows `t / 4` and `t / 4 + 8`.
#[derive(Clone, Debug, PartialEq)]
pub struct TensorProduct {
    /// Places, two of each row: columns `2 * (t % 4)` and the next.
    pub sums: [Handle<Expr>; 4],
    /// Both rows of column `t % 4`, then both of column `t % 4 + 4`.
    pub left: [Handle<Expr>; 4],
    /// Column `t / 4`: rows `t % 4` and `t % 4 + 4`.
    pub right: [Handle<Expr>; 2],
}

#[derive(Clone, Debug, PartialEq)]
pub struct Case {
    pub values: Vec<i64>,
    pub default: bool,
    pub body: Block,
}

/// Who takes part in a barrier or reduction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BarrierScope {
    /// All threads of a gang.
    Block,
    /// The vector lanes of one worker: one warp, 32 threads in x.
    Warp,
    /// All threads of a gang that is a cluster of blocks, which the launch has in y.
    Cluster,
    /// The threads with the same place in x, of a block and of those that follow it in y. Only for `ReduceAcross`, several of which may follow one
    /// another: there the blocks end, but for the last one to arrive, whose threads have the results.
    Columns,
}

/// OpenACC 3.3 §2.12. `capture` receives the value before (`false`) or after (`true`) the operation.
#[derive(Clone, Debug, PartialEq)]
pub struct Atomic {
    pub kind: AtomicKind,
    pub place: Handle<Expr>,
    /// The new value (write) or the operand (update). `None` for read.
    pub value: Option<Handle<Expr>>,
    /// A place that receives the value, and whether it is the one after the update.
    pub capture: Option<(Handle<Expr>, bool)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AtomicKind {
    Read,
    Write,
    /// `place = place op value`; an integer place may have an operand of another type, in which it is computed
    Update(crate::BinaryOp),
    /// `place = value op place`, for operators that do not commute
    ReverseUpdate(crate::BinaryOp),
    /// `place = fmin/fmax/min/max(place, value)`
    Extremum(MathFn),
    /// `if (place == expected) place = value`, where what is captured is the value before; compared in the type of `expected`
    Replace(Handle<Expr>),
}

impl AtomicKind {
    pub fn expected(self) -> Option<Handle<Expr>> {
        match self {
            AtomicKind::Replace(expected) => Some(expected),
            _ => None,
        }
    }
}

/// Comparison of a loop header: `var cmp bound`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Compare {
    Lt,
    Le,
    Gt,
    Ge,
    Ne,
}

impl Compare {
    /// The same comparison of two values.
    pub fn operator(self) -> crate::BinaryOp {
        use crate::BinaryOp;
        match self {
            Compare::Lt => BinaryOp::Lt,
            Compare::Le => BinaryOp::Le,
            Compare::Gt => BinaryOp::Gt,
            Compare::Ge => BinaryOp::Ge,
            Compare::Ne => BinaryOp::Ne,
        }
    }
}

/// A canonical loop: `for (var = lower; var cmp bound; var += step)`.
#[derive(Clone, Debug, PartialEq)]
pub struct Loop {
    pub var: Handle<Local>,
    /// Declared in the header: its value is dead afterwards.
    pub declared_here: bool,
    pub lower: Handle<Expr>,
    pub compare: Compare,
    pub bound: Handle<Expr>,
    /// Of the variable's type; negative for loops that count down. On a loop that runs in parallel it is a constant, or
    /// fixed during the loop with a comparison that tells the direction (not `!=`).
    pub step: Handle<Expr>,
    pub body: Block,
    pub directive: Option<LoopDirective>,
    /// Decided by the scheduling pass; `None` before it.
    pub levels: Option<LoopLevels>,
}

impl Loop {
    /// `for (T var = lower; var < bound; var += step) body`, without a directive.
    pub fn counting(
        var: Handle<Local>,
        lower: Handle<Expr>,
        bound: Handle<Expr>,
        step: Handle<Expr>,
        body: Block,
    ) -> Loop {
        let compare = Compare::Lt;
        Loop { var, declared_here: true, lower, compare, bound, step, body, directive: None, levels: None }
    }
}

impl Loop {
    /// One thread runs it from end to end, by a step that is known, and there is no loop inside.
    pub fn is_innermost_of_thread(&self, body: &Body) -> bool {
        let mut inner = false;
        visit::for_each_stmt(&self.body, &mut |node| {
            inner |= matches!(node.kind, Stmt::For(_) | Stmt::While { .. })
        });
        let alone = self.levels.as_ref().is_none_or(|levels| levels.is_seq() && levels.dim.is_none());
        let step = match body.exprs[self.step].kind {
            ExprKind::Cast(step) => step,
            _ => self.step,
        };
        alone && !inner && matches!(body.exprs[step].kind, ExprKind::Int(_))
    }
}

/// A condition that the host evaluates at each launch.
#[derive(Clone, Debug, PartialEq)]
pub struct LaunchTest {
    pub host: HostExpr,
    /// As messages say it: `w > m-1`.
    pub shown: String,
}

impl LaunchTest {
    /// Adds those that are not in the list yet.
    pub fn join(list: &mut Vec<LaunchTest>, more: Vec<LaunchTest>) {
        for test in more {
            if list.iter().all(|known| known.host.text != test.host.text) {
                list.push(test);
            }
        }
    }

    pub fn shown(list: &[LaunchTest]) -> String {
        let mut each: Vec<&str> = list.iter().map(|test| test.shown.as_str()).collect();
        let mut seen = BTreeSet::new();
        each.retain(|shown| seen.insert(*shown));
        // A cell of many components has a test for each.
        let more = each.len().saturating_sub(4);
        each.truncate(4);
        let more = if more == 0 { String::new() } else { format!(" and {more} more of this kind hold") };
        each.join(" and ") + &more
    }
}

impl LoopDirective {
    /// It is `independent` on a condition that each launch tests.
    pub fn is_conditional(&self) -> bool {
        self.assumes_distinct || !self.assumes_strides.is_empty()
    }
}

/// Which rows behind an array of pointers have to be apart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rows {
    #[default]
    None,
    /// Those that pointers in the same element of the array lead to.
    OfElements,
    All,
}

/// A `loop` directive, or the loop part of a combined one (OpenACC 3.3 §2.9).
#[derive(Clone, Debug, PartialEq, Default)]
pub struct LoopDirective {
    pub span: Span,
    /// The user wrote none: it says what the compiler found.
    pub found: bool,
    pub gang: Option<Option<HostExpr>>,
    pub worker: Option<Option<HostExpr>>,
    pub vector: Option<Option<HostExpr>>,
    pub seq: bool,
    pub auto: bool,
    pub independent: bool,
    /// It is `independent` only where no array that the kernel writes overlaps another one.
    pub assumes_distinct: bool,
    /// So must not these rows.
    pub assumes_rows: Rows,
    /// It is `independent` only where these hold: then rows that subscripts count by hand are apart.
    pub assumes_strides: Vec<LaunchTest>,
    /// How many sequential loops inside it were around it in the program.
    pub interchanged: u32,
    /// 1 where the clause is absent.
    pub collapse: u32,
    /// The loop is so manieth of those that were made of the one that the user wrote, from 1 on; 0: it is the only one.
    pub part: u32,
    pub tile: Vec<HostExpr>,
    pub private: Vec<Handle<Local>>,
    pub reductions: Vec<Reduction>,
    /// Found by the compiler, in loops that lanes or workers of a gang share.
    pub searches: Vec<Search>,
    /// Extension: `#pragma accl schedule` before a loop of its own.
    pub schedule: Option<GivenSchedule>,
}

/// The parallelism a loop runs with. No level set: sequential in each thread.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct LoopLevels {
    pub gang: bool,
    pub worker: bool,
    pub vector: bool,
    /// Launch dimension (0 = x) of a distributed loop.
    pub dim: Option<u8>,
}

impl LoopLevels {
    pub fn is_seq(&self) -> bool {
        !self.gang && !self.worker && !self.vector
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    Gang,
    Worker,
    Vector,
    Seq,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Reduction {
    pub op: ReductionOp,
    pub local: Handle<Local>,
    pub span: Span,
}

/// The loop looks for the smallest or largest value, and notes variables with it: `if (value < best) { best = value; place = i; }`.
/// All of these are variables of the gang that runs the loop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Search {
    /// `Min` or `Max`.
    pub op: ReductionOp,
    pub best: Handle<Local>,
    /// Of equal values the last one counts; else the first.
    pub last: bool,
    pub places: Vec<Handle<Local>>,
}

impl Search {
    /// The best value, and what is noted with it.
    pub fn variables(&self) -> impl Iterator<Item = Handle<Local>> {
        std::iter::once(self.best).chain(self.places.iter().copied())
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ReductionOp {
    Add,
    Mul,
    Max,
    Min,
    BitAnd,
    BitOr,
    BitXor,
    LogicalAnd,
    LogicalOr,
}
