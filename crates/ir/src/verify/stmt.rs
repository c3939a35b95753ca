//! Rules for statements, loops and directives.

use super::{Checker, Stage};
use crate::{
    Atomic, AtomicKind, BinaryOp, Block, Body, Case, Compare, DataItem, DataVar, Expr, Handle, Local, Loop,
    LoopDirective, MathFn, ParamKind, Reduction, ReductionOp, Region, Stmt, TensorProduct, Type, TypeKind,
    Window, visit,
};

/// What encloses a statement.
#[derive(Clone, Copy, Default)]
pub(super) struct Around {
    /// What a `break` would leave.
    break_: Option<Breaks>,
    in_loop: bool,
    in_region: bool,
    in_compute: bool,
    in_window: bool,
}

#[derive(Clone, Copy, PartialEq)]
enum Breaks {
    Canonical,
    Other,
}

impl<'a> Checker<'a> {
    pub(super) fn block(&mut self, block: &'a Block, around: Around) {
        for node in block {
            let outer = self.node.replace(node);
            self.stmt(&node.kind, around);
            self.node = outer;
        }
    }

    fn stmt(&mut self, stmt: &'a Stmt, around: Around) {
        match stmt {
            Stmt::Declare { local, init } => self.declare(*local, *init),
            Stmt::Store { place, op, value } => self.store(*place, *op, *value),
            Stmt::Call { dest, function, args } => {
                let result = self.call(*function, args);
                self.call_dest(*dest, result);
            }
            Stmt::Print { args, .. } => args.iter().for_each(|a| self.scalar(*a, "the argument")),
            Stmt::Stop { .. } => {}
            Stmt::If { cond, then, otherwise } => {
                self.scalar(*cond, "the condition");
                self.block(then, around);
                self.block(otherwise, around);
            }
            Stmt::For(l) => self.for_(l, around),
            Stmt::While { cond, body, step, .. } => {
                cond.iter().for_each(|c| self.scalar(*c, "the condition"));
                let inside = Around { break_: Some(Breaks::Other), in_loop: true, ..around };
                self.block(body, inside);
                self.block(step, Around { break_: None, in_loop: false, ..around });
            }
            Stmt::Switch { value, cases } => self.switch(*value, cases, around),
            Stmt::Break => match around.break_ {
                Some(Breaks::Other) => {}
                Some(Breaks::Canonical) => self.report("a break leaves a canonical loop"),
                None => self.report("a break stands outside of loops and switches"),
            },
            Stmt::Continue => {
                self.rule(around.in_loop, |_| "a continue stands outside of loops".to_owned());
            }
            Stmt::Return(value) => self.return_(*value, around),
            Stmt::Block(block) => self.block(block, around),
            Stmt::Atomic(atomic) => self.atomic(atomic),
            Stmt::Region(region) => self.region(region, around),
            Stmt::Directive(s) => {
                self.host_only("a directive");
                self.data(&s.data);
            }
            Stmt::Host => self.host_only("host text"),
            Stmt::Window(w) => self.window(w, around),
            Stmt::Barrier(_) if around.in_window => {}
            Stmt::Barrier(_) => self.mapped_only("a barrier"),
            Stmt::ReduceAcross { op, local, .. } => {
                self.mapped_only("a reduction across threads");
                self.reducible(*op, *local);
            }
            Stmt::ReduceGrid { op, local, param } => self.reduce_grid(*op, *local, *param),
            Stmt::Measure { counts } => self.measure(*counts),
            Stmt::TensorProduct(product) => self.tensor_product(product),
            Stmt::VectorLoad { dst, src, n } => self.wide(*dst, *src, *n),
            Stmt::VectorStore { dst, src, n } => self.wide(*src, *dst, *n),
        }
    }

    fn host_only(&mut self, what: &str) {
        self.rule(self.stage.kernel().is_none(), |_| format!("{what} stands in a kernel"));
    }

    fn mapped_only(&mut self, what: &str) {
        self.rule(self.stage.is_mapped(), |_| format!("{what} stands where threads are not explicit yet"));
    }

    fn tensor_product(&mut self, product: &TensorProduct) {
        self.mapped_only("a product of matrices");
        let mut types: Vec<_> = product.sums.iter().filter_map(|sum| self.place(*sum)).collect();
        types.extend(product.left.iter().chain(&product.right).filter_map(|e| self.value(*e)));
        let double = |ty: &Handle<Type>| {
            matches!(self.module.types.kind(self.module.types.value_of(*ty)), TypeKind::Float { bits: 64 })
        };
        let all = types.iter().all(double);
        self.rule(all, |_| "a product of matrices has numbers that are not double".to_owned());
    }

    fn local_type(&mut self, local: Handle<Local>) -> Option<Handle<Type>> {
        let found = self.body.locals.get(local).map(|l| l.ty);
        self.rule(found.is_some(), |_| format!("local {} does not exist", local.index()));
        found.filter(|ty| self.module.types.get(*ty).is_some())
    }

    fn declare(&mut self, local: Handle<Local>, init: Option<Handle<Expr>>) {
        let Some(ty) = self.local_type(local) else { return };
        if let Some(extent) = self.module.types.vla_extent(ty) {
            self.integer(extent, "the extent");
        }
        if let Some(init) = init {
            self.value_of(init, ty, "the initialiser");
        }
    }

    fn store(&mut self, place: Handle<Expr>, op: Option<BinaryOp>, value: Handle<Expr>) {
        let Some(ty) = self.place(place) else { return };
        let ty = self.module.types.value_of(ty);
        if self.is_array(ty) {
            return self.report("an array is assigned as a whole");
        }
        let Some(op) = op else { return self.value_of(value, ty, "the value") };
        self.rule(is_update(op), |_| format!("there is no store with {op:?}"));
        if let Some(own) = self.value(value) {
            self.rule(self.operands_fit(op, ty, own), |c| {
                let (own, ty) = (c.type_text(own), c.type_text(ty));
                format!("the value `{}` has type {own}, the place {ty}, for {op:?}", c.text(value))
            });
        }
    }

    fn call_dest(&mut self, dest: Option<Handle<Expr>>, result: Option<Handle<Type>>) {
        let Some(ty) = dest.and_then(|d| self.place(d)) else { return };
        let Some(result) = result else { return };
        self.rule(self.same(ty, result), |c| {
            format!("a result of type {} goes to a place of type {}", c.type_text(result), c.type_text(ty))
        });
    }

    fn for_(&mut self, l: &'a Loop, around: Around) {
        if let Some(ty) = self.local_type(l.var) {
            self.rule(self.is_integer(ty), |_| "the loop's variable is no integer".to_owned());
            self.value_of(l.lower, ty, "the lower bound");
            self.value_of(l.bound, ty, "the bound");
            self.value_of(l.step, ty, "the step");
        }
        self.step(l);
        self.not_written(l);
        if let Some(d) = &l.directive {
            self.loop_directive(d);
        }
        let searches = l.directive.as_ref().is_some_and(|d| !d.searches.is_empty());
        let of_launch = l.levels.as_ref().is_some_and(|s| s.gang || s.dim.is_some());
        self.rule(!searches || !of_launch, |_| "gangs share a loop that searches for a gang".to_owned());
        if let Some(dim) = l.levels.as_ref().and_then(|s| s.dim) {
            self.rule(dim < 3, |_| format!("launches have no dimension {dim}"));
        }
        self.block(&l.body, Around { break_: Some(Breaks::Canonical), in_loop: true, ..around });
    }

    fn step(&mut self, l: &Loop) {
        if !self.errors.is_empty() {
            // The step may be unsound; the loop is checked further once that is mended.
            return;
        }
        let step = self.body.const_int(&self.module.types, l.step);
        self.rule(step != Some(0), |_| "the step is 0".to_owned());
        let parallel = l.levels.as_ref().is_some_and(|s| !s.is_seq());
        let directed = step.is_some() || l.compare != Compare::Ne;
        self.rule(directed || !parallel, |_| {
            "a parallel loop tells by != and a step not constant where it goes".to_owned()
        });
    }

    fn not_written(&mut self, l: &Loop) {
        let mut written = false;
        visit::for_each_stmt(&l.body, &mut |node| {
            written |= node.kind.locals().iter().any(|(local, a)| *local == l.var && a.writes());
            written |= node.kind.operands().iter().any(|(e, a)| a.writes() && is_local(self.body, *e, l.var));
        });
        self.rule(!written, |_| "the loop's variable is written in its body".to_owned());
    }

    fn loop_directive(&mut self, d: &'a LoopDirective) {
        self.rule(d.collapse >= 1, |_| "collapse is 0 (1 means none)".to_owned());
        for local in &d.private {
            self.local_type(*local);
        }
        self.reductions(&d.reductions);
        for search in &d.searches {
            self.reducible(search.op, search.best);
            let is_extremum = matches!(search.op, ReductionOp::Min | ReductionOp::Max);
            self.rule(is_extremum, |_| "a search is for a minimum or a maximum".to_owned());
            for place in &search.places {
                self.local_type(*place);
            }
        }
    }

    fn reductions(&mut self, list: &[Reduction]) {
        list.iter().for_each(|r| self.reducible(r.op, r.local));
    }

    /// OpenACC 3.3 §2.5.15: the operator goes with the variable's type. Arrays are reduced by element.
    pub(super) fn reducible(&mut self, op: ReductionOp, local: Handle<Local>) {
        let Some(mut ty) = self.local_type(local) else { return };
        while let (true, Some(element)) = (self.is_array(ty), self.module.types.element(ty)) {
            ty = element;
        }
        let fits = match op {
            ReductionOp::BitAnd | ReductionOp::BitOr | ReductionOp::BitXor => self.is_integer(ty),
            ReductionOp::Add
            | ReductionOp::Mul
            | ReductionOp::Max
            | ReductionOp::Min
            | ReductionOp::LogicalAnd
            | ReductionOp::LogicalOr => self.is_arithmetic(ty),
        };
        self.rule(fits, |c| {
            format!("{op:?} of `{}`, of type {}", c.body.locals[local].name, c.type_text(ty))
        });
    }

    fn switch(&mut self, value: Handle<Expr>, cases: &'a [Case], around: Around) {
        self.integer(value, "the switch value");
        let mut values: Vec<i64> = cases.iter().flat_map(|c| c.values.iter().copied()).collect();
        let count = values.len();
        values.sort_unstable();
        values.dedup();
        self.rule(values.len() == count, |_| "a case stands twice".to_owned());
        let defaults = cases.iter().filter(|c| c.default).count();
        self.rule(defaults <= 1, |_| "default stands twice".to_owned());
        for case in cases {
            self.block(&case.body, Around { break_: Some(Breaks::Other), ..around });
        }
    }

    fn return_(&mut self, value: Option<Handle<Expr>>, around: Around) {
        self.rule(!around.in_region, |_| "a return leaves a construct".to_owned());
        let result = match self.stage {
            Stage::Function(f) => f.result,
            Stage::Scheduled(_) | Stage::Variant(_) | Stage::Cpu(_) => {
                return self.rule(value.is_none(), |_| "a kernel returns a value".to_owned());
            }
        };
        let void = self.module.types.get(result) == Some(&TypeKind::Void);
        match value {
            Some(value) => self.value_of(value, result, "the result"),
            None => self.rule(void, |_| "a return without a value".to_owned()),
        }
    }

    fn atomic(&mut self, a: &'a Atomic) {
        let Some(ty) = self.place(a.place) else { return };
        self.rule(self.is_scalar(ty), |_| "an atomic's place is no scalar".to_owned());
        let fits = match a.kind {
            AtomicKind::Read => a.value.is_none() && a.capture.is_some(),
            AtomicKind::Write => a.value.is_some(),
            AtomicKind::Update(BinaryOp::LogicalAnd | BinaryOp::LogicalOr) => a.value.is_some(),
            AtomicKind::Update(op) | AtomicKind::ReverseUpdate(op) => a.value.is_some() && is_update(op),
            AtomicKind::Extremum(fun) => {
                a.value.is_some() && matches!(fun, MathFn::Fmin | MathFn::Fmax | MathFn::Min | MathFn::Max)
            }
            AtomicKind::Replace(_) => a.value.is_some() && a.capture.is_none_or(|(_, after)| !after),
        };
        self.rule(fits, |_| format!("its parts do not make an atomic {:?}", a.kind));
        if let Some(expected) = a.kind.expected() {
            self.scalar(expected, "what is expected");
        }
        let update = matches!(a.kind, AtomicKind::Update(_) | AtomicKind::ReverseUpdate(_));
        let shift = matches!(a.kind, AtomicKind::Update(BinaryOp::Shl | BinaryOp::Shr));
        match a.value {
            Some(value) if shift => self.integer(value, "the distance"),
            // The type in which the update is computed.
            Some(value) if update && self.is_integer(ty) => self.scalar(value, "the operand"),
            Some(value) => self.value_of(value, ty, "the value"),
            None => {}
        }
        if let Some(dest) = a.capture.and_then(|(dest, _)| self.place(dest)) {
            self.rule(self.same(dest, ty), |c| {
                format!("a value of type {} is captured as {}", c.type_text(ty), c.type_text(dest))
            });
        }
    }

    fn region(&mut self, r: &'a Region, around: Around) {
        self.host_only("a construct");
        let compute = r.kind.is_compute();
        self.rule(!(around.in_compute && compute), |_| "a compute construct stands in another".to_owned());
        for kernel in &r.kernels {
            let found = self.module.kernels.get(*kernel).is_some();
            self.rule(found, |_| format!("kernel {} does not exist", kernel.index()));
        }
        self.data(&r.clauses.data);
        for local in r.clauses.private.iter().chain(&r.clauses.firstprivate) {
            self.local_type(*local);
        }
        self.reductions(&r.clauses.reductions);
        let in_compute = around.in_compute || compute;
        let inside = Around { in_region: true, in_compute, ..Around::default() };
        self.block(&r.body, inside);
    }

    /// Subscripts are integers; the element is a place with at least one of them.
    fn window(&mut self, w: &'a Window, around: Around) {
        self.rule(!self.stage.is_mapped(), |_| "a window stands where threads are explicit".to_owned());
        for staged in &w.arrays {
            self.place(staged.element);
            self.rule(!staged.dims.is_empty(), |_| {
                format!("the window of `{}` has no dimension", staged.name)
            });
            for dim in &staged.dims {
                self.integer(dim.pivot, "the pivot");
                for end in [&dim.before, &dim.after] {
                    end.value().into_iter().for_each(|e| self.integer(e, "the halo extent"));
                }
                self.rule(dim.at_launch() || dim.width().is_some_and(|n| n > 0), |_| {
                    format!("the window of `{}` is empty", staged.name)
                });
            }
        }
        self.block(&w.body, Around { in_window: true, ..around });
    }

    fn data(&mut self, items: &'a [DataItem]) {
        for item in items {
            let known = self.module.types.get(item.ty).is_some();
            self.rule(known, |_| format!("the data item `{}` has no type", item.name));
            match item.var {
                DataVar::Local(l) => {
                    self.local_type(l);
                }
                DataVar::Global(g) => {
                    let found = self.module.globals.get(g).is_some();
                    self.rule(found, |_| format!("global {} does not exist", g.index()));
                }
                DataVar::Member(e) => {
                    self.place(e);
                }
            }
        }
    }

    fn reduce_grid(&mut self, op: ReductionOp, local: Handle<Local>, param: usize) {
        self.mapped_only("a reduction over the grid");
        self.reducible(op, local);
        let Some(kernel) = self.stage.kernel() else { return };
        match kernel.params.get(param).map(|p| &p.kind) {
            Some(ParamKind::Reduction { reduction, .. }) => self.rule(reduction.op == op, |_| {
                format!("parameter {param} is reduced with {:?}, not {op:?}", reduction.op)
            }),
            _ => self.report(format!("parameter {param} is no reduction")),
        }
    }

    fn measure(&mut self, counts: [Handle<Local>; 3]) {
        self.mapped_only("a measurement");
        for count in counts {
            let Some(ty) = self.local_type(count) else { return };
            let counts = matches!(self.module.types.kind(ty), TypeKind::Int { bits: 64, .. });
            self.rule(counts, |_| "what is measured is counted in 64 bits".into());
        }
    }

    /// A wide access between a local array and memory.
    fn wide(&mut self, array: Handle<Local>, memory: Handle<Expr>, n: u8) {
        self.mapped_only("a wide access");
        let Some(element) = self.place(memory) else { return };
        let Some(ty) = self.local_type(array) else { return };
        let fits = match self.module.types.get(ty) {
            Some(TypeKind::Array { of, len: crate::ArrayLen::Const(len) }) => {
                // A whole group of block elements goes with numbers: it is decoded and encoded at once.
                let fits = self.same(*of, element) || self.module.types.value_of(element) == *of;
                fits && *len >= u64::from(n) && n >= 2
            }
            _ => false,
        };
        self.rule(fits, |c| {
            format!("{n} of {} do not go with an array of type {}", c.type_text(element), c.type_text(ty))
        });
    }
}

/// Operators that `op=` and atomic updates have.
fn is_update(op: BinaryOp) -> bool {
    match op {
        BinaryOp::Add
        | BinaryOp::Sub
        | BinaryOp::Mul
        | BinaryOp::Div
        | BinaryOp::Rem
        | BinaryOp::Shl
        | BinaryOp::Shr
        | BinaryOp::BitAnd
        | BinaryOp::BitOr
        | BinaryOp::BitXor => true,
        BinaryOp::Eq
        | BinaryOp::Ne
        | BinaryOp::Lt
        | BinaryOp::Le
        | BinaryOp::Gt
        | BinaryOp::Ge
        | BinaryOp::LogicalAnd
        | BinaryOp::LogicalOr => false,
    }
}

/// Whether the place is `local` itself.
fn is_local(body: &Body, place: Handle<Expr>, local: Handle<Local>) -> bool {
    body.exprs.get(place).is_some_and(|e| e.kind == crate::ExprKind::Local(local))
}
