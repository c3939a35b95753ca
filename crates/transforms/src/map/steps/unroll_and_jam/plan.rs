//! Divides a body into groups of statements. All iterations run one group before the next group begins.

use crate::build::{declare, store};
use crate::map::indices;
use crate::map::straight_line::is_straight_with_loops;
use accl_ir::{
    Access, Block, Body, Expr, ExprKind, Handle, Local, Loop, Stmt, StmtNode, TypeKind, Types, visit,
};
use accl_source::Span;
use std::collections::BTreeSet;

pub enum Group {
    /// Statements that each iteration runs in turn. `stores`: they write memory and read none.
    Each { stores: bool, block: Block },
    /// A sequential loop that all iterations run together.
    Inner { shell: Box<Loop>, span: Span, body: Vec<Group> },
    /// A condition that is the same for all iterations.
    Branch { cond: Handle<Expr>, then: Vec<Group>, otherwise: Vec<Group> },
}

impl Group {
    /// Is a loop that all iterations run together, or has one.
    pub fn loops(&self) -> bool {
        match self {
            Group::Each { .. } => false,
            Group::Inner { .. } => true,
            Group::Branch { then, otherwise, .. } => then.iter().chain(otherwise).any(Group::loops),
        }
    }

    /// Writes memory.
    pub fn stores(&self) -> bool {
        match self {
            Group::Each { stores, .. } => *stores,
            Group::Inner { body, .. } => body.iter().any(Group::stores),
            Group::Branch { then, otherwise, .. } => then.iter().chain(otherwise).any(Group::stores),
        }
    }
}

/// The groups of an iteration of `l`; `None` where a statement does not allow it.
pub fn groups(types: &Types, body: &mut Body, l: &Loop, inner: &Block) -> Option<Vec<Group>> {
    groups_of(types, body, &own(l, inner), inner)
}

/// The same, with each statement between two loops in one group: iterations store to memory as they go.
pub fn undivided_groups(types: &Types, body: &mut Body, l: &Loop, inner: &Block) -> Option<Vec<Group>> {
    cut(types, body, &own(l, inner), inner, false)
}

fn own(l: &Loop, inner: &Block) -> BTreeSet<Handle<Local>> {
    let mut own = visit::declared_locals(inner);
    own.insert(l.var);
    own
}

/// The groups of a part of an iteration whose locals are `own`.
pub fn groups_of(
    types: &Types,
    body: &mut Body,
    own: &BTreeSet<Handle<Local>>,
    block: &Block,
) -> Option<Vec<Group>> {
    cut(types, body, own, block, true)
}

fn cut(
    types: &Types,
    body: &mut Body,
    own: &BTreeSet<Handle<Local>>,
    block: &Block,
    divides: bool,
) -> Option<Vec<Group>> {
    let plain = visit::declared_locals(block).iter().all(|d| is_plain(types, body, *d));
    let outside = visit::written_locals(body, block).iter().any(|w| !own.contains(w));
    if !plain
        || outside
        || takes_addresses(body, block)
        || !is_straight_with_loops(block)
        || is_large(body, block)
    {
        return None;
    }
    let mut cutter = Cutter { types, body, own: own.clone(), divides, groups: vec![] };
    cutter.block(block)?;
    Some(cutter.groups)
}

/// Accesses to memory of an iteration that is worth running beside others: with more of them a thread has enough under way
/// and no registers to spare, and compilers take long over so many copies.
const MOST_ACCESSES: usize = 300;

fn is_large(body: &Body, block: &Block) -> bool {
    let mut accesses = 0;
    visit::for_each_place(body, block, &mut |place, _| {
        accesses += usize::from(!matches!(visit::root_of(body, place), Some(visit::Root::Local(_))));
    });
    accesses > MOST_ACCESSES
}

fn is_plain(types: &Types, body: &Body, local: Handle<Local>) -> bool {
    let kind = types.kind(body.locals[local].ty);
    matches!(kind, TypeKind::Int { .. } | TypeKind::Float { .. } | TypeKind::Pointer { .. })
}

fn takes_addresses(body: &Body, block: &Block) -> bool {
    let mut found = false;
    visit::for_each_local(body, block, &mut |_, access| found |= access == Access::Address);
    found
}

fn has_loops(block: &Block) -> bool {
    let mut loops = false;
    visit::for_each_stmt(block, &mut |node| loops |= matches!(node.kind, Stmt::For(_)));
    loops
}

struct Cutter<'a> {
    types: &'a Types,
    body: &'a mut Body,
    /// Locals that each iteration has for itself.
    own: BTreeSet<Handle<Local>>,
    /// What is written to memory becomes a group of its own.
    divides: bool,
    groups: Vec<Group>,
}

impl Cutter<'_> {
    fn block(&mut self, block: &Block) -> Option<()> {
        block.iter().try_for_each(|node| self.stmt(node))
    }

    fn stmt(&mut self, node: &StmtNode) -> Option<()> {
        match &node.kind {
            Stmt::Block(inner) => self.block(inner)?,
            Stmt::For(l) => {
                let shared = self.shared_loop(l, node.span)?;
                self.groups.push(shared);
            }
            Stmt::If { cond, then, otherwise } if has_loops(then) || has_loops(otherwise) => {
                let shared = self.shared_branch(*cond, then, otherwise)?;
                self.groups.push(shared);
            }
            _ if !self.divides => self.push(false, node.clone()),
            Stmt::Store { place, op, value } if self.is_memory(*place) => {
                let value = match op {
                    Some(op) => {
                        // A compressed place is read as a number.
                        let ty = self.types.value_of(self.body.exprs[*place].ty);
                        let before = self.body.expr(ExprKind::Load(*place), ty, node.span);
                        let after = self.body.binary(*op, before, *value);
                        self.body.exprs[after].span = node.span;
                        after
                    }
                    None => *value,
                };
                let value = self.read_before(value);
                self.push(true, StmtNode { kind: store(*place, value).kind, span: node.span });
            }
            _ => {
                let writes = self.writes_memory(node);
                if writes {
                    // A statement that reads and writes under one condition forms a group of its own.
                    self.groups.push(Group::Each { stores: true, block: vec![node.clone()] });
                    self.groups.push(Group::Each { stores: false, block: vec![] });
                } else {
                    self.push(false, node.clone());
                }
            }
        }
        Some(())
    }

    /// A value that reads memory is computed into a local first.
    fn read_before(&mut self, value: Handle<Expr>) -> Handle<Expr> {
        if !self.reads_memory(value) {
            return value;
        }
        let ty = self.body.exprs[value].ty;
        let local = self.body.temp("value", ty);
        self.own.insert(local);
        self.push(false, declare(local, Some(value)));
        self.body.load_local(local)
    }

    fn push(&mut self, stores: bool, node: StmtNode) {
        match self.groups.last_mut() {
            Some(Group::Each { stores: kind, block }) if *kind == stores => block.push(node),
            _ => self.groups.push(Group::Each { stores, block: vec![node] }),
        }
    }

    fn shared_loop(&mut self, l: &Loop, span: Span) -> Option<Group> {
        let same = [l.lower, l.bound, l.step].iter().all(|e| self.is_shared(*e));
        if !same || !l.declared_here {
            return None;
        }
        self.own.remove(&l.var);
        let outer = std::mem::take(&mut self.groups);
        let result = self.block(&l.body);
        let body = std::mem::replace(&mut self.groups, outer);
        result?;
        Some(Group::Inner { shell: Box::new(indices::shell(l)), span, body })
    }

    fn shared_branch(&mut self, cond: Handle<Expr>, then: &Block, otherwise: &Block) -> Option<Group> {
        if !self.is_shared(cond) {
            return None;
        }
        let outer = std::mem::take(&mut self.groups);
        let yes = self.block(then);
        let then = std::mem::take(&mut self.groups);
        let no = self.block(otherwise);
        let otherwise = std::mem::replace(&mut self.groups, outer);
        yes.and(no)?;
        Some(Group::Branch { cond, then, otherwise })
    }

    /// The value is the same for all iterations, and during the whole loop.
    fn is_shared(&self, e: Handle<Expr>) -> bool {
        let mut shared = true;
        visit::for_each_operand(&self.body.exprs, e, &mut |e| match self.body.exprs[e].kind {
            ExprKind::Local(l) => shared &= !self.own.contains(&l),
            ExprKind::Load(place) => shared &= !self.is_memory(place),
            ExprKind::Call { .. } => shared = false,
            _ => {}
        });
        shared
    }

    /// The place is not a local, so other iterations may access it.
    fn is_memory(&self, place: Handle<Expr>) -> bool {
        !matches!(visit::root_of(self.body, place), Some(visit::Root::Local(_)))
    }

    fn reads_memory(&self, e: Handle<Expr>) -> bool {
        let mut reads = false;
        visit::for_each_operand(&self.body.exprs, e, &mut |e| match self.body.exprs[e].kind {
            ExprKind::Load(place) => reads |= self.is_memory(place),
            ExprKind::Call { .. } => reads = true,
            _ => {}
        });
        reads
    }

    fn writes_memory(&self, node: &StmtNode) -> bool {
        let own = node.kind.operands().into_iter();
        own.filter(|(_, access)| access.writes()).any(|(place, _)| self.is_memory(place))
            || node.kind.blocks().into_iter().flatten().any(|inner| self.writes_memory(inner))
    }
}
