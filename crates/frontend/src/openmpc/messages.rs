//! What iterations say: a message under a condition, whose text is the same in each of them, is counted, and said as often behind the
//! loop. So loops that tell of an error run on the device.
//!
//! ```text
//! if (bad) fprintf(stderr, "bad volume\n");   ->   if (bad) accl_said17++;   with   reduction(+: accl_said17)
//! ```
//!
//! The order of what different iterations say is nobody's promise, and what one iteration says comes in its order.

use super::edits::TextEdit;
use super::small_loops::is_known_before;
use super::unit::{SourceFile, ends_program};
use crate::ast::{Expr, ExprKind, Stmt, StmtKind};
use crate::lower::walk;
use std::collections::BTreeSet;

/// The messages of a loop.
#[derive(Default)]
pub struct Messages {
    /// Where the calls begin that say them.
    pub calls: BTreeSet<u32>,
    /// The numbers of times.
    pub counts: Vec<String>,
    /// The variables that name streams.
    pub streams: Vec<String>,
    /// Changes inside the loop.
    pub edits: Vec<TextEdit>,
    /// Declarations of the numbers, and what is said behind the loop.
    pub before: String,
    pub after: String,
}

/// Those of a loop that threads share.
pub fn messages(unit: &SourceFile<'_>, nest: &Stmt) -> Messages {
    let mut found = Messages::default();
    find(unit, nest, nest, false, &mut found);
    found
}

fn find(unit: &SourceFile<'_>, nest: &Stmt, s: &Stmt, is_conditional: bool, found: &mut Messages) {
    match &s.kind {
        StmtKind::Expr(e) if is_conditional => found.add(unit, nest, e),
        StmtKind::Directed { .. } => {}
        _ if ends_program(s) => {}
        kind => {
            let chooses = matches!(kind, StmtKind::If { .. } | StmtKind::Switch { .. });
            for inner in walk::children(s) {
                find(unit, nest, inner, is_conditional || chooses, found);
            }
        }
    }
}

impl Messages {
    /// The statement, if it says the same in each iteration.
    fn add(&mut self, unit: &SourceFile<'_>, nest: &Stmt, e: &Expr) {
        let Some((stream, said)) = said(e) else { return };
        let is_same = |e: &Expr| walk::is_text(e) || is_manipulator(e) || is_known_before(unit, nest, e);
        if !said.into_iter().all(is_same) {
            return;
        }
        if let Some(stream) = stream {
            let ExprKind::Var(id, name) = &walk::bare(stream).kind else { return };
            let is_outside = || unit.var(*id).is_some_and(|var| !nest.span.contains(var.span));
            let short = name.rsplit(':').next().unwrap_or(name);
            let is_of_library = matches!(short, "stderr" | "stdout" | "cerr" | "cout" | "clog");
            if !is_of_library && (!is_outside() || unit.changes(nest, *id)) {
                return;
            }
            self.streams.push(name.to_string());
        }
        let count = format!("accl_said{}", e.span.start);
        self.calls.insert(e.span.start);
        self.edits.push(TextEdit::replace(e.span.start..e.span.end, format!("{count}++")));
        self.before += &format!("long {count} = 0; ");
        self.after += &format!("for (; {count} > 0; {count}--) {}; ", unit.text(e.span));
        self.counts.push(count);
    }
}

/// The stream that an expression writes to, other than the standard output, and what it writes; `None` for other expressions.
fn said(e: &Expr) -> Option<(Option<&Expr>, Vec<&Expr>)> {
    let ExprKind::Call { callee, args } = &e.kind else { return None };
    match (walk::library_name(callee)?, &args[..]) {
        ("printf" | "puts", said) => Some((None, said.iter().collect())),
        ("fprintf", [stream, said @ ..]) | ("fputs", [said @ .., stream]) => {
            Some((Some(stream), said.iter().collect()))
        }
        ("operator<<", [left, right]) => {
            let (stream, mut said) = said(walk::bare(left)).unwrap_or((Some(left), vec![]));
            said.push(right);
            Some((stream, said))
        }
        _ => None,
    }
}

/// `std::endl`, `std::flush`.
fn is_manipulator(e: &Expr) -> bool {
    walk::library_name(e).is_some_and(|name| matches!(name, "endl" | "flush"))
}
