//! Expressions: free of side effects, evaluated where the statement that uses them stands.

use crate::{Function, Global, Handle, Local, Type};
use accl_source::Span;

#[derive(Clone, Debug, PartialEq)]
pub struct Expr {
    pub kind: ExprKind,
    /// Of the value, or of the object that a place denotes.
    pub ty: Handle<Type>,
    /// In the preprocessed buffer; "nowhere" for what the compiler made.
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub enum ExprKind {
    // Values
    Int(i128),
    Float(f64),

    // Places
    Local(Handle<Local>),
    Global(Handle<Global>),
    /// `*p`
    Deref(Handle<Expr>),
    /// `base[index]`; base: a place of array type or a value of pointer type.
    Index {
        base: Handle<Expr>,
        index: Handle<Expr>,
    },
    /// `base.field`; base: a place of structure type. `field` indexes `StructDef::fields`.
    Member {
        base: Handle<Expr>,
        field: u32,
    },

    // Values
    /// Reads a place.
    Load(Handle<Expr>),
    /// `&place`
    AddrOf(Handle<Expr>),
    /// An array place used as a pointer to its first element.
    Decay(Handle<Expr>),
    Unary {
        op: UnaryOp,
        operand: Handle<Expr>,
    },
    /// Both operands have the same type, save for shifts and pointer arithmetic (pointer + integer,
    /// pointer - integer, pointer - pointer). `LogicalAnd`/`LogicalOr` do not evaluate the right operand
    /// needlessly. Comparisons and logical operators have type int.
    Binary {
        op: BinaryOp,
        left: Handle<Expr>,
        right: Handle<Expr>,
    },
    /// Converts to this expression's type.
    Cast(Handle<Expr>),
    /// `cond ? yes : no`; only the chosen one is evaluated.
    Select {
        cond: Handle<Expr>,
        yes: Handle<Expr>,
        no: Handle<Expr>,
    },
    /// A function of <math.h>, <stdlib.h> (abs) or the like; the type says which overload.
    Math {
        fun: MathFn,
        args: Vec<Handle<Expr>>,
    },
    /// A call of a user function that writes nothing but its own locals. Others are `Stmt::Call`.
    Call {
        function: Handle<Function>,
        args: Vec<Handle<Expr>>,
    },

    // After mapping only
    /// `index`, which must lie from `first` to before `behind`; else the program ends and says so, at the place of
    /// this expression. The type is the index's. `array` names what is subscripted.
    Checked {
        what: Check,
        array: String,
        index: Handle<Expr>,
        first: Handle<Expr>,
        behind: Handle<Expr>,
    },
    Builtin(Builtin),
}

/// What a subscript outside of its bounds means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Check {
    /// It leaves the window that its array is kept in.
    Window,
    /// What is stored there is no number, which a compressed element cannot be.
    Number,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UnaryOp {
    Neg,
    /// `!x`, of type int
    Not,
    /// `~x`
    BitNot,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BinaryOp {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    Shl,
    Shr,
    BitAnd,
    BitOr,
    BitXor,
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    LogicalAnd,
    LogicalOr,
}

/// Functions that device code has under one name or another. All take and give the expression's type
/// unless noted. `float` overloads are used when argument and result are float.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum MathFn {
    Sqrt,
    Rsqrt,
    /// `Rsqrt` of a float that is no subnormal number; made by transforms only.
    RsqrtNormal,
    Cbrt,
    Exp,
    Exp2,
    Exp10,
    Expm1,
    Log,
    Log2,
    Log10,
    Log1p,
    Pow,
    Sin,
    Cos,
    Tan,
    Asin,
    Acos,
    Atan,
    Atan2,
    Sinh,
    Cosh,
    Tanh,
    Asinh,
    Acosh,
    Atanh,
    Erf,
    Erfc,
    Tgamma,
    Lgamma,
    Floor,
    Ceil,
    Trunc,
    Round,
    Rint,
    Nearbyint,
    Fabs,
    Fmod,
    Remainder,
    Fmin,
    Fmax,
    Fdim,
    Fma,
    Hypot,
    Copysign,
    Nextafter,
    Logb,
    /// int -> float type: (x, int)
    Ldexp,
    /// value int: 1 or 0
    IsNan,
    IsInf,
    IsFinite,
    SignBit,
    /// to long: lround, llround, lrint
    Lround,
    Lrint,
    /// to int
    Ilogb,
    /// of an unsigned integer, to int: the bits that are set, and the zeros above the highest of them
    Popcount,
    Clz,
    /// integers: abs, labs, llabs
    Abs,
    /// integers; made by transforms only
    Min,
    Max,
    /// The bits of a floating number as an unsigned integer as wide; made by transforms only.
    ToBits,
    /// The floating number that these bits are.
    FromBits,
}

impl MathFn {
    /// The C name without the `f` suffix.
    pub fn c_name(self) -> &'static str {
        use MathFn::*;
        match self {
            Sqrt => "sqrt",
            Rsqrt => "rsqrt",
            RsqrtNormal => "rsqrt_normal",
            Cbrt => "cbrt",
            Exp => "exp",
            Exp2 => "exp2",
            Exp10 => "exp10",
            Expm1 => "expm1",
            Log => "log",
            Log2 => "log2",
            Log10 => "log10",
            Log1p => "log1p",
            Pow => "pow",
            Sin => "sin",
            Cos => "cos",
            Tan => "tan",
            Asin => "asin",
            Acos => "acos",
            Atan => "atan",
            Atan2 => "atan2",
            Sinh => "sinh",
            Cosh => "cosh",
            Tanh => "tanh",
            Asinh => "asinh",
            Acosh => "acosh",
            Atanh => "atanh",
            Erf => "erf",
            Erfc => "erfc",
            Tgamma => "tgamma",
            Lgamma => "lgamma",
            Floor => "floor",
            Ceil => "ceil",
            Trunc => "trunc",
            Round => "round",
            Rint => "rint",
            Nearbyint => "nearbyint",
            Fabs => "fabs",
            Fmod => "fmod",
            Remainder => "remainder",
            Fmin => "fmin",
            Fmax => "fmax",
            Fdim => "fdim",
            Fma => "fma",
            Hypot => "hypot",
            Copysign => "copysign",
            Nextafter => "nextafter",
            Logb => "logb",
            Ldexp => "ldexp",
            IsNan => "isnan",
            IsInf => "isinf",
            IsFinite => "isfinite",
            SignBit => "signbit",
            Lround => "lround",
            Lrint => "lrint",
            Ilogb => "ilogb",
            Popcount => "popcount",
            Clz => "clz",
            Abs => "abs",
            Min => "min",
            Max => "max",
            ToBits => "to_bits",
            FromBits => "from_bits",
        }
    }
    pub const ALL: &'static [MathFn] = {
        use MathFn::*;
        &[
            Sqrt,
            Rsqrt,
            RsqrtNormal,
            Cbrt,
            Exp,
            Exp2,
            Exp10,
            Expm1,
            Log,
            Log2,
            Log10,
            Log1p,
            Pow,
            Sin,
            Cos,
            Tan,
            Asin,
            Acos,
            Atan,
            Atan2,
            Sinh,
            Cosh,
            Tanh,
            Asinh,
            Acosh,
            Atanh,
            Erf,
            Erfc,
            Tgamma,
            Lgamma,
            Floor,
            Ceil,
            Trunc,
            Round,
            Rint,
            Nearbyint,
            Fabs,
            Fmod,
            Remainder,
            Fmin,
            Fmax,
            Fdim,
            Fma,
            Hypot,
            Copysign,
            Nextafter,
            Logb,
            Ldexp,
            IsNan,
            IsInf,
            IsFinite,
            SignBit,
            Lround,
            Lrint,
            Ilogb,
            Popcount,
            Clz,
            Abs,
            Min,
            Max,
            ToBits,
            FromBits,
        ]
    };
}

/// What a mapped kernel knows about where it runs. All are of type int unless noted. Dimension 0 is x.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Builtin {
    ThreadIdx(u8),
    BlockIdx(u8),
    BlockDim(u8),
    GridDim(u8),
    /// cpu device, long: first and past-the-last iteration (or gang) of this call, and their total.
    Begin,
    End,
    Total,
}
