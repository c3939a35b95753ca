//! Loops: headers, bounds that must be evaluated once, hints to the compiler.

use super::expr::Prec;
use super::helper::Combine;
use super::scalar::Scalar;
use super::stmt::StmtWriter;
use super::turns::builtin;
use super::usage::Usage;
use crate::{Result, Style};
use accl_ir::{
    Access, BinaryOp, Block, Body, Builtin, Compare, Expr, ExprKind, Handle, Local, LocalKind, Loop,
    ParamKind, Stmt, StmtNode, Type, TypeKind, Types, visit,
};
use std::collections::{BTreeMap, BTreeSet};

/// A loop of the compiler's own with at most this many iterations is unrolled.
const UNROLL_LIMIT: i128 = 32;
/// One around others that are unrolled is unrolled in part if it has more: four elements make a 16-byte access.
const AROUND_LIMIT: i128 = 8;

/// Statements of a short body.
pub(super) const SHORT: usize = 4;

/// Accesses of a loop that are compared with each other, in pairs.
const MOST_COMPARED: usize = 2000;

fn holds_array(types: &Types, ty: Handle<Type>) -> bool {
    match types.kind(ty) {
        TypeKind::Array { .. } => true,
        TypeKind::Struct(def) => types.structs[*def].fields.iter().any(|f| holds_array(types, f.ty)),
        TypeKind::Void
        | TypeKind::Bool
        | TypeKind::Int { .. }
        | TypeKind::Float { .. }
        | TypeKind::Pointer { .. }
        | TypeKind::Compressed { .. }
        | TypeKind::Opaque(_) => false,
    }
}

/// Locals that are used only in loops over them, and not initialised otherwise: each of these loops declares its
/// own.
pub fn header_locals(body: &Body, usage: &Usage) -> BTreeSet<Handle<Local>> {
    let mut vars = BTreeSet::new();
    let mut initialised = BTreeSet::new();
    visit::for_each_stmt(&body.block, &mut |node| match &node.kind {
        Stmt::For(l) => {
            vars.insert(l.var);
        }
        Stmt::Declare { local, init: Some(_) } => {
            initialised.insert(*local);
        }
        _ => {}
    });
    let mut outside = BTreeSet::new();
    used_outside(body, &body.block, &mut vec![], &mut outside);
    let is_param = |l: Handle<Local>| body.locals[l].kind == LocalKind::Param;
    vars.retain(|var| {
        let free = !initialised.contains(var) && !is_param(*var) && !usage.get(*var).address_taken;
        free && !outside.contains(var)
    });
    vars
}

/// Collects the locals that are used outside of loops over them.
fn used_outside(
    body: &Body,
    block: &Block,
    open: &mut Vec<Handle<Local>>,
    found: &mut BTreeSet<Handle<Local>>,
) {
    for node in block {
        let mut used = |local: Handle<Local>| {
            if !open.contains(&local) {
                found.insert(local);
            }
        };
        for (e, _) in node.kind.operands() {
            visit::for_each_operand(&body.exprs, e, &mut |e| {
                if let ExprKind::Local(local) = body.exprs[e].kind {
                    used(local);
                }
            });
        }
        if let Stmt::ReduceAcross { local, .. }
        | Stmt::ReduceGrid { local, .. }
        | Stmt::VectorLoad { dst: local, .. }
        | Stmt::VectorStore { src: local, .. } = &node.kind
        {
            used(*local);
        }
        if let Stmt::Measure { counts } = &node.kind {
            counts.iter().for_each(|local| used(*local));
        }
        let own = matches!(node.kind, Stmt::For(_));
        if let Stmt::For(l) = &node.kind {
            open.push(l.var);
        }
        node.kind.blocks().into_iter().for_each(|b| used_outside(body, b, open, found));
        if own {
            open.pop();
        }
    }
}

pub fn compare_symbol(compare: Compare) -> &'static str {
    match compare {
        Compare::Lt => "<",
        Compare::Le => "<=",
        Compare::Gt => ">",
        Compare::Ge => ">=",
        Compare::Ne => "!=",
    }
}

impl StmtWriter<'_, '_, '_> {
    pub(super) fn for_(&mut self, l: &Loop) -> Result<()> {
        if let Some(turns) = self.turns(l) {
            return self.lane_loop(l, &turns);
        }
        if self.is_in_batches(l) {
            return self.batches(l);
        }
        let bound = self.evaluated_once(l, l.bound, "end")?;
        let step = self.step_text(l)?;
        let lower = self.body.assigned(l.lower)?;
        let var = self.body.names.local(l.var);
        let init = if self.declares_variable(l) {
            format!("{} = {lower}", self.body.local_declaration(l.var)?)
        } else {
            format!("{var} = {lower}")
        };
        let head = format!("for ({init}; {var} {} {bound}; {step})", compare_symbol(l.compare));
        self.hints(l);
        let parallel = usize::from(is_parallel(l));
        self.parallel_depth += parallel;
        let done = self.iterations(|writer| writer.governed(&head, &l.body));
        self.parallel_depth -= parallel;
        done
    }

    /// What a loop governs whose step follows a `continue` by itself.
    pub(super) fn iterations(&mut self, write: impl FnOnce(&mut Self) -> Result<()>) -> Result<()> {
        self.continues.push(None);
        let done = write(self);
        self.continues.pop();
        done
    }

    /// The text of `e`; in a variable of its own if the body may change the value.
    pub(super) fn evaluated_once(&mut self, l: &Loop, e: Handle<Expr>, role: &str) -> Result<String> {
        let reads_var = accl_ir::rewrite::mentions(self.body.body, e, l.var);
        let printed = self.body.value(e)?;
        let want = Scalar::of(&self.body.unit.module.types, self.body.body.locals[l.var].ty);
        let same_type = printed.ty == want || printed.ty.is_none() || printed.literal;
        let printed =
            if same_type || self.body.scalar_of(e) != want { printed } else { self.compared(e, want)? };
        if !reads_var && self.body.is_stable_in(e, &l.body) {
            return Ok(printed.at(Prec::Shift));
        }
        let name = self.names.fresh(&format!("{}_{role}", self.body.names.local(l.var)));
        let span = self.body.expr(e).span;
        let declaration = self.body.declarator(span).declare(self.body.expr(e).ty, &name)?;
        self.out.line(&format!("const {declaration} = {};", self.body.assigned(e)?));
        Ok(name)
    }

    /// `e` as the right side of a comparison with a variable of type `want`.
    fn compared(&self, e: Handle<Expr>, want: Option<Scalar>) -> Result<super::expr::Printed> {
        let printed = self.body.value(e)?;
        match (want, printed.ty) {
            (Some(want), Some(have)) if Scalar::common(want, have) == want.promoted() => Ok(printed),
            _ => self.body.exact(e),
        }
    }

    fn step_text(&mut self, l: &Loop) -> Result<String> {
        let var = self.body.names.local(l.var).to_owned();
        Ok(match constant(self.body.body, l.step) {
            Some(1) => format!("{var}++"),
            Some(-1) => format!("{var}--"),
            Some(step) if step < 0 => format!("{var} -= {}", -step),
            Some(step) => format!("{var} += {step}"),
            None => {
                let step = self.evaluated_once(l, l.step, "step")?;
                format!("{var} += {step}")
            }
        })
    }

    /// The compiler made the loop, and no directive speaks of it.
    pub(super) fn is_compilers(&self, l: &Loop) -> bool {
        self.body.body.locals[l.var].kind == LocalKind::Temp && l.directive.is_none()
    }

    /// The loop's header declares its variable.
    pub(super) fn declares_variable(&self, l: &Loop) -> bool {
        l.declared_here || self.headers.contains(&l.var)
    }

    pub(super) fn hints(&mut self, l: &Loop) {
        let ours = self.is_compilers(l);
        if let (true, Some(n), Some(pragma)) =
            (ours, trips(self.body.body, l), self.body.unit.dialect.unroll())
        {
            let around = l.body.iter().any(|n| matches!(n.kind, Stmt::For(_)));
            if n > AROUND_LIMIT && around && n % 4 == 0 {
                self.out.line(&format!("{pragma} 4"));
                return;
            }
            if n <= UNROLL_LIMIT {
                self.out.line(pragma);
                return;
            }
        }
        if let (Some(n), true, Some(pragma)) =
            (self.body.unroll, l.is_innermost_of_thread(self.body.body), self.body.unit.dialect.unroll())
        {
            self.out.line(&format!("{pragma} {n}"));
            return;
        }
        if let (true, Some(pragma)) =
            (!ours && self.is_short_lane_loop(l, SHORT), self.body.unit.dialect.unroll())
        {
            self.out.line(&format!("{pragma} 4"));
            return;
        }
        let mut inner = false;
        visit::for_each_stmt(&l.body, &mut |node| {
            if let Stmt::For(below) = &node.kind {
                inner |= is_parallel(below);
            }
        });
        if self.has_teams() {
            let hint = if is_parallel(l) { self.team_hint(l, inner) } else { None };
            hint.into_iter().for_each(|hint| self.out.line(&hint));
            return;
        }
        let independent =
            if is_parallel(l) && !inner { self.independent_hint(l, &reductions_in(self, l)) } else { None };
        match independent {
            Some(hint) => self.out.line(&hint),
            None => self.in_order_hint(&l.body),
        }
    }

    /// The line that forbids vectors, before a loop that writes elements by subscripts that are not linear.
    fn in_order_hint(&mut self, block: &Block) {
        let body = self.body.body;
        let (mut innermost, mut scatters) = (true, false);
        visit::for_each_stmt(block, &mut |node| {
            innermost &= !matches!(node.kind, Stmt::For(_) | Stmt::While { .. });
        });
        visit::for_each_place(body, block, &mut |place, access| {
            scatters |= access.writes() && !has_linear_subscripts(body, place);
        });
        if innermost && scatters {
            let hint = self.body.unit.dialect.in_order_loop(self.body.unit);
            hint.into_iter().for_each(|hint| self.out.line(hint));
        }
    }

    /// The lanes of a block, of a cluster's blocks, or of a worker, run a few assignments each: compilers do not unroll such a loop by
    /// themselves, since they do not know its step. Loads of several iterations are then under way at a time.
    pub(super) fn is_short_lane_loop(&self, l: &Loop, most: usize) -> bool {
        let body = self.body.body;
        let is_block = |e| matches!(builtin(body, e), Some(Builtin::BlockDim(_)));
        let step = match body.exprs[l.step].kind {
            ExprKind::Cast(inner) => inner,
            _ => l.step,
        };
        let is_cluster = match body.exprs[step].kind {
            ExprKind::Binary { op: BinaryOp::Mul, left, right } => {
                builtin(body, left) == Some(Builtin::GridDim(1)) && is_block(right)
            }
            _ => false,
        };
        (is_block(l.step) || is_cluster)
            && l.body.len() <= most
            && l.body.iter().all(|n| self.is_assignment(n))
    }

    /// The statement is an assignment, or a few of variables under a condition.
    fn is_assignment(&self, node: &StmtNode) -> bool {
        let to_variable = |n: &StmtNode| match n.kind {
            Stmt::Store { place, .. } => matches!(self.body.body.exprs[place].kind, ExprKind::Local(_)),
            _ => false,
        };
        match &node.kind {
            Stmt::Store { .. } | Stmt::Declare { .. } => true,
            Stmt::If { then, otherwise, .. } => {
                otherwise.is_empty() && then.len() <= 4 && then.iter().all(to_variable)
            }
            _ => false,
        }
    }

    /// The line that promises independent iterations. Where each iteration declares an array, clang 14 to 19 keep
    /// one array for all lanes of a loop that this line vectorises (unless they hold its elements in registers), so
    /// such loops get none. Nor do those of which an iteration may read what it has written (`returns_to_memory`): clang
    /// forgets that order, too.
    pub(super) fn independent_hint(&self, l: &Loop, reductions: &[(Combine, String)]) -> Option<String> {
        let (body, unit) = (self.body.body, self.body.unit);
        let types = &unit.module.types;
        // `omp simd` has to know of every variable that iterations leave a value in, and of last values under a condition it has no word for.
        let names_variables = !reductions.is_empty() || unit.options.style == Style::Translate;
        if accl_ir::visit::declared_locals(&l.body).iter().any(|l| holds_array(types, body.locals[*l].ty))
            || returns_to_memory(body, &l.body)
            || names_variables && self.outer_writes(l).next().is_some()
        {
            return None;
        }
        unit.dialect.independent_loop(reductions, accesses_under_conditions(body, &l.body), unit)
    }

    /// `step` runs after the body and where it continues.
    pub(super) fn while_(
        &mut self,
        cond: Option<Handle<Expr>>,
        body: &Block,
        step: &Block,
        test_last: bool,
    ) -> Result<()> {
        let cond = cond.map(|c| self.body.condition(c)).transpose()?.map(|c| c.text);
        self.in_order_hint(body);
        if test_last {
            return self.do_while(cond.as_deref().unwrap_or("1"), body, step);
        }
        if let Some(step) = self.header_step(step)? {
            let head = match (&cond, step.is_empty()) {
                (Some(cond), true) => format!("while ({cond})"),
                (None, true) => "for (;;)".to_owned(),
                (cond, false) => format!("for (; {}; {step})", cond.as_deref().unwrap_or("")),
            };
            return self.iterations(|writer| writer.governed(&head, body));
        }
        let head = cond.map_or("for (;;) {".to_owned(), |c| format!("while ({c}) {{"));
        self.out.line(&head);
        self.stepped_body(body, step)?;
        self.simple("}")
    }

    fn do_while(&mut self, cond: &str, body: &Block, step: &Block) -> Result<()> {
        self.out.line("do {");
        self.stepped_body(body, step)?;
        self.simple(&format!("}} while ({cond});"))
    }

    /// The step as a `for` header has it, if it consists of assignments.
    fn header_step(&mut self, step: &Block) -> Result<Option<String>> {
        if !step.iter().all(|n| matches!(n.kind, Stmt::Store { .. })) {
            return Ok(None);
        }
        let mut scratch = StmtWriter::new(self.body, self.kernel);
        scratch.out = super::writer::Writer::new(None);
        scratch.block(step)?;
        let text = scratch.finish();
        Ok(Some(text.lines().map(|l| l.trim().trim_end_matches(';')).collect::<Vec<_>>().join(", ")))
    }

    /// The body, then the step, which a `continue` jumps to.
    fn stepped_body(&mut self, body: &Block, step: &Block) -> Result<()> {
        let label = (!step.is_empty() && continues(body)).then(|| self.names.fresh("next"));
        self.continues.push(label.clone());
        let done = self.indented(body);
        self.continues.pop();
        done?;
        if let Some(label) = label {
            self.out.line(&format!("{label}:;"));
        }
        self.indented(step)
    }
}

/// Whether iterations access arrays under conditions: vectors do that one element at a time, and run all branches.
fn accesses_under_conditions(body: &Body, block: &[StmtNode]) -> bool {
    let array =
        |place: Handle<Expr>| !matches!(visit::root_of(body, place), Some(visit::Root::Local(_)) | None);
    let accesses = |block: &[StmtNode]| {
        let mut found = false;
        visit::for_each_place(body, block, &mut |place, access| {
            found |= access != Access::Address && array(place);
        });
        found
    };
    block.iter().any(|node| match &node.kind {
        Stmt::If { then, otherwise, .. } => accesses(then) || accesses(otherwise),
        Stmt::Switch { cases, .. } => cases.iter().any(|case| accesses(&case.body)),
        other => other.blocks().into_iter().any(|inner| accesses_under_conditions(body, inner)),
    })
}

fn is_parallel(l: &Loop) -> bool {
    l.levels.as_ref().is_some_and(|s| !s.is_seq())
}

/// The accumulators that the loop updates: those of its directive and of the kernel.
pub(super) fn reductions_in(writer: &StmtWriter<'_, '_, '_>, l: &Loop) -> Vec<(Combine, String)> {
    let usage = Usage::of_block(writer.body.unit.module, writer.body.body, &l.body);
    let of_loop = l.directive.iter().flat_map(|d| &d.reductions).map(|r| (r.op, r.local));
    let of_kernel = writer.kernel.into_iter().flat_map(|k| &k.kernel.params).filter_map(|p| match &p.kind {
        ParamKind::Reduction { reduction, .. } => Some((reduction.op, p.local)),
        ParamKind::Data { .. }
        | ParamKind::Value { .. }
        | ParamKind::Codec { .. }
        | ParamKind::Extent { .. }
        | ParamKind::Stride { .. } => None,
    });
    let mut seen = BTreeSet::new();
    of_loop
        .chain(of_kernel)
        .filter(|(_, local)| usage.get(*local).written && seen.insert(*local))
        .map(|(op, local)| (Combine::from(op), writer.body.names.local(local).to_owned()))
        .collect()
}

/// A `continue` in the block belongs to the loop around it.
pub(super) fn continues(block: &[StmtNode]) -> bool {
    block.iter().any(|node| match &node.kind {
        Stmt::Continue => true,
        Stmt::For(_) | Stmt::While { .. } => false,
        kind => kind.blocks().into_iter().any(|b| continues(b)),
    })
}

/// The value of an integer constant.
pub fn constant(body: &Body, e: Handle<Expr>) -> Option<i128> {
    match body.exprs[e].kind {
        ExprKind::Int(value) => Some(value),
        ExprKind::Cast(inner) => constant(body, inner),
        ExprKind::Unary { op: accl_ir::UnaryOp::Neg, operand } => Some(-constant(body, operand)?),
        _ => None,
    }
}

fn trips(body: &Body, l: &Loop) -> Option<i128> {
    let (lower, bound, step) = (constant(body, l.lower)?, constant(body, l.bound)?, constant(body, l.step)?);
    Some(accl_ir::trips::count(lower, bound, l.compare, step))
}

/// An iteration may write an element of an array and access it afterwards by another subscript, or by the same one in the
/// next step of a loop: `a[i] += a[i - 1]`, `a[ix[i]] += 1`.
fn returns_to_memory(body: &Body, block: &Block) -> bool {
    let mut accesses: Vec<MemoryAccess> = vec![];
    let (mut statement, mut has_loops) = (0, false);
    visit::for_each_stmt(block, &mut |node| {
        statement += 1;
        has_loops |= matches!(node.kind, Stmt::For(_) | Stmt::While { .. });
        let mut add = |place, access: Access| {
            if !matches!(body.exprs[place].kind, ExprKind::Local(_)) {
                accesses.push(MemoryAccess { statement, place, writes: access.writes() });
            }
        };
        if node.kind.blocks().is_empty() {
            visit::for_each_place(body, std::slice::from_ref(node), &mut add);
        } else {
            let operands = node.kind.operands().into_iter();
            operands.for_each(|(e, _)| visit::for_each_place_of(body, e, &mut add));
        }
    });
    if accesses.len() > MOST_COMPARED {
        return true;
    }
    let pointers = pointers(block);
    let root = |place| root(body, &pointers, place);
    accesses.iter().filter(|to| to.writes).any(|to| {
        let own = root(to.place);
        let mut of_array = accesses.iter().filter(|other| same_root(body, own, root(other.place)));
        of_array.any(|other| match visit::same_expr(body, to.place, other.place) {
            true => has_loops && !has_linear_subscripts(body, to.place),
            false => {
                (has_loops || other.statement > to.statement)
                    && !are_other_members(body, to.place, other.place)
                    && (has_loops || !are_at_a_distance(body, to.place, other.place))
            }
        })
    })
}

struct MemoryAccess {
    /// Its number in the program's order.
    statement: usize,
    place: Handle<Expr>,
    writes: bool,
}

/// Different iterations of a loop around it access different elements, or all the same one.
fn has_linear_subscripts(body: &Body, place: Handle<Expr>) -> bool {
    let mut linear = true;
    let mut at = place;
    loop {
        at = match body.exprs[at].kind {
            ExprKind::Index { base, index } => {
                linear &= is_linear(body, index);
                base
            }
            ExprKind::Member { base, .. } => base,
            // A pointer that lies in memory.
            _ => return linear && is_linear(body, at),
        }
    }
}

fn is_linear(body: &Body, e: Handle<Expr>) -> bool {
    let mut linear = true;
    visit::walk_expr(body, e, Access::Value, &mut |e, _| {
        linear &= match body.exprs[e].kind {
            ExprKind::Binary { op, .. } => matches!(op, BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul),
            ExprKind::Index { .. } | ExprKind::Select { .. } | ExprKind::Call { .. } => false,
            _ => true,
        };
    });
    linear
}

/// Different members of structures of one array, `p[i].x` and `p[j].y`, or elements of such members.
fn are_other_members(body: &Body, a: Handle<Expr>, b: Handle<Expr>) -> bool {
    match (&body.exprs[a].kind, &body.exprs[b].kind) {
        (ExprKind::Member { base: of_a, field: f }, ExprKind::Member { base: of_b, field: g }) => {
            f != g && body.ty(*of_a) == body.ty(*of_b) || are_other_members(body, *of_a, *of_b)
        }
        (ExprKind::Index { base: of_a, .. }, ExprKind::Index { base: of_b, .. }) => {
            are_other_members(body, *of_a, *of_b)
        }
        (ExprKind::Index { base, .. }, ExprKind::Member { .. }) => are_other_members(body, *base, b),
        (ExprKind::Member { .. }, ExprKind::Index { base, .. }) => are_other_members(body, a, *base),
        _ => false,
    }
}

/// The same but for a constant in the last subscript, or in that of the structures whose members they are: `v[3 * i]` and
/// `v[3 * i + 1]`.
fn are_at_a_distance(body: &Body, a: Handle<Expr>, b: Handle<Expr>) -> bool {
    match (&body.exprs[a].kind, &body.exprs[b].kind) {
        (ExprKind::Member { base: a, field: f }, ExprKind::Member { base: b, field: g }) => {
            f == g && are_at_a_distance(body, *a, *b)
        }
        (ExprKind::Index { base: of_a, index: i }, ExprKind::Index { base: of_b, index: j }) => {
            let ((i, plus_i), (j, plus_j)) = (with_constant(body, *i), with_constant(body, *j));
            let same = match (i, j) {
                (Some(i), Some(j)) => visit::same_expr(body, i, j),
                (i, j) => i == j,
            };
            // Of unsigned subscripts, too, and of short ones.
            same && plus_i != plus_j
                && plus_i.abs().max(plus_j.abs()) < 64
                && visit::same_expr(body, *of_a, *of_b)
        }
        _ => false,
    }
}

/// A subscript as a value, if it is no constant, and a constant that is added.
fn with_constant(body: &Body, e: Handle<Expr>) -> (Option<Handle<Expr>>, i128) {
    if let Some(value) = constant(body, e) {
        return (None, value);
    }
    match body.exprs[e].kind {
        ExprKind::Cast(inner) => with_constant(body, inner),
        ExprKind::Binary { op: op @ (BinaryOp::Add | BinaryOp::Sub), left, right } => {
            let (value, plus) = with_constant(body, left);
            match (op, constant(body, left), constant(body, right)) {
                (BinaryOp::Add, _, Some(more)) => (value, plus + more),
                (BinaryOp::Sub, _, Some(less)) => (value, plus - less),
                (BinaryOp::Add, Some(more), _) => {
                    let (value, plus) = with_constant(body, right);
                    (value, plus + more)
                }
                _ => (Some(e), 0),
            }
        }
        _ => (Some(e), 0),
    }
}

fn same_root(body: &Body, a: Option<visit::Root>, b: Option<visit::Root>) -> bool {
    match (a, b) {
        (Some(visit::Root::Pointer(a)), Some(visit::Root::Pointer(b))) => visit::same_expr(body, a, b),
        (a, b) => a == b,
    }
}

/// What the locals that a block declares begin with: of pointers, where they point.
fn pointers(block: &Block) -> BTreeMap<Handle<Local>, Handle<Expr>> {
    let mut all = BTreeMap::new();
    visit::for_each_stmt(block, &mut |node| {
        if let Stmt::Declare { local, init: Some(value) } = &node.kind {
            all.insert(*local, *value);
        }
    });
    all
}

/// The array in which a place lies: also if it is found by a pointer of the iteration's own, or by one of another type, as
/// members of unions are.
fn root(
    body: &Body,
    pointers: &BTreeMap<Handle<Local>, Handle<Expr>>,
    place: Handle<Expr>,
) -> Option<visit::Root> {
    let found = visit::root_of(body, place);
    let Some(visit::Root::Pointer(mut pointer)) = found else { return found };
    loop {
        pointer = match body.exprs[pointer].kind {
            ExprKind::Cast(inner) => inner,
            ExprKind::Binary { op: BinaryOp::Add | BinaryOp::Sub, left, .. } => left,
            ExprKind::AddrOf(place) | ExprKind::Decay(place) => return root(body, pointers, place),
            ExprKind::Load(at) => match body.exprs[at].kind {
                ExprKind::Local(local) if pointers.contains_key(&local) => pointers[&local],
                _ => return Some(visit::Root::Pointer(pointer)),
            },
            _ => return Some(visit::Root::Pointer(pointer)),
        }
    }
}
