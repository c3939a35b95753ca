//! Loops of constructs over iterators that are objects (OpenMP 5.2 §4.4.1: random access iterators): they become loops over numbers, and
//! each iteration has its own iterator, so many steps from the first.
//!
//! ```text
//! for (It i = a.begin(); i != a.end(); ++i)    for (long n = 0; n < (long)((a.end()) - (a.begin())); n++)
//!     body                                        { It i = a.begin(); i += n; body }
//! for (auto &v : range)                        for (long n = 0; n < (long)((range).end() - (range).begin()); n++)
//!     body                                        { auto &&r = range; auto i = r.begin(); i += n; auto &v = *i; body }
//! ```
//!
//! Clang, which reads the result, decides whether it is right: iterators that cannot take many steps at once are left as they are.

use super::{Edits, edited, first_after, is_compute};
use crate::ast::{Expr, ExprKind, Program, Stmt, StmtKind, Ty, Var};
use crate::bind::is_inside;
use crate::lower::walk;
use crate::pragmas::Pragma;
use crate::resolve::tile;
use crate::resolve::words::{Word, closing, text_of, words};

/// The buffer with such loops; `None`: there are none.
pub fn written_out(buffer: &str, program: &Program, pragmas: &[Pragma]) -> Option<String> {
    let mut edits = Edits::new();
    for body in program.functions.iter().filter_map(|f| f.body.as_ref()) {
        let of_body: Vec<&Pragma> = pragmas.iter().filter(|p| is_inside(body.span, p.span)).collect();
        let compute = of_body.iter().filter(|p| is_compute(p));
        let constructs: Vec<&Stmt> = compute.filter_map(|p| first_after(body, p.span.end)).collect();
        for pragma in of_body {
            let Some(found) = first_after(body, pragma.span.end) else { continue };
            if constructs.iter().any(|c| c.span.start <= found.span.start && found.span.end <= c.span.end)
                && let Some((header, around, end)) = counted(buffer, found)
            {
                edits.insert(header, around);
                edits.insert((end, end), "}".into());
            }
        }
    }
    edited(buffer, &edits)
}

/// Where the header stands, what becomes of it, with the bracket of a new body, and where that ends.
fn counted(buffer: &str, found: &Stmt) -> Option<((usize, usize), String, usize)> {
    let start = found.span.start as usize;
    let all: Vec<Word<'_>> =
        words(buffer, start).take_while(|w| w.range.start < found.span.end as usize).collect();
    let close = closing(&all, 1)?;
    let (count, first) = match &found.kind {
        StmtKind::For { init: Some(init), body, .. } if !body.span.is_nowhere() => {
            let StmtKind::Decl(vars) = &init.kind else { return None };
            let [var] = &vars[..] else { return None };
            if !is_object(var) || changes(var) {
                return None;
            }
            let l = tile::header(buffer, &all, 2..close).ok().filter(|l| l.declared)?;
            let number = format!("accl_number_{start}");
            let steps = match &*l.step {
                "1" => number.clone(),
                step => format!("{number} * ({step})"),
            };
            let first =
                format!("{} {} = {}; {} {}= {steps};", l.ty, l.variable, l.lower, l.variable, l.sign());
            (l.steps(), first)
        }
        StmtKind::RangeFor { setup, .. } => {
            let declared = setup.iter().filter_map(|s| match &s.kind {
                StmtKind::Decl(vars) => vars.first(),
                _ => None,
            });
            let [range, begin, _] = declared.collect::<Vec<_>>().try_into().ok()?;
            if !is_object(begin) || changes(range) || calls(range) {
                return None;
            }
            let colon = (2..close).find(|at| all[*at].text == ":")?;
            let range = text_of(buffer, &all, colon + 1..close);
            let is_member = matches!(&begin.init.as_ref()?.kind,
                ExprKind::Call { callee, .. } if matches!(callee.kind, ExprKind::Member { .. }));
            let of = |range: &str, name: &str| match is_member {
                true => format!("({range}).{name}()"),
                false => format!("{name}({range})"),
            };
            let count = format!("(long)({} - {})", of(range, "end"), of(range, "begin"));
            let begin = of(&format!("accl_range_{start}"), "begin");
            let declared = text_of(buffer, &all, 2..colon);
            let first = format!(
                "auto &&accl_range_{start} = {range}; auto accl_place_{start} = {begin}; accl_place_{start} += accl_number_{start}; {declared} = *accl_place_{start};"
            );
            (count, first)
        }
        _ => return None,
    };
    let header = (start, all[close].range.end);
    let lines = "\n".repeat(buffer[header.0..header.1].matches('\n').count());
    let number = format!("accl_number_{start}");
    let text = format!("for (long {number} = 0; {number} < {count}; {number}++) {{ {first}{lines}");
    Some((header, text, all.last()?.range.end))
}

/// Its initialiser calls what may do something.
fn calls(var: &Var) -> bool {
    let mut found = false;
    let calls = |e: &Expr| matches!(e.kind, ExprKind::Call { .. });
    var.init.iter().for_each(|init| walk::within(init, &mut |e| found |= calls(e)));
    found
}

fn is_object(iterator: &Var) -> bool {
    matches!(*iterator.ty.ty, Ty::Record(_))
}

/// Its initialiser, which each iteration evaluates, does something.
fn changes(var: &Var) -> bool {
    let mut found = false;
    var.init.iter().for_each(|init| {
        walk::within(init, &mut |e| {
            found |= matches!(
                e.kind,
                ExprKind::Assign { .. } | ExprKind::CompoundAssign { .. } | ExprKind::Step { .. }
            );
        });
    });
    found
}
