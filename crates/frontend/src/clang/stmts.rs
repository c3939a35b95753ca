//! Statements. Spans are extended to the `;` that Clang leaves out.

use super::decls::{Converter, constant_value, is_expr};
use super::json::{Node, Value};
use super::library::element_of;
use crate::ast::*;
use accl_source::Span;

impl Converter<'_> {
    pub(super) fn stmt(&mut self, node: &Node<'_>) -> Stmt {
        let kind = self.stmt_kind(node);
        let mut span = self.span(node);
        if !span.is_nowhere() {
            span.end = self.stmt_end(&kind, span.end);
        }
        Stmt { kind, span }
    }

    fn boxed(&mut self, node: &Node<'_>) -> Box<Stmt> {
        Box::new(self.stmt(node))
    }

    fn stmt_kind(&mut self, node: &Node<'_>) -> StmtKind {
        match &*node.kind {
            "CompoundStmt" => {
                let items = self.scoped(|this| node.children().map(|n| this.stmt(n)).collect());
                StmtKind::Compound(items)
            }
            "DeclStmt" => StmtKind::Decl(self.local_decls(node)),
            "IfStmt" => self.if_stmt(node),
            "ForStmt" => self.for_stmt(node),
            "CXXForRangeStmt" => self.range_for(node),
            "WhileStmt" => self.while_stmt(node),
            "DoStmt" => self.do_stmt(node),
            "SwitchStmt" => self.switch_stmt(node),
            "CaseStmt" => self.case_stmt(node),
            "DefaultStmt" => match node.inner.last() {
                Some(body) => StmtKind::Default(self.boxed(body)),
                None => StmtKind::Unsupported("default label", vec![]),
            },
            "BreakStmt" => StmtKind::Break,
            "ContinueStmt" => StmtKind::Continue,
            "ReturnStmt" => StmtKind::Return(node.children().next().map(|n| self.expr(n))),
            "NullStmt" => StmtKind::Null,
            "GotoStmt" | "IndirectGotoStmt" => StmtKind::Goto,
            "LabelStmt" => match node.inner.last() {
                Some(body) => StmtKind::Label(self.boxed(body)),
                None => StmtKind::Null,
            },
            "AttributedStmt" => match node.inner.last() {
                Some(body) => self.stmt_kind(body),
                None => StmtKind::Null,
            },
            "CXXTryStmt" => self.unsupported("a `try` block", node),
            "CXXCatchStmt" => self.unsupported("catch block", node),
            "GCCAsmStmt" | "MSAsmStmt" => StmtKind::Unsupported("inline assembly", vec![]),
            _ if is_expr(node) => StmtKind::Expr(self.expr(node)),
            _ => self.unsupported("a statement of this kind", node),
        }
    }

    fn unsupported(&mut self, what: &'static str, node: &Node<'_>) -> StmtKind {
        StmtKind::Unsupported(what, self.inner_stmts(node))
    }

    pub(super) fn inner_stmts(&mut self, node: &Node<'_>) -> Vec<Stmt> {
        node.children().filter(|n| n.kind.ends_with("Stmt")).map(|n| self.stmt(n)).collect()
    }

    fn local_decls(&mut self, node: &Node<'_>) -> Vec<Var> {
        let mut vars = Vec::new();
        for child in node.children() {
            match &*child.kind {
                "VarDecl" => {
                    let mut var = self.var(child);
                    match &*child.storage_class {
                        "static" => var.storage = Storage::Static,
                        "extern" => {
                            var.storage = Storage::Extern;
                            var.link_name = self.link_name(child, var.id);
                        }
                        _ => {}
                    }
                    self.spell_constant(&child.name, &var);
                    vars.push(var);
                }
                "DecompositionDecl" => vars.extend(self.bindings(child)),
                kind => {
                    if kind == "CXXRecordDecl" && child.complete_definition && !child.name.is_empty() {
                        let class = LocalClass { name: child.name.to_string(), span: self.span(child) };
                        self.program.local_classes.push(class);
                    }
                    self.decl(child);
                }
            }
        }
        vars
    }

    /// Arguments of templates may be named by the variable.
    pub(super) fn spell_constant(&mut self, name: &str, var: &Var) {
        let init = var.init.as_ref().filter(|_| var.ty.constant);
        if let Some(value) = init.and_then(|e| fold_with(e, &|name| self.types.constant(name))) {
            let is_bool = matches!(*var.ty.ty, Ty::Bool);
            let text = if is_bool { (value != 0).to_string() } else { value.to_string() };
            self.types.declare_spelling(name, &text);
        }
    }

    /// `auto [a, b] = pair;`: the object, without a name, and variables or references for its parts.
    fn bindings(&mut self, node: &Node<'_>) -> Vec<Var> {
        let whole = self.var(node);
        let reference = whole.ty.is_reference();
        let library = self.types.library_record_of(&whole.ty).cloned();
        let object = Expr {
            kind: ExprKind::Var(whole.id, "".into()),
            ty: whole.ty.referred().clone(),
            span: whole.span,
            place: true,
        };
        let mut vars = vec![whole];
        for (index, part) in node.children().filter(|n| &*n.kind == "BindingDecl").enumerate() {
            let mut var = self.var(part);
            // The library's types are decomposed by its functions, whose calls the dump does not show.
            let is_array = library.as_ref().is_some_and(|r| r.library == Some(Library::Array));
            let field = library.as_ref().and_then(|r| match is_array {
                true => r.fields.first(),
                false => Some(&r.fields[element_of(r, index)?]),
            });
            let member = field.map(|field| Expr {
                kind: ExprKind::Member {
                    base: Box::new(object.clone()),
                    arrow: false,
                    member: field.id,
                    name: field.name.as_str().into(),
                },
                ty: field.ty.clone(),
                ..object.clone()
            });
            var.init = match is_array {
                true => member.map(|elements| element_at(elements, index)).or(var.init),
                false => member.or(var.init),
            };
            // Older releases of Clang tell the type of the part alone.
            let ty = part.children().next().map_or("", |value| value.ty.text());
            var.ty = self.types.read(&if reference { format!("{ty} &") } else { ty.to_owned() });
            var.type_text = ty.into();
            vars.push(var);
        }
        vars
    }

    fn if_stmt(&mut self, node: &Node<'_>) -> StmtKind {
        let mut parts = node.children();
        let init = if node.has_init { parts.next().map(|n| self.boxed(n)) } else { None };
        let var = if node.has_var { parts.next().map(|n| self.boxed(n)) } else { None };
        let (outer, init) = if var.is_some() { (init, var) } else { (None, init) };
        let (Some(cond), Some(then)) = (parts.next(), parts.next()) else {
            return StmtKind::Unsupported("an incomplete if", vec![]);
        };
        let value = if node.is_constexpr { decided(cond) } else { None };
        let mut cond = self.expr(cond);
        if let Some(value) = value {
            cond.kind = ExprKind::Int(value.into());
        }
        let otherwise = parts.next().map(|n| self.boxed(n));
        let choice = StmtKind::If { init, cond, then: self.boxed(then), otherwise };
        self.declared_before(outer.map(|declared| *declared).into_iter().collect(), choice, node)
    }

    /// A statement with declarations in its head, which are statements of their own here.
    fn declared_before(&self, mut declared: Vec<Stmt>, kind: StmtKind, node: &Node<'_>) -> StmtKind {
        let Some(last) = declared.last() else { return kind };
        let whole = self.span(node);
        let span = Span { start: last.span.end, end: self.stmt_end(&kind, whole.end), ..whole };
        declared.push(Stmt { kind, span });
        StmtKind::Compound(declared)
    }

    /// Always five slots: init, condition variable, condition, step, body.
    fn for_stmt(&mut self, node: &Node<'_>) -> StmtKind {
        let [init, var, cond, step, body] = &node.inner[..] else {
            return self.unsupported("an incomplete for", node);
        };
        if !var.is_absent() {
            return self.unsupported("a declaration in a condition", node);
        }
        let present = |n: &Node<'_>| !n.is_absent();
        StmtKind::For {
            init: present(init).then(|| self.boxed(init)),
            cond: present(cond).then(|| self.expr(cond)),
            step: present(step).then(|| self.expr(step)),
            body: self.boxed(body),
        }
    }

    /// Slots: init, range, begin, end, condition, step, variable, body.
    fn range_for(&mut self, node: &Node<'_>) -> StmtKind {
        let [init, range, begin, end, cond, step, var, body] = &node.inner[..] else {
            return self.unsupported("an incomplete range for", node);
        };
        let setup = [init, range, begin, end].into_iter().filter(|n| !n.is_absent());
        let mut setup: Vec<Stmt> = setup.map(|n| self.stmt(n)).collect();
        range_of_list(&mut setup);
        StmtKind::RangeFor {
            setup,
            cond: self.expr(cond),
            step: self.expr(step),
            var: self.boxed(var),
            body: self.boxed(body),
        }
    }

    /// `while (T v = value)` declares the variable anew each time: `while (1) { T v = value; if (!v) break; … }`.
    fn while_stmt(&mut self, node: &Node<'_>) -> StmtKind {
        match &node.inner[..] {
            [cond, body] => StmtKind::While { cond: self.expr(cond), body: self.boxed(body) },
            [var, cond, body] if node.has_var => {
                let (var, cond, body) = (self.stmt(var), self.expr(cond), self.stmt(body));
                let span = cond.span;
                let of = |kind| Expr { kind, ty: Qual::new(Ty::Bool), span, place: false };
                let leaves = StmtKind::If {
                    init: None,
                    cond: of(ExprKind::Unary { op: UnaryOp::Not, operand: Box::new(cond) }),
                    then: Box::new(Stmt { kind: StmtKind::Break, span }),
                    otherwise: None,
                };
                let around = var.span.to(body.span);
                let items = vec![var, Stmt { kind: leaves, span }, body];
                let body = Stmt { kind: StmtKind::Compound(items), span: around };
                StmtKind::While { cond: of(ExprKind::Int(1)), body: Box::new(body) }
            }
            _ => self.unsupported("an incomplete while", node),
        }
    }

    fn do_stmt(&mut self, node: &Node<'_>) -> StmtKind {
        match &node.inner[..] {
            [body, cond] => StmtKind::DoWhile { body: self.boxed(body), cond: self.expr(cond) },
            _ => self.unsupported("an incomplete do", node),
        }
    }

    /// What stands before the value is declared before the statement.
    fn switch_stmt(&mut self, node: &Node<'_>) -> StmtKind {
        let [declared @ .., value, body] = &node.inner[..] else {
            return self.unsupported("an incomplete switch", node);
        };
        let declared = declared.iter().map(|n| self.stmt(n)).collect();
        let kind = StmtKind::Switch { value: self.expr(value), body: self.boxed(body) };
        self.declared_before(declared, kind, node)
    }

    fn case_stmt(&mut self, node: &Node<'_>) -> StmtKind {
        let (low, high, body) = match &node.inner[..] {
            [low, body] => (low, low, body),
            [low, high, body] if node.is_gnu_range => (low, high, body),
            _ => return self.unsupported("an incomplete case", node),
        };
        let (low, high) = (self.case_value(low), self.case_value(high));
        let range = low.zip(high);
        StmtKind::Case { range, body: self.boxed(body) }
    }

    /// Clang evaluates the constant, but older ones do not print it: enumerators and literals remain.
    fn case_value(&mut self, node: &Node<'_>) -> Option<i64> {
        let value = match constant_value(node) {
            Some(value) => Some(value),
            None => fold(&self.expr(node)),
        };
        value.and_then(|v| v.try_into().ok())
    }

    fn stmt_end(&self, kind: &StmtKind, end: u32) -> u32 {
        match kind {
            StmtKind::Compound(items) => items.last().map_or(end, |last| end.max(last.span.end)),
            StmtKind::Decl(_) | StmtKind::Null | StmtKind::Directed { .. } => end,
            StmtKind::Unsupported("inline assembly", _) => self.behind_semicolon(end),
            StmtKind::Unsupported(..) => end,
            StmtKind::If { then, otherwise, .. } => otherwise.as_ref().unwrap_or(then).span.end,
            StmtKind::For { body, .. }
            | StmtKind::RangeFor { body, .. }
            | StmtKind::While { body, .. }
            | StmtKind::Switch { body, .. }
            | StmtKind::Case { body, .. }
            | StmtKind::Default(body)
            | StmtKind::Label(body) => body.span.end,
            StmtKind::Expr(_)
            | StmtKind::DoWhile { .. }
            | StmtKind::Break
            | StmtKind::Continue
            | StmtKind::Return(_)
            | StmtKind::Goto => self.behind_semicolon(end),
        }
    }

    /// Over blanks and line markers to the `;`.
    fn behind_semicolon(&self, end: u32) -> u32 {
        let mut at = end as usize;
        let bytes = self.buffer.as_bytes();
        while at < bytes.len() {
            match bytes[at] {
                b';' => return at as u32 + 1,
                b'#' => at += self.buffer[at..].find('\n').unwrap_or(bytes.len() - at),
                c if c.is_ascii_whitespace() => at += 1,
                _ => break,
            }
        }
        end
    }
}

/// Integer constants of literals, enumerators and operators.
pub(crate) fn fold(expr: &Expr) -> Option<i128> {
    fold_with(expr, &|_| None)
}

/// `for (int k : {1, 2, 5})` goes through an array: the list is no more than its address and length.
fn range_of_list(setup: &mut [Stmt]) {
    let [
        ..,
        Stmt { kind: StmtKind::Decl(range), .. },
        Stmt { kind: StmtKind::Decl(begin), .. },
        Stmt { kind: StmtKind::Decl(end), .. },
    ] = setup
    else {
        return;
    };
    let ([range], [begin], [end]) = (&mut range[..], &mut begin[..], &mut end[..]) else { return };
    let Some(list) = range.init.as_ref().filter(|_| range.type_text.contains("initializer_list<")) else {
        return;
    };
    let Ty::Array { of, len: Len::Const(length) } = &*list.ty.ty else { return };
    let (length, span) = (i128::from(*length), list.span);
    let pointer = Qual::new(Ty::Pointer { to: of.clone(), restrict: false });
    range.ty = list.ty.clone();
    let array = Expr { kind: ExprKind::Var(range.id, "".into()), ty: range.ty.clone(), span, place: true };
    let decay = ExprKind::Cast { kind: CastKind::Decay, operand: Box::new(array) };
    let first = Expr { kind: decay, ty: pointer.clone(), span, place: false };
    let count = Expr {
        kind: ExprKind::Int(length),
        ty: Qual::new(Ty::Int { bits: 64, signed: true }),
        span,
        place: false,
    };
    let sum = ExprKind::Binary { op: BinaryOp::Add, left: Box::new(first.clone()), right: Box::new(count) };
    end.init = Some(Expr { kind: sum, ty: pointer, span, place: false });
    begin.init = Some(first);
}

/// The value of the condition of an `if constexpr`.
fn decided(cond: &Node<'_>) -> Option<bool> {
    match (&*cond.kind, &cond.value) {
        ("ConstantExpr", Some(Value::Text(text))) => Some(!matches!(&*text.0, "false" | "0")),
        ("ConstantExpr" | "CXXBoolLiteralExpr", Some(Value::Bool(value))) => Some(*value),
        _ => None,
    }
}

/// The same, where some variables have values.
fn fold_with(expr: &Expr, value: &dyn Fn(&str) -> Option<i128>) -> Option<i128> {
    let fold = |e: &Expr| fold_with(e, value);
    match &expr.kind {
        ExprKind::Var(_, name) => value(name),
        ExprKind::Int(value) => Some(*value),
        ExprKind::Cast { kind: CastKind::NoOp | CastKind::Convert | CastKind::Load, operand, .. } => {
            match &*expr.ty.ty {
                Ty::Int { bits, signed } => Some(accl_ir_wrap(fold(operand)?, *bits, *signed)),
                Ty::Bool => Some((fold(operand)? != 0).into()),
                _ => None,
            }
        }
        ExprKind::Unary { op, operand } => {
            let value = fold(operand)?;
            Some(match op {
                UnaryOp::Plus => value,
                UnaryOp::Minus => -value,
                UnaryOp::Not => (value == 0).into(),
                UnaryOp::BitNot => !value,
            })
        }
        ExprKind::Binary { op, left, right } => fold_binary(*op, fold(left)?, fold(right)?),
        ExprKind::Conditional { cond, yes, no } => fold(if fold(cond)? != 0 { yes } else { no }),
        _ => None,
    }
}

fn fold_binary(op: BinaryOp, left: i128, right: i128) -> Option<i128> {
    Some(match op {
        BinaryOp::Add => left.checked_add(right)?,
        BinaryOp::Sub => left.checked_sub(right)?,
        BinaryOp::Mul => left.checked_mul(right)?,
        BinaryOp::Div => left.checked_div(right)?,
        BinaryOp::Rem => left.checked_rem(right)?,
        BinaryOp::Shl => left.checked_shl(right.try_into().ok()?)?,
        BinaryOp::Shr => left.checked_shr(right.try_into().ok()?)?,
        BinaryOp::BitAnd => left & right,
        BinaryOp::BitOr => left | right,
        BinaryOp::BitXor => left ^ right,
        BinaryOp::Eq => (left == right).into(),
        BinaryOp::Ne => (left != right).into(),
        BinaryOp::Lt => (left < right).into(),
        BinaryOp::Le => (left <= right).into(),
        BinaryOp::Gt => (left > right).into(),
        BinaryOp::Ge => (left >= right).into(),
        BinaryOp::LogicalAnd => (left != 0 && right != 0).into(),
        BinaryOp::LogicalOr => (left != 0 || right != 0).into(),
    })
}

/// The value modulo 2^bits, as the type holds it.
pub(crate) fn accl_ir_wrap(value: i128, bits: u8, signed: bool) -> i128 {
    let modulus = 1i128 << bits;
    let low = value.rem_euclid(modulus);
    if signed && low >= modulus / 2 { low - modulus } else { low }
}

/// An element of an array of a known number.
fn element_at(array: Expr, number: usize) -> Expr {
    let Ty::Array { of, .. } = &*array.ty.ty else { return array };
    let (of, span) = (of.clone(), array.span);
    let pointer = Qual::new(Ty::Pointer { to: of.clone(), restrict: false });
    let kind = ExprKind::Cast { kind: CastKind::Decay, operand: Box::new(array) };
    let base = Box::new(Expr { kind, ty: pointer, span, place: false });
    let int = Qual::new(Ty::Int { bits: 32, signed: true });
    let index = Box::new(Expr { kind: ExprKind::Int(number as i128), ty: int, span, place: false });
    Expr { kind: ExprKind::Index { base, index }, ty: of, span, place: true }
}
