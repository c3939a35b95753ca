//! Finds the statement that each directive governs.
//!
//! A directive governs the statement that follows it in the innermost statement list that contains its
//! place. Lists are the compounds' and, each a list of one, the bodies of loops and conditionals. What
//! several directives in a row govern nests: the first is the outermost. Stand-alone directives become
//! statements of their own.
//!
//! Afterwards every directive inside the body stands in the tree once, or a diagnostic says why not.

use crate::ast::{Expr, ExprKind, Program, Stmt, StmtKind};
use crate::lower::walk;
use crate::pragmas::Pragma;
use accl_directives::DirectiveKind;
use accl_source::{Diagnostic, Span, codes::frontend as codes};

/// The bodies of the methods of local classes that directives stand in: these are theirs, not the function's around.
pub fn of_local_classes(program: &Program, pragmas: &[Pragma]) -> Vec<Span> {
    let bodies = program.functions.iter().filter_map(|f| Some(f.body.as_ref()?.span));
    let bodies: Vec<Span> = bodies.filter(|body| pragmas.iter().any(|p| is_inside(*body, p.span))).collect();
    bodies.iter().filter(|inner| bodies.iter().any(|outer| is_within(*outer, **inner))).copied().collect()
}

/// Puts the directives that stand within `body` into it, but for those in `discarded` parts, which are not in the tree.
pub fn bind(body: &mut Stmt, pragmas: &[Pragma], discarded: Vec<Span>, diagnostics: &mut Vec<Diagnostic>) {
    let within = |p: &Pragma| body.span.contains(p.span);
    let first = pragmas.iter().position(within).unwrap_or(0);
    let count = pragmas.iter().filter(|p| within(p)).count();
    let mut binder = Binder { pragmas, next: first, end: first + count, discarded, diagnostics };
    binder.inside(body);
    while let Some(index) = binder.take_before(u32::MAX) {
        binder.misplaced(index);
    }
}

struct Binder<'a> {
    pragmas: &'a [Pragma],
    /// The first directive not yet placed, and the end of those in this body.
    next: usize,
    end: usize,
    discarded: Vec<Span>,
    diagnostics: &'a mut Vec<Diagnostic>,
}

impl Binder<'_> {
    fn take_before(&mut self, offset: u32) -> Option<usize> {
        while self.next < self.end
            && self.discarded.iter().any(|part| part.contains(self.pragmas[self.next].span))
        {
            self.next += 1;
        }
        let waiting = self.next < self.end && self.pragmas[self.next].span.start < offset;
        waiting.then(|| {
            self.next += 1;
            self.next - 1
        })
    }

    /// Binds in the lists inside a statement.
    fn inside(&mut self, stmt: &mut Stmt) {
        if self.next >= self.end || self.pragmas[self.next].span.start >= stmt.span.end {
            return;
        }
        let end = stmt.span.end;
        match &mut stmt.kind {
            StmtKind::Compound(items) => {
                let old = std::mem::take(items);
                *items = self.list(old, end);
            }
            StmtKind::If { init, then, otherwise, .. } => {
                init.iter_mut().for_each(|s| self.inside(s));
                self.single(then);
                otherwise.iter_mut().for_each(|s| self.single(s));
            }
            StmtKind::For { body, .. } | StmtKind::While { body, .. } | StmtKind::DoWhile { body, .. } => {
                self.single(body)
            }
            StmtKind::RangeFor { body, .. } | StmtKind::Switch { body, .. } => self.single(body),
            StmtKind::Case { body, .. } | StmtKind::Default(body) | StmtKind::Label(body) => {
                self.single(body)
            }
            StmtKind::Unsupported(_, items) => items.iter_mut().for_each(|s| self.inside(s)),
            StmtKind::Expr(expr) | StmtKind::Return(Some(expr)) => self.inside_expr(expr, end),
            StmtKind::Decl(vars) => {
                vars.iter_mut().filter_map(|v| v.init.as_mut()).for_each(|e| self.inside_expr(e, end))
            }
            StmtKind::Break
            | StmtKind::Continue
            | StmtKind::Return(None)
            | StmtKind::Null
            | StmtKind::Goto
            | StmtKind::Directed { .. } => {}
        }
    }

    /// A statement list that ends at `end`.
    fn list(&mut self, items: Vec<Stmt>, end: u32) -> Vec<Stmt> {
        let mut result = Vec::with_capacity(items.len());
        for item in items {
            result.extend(self.directed(item));
        }
        while let Some(index) = self.take_before(end) {
            let pragma = &self.pragmas[index];
            if pragma.directive.takes_statement() {
                self.nothing_follows(index);
            } else {
                result.push(standalone(pragma, index));
            }
        }
        result
    }

    /// The statement with the directives in front of it.
    fn directed(&mut self, item: Stmt) -> Vec<Stmt> {
        let start = item.span.start;
        let mut waiting = Vec::new();
        while !item.span.is_nowhere()
            && let Some(index) = self.take_before(start)
        {
            waiting.push(index);
        }
        let mut item = item;
        self.inside(&mut item);
        let mut result = vec![item];
        for index in waiting.into_iter().rev() {
            let pragma = &self.pragmas[index];
            if !pragma.directive.takes_statement() {
                result.insert(0, standalone(pragma, index));
                continue;
            }
            let body = result.remove(0);
            if matches!(&body.kind, StmtKind::Directed { body: None, .. }) {
                self.nothing_follows(index);
                result.insert(0, body);
                continue;
            }
            let span = pragma.span.to(body.span);
            let kind = StmtKind::Directed { directive: index, body: Some(Box::new(body)) };
            result.insert(0, Stmt { kind, span });
        }
        result
    }

    /// A list of one: the body of a loop or conditional.
    fn single(&mut self, stmt: &mut Box<Stmt>) {
        let placeholder = Stmt { kind: StmtKind::Null, span: stmt.span };
        let old = std::mem::replace(&mut **stmt, placeholder);
        let mut items = self.directed(old);
        for item in &items[..items.len() - 1] {
            if let StmtKind::Directed { directive, .. } = item.kind {
                self.needs_braces(directive);
            }
        }
        if let Some(last) = items.pop() {
            **stmt = last;
        }
    }

    /// Lambdas and statement expressions contain statements.
    fn inside_expr(&mut self, expr: &mut Expr, end: u32) {
        if self.next >= self.end || self.pragmas[self.next].span.start >= end {
            return;
        }
        match &mut expr.kind {
            ExprKind::Unsupported(_, items) => items.iter_mut().for_each(|s| self.inside(s)),
            ExprKind::Lambda(lambda) => {
                // The same text in each of its bodies.
                let (next, told) = (self.next, self.diagnostics.len());
                for call in &mut lambda.calls {
                    self.next = next;
                    self.inside(&mut call.body);
                    self.diagnostics.truncate(told);
                }
                self.next = next;
                self.inside(&mut lambda.body);
            }
            ExprKind::Statements(body) => self.inside(body),
            _ => walk::operands_mut(expr).into_iter().for_each(|e| self.inside_expr(e, end)),
        }
    }

    fn nothing_follows(&mut self, index: usize) {
        let pragma = &self.pragmas[index];
        let what = if pragma.directive.is_loop() { "a `for` loop" } else { "a statement" };
        let message = format!("expected {what} after the `{}` directive", name_of(pragma));
        self.diagnostics.push(
            Diagnostic::error(codes::NOTHING_FOLLOWS, message)
                .label(pragma.directive.name_span, format!("governs {what}, but none follows"))
                .with_help("put the directive directly before what it is for, or remove it"),
        );
    }

    fn needs_braces(&mut self, index: usize) {
        let pragma = &self.pragmas[index];
        let message = format!(
            "the `{}` directive cannot stand in place of a loop's or conditional's body",
            name_of(pragma)
        );
        self.diagnostics.push(
            Diagnostic::error(codes::MISPLACED, message)
                .at(pragma.directive.name_span)
                .with_note("without the directive the program would mean something else")
                .with_help("put braces around the directive and the statement behind it"),
        );
    }

    fn misplaced(&mut self, index: usize) {
        let pragma = &self.pragmas[index];
        let message = format!("the `{}` directive stands where no statement may", name_of(pragma));
        self.diagnostics.push(Diagnostic::error(codes::MISPLACED, message).at(pragma.directive.name_span));
    }
}

fn standalone(pragma: &Pragma, index: usize) -> Stmt {
    Stmt { kind: StmtKind::Directed { directive: index, body: None }, span: pragma.span }
}

/// The words of the directive's name, for messages.
pub fn name_of(pragma: &Pragma) -> String {
    if let Some(name) = &pragma.name {
        return name.clone();
    }
    let d = &pragma.directive;
    match &d.kind {
        DirectiveKind::Compute { construct, loop_: true } => format!("{} loop", construct.name()),
        DirectiveKind::Compute { construct, loop_: false } => construct.name().to_owned(),
        DirectiveKind::Data => "data".into(),
        DirectiveKind::EnterData => "enter data".into(),
        DirectiveKind::ExitData => "exit data".into(),
        DirectiveKind::HostData => "host_data".into(),
        DirectiveKind::Loop => "loop".into(),
        DirectiveKind::Cache { .. } => "cache".into(),
        DirectiveKind::Atomic(_) => "atomic".into(),
        DirectiveKind::Declare => "declare".into(),
        DirectiveKind::Init => "init".into(),
        DirectiveKind::Shutdown => "shutdown".into(),
        DirectiveKind::Set => "set".into(),
        DirectiveKind::Update => "update".into(),
        DirectiveKind::Routine(_) => "routine".into(),
        DirectiveKind::Wait(_) => "wait".into(),
        DirectiveKind::Fcw(_) => "fcw".into(),
        DirectiveKind::FcwBarrier => "fcw_barrier".into(),
        DirectiveKind::Teams { .. } => "teams".into(),
        DirectiveKind::Threads(kind) => kind.name().to_owned(),
        DirectiveKind::DeclareTarget { .. } => "declare target".into(),
        DirectiveKind::DeclareMapper(_) => "declare mapper".into(),
        DirectiveKind::EndDeclareTarget => "end declare target".into(),
        DirectiveKind::Other { sentinel, .. } => sentinel.name().to_owned(),
    }
}

/// Inside, and not the same.
pub fn is_within(outer: Span, inner: Span) -> bool {
    outer != inner && is_inside(outer, inner)
}

/// Where in the program a span is not, for tests of containment.
pub fn is_inside(outer: Span, inner: Span) -> bool {
    !outer.is_nowhere() && outer.contains(inner)
}
