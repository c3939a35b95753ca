//! Gangs: how iterations are assigned to them (`static`), and gangs of several dimensions (OpenACC 3.3 §2.5.10,
//! §2.9.2).
//!
//! A nest of loops over the gangs of several dimensions becomes one loop over all gangs, as if it had `collapse`.
//! The gangs of dimensions that a loop does not name would repeat its iterations; they run once instead.

use super::function::Fun;
use accl_directives::{CExpr, DeviceKind, Directive, GangArgs, SizeClauses, StaticSize};
use accl_ir::{Block, HostExpr, Loop, LoopDirective, Stmt};
use accl_source::{Diagnostic, Span, codes::frontend as codes};

impl Fun<'_, '_> {
    /// The assignment matters only where a construct has several loops. There the compiler separates gangs that
    /// would use each other's results. With `*` the assignment is the compiler's choice.
    pub fn static_gangs(&mut self, size: Option<&StaticSize>, d: &Directive) {
        let Some(StaticSize::Expr(size)) = size else { return };
        if d.compute().is_some() {
            return;
        }
        let message = format!("iterations are not dealt to gangs in chunks of {}", self.text(size.span));
        self.cx.error(
            Diagnostic::warning(codes::STATIC_GANGS, message)
                .label(size.span, "another chunk is taken")
                .with_note(
                    "loops of a construct that begin and step alike are dealt alike; where others would use what another \
                     gang wrote, the construct is split, or a warning names the references",
                )
                .with_help("write `gang(static: *)` where any fixed dealing will do"),
        );
    }

    /// Notes the dimension; a gang loop without one has the first.
    pub fn gang_dimension(&mut self, dim: Option<&CExpr>, gang: bool) {
        let known = dim.map_or(Some(1), |dim| self.constant(dim));
        if let (Some(dim), None) = (dim, known) {
            let message = "the dimension of a gang must be a constant";
            let error = Diagnostic::error(codes::GANG_DIMENSION, message);
            self.cx.error(
                error.label(dim.span, "its value is not known to the compiler").with_help("write 1, 2 or 3"),
            );
        }
        self.gang_dims.extend(known.filter(|_| gang));
    }

    /// At the end of a compute construct with `num_gangs`.
    pub fn unused_gang_dimensions(&mut self, d: &Directive) {
        let view = d.clauses_for(DeviceKind::Cuda);
        let SizeClauses { num_gangs, num_workers: _, vector_length: _ } = view.sizes;
        let used = std::mem::take(&mut self.gang_dims);
        let left_out = num_gangs.iter().zip(1i64..).find(|(count, dim)| {
            num_gangs.len() > 1 && !used.contains(dim) && self.constant(count) != Some(1)
        });
        let Some((count, dim)) = left_out.filter(|_| !used.is_empty()) else { return };
        let message = format!("no loop of the construct is for the gangs of dimension {dim}");
        self.cx.error(
            Diagnostic::warning(codes::GANG_DIMENSION, message)
                .label(count.span, "this many of them")
                .with_note("iterations of its gang loops are run once, not once by each of these gangs")
                .with_help(format!("write `loop gang(dim: {dim})` around them, or give one number of gangs")),
        );
    }

    /// A loop over gangs directly inside one over gangs of a higher dimension: the iterations of both are
    /// distributed over all gangs together. Where something stands between the two, workers and lanes run the inner
    /// one.
    pub fn join_dimensions(&mut self, directive: &mut LoopDirective, body: &mut Block) {
        let Some(outer) = self.dimension_of(directive.span).filter(|_| directive.gang.is_some()) else {
            return;
        };
        let tight = is_one_loop(body);
        let Some(inner) = first_gang_loop(body) else { return };
        let Some(of) = &mut inner.directive else { return };
        if self.dimension_of(of.span).is_none_or(|dim| dim >= outer) {
            return;
        }
        let counts = [directive.gang.take(), of.gang.take()].map(Option::flatten);
        directive.gang = Some(product(counts.into_iter().flatten()));
        if tight && directive.tile.is_empty() && of.tile.is_empty() {
            directive.collapse = directive.collapse.max(1) + of.collapse.max(1);
            directive.worker = directive.worker.take().or(of.worker.take());
            directive.vector = directive.vector.take().or(of.vector.take());
            directive.private.append(&mut of.private);
            directive.reductions.append(&mut of.reductions);
            inner.directive = None;
        }
    }

    fn dimension_of(&mut self, directive: Span) -> Option<i64> {
        let pragma = self.cx.pragma_at(directive)?;
        let GangArgs { num: _, static_: _, dim } =
            pragma.directive.clauses_for(DeviceKind::Cuda).levels.gang?;
        dim.as_ref().map_or(Some(1), |dim| self.constant(dim))
    }
}

/// How many gangs of several dimensions there are.
pub fn product(counts: impl IntoIterator<Item = HostExpr>) -> Option<HostExpr> {
    counts.into_iter().reduce(|a, b| HostExpr {
        text: format!("({}) * ({})", a.text, b.text),
        span: a.span.to(b.span),
        value: a.value.zip(b.value).and_then(|(a, b)| a.checked_mul(b)),
    })
}

fn is_one_loop(block: &Block) -> bool {
    match block.as_slice() {
        [one] => match &one.kind {
            Stmt::Block(inner) => is_one_loop(inner),
            kind => matches!(kind, Stmt::For(_)),
        },
        _ => false,
    }
}

fn first_gang_loop(block: &mut Block) -> Option<&mut Loop> {
    let is_it = |l: &Loop| l.directive.as_ref().is_some_and(|d| d.gang.is_some());
    block.iter_mut().find_map(|node| match (matches!(&node.kind, Stmt::For(l) if is_it(l)), &mut node.kind) {
        (true, Stmt::For(l)) => Some(&mut **l),
        (_, other) => other.blocks_mut().into_iter().find_map(first_gang_loop),
    })
}
