//! Several consecutive iterations a thread, with 16-byte accesses.
//!
//! Where a one-dimensional loop touches each array only at its own index, a thread that runs four consecutive
//! iterations (two for 8-byte elements) reads and writes them in one access: measured 4.3 TB/s instead of 3.4.
//!
//! ```text
//! T i0 = lower + (blockIdx.x * blockDim.x + threadIdx.x) * 4;
//! if (i0 < bound - 3) {
//!     float x_wide[4]; x_wide = x[i0..]; …
//!     for (int k = 0; k < 4; k++) { T i = i0 + k; body on x_wide[k] … }
//!     z[i0..] = z_wide;
//! } else
//!     for (T i = i0; i < bound; i++) body
//! ```
//!
//! Of compressed arrays a chunk is as many elements as fill whole accesses, eight of 16 bits, thirty-two of 12. Beside
//! plain arrays it is as many as these have in an access.
//!
//! Block arrays that are written take whole groups: the thread's iterations are a group's, which it decodes if it does not
//! write all of it, and encodes at its end; so does a thread whose iterations end before the group does.
//!
//! The variant needs 16-byte alignment and, because loads move over stores, arrays that do not overlap. It is not made
//! for inner loops, elements that are not 4 or 8 bytes, arrays with other subscripts. An array whose accesses stand under
//! a condition keeps them as they are.

use crate::build::{Builder, counting, declare, node};
use crate::compress::block;
use crate::map::indices::{self, for_at, linear};
use crate::map::shape::{limits_gangs, reduces};
use crate::map::steps::Refusal;
use crate::map::{grid_mapping, with_reductions};
use accl_analysis::affine::{Atom, Poly, Polys};
use accl_analysis::definitions;
use accl_analysis::provenance::touched_places;
use accl_analysis::text::Scope;
use accl_ir::rewrite::{Cloner, rewrite_exprs};
use accl_ir::{
    BinaryOp, Block, Body, Builtin, Compare, Expr, ExprKind, Handle, Kernel, Local, Loop, LoopLevels, Module,
    ParamKind, Stmt, StmtNode, Type, TypeKind, Types, visit,
};
use std::collections::{BTreeMap, BTreeSet};

/// Elements of a group of block elements.
pub const GROUP: u32 = 32;

/// What a kernel over one distributed loop accesses wide, and how wide.
pub fn plan_of(module: &Module, kernel: &Kernel) -> Result<VectorPlan, Refusal> {
    let (loops, inner) = grid_mapping::nest(&kernel.body.block);
    let [(l, _)] = loops.as_slice() else {
        return Err(Refusal::quiet("the launch has not one dimension"));
    };
    plan(module, kernel, l, inner)
}

/// The body of a thread that follows the plan.
pub fn body(module: &mut Module, kernel: &Kernel, plan: &VectorPlan) -> Body {
    let (loops, inner) = grid_mapping::nest(&kernel.body.block);
    let mut body = Body { block: vec![], ..kernel.body.clone() };
    let mut b = Builder { types: &mut module.types, body: &mut body };
    let block = emit(&mut b, loops[0].0, inner, plan, kernel);
    body.block = with_reductions(&mut module.types, kernel, &mut body, block);
    body
}

/// How many elements of an array make a 16-byte access, or a few of them.
#[derive(Clone, Copy)]
pub struct Lanes {
    pub count: u32,
    /// Of an element, if it is compressed.
    pub bits: Option<u32>,
}

/// Elements that a thread holds of one array; with more it would run out of registers.
const MOST_LANES: u32 = 32;

/// Which arrays are accessed wide.
pub struct VectorPlan {
    /// Iterations of a thread's chunk.
    pub width: u32,
    pub lanes: Vec<Lanes>,
    pub arrays: Vec<Wide>,
    /// The loop begins where accesses of any width do.
    pub starts_at_zero: bool,
    /// `p[i]` of those arrays.
    places: BTreeMap<Handle<Expr>, Handle<Local>>,
}

pub struct Wide {
    pub param: Handle<Local>,
    pub element: Handle<Type>,
    pub loaded: bool,
    pub stored: bool,
    /// Groups of a block array: the thread has them as numbers.
    pub whole: bool,
}

pub fn plan(module: &Module, kernel: &Kernel, l: &Loop, inner: &Block) -> Result<VectorPlan, Refusal> {
    let mut plan = accesses(module, kernel, l, inner)?;
    let awkward = plan.lanes.iter().filter(|lanes| !(4..=MOST_LANES).contains(&lanes.count));
    if let Some(bits) = awkward.filter_map(|lanes| lanes.bits).next() {
        let why = format!("{bits} bits an element fill 16-byte accesses after too many elements");
        return Err(Refusal::because(why));
    }
    plan.width = if plan.arrays.iter().any(|a| a.whole) { GROUP } else { width(&plan.lanes) };
    aligned_start(module, &kernel.body, l, plan.width)?;
    plan.starts_at_zero = kernel.body.const_int(&module.types, l.lower) == Some(0);
    Ok(plan)
}

/// A plan that has no width yet.
pub fn accesses(module: &Module, kernel: &Kernel, l: &Loop, inner: &Block) -> Result<VectorPlan, Refusal> {
    let body = &kernel.body;
    simple_loop(module, body, l)?;
    straight_code(inner)?;
    let definitions = definitions::of_block(body, inner);
    let polys = Polys::new(Scope::new(module, body), definitions);
    let mut arrays: BTreeMap<Handle<Local>, Vec<Touched>> = BTreeMap::new();
    touched(body, &polys, l, inner, false, &mut arrays)?;
    let mut plan = VectorPlan {
        width: 4,
        lanes: vec![],
        arrays: vec![],
        starts_at_zero: false,
        places: BTreeMap::new(),
    };
    let changed = visit::written_locals(body, inner);
    let is_fixed = |l| kernel.params.iter().any(|p| p.local == l) && !changed.contains(&l);
    if !arrays.keys().all(|l| is_fixed(*l)) {
        return Err(other_access());
    }
    for (param, all) in &arrays {
        add_array(module, body, &mut plan, *param, all)?;
    }
    pointers_only_indexed(kernel, inner, &plan)?;
    if plan.arrays.is_empty() {
        return Err(Refusal::quiet("it accesses no array at the loop's own elements"));
    }
    Ok(plan)
}

/// The most with which no array takes more than one access: where an access is several, a warp's parts of it lie apart,
/// which stores half sectors (nearest neighbours on an H200: 3.1 TB/s instead of 4). Compressed elements may be read
/// by eight bytes then. Where even these do not come out even, packed ones for instance, wider elements take several.
pub fn width(lanes: &[Lanes]) -> u32 {
    let counts = lanes.iter().map(|l| l.count);
    let least =
        counts.clone().min().unwrap_or(4).min(if lanes.iter().all(|l| l.bits.is_some()) { 32 } else { 4 });
    let even = |l: &Lanes| match l.bits {
        Some(bits) => l.count == least || matches!(bits, 8 | 16 | 32) && least * bits >= 64,
        None => true,
    };
    if lanes.iter().all(even) { least } else { counts.max().unwrap_or(4) }
}

/// Unit stride upwards, counted in int or a 64-bit type.
fn simple_loop(module: &Module, body: &Body, l: &Loop) -> Result<(), Refusal> {
    let step = body.const_int(&module.types, l.step);
    let wide_enough = matches!(module.types.kind(body.locals[l.var].ty), TypeKind::Int { bits: 32 | 64, .. });
    let bound_type = body.exprs[l.bound].ty == body.locals[l.var].ty;
    match (step, l.compare) {
        (Some(1), Compare::Lt | Compare::Ne) if wide_enough && bound_type => Ok(()),
        _ => Err(Refusal::quiet("the loop does not count up by one, in int or a type of 64 bits")),
    }
}

/// The first access of each thread is aligned if the array is.
pub fn aligned_start(module: &Module, body: &Body, l: &Loop, width: u32) -> Result<(), Refusal> {
    match body.const_int(&module.types, l.lower) {
        Some(n) if n % i128::from(width) == 0 => Ok(()),
        _ => Err(Refusal::because("the loop does not start at a multiple of the width")),
    }
}

/// No loops, no exits, nothing that other threads see in between.
fn straight_code(inner: &Block) -> Result<(), Refusal> {
    let mut reason = None;
    visit::for_each_stmt(inner, &mut |node| {
        let what = match &node.kind {
            Stmt::For(_) | Stmt::While { .. } | Stmt::Switch { .. } => Some("it has loops inside"),
            Stmt::Continue | Stmt::Break | Stmt::Return(_) => Some("iterations may end early"),
            Stmt::Call { .. } | Stmt::Print { .. } => Some("it calls functions with side effects"),
            Stmt::Stop { .. } => Some("it may end the program"),
            Stmt::Atomic(_) => Some("it has atomic operations"),
            _ => None,
        };
        reason = reason.or(what);
    });
    reason.map_or(Ok(()), |why| Err(Refusal::because(why)))
}

/// One access to an array.
struct Touched {
    place: Handle<Expr>,
    /// At the loop's own index; else at an address that does not change.
    own: bool,
    read: bool,
    written: bool,
    conditional: bool,
}

fn touched(
    body: &Body,
    polys: &Polys<'_>,
    l: &Loop,
    block: &Block,
    conditional: bool,
    arrays: &mut BTreeMap<Handle<Local>, Vec<Touched>>,
) -> Result<(), Refusal> {
    for node in block {
        for used in node.kind.operands() {
            let mut guarded = BTreeSet::new();
            guarded_parts(body, used.0, false, &mut guarded);
            for (place, read, written) in touched_places(body, used) {
                let Some(visit::Root::Pointer(_)) = visit::root_of(body, place) else { continue };
                let (param, own) = subscript(body, polys, l, place)?;
                let conditional = conditional || guarded.contains(&place);
                arrays.entry(param).or_default().push(Touched { place, own, read, written, conditional });
            }
        }
        let inside = conditional || matches!(node.kind, Stmt::If { .. });
        for inner in node.kind.blocks() {
            touched(body, polys, l, inner, inside, arrays)?;
        }
    }
    Ok(())
}

/// Collects what an expression evaluates only if a condition in it says so.
fn guarded_parts(body: &Body, e: Handle<Expr>, guarded: bool, parts: &mut BTreeSet<Handle<Expr>>) {
    if guarded {
        parts.insert(e);
    }
    let kind = &body.exprs[e].kind;
    let choices = match *kind {
        ExprKind::Select { yes, no, .. } => vec![yes, no],
        ExprKind::Binary { op: BinaryOp::LogicalAnd | BinaryOp::LogicalOr, right, .. } => vec![right],
        _ => vec![],
    };
    for operand in kind.operands() {
        guarded_parts(body, operand, guarded || choices.contains(&operand), parts);
    }
}

/// The array parameter a place belongs to, and whether its subscript is the loop variable itself. A variable that lies in memory
/// is an array of one element.
fn subscript(
    body: &Body,
    polys: &Polys<'_>,
    l: &Loop,
    place: Handle<Expr>,
) -> Result<(Handle<Local>, bool), Refusal> {
    let (base, index) = match body.exprs[place].kind {
        ExprKind::Index { base, index } => (base, Some(index)),
        ExprKind::Deref(base) => (base, None),
        _ => return Err(other_access()),
    };
    let ExprKind::Load(pointer) = body.exprs[base].kind else { return Err(other_access()) };
    let ExprKind::Local(param) = body.exprs[pointer].kind else { return Err(other_access()) };
    let Some(index) = index else { return Ok((param, false)) };
    let poly = polys.poly(index);
    if poly == Poly::atom(Atom::Local(l.var)) {
        return Ok((param, true));
    }
    let opaque = poly.atoms().any(|a| matches!(a, Atom::Opaque(_)));
    if poly.mentions(Atom::Local(l.var)) || opaque {
        let name = &body.locals[param].name;
        return Err(Refusal::because(format!("{name} is accessed at other elements than the loop's own")));
    }
    Ok((param, false))
}

fn other_access() -> Refusal {
    Refusal::because("memory is accessed in other ways than array[index]")
}

fn add_array(
    module: &Module,
    body: &Body,
    plan: &mut VectorPlan,
    param: Handle<Local>,
    all: &[Touched],
) -> Result<(), Refusal> {
    let name = &body.locals[param].name;
    let written = all.iter().any(|t| t.written);
    if all.iter().any(|t| !t.own) {
        // One element that all iterations read is no obstacle; writing it is.
        let mixed = written || all.iter().any(|t| t.own);
        let why = || Refusal::because(format!("{name} is also accessed at a fixed element"));
        return if mixed { Err(why()) } else { Ok(()) };
    }
    let element = body.exprs[all[0].place].ty;
    let lanes = lanes(&module.types, element, name)?;
    plan.lanes.push(lanes);
    let first = &all[0];
    if written && block::is_block(&module.types, body, param) {
        // A group is written as a whole, whatever the conditions: what is not written anew is kept.
        let overwritten = first.written && !first.read && !first.conditional;
        plan.arrays.push(Wide { param, element, loaded: !overwritten, stored: true, whole: true });
        plan.places.extend(all.iter().map(|t| (t.place, param)));
        return Ok(());
    }
    // What may not happen stays an access of its own.
    if all.iter().any(|t| t.written && t.conditional) || all.iter().all(|t| t.conditional) {
        return Ok(());
    }
    // What is written before it is read needs no load; `+=` reads first.
    let loaded = (first.read || !first.written) && all.iter().any(|t| t.read);
    plan.arrays.push(Wide { param, element, loaded, stored: written, whole: false });
    plan.places.extend(all.iter().map(|t| (t.place, param)));
    Ok(())
}

/// Elements of whole 16-byte accesses.
pub fn lanes(types: &Types, element: Handle<Type>, name: &str) -> Result<Lanes, Refusal> {
    if let TypeKind::Compressed { format, .. } = types.kind(element) {
        let bits = u32::from(format.bits);
        return Ok(Lanes { count: 128 >> bits.trailing_zeros().min(7), bits: Some(bits) });
    }
    let number = types.is_arithmetic(element);
    match types.size_of(element) {
        Some(4) if number => Ok(Lanes { count: 4, bits: None }),
        Some(8) if number => Ok(Lanes { count: 2, bits: None }),
        _ => Err(Refusal::because(format!("elements of {name} are not 4 or 8 bytes"))),
    }
}

/// No other use of a wide array's pointer, e.g. as an argument, and no address of an element or of a variable in memory.
fn pointers_only_indexed(kernel: &Kernel, inner: &Block, plan: &VectorPlan) -> Result<(), Refusal> {
    let body = &kernel.body;
    let data: BTreeSet<Handle<Local>> =
        kernel.params.iter().filter(|p| matches!(p.kind, ParamKind::Data { .. })).map(|p| p.local).collect();
    let (mut indexed, mut variables, mut addressed) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
    let mut other = false;
    visit::all_exprs(&body.exprs, inner, &mut |e| {
        if let ExprKind::AddrOf(place) | ExprKind::Decay(place) = body.exprs[e].kind {
            addressed.insert(place);
        }
        for operand in body.exprs[e].kind.operands() {
            let ExprKind::Load(place) = body.exprs[operand].kind else { continue };
            let ExprKind::Local(l) = body.exprs[place].kind else { continue };
            if data.contains(&l) {
                match body.exprs[e].kind {
                    ExprKind::Index { base, .. } if base == operand => drop(indexed.insert(e)),
                    ExprKind::Deref(_) => drop(variables.insert(e)),
                    _ => other = true,
                }
            }
        }
    });
    let is_addressed = |place| addressed.contains(place) && plan.places.contains_key(place);
    let other = other || !variables.is_disjoint(&addressed);
    if other || indexed.iter().any(is_addressed) { Err(other_access()) } else { Ok(()) }
}

fn emit(b: &mut Builder<'_>, l: &Loop, inner: &Block, plan: &VectorPlan, kernel: &Kernel) -> Block {
    let (first, start) = first_iteration(b, l, plan.width);
    let tail = match plan.arrays.iter().any(|a| a.whole) {
        true => tail_of_groups(b, l, first, inner, plan),
        false => vec![tail_loop(b, l, first, l.bound, inner)],
    };
    let wide = wide_part(b, l, first, inner, plan, &BTreeMap::new());
    let all = whole_chunk(b, l, first, plan.width);
    let chosen = node(Stmt::If { cond: all, then: wide, otherwise: tail });
    if !reduces(kernel) && !limits_gangs(kernel) {
        return vec![declare(first, Some(start)), chosen];
    }
    // Few blocks, each thread with several chunks: partial results are costly, or the user wants no more gangs.
    let blocks = b.builtin(Builtin::GridDim(0));
    let blocks = indices::widen(b, l, blocks);
    let threads = b.builtin(Builtin::BlockDim(0));
    let stride = b.mul(blocks, threads);
    let ty = b.body.locals[l.var].ty;
    let (stride, width) = (b.cast(stride, ty), b.int(i128::from(plan.width), ty));
    let stride = b.mul(stride, width);
    vec![counting(first, start, l.bound, stride, vec![chosen])]
}

/// The first iteration of a thread's chunk: its local, and the value.
pub fn first_iteration(b: &mut Builder<'_>, l: &Loop, width: u32) -> (Handle<Local>, Handle<Expr>) {
    let ty = b.body.locals[l.var].ty;
    let name = format!("{}_first", b.body.locals[l.var].name);
    let first = b.body.temp(&name, ty);
    let thread = linear(b, l, Builtin::BlockIdx(0), Builtin::BlockDim(0), Builtin::ThreadIdx(0));
    let width = b.int(i128::from(width), ty);
    let chunk = b.cast(thread, ty);
    let start = b.mul(chunk, width);
    let start = b.add(l.lower, start);
    (first, start)
}

/// `i0 < bound - 3`; for unsigned types, whose difference would wrap, `i0 + 3 < bound`.
pub fn whole_chunk(b: &mut Builder<'_>, l: &Loop, first: Handle<Local>, width: u32) -> Handle<Expr> {
    let ty = b.body.locals[l.var].ty;
    let signed = matches!(b.types.kind(ty), TypeKind::Int { signed: true, .. });
    let start = b.load(first);
    let rest = b.int(i128::from(width) - 1, ty);
    if signed {
        let last = b.binary(BinaryOp::Sub, l.bound, rest);
        return b.binary(BinaryOp::Lt, start, last);
    }
    let end = b.add(start, rest);
    b.binary(BinaryOp::Lt, end, l.bound)
}

/// The loop from the chunk's first iteration on, on locals of its own.
pub fn tail_loop(
    b: &mut Builder<'_>,
    l: &Loop,
    first: Handle<Local>,
    bound: Handle<Expr>,
    inner: &Block,
) -> StmtNode {
    let lower = b.load(first);
    let plain = Loop {
        lower,
        bound,
        compare: Compare::Lt,
        declared_here: true,
        body: inner.clone(),
        directive: None,
        levels: Some(LoopLevels::default()),
        ..indices::shell(l)
    };
    let block = vec![for_at(plain, accl_source::Span::default())];
    let mut copy = Cloner::new().block_within(b.body, &block);
    copy.remove(0)
}

/// The same where a group begins with what is left: all of it is decoded, and encoded with what is new.
fn tail_of_groups(
    b: &mut Builder<'_>,
    l: &Loop,
    first: Handle<Local>,
    inner: &Block,
    plan: &VectorPlan,
) -> Block {
    let (mut block, locals) = rest_of_groups(b, l, first, inner, plan);
    for wide in plan.arrays.iter().filter(|a| a.whole) {
        let dst = start_of(b, wide, first);
        block.push(node(Stmt::VectorStore { dst, src: locals[&wide.param], n: plan.width as u8 }));
    }
    let start = b.load(first);
    let cond = b.binary(BinaryOp::Lt, start, l.bound);
    vec![node(Stmt::If { cond, then: block, otherwise: vec![] })]
}

/// Decodes the chunk's part of each array whose groups are written, and runs what is left of the loop on it.
pub fn rest_of_groups(
    b: &mut Builder<'_>,
    l: &Loop,
    first: Handle<Local>,
    inner: &Block,
    plan: &VectorPlan,
) -> (Block, BTreeMap<Handle<Local>, Handle<Local>>) {
    let (mut block, mut locals) = (vec![], BTreeMap::new());
    for wide in plan.arrays.iter().filter(|a| a.whole) {
        let local = wide_local(b, wide, plan.width, "group");
        locals.insert(wide.param, local);
        block.push(declare(local, None));
        let src = start_of(b, wide, first);
        block.push(node(Stmt::VectorLoad { dst: local, src, n: plan.width as u8 }));
    }
    let mut inner = inner.clone();
    let types = &*b.types;
    rewrite_exprs(b.body, &mut inner, &mut |body, e| {
        let Some(local) = plan.places.get(&e).and_then(|param| locals.get(param)) else { return e };
        let (at, start) = (body.load_local(l.var), body.load_local(first));
        let ty = body.exprs[at].ty;
        let kind = ExprKind::Binary { op: BinaryOp::Sub, left: at, right: start };
        let index = body.expr(kind, ty, accl_source::Span::default());
        let base = body.place(*local);
        body.index(types, base, index)
    });
    block.push(tail_loop(b, l, first, l.bound, &inner));
    (block, locals)
}

/// The elements that a thread has of an array.
pub fn wide_local(b: &mut Builder<'_>, wide: &Wide, width: u32, stem: &str) -> Handle<Local> {
    let element = if wide.whole { b.types.value_of(wide.element) } else { wide.element };
    let ty = b.types.array(element, u64::from(width));
    let name = format!("{}_{stem}", b.body.locals[wide.param].name);
    b.body.temp(&name, ty)
}

/// The chunk's iterations on local arrays. Those of `parts` are declared before, and stored later.
pub fn wide_part(
    b: &mut Builder<'_>,
    l: &Loop,
    first: Handle<Local>,
    inner: &Block,
    plan: &VectorPlan,
    parts: &BTreeMap<Handle<Local>, Handle<Local>>,
) -> Block {
    let mut out = vec![];
    let mut arrays = parts.clone();
    for wide in &plan.arrays {
        let local = *arrays.entry(wide.param).or_insert_with(|| {
            let local = wide_local(b, wide, plan.width, "wide");
            out.push(declare(local, None));
            local
        });
        if wide.loaded {
            let src = start_of(b, wide, first);
            out.push(node(Stmt::VectorLoad { dst: local, src, n: plan.width as u8 }));
        }
    }
    out.push(unrolled(b, l, first, inner, plan, &arrays));
    for wide in plan.arrays.iter().filter(|w| w.stored && !parts.contains_key(&w.param)) {
        let dst = start_of(b, wide, first);
        out.push(node(Stmt::VectorStore { dst, src: arrays[&wide.param], n: plan.width as u8 }));
    }
    out
}

pub fn start_of(b: &mut Builder<'_>, wide: &Wide, first: Handle<Local>) -> Handle<Expr> {
    let (base, index) = (b.load(wide.param), b.load(first));
    b.expr(ExprKind::Index { base, index }, wide.element)
}

/// `for (int k = 0; k < 4; k++) { T i = i0 + k; … }`
pub fn unrolled(
    b: &mut Builder<'_>,
    l: &Loop,
    first: Handle<Local>,
    inner: &Block,
    plan: &VectorPlan,
    arrays: &BTreeMap<Handle<Local>, Handle<Local>>,
) -> StmtNode {
    let int = b.types.i32();
    let k = b.body.temp("k", int);
    let mut block = inner.clone();
    let types = &*b.types;
    rewrite_exprs(b.body, &mut block, &mut |body, e| match plan.places.get(&e) {
        Some(param) => {
            let base = body.place(arrays[param]);
            let index = body.load_local(k);
            body.index(types, base, index)
        }
        None => e,
    });
    let (start, step) = (b.load(first), b.load(k));
    let ty = b.body.locals[l.var].ty;
    let step = b.cast(step, ty);
    let i = b.add(start, step);
    block.insert(0, declare(l.var, Some(i)));
    b.counted(k, plan.width, block)
}
