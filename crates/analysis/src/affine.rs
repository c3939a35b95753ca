//! Integer expressions as polynomials over the variables they read.
//!
//! A subscript `i * m + j + 1` becomes the sum of the monomials `i·m`, `j` and 1. Loop variables and values that do
//! not change in the construct are both [`Atom`]s; the caller decides which are which. Casts between integer types
//! are ignored: an access that relied on wrapping would lie outside its array.

use crate::text::Scope;
use accl_ir::{
    BinaryOp, Body, ConstValue, Expr, ExprKind, Function, Global, Handle, Local, Stmt, StmtNode, TypeKind,
    UnaryOp, visit,
};
use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};
use std::hash::{DefaultHasher, Hash, Hasher};

/// Something with one value: a variable, or an expression that is not polynomial, by its handle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Atom {
    Local(Handle<Local>),
    Global(Handle<Global>),
    /// Read from memory or computed by a function; equal only to the same text.
    Opaque(Handle<Expr>),
}

/// A product of atoms, sorted; empty is the constant 1.
pub type Monomial = Vec<Atom>;

/// A sum of monomials whose integer coefficients are all different from 0.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Poly {
    pub terms: BTreeMap<Monomial, i128>,
}

impl Poly {
    pub fn constant(n: i128) -> Self {
        let mut p = Poly::default();
        p.add_term(vec![], n);
        p
    }
    pub fn atom(a: Atom) -> Self {
        Poly { terms: BTreeMap::from([(vec![a], 1)]) }
    }
    /// The value, if no atom is in it.
    pub fn as_constant(&self) -> Option<i128> {
        match self.terms.len() {
            0 => Some(0),
            1 => self.terms.get(&vec![]).copied(),
            _ => None,
        }
    }
    pub fn add_term(&mut self, m: Monomial, c: i128) {
        let sum = self.terms.get(&m).copied().unwrap_or(0).saturating_add(c);
        if sum == 0 {
            self.terms.remove(&m);
        } else {
            self.terms.insert(m, sum);
        }
    }
    pub fn plus(&self, other: &Poly, factor: i128) -> Poly {
        let mut sum = self.clone();
        for (m, c) in &other.terms {
            sum.add_term(m.clone(), c.saturating_mul(factor));
        }
        sum
    }
    pub fn times(&self, other: &Poly) -> Poly {
        let mut product = Poly::default();
        for (m1, c1) in &self.terms {
            for (m2, c2) in &other.terms {
                let mut m = [m1.as_slice(), m2.as_slice()].concat();
                m.sort();
                product.add_term(m, c1.saturating_mul(*c2));
            }
        }
        product
    }
    pub fn atoms(&self) -> impl Iterator<Item = Atom> + '_ {
        self.terms.keys().flatten().copied()
    }
    pub fn mentions(&self, a: Atom) -> bool {
        self.atoms().any(|x| x == a)
    }
    /// The factor of `a`, if the polynomial is linear in it: `self = coefficient · a + rest`.
    pub fn split(&self, a: Atom) -> Option<(Poly, Poly)> {
        let (mut coefficient, mut rest) = (Poly::default(), Poly::default());
        for (m, c) in &self.terms {
            match m.iter().filter(|x| **x == a).count() {
                0 => rest.add_term(m.clone(), *c),
                1 => coefficient.add_term(m.iter().filter(|x| **x != a).copied().collect(), *c),
                _ => return None,
            }
        }
        Some((coefficient, rest))
    }
    /// The least and the greatest value of a sum of atoms with such bounds.
    pub fn bounds(&self, of: impl Fn(Atom) -> Option<(i128, i128)>) -> Option<(i128, i128)> {
        let (mut least, mut greatest) = (0i128, 0i128);
        for (atoms, factor) in &self.terms {
            let (low, high) = match atoms.as_slice() {
                [] => (1, 1),
                [atom] => of(*atom)?,
                _ => return None,
            };
            let (a, b) = (low.checked_mul(*factor)?, high.checked_mul(*factor)?);
            (least, greatest) = (least.checked_add(a.min(b))?, greatest.checked_add(a.max(b))?);
        }
        Some((least, greatest))
    }
    /// The polynomial with `value` substituted for `a`.
    pub fn substitute(&self, a: Atom, value: &Poly) -> Option<Poly> {
        let (coefficient, rest) = self.split(a)?;
        Some(rest.plus(&coefficient.times(value), 1))
    }
    /// The same, whatever power of `a` the terms have.
    pub fn replace(&self, a: Atom, value: &Poly) -> Poly {
        let mut replaced = Poly::default();
        for (m, c) in &self.terms {
            let (factors, rest): (Monomial, Monomial) = m.iter().partition(|x| **x == a);
            let rest = Poly { terms: [(rest, *c)].into() };
            replaced = replaced.plus(&factors.iter().fold(rest, |product, _| product.times(value)), 1);
        }
        replaced
    }
}

/// Definitions of variables that have one value throughout, e.g. `m` after `const int m = n + 2`.
pub type Definitions = BTreeMap<Handle<Local>, Handle<Expr>>;

/// Reads polynomials out of one body.
pub struct Polys<'a> {
    pub scope: Scope<'a>,
    pub definitions: Definitions,
    /// One representative for each opaque expression seen, by the hash of its form.
    opaque: RefCell<HashMap<u64, Vec<Handle<Expr>>>>,
    /// The values of definitions. Other definitions may use them many times over.
    defined: RefCell<BTreeMap<Handle<Local>, Poly>>,
}

/// A sum of more terms than this is opaque. A product of n sums has as many as 2 to the n terms, and dependence
/// tests could not tell such subscripts apart anyway.
const MOST_TERMS: usize = 48;

/// A coefficient beyond this is opaque too. No subscript inside an array has such a coefficient, and arithmetic
/// with it could overflow.
const LARGEST: u128 = 1 << 62;

/// Which of two values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extremum {
    Min,
    Max,
}

impl<'a> Polys<'a> {
    /// The sides of a value that is the smaller, or the larger, of two: `a < b ? a : b`.
    pub fn sides(&self, value: &Poly, wanted: Extremum) -> Option<(Poly, Poly)> {
        let mut terms = value.terms.iter();
        let (Some((monomial, 1)), None) = (terms.next(), terms.next()) else { return None };
        let [Atom::Opaque(mut e)] = monomial[..] else { return None };
        let kind = |e: Handle<Expr>| &self.scope.body.exprs[e].kind;
        while let ExprKind::Cast(inner) = kind(e) {
            e = *inner;
        }
        let ExprKind::Select { cond, yes, no } = *kind(e) else { return None };
        let ExprKind::Binary { op, left, right } = *kind(cond) else { return None };
        let (left, right, yes, no) = (self.poly(left), self.poly(right), self.poly(yes), self.poly(no));
        let smaller_first = match op {
            BinaryOp::Lt | BinaryOp::Le => true,
            BinaryOp::Gt | BinaryOp::Ge => false,
            _ => return None,
        };
        let found = match (left == yes && right == no, left == no && right == yes) {
            (true, _) if smaller_first => Extremum::Min,
            (true, _) => Extremum::Max,
            (_, true) if smaller_first => Extremum::Max,
            (_, true) => Extremum::Min,
            _ => return None,
        };
        (found == wanted).then_some((yes, no))
    }

    pub fn new(scope: Scope<'a>, definitions: Definitions) -> Self {
        Polys { scope, definitions, opaque: RefCell::default(), defined: RefCell::default() }
    }

    /// The polynomial of an integer expression; opaque atoms stand for what is not polynomial.
    pub fn poly(&self, e: Handle<Expr>) -> Poly {
        match &self.scope.body.exprs[e].kind {
            ExprKind::Int(n) => Poly::constant(*n),
            ExprKind::Load(place) => match self.scope.body.exprs[*place].kind {
                ExprKind::Local(l) => self.local(l),
                ExprKind::Global(g) => match self.scope.module.globals[g].value {
                    Some(ConstValue::Int(n)) => Poly::constant(n),
                    _ => Poly::atom(Atom::Global(g)),
                },
                _ => self.opaque(e),
            },
            ExprKind::Cast(inner) if self.keeps_value(self.scope.body, e, *inner) => self.poly(*inner),
            ExprKind::Unary { op: UnaryOp::Neg, operand } => Poly::default().plus(&self.poly(*operand), -1),
            ExprKind::Binary { op, left, right } => {
                self.binary(*op, || self.poly(*left), || self.poly(*right)).unwrap_or_else(|| self.opaque(e))
            }
            ExprKind::Call { function, args } => {
                self.result(*function, args).unwrap_or_else(|| self.opaque(e))
            }
            _ => self.opaque(e),
        }
    }

    /// The result of a function that only computes it from its arguments: `int at(int w, int i, int j) { return i * w + j; }`.
    fn result(&self, function: Handle<Function>, args: &[Handle<Expr>]) -> Option<Poly> {
        let Function { params, body, .. } = &self.scope.module.functions[function];
        let body = body.as_ref()?;
        let [StmtNode { kind: Stmt::Return(Some(value)), .. }] = &body.block[..] else { return None };
        let args = params.iter().copied().zip(args.iter().map(|arg| self.poly(*arg))).collect();
        self.inside(body, *value, &args)
    }

    /// The polynomial of an expression of another function, whose parameters have these values.
    fn inside(&self, body: &Body, e: Handle<Expr>, args: &BTreeMap<Handle<Local>, Poly>) -> Option<Poly> {
        match &body.exprs[e].kind {
            ExprKind::Int(n) => Some(Poly::constant(*n)),
            ExprKind::Load(place) => match body.exprs[*place].kind {
                ExprKind::Local(l) => args.get(&l).cloned(),
                _ => None,
            },
            ExprKind::Cast(inner) if self.keeps_value(body, e, *inner) => self.inside(body, *inner, args),
            ExprKind::Binary { op, left, right } => {
                let (left, right) = (self.inside(body, *left, args)?, self.inside(body, *right, args)?);
                self.binary(*op, || left, || right)
            }
            _ => None,
        }
    }

    fn local(&self, l: Handle<Local>) -> Poly {
        let own = Poly::atom(Atom::Local(l));
        let Some(value) = self.definitions.get(&l) else { return own };
        if let Some(known) = self.defined.borrow().get(&l) {
            return known.clone();
        }
        // `int i = i;` is no definition.
        self.defined.borrow_mut().insert(l, own);
        let value = self.poly(*value);
        self.defined.borrow_mut().insert(l, value.clone());
        value
    }

    fn binary(
        &self,
        op: BinaryOp,
        left: impl FnOnce() -> Poly,
        right: impl FnOnce() -> Poly,
    ) -> Option<Poly> {
        let known = match op {
            BinaryOp::Add => Some(left().plus(&right(), 1)),
            BinaryOp::Sub => Some(left().plus(&right(), -1)),
            BinaryOp::Mul => self.product(&left(), &right()),
            BinaryOp::Shl => match right().as_constant() {
                Some(n) if (0..62).contains(&n) => self.product(&left(), &Poly::constant(1 << n)),
                _ => None,
            },
            _ => None,
        };
        let small =
            |p: &Poly| p.terms.len() <= MOST_TERMS && p.terms.values().all(|c| c.unsigned_abs() < LARGEST);
        known.filter(small)
    }

    fn product(&self, p: &Poly, q: &Poly) -> Option<Poly> {
        (p.terms.len() * q.terms.len() <= MOST_TERMS).then(|| p.times(q))
    }

    /// A conversion between integer types that an array index may pass through without change.
    fn keeps_value(&self, body: &Body, to: Handle<Expr>, from: Handle<Expr>) -> bool {
        let types = &self.scope.module.types;
        let width = |e: Handle<Expr>| match types.kind(body.exprs[e].ty) {
            TypeKind::Int { bits, .. } => Some(*bits),
            TypeKind::Bool => Some(1),
            _ => None,
        };
        matches!((width(to), width(from)), (Some(to), Some(from)) if to >= 32 || to >= from)
    }

    fn opaque(&self, e: Handle<Expr>) -> Poly {
        let mut seen = self.opaque.borrow_mut();
        let alike = seen.entry(form_hash(self.scope.body, e)).or_default();
        let found = alike.iter().copied().find(|o| visit::same_expr(self.scope.body, *o, e));
        Poly::atom(Atom::Opaque(found.unwrap_or_else(|| {
            alike.push(e);
            e
        })))
    }
}

/// A number that all expressions of the same form have in common.
fn form_hash(body: &Body, e: Handle<Expr>) -> u64 {
    let mut hasher = DefaultHasher::new();
    visit::for_each_operand(&body.exprs, e, &mut |e| {
        let expr = &body.exprs[e];
        std::mem::discriminant(&expr.kind).hash(&mut hasher);
        expr.ty.hash(&mut hasher);
        match &expr.kind {
            ExprKind::Int(n) => n.hash(&mut hasher),
            ExprKind::Local(l) => l.hash(&mut hasher),
            ExprKind::Global(g) => g.hash(&mut hasher),
            ExprKind::Member { field, .. } => field.hash(&mut hasher),
            _ => {}
        }
    });
    hasher.finish()
}
