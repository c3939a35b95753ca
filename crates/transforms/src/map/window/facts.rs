//! Which values are the same in all threads of a block.
//!
//! A local is *total* if every thread of a block computes it, including those beyond the loop's bound: all its
//! assignments are arithmetic on total values, in control flow that no thread leaves. It is *uniform* if it also
//! has one value in all of them. A value read from memory is neither: in a thread that has no iteration the address
//! may be out of bounds.

use super::sync::{self, Syncs};
use accl_ir::visit;
use accl_ir::{
    BinaryOp, Block, Body, Builtin, Expr, ExprKind, Handle, Local, LocalKind, Stmt, StmtNode, TypeKind, Types,
};
use std::collections::{BTreeMap, BTreeSet};

/// The classes of locals, and the definitions of total ones that have just one.
#[derive(Clone, Debug, Default)]
pub struct Facts {
    /// Variables of the distributed loops: total, and different in each thread.
    pub vars: BTreeSet<Handle<Local>>,
    pub total: BTreeSet<Handle<Local>>,
    pub uniform: BTreeSet<Handle<Local>>,
    /// The initialiser of a local that is assigned nowhere else.
    pub definitions: BTreeMap<Handle<Local>, Handle<Expr>>,
    /// Parameters that the launch passes by value.
    pub values: BTreeSet<Handle<Local>>,
    /// How often a local is assigned.
    writes: BTreeMap<Handle<Local>, usize>,
    /// Variables that the header of a loop declares.
    headers: BTreeSet<Handle<Local>>,
}

impl Facts {
    /// The facts of an iteration's body.
    pub fn of(
        types: &Types,
        body: &Body,
        block: &Block,
        vars: &BTreeSet<Handle<Local>>,
        syncs: &Syncs,
    ) -> Facts {
        let scalars = body.locals.iter().filter(|(_, l)| types.is_scalar(l.ty) || is_struct_param(types, l));
        let all: BTreeSet<_> = scalars.map(|(h, _)| h).filter(|l| !vars.contains(l)).collect();
        let mut facts = Facts { vars: vars.clone(), total: all.clone(), uniform: all, ..Facts::default() };
        // Assumed for all locals, then withdrawn until nothing changes.
        loop {
            let mut walk =
                Walk { types, body, syncs, whole: block, facts: &facts, found: Refuted::default() };
            walk.block(block, true);
            let found = walk.found;
            let before = facts.total.len() + facts.uniform.len();
            facts.total.retain(|l| !found.not_total.contains(l));
            facts.uniform.retain(|l| facts.total.contains(l) && !found.not_uniform.contains(l));
            if facts.total.len() + facts.uniform.len() == before {
                facts.writes = found.writes;
                facts.headers = found.headers;
                let once = |l: &Handle<Local>| facts.writes.get(l) == Some(&1) && facts.total.contains(l);
                facts.definitions = found.inits.into_iter().filter(|(l, _)| once(l)).collect();
                return facts;
            }
        }
    }

    /// Every thread can evaluate the expression.
    pub fn is_total(&self, body: &Body, e: Handle<Expr>) -> bool {
        let kind = &body.exprs[e].kind;
        match kind {
            ExprKind::Load(place) => self.is_total_place(body, *place),
            ExprKind::Binary { op: BinaryOp::Div | BinaryOp::Rem, right, .. } => {
                matches!(body.exprs[*right].kind, ExprKind::Int(n) if n != 0)
                    && kind.operands().into_iter().all(|o| self.is_total(body, o))
            }
            ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Builtin(_) => true,
            ExprKind::Unary { .. }
            | ExprKind::Binary { .. }
            | ExprKind::Cast(_)
            | ExprKind::Select { .. }
            | ExprKind::Math { .. } => kind.operands().into_iter().all(|o| self.is_total(body, o)),
            ExprKind::Local(_)
            | ExprKind::Global(_)
            | ExprKind::Deref(_)
            | ExprKind::Index { .. }
            | ExprKind::Member { .. }
            | ExprKind::AddrOf(_)
            | ExprKind::Decay(_)
            | ExprKind::Checked { .. }
            | ExprKind::Call { .. } => false,
        }
    }

    fn is_total_place(&self, body: &Body, place: Handle<Expr>) -> bool {
        match body.exprs[place].kind {
            ExprKind::Local(l) => self.vars.contains(&l) || self.total.contains(&l),
            ExprKind::Member { base, .. } => self.is_total_place(body, base),
            _ => false,
        }
    }

    /// The expression has the same value in every thread of a block.
    pub fn is_uniform(&self, body: &Body, e: Handle<Expr>) -> bool {
        let mut same = self.is_total(body, e);
        accl_ir::visit::for_each_operand(&body.exprs, e, &mut |e| match body.exprs[e].kind {
            ExprKind::Local(l) => same &= self.uniform.contains(&l),
            ExprKind::Builtin(Builtin::ThreadIdx(_)) => same = false,
            _ => {}
        });
        same
    }

    /// A parameter, or a member of one, that nothing changes.
    pub fn is_parameter(&self, body: &Body, place: Handle<Expr>) -> bool {
        match body.exprs[place].kind {
            ExprKind::Local(l) => self.values.contains(&l) && !self.writes.contains_key(&l),
            ExprKind::Member { base, .. } => self.is_parameter(body, base),
            _ => false,
        }
    }

    /// The value never changes while the statements of one iteration can see it.
    pub fn is_fixed(&self, l: Handle<Local>) -> bool {
        let writes = self.writes.get(&l).copied().unwrap_or(0);
        let declared = self.definitions.contains_key(&l) || self.headers.contains(&l);
        self.vars.contains(&l) || writes == 0 || writes == 1 && declared
    }
}

fn is_struct_param(types: &Types, l: &Local) -> bool {
    l.kind == LocalKind::Param && matches!(types.kind(l.ty), TypeKind::Struct(_))
}

/// Assumptions that one walk has found to be wrong.
#[derive(Default)]
struct Refuted {
    not_total: BTreeSet<Handle<Local>>,
    not_uniform: BTreeSet<Handle<Local>>,
    inits: BTreeMap<Handle<Local>, Handle<Expr>>,
    writes: BTreeMap<Handle<Local>, usize>,
    headers: BTreeSet<Handle<Local>>,
}

struct Walk<'a> {
    types: &'a Types,
    body: &'a Body,
    syncs: &'a Syncs,
    /// The iteration's body.
    whole: &'a Block,
    facts: &'a Facts,
    found: Refuted,
}

impl Walk<'_> {
    /// `together`: all threads of the block run these statements together.
    fn block(&mut self, block: &Block, together: bool) {
        for node in block {
            self.stmt(&node.kind, together);
        }
    }

    fn stmt(&mut self, stmt: &Stmt, together: bool) {
        for (place, access) in stmt.operands() {
            if access.writes() && !matches!(stmt, Stmt::Store { .. }) {
                self.spoil(place);
            }
        }
        self.addresses(stmt);
        let sync = self.syncs.is_sync(self.body, stmt);
        match stmt {
            Stmt::Declare { local, init: Some(init) } => {
                self.found.inits.insert(*local, *init);
                self.assign(*local, &[*init], together);
            }
            Stmt::Store { place, op, value } => match self.body.exprs[*place].kind {
                ExprKind::Local(l) if op.is_some() => {
                    let old = if self.facts.uniform.contains(&l) { None } else { Some(l) };
                    self.assign(l, &[*value], together);
                    self.found.not_uniform.extend(old);
                }
                ExprKind::Local(l) => self.assign(l, &[*value], together),
                _ => self.spoil(*place),
            },
            Stmt::For(l) => {
                if l.declared_here {
                    self.found.headers.insert(l.var);
                }
                self.assign(l.var, &[l.lower, l.bound, l.step], sync);
                let leaves = self.leaves_apart(&l.body);
                self.block(&l.body, together && sync && !leaves);
            }
            Stmt::While { cond, body, step, .. } => {
                let same = cond.is_none_or(|c| self.facts.is_uniform(self.body, c));
                let together = together && sync && same;
                self.block(body, together && !self.leaves_apart(body));
                // Threads that have left the loop continue to count, so the count must not be used after the loop.
                let counts = !self.breaks_apart(body) || self.is_own_count(stmt, step);
                self.block(step, together && counts);
            }
            Stmt::If { cond, then, otherwise } => {
                let branch = sync::stays_branch(then, otherwise);
                let together = together && sync && branch && self.facts.is_uniform(self.body, *cond);
                self.block(then, together);
                self.block(otherwise, together);
            }
            Stmt::Block(_) | Stmt::Window(_) => {
                stmt.blocks().into_iter().for_each(|b| self.block(b, together))
            }
            other => other.blocks().into_iter().for_each(|b| self.block(b, false)),
        }
    }

    fn assign(&mut self, local: Handle<Local>, values: &[Handle<Expr>], together: bool) {
        *self.found.writes.entry(local).or_default() += 1;
        if !together || !values.iter().all(|v| self.facts.is_total(self.body, *v)) {
            self.found.not_total.insert(local);
        }
        if !values.iter().all(|v| self.facts.is_uniform(self.body, *v)) {
            self.found.not_uniform.insert(local);
        }
    }

    /// A local that is written in part, by a call, or through its address.
    fn spoil(&mut self, place: Handle<Expr>) {
        if let Some(accl_ir::visit::Root::Local(l)) = accl_ir::visit::root_of(self.body, place) {
            *self.found.writes.entry(l).or_default() += 2;
            self.found.not_total.insert(l);
        }
    }

    fn addresses(&mut self, stmt: &Stmt) {
        let mut taken = vec![];
        for (e, access) in stmt.operands() {
            accl_ir::visit::walk_expr(self.body, e, access, &mut |e, access| {
                if access == accl_ir::Access::Address {
                    taken.push(e);
                }
            });
        }
        let scalars = taken
            .into_iter()
            .filter(|e| !matches!(self.types.kind(self.body.exprs[*e].ty), TypeKind::Array { .. }));
        scalars.collect::<Vec<_>>().into_iter().for_each(|e| self.spoil(e));
    }

    /// Some threads leave the loop before others.
    fn breaks_apart(&self, block: &Block) -> bool {
        self.leaves_apart(block) && super::phases::has_break(block)
    }

    /// What the step writes is read only in the loop.
    fn is_own_count(&self, whole: &Stmt, step: &Block) -> bool {
        let loop_ = vec![StmtNode { kind: whole.clone(), span: Default::default() }];
        let counted = |block: &Block, local: Handle<Local>| {
            let mut n = 0;
            visit::for_each_local(self.body, block, &mut |l, access| {
                n += usize::from(l == local && access.reads());
            });
            n
        };
        visit::written_locals(self.body, step)
            .into_iter()
            .all(|local| counted(self.whole, local) == counted(&loop_, local))
    }

    /// Some threads leave an iteration of this loop, or the loop, before others.
    fn leaves_apart(&self, block: &Block) -> bool {
        block.iter().any(|node| match &node.kind {
            Stmt::If { cond, then, otherwise } => {
                let apart = !self.facts.is_uniform(self.body, *cond) && node.kind.leaves();
                apart || self.leaves_apart(then) || self.leaves_apart(otherwise)
            }
            Stmt::Block(b) => self.leaves_apart(b),
            Stmt::Window(w) => self.leaves_apart(&w.body),
            Stmt::Switch { .. } => node.kind.leaves(),
            _ => false,
        })
    }
}
