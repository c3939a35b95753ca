//! Which section holds all that several constructs use of an array.

use super::Constructs;
use crate::ast::{DeclId, Expr, ExprKind, Function, Len, Stmt, StmtKind, Storage, Ty, Var};
use crate::lower::walk;
use crate::openmpc::SourceFile;
use std::collections::BTreeSet;

/// A section, or `None` for the whole variable.
pub type SectionText = Option<(String, String)>;

/// The whole object of a variable, where its type or its allocation tells how large it is.
/// `visible`: the variables that can be named where the section is to be written.
pub fn whole(constructs: &Constructs<'_>, id: DeclId, visible: &BTreeSet<DeclId>) -> Option<SectionText> {
    let var = constructs.unit.var(id)?;
    match &*var.ty.ty {
        Ty::Array { .. } => Some(None),
        Ty::Pointer { .. } => allocated(constructs, id, visible)
            .or_else(|| handed_on(constructs, id, DEPTH))
            .map(|length| Some(("0".to_owned(), length))),
        _ => None,
    }
}

/// Callers of callers are looked at so far.
const DEPTH: usize = 6;

/// The number of elements of what all callers give for a parameter, in numbers and variables of the file.
fn handed_on(constructs: &Constructs<'_>, id: DeclId, depth: usize) -> Option<String> {
    let (unit, depth) = (constructs.unit, depth.checked_sub(1)?);
    let mut functions = unit.program.functions.iter().filter(|f| f.body.is_some());
    let (function, at) = functions.find_map(|f| Some((f, f.params.iter().position(|p| p.id == id)?)))?;
    let known = unit.is_whole_program || crate::openmpc::is_internal(unit, function);
    if !known || walk::may_change(function.body.as_ref()?, id) {
        return None;
    }
    let Ty::Pointer { to, .. } = &*unit.var(id)?.ty.ty else { return None };
    let globals =
        unit.program.globals.iter().filter(|var| !unit.is_in_function(var)).map(|var| var.id).collect();
    let mut lengths = unit.calls_of(function.id).iter().map(|(_, args)| {
        let given = super::distinct::plain_variable(args.get(at)?)?;
        match &*unit.var(given)?.ty.ty {
            Ty::Array { of, len: Len::Const(length) } if of.ty == to.ty => Some(length.to_string()),
            Ty::Pointer { .. } => {
                allocated(constructs, given, &globals).or_else(|| handed_on(constructs, given, depth))
            }
            _ => None,
        }
    });
    let first = lengths.next()??;
    lengths.all(|length| length.as_ref() == Some(&first)).then_some(first)
}

/// The number of elements that the only allocation of a pointer asks for, of values that never change.
fn allocated(constructs: &Constructs<'_>, id: DeclId, visible: &BTreeSet<DeclId>) -> Option<String> {
    let unit = constructs.unit;
    let mut values = values(unit, id)?;
    let ExprKind::Call { callee, args } = &walk::bare(values.pop().filter(|_| values.is_empty())?).kind
    else {
        return None;
    };
    let mut factors = vec![];
    match (walk::library_name(callee)?, &args[..]) {
        ("malloc", [bytes]) => each_factor(bytes, &mut factors),
        ("calloc", [count, size]) => {
            each_factor(count, &mut factors);
            each_factor(size, &mut factors);
        }
        ("aligned_alloc", [_, bytes]) => each_factor(bytes, &mut factors),
        _ => return None,
    }
    let Ty::Pointer { to, .. } = &*unit.var(id)?.ty.ty else { return None };
    let is_size = |e: &&Expr| matches!(&walk::bare(e).kind, ExprKind::SizeOf(ty) if ty.ty == to.ty);
    let size = factors.iter().position(is_size)?;
    factors.remove(size);
    let fixed = factors.iter().all(|e| is_fixed(unit, e, visible));
    let texts: Vec<String> = factors.iter().map(|e| factor_text(unit, e)).collect();
    (fixed && !texts.is_empty() && texts.iter().all(|text| !text.is_empty())).then(|| texts.join(" * "))
}

fn factor_text(unit: &SourceFile<'_>, e: &Expr) -> String {
    // An enumerator may be known in another function alone.
    if let Some(number) = unit.constant(e) {
        return number.to_string();
    }
    let text = unit.text(e.span).trim();
    let is_word = text.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '.');
    let is_enclosed = text.starts_with('(') && text.ends_with(')');
    if is_word || is_enclosed { text.to_owned() } else { format!("({text})") }
}

fn each_factor<'e>(e: &'e Expr, found: &mut Vec<&'e Expr>) {
    match &walk::bare(e).kind {
        ExprKind::Binary { op: crate::ast::BinaryOp::Mul, left, right } => {
            each_factor(left, found);
            each_factor(right, found);
        }
        _ => found.push(walk::bare(e)),
    }
}

/// The expression can be written there, and has one value as long as the program runs.
fn is_fixed(unit: &SourceFile<'_>, e: &Expr, visible: &BTreeSet<DeclId>) -> bool {
    let mut fixed = true;
    walk::within(e, &mut |e| match &e.kind {
        ExprKind::Var(id, _) => {
            let bodies = unit.program.functions.iter().filter_map(|f| f.body.as_ref());
            fixed &= visible.contains(id)
                && unit.is_scalar(*id)
                && !bodies.into_iter().any(|body| walk::may_change(body, *id));
        }
        ExprKind::Call { .. } | ExprKind::Index { .. } | ExprKind::Deref(_) | ExprKind::Member { .. } => {
            fixed = false
        }
        _ => {}
    });
    fixed
}

/// What is assigned to a pointer, anywhere in the file; `None` where it may get other values, too.
pub fn values<'a>(unit: &SourceFile<'a>, id: DeclId) -> Option<Vec<&'a Expr>> {
    let var = unit.var(id).filter(|var| var.storage != Storage::Param)?;
    // Other files may name it.
    if var.link_name.is_some() && !unit.is_whole_program && !is_internal(unit, var) {
        return None;
    }
    let mut values: Vec<&'a Expr> = var.init.iter().collect();
    let (mut changes, mut assigned) = (0, 0);
    for body in unit.program.functions.iter().filter_map(|f| f.body.as_ref()) {
        walk::each_change(body, &mut |changed, _| changes += usize::from(changed == id));
        walk::exprs(body, &mut |e| {
            if let ExprKind::Assign { place, value } = &e.kind
                && matches!(walk::same_place(place).kind, ExprKind::Var(of, _) if of == id)
            {
                assigned += 1;
                values.push(value);
            }
        });
        if walk::addressed(body).contains(&id) {
            return None;
        }
    }
    // A null pointer leads nowhere.
    values.retain(|e| !matches!(walk::bare(e).kind, ExprKind::Int(0)));
    (changes <= assigned + usize::from(var.init.is_some())).then_some(values)
}

fn is_internal(unit: &SourceFile<'_>, var: &Var) -> bool {
    let before = &unit.buffer[..var.span.start as usize];
    let declaration = before.rfind([';', '}', '\n']).map_or(before, |at| &before[at + 1..]);
    declaration.split_whitespace().any(|word| word == "static")
}

/// The variables that can be named at a place of a function.
pub fn visible(unit: &SourceFile<'_>, function: &Function, at: u32) -> BTreeSet<DeclId> {
    let mut found: BTreeSet<DeclId> = function.params.iter().map(|var| var.id).collect();
    let locals = |var: &&Var| !unit.is_in_function(var);
    found.extend(unit.program.globals.iter().filter(locals).map(|var| var.id));
    if let Some(body) = &function.body {
        declared_around(body, at, &mut found);
    }
    found
}

fn declared_around(s: &Stmt, at: u32, found: &mut BTreeSet<DeclId>) {
    for inner in walk::children(s) {
        match &inner.kind {
            StmtKind::Decl(vars) if inner.span.end <= at => found.extend(vars.iter().map(|var| var.id)),
            _ if inner.span.start < at && at < inner.span.end => declared_around(inner, at, found),
            _ => {}
        }
    }
}

/// A section that holds all sections; `None` where there is none that can be written down.
pub fn hull(sections: &[&SectionText]) -> Option<SectionText> {
    let (first, rest) = sections.split_first()?;
    if rest.iter().all(|other| other == first) {
        return Some((*first).clone());
    }
    let mut lowest: Option<i64> = None;
    let mut ends: Vec<String> = vec![];
    for section in sections {
        let (lower, length) = section.as_ref()?;
        let lower: i64 = lower.trim().parse().ok().filter(|n| *n >= 0)?;
        lowest = Some(lowest.map_or(lower, |low| low.min(lower)));
        let end = if lower == 0 { length.clone() } else { format!("({length}) + {lower}") };
        if !ends.contains(&end) {
            ends.push(end);
        }
    }
    let lowest = lowest?;
    let most = ends.into_iter().reduce(|a, b| format!("(({a}) > ({b}) ? ({a}) : ({b}))"))?;
    let length = if lowest == 0 { most } else { format!("({most}) - {lowest}") };
    // What nobody could read is no port.
    (length.len() < 160).then(|| Some((lowest.to_string(), length)))
}

/// The variables that a section's expressions name, as far as the program has any of that name.
pub fn names_in(constructs: &Constructs<'_>, section: &SectionText, within: &Stmt) -> BTreeSet<DeclId> {
    let Some((lower, length)) = section else { return BTreeSet::new() };
    let text = format!("{lower} {length}");
    let words: BTreeSet<&str> = text.split(|c: char| !c.is_alphanumeric() && c != '_').collect();
    let mut found = BTreeSet::new();
    walk::exprs(within, &mut |e| {
        if let ExprKind::Var(id, name) = &e.kind
            && words.contains(&**name)
        {
            found.insert(*id);
        }
    });
    let globals = constructs.unit.program.globals.iter();
    found.extend(globals.filter(|var| words.contains(&*var.name)).map(|var| var.id));
    found
}

/// Whether a statement declares the variable.
pub fn declares(s: &Stmt, id: DeclId) -> bool {
    match &s.kind {
        StmtKind::Decl(vars) => vars.iter().any(|var| var.id == id),
        _ => {
            let mut found = false;
            walk::vars(s, &mut |var| found |= var.id == id);
            found
        }
    }
}
