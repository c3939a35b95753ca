//! The type that an expression has unless it states another one.
//!
//! The text form leaves natural types out, the parser puts them back, builders use them, and the
//! verifier compares against them.

use crate::{
    BinaryOp, Body, Builtin, Expr, ExprKind, Handle, MathFn, Module, Space, Type, TypeKind, UnaryOp,
};

/// A type that may not be interned yet.
#[derive(Clone, Debug, PartialEq)]
pub enum Natural {
    Known(Handle<Type>),
    Kind(TypeKind),
}

impl Natural {
    /// Whether `ty` is this type.
    pub fn is(&self, module: &Module, ty: Handle<Type>) -> bool {
        match self {
            Natural::Known(known) => *known == ty,
            Natural::Kind(kind) => module.types.get(ty) == Some(kind),
        }
    }
    /// Its handle, interned if it is new.
    pub fn intern(self, module: &mut Module) -> Handle<Type> {
        match self {
            Natural::Known(known) => known,
            Natural::Kind(kind) => module.types.intern(kind),
        }
    }
    fn int(bits: u8) -> Natural {
        Natural::Kind(TypeKind::Int { bits, signed: true })
    }
    fn pointer(to: Handle<Type>) -> Natural {
        Natural::Kind(TypeKind::Pointer { to, constant: false, restrict: false, space: Space::Generic })
    }
}

/// The natural type of an expression of this kind in `body`. `None` where only the expression can say
/// (a cast), or where the operands make no sense.
pub fn natural_type(module: &Module, body: &Body, kind: &ExprKind) -> Option<Natural> {
    let of = |e: &Handle<Expr>| body.exprs.get(*e).map(|e| e.ty);
    let same = |e: &Handle<Expr>| of(e).map(Natural::Known);
    match kind {
        ExprKind::Int(_) => Some(Natural::int(32)),
        ExprKind::Float(_) => Some(Natural::Kind(TypeKind::Float { bits: 64 })),
        ExprKind::Local(l) => body.locals.get(*l).map(|l| Natural::Known(l.ty)),
        ExprKind::Global(g) => module.globals.get(*g).map(|g| Natural::Known(g.ty)),
        ExprKind::Deref(e) | ExprKind::Index { base: e, .. } => element(module, of(e)?).map(Natural::Known),
        ExprKind::Member { base, field } => field_type(module, of(base)?, *field).map(Natural::Known),
        ExprKind::Load(e) => of(e).map(|ty| Natural::Known(stored_value(module, ty))),
        ExprKind::AddrOf(e) => of(e).map(Natural::pointer),
        ExprKind::Decay(e) => element(module, of(e)?).map(Natural::pointer),
        ExprKind::Unary { op, operand } => match op {
            UnaryOp::Neg | UnaryOp::BitNot => same(operand),
            UnaryOp::Not => Some(Natural::int(32)),
        },
        ExprKind::Binary { op, left, right } => binary(module, *op, of(left)?, of(right)?),
        ExprKind::Cast(_) => None,
        ExprKind::Select { yes, .. } => same(yes),
        ExprKind::Checked { index, .. } => same(index),
        ExprKind::Math { fun, args } => math(module, *fun, args.first().and_then(of)),
        ExprKind::Call { function, .. } => module.functions.get(*function).map(|f| Natural::Known(f.result)),
        ExprKind::Builtin(b) => Some(builtin(*b)),
    }
}

fn element(module: &Module, ty: Handle<Type>) -> Option<Handle<Type>> {
    module.types.get(ty)?;
    module.types.element(ty)
}

fn stored_value(module: &Module, ty: Handle<Type>) -> Handle<Type> {
    if module.types.get(ty).is_some() { module.types.value_of(ty) } else { ty }
}

fn field_type(module: &Module, ty: Handle<Type>, field: u32) -> Option<Handle<Type>> {
    match module.types.get(ty)? {
        TypeKind::Struct(def) => Some(module.types.structs.get(*def)?.fields.get(field as usize)?.ty),
        _ => None,
    }
}

fn binary(module: &Module, op: BinaryOp, left: Handle<Type>, right: Handle<Type>) -> Option<Natural> {
    let is_pointer = |ty| matches!(module.types.get(ty), Some(TypeKind::Pointer { .. }));
    Some(match op {
        BinaryOp::Eq | BinaryOp::Ne | BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge => {
            Natural::int(32)
        }
        BinaryOp::LogicalAnd | BinaryOp::LogicalOr => Natural::int(32),
        BinaryOp::Sub if is_pointer(left) && is_pointer(right) => Natural::int(64),
        BinaryOp::Add if is_pointer(right) => Natural::Known(right),
        BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Div | BinaryOp::Rem => Natural::Known(left),
        BinaryOp::Shl | BinaryOp::Shr | BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor => {
            Natural::Known(left)
        }
    })
}

fn math(module: &Module, fun: MathFn, arg: Option<Handle<Type>>) -> Option<Natural> {
    match fun {
        MathFn::IsNan | MathFn::IsInf | MathFn::IsFinite | MathFn::SignBit => Some(Natural::int(32)),
        MathFn::Ilogb | MathFn::Popcount | MathFn::Clz => Some(Natural::int(32)),
        MathFn::Lround | MathFn::Lrint => Some(Natural::int(64)),
        MathFn::ToBits | MathFn::FromBits => arg.and_then(|ty| reinterpreted(module, ty)).map(Natural::Kind),
        _ => arg.map(Natural::Known),
    }
}

/// The number type that shares a type's bits.
pub(crate) fn reinterpreted(module: &Module, ty: Handle<Type>) -> Option<TypeKind> {
    match module.types.get(ty)? {
        TypeKind::Float { bits } => Some(TypeKind::Int { bits: *bits, signed: false }),
        TypeKind::Int { bits: bits @ (32 | 64), signed: false } => Some(TypeKind::Float { bits: *bits }),
        _ => None,
    }
}

fn builtin(b: Builtin) -> Natural {
    match b {
        Builtin::ThreadIdx(_) | Builtin::BlockIdx(_) | Builtin::BlockDim(_) | Builtin::GridDim(_) => {
            Natural::int(32)
        }
        Builtin::Begin | Builtin::End | Builtin::Total => Natural::int(64),
    }
}
