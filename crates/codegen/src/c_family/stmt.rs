//! The one statement writer.

use super::body::BodyWriter;
use super::expr::Prec;
use super::kernel::KernelText;
use super::names::Names;
use super::structs;
use super::writer::Writer;
use crate::{CodegenError, Result};
use accl_ir::{
    ArrayLen, BarrierScope, Block, Case, Expr, ExprKind, Handle, Local, LocalKind, Stmt, StmtNode, TypeKind,
    visit,
};
use accl_source::Span;
use std::collections::{BTreeSet, HashMap};

pub struct StmtWriter<'s, 'w, 'a> {
    pub(super) body: &'s BodyWriter<'w, 'a>,
    /// `None` in device functions.
    pub(super) kernel: Option<&'s KernelText<'s>>,
    pub(super) out: Writer<'a>,
    /// For names that the compiler adds.
    pub(super) names: Names,
    /// Declared where they are first assigned.
    deferred: BTreeSet<Handle<Local>>,
    /// Used in loops over them alone, so that the loops' headers declare them.
    pub(super) headers: BTreeSet<Handle<Local>>,
    /// For each enclosing `while` whose step a `continue` must jump to: the label, if one was needed.
    pub(super) continues: Vec<Option<String>>,
    /// Parallel loops around the statement.
    pub(super) parallel_depth: usize,
}

impl<'s, 'w, 'a> StmtWriter<'s, 'w, 'a> {
    pub fn new(body: &'s BodyWriter<'w, 'a>, kernel: Option<&'s KernelText<'s>>) -> Self {
        let mut out = Writer::new(body.unit.markers());
        out.indent();
        let headers = super::loops::header_locals(body.body, &body.usage);
        StmtWriter {
            body,
            kernel,
            out,
            names: body.names.clone(),
            deferred: BTreeSet::new(),
            headers,
            continues: Vec::new(),
            parallel_depth: 0,
        }
    }

    pub fn finish(self) -> String {
        self.out.finish()
    }

    /// Declares what the body uses and nothing declared; `elsewhere` is declared already.
    pub fn declare_leftovers(
        &mut self,
        elsewhere: &[Handle<Local>],
        initial: &[(Handle<Local>, String)],
    ) -> Result<()> {
        for local in self.body.body.locals.handles() {
            let usage = self.body.usage.get(local);
            let known = usage.declared || elsewhere.contains(&local) || self.headers.contains(&local);
            if known || !self.body.usage.is_named(local) {
                continue;
            }
            let value = initial.iter().find(|(l, _)| *l == local).map(|(_, value)| value.clone());
            self.declaration(local, value)?;
        }
        Ok(())
    }

    fn declaration(&mut self, local: Handle<Local>, value: Option<String>) -> Result<()> {
        let aligned = match super::sync::vector_alignment(self.body, local) {
            Some(bytes) => self.body.unit.dialect.aligned(bytes),
            None => String::new(),
        };
        let text = format!("{aligned}{}", self.body.local_declaration(local)?);
        match value {
            Some(value) => self.out.line(&format!("{text} = {value};")),
            None => self.out.line(&format!("{text};")),
        }
        Ok(())
    }

    fn constant_table(&mut self, local: Handle<Local>, rows: &[String]) -> Result<()> {
        let declared = self.body.local_declaration(local)?;
        let last = rows.len() - 1;
        for (at, row) in rows.iter().enumerate() {
            let start = if at == 0 { format!("{declared} = ") } else { String::new() };
            let end = if at == last { ";" } else { "" };
            self.out.line(&format!("{start}{row}{end}"));
        }
        Ok(())
    }

    pub fn block(&mut self, block: &Block) -> Result<()> {
        let mut done = 0;
        let mut mentions = None;
        for (at, node) in block.iter().enumerate() {
            if at < done {
                continue;
            }
            if let Stmt::ReduceGrid { .. } = node.kind {
                done = at + self.reduce_grids(&block[at..])?;
                continue;
            }
            if let Stmt::ReduceAcross { scope: BarrierScope::Columns, .. } = node.kind {
                done = at + self.reduce_columns(&block[at..])?;
                continue;
            }
            if let Stmt::Declare { local, init: None } = node.kind {
                if let Some(table) = super::constants::table(self.body, local, &block[at + 1..])? {
                    self.out.mark(node.span);
                    self.constant_table(local, &table.rows)?;
                    done = at + 1 + table.statements;
                    continue;
                }
                let first = mentions.get_or_insert_with(|| self.first_mentions(block)).get(&local);
                if first.is_some_and(|first| *first > at && self.assigns(local, &block[*first])) {
                    self.deferred.insert(local);
                    continue;
                }
            }
            self.statement(node)?;
        }
        Ok(())
    }

    /// For each local the first statement of the block that mentions it, other than to declare it.
    fn first_mentions(&self, block: &Block) -> HashMap<Handle<Local>, usize> {
        let mut first = HashMap::new();
        for (at, node) in block.iter().enumerate() {
            if matches!(node.kind, Stmt::Declare { init: None, .. }) {
                continue;
            }
            accl_ir::visit::for_each_local(self.body.body, std::slice::from_ref(node), &mut |l, _| {
                first.entry(l).or_insert(at);
            });
        }
        first
    }

    /// The statement assigns `local`, wholly.
    fn assigns(&self, local: Handle<Local>, node: &StmtNode) -> bool {
        match &node.kind {
            Stmt::Store { place, op: None, value } => {
                let whole = self.body.expr(*place).kind == ExprKind::Local(local);
                let mut reads = false;
                visit::for_each_operand(&self.body.body.exprs, *value, &mut |e| {
                    reads |= self.body.expr(e).kind == ExprKind::Local(local);
                });
                whole && !reads
            }
            _ => false,
        }
    }

    fn statement(&mut self, node: &StmtNode) -> Result<()> {
        if !matches!(node.kind, Stmt::Block(_)) {
            self.out.mark(node.span);
        }
        match &node.kind {
            Stmt::Declare { local, init } => self.declare(*local, *init),
            Stmt::Store { place, .. } if self.shares_bytes(*place) => Err(CodegenError::Unsupported {
                what: "an assignment to a base class in whose padding members of the derived class lie"
                    .into(),
                span: node.span,
            }),
            Stmt::Store { place, op, value } => self.store(*place, *op, *value),
            Stmt::Call { dest, function, args } => {
                self.call(*dest, *function, args, node.span)?;
                self.leave_if_stopped(*function)
            }
            Stmt::Print { format, args } => self.print(format, args),
            Stmt::Stop { assertion } => self.stop(assertion.as_deref(), node.span),
            Stmt::If { cond, then, otherwise } => self.if_(*cond, then, otherwise, ""),
            Stmt::For(l) => self.for_(l),
            Stmt::While { cond, body, step, test_last } => self.while_(*cond, body, step, *test_last),
            Stmt::Switch { value, cases } => self.switch(*value, cases),
            Stmt::Break => self.simple("break;"),
            Stmt::Continue => self.continue_(),
            Stmt::Return(None) => self.simple("return;"),
            Stmt::Return(Some(value)) => {
                let value = self.body.value(*value)?.text;
                self.simple(&format!("return {value};"))
            }
            Stmt::Block(block) => self.bare_block(block),
            Stmt::Atomic(atomic) => self.atomic(atomic, node.span),
            Stmt::Barrier(scope) => {
                let unit = self.body.unit;
                self.simple(&unit.dialect.barrier(*scope, self.kernel, unit))
            }
            Stmt::ReduceAcross { op, local, scope } => self.reduce_across(*op, *local, *scope),
            Stmt::ReduceGrid { .. } => self.reduce_grids(std::slice::from_ref(node)).map(|_| ()),
            Stmt::Measure { counts } => {
                let kernel = self.kernel_text()?;
                let counts = counts.map(|local| self.body.names.local(local));
                let text = self.body.unit.dialect.measure(counts, kernel, self.body.unit);
                text.map_or(Ok(()), |text| self.simple(&text))
            }
            Stmt::TensorProduct(product) => self.tensor_product(product),
            Stmt::VectorLoad { dst, src, n } => self.vector_load(*dst, *src, *n),
            Stmt::VectorStore { dst, src, n } => self.vector_store(*dst, *src, *n),
            // Only in ports to C; elsewhere windows have become copies.
            Stmt::Window(_) => Err(CodegenError::Unsupported {
                what: "a window (`fcw`) needs the runtime, which knows the extents of arrays".into(),
                span: node.span,
            }),
            Stmt::Region(_) | Stmt::Directive(_) | Stmt::Host => Err(CodegenError::Unsupported {
                what: "this statement cannot run on a device".into(),
                span: node.span,
            }),
        }
    }

    /// Only of a variable is it certain that it is no part of an object of a derived class.
    fn shares_bytes(&self, place: Handle<Expr>) -> bool {
        let Expr { ref kind, ty, .. } = *self.body.expr(place);
        !matches!(kind, ExprKind::Local(_)) && structs::has_members_in_padding(self.body.unit, ty)
    }

    pub(super) fn simple(&mut self, text: &str) -> Result<()> {
        self.out.line(text);
        Ok(())
    }

    fn declare(&mut self, local: Handle<Local>, init: Option<Handle<Expr>>) -> Result<()> {
        if !self.body.usage.is_named(local) || self.headers.contains(&local) {
            return Ok(());
        }
        let Local { ty, kind, span, .. } = &self.body.body.locals[local];
        let is_variable =
            matches!(self.body.unit.module.types.kind(*ty), TypeKind::Array { len: ArrayLen::Expr(_), .. });
        if is_variable && *kind == LocalKind::Auto && !self.body.unit.dialect.has_variable_lengths() {
            return Err(self.body.unit.unsupported("an array of variable length", *span));
        }
        let value = match init {
            Some(value) => Some(self.first_value(local, value)?),
            // Nobody stores to what has no members, and compilers warn where it is copied.
            None if self.is_empty_structure(local) => Some("{0}".to_owned()),
            None => None,
        };
        self.declaration(local, value)
    }

    fn is_empty_structure(&self, local: Handle<Local>) -> bool {
        let types = &self.body.unit.module.types;
        let TypeKind::Struct(s) = types.kind(self.body.body.locals[local].ty) else { return false };
        types.structs[*s].fields.is_empty()
    }

    fn store(
        &mut self,
        place: Handle<Expr>,
        op: Option<accl_ir::BinaryOp>,
        value: Handle<Expr>,
    ) -> Result<()> {
        if let (ExprKind::Local(local), None) = (&self.body.expr(place).kind, op) {
            if self.deferred.remove(local) {
                let value = self.first_value(*local, value)?;
                return self.declaration(*local, Some(value));
            }
        }
        let compound = match op {
            Some(op) => Some((op, self.body.update_operand(op, place, value)?)),
            None => self.body.compound_operand(place, value)?,
        };
        let place_text = self.body.place(place)?;
        // `(*p)++`, but `*p += 2`.
        let stepped = place_text.clone().at(Prec::Postfix);
        let target = place_text.at(Prec::Unary);
        let text = match compound {
            Some((accl_ir::BinaryOp::Add, one)) if one == "1" => format!("{stepped}++;"),
            Some((accl_ir::BinaryOp::Sub, one)) if one == "1" => format!("{stepped}--;"),
            Some((op, operand)) => format!("{target} {}= {operand};", super::operators::symbol(op)),
            None => format!("{target} = {};", self.stored_value(place, value)?),
        };
        self.simple(&text)
    }

    fn first_value(&self, local: Handle<Local>, value: Handle<Expr>) -> Result<String> {
        if self.body.is_number(local) {
            return self.body.pointer_to_store(value);
        }
        self.body.passed(value, self.body.body.locals[local].ty)
    }

    /// Where memory holds truth values in a wider type, the value is converted to 0 or 1 first.
    fn stored_value(&self, place: Handle<Expr>, value: Handle<Expr>) -> Result<String> {
        use super::scalar::Scalar;
        if self.body.is_kept_as_number(place) {
            return self.body.pointer_to_store(value);
        }
        let dialect = self.body.unit.dialect;
        let narrow = self.body.scalar_of(place) == Some(Scalar::Bool)
            && dialect.stored_scalar(Scalar::Bool) != dialect.scalar(Scalar::Bool)
            && matches!(self.body.expr(place).kind, ExprKind::Member { .. });
        if !narrow {
            return self.body.assigned(value);
        }
        let printed = self.body.value(value)?;
        let is_truth = printed.ty == Some(Scalar::Bool) || printed.prec >= Prec::LogicalOr && printed.nonneg;
        Ok(if is_truth { printed.at(Prec::Assign) } else { format!("(bool){}", printed.at(Prec::Unary)) })
    }

    fn call(
        &mut self,
        dest: Option<Handle<Expr>>,
        function: Handle<accl_ir::Function>,
        args: &[Handle<Expr>],
        span: Span,
    ) -> Result<()> {
        let call = self.body.call_text(function, args, span)?;
        match dest {
            None => self.simple(&format!("{call};")),
            Some(place) => {
                let target = self.body.place(place)?.at(Prec::Unary);
                let call = if self.body.is_kept_as_number(place) { self.body.number_of(&call) } else { call };
                self.simple(&format!("{target} = {call};"))
            }
        }
    }

    /// `prefix`: "} else " in a chain.
    fn if_(&mut self, cond: Handle<Expr>, then: &Block, otherwise: &Block, prefix: &str) -> Result<()> {
        let printed = self.body.condition(cond)?;
        if then.is_empty() && !otherwise.is_empty() {
            let text = format!("{prefix}if (!{})", printed.at(Prec::Unary));
            return self.governed(&text, otherwise);
        }
        let head = format!("{prefix}if ({})", printed.text);
        if otherwise.is_empty() && prefix.is_empty() {
            return self.governed(&head, then);
        }
        self.out.line(&format!("{head} {{"));
        self.indented(then)?;
        match otherwise.as_slice() {
            [] => self.simple("}"),
            [StmtNode { kind: Stmt::If { cond, then, otherwise }, .. }] => {
                self.if_(*cond, then, otherwise, "} else ")
            }
            _ => {
                self.out.line("} else {");
                self.indented(otherwise)?;
                self.simple("}")
            }
        }
    }

    pub(super) fn indented(&mut self, block: &Block) -> Result<()> {
        self.out.indent();
        self.block(block)?;
        self.out.dedent();
        Ok(())
    }

    /// `head` and the block it governs, in braces unless it is one simple statement.
    pub(super) fn governed(&mut self, head: &str, block: &Block) -> Result<()> {
        if head.starts_with('}') || !is_simple(self.body, block) {
            self.out.line(&format!("{head} {{"));
            self.indented(block)?;
            return self.simple("}");
        }
        self.out.line(head);
        self.indented(block)
    }

    fn bare_block(&mut self, block: &Block) -> Result<()> {
        if !block.iter().any(|n| matches!(n.kind, Stmt::Declare { .. })) {
            return self.block(block);
        }
        self.out.line("{");
        self.indented(block)?;
        self.simple("}")
    }

    fn switch(&mut self, value: Handle<Expr>, cases: &[Case]) -> Result<()> {
        let value = self.body.valued(value)?.text;
        self.out.line(&format!("switch ({value}) {{"));
        for case in cases {
            self.case(case)?;
        }
        self.simple("}")
    }

    fn case(&mut self, case: &Case) -> Result<()> {
        let labels = case.values.iter().map(|v| format!("case {v}:"));
        let labels = labels.chain(case.default.then(|| "default:".to_owned())).collect::<Vec<_>>();
        // Loops may declare what they evaluate once.
        let declares = case.body.iter().any(|n| matches!(n.kind, Stmt::Declare { .. } | Stmt::For(_)));
        let (last, before) = labels
            .split_last()
            .ok_or_else(|| CodegenError::Internal("a case of a switch without a label".into()))?;
        for label in before {
            self.out.line(label);
        }
        self.out.line(&format!("{last}{}", if declares { " {" } else { "" }));
        self.indented(&case.body)?;
        if declares {
            self.out.line("}");
        } else if case.body.is_empty() {
            self.out.indent();
            self.out.line(";");
            self.out.dedent();
        }
        Ok(())
    }

    fn continue_(&mut self) -> Result<()> {
        match self.continues.last() {
            Some(Some(label)) => {
                let text = format!("goto {label};");
                self.simple(&text)
            }
            Some(None) | None => self.simple("continue;"),
        }
    }
}

/// The statement is written as exactly one statement on one line.
fn is_simple(writer: &BodyWriter, block: &Block) -> bool {
    match block.as_slice() {
        [StmtNode { kind: Stmt::Call { function, .. }, .. }] => {
            !super::stop::takes_flag(writer.unit, &writer.unit.module.functions[*function])
        }
        [StmtNode { kind, .. }] => matches!(
            kind,
            Stmt::Store { .. } | Stmt::Print { .. } | Stmt::Break | Stmt::Continue | Stmt::Return(_)
        ),
        _ => false,
    }
}
