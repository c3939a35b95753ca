//! Windows that nobody asked for: stencils.
//!
//! ```text
//! for (i…) for (j…) { …; for (y = -3; y <= 3; y++) for (x = -3; x <= 3; x++) sum += w[y + 3][x + 3] * a[i + y][j + x]; … }
//! ```
//!
//! Neighbouring iterations read neighbouring elements of an array that none of them writes, at distances that the
//! compiler knows: a block fetches each element once, in 16-byte accesses, and its threads read rows of neighbours
//! from shared memory into registers, each for several iterations ([`thread_coarsening`](super::thread_coarsening)). Loads are what such
//! loops spend their time with; what is won grows with their number: 8192x8192 floats on an H200 took 0.155 ms with 5
//! points, four rows a thread, and take 0.135 with a window; 0.379 and 0.217 with 49, 0.675 and 0.418 with 121. Not with 5
//! points and another array beside (0.212 and 0.253), nor with 17 in a cross (0.216 and 0.222). Arrays that an iteration
//! reads at its own place alone come along, for the sake of 16-byte accesses.
//!
//! Subscripts may be two, or one that a program computes itself, `i * m + j`: these are brought into the form that windows
//! know ([`Grid::place`]).

use super::super::steps::Refusal;
use super::super::steps::unroll_and_jam::wide::numbers;
use super::super::{grid_mapping, shape};
use crate::build::{Builder, node};
use accl_analysis::affine::{Atom, Monomial, Poly, Polys};
use accl_analysis::definitions;
use accl_analysis::text::Scope;
use accl_ir::{
    Access, ArrayLen, BinaryOp, Block, Body, Compare, Expr, ExprKind, HaloExtent, Handle, Kernel, Local,
    Module, Param, ParamKind, Staged, Stmt, Type, TypeKind, Types, Window, WindowDim, WindowKind, rewrite,
    visit,
};
use accl_source::Span;
use std::collections::{BTreeMap, BTreeSet};

/// Elements of an array that an iteration reads, from which on its window pays.
const FEW: i128 = 4;
/// The same where another array comes along, or where rows far apart take registers.
const MANY: i128 = 25;
/// Such rows.
const APART: i128 = 8;
/// The furthest that an iteration reads from its own place.
const FURTHEST: i128 = 16;

type Value = Handle<Expr>;

/// The kernel with windows around the neighbourhoods that its iterations read.
pub fn stencil(module: &mut Module, kernel: &Kernel) -> Result<Kernel, Refusal> {
    let given = kernel.vector_length.is_some() || kernel.num_gangs.is_some() || kernel.num_workers.is_some();
    if kernel.dims.len() != 2 || given || !shape::one_iteration_a_thread(kernel) || shape::reduces(kernel) {
        return Err(Refusal::quiet(
            "it is for two-dimensional launches whose clauses say nothing of gangs and lanes",
        ));
    }
    let (loops, inner) = grid_mapping::nest(&kernel.body.block);
    let [outer, last] = &loops[..] else {
        return Err(Refusal::quiet("it is for two nested loops"));
    };
    let (vars, inner) = ([last.0.var, outer.0.var], inner.clone());
    let (stencils, written) = stencils(module, kernel, vars, &inner);
    if !pays(&stencils) || !others_stand(&module.types, kernel, &stencils, vars[1], &inner) {
        return Err(Refusal::quiet(
            "too few elements are read by several iterations, or others would be read apart",
        ));
    }
    let mut attempt = kernel.clone();
    let mut b = Builder { types: &mut module.types, body: &mut attempt.body };
    let arrays = stencils.iter().map(|s| s.staged(&mut b, vars)).collect();
    let moved: BTreeMap<Value, Value> =
        stencils.iter().chain(&written).flat_map(|s| s.moved(&mut b, vars)).collect();
    let mut body = inner;
    rewrite::rewrite_exprs(b.body, &mut body, &mut |_, e| moved.get(&e).copied().unwrap_or(e));
    drop_unread(b.body, &mut body);
    let window = Stmt::Window(Box::new(Window { arrays, body }));
    super::replace_inner(&mut attempt.body.block, vars.len(), vec![node(window)]);
    Ok(attempt)
}

fn pays(stencils: &[Stencil]) -> bool {
    stencils.iter().any(|s| {
        let (first, last) = s.ends(0);
        s.taps >= MANY || s.taps >= FEW && stencils.len() == 1 && last - first < APART
    })
}

/// Whether windows are worth being tried without a user's word, for a kernel that can have them: they are fetched in whole accesses, or
/// loads are most of what iterations do. On an H100, 5 points of 4096x4096 floats take 0.054 ms with a window and without; in rows of 4098
/// floats 0.080 with it and 0.054 without.
pub fn are_usual(module: &Module, kernel: &Kernel) -> bool {
    let (loops, inner) = grid_mapping::nest(&kernel.body.block);
    let [outer, last] = &loops[..] else { return false };
    let (stencils, _) = stencils(module, kernel, [last.0.var, outer.0.var], inner);
    stencils.iter().any(|s| s.taps >= MANY)
        || stencils.iter().all(|s| s.has_whole_rows(&module.types, &kernel.body))
}

/// Takes declarations away that subscripts were made of, and that nothing reads any more.
fn drop_unread(body: &Body, block: &mut Block) {
    let mut named = BTreeSet::new();
    visit::for_each_local(body, block, &mut |l, _| {
        named.insert(l);
    });
    rewrite::rewrite_block(block, &mut |node| match node.kind {
        Stmt::Declare { local, .. } if !named.contains(&local) => vec![],
        _ => vec![node],
    });
}

/// What an iteration accesses of an array.
struct Stencil {
    array: Handle<Local>,
    element: Handle<Type>,
    grid: Grid,
    places: Vec<StencilAccess>,
    taps: i128,
}

impl Stencil {
    /// Each row certainly begins where an access of several elements may.
    fn has_whole_rows(&self, types: &Types, body: &Body) -> bool {
        let length = match &self.grid {
            Grid::Pitch(pitch) => pitch.as_constant(),
            Grid::Subscripts => match body.exprs[self.places[0].at].kind {
                ExprKind::Index { base, .. } => match types.kind(body.exprs[base].ty) {
                    TypeKind::Array { len: ArrayLen::Const(n), .. } => Some(i128::from(*n)),
                    _ => None,
                },
                _ => None,
            },
        };
        numbers(types, self.element).zip(length).is_some_and(|(n, length)| length % i128::from(n) == 0)
    }
}

/// How an array's rows follow each other.
#[derive(Clone, PartialEq)]
enum Grid {
    /// It has two subscripts.
    Subscripts,
    /// Elements from one row to the next.
    Pitch(Poly),
}

/// An access, its subscripts counted from the iteration's own.
struct StencilAccess {
    at: Value,
    /// The type of its subscript, or subscripts.
    types: Vec<Handle<Type>>,
    from: [Poly; 2],
    ends: [(i128, i128); 2],
}

/// The first and last values of the variables of sequential loops inside.
type Counted = BTreeMap<Handle<Local>, (i128, i128)>;

/// All other arrays are read where columns do not differ: a thread has neighbouring columns, so its warp would read each
/// of the others' elements in accesses of its own.
fn others_stand(
    types: &Types,
    kernel: &Kernel,
    stencils: &[Stencil],
    column: Handle<Local>,
    inner: &Block,
) -> bool {
    let body = &kernel.body;
    let definitions = definitions::of_block(body, inner);
    let assigned = visit::written_locals(body, inner);
    // What differs between columns: what is computed from them, and what may be.
    let mut differs = BTreeSet::from([column]);
    let counted = counted(types, body, inner);
    differs.extend(assigned.into_iter().filter(|l| !definitions.contains_key(l) && !counted.contains_key(l)));
    for _ in 0..definitions.len() {
        let from = |e: Value| differs.iter().any(|l| rewrite::mentions(body, e, *l));
        let more: Vec<_> = definitions.iter().filter(|(_, e)| from(**e)).map(|(l, _)| *l).collect();
        differs.extend(more);
    }
    let declared = visit::declared_locals(inner);
    let mut stand = true;
    visit::for_each_place(body, inner, &mut |at, access| {
        if matches!(body.exprs[at].kind, ExprKind::Local(_)) || access == Access::Write {
            return;
        }
        let array = super::sync::root(body, at);
        let kept = array.is_some_and(|l| declared.contains(&l) || stencils.iter().any(|s| s.array == l));
        stand &= kept || !differs.iter().any(|l| rewrite::mentions(body, at, *l));
    });
    stand
}

/// Arrays that are read around each iteration's own place alone, in plain elements; and of those that are written, what is
/// accessed there.
fn stencils(
    module: &Module,
    kernel: &Kernel,
    vars: [Handle<Local>; 2],
    inner: &Block,
) -> (Vec<Stencil>, Vec<Stencil>) {
    let body = &kernel.body;
    let polys = Polys::new(Scope::new(module, body), definitions::of_block(body, inner));
    let counted = counted(&module.types, body, inner);
    let values = values(kernel, inner);
    let of = |param: &Param| {
        let ParamKind::Data { written, .. } = param.kind else { return None };
        let element = module.types.element(body.locals[param.local].ty)?;
        let mut found = AccessReader { polys: &polys, counted: &counted, vars, values: &values, grid: None };
        let (mut places, mut all) = (BTreeMap::new(), true);
        visit::for_each_place(body, inner, &mut |at, _| {
            let itself = matches!(body.exprs[at].kind, ExprKind::Local(_));
            if !itself && super::sync::root(body, at) == Some(param.local) {
                match found.place(at) {
                    Some(place) => drop(places.insert(at, place)),
                    None => all = false,
                }
            }
        });
        let places: Vec<StencilAccess> = places.into_values().collect();
        let taps = taps(&places, &counted);
        let element = scalar(&module.types, element)?;
        let stencil = Stencil { array: param.local, element, grid: found.grid?, places, taps };
        (taps > 0 && (all || written)).then_some((written, stencil))
    };
    let (written, read): (Vec<_>, Vec<_>) =
        kernel.params.iter().filter_map(of).partition(|(written, _)| *written);
    let alone = |all: Vec<(bool, Stencil)>| all.into_iter().map(|(_, stencil)| stencil).collect();
    (alone(read), alone(written))
}

/// The numbers that an array's rows are made of.
fn scalar(types: &Types, mut ty: Handle<Type>) -> Option<Handle<Type>> {
    while let TypeKind::Array { of, .. } = types.kind(ty) {
        ty = *of;
    }
    matches!(types.kind(ty), TypeKind::Int { bits: 32 | 64, .. } | TypeKind::Float { bits: 32 | 64 })
        .then_some(ty)
}

/// Parameters that hold a value, the same throughout.
fn values(kernel: &Kernel, inner: &Block) -> BTreeSet<Handle<Local>> {
    let assigned = visit::written_locals(&kernel.body, inner);
    let value = |p: &&Param| matches!(p.kind, ParamKind::Value { .. }) && !assigned.contains(&p.local);
    kernel.params.iter().filter(value).map(|p| p.local).collect()
}

/// Loops between constants that count up by one.
fn counted(types: &Types, body: &Body, inner: &Block) -> Counted {
    let mut found = Counted::new();
    let mut again = vec![];
    visit::for_each_stmt(inner, &mut |node| {
        let Stmt::For(l) = &node.kind else { return };
        let more = match l.compare {
            Compare::Lt | Compare::Ne => -1,
            Compare::Le => 0,
            Compare::Gt | Compare::Ge => return again.push(l.var),
        };
        let ends = body.const_int(types, l.lower).zip(body.const_int(types, l.bound));
        match ends
            .filter(|(a, b)| body.const_int(types, l.step) == Some(1) && l.declared_here && *a <= b + more)
        {
            Some((first, bound)) if found.insert(l.var, (first, bound + more)).is_none() => {}
            _ => again.push(l.var),
        }
    });
    again.iter().for_each(|l| {
        found.remove(l);
    });
    found
}

/// Different elements, each loop's iterations counted.
fn taps(places: &[StencilAccess], counted: &Counted) -> i128 {
    let mut seen: Vec<&[Poly; 2]> = vec![];
    let mut all = 0;
    for place in places {
        if seen.contains(&&place.from) {
            continue;
        }
        seen.push(&place.from);
        let vars: BTreeSet<Atom> = place.from.iter().flat_map(Poly::atoms).collect();
        let trips = vars.iter().map(|a| match a {
            Atom::Local(l) => counted.get(l).map_or(1, |(first, last)| last - first + 1),
            Atom::Global(_) | Atom::Opaque(_) => 1,
        });
        all += trips.product::<i128>();
    }
    all
}

/// Reads the accesses to one array.
struct AccessReader<'a> {
    polys: &'a Polys<'a>,
    counted: &'a Counted,
    /// Of the rows' loop and the columns'.
    vars: [Handle<Local>; 2],
    values: &'a BTreeSet<Handle<Local>>,
    grid: Option<Grid>,
}

impl AccessReader<'_> {
    fn place(&mut self, at: Value) -> Option<StencilAccess> {
        let body = self.polys.scope.body;
        let ExprKind::Index { base, index } = body.exprs[at].kind else { return None };
        let (from, types, grid) = match body.exprs[base].kind {
            ExprKind::Index { base: outer, index: row } => {
                let whole = !matches!(body.exprs[outer].kind, ExprKind::Index { .. });
                let from = [self.polys.poly(row), self.polys.poly(index)];
                whole.then_some((from, vec![body.exprs[row].ty, body.exprs[index].ty], Grid::Subscripts))?
            }
            _ => {
                let (from, pitch) = self.split(index)?;
                (from, vec![body.exprs[index].ty], Grid::Pitch(pitch))
            }
        };
        let same = self.grid.as_ref().is_none_or(|known| *known == grid);
        self.grid.get_or_insert(grid);
        let [y, x] = from;
        let from = [self.counted_from(y, self.vars[0])?, self.counted_from(x, self.vars[1])?];
        let ends = [self.ends(&from[0])?, self.ends(&from[1])?];
        let near = ends.iter().all(|(low, high)| *low >= -FURTHEST && *high <= FURTHEST);
        (same && near).then_some(StencilAccess { at, types, from, ends })
    }

    /// Row and column of `i * m + j`, and `m`.
    fn split(&self, index: Value) -> Option<([Poly; 2], Poly)> {
        let poly = self.polys.poly(index);
        let (factor, rest) = poly.split(Atom::Local(self.vars[0]))?;
        self.is_pitch(&factor).then_some(())?;
        let (mut row, mut column) = (Poly::atom(Atom::Local(self.vars[0])), Poly::default());
        for (monomial, n) in &rest.terms {
            match (&factor.as_constant(), factor.terms.keys().next()) {
                (Some(m), _) => {
                    let rows = (n + m / 2).div_euclid(*m);
                    row.add_term(monomial.clone(), rows);
                    column.add_term(monomial.clone(), n - rows * m);
                }
                (None, Some(of)) => match without(monomial, of) {
                    Some(less) => row.add_term(less, *n),
                    None => column.add_term(monomial.clone(), *n),
                },
                (None, None) => return None,
            }
        }
        Some(([row, column], factor))
    }

    /// A constant, or values that do not change, multiplied.
    fn is_pitch(&self, factor: &Poly) -> bool {
        let value = |a: &Atom| matches!(a, Atom::Local(l) if self.values.contains(l));
        match (factor.as_constant(), factor.terms.iter().next()) {
            (Some(n), _) => n > 4 * FURTHEST,
            (None, Some((monomial, 1))) => factor.terms.len() == 1 && monomial.iter().all(value),
            (None, _) => false,
        }
    }

    /// `poly - var`, where it is a number and variables of counted loops.
    fn counted_from(&self, poly: Poly, var: Handle<Local>) -> Option<Poly> {
        let from = poly.plus(&Poly::atom(Atom::Local(var)), -1);
        let known = |m: &Monomial| match m.as_slice() {
            [] => true,
            [Atom::Local(l)] => self.counted.contains_key(l),
            _ => false,
        };
        from.terms.keys().all(known).then_some(from)
    }

    /// The least and the greatest value.
    fn ends(&self, from: &Poly) -> Option<(i128, i128)> {
        let mut ends = (0, 0);
        for (monomial, n) in &from.terms {
            let (first, last) = match monomial.as_slice() {
                [] => (1, 1),
                [Atom::Local(l)] => *self.counted.get(l)?,
                _ => return None,
            };
            ends = (ends.0 + (n * first).min(n * last), ends.1 + (n * first).max(n * last));
        }
        Some(ends)
    }
}

/// `a · b` of `a · m · b`.
fn without(monomial: &Monomial, of: &Monomial) -> Option<Monomial> {
    let mut left = monomial.clone();
    for atom in of {
        let at = left.iter().position(|a| a == atom)?;
        left.remove(at);
    }
    Some(left)
}

impl Stencil {
    /// How far accesses reach in a dimension.
    fn ends(&self, d: usize) -> (i128, i128) {
        let low = self.places.iter().map(|p| p.ends[d].0).min().unwrap_or(0);
        let high = self.places.iter().map(|p| p.ends[d].1).max().unwrap_or(0);
        (low, high)
    }

    fn staged(&self, b: &mut Builder<'_>, vars: [Handle<Local>; 2]) -> Staged {
        let own = [Poly::default(), Poly::default()];
        let first = &self.places[0];
        let element = self.place(
            b,
            vars,
            &StencilAccess { at: first.at, types: first.types.clone(), from: own, ends: [(0, 0); 2] },
        );
        let dims = [0, 1].map(|d| {
            let (low, high) = self.ends(d);
            let reach = |n: i128| HaloExtent::Known(n.max(0) as i64);
            WindowDim { pivot: b.load(vars[d]), before: reach(-low), after: reach(high) }
        });
        let name = b.body.locals[self.array].name.clone();
        Staged { kind: WindowKind::FetchOnly, name, element, dims: dims.into(), span: Span::default() }
    }

    /// The accesses, and the same in the form that windows know.
    fn moved(&self, b: &mut Builder<'_>, vars: [Handle<Local>; 2]) -> Vec<(Value, Value)> {
        self.places.iter().map(|place| (place.at, self.place(b, vars, place))).collect()
    }

    /// `a[i + y][j + x]`, `a[(i + y) * m + (j + x)]`
    fn place(&self, b: &mut Builder<'_>, vars: [Handle<Local>; 2], place: &StencilAccess) -> Value {
        let mut subscripts = [0, 1].map(|d| subscript(b, vars[d], &place.from[d]));
        let base = |b: &Builder<'_>, e: Value| match b.body.exprs[e].kind {
            ExprKind::Index { base, .. } => base,
            _ => e,
        };
        match &self.grid {
            Grid::Subscripts => {
                let row = base(b, place.at);
                let array = base(b, row);
                let ty = b.ty(row);
                for (subscript, ty) in subscripts.iter_mut().zip(&place.types) {
                    *subscript = b.cast(*subscript, *ty);
                }
                let row = b.expr(ExprKind::Index { base: array, index: subscripts[0] }, ty);
                b.expr(ExprKind::Index { base: row, index: subscripts[1] }, self.element)
            }
            Grid::Pitch(pitch) => {
                let wide = place.types[0];
                let [y, x] = subscripts.map(|s| b.cast(s, wide));
                let pitch = pitch_of(b, pitch, wide);
                // As windows know it, whatever could be computed at once.
                let rows = b.expr(ExprKind::Binary { op: BinaryOp::Mul, left: y, right: pitch }, wide);
                let index = b.expr(ExprKind::Binary { op: BinaryOp::Add, left: rows, right: x }, wide);
                let array = base(b, place.at);
                let ty = b.ty(place.at);
                b.expr(ExprKind::Index { base: array, index }, ty)
            }
        }
    }
}

/// `i + y - 1`
fn subscript(b: &mut Builder<'_>, var: Handle<Local>, from: &Poly) -> Value {
    let mut sum = b.load(var);
    let ty = b.ty(sum);
    for (monomial, n) in &from.terms {
        let times = b.int(*n, ty);
        let term = match monomial.as_slice() {
            [Atom::Local(l)] => {
                let value = b.load(*l);
                let value = b.cast(value, ty);
                b.mul(value, times)
            }
            _ => times,
        };
        sum = b.add(sum, term);
    }
    sum
}

/// A row's length.
fn pitch_of(b: &mut Builder<'_>, pitch: &Poly, ty: Handle<Type>) -> Value {
    let Some((monomial, n)) = pitch.terms.iter().next() else { return b.int(0, ty) };
    let mut product = b.int(*n, ty);
    for atom in monomial {
        if let Atom::Local(l) = atom {
            let value = b.load(*l);
            let value = b.cast(value, ty);
            product = b.mul(product, value);
        }
    }
    product
}
