//! Elements of a compressed array of structures that are used as a whole: taken apart into members.
//!
//! `struct place p = q[i]` reads each member into `p`, and `q[i] = p` writes each. Elsewhere in a statement, as in
//! `f(q[i])`, the element is read into a variable before the statement; under the condition, if it stands under
//! `?:`, `&&` or `||`. What a loop's condition reads anew in each iteration stays as it is, and the user is told
//! ([`super::records::whole_uses`]).

use super::records::subscripts;
use accl_ir::{
    BinaryOp, Block, Body, Expr, ExprKind, Handle, Local, Stmt, StmtNode, Type, TypeKind, Types, visit,
};
use accl_source::Span;

/// Takes apart the uses of whole elements of `param`.
pub fn run(types: &mut Types, body: &mut Body, block: &mut Block, param: Handle<Local>) {
    let mut pass = Pass { types, body, param };
    pass.block(block);
}

struct Pass<'a> {
    types: &'a mut Types,
    body: &'a mut Body,
    param: Handle<Local>,
}

impl Pass<'_> {
    fn block(&mut self, block: &mut Block) {
        for node in std::mem::take(block) {
            self.statement(node, block);
        }
    }

    fn statement(&mut self, mut node: StmtNode, out: &mut Block) {
        let span = node.span;
        match node.kind {
            Stmt::Declare { local, init: Some(value) } if self.element_read(value).is_some() => {
                out.push(StmtNode::new(Stmt::Declare { local, init: None }, span));
                let to = self.body.place(local);
                self.copy_read(to, value, span, out);
                return;
            }
            Stmt::Store { place, op: None, value } if self.is_element(place) => {
                let place = self.fixed(place, span, out);
                let from = self.source(value, span, out);
                self.copy(place, from, span, out);
                return;
            }
            Stmt::Call { dest: Some(place), function, args } if self.is_element(place) => {
                let place = self.fixed(place, span, out);
                let local = self.temp(self.body.exprs[place].ty, None, span, out);
                let dest = self.body.place(local);
                self.statement(StmtNode::new(Stmt::Call { dest: Some(dest), function, args }, span), out);
                let from = self.body.place(local);
                self.copy(place, from, span, out);
                return;
            }
            _ => {}
        }
        if !matches!(node.kind, Stmt::While { .. }) {
            node.kind.operands_mut(|e| *e = self.replaced(*e, span, out));
        }
        node.kind.blocks_mut().into_iter().for_each(|inner| self.block(inner));
        out.push(node);
    }

    /// The place of a whole element of the array.
    fn is_element(&mut self, place: Handle<Expr>) -> bool {
        matches!(self.types.kind(self.body.exprs[place].ty), TypeKind::Struct(_))
            && subscripts(self.types, self.body, place, self.param).is_some()
    }

    /// The element that a value is read from.
    fn element_read(&mut self, value: Handle<Expr>) -> Option<Handle<Expr>> {
        let ExprKind::Load(place) = self.body.exprs[value].kind else { return None };
        self.is_element(place).then_some(place)
    }

    /// The expression, with whole elements in it replaced by variables that hold them.
    fn replaced(&mut self, e: Handle<Expr>, span: Span, out: &mut Block) -> Handle<Expr> {
        if self.element_read(e).is_some() {
            let local = self.temp(self.body.exprs[e].ty, None, span, out);
            let to = self.body.place(local);
            self.copy_read(to, e, span, out);
            return self.body.load_local(local);
        }
        if let Some(chosen) = self.chosen(e, span, out) {
            return chosen;
        }
        let mut copy = self.body.exprs[e].clone();
        let mut changed = false;
        copy.kind.operands_mut(|operand| {
            let new = self.replaced(*operand, span, out);
            changed |= new != *operand;
            *operand = new;
        });
        if changed { self.body.exprs.append(copy) } else { e }
    }

    /// Elements that are read only if a condition holds are read in a statement with that condition.
    fn chosen(&mut self, e: Handle<Expr>, span: Span, out: &mut Block) -> Option<Handle<Expr>> {
        let Expr { kind, ty, .. } = self.body.exprs[e].clone();
        let (cond, guarded) = match kind {
            ExprKind::Select { cond, yes, no } => (cond, [yes, no]),
            ExprKind::Binary { op: BinaryOp::LogicalAnd | BinaryOp::LogicalOr, left, right } => {
                (left, [right; 2])
            }
            _ => return None,
        };
        if !guarded.into_iter().any(|e| self.reads_elements(e)) {
            return None;
        }
        let cond = self.replaced(cond, span, out);
        let result = self.temp(ty, None, span, out);
        let (mut then, mut otherwise) = (vec![], vec![]);
        // The side of `&&` or `||` on which the left operand decides does not evaluate the right one.
        let (yes, no) = match kind {
            ExprKind::Binary { op, right, .. } => {
                let both = |right| ExprKind::Binary { op, left: cond, right };
                let (decided, open) = match op {
                    BinaryOp::LogicalAnd => (cond, self.replaced(right, span, &mut then)),
                    _ => (cond, self.replaced(right, span, &mut otherwise)),
                };
                let [decided, open] = [decided, open].map(|right| self.body.expr(both(right), ty, span));
                if op == BinaryOp::LogicalAnd { (open, decided) } else { (decided, open) }
            }
            _ => {
                let [yes, no] = guarded;
                (self.replaced(yes, span, &mut then), self.replaced(no, span, &mut otherwise))
            }
        };
        for (value, branch) in [(yes, &mut then), (no, &mut otherwise)] {
            let place = self.body.place(result);
            branch.push(StmtNode::new(Stmt::Store { place, op: None, value }, span));
        }
        out.push(StmtNode::new(Stmt::If { cond, then, otherwise }, span));
        Some(self.body.load_local(result))
    }

    fn reads_elements(&mut self, e: Handle<Expr>) -> bool {
        let mut loads = vec![];
        visit::for_each_operand(&self.body.exprs, e, &mut |inner| loads.push(inner));
        loads.into_iter().any(|inner| self.element_read(inner).is_some())
    }

    /// Where a structure's members can be read: the variable that a value is loaded from, or a new one.
    fn source(&mut self, value: Handle<Expr>, span: Span, out: &mut Block) -> Handle<Expr> {
        if let ExprKind::Load(place) = self.body.exprs[value].kind
            && matches!(self.body.exprs[place].kind, ExprKind::Local(_))
        {
            return place;
        }
        let ty = self.body.exprs[value].ty;
        let local = match self.element_read(value) {
            Some(_) => {
                let local = self.temp(ty, None, span, out);
                let to = self.body.place(local);
                self.copy_read(to, value, span, out);
                local
            }
            None => {
                let value = self.replaced(value, span, out);
                self.temp(ty, Some(value), span, out)
            }
        };
        self.body.place(local)
    }

    fn copy_read(&mut self, to: Handle<Expr>, value: Handle<Expr>, span: Span, out: &mut Block) {
        let Some(element) = self.element_read(value) else { return };
        let from = self.fixed(element, span, out);
        self.copy(to, from, span, out);
    }

    /// Copies member by member.
    fn copy(&mut self, to: Handle<Expr>, from: Handle<Expr>, span: Span, out: &mut Block) {
        let TypeKind::Struct(def) = *self.types.kind(self.body.exprs[to].ty) else { return };
        let fields: Vec<Handle<Type>> = self.types.structs[def].fields.iter().map(|f| f.ty).collect();
        for (field, ty) in fields.into_iter().enumerate() {
            let field = field as u32;
            let place = self.body.expr(ExprKind::Member { base: to, field }, ty, span);
            let member = self.body.expr(ExprKind::Member { base: from, field }, ty, span);
            let value = self.body.load(member);
            out.push(StmtNode::new(Stmt::Store { place, op: None, value }, span));
        }
    }

    /// The place, with subscripts that keep their values while members are written one after another.
    fn fixed(&mut self, place: Handle<Expr>, span: Span, out: &mut Block) -> Handle<Expr> {
        let Expr { kind, ty, span: at } = self.body.exprs[place].clone();
        match kind {
            ExprKind::Index { base, index } => {
                let base =
                    if self.body.exprs[base].kind.is_place() { self.fixed(base, span, out) } else { base };
                let index = self.replaced(index, span, out);
                let index = if self.is_steady(index) {
                    index
                } else {
                    let ty = self.body.exprs[index].ty;
                    let local = self.temp(ty, Some(index), span, out);
                    self.body.load_local(local)
                };
                self.body.expr(ExprKind::Index { base, index }, ty, at)
            }
            _ => place,
        }
    }

    /// No value in memory affects it.
    fn is_steady(&self, e: Handle<Expr>) -> bool {
        let mut steady = true;
        visit::for_each_operand(&self.body.exprs, e, &mut |inner| match self.body.exprs[inner].kind {
            ExprKind::Load(place) => steady &= matches!(self.body.exprs[place].kind, ExprKind::Local(_)),
            ExprKind::Call { .. } => steady = false,
            _ => {}
        });
        steady
    }

    fn temp(
        &mut self,
        ty: Handle<Type>,
        init: Option<Handle<Expr>>,
        span: Span,
        out: &mut Block,
    ) -> Handle<Local> {
        let stem = format!("{}_whole", self.body.locals[self.param].name);
        let local = self.body.temp(&stem, ty);
        out.push(StmtNode::new(Stmt::Declare { local, init }, span));
        local
    }
}
