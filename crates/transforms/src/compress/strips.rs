//! On the cpu, packed elements that a loop accesses one after another are decoded and encoded in strips.
//!
//! ```text
//! for (int i = first; i < end; i++)      for (long i_first = first; i_first < end; i_first += 256) {
//!     c[i] = a[i] + b[i];                    const long n = min(end - i_first, 256);
//!                                            accl_decode_floats(a_strip, a, i_first + a_first, n, …); the same for b
//!                                            for (long k = 0; k < n; k++) c_strip[k] = a_strip[k] + b_strip[k];
//!                                            accl_encode_floats(c_strip, c, i_first + c_first, n, …);
//!                                        }
//! ```
//!
//! The runtime does that with vector instructions, and compilers vectorise the rest of the loop. The iterations of
//! a parallel loop advance together, as in [`crate::map::steps::unroll_and_jam`]: one group of statements at a time. Other
//! loops are rewritten where the kernel writes no compressed array, so that decoded values stay valid. Only
//! accesses that every iteration makes are moved out; what a condition guards may lie outside of the array, and
//! stays.

use super::lower::{Array, Lowering, root};
use crate::build::{Builder, counting, declare, node};
use crate::map::index_set_splitting::{is_fixed, is_signed, is_var};
use crate::map::indices;
use crate::map::steps::unroll_and_jam::{Axis, Group, Run, ThreadTile, groups};
use crate::map::straight_line::is_straight;
use accl_ir::rewrite::{Cloner, Subst, rewrite_block, rewrite_exprs};
use accl_ir::{
    Arena, BinaryOp, Block, Body, CodecParameter, Compare, Expr, ExprKind, Function, Handle, Local, Loop,
    MathFn, Stmt, StmtNode, TypeKind, visit,
};
use accl_source::Span;
use std::collections::BTreeSet;

/// Iterations of a strip. The number is small enough for decoded values to stay in the nearest cache.
const WIDTH: u32 = 256;

pub fn run(pass: &mut Lowering<'_>, functions: &mut Arena<Function>, block: &mut Block) {
    let mut stores = false;
    visit::for_each_stmt(block, &mut |node| stores |= stored_place(pass, node).is_some());
    rewrite_block(block, &mut |node| {
        let strips = match &node.kind {
            Stmt::For(l) => of_loop(pass, functions, l, node.span, !stores),
            _ => None,
        };
        strips.unwrap_or_else(|| vec![node])
    });
}

/// The loop in strips; `None` where nothing is gained or it is not legal. `reads`: the kernel writes no compressed
/// array.
fn of_loop(
    pass: &mut Lowering<'_>,
    functions: &mut Arena<Function>,
    l: &Loop,
    span: Span,
    reads: bool,
) -> Option<Block> {
    let parallel = l.levels.as_ref().is_some_and(|s| !s.is_seq());
    let dead = l.declared_here || parallel;
    if !dead || !indices::counts_up_by_one(pass.types, pass.body, l) || !is_straight(&l.body) {
        return None;
    }
    let mut changing = visit::written_locals(pass.body, &l.body);
    changing.extend(visit::declared_locals(&l.body));
    changing.insert(l.var);
    let walker = Walker { var: l.var, changing };
    let together = if parallel { groups(pass.types, pass.body, l, &l.body) } else { None };
    let together = together.filter(|groups| groups.iter().all(|g| matches!(g, Group::Each { .. })));
    let all = || vec![Group::Each { stores: false, block: l.body.clone() }];
    let groups = together.or_else(|| reads.then(all))?;
    let mut moves = vec![];
    for group in &groups {
        let Group::Each { stores, block } = group else { return None };
        moves.push(if *stores { walker.encoded(pass, block) } else { walker.decoded(pass, block) });
    }
    if moves.iter().all(Vec::is_empty) {
        return None;
    }
    let mut strip = Strip::new(pass, functions, l, &groups);
    let mut inner = vec![];
    for (group, moves) in groups.iter().zip(moves) {
        if let Group::Each { stores, block } = group {
            strip.group(l, *stores, block, moves, &mut inner);
        }
    }
    Some(strip.around(l, span, inner))
}

/// The place of a compressed array that a statement itself writes.
fn stored_place(pass: &Lowering<'_>, node: &StmtNode) -> Option<Handle<Expr>> {
    let place = match &node.kind {
        Stmt::Store { place, .. } | Stmt::VectorStore { dst: place, .. } => *place,
        Stmt::Call { dest: Some(place), .. } => *place,
        _ => return None,
    };
    root(pass.body, place).is_some_and(|local| pass.arrays.contains_key(&local)).then_some(place)
}

/// The facts about a loop's variables.
struct Walker {
    var: Handle<Local>,
    changing: BTreeSet<Handle<Local>>,
}

impl Walker {
    /// The access advances by one element: the last subscript is the loop's variable plus something that does not
    /// change, and the other subscripts do not change.
    fn is_sequential(&self, b: &Builder<'_>, place: Handle<Expr>) -> bool {
        let ExprKind::Index { mut base, index } = b.body.exprs[place].kind else { return false };
        while let ExprKind::Index { base: outer, index } = b.body.exprs[base].kind {
            if !is_fixed(b, &self.changing, index) {
                return false;
            }
            base = outer;
        }
        self.steps(b, index)
    }

    fn steps(&self, b: &Builder<'_>, e: Handle<Expr>) -> bool {
        let fixed = |e| is_fixed(b, &self.changing, e);
        match b.body.exprs[e].kind {
            _ if is_var(b, self.var, e) => true,
            ExprKind::Cast(inner) => is_signed(b, b.ty(e)) && self.steps(b, inner),
            ExprKind::Binary { op: BinaryOp::Add, left, right } => {
                self.steps(b, left) && fixed(right) || fixed(left) && self.steps(b, right)
            }
            ExprKind::Binary { op: BinaryOp::Sub, left, right } => self.steps(b, left) && fixed(right),
            _ => false,
        }
    }

    /// The properties of a packed element that is accessed one after another.
    fn array(&self, pass: &mut Lowering<'_>, place: Handle<Expr>) -> Option<Array> {
        let local = root(pass.body, place)?;
        let array = pass.arrays.get(&local)?.clone();
        let format = array.element.format;
        let pointer = matches!(pass.types.kind(pass.body.locals[local].ty), TypeKind::Pointer { .. });
        let packed = pointer && !format.is_direct() && format.scheme.has_range();
        (packed && self.is_sequential(&pass.builder(), place)).then_some(array)
    }

    /// The accesses of a group that stores nothing compressed.
    fn decoded(&self, pass: &mut Lowering<'_>, block: &Block) -> Vec<Move> {
        let mut found: Vec<Move> = vec![];
        for place in loads(pass.body, block) {
            if found.iter().any(|known| visit::same_expr(pass.body, known.place, place)) {
                continue;
            }
            found.extend(self.array(pass, place).map(|array| Move { at: 0, place, array }));
        }
        found
    }

    /// All that a group stores to compressed arrays, or nothing, since the order of stores must be preserved.
    fn encoded(&self, pass: &mut Lowering<'_>, block: &Block) -> Vec<Move> {
        let mut all = 0;
        visit::for_each_stmt(block, &mut |node| all += usize::from(stored_place(pass, node).is_some()));
        let mut found = vec![];
        for (at, node) in block.iter().enumerate() {
            if let Stmt::Store { place, op: None, .. } = node.kind {
                found.extend(self.array(pass, place).map(|array| Move { at, place, array }));
            }
        }
        // Where each stored value is tested for NaN, the store stays.
        if found.len() < all || pass.check { vec![] } else { found }
    }
}

/// An access that is moved out of the iterations: its position among the group's statements, and its array.
struct Move {
    at: usize,
    place: Handle<Expr>,
    array: Array,
}

/// A loop that is being rewritten to strips.
struct Strip<'s, 'a> {
    pass: &'s mut Lowering<'a>,
    functions: &'s mut Arena<Function>,
    var: Handle<Local>,
    first: Handle<Local>,
    count: Handle<Local>,
    several: ThreadTile,
    declarations: Block,
}

impl<'s, 'a> Strip<'s, 'a> {
    fn new(
        pass: &'s mut Lowering<'a>,
        functions: &'s mut Arena<Function>,
        l: &Loop,
        groups: &[Group],
    ) -> Self {
        let b = &mut pass.builder();
        let long = b.types.int(64, true);
        let first = b.body.temp(&format!("{}_first", b.body.locals[l.var].name), long);
        let count = b.body.temp("n", long);
        let int = b.types.i32();
        let apart = b.int(1, int);
        let mut several =
            ThreadTile::strip(Axis { var: l.var, first, apart, width: WIDTH, lower: None }, count);
        let declarations = several.make_arrays(b, &[groups]);
        Strip { pass, functions, var: l.var, first, count, several, declarations }
    }

    fn group(&mut self, l: &Loop, stores: bool, block: &Block, moves: Vec<Move>, out: &mut Block) {
        let mut block = block.clone();
        let (mut calls, mut known) = (vec![], vec![]);
        for Move { at, place, array } in moves {
            let (element, call) = self.moved(place, &array, stores);
            calls.push(call);
            match &mut block[at].kind {
                Stmt::Store { place, .. } if stores => *place = element,
                _ => known.push((place, self.pass.builder().load_place(element))),
            }
        }
        rewrite_exprs(self.pass.body, &mut block, &mut |body, e| {
            let ExprKind::Load(place) = body.exprs[e].kind else { return e };
            known
                .iter()
                .find(|(known, _)| visit::same_expr(body, *known, place))
                .map_or(e, |(_, value)| *value)
        });
        let each = self.several.each(&mut self.pass.builder(), &block, Run::All).map(|mut node| {
            if let Stmt::For(k) = &mut node.kind {
                k.directive.clone_from(&l.directive);
                k.levels.clone_from(&l.levels);
            }
            node
        });
        let (before, after) = if stores { (vec![], calls) } else { (calls, vec![]) };
        out.extend(before.into_iter().chain(each).chain(after));
    }

    /// The place that replaces the element at `place` in each iteration, and the call that moves a strip.
    fn moved(&mut self, place: Handle<Expr>, array: &Array, encodes: bool) -> (Handle<Expr>, StmtNode) {
        let Some(local) = root(self.pass.body, place) else { unreachable!("an array's place has a root") };
        let scalar = array.element.of;
        let name = format!("{}_strip", self.pass.body.locals[local].name);
        let b = &mut self.pass.builder();
        let ty = b.types.array(scalar, u64::from(WIDTH));
        let strip = b.body.temp(&name, ty);
        self.declarations.push(declare(strip, None));
        self.several.arrays.insert(strip, scalar);
        let element = b.expr(ExprKind::Local(strip), scalar);
        // The place in the strip's first iteration.
        let var = b.body.locals[self.var].ty;
        let first = b.load(self.first);
        let first = b.cast(first, var);
        let place = Cloner::new().replace(self.var, Subst::Value(first)).expr_within(b.body, place);
        let index = self.pass.linear(place);
        let stored = self.pass.stored[&local];
        let words = self.pass.pointer(local, stored);
        let b = &mut self.pass.builder();
        let parameter = array.parameter(b, CodecParameter::First);
        let index = b.add(index, parameter);
        let (count, unsigned) = (b.load(self.count), b.types.int(32, false));
        let bits = b.int(i128::from(array.element.format.bits), unsigned);
        let pointer = b.types.pointer(scalar);
        let numbers = b.place(strip);
        let numbers = b.expr(ExprKind::Decay(numbers), pointer);
        let parameters = if encodes {
            [CodecParameter::Inverse, CodecParameter::Offset]
        } else {
            [CodecParameter::Scale, CodecParameter::Bias]
        };
        let [x, y] = parameters.map(|parameter| array.parameter(b, parameter));
        let action = if encodes { "encode" } else { "decode" };
        let numbers_word = if array.element.float_bits == 32 { "floats" } else { "doubles" };
        let symbol = format!("accl_{action}_{numbers_word}");
        let function = Function::of_library(self.functions, &symbol, b.types.void());
        let args = vec![numbers, words, index, count, bits, x, y];
        (element, node(Stmt::Call { dest: None, function, args }))
    }

    /// `for (long first = lower; first < bound; first += 256) { n = min(bound - first, 256); inner }`
    fn around(mut self, l: &Loop, span: Span, inner: Block) -> Block {
        let b = &mut self.pass.builder();
        let long = b.types.int(64, true);
        let (lower, bound) = (b.cast(l.lower, long), b.cast(l.bound, long));
        let last = b.int(i128::from(l.compare == Compare::Le), long);
        let bound = b.add(bound, last);
        let end = b.body.temp("end", long);
        let (first, after, width) = (b.load(self.first), b.load(end), b.int(WIDTH.into(), long));
        let left = b.binary(BinaryOp::Sub, after, first);
        let count = b.body.math(MathFn::Min, vec![left, width]);
        let mut body = vec![declare(self.count, Some(count))];
        body.append(&mut self.declarations);
        body.extend(inner);
        let mut strips = counting(self.first, lower, after, width, body);
        strips.span = span;
        vec![declare(end, Some(bound)), strips]
    }
}

/// The places that are read whenever the block runs.
fn loads(body: &Body, block: &Block) -> Vec<Handle<Expr>> {
    fn read(body: &Body, e: Handle<Expr>, found: &mut Vec<Handle<Expr>>) {
        match &body.exprs[e].kind {
            ExprKind::Load(place) => {
                found.push(*place);
                read(body, *place, found);
            }
            ExprKind::Select { cond: always, .. }
            | ExprKind::Binary { op: BinaryOp::LogicalAnd | BinaryOp::LogicalOr, left: always, .. } => {
                read(body, *always, found);
            }
            kind => kind.operands().iter().for_each(|operand| read(body, *operand, found)),
        }
    }
    let mut found = vec![];
    for node in block {
        match &node.kind {
            Stmt::Declare { init: Some(value), .. } => read(body, *value, &mut found),
            Stmt::Store { place, op, value } => {
                if op.is_some() {
                    found.push(*place);
                }
                read(body, *place, &mut found);
                read(body, *value, &mut found);
            }
            Stmt::If { cond, .. } => read(body, *cond, &mut found),
            Stmt::Block(inner) => found.extend(loads(body, inner)),
            _ => {}
        }
    }
    found
}
