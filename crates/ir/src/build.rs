//! Short ways to make expressions and statements, for passes.
//!
//! All take the types of new expressions from the operands where these determine them. New nodes have no span
//! unless said otherwise.
//!
//! ```
//! # use accl_ir::*;
//! let mut m = Module::from_text("fn f(i32 n, f64* x) -> void {}").unwrap();
//! let f = m.function_named("f").unwrap();
//! let body = m.functions[f].body.as_mut().unwrap();
//! let [n, x] = ["n", "x"].map(|name| body.local_named(name).unwrap());
//! let base = body.base_of(&m.types, x);
//! let last = body.load_local(n);
//! let one = body.int(1, body.ty(last));
//! let last = body.binary(BinaryOp::Sub, last, one);
//! let place = body.index(&m.types, base, last);
//! let value = body.float(2.5, body.ty(place));
//! body.block.push(Stmt::store(place, value));
//! assert!(m.to_text().contains("x[n - 1] = 2.5;"));
//! ```

use crate::{
    ArrayLen, BinaryOp, Body, Builtin, Expr, ExprKind, Function, Handle, Local, LocalKind, MathFn, Module,
    Stmt, StmtNode, Type, TypeKind, Types, UnaryOp,
};
use accl_source::Span;

impl From<Stmt> for StmtNode {
    /// A statement that the compiler adds; it has no span.
    fn from(kind: Stmt) -> StmtNode {
        StmtNode { kind, span: Span::default() }
    }
}

impl StmtNode {
    pub fn new(kind: Stmt, span: Span) -> StmtNode {
        StmtNode { kind, span }
    }
}

impl Module {
    /// The function of that symbol.
    pub fn function_named(&self, symbol: &str) -> Option<Handle<Function>> {
        self.functions.iter().find(|(_, f)| f.symbol == symbol).map(|(h, _)| h)
    }
}

/// Locals.
impl Body {
    /// A name that no local of the body has: `stem`, or `stem_2`, …
    pub fn unique_name(&self, stem: &str) -> String {
        self.names.free(&self.locals, stem)
    }

    /// A new local of ours, which messages never name.
    pub fn temp(&mut self, stem: &str, ty: Handle<Type>) -> Handle<Local> {
        let name = self.unique_name(stem);
        self.locals.append(Local { name, ty, kind: LocalKind::Temp, reference: false, span: Span::default() })
    }

    /// Takes away the locals and expressions that were appended since there were so many.
    pub fn truncate(&mut self, locals: usize, exprs: usize) {
        self.locals.truncate(locals);
        self.exprs.truncate(exprs);
        self.names = Default::default();
    }

    /// The local of that name.
    pub fn local_named(&self, name: &str) -> Option<Handle<Local>> {
        self.locals.iter().find(|(_, l)| l.name == name).map(|(h, _)| h)
    }
}

/// Expressions.
impl Body {
    /// The type of an expression.
    pub fn ty(&self, e: Handle<Expr>) -> Handle<Type> {
        self.exprs[e].ty
    }

    fn make(&mut self, kind: ExprKind, ty: Handle<Type>) -> Handle<Expr> {
        self.expr(kind, ty, Span::default())
    }

    pub fn int(&mut self, value: i128, ty: Handle<Type>) -> Handle<Expr> {
        self.make(ExprKind::Int(value), ty)
    }

    pub fn float(&mut self, value: f64, ty: Handle<Type>) -> Handle<Expr> {
        self.make(ExprKind::Float(value), ty)
    }

    /// The number `value` of an arithmetic type, as an integer or a floating literal.
    pub fn number(&mut self, types: &Types, value: i64, ty: Handle<Type>) -> Handle<Expr> {
        if types.is_float(ty) { self.float(value as f64, ty) } else { self.int(value.into(), ty) }
    }

    /// The place of a local.
    pub fn place(&mut self, local: Handle<Local>) -> Handle<Expr> {
        let ty = self.locals[local].ty;
        self.make(ExprKind::Local(local), ty)
    }

    /// Reads a place.
    pub fn load(&mut self, place: Handle<Expr>) -> Handle<Expr> {
        let ty = self.ty(place);
        self.make(ExprKind::Load(place), ty)
    }

    /// Reads a local.
    pub fn load_local(&mut self, local: Handle<Local>) -> Handle<Expr> {
        let place = self.place(local);
        self.load(place)
    }

    /// A local as the base of [`Body::index`]: an array's place, or a pointer's value.
    pub fn base_of(&mut self, types: &Types, local: Handle<Local>) -> Handle<Expr> {
        match types.kind(self.locals[local].ty) {
            TypeKind::Array { .. } => self.place(local),
            _ => self.load_local(local),
        }
    }

    /// `base[index]`; `base` is an array's place or a pointer's value.
    pub fn index(&mut self, types: &Types, base: Handle<Expr>, index: Handle<Expr>) -> Handle<Expr> {
        let ty = types.element(self.ty(base)).unwrap_or_else(|| self.ty(base));
        self.make(ExprKind::Index { base, index }, ty)
    }

    /// `*pointer`
    pub fn deref(&mut self, types: &Types, pointer: Handle<Expr>) -> Handle<Expr> {
        let ty = types.element(self.ty(pointer)).unwrap_or_else(|| self.ty(pointer));
        self.make(ExprKind::Deref(pointer), ty)
    }

    /// `left op right`, of the left operand's type. For comparisons, see [`Body::compare`].
    pub fn binary(&mut self, op: BinaryOp, left: Handle<Expr>, right: Handle<Expr>) -> Handle<Expr> {
        let ty = self.ty(left);
        self.make(ExprKind::Binary { op, left, right }, ty)
    }

    /// A comparison or a logical operation, of type int.
    pub fn compare(
        &mut self,
        types: &mut Types,
        op: BinaryOp,
        left: Handle<Expr>,
        right: Handle<Expr>,
    ) -> Handle<Expr> {
        let ty = types.i32();
        self.make(ExprKind::Binary { op, left, right }, ty)
    }

    /// `op operand`; `!` has type int.
    pub fn unary(&mut self, types: &mut Types, op: UnaryOp, operand: Handle<Expr>) -> Handle<Expr> {
        let ty = if op == UnaryOp::Not { types.i32() } else { self.ty(operand) };
        self.make(ExprKind::Unary { op, operand }, ty)
    }

    /// `e` as a value of type `ty`: itself if it has that type, a literal converted, or a cast.
    pub fn cast(&mut self, types: &Types, e: Handle<Expr>, ty: Handle<Type>) -> Handle<Expr> {
        if self.ty(e) == ty {
            return e;
        }
        match (&self.exprs[e].kind, types.kind(ty)) {
            (ExprKind::Int(v), TypeKind::Int { bits, signed }) => {
                let value = wrap(*v, *bits, *signed);
                self.int(value, ty)
            }
            (ExprKind::Int(v), TypeKind::Float { bits: 64 }) if v.abs() < 1 << 53 => {
                let value = *v as f64;
                self.float(value, ty)
            }
            _ => self.make(ExprKind::Cast(e), ty),
        }
    }

    /// `cond ? yes : no`
    pub fn select(&mut self, cond: Handle<Expr>, yes: Handle<Expr>, no: Handle<Expr>) -> Handle<Expr> {
        let ty = self.ty(yes);
        self.make(ExprKind::Select { cond, yes, no }, ty)
    }

    /// A mathematical function whose result has its first argument's type.
    pub fn math(&mut self, fun: MathFn, args: Vec<Handle<Expr>>) -> Handle<Expr> {
        let ty = self.ty(args[0]);
        self.make(ExprKind::Math { fun, args }, ty)
    }

    pub fn builtin(&mut self, types: &mut Types, builtin: Builtin) -> Handle<Expr> {
        let ty = match builtin {
            Builtin::ThreadIdx(_) | Builtin::BlockIdx(_) | Builtin::BlockDim(_) | Builtin::GridDim(_) => {
                types.i32()
            }
            Builtin::Begin | Builtin::End | Builtin::Total => types.int(64, true),
        };
        self.make(ExprKind::Builtin(builtin), ty)
    }

    /// The value of an integer constant expression: literals, conversions and arithmetic on them, wrapped
    /// to the type of each step.
    pub fn const_int(&self, types: &Types, e: Handle<Expr>) -> Option<i128> {
        let TypeKind::Int { bits, signed } = *types.kind(self.ty(e)) else { return None };
        let value = match &self.exprs[e].kind {
            ExprKind::Int(v) => *v,
            ExprKind::Cast(operand) => self.const_int(types, *operand)?,
            ExprKind::Unary { op, operand } => {
                let v = self.const_int(types, *operand)?;
                match op {
                    UnaryOp::Neg => v.checked_neg()?,
                    UnaryOp::BitNot => !v,
                    UnaryOp::Not => i128::from(v == 0),
                }
            }
            ExprKind::Binary { op, left, right } => {
                fold(*op, self.const_int(types, *left)?, self.const_int(types, *right)?)?
            }
            _ => return None,
        };
        Some(wrap(value, bits, signed))
    }
}

/// `value` as an integer type of `bits` holds it.
fn wrap(value: i128, bits: u8, signed: bool) -> i128 {
    let shift = 128 - u32::from(bits);
    let high = value << shift;
    if signed { high >> shift } else { ((high as u128) >> shift) as i128 }
}

fn fold(op: BinaryOp, a: i128, b: i128) -> Option<i128> {
    Some(match op {
        BinaryOp::Add => a.checked_add(b)?,
        BinaryOp::Sub => a.checked_sub(b)?,
        BinaryOp::Mul => a.checked_mul(b)?,
        BinaryOp::Div => a.checked_div(b)?,
        BinaryOp::Rem => a.checked_rem(b)?,
        BinaryOp::Shl if (0..64).contains(&b) => a << b,
        BinaryOp::Shr if (0..64).contains(&b) => a >> b,
        BinaryOp::Shl | BinaryOp::Shr => return None,
        BinaryOp::BitAnd => a & b,
        BinaryOp::BitOr => a | b,
        BinaryOp::BitXor => a ^ b,
        BinaryOp::Eq => i128::from(a == b),
        BinaryOp::Ne => i128::from(a != b),
        BinaryOp::Lt => i128::from(a < b),
        BinaryOp::Le => i128::from(a <= b),
        BinaryOp::Gt => i128::from(a > b),
        BinaryOp::Ge => i128::from(a >= b),
        BinaryOp::LogicalAnd => i128::from(a != 0 && b != 0),
        BinaryOp::LogicalOr => i128::from(a != 0 || b != 0),
    })
}

/// Statements.
impl Stmt {
    /// `place = value`
    pub fn store(place: Handle<Expr>, value: Handle<Expr>) -> StmtNode {
        Stmt::Store { place, op: None, value }.into()
    }

    /// `place op= value`
    pub fn update(place: Handle<Expr>, op: BinaryOp, value: Handle<Expr>) -> StmtNode {
        Stmt::Store { place, op: Some(op), value }.into()
    }

    /// `type local = init;`
    pub fn declare(local: Handle<Local>, init: Option<Handle<Expr>>) -> StmtNode {
        Stmt::Declare { local, init }.into()
    }
}

impl Types {
    /// The extent of a variable-length array, an expression of the body that declares it.
    pub fn vla_extent(&self, ty: Handle<Type>) -> Option<Handle<Expr>> {
        match self.get(ty)? {
            TypeKind::Array { of, len } => match len {
                ArrayLen::Expr(e) => Some(*e),
                ArrayLen::Const(_) | ArrayLen::Unknown => self.vla_extent(*of),
            },
            _ => None,
        }
    }
}
