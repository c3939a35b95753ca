//! What the pointers of a loop lead to: whether residency can bring it to the device.
//!
//! A pointer variable leads to an object that the runtime knows, or the host runs the loop. Pointers in memory are followed where
//! the types say where all of them lie: arrays of pointers to data, such as `float **rows` and `float *rows[N]`, and of pointers to
//! such arrays (`float ***`), which the loop only reads. Of all others nobody knows which they are.

use super::WhyNot;
use super::unit::SourceFile;
use crate::ast::{DeclId, Expr, ExprKind, Stmt, Ty};
use crate::lower::walk;
use accl_source::Span;
use std::collections::{BTreeMap, BTreeSet};

/// Asks the runtime whether it knows what a pointer leads to. Of memory on a stack it does not: the host runs such a loop.
pub const IS_KNOWN: &str = "accl_is_known";
/// The same of everything that an array of pointers leads to.
pub const ROWS_ARE_KNOWN: &str = "accl_rows_are_known";

/// Which pointers of a loop may lead to the device's memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pointers {
    /// None: nothing says how much lies behind one.
    None,
    /// Variables, for which data clauses are written later.
    Named,
    /// Those in memory, too: the running program finds what they lead to.
    Followed,
}

/// What the runtime is asked before the loop.
pub fn known(unit: &SourceFile<'_>, body: &Stmt, copies: &[&str]) -> Vec<String> {
    if unit.pointers == Pointers::Named {
        return vec![];
    }
    let used = unit.used(body);
    let is_fixed = |id: DeclId, name: &str| !unit.changes(body, id) && !copies.contains(&name);
    let pointers = used.iter().filter(|(id, name, _)| unit.is_pointer(*id) && is_fixed(*id, name));
    let asked = pointers.map(|(_, name, _)| format!("{IS_KNOWN}({name})"));
    let arrays = tables(unit, body).into_iter().map(|(text, (levels, is_array))| {
        let bytes = if is_array { format!("sizeof({text})") } else { "0".into() };
        format!("{ROWS_ARE_KNOWN}({text}, {bytes}, {levels})")
    });
    asked.chain(arrays).collect()
}

/// A pointer that nobody could bring to the device: one in memory, and without residency any.
pub fn check(unit: &SourceFile<'_>, body: &Stmt) -> Result<(), WhyNot> {
    if unit.pointers == Pointers::None
        && let Some((.., span)) = unit.used(body).into_iter().find(|(id, ..)| unit.is_pointer(*id))
    {
        let why = "nobody knows how much lies behind a pointer without `-gpu=autodata`";
        return Err(WhyNot::new(span, why.into()));
    }
    let rows = tables(unit, body).into_keys().next();
    if unit.pointers == Pointers::Named
        && let Some(name) = rows
    {
        return Err(WhyNot::new(
            body.span,
            format!("`{name}` is an array of pointers, which data clauses cannot copy"),
        ));
    }
    let found = whole_structure(unit, body).or_else(|| not_followed(unit, body));
    match found {
        Some(span) => Err(WhyNot::new(span, "it follows pointers that lie in memory".into())),
        None => stored(unit, body).map_or(Ok(()), |span| {
            Err(WhyNot::new(span, "it writes pointers into memory from which others are followed".into()))
        }),
    }
}

/// A pointer in memory that is followed from none of the arrays that residency can follow.
fn not_followed(unit: &SourceFile<'_>, body: &Stmt) -> Option<Span> {
    let mut found = None;
    let fixed = fixed_variables(unit, body);
    unit.each_reached(body, &mut |s| {
        let here = unit.pointers == Pointers::Followed && std::ptr::eq(s, body);
        walk::exprs(s, &mut |e| {
            if !e.place || !matches!(&*e.ty.ty, Ty::Pointer { .. }) {
                return;
            }
            let follows = match &e.kind {
                ExprKind::Index { base, .. } | ExprKind::Deref(base) => {
                    let of = levels(unit, &base.ty.ty).or_else(|| levels(unit, &walk::bare(base).ty.ty));
                    of.is_some() && is_array_of_pointers(base)
                }
                ExprKind::Member { base, .. } => here && is_fixed(base, &fixed),
                _ => true,
            };
            if !follows {
                found = found.or(Some(e.span));
            }
        });
    });
    found
}

/// Where a pointer is written into memory, in a loop that follows pointers from there.
fn stored(unit: &SourceFile<'_>, body: &Stmt) -> Option<Span> {
    let (mut loads, mut found) = (false, None);
    unit.each_reached(body, &mut |s| {
        walk::exprs(s, &mut |e| {
            let is_element = matches!(e.kind, ExprKind::Index { .. } | ExprKind::Deref(_));
            loads |= e.place && is_element && matches!(&*e.ty.ty, Ty::Pointer { .. });
            let (ExprKind::Assign { place, .. }
            | ExprKind::CompoundAssign { place, .. }
            | ExprKind::Step { operand: place, .. }) = &e.kind
            else {
                return;
            };
            let is_variable = matches!(walk::same_place(place).kind, ExprKind::Var(..));
            if !is_variable && unit.type_holds_pointers(&place.ty.ty) {
                found = found.or(Some(e.span));
            }
        });
    });
    found.filter(|_| loads)
}

/// What a place is found from is a variable, or a pointer in a structure: not an array in one, which lies there with what else it has.
fn is_array_of_pointers(base: &Expr) -> bool {
    let base = walk::bare(base);
    match &base.kind {
        ExprKind::Var(..) => true,
        ExprKind::Member { .. } => matches!(&*base.ty.ty, Ty::Pointer { .. }),
        ExprKind::Index { base, .. } | ExprKind::Deref(base) => is_array_of_pointers(base),
        ExprKind::Binary { left, right, .. } => is_array_of_pointers(left) || is_array_of_pointers(right),
        _ => false,
    }
}

fn fixed_variables(unit: &SourceFile<'_>, body: &Stmt) -> BTreeSet<DeclId> {
    unit.used(body).into_iter().map(|(id, ..)| id).filter(|id| !unit.changes(body, *id)).collect()
}

fn is_fixed(base: &Expr, fixed: &BTreeSet<DeclId>) -> bool {
    match &walk::bare(base).kind {
        ExprKind::Var(id, _) => fixed.contains(id),
        ExprKind::This => true,
        _ => false,
    }
}

/// The arrays of pointers that a loop names, each as it is written: its levels of pointers, and whether it is an array by itself.
fn tables(unit: &SourceFile<'_>, body: &Stmt) -> BTreeMap<String, (u32, bool)> {
    let mut found = BTreeMap::new();
    let outside: BTreeSet<DeclId> = unit.used(body).into_iter().map(|(id, ..)| id).collect();
    walk::exprs(body, &mut |e| {
        let named = match &e.kind {
            ExprKind::Var(id, _) => outside.contains(id),
            ExprKind::Member { base, .. } => is_fixed(base, &outside),
            _ => false,
        };
        if named && let Some(levels) = levels(unit, &e.ty.referred().ty) {
            let is_array = matches!(&*e.ty.referred().ty, Ty::Array { .. });
            found.insert(unit.text(e.span).to_owned(), (levels, is_array));
        }
    });
    found
}

/// How many levels of pointers lie in the memory of an array, or in that behind a pointer, where it is one or two, and no pointers behind.
fn levels(unit: &SourceFile<'_>, ty: &Ty) -> Option<u32> {
    let mut at = match ty {
        Ty::Pointer { to, .. } => to,
        Ty::Array { of, .. } => of,
        _ => return None,
    };
    let mut levels = 0;
    loop {
        at = match &*at.ty {
            Ty::Array { of, .. } if levels == 0 => of,
            Ty::Pointer { to, .. } => {
                levels += 1;
                to
            }
            _ => break,
        };
    }
    (matches!(levels, 1 | 2) && !unit.type_holds_pointers(&at.ty)).then_some(levels)
}

/// Where a structure with pointers is used as a whole, so that nobody sees which of them are followed.
fn whole_structure(unit: &SourceFile<'_>, body: &Stmt) -> Option<Span> {
    let mut found = None;
    for (id, _, span) in unit.used(body) {
        let Some(var) = unit.var(id) else { continue };
        let Ty::Record(record) = &*var.ty.referred().ty else { continue };
        let mut members = 0;
        walk::exprs(body, &mut |e| {
            if let ExprKind::Member { base, arrow: false, .. } = &e.kind {
                members +=
                    usize::from(matches!(walk::same_place(base).kind, ExprKind::Var(of, _) if of == id));
            }
        });
        if members < unit.mentions(body, id) && unit.holds_pointers(*record) {
            found = found.or(Some(span));
        }
    }
    found
}
