//! The words of the text form, in one table each, read by the printer one way and by the parser the
//! other.

use crate::{
    BarrierScope, BinaryOp, Builtin, CodecParameter, Compare, DataKind, GridRule, Level, LocalKind, MathFn,
    ReductionOp, RegionKind, Scheme, Space, WindowKind,
};

/// The word of `value` in `table`. Every table names every variant (tested below).
pub(crate) fn word<T: PartialEq>(table: &'static [(T, &'static str)], value: &T) -> &'static str {
    table.iter().find(|(v, _)| v == value).map_or("?", |(_, w)| w)
}

/// The value that `word` names in `table`.
pub(crate) fn value<T: Copy>(table: &'static [(T, &'static str)], word: &str) -> Option<T> {
    table.iter().find(|(_, w)| *w == word).map(|(v, _)| *v)
}

pub(crate) const BINARY: &[(BinaryOp, &str)] = &[
    (BinaryOp::Add, "+"),
    (BinaryOp::Sub, "-"),
    (BinaryOp::Mul, "*"),
    (BinaryOp::Div, "/"),
    (BinaryOp::Rem, "%"),
    (BinaryOp::Shl, "<<"),
    (BinaryOp::Shr, ">>"),
    (BinaryOp::BitAnd, "&"),
    (BinaryOp::BitOr, "|"),
    (BinaryOp::BitXor, "^"),
    (BinaryOp::Eq, "=="),
    (BinaryOp::Ne, "!="),
    (BinaryOp::Lt, "<"),
    (BinaryOp::Le, "<="),
    (BinaryOp::Gt, ">"),
    (BinaryOp::Ge, ">="),
    (BinaryOp::LogicalAnd, "&&"),
    (BinaryOp::LogicalOr, "||"),
];

/// C's binding strength: higher binds tighter.
pub(crate) fn precedence(op: BinaryOp) -> u8 {
    match op {
        BinaryOp::LogicalOr => 2,
        BinaryOp::LogicalAnd => 3,
        BinaryOp::BitOr => 4,
        BinaryOp::BitXor => 5,
        BinaryOp::BitAnd => 6,
        BinaryOp::Eq | BinaryOp::Ne => 7,
        BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge => 8,
        BinaryOp::Shl | BinaryOp::Shr => 9,
        BinaryOp::Add | BinaryOp::Sub => 10,
        BinaryOp::Mul | BinaryOp::Div | BinaryOp::Rem => 11,
    }
}
pub(crate) const TERNARY: u8 = 1;
pub(crate) const UNARY: u8 = 12;
pub(crate) const POSTFIX: u8 = 13;

pub(crate) const COMPARE: &[(Compare, &str)] =
    &[(Compare::Lt, "<"), (Compare::Le, "<="), (Compare::Gt, ">"), (Compare::Ge, ">="), (Compare::Ne, "!=")];

pub(crate) const REDUCTION: &[(ReductionOp, &str)] = &[
    (ReductionOp::Add, "+"),
    (ReductionOp::Mul, "*"),
    (ReductionOp::Max, "max"),
    (ReductionOp::Min, "min"),
    (ReductionOp::BitAnd, "&"),
    (ReductionOp::BitOr, "|"),
    (ReductionOp::BitXor, "^"),
    (ReductionOp::LogicalAnd, "&&"),
    (ReductionOp::LogicalOr, "||"),
];

pub(crate) const DATA: &[(DataKind, &str)] = &[
    (DataKind::Copy, "copy"),
    (DataKind::Copyin, "copyin"),
    (DataKind::Copyout, "copyout"),
    (DataKind::Create, "create"),
    (DataKind::NoCreate, "no_create"),
    (DataKind::Present, "present"),
    (DataKind::Delete, "delete"),
    (DataKind::Deviceptr, "deviceptr"),
    (DataKind::Attach, "attach"),
    (DataKind::Detach, "detach"),
    (DataKind::UpdateSelf, "self"),
    (DataKind::UpdateDevice, "device"),
    (DataKind::UseDevice, "use_device"),
];

pub(crate) const REGION: &[(RegionKind, &str)] = &[
    (RegionKind::Parallel, "parallel"),
    (RegionKind::Kernels, "kernels"),
    (RegionKind::Serial, "serial"),
    (RegionKind::Data, "data"),
    (RegionKind::HostData, "host_data"),
    (RegionKind::Partitioned, "partitioned"),
    (RegionKind::OnHost, "on_host"),
];

pub(crate) const SCHEME: &[(Scheme, &str)] = &[
    (Scheme::Range, "range"),
    (Scheme::Affine, "affine"),
    (Scheme::Half, "half"),
    (Scheme::Bfloat, "bfloat"),
    (Scheme::Block, "block"),
];

pub(crate) const CODEC_PARAMETER: &[(CodecParameter, &str)] = &[
    (CodecParameter::Scale, "scale"),
    (CodecParameter::Bias, "bias"),
    (CodecParameter::Inverse, "inverse"),
    (CodecParameter::Offset, "offset"),
    (CodecParameter::First, "first"),
    (CodecParameter::Exponents, "exponents"),
];

pub(crate) const WINDOW: &[(WindowKind, &str)] = &[
    (WindowKind::FetchOnly, "FETCH_ONLY"),
    (WindowKind::ChannelOnly, "CHANNEL_ONLY"),
    (WindowKind::FetchChannel, "FETCH_CHANNEL"),
    (WindowKind::ChannelWb, "CHANNEL_WB"),
    (WindowKind::FetchChannelWb, "FETCH_CHANNEL_WB"),
    (WindowKind::FetchWb, "FETCH_WB"),
    (WindowKind::WbOnly, "WB_ONLY"),
    (WindowKind::Cache, "cache"),
];

pub(crate) const SCOPE: &[(BarrierScope, &str)] = &[
    (BarrierScope::Block, "block"),
    (BarrierScope::Warp, "warp"),
    (BarrierScope::Cluster, "cluster"),
    (BarrierScope::Columns, "columns"),
];

pub(crate) const LEVEL: &[(Level, &str)] =
    &[(Level::Gang, "gang"), (Level::Worker, "worker"), (Level::Vector, "vector"), (Level::Seq, "seq")];

pub(crate) const GRID_RULE: &[(GridRule, &str)] = &[
    (GridRule::One, "one"),
    (GridRule::Trips, "trips"),
    (GridRule::Gangs, "gangs"),
    (GridRule::Fixed, "fixed"),
];

/// `Generic` has no word.
pub(crate) const SPACE: &[(Space, &str)] = &[
    (Space::Generic, ""),
    (Space::Global, "global"),
    (Space::Shared, "shared"),
    (Space::Constant, "constant"),
];

pub(crate) const LOCAL_KIND: &[(LocalKind, &str)] = &[
    (LocalKind::Param, "param"),
    (LocalKind::Auto, "auto"),
    (LocalKind::This, "this"),
    (LocalKind::Temp, "temp"),
    (LocalKind::Copy, "copy"),
    (LocalKind::Hoisted, "hoisted"),
];

pub(crate) const BUILTIN: &[(Builtin, &str)] = &[
    (Builtin::ThreadIdx(0), "$threadIdx.x"),
    (Builtin::ThreadIdx(1), "$threadIdx.y"),
    (Builtin::ThreadIdx(2), "$threadIdx.z"),
    (Builtin::BlockIdx(0), "$blockIdx.x"),
    (Builtin::BlockIdx(1), "$blockIdx.y"),
    (Builtin::BlockIdx(2), "$blockIdx.z"),
    (Builtin::BlockDim(0), "$blockDim.x"),
    (Builtin::BlockDim(1), "$blockDim.y"),
    (Builtin::BlockDim(2), "$blockDim.z"),
    (Builtin::GridDim(0), "$gridDim.x"),
    (Builtin::GridDim(1), "$gridDim.y"),
    (Builtin::GridDim(2), "$gridDim.z"),
    (Builtin::Begin, "$begin"),
    (Builtin::End, "$end"),
    (Builtin::Total, "$total"),
];

pub(crate) fn math(name: &str) -> Option<MathFn> {
    MathFn::ALL.iter().copied().find(|f| f.c_name() == name)
}

/// Words that begin a type.
pub(crate) const TYPE_WORDS: &[&str] = &[
    "void",
    "bool",
    "i8",
    "i16",
    "i32",
    "i64",
    "u8",
    "u16",
    "u32",
    "u64",
    "f32",
    "f64",
    "struct",
    "opaque",
    "compressed",
];

/// Words that a name must be quoted for. Other words of the text form are told from names by what follows.
pub(crate) const RESERVED: &[&str] = &[
    "break", "case", "const", "continue", "default", "do", "else", "false", "for", "if", "inf", "nan",
    "restrict", "return", "switch", "true", "while",
];

/// Can `name` stand as it is? Letters, digits, `_`, with `::` between the parts of a C++ name, and `#7`
/// at the end where the printer had to tell two of the same name apart.
pub(crate) fn is_plain_name(name: &str) -> bool {
    let name = match name.split_once('#') {
        Some((stem, number)) if !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit()) => stem,
        _ => name,
    };
    if RESERVED.contains(&name) || TYPE_WORDS.contains(&name) {
        return false;
    }
    name.split("::").all(|part| {
        part.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && part.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    })
}

/// `name` as the text form writes it: quoted in backquotes where it could be read otherwise.
pub(crate) fn name(name: &str) -> String {
    if is_plain_name(name) { name.to_owned() } else { format!("`{}`", name.replace('`', "'")) }
}

/// A string literal of the text form.
pub(crate) fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}
