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
    /// `index`, which must lie from `first` to before `end`; else the program ends and says so, at the place of
    /// this expression. The type is the index's. `array` names what is subscripted.
    Checked {
        what: Check,
        array: String,
        index: Handle<Expr>,
        first: Handle<Expr>,
        end: Handle<Expr>,
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

/// Names each function once: its C name without the `f` suffix, and how many arguments it takes.
macro_rules! math_functions {
    ($($(#[$doc:meta])* $fun:ident $name:literal $arguments:literal,)*) => {
        /// Functions that device code has under one name or another. All take and give the expression's type
        /// unless noted. `float` overloads are used when argument and result are float.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum MathFn {
            $($(#[$doc])* $fun,)*
        }

        impl MathFn {
            pub const ALL: &'static [MathFn] = &[$(MathFn::$fun,)*];

            /// The C name without the `f` suffix.
            pub fn c_name(self) -> &'static str {
                match self {
                    $(MathFn::$fun => $name,)*
                }
            }

            /// How many arguments it takes.
            pub fn arity(self) -> usize {
                match self {
                    $(MathFn::$fun => $arguments,)*
                }
            }
        }
    };
}

math_functions! {
    Sqrt "sqrt" 1,
    Rsqrt "rsqrt" 1,
    /// `Rsqrt` of a float that is no subnormal number; made by transforms only.
    RsqrtNormal "rsqrt_normal" 1,
    Cbrt "cbrt" 1,
    Exp "exp" 1,
    Exp2 "exp2" 1,
    Exp10 "exp10" 1,
    Expm1 "expm1" 1,
    Log "log" 1,
    Log2 "log2" 1,
    Log10 "log10" 1,
    Log1p "log1p" 1,
    Pow "pow" 2,
    Sin "sin" 1,
    Cos "cos" 1,
    Tan "tan" 1,
    Asin "asin" 1,
    Acos "acos" 1,
    Atan "atan" 1,
    Atan2 "atan2" 2,
    Sinh "sinh" 1,
    Cosh "cosh" 1,
    Tanh "tanh" 1,
    Asinh "asinh" 1,
    Acosh "acosh" 1,
    Atanh "atanh" 1,
    Erf "erf" 1,
    Erfc "erfc" 1,
    Tgamma "tgamma" 1,
    Lgamma "lgamma" 1,
    Floor "floor" 1,
    Ceil "ceil" 1,
    Trunc "trunc" 1,
    Round "round" 1,
    Rint "rint" 1,
    Nearbyint "nearbyint" 1,
    Fabs "fabs" 1,
    Fmod "fmod" 2,
    Remainder "remainder" 2,
    Fmin "fmin" 2,
    Fmax "fmax" 2,
    Fdim "fdim" 2,
    Fma "fma" 3,
    Hypot "hypot" 2,
    Copysign "copysign" 2,
    Nextafter "nextafter" 2,
    Logb "logb" 1,
    /// int -> float type: (x, int)
    Ldexp "ldexp" 2,
    /// value int: 1 or 0
    IsNan "isnan" 1,
    IsInf "isinf" 1,
    IsFinite "isfinite" 1,
    SignBit "signbit" 1,
    /// to long: lround, llround, lrint
    Lround "lround" 1,
    Lrint "lrint" 1,
    /// to int
    Ilogb "ilogb" 1,
    /// of an unsigned integer, to int: the bits that are set, and the zeros above the highest of them
    Popcount "popcount" 1,
    Clz "clz" 1,
    /// integers: abs, labs, llabs
    Abs "abs" 1,
    /// integers; made by transforms only
    Min "min" 2,
    Max "max" 2,
    /// The bits of a floating number as an unsigned integer as wide; made by transforms only.
    ToBits "to_bits" 1,
    /// The floating number that these bits are.
    FromBits "from_bits" 1,
    /// of a value of `acc_device_t`: 1 where the code runs on such a device
    OnDevice "acc_on_device" 1,
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
