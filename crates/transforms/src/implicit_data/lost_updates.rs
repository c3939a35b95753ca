//! A warning where a construct of OpenMP updates a scalar that no clause names, and nothing reads what the updates come to: the
//! construct has its own copy, which ends with it.

use super::Items;
use accl_analysis::data::Variable;
use accl_analysis::provenance::Root;
use accl_ir::{ExprKind, Handle, Local, Stmt, visit};
use accl_source::Diagnostic;
use accl_source::codes::transforms as codes;

impl Items<'_, '_> {
    pub(super) fn warn_of_lost_updates(&mut self, v: &Variable) {
        let Root::Local(l) = v.root else { return };
        if !self.only_updates(l) {
            return;
        }
        let name = self.name(v);
        let message = format!("updates of `{name}` are lost: without a clause it is firstprivate");
        self.cx.diagnostics.push(
            Diagnostic::warning(codes::LOST_UPDATES, message)
                .label(v.span, "updated here, in the construct's own copy")
                .with_help(format!("add `map(tofrom: {name})`, or `reduction` on the loop")),
        );
    }

    /// Whether all that the construct does with a variable is `x += …`, or `x = x + …`, whose value no other statement uses.
    fn only_updates(&self, l: Handle<Local>) -> bool {
        let (exprs, block) = (&self.body.exprs, &self.region.body);
        let names = |e| {
            let mut found = 0;
            visit::for_each_operand(exprs, e, &mut |e| {
                found += usize::from(exprs[e].kind == ExprKind::Local(l))
            });
            found
        };
        let (mut updates, mut others) = (0, 0);
        visit::for_each_stmt(block, &mut |node| {
            let all: usize = node.kind.operands().into_iter().map(|(e, _)| names(e)).sum();
            let is_update = match &node.kind {
                Stmt::Store { place, op, value } => {
                    exprs[*place].kind == ExprKind::Local(l) && (op.is_some() || names(*value) > 0)
                }
                Stmt::Atomic(atomic) => {
                    exprs[atomic.place].kind == ExprKind::Local(l) && atomic.capture.is_none()
                }
                _ => false,
            };
            match is_update {
                true => updates += 1,
                false => others += all,
            }
        });
        updates > 0 && others == 0
    }
}
