//! A loop whose iterations have large arrays for themselves, written anew with rows of arrays in the device's memory (`scratch`).

use super::canonical::canonical;
use super::edits::TextEdit;
use super::kernel::Conditions;
use super::same_pattern;
use super::scratch::Scratch;
use super::unit::SourceFile;
use crate::ast::{DeclId, Stmt, StmtKind};
use accl_ir::ROWS;

/// How many rows there are to be, for so many iterations with so many bytes each.
pub const COUNT: &str = "accl_count_rows";
/// Memory for rows, with a copy of what the program has there.
pub const MAKE: &str = "accl_make_rows";
pub const FREE: &str = "accl_free_rows";

pub struct Rows {
    /// Statements before the directive and behind the loop, in one block.
    pub before: String,
    pub after: String,
    pub clauses: Vec<String>,
    pub edits: Vec<TextEdit>,
}

/// `joined`: how many loops are one; another may join them. `own`: variables that each thread has for itself. `conditions`: without which the host runs it.
pub fn rows(
    unit: &SourceFile<'_>,
    arrays: &[Scratch],
    outer: &Stmt,
    joined: usize,
    conditions: &Conditions,
    own: &dyn Fn(DeclId) -> bool,
) -> Option<Rows> {
    let mut nest = vec![canonical(unit, outer)?];
    for _ in 1..joined {
        let inner = only_statement(nest.last()?.body);
        nest.push(canonical(unit, inner)?);
    }
    if let ([outer], Some(inner)) = (&nest[..], canonical(unit, only_statement(nest[0].body))) {
        let ids = arrays.iter().map(|array| array.id).collect();
        if !arrays.iter().any(|array| array.has_value)
            && same_pattern::is_parallel(unit, outer, &inner, &ids, own)
        {
            nest.push(inner);
        }
    }
    let innermost = nest.last()?.body;
    let mut before = String::new();
    for (at, l) in nest.iter().enumerate() {
        before += &format!("long accl_trips{at} = {}; ", l.trips(unit));
        before += &format!("if (accl_trips{at} < 0) accl_trips{at} = 0; ");
    }
    let all: Vec<String> = (0..nest.len()).map(|at| format!("accl_trips{at}")).collect();
    before += &format!("const long accl_trips = {}; ", all.join(" * "));
    let sizes: Vec<String> =
        arrays.iter().map(|a| format!("{} * sizeof({})", a.length(), a.element)).collect();
    let [of_threads, of_device] = conditions.parts().map(|part| part.unwrap_or_else(|| "1".into()));
    let count = format!("{COUNT}(accl_trips, {}, {of_device})", sizes.join(" + "));
    let count = if of_threads == "1" { count } else { format!("({of_threads}) ? {count} : 1") };
    before += &format!("const long accl_slots = {count};");
    let mut made = Rows { before, after: String::new(), clauses: vec![], edits: vec![] };
    let mut inside = String::new();
    for (array, size) in arrays.iter().zip(&sizes) {
        one_array(array, size, &mut made, &mut inside);
    }
    let mut header = format!("for (long accl_slot = 0; accl_slot < accl_slots; accl_slot++) {{{inside}");
    header += " for (long accl_it = accl_slot; accl_it < accl_trips; accl_it += accl_slots) {";
    for (at, l) in nest.iter().enumerate() {
        let inner: Vec<&String> = all[at + 1..].iter().collect();
        let divided = inner.iter().fold("accl_it".to_owned(), |text, trips| format!("({text} / {trips})"));
        let number = if at == 0 { divided } else { format!("({divided} % accl_trips{at})") };
        header += &format!(" {} {} = {};", l.type_text, l.name, l.value(unit, &number));
    }
    // Lines keep their numbers.
    let lines = unit.buffer[outer.span.start as usize..innermost.span.start as usize].matches('\n').count();
    header += &"\n".repeat(lines);
    made.edits.push(TextEdit::replace(outer.span.start..innermost.span.start, header));
    let lines = unit.buffer[innermost.span.end as usize..outer.span.end as usize].matches('\n').count();
    let end = format!(" }} }}{}", "\n".repeat(lines));
    made.edits.push(TextEdit::replace(innermost.span.end..outer.span.end, end));
    Some(made)
}

fn one_array(array: &Scratch, size: &str, made: &mut Rows, inside: &mut String) {
    let Scratch { name, element, extents, has_value, .. } = array;
    made.before += &format!(
        " {element} (*__restrict__ {ROWS}{name}){extents} = \
         ({element} (*){extents}){MAKE}(accl_slots * ({size}), (const void *)0);"
    );
    made.clauses.push(format!("map(alloc: {ROWS}{name}[0:accl_slots])"));
    // `T a[m][n]` is used through a pointer to its first row.
    let inner = extents.find(']').map_or("", |at| &extents[at + 1..]);
    let row = |name: &str| match inner.is_empty() {
        true => format!("{element} *{name}"),
        false => format!("{element} (*{name}){inner}"),
    };
    *inside += &format!(" {} = {ROWS}{name}[accl_slot];", row(name));
    if *has_value {
        let length = array.length();
        made.before += &format!(" {element} *accl_from_{name} = ({element} *){MAKE}({size}, {name});");
        made.clauses.push(format!("map(to: accl_from_{name}[0:{length}])"));
        *inside += &format!(
            " {element} *accl_row_{name} = ({element} *){name}; \
             for (long accl_at = 0; accl_at < {length}; accl_at++) \
             accl_row_{name}[accl_at] = accl_from_{name}[accl_at];"
        );
        made.after += &format!(" {FREE}(accl_from_{name}, {size});");
    }
    made.after += &format!(" {FREE}({ROWS}{name}, accl_slots * ({size}));");
}

/// The statement of a block that has one.
fn only_statement(s: &Stmt) -> &Stmt {
    match &s.kind {
        StmtKind::Compound(items) if items.len() == 1 => only_statement(&items[0]),
        _ => s,
    }
}
