//! Variables whose address on the device a construct needs, whether or not anything there is read or written.
//!
//! A construct may form a pointer (`&a[i]`), keep it (`q = p`), pass it on, or compare it with another one. Then it
//! is an address in device memory. What the host knows is another address, so each such variable needs a data item.
//! A host pointer that is only tested for null, or compared with other host pointers, keeps the host's value.
//!
//! Invariant: a pointer variable that is not in [`needed`], and is not dereferenced, is never compared or mixed
//! with an address in device memory.

use crate::access::Accesses;
use crate::data::{VariableForm, form_of, root_type};
use crate::provenance::{Provenance, Root};
use accl_ir::{Access, BinaryOp, Block, Expr, ExprKind, Handle, TypeKind, UnaryOp, visit};
use accl_source::Span;
use std::collections::{BTreeMap, BTreeSet};

/// The variables, each with its first use.
pub fn needed(provenance: &Provenance<'_>, block: &Block, accesses: &Accesses) -> BTreeMap<Root, Span> {
    let mut survey = Survey { provenance, needed: BTreeMap::new(), compared: vec![] };
    visit::for_each_stmt(block, &mut |node| {
        for (e, access) in node.kind.operands() {
            match access {
                Access::Value => survey.value(e, Way::Taken, node.span),
                Access::Read | Access::Write | Access::ReadWrite => survey.place(e, node.span),
                Access::Address => {}
            }
        }
    });
    survey.spread(&dereferenced(provenance, accesses));
    survey.needed
}

fn dereferenced(provenance: &Provenance<'_>, accesses: &Accesses) -> BTreeSet<Root> {
    let through = |a: &&crate::access::Access| {
        root_type(provenance, &a.root).is_some_and(|ty| form_of(provenance, a, ty) == VariableForm::Pointer)
    };
    accesses.list.iter().filter(through).map(|a| a.root.clone()).collect()
}

/// How a pointer value is used.
#[derive(Clone, Copy, PartialEq)]
enum Way {
    /// It is dereferenced. That is an access, which is recorded elsewhere.
    Dereferenced,
    /// It is compared with null.
    Tested,
    /// It is stored, passed on, or converted to a number.
    Taken,
}

/// The two sides of a comparison, or of a difference.
struct Compared {
    roots: BTreeSet<Root>,
    /// One of the operands is an address that the construct formed, or one that comes from device memory.
    on_device: bool,
    span: Span,
}

struct Survey<'p, 'a> {
    provenance: &'p Provenance<'a>,
    needed: BTreeMap<Root, Span>,
    compared: Vec<Compared>,
}

impl Survey<'_, '_> {
    fn value(&mut self, e: Handle<Expr>, way: Way, span: Span) {
        match self.kind(e) {
            ExprKind::Load(place) => {
                self.place(place, span);
                if way == Way::Taken && self.is_pointer(e) {
                    self.need(self.provenance.pointer_roots(e), span);
                }
            }
            ExprKind::Decay(place) | ExprKind::AddrOf(place) => {
                self.place(place, span);
                if way == Way::Taken {
                    self.need(self.provenance.place_roots(place), span);
                }
            }
            ExprKind::Cast(inner) => self.value(inner, way, span),
            ExprKind::Binary { op, left, right } if is_comparison(op) || op == BinaryOp::Sub => {
                self.comparison(left, right, way, span);
            }
            ExprKind::Binary { op: BinaryOp::LogicalAnd | BinaryOp::LogicalOr, left, right } => {
                self.value(left, Way::Tested, span);
                self.value(right, Way::Tested, span);
            }
            ExprKind::Binary { op: BinaryOp::Add, left, right } => {
                for side in [left, right] {
                    self.value(side, if self.is_pointer(side) { way } else { Way::Taken }, span);
                }
            }
            ExprKind::Unary { op: UnaryOp::Not, operand } => self.value(operand, Way::Tested, span),
            ExprKind::Select { cond, yes, no } => {
                self.value(cond, Way::Tested, span);
                self.value(yes, way, span);
                self.value(no, way, span);
            }
            ExprKind::Deref(_) | ExprKind::Index { .. } | ExprKind::Member { .. } => self.place(e, span),
            kind => kind.operands().into_iter().for_each(|o| self.value(o, Way::Taken, span)),
        }
    }

    fn place(&mut self, place: Handle<Expr>, span: Span) {
        match self.kind(place) {
            ExprKind::Index { base, index } => {
                if self.kind(base).is_place() {
                    self.place(base, span);
                } else {
                    self.value(base, Way::Dereferenced, span);
                }
                self.value(index, Way::Taken, span);
            }
            ExprKind::Deref(pointer) => self.value(pointer, Way::Dereferenced, span),
            ExprKind::Member { base, .. } => self.place(base, span),
            _ => {}
        }
    }

    /// The operands are pointers, or they are numbers.
    fn comparison(&mut self, left: Handle<Expr>, right: Handle<Expr>, way: Way, span: Span) {
        match (self.is_pointer(left), self.is_pointer(right)) {
            (true, true) if self.is_null(left) || self.is_null(right) => {
                self.value(left, Way::Tested, span);
                self.value(right, Way::Tested, span);
            }
            (true, true) => {
                self.value(left, Way::Tested, span);
                self.value(right, Way::Tested, span);
                let mut roots = self.provenance.pointer_roots(left);
                roots.extend(self.provenance.pointer_roots(right));
                let on_device = !self.is_of_host(left) || !self.is_of_host(right);
                self.compared.push(Compared { roots, on_device, span });
            }
            // Pointer minus integer.
            (true, false) => {
                self.value(left, way, span);
                self.value(right, Way::Taken, span);
            }
            (false, _) => {
                self.value(left, Way::Taken, span);
                self.value(right, Way::Taken, span);
            }
        }
    }

    /// The value is computed from nothing but a pointer variable of the host.
    fn is_of_host(&self, e: Handle<Expr>) -> bool {
        match self.kind(e) {
            ExprKind::Load(place) => match self.kind(place) {
                ExprKind::Local(l) => !self.provenance.is_inner(l),
                ExprKind::Global(_) => true,
                _ => self.provenance.member_text(place).is_some(),
            },
            ExprKind::Cast(inner) => self.is_of_host(inner),
            ExprKind::Binary { op: BinaryOp::Add | BinaryOp::Sub, left, .. } => self.is_of_host(left),
            _ => false,
        }
    }

    fn is_null(&self, e: Handle<Expr>) -> bool {
        match self.kind(e) {
            ExprKind::Int(0) => true,
            ExprKind::Cast(inner) => self.is_null(inner),
            _ => false,
        }
    }

    /// What is compared with an address of the device must be an address of the device too.
    fn spread(&mut self, dereferenced: &BTreeSet<Root>) {
        let mut compared = std::mem::take(&mut self.compared);
        loop {
            let on_device = |c: &Compared| {
                c.on_device || c.roots.iter().any(|r| dereferenced.contains(r) || self.needed.contains_key(r))
            };
            let (now, rest): (Vec<_>, Vec<_>) = compared.into_iter().partition(on_device);
            if now.is_empty() {
                return;
            }
            for one in now {
                self.need(one.roots, one.span);
            }
            compared = rest;
        }
    }

    fn need(&mut self, roots: BTreeSet<Root>, span: Span) {
        for root in roots {
            let is_own = matches!(root, Root::Local(l) if self.provenance.is_inner(l));
            if root != Root::Unknown && !is_own {
                self.needed.entry(root).or_insert(span);
            }
        }
    }

    fn is_pointer(&self, e: Handle<Expr>) -> bool {
        let scope = self.provenance.scope;
        matches!(scope.module.types.kind(scope.body.exprs[e].ty), TypeKind::Pointer { .. })
    }

    fn kind(&self, e: Handle<Expr>) -> ExprKind {
        self.provenance.scope.body.exprs[e].kind.clone()
    }
}

fn is_comparison(op: BinaryOp) -> bool {
    matches!(op, BinaryOp::Eq | BinaryOp::Ne | BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge)
}
