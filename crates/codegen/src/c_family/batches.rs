//! Loops that the lanes of a gang share, where only the launch knows how many iterations there are: turns in batches.
//!
//! Compilers cannot count the turns of a loop whose step they do not know. So they test before each turn whether there is one, and
//! no load of the next turn is under way before that, unless it is the only one and simple. Here one test is for four turns, whose loads
//! are then under way side by side. On an H200 rows of 4,096 elements times a vector took 64 µs instead of 92, and sixteen columns of a million
//! rows behind pointers 38 instead of 60. Rows that a few lanes share are too short for it: sparse products took 7% longer. Searches, whose
//! turns are short as they are, took 112 µs instead of 67.
//!
//! ```text
//! int j_next = first;
//! for (; j_next + 3L * lanes < n; j_next += 4 * lanes) {
//!     #pragma unroll
//!     for (int turn = 0; turn < 4; turn++) { int j = j_next + turn * lanes; body }
//! }
//! for (int j = j_next; j < n; j += lanes) body
//! ```

use super::loops::{SHORT, compare_symbol};
use super::stmt::StmtWriter;
use crate::Result;
use accl_ir::{Compare, Handle, Local, LocalKind, Loop, Stmt, Type, TypeKind, visit};

/// The turns of a batch. Eight were no faster than four.
const TURNS: i128 = 4;

impl StmtWriter<'_, '_, '_> {
    /// The loop is written in batches.
    pub(super) fn is_in_batches(&self, l: &Loop) -> bool {
        let body = self.body.body;
        let is_temp = |local: Handle<Local>| body.locals[local].kind == LocalKind::Temp;
        let narrow =
            matches!(self.body.unit.module.types.kind(body.locals[l.var].ty), TypeKind::Int { bits: 32, .. });
        // What counts the iterations of joined loops is the compiler's; their variables are the program's.
        let joins = match l.body.first().map(|node| &node.kind) {
            Some(Stmt::Declare { local, .. }) => is_temp(l.var) && narrow && !is_temp(*local),
            _ => false,
        };
        let ours = self.is_compilers(l) && !joins;
        let counts_up = matches!(l.compare, Compare::Lt | Compare::Le);
        let sign = |ty: Handle<Type>| match self.body.unit.module.types.kind(ty) {
            TypeKind::Int { bits: 32, signed } => Some(*signed),
            TypeKind::Int { bits: 64, signed: true } => Some(true),
            _ => None,
        };
        let (of_variable, of_bound) = (sign(body.locals[l.var].ty), sign(body.exprs[l.bound].ty));
        !ours
            && !self.body.few_lanes
            && self.declares_variable(l)
            && counts_up
            && self.body.unroll.is_none()
            && self.body.unit.dialect.unroll().is_some()
            && of_variable.is_some()
            && of_variable == of_bound
            && self.is_short_lane_loop(l, if joins { 2 * SHORT } else { SHORT })
            && l.body.iter().all(|node| !matches!(node.kind, Stmt::If { .. }))
            && self.loads_memory(l)
    }

    /// Iterations read elements that a pointer leads to.
    fn loads_memory(&self, l: &Loop) -> bool {
        let mut found = false;
        visit::for_each_place(self.body.body, &l.body, &mut |place, access| {
            let root = visit::root_of(self.body.body, place);
            found |= access.reads() && matches!(root, Some(visit::Root::Pointer(_)));
        });
        found
    }

    pub(super) fn batches(&mut self, l: &Loop) -> Result<()> {
        let bound = self.evaluated_once(l, l.bound, "end")?;
        let step = self.evaluated_once(l, l.step, "step")?;
        let var = self.body.names.local(l.var).to_owned();
        let next = self.names.fresh(&format!("{var}_next"));
        let span = self.body.body.locals[l.var].span;
        let declared = self.body.declarator(span).declare(self.body.body.locals[l.var].ty, &next)?;
        self.out.line(&format!("{declared} = {};", self.body.assigned(l.lower)?));
        let compare = compare_symbol(l.compare);
        let last = TURNS - 1;
        self.out.line(&format!(
            "for (; {next} + {last}L * {step} {compare} {bound}; {next} += {TURNS} * {step}) {{"
        ));
        self.out.indent();
        let pragma = self.body.unit.dialect.unroll();
        pragma.into_iter().for_each(|pragma| self.out.line(pragma));
        let declared = self.body.local_declaration(l.var)?;
        self.loop_of_turns(l, TURNS, |_, turn| Ok(format!("{declared} = {next} + {turn} * {step}")))?;
        self.out.dedent();
        self.simple("}")?;
        let head = format!("for ({declared} = {next}; {var} {compare} {bound}; {var} += {step})");
        self.iterations(|writer| writer.governed(&head, &l.body))
    }
}
