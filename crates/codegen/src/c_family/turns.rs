//! Loops that the lanes of a gang share, where the compiler knows how many lanes and iterations there are.
//!
//! A lane takes so many turns, and the device's compiler is told: it repeats a short body, so that the loads of all turns are
//! under way side by side. Where iterations are left over, only some lanes take a last turn.

use super::loops::{SHORT, continues};
use super::stmt::StmtWriter;
use crate::Result;
use accl_ir::{BinaryOp, Body, Builtin, Compare, Expr, ExprKind, Handle, Loop, Type, TypeKind, Types};

/// So many turns of a short body are written out by the device's compiler.
const MOST_REPEATED: i128 = 16;

/// `for (i = first + threadIdx.x; i < end; i += lanes)`.
pub(super) struct Turns {
    first: i128,
    end: i128,
    lanes: i128,
}

impl Turns {
    /// Those that all lanes take.
    fn whole(&self) -> i128 {
        (self.end - self.first) / self.lanes
    }

    /// The iterations of the last turn, if not all lanes take it.
    fn left(&self) -> i128 {
        (self.end - self.first) % self.lanes
    }
}

impl StmtWriter<'_, '_, '_> {
    /// The turns of a loop that is one of this kind.
    pub(super) fn turns(&self, l: &Loop) -> Option<Turns> {
        let (types, body) = (&self.body.unit.module.types, self.body.body);
        if !self.declares_variable(l) || !is_int(types, body.locals[l.var].ty) || !is_of_lanes(body, l) {
            return None;
        }
        let first = before_lane(types, body, l.lower)?;
        let bound = body.const_int(types, l.bound)?;
        let end = match l.compare {
            Compare::Lt => bound,
            Compare::Le => bound + 1,
            Compare::Gt | Compare::Ge | Compare::Ne => return None,
        };
        // What is computed below fits into an int.
        let fits = |n: i128| n.abs() < 1 << 30;
        let lanes = self.body.lanes?.into();
        (fits(first) && fits(end) && first < end).then_some(Turns { first, end, lanes })
    }

    pub(super) fn lane_loop(&mut self, l: &Loop, turns: &Turns) -> Result<()> {
        let (whole, left) = (turns.whole(), turns.left());
        let once = (whole, left) == (1, 0) || whole == 0;
        if once && !continues(&l.body) {
            return self.turn(l, "", (whole == 0).then_some(turns.end));
        }
        let short = self.is_short_lane_loop(l, SHORT);
        if left > 0 && !(short && whole > 0) {
            return self.loop_of_unlike_turns(l, turns);
        }
        match whole {
            1 if !continues(&l.body) => self.turn(l, "", None)?,
            _ => self.whole_turns(l, turns, short)?,
        }
        match left {
            0 => Ok(()),
            _ => self.turn(l, &format!(" + {}", whole * turns.lanes), Some(turns.end)),
        }
    }

    fn whole_turns(&mut self, l: &Loop, turns: &Turns, short: bool) -> Result<()> {
        let whole = turns.whole();
        if short && self.body.unroll.is_none() && whole <= MOST_REPEATED {
            let pragma = self.body.unit.dialect.unroll();
            pragma.into_iter().for_each(|pragma| self.out.line(pragma));
        } else {
            self.hints(l);
        }
        self.loop_of_turns(l, whole, |writer, turn| {
            writer.turn_start(l, &format!(" + {turn} * {}", turns.lanes))
        })
    }

    /// So many turns, of which `start` says where one begins.
    pub(super) fn loop_of_turns(
        &mut self,
        l: &Loop,
        count: i128,
        start: impl FnOnce(&Self, &str) -> Result<String>,
    ) -> Result<()> {
        let turn = self.names.fresh("turn");
        self.out.line(&format!("for (int {turn} = 0; {turn} < {count}; {turn}++) {{"));
        self.out.indent();
        let start = start(self, &turn)?;
        self.out.line(&format!("{start};"));
        self.iterations(|writer| writer.block(&l.body))?;
        self.out.dedent();
        self.simple("}")
    }

    /// Some lanes take a turn less.
    fn loop_of_unlike_turns(&mut self, l: &Loop, turns: &Turns) -> Result<()> {
        self.hints(l);
        let (var, start) = (self.body.names.local(l.var), self.turn_start(l, "")?);
        let head = format!("for ({start}; {var} < {}; {var} += {})", turns.end, turns.lanes);
        self.iterations(|writer| writer.governed(&head, &l.body))
    }

    /// A turn by itself, `after` so many iterations; `end`: not all lanes take it.
    fn turn(&mut self, l: &Loop, after: &str, end: Option<i128>) -> Result<()> {
        self.out.line("{");
        self.out.indent();
        let start = self.turn_start(l, after)?;
        self.out.line(&format!("{start};"));
        let head = end.map(|end| format!("if ({} < {end})", self.body.names.local(l.var)));
        self.iterations(|writer| match head {
            Some(head) => writer.governed(&head, &l.body),
            None => writer.block(&l.body),
        })?;
        self.out.dedent();
        self.simple("}")
    }

    /// `int i = first + threadIdx.x`.
    fn turn_start(&self, l: &Loop, after: &str) -> Result<String> {
        let first = self.body.assigned(l.lower)?;
        Ok(format!("{} = {first}{after}", self.body.local_declaration(l.var)?))
    }
}

/// The lanes of a gang take turns with the iterations.
pub(super) fn is_of_lanes(body: &Body, l: &Loop) -> bool {
    builtin(body, l.step) == Some(Builtin::BlockDim(0))
}

fn is_int(types: &Types, ty: Handle<Type>) -> bool {
    matches!(types.kind(ty), TypeKind::Int { bits: 32, signed: true })
}

/// The built-in value that an expression is, in whatever type.
pub(super) fn builtin(body: &Body, e: Handle<Expr>) -> Option<Builtin> {
    match body.exprs[e].kind {
        ExprKind::Cast(inner) => builtin(body, inner),
        ExprKind::Builtin(found) => Some(found),
        _ => None,
    }
}

/// `n` of `n + threadIdx.x`.
fn before_lane(types: &Types, body: &Body, e: Handle<Expr>) -> Option<i128> {
    match body.exprs[e].kind {
        ExprKind::Cast(inner) => before_lane(types, body, inner),
        ExprKind::Builtin(Builtin::ThreadIdx(0)) => Some(0),
        ExprKind::Binary { op: BinaryOp::Add, left, right } => {
            let (n, lane) = body.const_int(types, left).map_or((right, left), |_| (left, right));
            let n = body.const_int(types, n)?;
            Some(n + before_lane(types, body, lane)?)
        }
        _ => None,
    }
}
