//! A kernel for GPUs subscripts its matrices with their strides.
//!
//! Element number `e` of an array with rows of `n` elements is `e % n` of row `e / n`, and lies at
//! `(e / n) * row_stride + (e % n) * element_stride`. Each number has a place of its own, whatever the strides of the two orders,
//! so nothing has to be proven for a kernel to be right. Where a subscript is `k * n + f`, and the loops around say that f is at
//! least 0 and less than n, the two quotients are written down as k and f.

use super::elements;
use crate::build::Builder;
use accl_analysis::access::LoopInfo;
use accl_analysis::affine::{Atom, Definitions, Poly, Polys};
use accl_analysis::scalars::written_locals;
use accl_analysis::text::Scope;
use accl_analysis::{definitions, section};
use accl_ir::rewrite::{mentions, rewrite_exprs, with_block};
use accl_ir::{
    BinaryOp, Block, Body, Expr, ExprKind, Handle, Kernel, Local, Loop, Module, ParamKind, Stmt, TypeKind,
    Types, visit,
};
use accl_source::Span;
use std::collections::BTreeMap;

/// An array whose elements the kernel finds by strides.
#[derive(Clone, Copy)]
struct Matrix {
    array: Handle<Local>,
    row: i128,
    element_stride: Handle<Local>,
    row_stride: Handle<Local>,
}

/// The number of an element, taken apart.
struct RowAndElement {
    row: Poly,
    element: Poly,
}

/// Rewrites the kernel's body, and returns it as it was if there is something to rewrite.
pub fn with_strides(module: &mut Module, kernel: &mut Kernel) -> Option<Body> {
    let matrices = matrices(kernel);
    if matrices.is_empty() {
        return None;
    }
    let before = kernel.body.clone();
    let places = Places::of(module, kernel, &matrices);
    with_block(&mut kernel.body, |body, block| {
        rewrite_exprs(body, block, &mut |body, e| {
            let element = |m: &&Matrix| elements::subscripts(&module.types, body, e, m.array);
            let Some(matrix) = matrices.iter().find(|m| element(m).is_some()) else { return e };
            strided(&mut Builder { types: &mut module.types, body }, matrix, e, places.get(&e)).unwrap_or(e)
        });
    });
    Some(before)
}

fn matrices(kernel: &Kernel) -> Vec<Matrix> {
    let mut found: Vec<Matrix> = vec![];
    for p in &kernel.params {
        let ParamKind::Stride { of, row, rows, .. } = p.kind else { continue };
        let at = found.iter().position(|m| m.array == of).unwrap_or_else(|| {
            let row = i128::from(row);
            found.push(Matrix { array: of, row, element_stride: p.local, row_stride: p.local });
            found.len() - 1
        });
        if rows {
            found[at].row_stride = p.local;
        } else {
            found[at].element_stride = p.local;
        }
    }
    found
}

/// The same element, found by strides.
fn strided(
    b: &mut Builder<'_>,
    matrix: &Matrix,
    e: Handle<Expr>,
    place: Option<&RowAndElement>,
) -> Option<Handle<Expr>> {
    let found = elements::subscripts(b.types, b.body, e, matrix.array)?;
    let long = b.types.int(64, true);
    let (row, element) = match place {
        Some(place) => (sum(b, &place.row), sum(b, &place.element)),
        None => {
            let number = number(b, &found);
            // Of int where the subscript is: devices divide 64 bits in many steps.
            let ty = b.ty(number);
            let row = b.int(matrix.row, ty);
            let quotients = [BinaryOp::Div, BinaryOp::Rem].map(|op| b.binary(op, number, row));
            (b.cast(quotients[0], long), b.cast(quotients[1], long))
        }
    };
    let (row_stride, element_stride) = (b.load(matrix.row_stride), b.load(matrix.element_stride));
    let (row, element) = (b.mul(row, row_stride), b.mul(element, element_stride));
    let index = b.add(row, element);
    let base = first_element(b, matrix.array, found.len());
    let Expr { ty, span, .. } = b.body.exprs[e];
    Some(b.body.expr(ExprKind::Index { base, index }, ty, span))
}

/// The number that the subscripts stand for, of type int or long.
fn number(b: &mut Builder<'_>, subscripts: &[elements::Subscript]) -> Handle<Expr> {
    if let [(subscript, 1)] = subscripts
        && b.ty(*subscript) == b.types.i32()
    {
        return *subscript;
    }
    let long = b.types.int(64, true);
    let zero = b.int(0, long);
    subscripts.iter().fold(zero, |sum, (subscript, factor)| {
        let (subscript, factor) = (b.cast(*subscript, long), b.int(i128::from(*factor), long));
        let product = b.mul(subscript, factor);
        b.add(sum, product)
    })
}

/// A pointer to the first element of an array with so many dimensions.
fn first_element(b: &mut Builder<'_>, array: Handle<Local>, dims: usize) -> Handle<Expr> {
    let mut pointer = b.load(array);
    for _ in 1..dims {
        let int = b.types.i32();
        let (zero, pointer_type) = (b.int(0, int), b.ty(pointer));
        let Some(row) = b.types.element(pointer_type) else { break };
        let Some(element) = b.types.element(row) else { break };
        let row = b.expr(ExprKind::Index { base: pointer, index: zero }, row);
        let pointer_type = b.types.pointer(element);
        pointer = b.expr(ExprKind::Decay(row), pointer_type);
    }
    pointer
}

/// A polynomial of locals and of other expressions, in 64 bits.
fn sum(b: &mut Builder<'_>, poly: &Poly) -> Handle<Expr> {
    let long = b.types.int(64, true);
    let zero = b.int(0, long);
    poly.terms.iter().fold(zero, |sum, (atoms, factor)| {
        let factor = b.int(*factor, long);
        let product = atoms.iter().fold(factor, |product, atom| {
            let value = match atom {
                Atom::Local(l) => b.load(*l),
                Atom::Opaque(e) => *e,
                Atom::Global(_) => unreachable!("kernels have no globals in such places"),
            };
            let value = b.cast(value, long);
            b.mul(product, value)
        });
        b.add(sum, product)
    })
}

/// Takes apart the numbers of the elements that a kernel uses.
struct Places<'a> {
    module: &'a Module,
    body: &'a Body,
    matrices: &'a [Matrix],
    polys: Polys<'a>,
    /// Least and greatest value of the counters of the loops around.
    counters: BTreeMap<Handle<Local>, (i128, i128)>,
    found: BTreeMap<Handle<Expr>, RowAndElement>,
}

impl Places<'_> {
    fn of(module: &Module, kernel: &Kernel, matrices: &[Matrix]) -> BTreeMap<Handle<Expr>, RowAndElement> {
        let body = &kernel.body;
        let scope = Scope::new(module, body);
        let polys = Polys::new(scope, lasting(module, kernel));
        let mut places =
            Places { module, body, matrices, polys, counters: BTreeMap::new(), found: BTreeMap::new() };
        places.block(&body.block);
        places.found
    }

    fn block(&mut self, block: &Block) {
        let body = self.body;
        for node in block {
            for (root, _) in node.kind.operands() {
                visit::for_each_operand(&body.exprs, root, &mut |e| self.expr(e));
            }
            let counter = match &node.kind {
                Stmt::For(l) => self.range(l).map(|range| (l.var, range)),
                _ => None,
            };
            let around = counter.map(|(var, range)| (var, self.counters.insert(var, range)));
            node.kind.blocks().into_iter().for_each(|inner| self.block(inner));
            match around {
                Some((var, Some(range))) => _ = self.counters.insert(var, range),
                Some((var, None)) => _ = self.counters.remove(&var),
                None => {}
            }
        }
    }

    /// What the loop's counter can be.
    fn range(&self, l: &Loop) -> Option<(i128, i128)> {
        let info = LoopInfo {
            var: l.var,
            lower: l.lower,
            compare: l.compare,
            bound: l.bound,
            step: l.step,
            parent: None,
            private: vec![],
            span: Span::default(),
        };
        let (least, greatest) = section::loop_range(&self.polys, &info)?;
        self.polys.poly(l.step).as_constant()?;
        Some((least.as_constant()?, greatest.as_constant()?))
    }

    fn expr(&mut self, e: Handle<Expr>) {
        let types = &self.module.types;
        let found = self.matrices.iter().find_map(|matrix| {
            let subscripts = elements::subscripts(types, self.body, e, matrix.array)?;
            self.place(matrix, &subscripts)
        });
        if let Some(place) = found {
            self.found.insert(e, place);
        }
    }

    fn place(&self, matrix: &Matrix, subscripts: &[elements::Subscript]) -> Option<RowAndElement> {
        let mut number = Poly::default();
        for (subscript, factor) in subscripts {
            if !keeps_values(&self.module.types, self.body, *subscript) {
                return None;
            }
            number = number.plus(&self.polys.poly(*subscript), i128::from(*factor));
        }
        let usable = |atom: Atom| match atom {
            Atom::Local(_) => true,
            Atom::Global(_) => false,
            Atom::Opaque(e) => !self.matrices.iter().any(|m| mentions(self.body, e, m.array)),
        };
        if !number.atoms().all(usable) {
            return None;
        }
        let (mut row, mut element) = (Poly::default(), Poly::default());
        for (atoms, factor) in number.terms {
            match factor % matrix.row {
                0 => row.add_term(atoms, factor / matrix.row),
                _ => element.add_term(atoms, factor),
            }
        }
        let (least, greatest) = self.bounds(&element)?;
        let rows = least.div_euclid(matrix.row);
        if greatest.div_euclid(matrix.row) != rows {
            return None;
        }
        row.add_term(vec![], rows);
        element.add_term(vec![], -rows * matrix.row);
        Some(RowAndElement { row, element })
    }

    /// What a sum of counters can be.
    fn bounds(&self, poly: &Poly) -> Option<(i128, i128)> {
        poly.bounds(|atom| match atom {
            Atom::Local(l) => self.counters.get(&l).copied(),
            Atom::Global(_) | Atom::Opaque(_) => None,
        })
    }
}

/// Locals that stand for what they are declared with, wherever they are in scope: sums of parameters that never change, and of
/// counters that their loops declare.
fn lasting(module: &Module, kernel: &Kernel) -> Definitions {
    let body = &kernel.body;
    let written = written_locals(body, &body.block);
    let mut counters = vec![];
    visit::for_each_loop(&body.block, &mut |l, _| {
        if l.declared_here && written.get(&l.var) == Some(&1) {
            counters.push(l.var);
        }
    });
    let value = |l: &Handle<Local>| {
        kernel.params.iter().any(|p| p.local == *l && matches!(p.kind, ParamKind::Value { .. }))
    };
    let mut definitions = definitions::of_block(body, &body.block);
    definitions.retain(|_, value| keeps_values(&module.types, body, *value));
    loop {
        let before = definitions.len();
        let known = definitions.clone();
        definitions.retain(|_, e| {
            let mut lasts = true;
            visit::for_each_operand(&body.exprs, *e, &mut |e| {
                lasts &= match &body.exprs[e].kind {
                    ExprKind::Local(l) => {
                        counters.contains(l) || known.contains_key(l) || value(l) && !written.contains_key(l)
                    }
                    ExprKind::Int(_) | ExprKind::Load(_) | ExprKind::Cast(_) => true,
                    ExprKind::Unary { .. } | ExprKind::Binary { .. } => true,
                    _ => false,
                };
            });
            lasts
        });
        if definitions.len() == before {
            return definitions;
        }
    }
}

/// The expression has the value that exact arithmetic gives it: no conversion in it drops bits, and nothing wraps around.
fn keeps_values(types: &Types, body: &Body, e: Handle<Expr>) -> bool {
    let int = |e: Handle<Expr>| match *types.kind(body.exprs[e].ty) {
        TypeKind::Int { bits, signed } => Some((bits, signed)),
        TypeKind::Bool => Some((1, false)),
        _ => None,
    };
    let Some((bits, signed)) = int(e) else { return false };
    let exact = bits >= 32 && signed || bits == 64;
    match body.exprs[e].kind {
        ExprKind::Cast(inner) => {
            exact && int(inner).is_some_and(|(from, _)| from <= bits) && keeps_values(types, body, inner)
        }
        ExprKind::Unary { operand, .. } => exact && keeps_values(types, body, operand),
        ExprKind::Binary { left, right, .. } => {
            exact && keeps_values(types, body, left) && keeps_values(types, body, right)
        }
        _ => true,
    }
}
