//! Copying and changing bodies: clones with substitution, statements replaced by others.

use crate::{
    ArrayLen, Block, Body, Expr, ExprKind, Handle, Local, LocalKind, Stmt, StmtNode, Type, TypeKind, Types,
    visit,
};
use std::collections::BTreeMap;

/// What a [`Cloner`] puts in the place of a local. Expressions are those of the body cloned into.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Subst {
    Local(Handle<Local>),
    /// Each `Load` of the local becomes this value; the local must not be used otherwise.
    Value(Handle<Expr>),
    /// The local's place becomes this place.
    Place(Handle<Expr>),
}

/// Clones expressions and statements from one body into another, or within one, with locals substituted.
///
/// Between bodies, a local without a substitution is copied when it is first met, under a name that is
/// free there. Within one body, it stays itself.
///
/// ```
/// # use accl_ir::*;
/// let m = Module::from_text(
///     "fn from(i32 i, f64* p) -> void { p[i] = p[i] + 1.0; }
///      fn into(i32 lane, f64* p) -> void {}",
/// )
/// .unwrap();
/// let from = m.functions[m.function_named("from").unwrap()].body.clone().unwrap();
/// let mut to = m.functions[m.function_named("into").unwrap()].body.clone().unwrap();
/// let lane = to.local_named("lane").unwrap();
/// let mut cloner = Cloner::new();
/// cloner.replace(from.local_named("i").unwrap(), Subst::Local(lane));
/// to.block = cloner.block(&from, &mut to, &from.block);
/// assert!(print::body(&m, &to).ends_with("p_2[lane] = p_2[lane] + 1.0;\n"));
/// ```
#[derive(Default)]
pub struct Cloner<'t> {
    pub locals: BTreeMap<Handle<Local>, Subst>,
    types: Option<&'t mut Types>,
}

impl<'t> Cloner<'t> {
    pub fn new() -> Self {
        Cloner::default()
    }

    /// With the types, the extents of variable-length arrays are cloned too.
    pub fn with_types(types: &'t mut Types) -> Self {
        Cloner { locals: BTreeMap::new(), types: Some(types) }
    }

    /// Puts `subst` in the place of `local`.
    pub fn replace(&mut self, local: Handle<Local>, subst: Subst) -> &mut Self {
        self.locals.insert(local, subst);
        self
    }

    /// Gives `local` of `body` a copy of its own in the same body: for a block that is duplicated.
    pub fn fresh(&mut self, body: &mut Body, local: Handle<Local>) -> Handle<Local> {
        let mut copy = body.locals[local].clone();
        copy.name = body.unique_name(&copy.name);
        let copy = body.locals.append(copy);
        self.locals.insert(local, Subst::Local(copy));
        copy
    }

    /// The copy of `e` in `to`.
    pub fn expr(&mut self, from: &Body, to: &mut Body, e: Handle<Expr>) -> Handle<Expr> {
        self.clone_expr(Some(from), to, e)
    }

    /// A copy of `e` in the same body.
    pub fn expr_within(&mut self, body: &mut Body, e: Handle<Expr>) -> Handle<Expr> {
        self.clone_expr(None, body, e)
    }

    /// The copy of `block` in `to`.
    pub fn block(&mut self, from: &Body, to: &mut Body, block: &Block) -> Block {
        self.clone_block(Some(from), to, block)
    }

    /// A copy of `block` in the same body. Locals that it declares get copies of their own.
    pub fn block_within(&mut self, body: &mut Body, block: &Block) -> Block {
        for local in visit::declared_locals(block) {
            if !self.locals.contains_key(&local) {
                self.fresh(body, local);
            }
        }
        self.clone_block(None, body, block)
    }

    /// The local that `local` of `from` has become in `to`. Panics if an expression took its place.
    pub fn local(&mut self, from: &Body, to: &mut Body, local: Handle<Local>) -> Handle<Local> {
        self.clone_local(Some(from), to, local)
    }

    fn subst(&mut self, from: Option<&Body>, to: &mut Body, local: Handle<Local>) -> Subst {
        if let Some(subst) = self.locals.get(&local) {
            return *subst;
        }
        let Some(from) = from else { return Subst::Local(local) };
        let mut copy = from.locals[local].clone();
        copy.name = to.unique_name(&copy.name);
        // Entered before its type is cloned, which may be an extent.
        let subst = Subst::Local(to.locals.append(copy));
        self.locals.insert(local, subst);
        if let Subst::Local(new) = subst {
            let ty = self.clone_type(Some(from), to, from.locals[local].ty);
            to.locals[new].ty = ty;
        }
        subst
    }

    fn clone_local(&mut self, from: Option<&Body>, to: &mut Body, local: Handle<Local>) -> Handle<Local> {
        match self.subst(from, to, local) {
            Subst::Local(new) => new,
            Subst::Value(e) | Subst::Place(e) => match to.exprs[e].kind {
                ExprKind::Local(new) => new,
                ExprKind::Load(place) => match to.exprs[place].kind {
                    ExprKind::Local(new) => new,
                    _ => panic!("compiler bug: a statement names a local that an expression replaces"),
                },
                _ => panic!("compiler bug: a statement names a local that an expression replaces"),
            },
        }
    }

    /// Variable-length arrays refer to their extent; it is cloned where the types are available.
    fn clone_type(&mut self, from: Option<&Body>, to: &mut Body, ty: Handle<Type>) -> Handle<Type> {
        let Some(types) = &self.types else { return ty };
        if types.vla_extent(ty).is_none() {
            return ty;
        }
        let TypeKind::Array { of, len } = types.kind(ty).clone() else { return ty };
        let of = self.clone_type(from, to, of);
        let len = match len {
            ArrayLen::Expr(e) => ArrayLen::Expr(self.clone_expr(from, to, e)),
            ArrayLen::Const(_) | ArrayLen::Unknown => len,
        };
        match &mut self.types {
            Some(types) => types.intern(TypeKind::Array { of, len }),
            None => ty,
        }
    }

    fn clone_expr(&mut self, from: Option<&Body>, to: &mut Body, e: Handle<Expr>) -> Handle<Expr> {
        let mut expr = from.unwrap_or(to).exprs[e].clone();
        if let ExprKind::Load(place) = expr.kind {
            let source = from.unwrap_or(to);
            if let ExprKind::Local(l) = source.exprs[place].kind {
                if let Some(Subst::Value(value)) = self.locals.get(&l) {
                    return *value;
                }
            }
        }
        if let ExprKind::Local(l) = expr.kind {
            match self.subst(from, to, l) {
                Subst::Local(new) => {
                    expr.kind = ExprKind::Local(new);
                    expr.ty = to.locals[new].ty;
                }
                Subst::Place(place) => return place,
                Subst::Value(_) => panic!("compiler bug: the place of a local that a value replaces"),
            }
        }
        // A value of a compressed element has another type than its place.
        let source = from.unwrap_or(to);
        let plain = matches!(expr.kind, ExprKind::Load(place) if source.exprs[place].ty == expr.ty);
        expr.kind.operands_mut(|operand| *operand = self.clone_expr(from, to, *operand));
        // A substituted local may have another type (a pointer that gains `restrict`).
        if let (ExprKind::Load(place), true) = (&expr.kind, plain) {
            expr.ty = to.exprs[*place].ty;
        }
        to.exprs.append(expr)
    }

    fn clone_block(&mut self, from: Option<&Body>, to: &mut Body, block: &Block) -> Block {
        block.iter().map(|node| self.clone_stmt(from, to, node)).collect()
    }

    fn clone_stmt(&mut self, from: Option<&Body>, to: &mut Body, node: &StmtNode) -> StmtNode {
        let mut copy = node.clone();
        copy.kind.operands_mut(|e| *e = self.clone_expr(from, to, *e));
        copy.kind.locals_mut(|l, _| *l = self.clone_local(from, to, *l));
        for inner in copy.kind.blocks_mut() {
            *inner = self.clone_block(from, to, inner);
        }
        copy
    }
}

/// Replaces each statement of `block`, innermost first, by what `f` makes of it: none, one or several.
///
/// ```
/// # use accl_ir::*;
/// let mut m = Module::from_text("fn f(i32 n) -> void { { host; n = 1; } }").unwrap();
/// let f = m.function_named("f").unwrap();
/// let body = m.functions[f].body.as_mut().unwrap();
/// rewrite::rewrite_block(&mut body.block, &mut |node| match node.kind {
///     Stmt::Host => vec![],
///     Stmt::Block(inner) => inner,
///     _ => vec![node],
/// });
/// assert!(m.to_text().contains("{\n    n = 1;\n}"));
/// ```
pub fn rewrite_block(block: &mut Block, f: &mut impl FnMut(StmtNode) -> Vec<StmtNode>) {
    for mut node in std::mem::take(block) {
        for inner in node.kind.blocks_mut() {
            rewrite_block(inner, f);
        }
        block.extend(f(node));
    }
}

/// Replaces each expression of the statements in `block`, operands first, by what `f` makes of it. `f`
/// gets the body, and an expression whose operands are already replaced; it returns the same handle to
/// keep it. Expressions that change are new ones; the old stay as they were, for others that share them.
///
/// ```
/// # use accl_ir::*;
/// let mut m = Module::from_text("fn f(i32 n) -> void { n = n * 2 + (1 + 2); }").unwrap();
/// let f = m.function_named("f").unwrap();
/// let types = &m.types;
/// rewrite::with_block(m.functions[f].body.as_mut().unwrap(), |body, block| {
///     rewrite::rewrite_exprs(body, block, &mut |body, e| match body.const_int(types, e) {
///         Some(value) => body.int(value, body.ty(e)),
///         None => e,
///     });
/// });
/// assert!(m.to_text().contains("n = n * 2 + 3;"));
/// ```
pub fn rewrite_exprs(
    body: &mut Body,
    block: &mut Block,
    f: &mut impl FnMut(&mut Body, Handle<Expr>) -> Handle<Expr>,
) {
    visit::for_each_stmt_mut(block, &mut |node| {
        node.kind.operands_mut(|root| *root = rewrite_expr(body, *root, f));
    });
}

/// As [`rewrite_exprs`], one expression.
pub fn rewrite_expr(
    body: &mut Body,
    e: Handle<Expr>,
    f: &mut impl FnMut(&mut Body, Handle<Expr>) -> Handle<Expr>,
) -> Handle<Expr> {
    let mut copy = body.exprs[e].clone();
    let mut changed = false;
    copy.kind.operands_mut(|operand| {
        let new = rewrite_expr(body, *operand, f);
        changed |= new != *operand;
        *operand = new;
    });
    let current = if changed { body.exprs.append(copy) } else { e };
    f(body, current)
}

/// Puts `subst` in the place of `local` in all of `block`, which belongs to `body`.
///
/// ```
/// # use accl_ir::*;
/// let mut m = Module::from_text("fn f(i32 n, i32 k) -> void { n = n + k; }").unwrap();
/// let f = m.function_named("f").unwrap();
/// rewrite::with_block(m.functions[f].body.as_mut().unwrap(), |body, block| {
///     let k = body.local_named("k").unwrap();
///     let five = body.int(5, body.locals[k].ty);
///     rewrite::substitute(body, block, k, Subst::Value(five));
/// });
/// assert!(m.to_text().contains("n = n + 5;"));
/// ```
pub fn substitute(body: &mut Body, block: &mut Block, local: Handle<Local>, subst: Subst) {
    let mut cloner = Cloner::new();
    cloner.replace(local, subst);
    visit::for_each_stmt_mut(block, &mut |node| {
        node.kind.operands_mut(|e| {
            if mentions(body, *e, local) {
                *e = cloner.expr_within(body, *e);
            }
        });
        node.kind.locals_mut(|l, _| {
            if *l == local {
                *l = cloner.clone_local(None, body, local);
            }
        });
    });
}

/// Whether `e` reads or names `local`.
pub fn mentions(body: &Body, e: Handle<Expr>, local: Handle<Local>) -> bool {
    let kind = &body.exprs[e].kind;
    *kind == ExprKind::Local(local) || kind.operands().iter().any(|o| mentions(body, *o, local))
}

/// Hands `f` the body and its statements, both to change: the block is taken out of the body meanwhile.
pub fn with_block<R>(body: &mut Body, f: impl FnOnce(&mut Body, &mut Block) -> R) -> R {
    let mut block = std::mem::take(&mut body.block);
    let result = f(body, &mut block);
    body.block = block;
    result
}

impl Stmt {
    /// Whether it can leave the block it stands in: a `break`, `continue` or `return` that a loop around
    /// the statement would see.
    ///
    /// ```
    /// # use accl_ir::*;
    /// let m = Module::from_text(
    ///     "fn f(i32 n) -> void { while (n) { break; } switch (n) { case 1 { break; } } if (n) { return; } }",
    /// )
    /// .unwrap();
    /// let body = m.functions[m.function_named("f").unwrap()].body.as_ref().unwrap();
    /// let leaves: Vec<bool> = body.block.iter().map(|node| node.kind.leaves()).collect();
    /// assert_eq!(leaves, [false, false, true]);
    /// ```
    pub fn leaves(&self) -> bool {
        match self {
            Stmt::Break | Stmt::Continue | Stmt::Return(_) => true,
            Stmt::For(l) => l.body.iter().any(|n| n.kind.returns()),
            Stmt::While { body, step, .. } => body.iter().chain(step).any(|n| n.kind.returns()),
            // `break` ends the switch; `continue` goes to the loop around.
            Stmt::Switch { cases, .. } => {
                cases.iter().flat_map(|c| &c.body).any(|n| n.kind.continues() || n.kind.returns())
            }
            other => other.blocks().into_iter().flatten().any(|n| n.kind.leaves()),
        }
    }

    fn continues(&self) -> bool {
        match self {
            Stmt::Continue => true,
            Stmt::For(_) | Stmt::While { .. } => false,
            other => other.blocks().into_iter().flatten().any(|n| n.kind.continues()),
        }
    }

    /// Whether a `return` stands in it.
    pub fn returns(&self) -> bool {
        matches!(self, Stmt::Return(_)) || self.blocks().into_iter().flatten().any(|n| n.kind.returns())
    }
}

impl Local {
    /// The user declared it and messages may name it.
    pub fn is_users(&self) -> bool {
        !matches!(self.kind, LocalKind::Temp | LocalKind::Hoisted)
    }
}
