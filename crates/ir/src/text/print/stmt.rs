//! Printing statements and loops.

use super::{Printer, function_name, is_directive};
use crate::text::words::{self, word};
use crate::{
    Atomic, AtomicKind, BinaryOp, Block, Case, Expr, Function, HaloExtent, Handle, Local, LocalKind, Loop,
    LoopDirective, LoopLevels, Rows, Stmt, StmtNode, Window,
};

/// Whether a directive stands anywhere in `block`.
pub(crate) fn has_directives(block: &Block) -> bool {
    block.iter().any(|node| match &node.kind {
        Stmt::If { then, otherwise, .. } => has_directives(then) || has_directives(otherwise),
        Stmt::For(l) => l.directive.is_some() || has_directives(&l.body),
        Stmt::While { body, step, .. } => has_directives(body) || has_directives(step),
        Stmt::Switch { cases, .. } => cases.iter().any(|c| has_directives(&c.body)),
        Stmt::Block(block) => has_directives(block),
        Stmt::Window(_) => true,
        other => is_directive(other),
    })
}

/// `+=`; comparisons make no sense here but are written all the same.
fn assignment(op: Option<BinaryOp>) -> String {
    use BinaryOp::*;
    match op {
        None => "=".to_owned(),
        Some(op @ (Eq | Ne | Lt | Le | Gt | Ge)) => format!("op({}) =", word(words::BINARY, &op)),
        Some(op) => format!("{}=", word(words::BINARY, &op)),
    }
}

impl Printer<'_> {
    pub(super) fn stmts(&mut self, block: &Block) {
        for node in block {
            self.stmt(node);
        }
    }

    /// `head {`, the statements, `}tail`.
    pub(super) fn braced(&mut self, head: &str, block: &Block, tail: &str) {
        if block.is_empty() {
            self.line(&format!("{head}{{}}{tail}"));
            return;
        }
        self.line(&format!("{head}{{"));
        self.indent += 1;
        self.stmts(block);
        self.indent -= 1;
        self.line(&format!("}}{tail}"));
    }

    pub(super) fn stmt(&mut self, node: &StmtNode) {
        match &node.kind {
            Stmt::If { cond, then, otherwise } => self.if_("", *cond, then, otherwise),
            Stmt::For(l) => self.for_(l),
            Stmt::While { cond, body, step, test_last } => self.while_(*cond, body, step, *test_last),
            Stmt::Switch { value, cases } => self.switch(*value, cases),
            Stmt::Block(block) => self.braced("", block, ""),
            Stmt::Window(w) => self.window(w),
            Stmt::Region(region) => self.region(region),
            Stmt::Directive(standalone) => self.standalone(standalone),
            simple => {
                let text = self.simple(simple);
                self.line(&(text + ";"));
            }
        }
    }

    fn simple(&mut self, stmt: &Stmt) -> String {
        match stmt {
            Stmt::Declare { local, init } => self.declare(*local, *init),
            Stmt::Store { place, op, value } => {
                let place = self.place(*place, 0);
                format!("{place} {} {}", assignment(*op), self.value(*value, 0))
            }
            Stmt::Call { dest, function, args } => self.call(*dest, *function, args),
            Stmt::Print { format, args } => {
                let args: String = args.iter().map(|a| format!(", {}", self.value(*a, 0))).collect();
                format!("print {}{args}", words::quoted(format))
            }
            Stmt::Stop { assertion: None } => "stop".to_owned(),
            Stmt::Stop { assertion: Some(text) } => format!("stop {}", words::quoted(text)),
            Stmt::Break => "break".to_owned(),
            Stmt::Continue => "continue".to_owned(),
            Stmt::Return(None) => "return".to_owned(),
            Stmt::Return(Some(value)) => format!("return {}", self.value(*value, 0)),
            Stmt::Atomic(atomic) => self.atomic(atomic),
            Stmt::Host => "host".to_owned(),
            Stmt::Barrier(scope) => format!("barrier {}", word(words::SCOPE, scope)),
            Stmt::ReduceAcross { op, local, scope } => {
                let local = self.local(*local);
                format!("reduce {} ({}: {local})", word(words::SCOPE, scope), word(words::REDUCTION, op))
            }
            Stmt::ReduceGrid { op, local, param } => {
                format!("reduce grid ({}: {}) param {param}", word(words::REDUCTION, op), self.local(*local))
            }
            Stmt::Measure { counts } => {
                format!("measure {}", counts.map(|local| self.local(local)).join(", "))
            }
            Stmt::TensorProduct(p) => {
                let sums = p.sums.map(|e| self.place(e, 0)).join(", ");
                let (left, right) = (p.left.map(|e| self.value(e, 0)), p.right.map(|e| self.value(e, 0)));
                format!("mma {sums} += {} with {}", left.join(", "), right.join(", "))
            }
            Stmt::VectorLoad { dst, src, n } => {
                let dst = self.local(*dst);
                format!("vload {n} {dst} = {}", self.place(*src, 0))
            }
            Stmt::VectorStore { dst, src, n } => {
                let dst = self.place(*dst, 0);
                format!("vstore {n} {dst} = {}", self.local(*src))
            }
            Stmt::If { .. }
            | Stmt::For(_)
            | Stmt::While { .. }
            | Stmt::Switch { .. }
            | Stmt::Block(_)
            | Stmt::Window(_)
            | Stmt::Region(_)
            | Stmt::Directive(_) => String::new(),
        }
    }

    /// The first mention of a local declares it with its type, a later one by name.
    fn introduce(&mut self, local: Handle<Local>) -> String {
        if self.known.contains(&local.index()) || self.body.locals.get(local).is_none() {
            return format!("declare {}", self.local(local));
        }
        let text = self.declaration(local, LocalKind::Auto);
        self.known.insert(local.index());
        text
    }

    fn declare(&mut self, local: Handle<Local>, init: Option<Handle<Expr>>) -> String {
        // The initialiser first: if it mentions the local itself, that goes to the header.
        let init = init.map_or(String::new(), |e| format!(" = {}", self.value(e, 0)));
        self.introduce(local) + &init
    }

    fn call(
        &mut self,
        dest: Option<Handle<Expr>>,
        function: Handle<Function>,
        args: &[Handle<Expr>],
    ) -> String {
        let dest = dest.map_or(String::new(), |d| format!("{} = ", self.place(d, 0)));
        format!("call {dest}{}({})", function_name(self.module, function), self.values(args))
    }

    fn if_(&mut self, before: &str, cond: Handle<Expr>, then: &Block, otherwise: &Block) {
        let head = format!("{before}if ({}) ", self.value(cond, 0));
        match otherwise.as_slice() {
            [] => self.braced(&head, then, ""),
            [StmtNode { kind: Stmt::If { cond, then: then2, otherwise }, .. }] => {
                self.braced(&head, then, "");
                self.joined = true;
                self.if_("else ", *cond, then2, otherwise);
            }
            _ => {
                self.braced(&head, then, "");
                self.joined = true;
                self.braced("else ", otherwise, "");
            }
        }
    }

    fn while_(&mut self, cond: Option<Handle<Expr>>, body: &Block, step: &Block, test_last: bool) {
        let cond = |p: &mut Self| cond.map_or(String::new(), |e| p.value(e, 0));
        if test_last {
            self.braced("do ", body, "");
            self.step(step);
            let cond = cond(self);
            self.joined = true;
            return self.line(&format!("while ({cond});"));
        }
        let cond = cond(self);
        self.braced(&format!("while ({cond}) "), body, "");
        self.step(step);
    }

    fn step(&mut self, step: &Block) {
        if !step.is_empty() {
            self.joined = true;
            self.braced("step ", step, "");
        }
    }

    fn switch(&mut self, value: Handle<Expr>, cases: &[Case]) {
        let head = format!("switch ({}) {{", self.value(value, 0));
        self.line(&head);
        self.indent += 1;
        for case in cases {
            let mut labels: Vec<String> = case.values.iter().map(i64::to_string).collect();
            if case.default {
                labels.push("default".to_owned());
            }
            self.braced(&format!("case {} ", labels.join(", ")), &case.body, "");
        }
        self.indent -= 1;
        self.line("}");
    }

    fn atomic(&mut self, atomic: &Atomic) -> String {
        let reverse = if matches!(atomic.kind, AtomicKind::ReverseUpdate(_)) { "reverse " } else { "" };
        let read = if atomic.kind == AtomicKind::Read { "read " } else { "" };
        let place = self.place(atomic.place, 0);
        let value = atomic.value.map(|v| self.value(v, 0));
        let operation = match atomic.kind {
            AtomicKind::Read if value.is_none() => String::new(),
            AtomicKind::Read | AtomicKind::Write | AtomicKind::Replace(_) => " = ".to_owned(),
            AtomicKind::Update(op) | AtomicKind::ReverseUpdate(op) => format!(" {} ", assignment(Some(op))),
            AtomicKind::Extremum(fun) => format!(" {}= ", fun.c_name()),
        };
        let value = match (value, atomic.kind) {
            (None, AtomicKind::Read) => String::new(),
            (value, _) => value.unwrap_or_else(|| "_".to_owned()),
        };
        let capture = atomic.capture.map_or(String::new(), |(dest, after)| {
            format!(" capture {} {}", if after { "after" } else { "before" }, self.place(dest, 0))
        });
        let condition = atomic.kind.expected().map_or(String::new(), |e| format!(" if {}", self.value(e, 0)));
        format!("atomic {read}{reverse}{place}{operation}{value}{condition}{capture}")
    }

    fn for_(&mut self, l: &Loop) {
        let lower = self.value(l.lower, 0);
        let var = if l.declared_here { self.introduce(l.var) } else { self.local(l.var) };
        let name = self.local(l.var);
        let bound = self.value(l.bound, 0);
        let step = self.value(l.step, 0);
        let compare = word(words::COMPARE, &l.compare);
        let mut head = format!("for ({var} = {lower}; {name} {compare} {bound}; {name} += {step}) ");
        if let Some(s) = &l.levels {
            head += &levels(s);
        }
        if let Some(d) = &l.directive {
            head += &self.loop_directive(d);
        }
        self.braced(&head, &l.body, "");
    }

    /// `window FETCH_ONLY "a" a[i] at (i : 1 : 1), … { }`
    fn window(&mut self, w: &Window) {
        let mut list = Vec::new();
        for staged in &w.arrays {
            let element = self.place(staged.element, 0);
            let mut text = format!("{} {} {element} at ", staged.kind.name(), words::quoted(&staged.name));
            for d in &staged.dims {
                let (before, after) = (self.halo_extent(&d.before), self.halo_extent(&d.after));
                text += &format!("({} : {before} : {after})", self.value(d.pivot, 0));
            }
            list.push(text);
        }
        self.braced(&format!("window {} ", list.join(", ")), &w.body, "");
    }

    /// `1`, or `[r] "r"` of what only the launch knows.
    fn halo_extent(&mut self, extent: &HaloExtent) -> String {
        match extent {
            HaloExtent::Known(n) => n.to_string(),
            HaloExtent::Launch { value, host } => {
                let host = host.as_ref().map(|e| format!(" {}", super::clause::host(e)));
                format!("[{}]{}", self.value(*value, 0), host.unwrap_or_default())
            }
        }
    }

    fn loop_directive(&mut self, d: &LoopDirective) -> String {
        let mut parts = Vec::new();
        for (level, arg) in [("gang", &d.gang), ("worker", &d.worker), ("vector", &d.vector)] {
            if let Some(arg) = arg {
                parts.push(super::clause::with_optional_arg(level, arg.as_ref()));
            }
        }
        for (word, set) in [
            ("seq", d.seq),
            ("auto", d.auto),
            ("independent", d.independent),
            ("assumes_distinct", d.assumes_distinct),
            ("assumes_rows", d.assumes_rows != Rows::None),
            ("assumes_all_rows", d.assumes_rows == Rows::All),
            ("found", d.found),
        ] {
            if set {
                parts.push(word.to_owned());
            }
        }
        parts.extend(super::clause::launch_tests("assumes_strides", &d.assumes_strides));
        if d.interchanged != 0 {
            parts.push(format!("interchanged {}", d.interchanged));
        }
        if d.collapse != 1 {
            parts.push(format!("collapse {}", d.collapse));
        }
        if d.part > 0 {
            parts.push(format!("part {}", d.part));
        }
        if !d.tile.is_empty() {
            parts.push(format!("tile({})", super::clause::hosts(&d.tile)));
        }
        if !d.private.is_empty() {
            parts.push(format!("private({})", self.locals(&d.private)));
        }
        parts.extend(self.reductions(&d.reductions));
        parts.extend(d.searches.iter().map(|search| self.search(search)));
        parts.extend(super::clause::schedule(&d.schedule));
        format!("loop[{}] ", parts.join(", "))
    }
}

fn levels(s: &LoopLevels) -> String {
    let levels = [("gang", s.gang), ("worker", s.worker), ("vector", s.vector), ("seq", s.is_seq())];
    let mut parts: Vec<String> =
        levels.iter().filter(|(_, set)| *set).map(|(word, _)| (*word).to_owned()).collect();
    if let Some(dim) = s.dim {
        parts.push(format!("dim {dim}"));
    }
    format!("@[{}] ", parts.join(", "))
}
