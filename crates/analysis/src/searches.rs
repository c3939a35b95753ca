//! Searches in plain code: the smallest or largest value, and variables that are noted with it.
//!
//! ```text
//! if (value < best) { best = value; place = i; }
//! ```
//!
//! Threads that share such a loop each do this with iterations of their own, from the same first value of `best`. The serial loop
//! leaves what the thread has whose value is the best one; of several with this value the one of the first such iteration, or of the last
//! one where the comparison lets equal values through. No value that is not a number is ever taken, by anyone.

use accl_ir::{
    BinaryOp, Block, Body, Expr, ExprKind, Handle, Local, ReductionOp, Search, Stmt, StmtNode, TypeKind,
    Types, visit,
};
use std::collections::BTreeSet;

/// The searches of a loop with this body: it uses their variables in statements of this form alone, all of which set the same ones.
pub fn recognise(types: &Types, body: &Body, block: &Block) -> Vec<Search> {
    let mut walk = Walk { types, body, found: vec![], used: BTreeSet::new() };
    walk.block(block);
    let Walk { mut found, used, .. } = walk;
    found.retain(|search| !search.places.is_empty() && search.variables().all(|v| !used.contains(&v)));
    found
}

struct Walk<'b> {
    types: &'b Types,
    body: &'b Body,
    found: Vec<Search>,
    /// Variables that are used otherwise.
    used: BTreeSet<Handle<Local>>,
}

impl Walk<'_> {
    fn block(&mut self, block: &Block) {
        for node in block {
            if let Stmt::If { cond, then, otherwise } = &node.kind
                && otherwise.is_empty()
                && let Some((search, values)) = self.search(*cond, then)
            {
                values.into_iter().for_each(|value| self.uses(value));
                self.add(search);
                continue;
            }
            node.kind.operands().into_iter().for_each(|(e, _)| self.uses(e));
            self.used.extend(node.kind.locals().into_iter().map(|(local, _)| local));
            node.kind.blocks().into_iter().for_each(|inner| self.block(inner));
        }
    }

    fn uses(&mut self, e: Handle<Expr>) {
        visit::for_each_operand(&self.body.exprs, e, &mut |e| {
            if let ExprKind::Local(local) = self.body.exprs[e].kind {
                self.used.insert(local);
            }
        });
    }

    /// One variable belongs to one search.
    fn add(&mut self, search: Search) {
        let own: BTreeSet<_> = search.variables().collect();
        let meets = |other: &&Search| other.variables().any(|v| own.contains(&v));
        match self.found.iter().find(meets) {
            None => self.found.push(search),
            Some(other) if same(other, &search) => {}
            Some(_) => self.used.extend(own),
        }
    }

    /// The search of a conditional statement, and the values in it.
    fn search(&self, cond: Handle<Expr>, then: &Block) -> Option<(Search, Vec<Handle<Expr>>)> {
        let mut stores = vec![];
        assigned(self.body, then, &mut stores)?;
        let variables: BTreeSet<_> = stores.iter().map(|(local, _)| *local).collect();
        let number = |local: &Handle<Local>| self.types.is_arithmetic(self.body.locals[*local].ty);
        if variables.len() != stores.len() || !variables.iter().all(number) {
            return None;
        }
        let (best, op, last) = stores.iter().find_map(|(local, value)| {
            self.compared(cond, *local, *value).map(|(op, last)| (*local, op, last))
        })?;
        let places = variables.into_iter().filter(|local| *local != best).collect();
        Some((Search { op, best, last, places }, stores.into_iter().map(|(_, value)| value).collect()))
    }

    /// Which extremum the variable keeps where it gets this value on this condition, and whether equal values replace each other.
    fn compared(
        &self,
        cond: Handle<Expr>,
        best: Handle<Local>,
        value: Handle<Expr>,
    ) -> Option<(ReductionOp, bool)> {
        let cond = if let ExprKind::Cast(inner) = self.body.exprs[cond].kind { inner } else { cond };
        let ExprKind::Binary { op, left, right } = self.body.exprs[cond].kind else { return None };
        let value_first = self.is_pair(left, right, value, best);
        if !value_first && !self.is_pair(right, left, value, best) {
            return None;
        }
        let (less, last) = match op {
            BinaryOp::Lt => (true, false),
            BinaryOp::Le => (true, true),
            BinaryOp::Gt => (false, false),
            BinaryOp::Ge => (false, true),
            _ => return None,
        };
        Some((if less == value_first { ReductionOp::Min } else { ReductionOp::Max }, last))
    }

    /// The two sides of a comparison: the value, of the variable's type, and the variable. Where both are converted, no two values become
    /// one.
    fn is_pair(
        &self,
        side: Handle<Expr>,
        other: Handle<Expr>,
        value: Handle<Expr>,
        best: Handle<Local>,
    ) -> bool {
        let (exprs, ty) = (&self.body.exprs, self.body.locals[best].ty);
        let is_best = |e: Handle<Expr>| match exprs[e].kind {
            ExprKind::Load(place) => exprs[place].kind == ExprKind::Local(best),
            _ => false,
        };
        let same = |e: Handle<Expr>| exprs[e].ty == ty && visit::same_expr(self.body, e, value);
        match (&exprs[side].kind, &exprs[other].kind) {
            _ if is_best(other) => same(side),
            (ExprKind::Cast(inner), ExprKind::Cast(variable)) => {
                is_best(*variable) && same(*inner) && self.keeps_order(ty, exprs[other].ty)
            }
            _ => false,
        }
    }

    fn keeps_order(&self, from: Handle<accl_ir::Type>, to: Handle<accl_ir::Type>) -> bool {
        match (self.types.kind(from), self.types.kind(to)) {
            (TypeKind::Float { bits }, TypeKind::Float { bits: wider }) => wider >= bits,
            (TypeKind::Bool, TypeKind::Int { .. }) => true,
            (TypeKind::Int { bits, signed }, TypeKind::Int { bits: wider, signed: to_signed }) => {
                if signed == to_signed { wider >= bits } else { !signed && wider > bits }
            }
            _ => false,
        }
    }
}

fn same(a: &Search, b: &Search) -> bool {
    let places = |s: &Search| s.places.iter().copied().collect::<BTreeSet<_>>();
    (a.op, a.best, a.last) == (b.op, b.best, b.last) && places(a) == places(b)
}

/// The assignments to variables that the block consists of.
fn assigned(body: &Body, block: &Block, found: &mut Vec<(Handle<Local>, Handle<Expr>)>) -> Option<()> {
    for StmtNode { kind, .. } in block {
        match kind {
            Stmt::Store { place, op: None, value } => match body.exprs[*place].kind {
                ExprKind::Local(local) => found.push((local, *value)),
                _ => return None,
            },
            Stmt::Block(inner) => assigned(body, inner, found)?,
            _ => return None,
        }
    }
    Some(())
}
