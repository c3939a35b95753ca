//! Making expressions and statements.
//!
//! A [`Builder`] borrows a body and the module's types. Constants are folded where both operands are
//! known, so that emitted code is not cluttered with `0 + x * 1`.

use accl_ir::{
    BinaryOp, Block, Body, Builtin, Expr, ExprKind, Handle, Local, LocalKind, Loop, LoopLevels, Stmt,
    StmtNode, Type, TypeKind, Types, UnaryOp,
};
use accl_source::Span;

pub struct Builder<'a> {
    pub types: &'a mut Types,
    pub body: &'a mut Body,
}

impl Builder<'_> {
    pub fn expr(&mut self, kind: ExprKind, ty: Handle<Type>) -> Handle<Expr> {
        self.body.expr(kind, ty, Span::default())
    }

    pub fn int(&mut self, n: i128, ty: Handle<Type>) -> Handle<Expr> {
        self.expr(ExprKind::Int(n), ty)
    }

    pub fn ty(&self, e: Handle<Expr>) -> Handle<Type> {
        self.body.exprs[e].ty
    }

    /// A new local whose name starts with `stem`.
    pub fn local(&mut self, stem: &str, ty: Handle<Type>, kind: LocalKind) -> Handle<Local> {
        let name = self.body.unique_name(stem);
        self.body.locals.append(Local { name, ty, kind, reference: false, span: Span::default() })
    }

    pub fn place(&mut self, l: Handle<Local>) -> Handle<Expr> {
        let ty = self.body.locals[l].ty;
        self.expr(ExprKind::Local(l), ty)
    }

    pub fn load(&mut self, l: Handle<Local>) -> Handle<Expr> {
        let place = self.place(l);
        self.load_place(place)
    }

    /// Loads the value of a place; for a compressed one that is the number.
    pub fn load_place(&mut self, place: Handle<Expr>) -> Handle<Expr> {
        let ty = self.types.value_of(self.ty(place));
        self.expr(ExprKind::Load(place), ty)
    }

    pub fn as_int(&self, e: Handle<Expr>) -> Option<i128> {
        match self.body.exprs[e].kind {
            ExprKind::Int(n) => Some(n),
            ExprKind::Cast(inner) if self.types.is_integer(self.ty(e)) => self.as_int(inner),
            _ => None,
        }
    }

    /// `left op right`, both cast to a common type first; comparisons give int.
    pub fn binary(&mut self, op: BinaryOp, left: Handle<Expr>, right: Handle<Expr>) -> Handle<Expr> {
        let common = self.common_type(left, right);
        if let Some(known) = self.fold(op, left, right) {
            return match known {
                Folded::Left => self.cast(left, common),
                Folded::Right => self.cast(right, common),
                Folded::Int(n) => self.int(n, common),
            };
        }
        let (left, right) = (self.cast(left, common), self.cast(right, common));
        let ty = if is_comparison(op) { self.types.i32() } else { common };
        self.expr(ExprKind::Binary { op, left, right }, ty)
    }

    fn fold(&self, op: BinaryOp, left: Handle<Expr>, right: Handle<Expr>) -> Option<Folded> {
        let (a, b) = (self.as_int(left), self.as_int(right));
        match (op, a, b) {
            (BinaryOp::Add, Some(a), Some(b)) => Some(Folded::Int(a + b)),
            (BinaryOp::Sub, Some(a), Some(b)) => Some(Folded::Int(a - b)),
            (BinaryOp::Mul, Some(a), Some(b)) => Some(Folded::Int(a * b)),
            (BinaryOp::Div, Some(a), Some(b)) if b != 0 => Some(Folded::Int(a / b)),
            (BinaryOp::Rem, Some(a), Some(b)) if b != 0 => Some(Folded::Int(a % b)),
            (BinaryOp::Add, Some(0), _) => Some(Folded::Right),
            (BinaryOp::Add | BinaryOp::Sub, _, Some(0)) => Some(Folded::Left),
            (BinaryOp::Mul, Some(1), _) => Some(Folded::Right),
            (BinaryOp::Mul | BinaryOp::Div, _, Some(1)) => Some(Folded::Left),
            _ => None,
        }
    }

    fn common_type(&mut self, left: Handle<Expr>, right: Handle<Expr>) -> Handle<Type> {
        let (a, b) = (self.ty(left), self.ty(right));
        if a == b {
            return a;
        }
        match (self.types.kind(a).clone(), self.types.kind(b).clone()) {
            (TypeKind::Float { bits: x }, TypeKind::Float { bits: y }) => {
                if x >= y {
                    a
                } else {
                    b
                }
            }
            (TypeKind::Float { .. }, _) => a,
            (_, TypeKind::Float { .. }) => b,
            (TypeKind::Int { bits: x, signed: s }, TypeKind::Int { bits: y, signed: t }) => {
                let bits = x.max(y).max(32);
                let unsigned = !s && x == bits || !t && y == bits;
                self.types.int(bits, !unsigned)
            }
            (TypeKind::Int { .. }, _) => a,
            _ => b,
        }
    }

    pub fn add(&mut self, left: Handle<Expr>, right: Handle<Expr>) -> Handle<Expr> {
        self.binary(BinaryOp::Add, left, right)
    }

    pub fn mul(&mut self, left: Handle<Expr>, right: Handle<Expr>) -> Handle<Expr> {
        self.binary(BinaryOp::Mul, left, right)
    }

    pub fn cast(&mut self, e: Handle<Expr>, ty: Handle<Type>) -> Handle<Expr> {
        if self.ty(e) == ty {
            return e;
        }
        match self.body.exprs[e].kind {
            ExprKind::Int(n) if self.types.is_integer(ty) => self.int(n, ty),
            _ => self.expr(ExprKind::Cast(e), ty),
        }
    }

    pub fn not(&mut self, operand: Handle<Expr>) -> Handle<Expr> {
        let ty = self.types.i32();
        self.expr(ExprKind::Unary { op: UnaryOp::Not, operand }, ty)
    }

    /// `base[index]` of a pointer local.
    pub fn index_local(&mut self, base: Handle<Local>, index: Handle<Expr>) -> Option<Handle<Expr>> {
        let ty = self.types.element(self.body.locals[base].ty)?;
        let base = match self.types.kind(self.body.locals[base].ty) {
            TypeKind::Array { .. } => self.place(base),
            _ => self.load(base),
        };
        Some(self.expr(ExprKind::Index { base, index }, ty))
    }

    /// `for (var = 0; var < n; var++) body`
    pub fn counted(&mut self, var: Handle<Local>, n: impl Into<i128>, body: Block) -> StmtNode {
        let ty = self.body.locals[var].ty;
        let [lower, bound, step] = [0, n.into(), 1].map(|v| self.int(v, ty));
        counting(var, lower, bound, step, body)
    }

    /// A builtin of type int; those for begin, end and total are long.
    pub fn builtin(&mut self, b: Builtin) -> Handle<Expr> {
        let ty = match b {
            Builtin::Begin | Builtin::End | Builtin::Total => self.types.int(64, true),
            Builtin::ThreadIdx(_) | Builtin::BlockIdx(_) | Builtin::BlockDim(_) | Builtin::GridDim(_) => {
                self.types.i32()
            }
        };
        self.expr(ExprKind::Builtin(b), ty)
    }
}

enum Folded {
    Left,
    Right,
    Int(i128),
}

pub fn is_comparison(op: BinaryOp) -> bool {
    match op {
        BinaryOp::Eq
        | BinaryOp::Ne
        | BinaryOp::Lt
        | BinaryOp::Le
        | BinaryOp::Gt
        | BinaryOp::Ge
        | BinaryOp::LogicalAnd
        | BinaryOp::LogicalOr => true,
        BinaryOp::Add
        | BinaryOp::Sub
        | BinaryOp::Mul
        | BinaryOp::Div
        | BinaryOp::Rem
        | BinaryOp::Shl
        | BinaryOp::Shr
        | BinaryOp::BitAnd
        | BinaryOp::BitOr
        | BinaryOp::BitXor => false,
    }
}

/// `for (var = lower; var < bound; var += step) body`: a loop of the compiler's own, which each thread runs by itself.
pub fn counting(
    var: Handle<Local>,
    lower: Handle<Expr>,
    bound: Handle<Expr>,
    step: Handle<Expr>,
    body: Block,
) -> StmtNode {
    let levels = Some(LoopLevels::default());
    node(Stmt::For(Box::new(Loop { levels, ..Loop::counting(var, lower, bound, step, body) })))
}

/// A statement of the compiler's own.
pub fn node(kind: Stmt) -> StmtNode {
    StmtNode { kind, span: Span::default() }
}

pub fn declare(local: Handle<Local>, init: Option<Handle<Expr>>) -> StmtNode {
    node(Stmt::Declare { local, init })
}

pub fn if_then(cond: Handle<Expr>, then: Block) -> StmtNode {
    node(Stmt::If { cond, then, otherwise: vec![] })
}

pub fn store(place: Handle<Expr>, value: Handle<Expr>) -> StmtNode {
    node(Stmt::Store { place, op: None, value })
}
