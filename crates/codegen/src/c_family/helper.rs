//! Helper functions that a text may hold: reductions and the atomics a language lacks.

use super::scalar::Scalar;
use super::spaces::AddrSpace;
use super::unit::DeviceSource;
use accl_ir::{AtomicKind, BinaryOp, MathFn, ReductionOp};

/// How two values are combined: by an operator of reductions or of atomic updates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Combine {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    Shl,
    Shr,
    And,
    Or,
    Xor,
    LogicalAnd,
    LogicalOr,
    Min,
    Max,
    /// `b`: atomic writes that return the value before
    Assign,
    /// `b`, where `a` is equal to a third value, which is called `expected`
    Replace,
    /// `b - a`, and so on
    ReverseSub,
    ReverseDiv,
    ReverseRem,
    ReverseShl,
    ReverseShr,
}

impl From<ReductionOp> for Combine {
    fn from(op: ReductionOp) -> Combine {
        match op {
            ReductionOp::Add => Combine::Add,
            ReductionOp::Mul => Combine::Mul,
            ReductionOp::Max => Combine::Max,
            ReductionOp::Min => Combine::Min,
            ReductionOp::BitAnd => Combine::And,
            ReductionOp::BitOr => Combine::Or,
            ReductionOp::BitXor => Combine::Xor,
            ReductionOp::LogicalAnd => Combine::LogicalAnd,
            ReductionOp::LogicalOr => Combine::LogicalOr,
        }
    }
}

impl Combine {
    /// `None` for reads, writes, and comparisons, which update nothing.
    pub fn of_atomic(kind: AtomicKind) -> Option<Combine> {
        match kind {
            AtomicKind::Read | AtomicKind::Write => None,
            AtomicKind::Update(op) => Combine::of_binary(op),
            AtomicKind::ReverseUpdate(op) => Some(Combine::of_binary(op)?.reversed()),
            AtomicKind::Extremum(MathFn::Fmin | MathFn::Min) => Some(Combine::Min),
            AtomicKind::Extremum(MathFn::Fmax | MathFn::Max) => Some(Combine::Max),
            AtomicKind::Extremum(_) => None,
            AtomicKind::Replace(_) => Some(Combine::Replace),
        }
    }

    fn of_binary(op: BinaryOp) -> Option<Combine> {
        Some(match op {
            BinaryOp::Add => Combine::Add,
            BinaryOp::Sub => Combine::Sub,
            BinaryOp::Mul => Combine::Mul,
            BinaryOp::Div => Combine::Div,
            BinaryOp::Rem => Combine::Rem,
            BinaryOp::Shl => Combine::Shl,
            BinaryOp::Shr => Combine::Shr,
            BinaryOp::BitAnd => Combine::And,
            BinaryOp::BitOr => Combine::Or,
            BinaryOp::BitXor => Combine::Xor,
            BinaryOp::LogicalAnd => Combine::LogicalAnd,
            BinaryOp::LogicalOr => Combine::LogicalOr,
            BinaryOp::Eq | BinaryOp::Ne | BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge => {
                return None;
            }
        })
    }

    fn reversed(self) -> Combine {
        match self {
            Combine::Sub => Combine::ReverseSub,
            Combine::Div => Combine::ReverseDiv,
            Combine::Rem => Combine::ReverseRem,
            Combine::Shl => Combine::ReverseShl,
            Combine::Shr => Combine::ReverseShr,
            other => other,
        }
    }

    /// For names of helpers.
    pub fn word(self) -> &'static str {
        match self {
            Combine::Add => "add",
            Combine::Sub => "sub",
            Combine::Mul => "mul",
            Combine::Div => "div",
            Combine::Rem => "rem",
            Combine::Shl => "shl",
            Combine::Shr => "shr",
            Combine::And => "and",
            Combine::Or => "or",
            Combine::Xor => "xor",
            Combine::LogicalAnd => "logical_and",
            Combine::LogicalOr => "logical_or",
            Combine::Min => "min",
            Combine::Max => "max",
            Combine::Assign => "exchange",
            Combine::Replace => "replace",
            Combine::ReverseSub => "reverse_sub",
            Combine::ReverseDiv => "reverse_div",
            Combine::ReverseRem => "reverse_rem",
            Combine::ReverseShl => "reverse_shl",
            Combine::ReverseShr => "reverse_shr",
        }
    }

    /// The two values combined; `a` and `b` are names or literals. Extrema of floats are the
    /// language's fmin and fmax, `float_extremum`.
    pub fn apply(self, a: &str, b: &str, ty: Scalar, float_extremum: &dyn Fn(MathFn) -> String) -> String {
        let infix = |op: &str| format!("{a} {op} {b}");
        let reverse = |op: &str| format!("{b} {op} {a}");
        match self {
            Combine::Add => infix("+"),
            Combine::Sub => infix("-"),
            Combine::Mul => infix("*"),
            Combine::Div => infix("/"),
            Combine::Rem => infix("%"),
            Combine::Shl => infix("<<"),
            Combine::Shr => infix(">>"),
            Combine::And => infix("&"),
            Combine::Or => infix("|"),
            Combine::Xor => infix("^"),
            Combine::LogicalAnd => infix("&&"),
            Combine::LogicalOr => infix("||"),
            Combine::Min if ty.is_float() => format!("{}({a}, {b})", float_extremum(MathFn::Fmin)),
            Combine::Max if ty.is_float() => format!("{}({a}, {b})", float_extremum(MathFn::Fmax)),
            Combine::Min => format!("{a} < {b} ? {a} : {b}"),
            Combine::Max => format!("{a} > {b} ? {a} : {b}"),
            Combine::Assign => b.to_owned(),
            Combine::Replace => format!("{a} == expected ? {b} : {a}"),
            Combine::ReverseSub => reverse("-"),
            Combine::ReverseDiv => reverse("/"),
            Combine::ReverseRem => reverse("%"),
            Combine::ReverseShl => reverse("<<"),
            Combine::ReverseShr => reverse(">>"),
        }
    }

    /// `a op= b` where C has it, else `a = …`.
    pub fn update(self, a: &str, b: &str, ty: Scalar, float_extremum: &dyn Fn(MathFn) -> String) -> String {
        let compound = |op: &str| format!("{a} {op}= {b}");
        match self {
            Combine::Add => compound("+"),
            Combine::Sub => compound("-"),
            Combine::Mul => compound("*"),
            Combine::Div => compound("/"),
            Combine::Rem => compound("%"),
            Combine::Shl => compound("<<"),
            Combine::Shr => compound(">>"),
            Combine::And => compound("&"),
            Combine::Or => compound("|"),
            Combine::Xor => compound("^"),
            Combine::LogicalAnd
            | Combine::LogicalOr
            | Combine::Min
            | Combine::Max
            | Combine::Assign
            | Combine::Replace
            | Combine::ReverseSub
            | Combine::ReverseDiv
            | Combine::ReverseRem
            | Combine::ReverseShl
            | Combine::ReverseShr => format!("{a} = {}", self.apply(a, b, ty, float_extremum)),
        }
    }

    /// The neutral element of a reduction operator.
    pub fn identity(self, ty: Scalar, unit: &DeviceSource) -> String {
        unit.note(|n| n.special_floats |= ty.is_float() && matches!(self, Combine::Min | Combine::Max));
        match self {
            Combine::Mul | Combine::LogicalAnd => constant(1, ty),
            Combine::And => constant(-1, ty),
            Combine::Max if ty.is_float() => "-INFINITY".into(),
            Combine::Min if ty.is_float() => "INFINITY".into(),
            Combine::Max => constant(smallest(ty), ty),
            Combine::Min => constant(largest(ty), ty),
            _ => constant(0, ty),
        }
    }
}

fn constant(value: i128, ty: Scalar) -> String {
    if ty.is_float() {
        return super::literal::floating(value as f64, ty);
    }
    let value = if value < 0 && !ty.is_signed() { largest(ty) } else { value };
    super::literal::integer(value, ty).0
}

fn smallest(ty: Scalar) -> i128 {
    if ty.is_signed() { -(1 << (ty.bits() - 1)) } else { 0 }
}

fn largest(ty: Scalar) -> i128 {
    (1 << (ty.bits() - u32::from(ty.is_signed()))) - 1
}

/// One helper function. The order of the variants is the order of the text: each needs only earlier ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Helper {
    /// The smaller or greater of two values; NaN as fmin and fmax have it.
    Extremum(Combine, Scalar),
    /// An update that the language has no atomic function for; it returns the value before.
    /// The operand has the second type, in which it is computed.
    Atomic(Combine, Scalar, Scalar, AddrSpace),
    /// CUDA: the same, of what may be a variable of the thread's own.
    OwnAtomic(Combine, Scalar, Scalar),
    /// CUDA: an update by all lanes of a warp, made once for those that have the same place.
    CombinedAtomic(Combine, Scalar),
    /// CUDA: an update that the block's table takes, where it has the place or room for it.
    AggregatedAtomic(Combine, Scalar),
    /// Over the 32 lanes of a warp; every lane gets the result.
    ReduceWarp(Combine, Scalar),
    /// CUDA: the lanes of the thread's worker, where a warp has several workers.
    LanesOfWorker,
    /// CUDA: over these lanes; every one gets the result.
    ReduceWorker(Combine, Scalar),
    /// Over the threads of a block; every thread gets the result.
    ReduceBlock(Combine, Scalar),
    /// CUDA: the attribute of kernels whose gangs are clusters, and the barrier of a cluster.
    Clustered,
    ClusterBarrier,
    /// CUDA: over the threads of a cluster; every thread gets the result.
    ReduceCluster(Combine, Scalar),
    /// CUDA: over the threads of a block with the same place in x; every one gets the result.
    ReduceColumn(Combine, Scalar),
    /// CUDA: stores these results among the blocks' partial ones.
    PartialColumn(Scalar),
    /// CUDA: over the partial results of blocks with the same place in x, in their order.
    TotalColumn(Combine, Scalar),
    /// CUDA: counts a block's arrival.
    Arrive,
    /// CUDA: true in the block that arrives last of those with the same place in x.
    LastInColumn,
    /// OpenCL: sixteen threads combine what all threads of the block have stored.
    ReduceRows(Combine, Scalar),
    /// OpenCL: each thread stores its share of the blocks' partial results.
    ReduceShare(Combine, Scalar),
    /// Over the threads of a block, into the block's element of the partial results.
    ReducePartial(Combine, Scalar),
    /// Over all blocks' partial results, in order, into the reduction's result.
    ReduceTotal(Combine, Scalar),
    /// True in the block that arrives last.
    LastBlock,
    /// cpu: the bits of a floating number, or the number of bits; named by the argument's type.
    Bits(Scalar),
    /// CUDA: the reciprocal root of a float that is not subnormal.
    RsqrtNormal,
    /// CUDA: a warp multiplies two matrices of doubles.
    TensorProduct,
    /// CUDA: adds counts to what is measured of a variant.
    Measure,
    /// CUDA: waits until the kernel before this one is done.
    AwaitGrid,
    /// The seconds since some time before.
    Clock,
    /// Orders a thread's accesses to memory.
    Fence,
}

impl Helper {
    pub fn name(self) -> String {
        match self {
            Helper::Extremum(op, ty) => format!("accl_{}_{}", op.word(), ty.word()),
            Helper::Atomic(op, ty, by, space) => {
                let by = if by == ty { String::new() } else { format!("_by_{}", by.word()) };
                let space = match space {
                    AddrSpace::Local => "_local",
                    AddrSpace::Private => "_own",
                    AddrSpace::Global | AddrSpace::Constant => "",
                };
                format!("accl_atomic_{}_{}{by}{space}", op.word(), ty.word())
            }
            Helper::OwnAtomic(op, ty, by) => {
                let by = if by == ty { String::new() } else { format!("_by_{}", by.word()) };
                format!("accl_own_or_atomic_{}_{}{by}", op.word(), ty.word())
            }
            Helper::CombinedAtomic(op, ty) => format!("accl_combined_{}_{}", op.word(), ty.word()),
            Helper::AggregatedAtomic(op, ty) => format!("accl_aggregated_{}_{}", op.word(), ty.word()),
            Helper::ReduceWarp(op, ty) => format!("accl_reduce_warp_{}_{}", op.word(), ty.word()),
            Helper::LanesOfWorker => "accl_lanes_of_worker".into(),
            Helper::ReduceWorker(op, ty) => format!("accl_reduce_worker_{}_{}", op.word(), ty.word()),
            Helper::ReduceBlock(op, ty) => format!("accl_reduce_block_{}_{}", op.word(), ty.word()),
            Helper::Clustered => "ACCL_CLUSTERED".into(),
            Helper::ClusterBarrier => "accl_await_cluster".into(),
            Helper::ReduceCluster(op, ty) => format!("accl_reduce_cluster_{}_{}", op.word(), ty.word()),
            Helper::ReduceColumn(op, ty) => format!("accl_reduce_column_{}_{}", op.word(), ty.word()),
            Helper::PartialColumn(ty) => format!("accl_partial_column_{}", ty.word()),
            Helper::TotalColumn(op, ty) => format!("accl_total_column_{}_{}", op.word(), ty.word()),
            Helper::LastInColumn => "accl_is_last_in_column".into(),
            Helper::ReduceRows(op, ty) => format!("accl_reduce_rows_{}_{}", op.word(), ty.word()),
            Helper::ReduceShare(op, ty) => format!("accl_reduce_share_{}_{}", op.word(), ty.word()),
            Helper::ReducePartial(op, ty) => format!("accl_reduce_partial_{}_{}", op.word(), ty.word()),
            Helper::ReduceTotal(op, ty) => format!("accl_reduce_total_{}_{}", op.word(), ty.word()),
            Helper::LastBlock => "accl_is_last_block".into(),
            Helper::Arrive => "accl_arrive".into(),
            Helper::RsqrtNormal => "accl_rsqrt_normal".into(),
            Helper::Measure => "accl_measure".into(),
            Helper::TensorProduct => "accl_multiply_matrices".into(),
            Helper::AwaitGrid => "accl_await_last_kernel".into(),
            Helper::Clock => accl_ir::Function::CLOCK.into(),
            Helper::Fence => accl_ir::Function::FENCE.into(),
            Helper::Bits(ty) if ty.is_float() => format!("accl_bits_of_{}", ty.word()),
            Helper::Bits(Scalar::U32) => "accl_float_of_bits".into(),
            Helper::Bits(_) => "accl_double_of_bits".into(),
        }
    }
}
