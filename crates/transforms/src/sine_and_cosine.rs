//! Sines and cosines of the same angle.
//!
//! Both begin with the same reduction of the angle to a quarter of the circle. The libraries of GPUs have a function that
//! gives both, with the accuracy of the two; the compilers of CUDA and OpenCL do not find it by themselves. So
//!
//! ```text
//! re += m * cosf(angle);                 float sine; float cosine;
//! im += m * sinf(angle);      becomes    sincosf(angle, &sine, &cosine);
//!                                        re += m * cosine;
//!                                        im += m * sine;
//! ```
//!
//! The two stand in one block, each is computed whenever its statement is, and nothing between them changes the angle. Loops of the
//! cpu are left to the host's compiler, which has functions of several angles.

use crate::build::Builder;
use crate::context::Context;
use crate::pass::Pass;
use accl_ir::{
    Arena, BinaryOp, Block, Body, Expr, ExprKind, Function, Handle, Kernel, Local, LocalKind, MathFn, Module,
    Stmt, StmtNode, TypeKind, Types, rewrite, visit,
};
use accl_source::codes::remarks;
use accl_source::{Remark, RemarkKind, Span};
use std::collections::BTreeSet;

pub const PASS: Pass = Pass {
    name: "sine_and_cosine",
    promise: "Sines and cosines of one angle are computed together on GPUs.",
    run,
};

/// Blocks with more of them than this are left alone: each is compared with those before it.
const MOST: usize = 64;

fn run(module: &mut Module, cx: &mut Context<'_>) {
    let Module { types, kernels, functions, .. } = module;
    for (_, Kernel { variants, site, index64_of, fallback_of, .. }) in kernels.iter_mut() {
        let mut joined = BTreeSet::new();
        for variant in variants {
            rewrite::with_block(&mut variant.body, |body, block| {
                let addressed = addressed(body);
                let (types, functions, joined) = (&mut *types, &mut *functions, &mut joined);
                Joining { types, functions, body, addressed, joined }.block(block)
            });
        }
        // What is told of a kernel holds for its versions too.
        if index64_of.is_some() || fallback_of.is_some() {
            continue;
        }
        for span in joined {
            let message = "sine and cosine of an angle are computed together";
            cx.remark(Remark::new(
                remarks::TRANSFORMED,
                RemarkKind::Transform,
                &site.function,
                span,
                message,
            ));
        }
    }
}

struct Joining<'a> {
    types: &'a mut Types,
    functions: &'a mut Arena<Function>,
    body: &'a mut Body,
    /// Locals that pointers may point to.
    addressed: BTreeSet<Handle<Local>>,
    /// Where it was done.
    joined: &'a mut BTreeSet<Span>,
}

fn addressed(body: &Body) -> BTreeSet<Handle<Local>> {
    let local = |(_, e): (_, &Expr)| match e.kind {
        ExprKind::AddrOf(place) | ExprKind::Decay(place) => visit::root_local(body, place),
        _ => None,
    };
    body.exprs.iter().filter_map(local).collect()
}

/// A sine or cosine that a statement of the block always computes.
struct SineOrCosine {
    at: usize,
    fun: MathFn,
    angle: Handle<Expr>,
}

/// A sine and a cosine that are computed in these statements.
struct Pair {
    first: usize,
    last: usize,
    angle: Handle<Expr>,
}

impl Joining<'_> {
    fn block(&mut self, block: &mut Block) {
        for node in block.iter_mut() {
            node.kind.blocks_mut().into_iter().for_each(|inner| self.block(inner));
        }
        while let Some(pair) = self.pair(block) {
            self.join(block, &pair);
        }
    }

    fn pair(&self, block: &Block) -> Option<Pair> {
        let mut all: Vec<SineOrCosine> = vec![];
        for (at, node) in block.iter().enumerate() {
            if !matches!(node.kind, Stmt::Declare { .. } | Stmt::Store { .. }) {
                continue;
            }
            for (root, _) in node.kind.operands() {
                self.always_computed(root, at, &mut all);
            }
        }
        if all.len() > MOST {
            return None;
        }
        let pairs = all.iter().enumerate().flat_map(|(i, a)| all[i + 1..].iter().map(move |b| (a, b)));
        pairs
            .filter(|(a, b)| a.fun != b.fun && visit::same_expr(self.body, a.angle, b.angle))
            .find(|(a, b)| self.stays(a.angle, &block[a.at..b.at]))
            .map(|(a, b)| Pair { first: a.at, last: b.at, angle: a.angle })
    }

    /// What lies behind a condition may not be computed at all.
    fn always_computed(&self, e: Handle<Expr>, at: usize, found: &mut Vec<SineOrCosine>) {
        match &self.body.exprs[e].kind {
            ExprKind::Math { fun: fun @ (MathFn::Sin | MathFn::Cos), args } => {
                found.extend(args.first().map(|angle| SineOrCosine { at, fun: *fun, angle: *angle }));
            }
            ExprKind::Select { cond, .. } => return self.always_computed(*cond, at, found),
            ExprKind::Binary { op: BinaryOp::LogicalAnd | BinaryOp::LogicalOr, left, .. } => {
                return self.always_computed(*left, at, found);
            }
            _ => {}
        }
        for operand in self.body.exprs[e].kind.operands() {
            self.always_computed(operand, at, found);
        }
    }

    /// The angle after these statements is the one before: no local of it changes, and what it reads from memory stays because
    /// nothing but locals is written.
    fn stays(&self, angle: Handle<Expr>, between: &[StmtNode]) -> bool {
        let changed = visit::written_locals(self.body, between);
        let only_locals = between.iter().all(|node| match &node.kind {
            Stmt::Declare { .. } => true,
            Stmt::Store { place, .. } => visit::root_local(self.body, *place).is_some(),
            _ => false,
        });
        let own = |l| self.body.locals[l].kind == LocalKind::Auto && !self.addressed.contains(&l);
        let mut stays = true;
        visit::for_each_operand(&self.body.exprs, angle, &mut |e| match self.body.exprs[e].kind {
            ExprKind::Local(l) => stays &= !changed.contains(&l) && (only_locals || own(l)),
            ExprKind::Load(place) => {
                stays &= only_locals || matches!(self.body.exprs[place].kind, ExprKind::Local(_));
            }
            ExprKind::Call { .. } => stays = false,
            _ => {}
        });
        stays
    }

    fn join(&mut self, block: &mut Block, pair: &Pair) {
        let ty = self.body.exprs[pair.angle].ty;
        let symbol = match self.types.kind(ty) {
            TypeKind::Float { bits: 32 } => Function::SINE_AND_COSINE[0],
            _ => Function::SINE_AND_COSINE[1],
        };
        let function = Function::of_library(self.functions, symbol, self.types.void());
        let mut b = Builder { types: self.types, body: self.body };
        let [sine, cosine] = ["sine", "cosine"].map(|name| b.local(name, ty, LocalKind::Auto));
        let pointer = b.types.pointer(ty);
        let places = [sine, cosine].map(|local| {
            let place = b.place(local);
            b.expr(ExprKind::AddrOf(place), pointer)
        });
        let values = [sine, cosine].map(|local| b.load(local));
        let span = block[pair.first].span;
        self.joined.insert(span);
        for node in &mut block[pair.first..=pair.last] {
            if !matches!(node.kind, Stmt::Declare { .. } | Stmt::Store { .. }) {
                continue;
            }
            node.kind.operands_mut(|root| {
                *root = rewrite::rewrite_expr(self.body, *root, &mut |body, e| match &body.exprs[e].kind {
                    ExprKind::Math { fun: MathFn::Sin, args }
                        if visit::same_expr(body, args[0], pair.angle) =>
                    {
                        values[0]
                    }
                    ExprKind::Math { fun: MathFn::Cos, args }
                        if visit::same_expr(body, args[0], pair.angle) =>
                    {
                        values[1]
                    }
                    _ => e,
                });
            });
        }
        let node = |kind| StmtNode { kind, span };
        let declare = [sine, cosine].map(|local| node(Stmt::Declare { local, init: None }));
        let args = vec![pair.angle, places[0], places[1]];
        let call = node(Stmt::Call { dest: None, function, args });
        block.splice(pair.first..pair.first, declare.into_iter().chain([call]));
    }
}
