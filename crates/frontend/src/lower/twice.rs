//! A variable that stands in several data clauses of one directive.
//!
//! OpenACC 3.3 §2.7 allows a variable in one clause. Some programs have two all the same (`create(a) copyout(a)`),
//! and other compilers process one clause after the other. At the entry the first clause finds the variable absent
//! and makes it present, so it decides what is copied in. At the exit the last clause finds it no longer in use, so
//! it decides what is copied out. One item with these two halves means the same. The parser has warned.
//!
//! Different sections of one variable are different items. A compute construct gets the section that covers them, if that is
//! known and copies nothing that the user did not name; otherwise its kernels reach all of them from one address, which the
//! runtime makes so.

use super::Lowered;
use accl_ir::{DataItem, DataKind, HostExpr, SectionDim, TypeKind, Types};
use accl_source::{Diagnostic, codes};
use std::collections::HashMap;

/// What happens to a variable's contents at one end of a construct.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Entry {
    Copy,
    Allocate,
    /// It must be present, or may be.
    Expect(DataKind),
}

/// Where the data of a directive's items end.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Ends {
    /// With the construct, whose kernels use them.
    Compute,
    /// With the construct or the scope.
    Structured,
    /// Elsewhere, or at the directive itself: enter data, exit data.
    Dynamic,
}

/// One item for each section.
pub fn merge(types: &Types, items: Vec<DataItem>, ends: Ends) -> Lowered<Vec<DataItem>> {
    let mut merged: Vec<DataItem> = Vec::new();
    let mut known: HashMap<String, Vec<usize>> = HashMap::new();
    for item in items {
        let of_variable = known.entry(item.base.split_whitespace().collect()).or_default();
        if !moves(item.kind) {
            merged.push(item);
            continue;
        }
        let joins = |other: &&usize| join(types, &mut merged[**other], &item, ends);
        if of_variable.iter().find(joins).is_none() {
            of_variable.push(merged.len());
            merged.push(item);
        }
    }
    if ends == Ends::Compute {
        for of_variable in known.values().filter(|sections| sections.len() > 1) {
            if of_variable.iter().any(|at| merged[*at].compression.is_some()) {
                return Err(Box::new(two_sections(&merged[of_variable[0]], &merged[of_variable[1]])));
            }
            of_variable.iter().for_each(|at| merged[*at].flags.one_place = true);
        }
    }
    Ok(merged)
}

/// `attach` says how a pointer is set, and nothing about what it points to.
fn moves(kind: DataKind) -> bool {
    match kind {
        DataKind::Copy
        | DataKind::Copyin
        | DataKind::Copyout
        | DataKind::Create
        | DataKind::NoCreate
        | DataKind::Present
        | DataKind::Delete => true,
        DataKind::Deviceptr
        | DataKind::Attach
        | DataKind::Detach
        | DataKind::UpdateSelf
        | DataKind::UpdateDevice
        | DataKind::UseDevice => false,
    }
}

fn same_section(a: &DataItem, b: &DataItem) -> bool {
    let text = |e: &Option<HostExpr>| {
        e.as_ref().map(|e| match e.value {
            Some(value) => value.to_string(),
            None => e.text.split_whitespace().collect(),
        })
    };
    // A missing lower bound is 0.
    let lower = |d: &SectionDim| text(&d.lower).unwrap_or_else(|| "0".into());
    let same =
        |(a, b): (&SectionDim, &SectionDim)| lower(a) == lower(b) && text(&a.length) == text(&b.length);
    a.section.len() == b.section.len() && a.section.iter().zip(&b.section).all(same)
}

/// Makes one item of both: always if they have the same section, and in a compute construct if a section that covers them says
/// what the user said. False where they stay two.
fn join(types: &Types, first: &mut DataItem, again: &DataItem, ends: Ends) -> bool {
    let kind = match ends {
        // When the next clause finds nothing, the first one that copies out has done so already.
        Ends::Dynamic if [first.kind, again.kind].contains(&DataKind::Copyout) => DataKind::Copyout,
        Ends::Dynamic => first.kind,
        Ends::Compute | Ends::Structured => both(first.kind, again.kind),
    };
    if !same_section(first, again) {
        let Some(wider) = cover(types, first, again).filter(|_| ends == Ends::Compute) else { return false };
        // What is not copied in must not be copied out unless the user says so.
        if kind == DataKind::Copyout && !same_section(&wider, again) {
            return false;
        }
        *first = wider;
    }
    first.kind = kind;
    first.flags.readonly &= again.flags.readonly;
    first.flags.always_in |= again.flags.always_in;
    first.flags.always_out |= again.flags.always_out;
    first.flags.must_be_present |= again.flags.must_be_present;
    first.flags.finalize |= again.flags.finalize;
    first.compression = first.compression.take().or(again.compression.clone());
    true
}

/// The entry of the first clause, and the exit of the last.
fn both(first: DataKind, last: DataKind) -> DataKind {
    // Where the variable is absent this clause does nothing, so the other one decides.
    if first == DataKind::NoCreate {
        return last;
    }
    if last == DataKind::NoCreate {
        return first;
    }
    let out = matches!(last, DataKind::Copy | DataKind::Copyout);
    match (entry(first), out) {
        (Entry::Copy, true) => DataKind::Copy,
        (Entry::Copy, false) => DataKind::Copyin,
        (Entry::Allocate, true) => DataKind::Copyout,
        (Entry::Allocate, false) => DataKind::Create,
        // The clause that made it present ends its presence.
        (Entry::Expect(kind), _) => kind,
    }
}

fn entry(kind: DataKind) -> Entry {
    match kind {
        DataKind::Copy | DataKind::Copyin => Entry::Copy,
        DataKind::Copyout | DataKind::Create => Entry::Allocate,
        DataKind::NoCreate
        | DataKind::Present
        | DataKind::Delete
        | DataKind::Deviceptr
        | DataKind::Attach
        | DataKind::Detach
        | DataKind::UpdateSelf
        | DataKind::UpdateDevice
        | DataKind::UseDevice => Entry::Expect(kind),
    }
}

/// The section that covers both. The whole variable covers each of its parts; a pointer alone names no section.
fn cover(types: &Types, first: &DataItem, again: &DataItem) -> Option<DataItem> {
    let pointer = matches!(types.kind(first.ty), TypeKind::Pointer { .. });
    let wider = match (first.section.is_empty(), again.section.is_empty()) {
        (true, true) => return Some(first.clone()),
        (true, false) => Some(pointer),
        (false, true) => Some(!pointer),
        (false, false) => None,
    };
    if let Some(again_is_wider) = wider {
        let wider = if again_is_wider { again } else { first };
        return Some(DataItem { section: wider.section.clone(), name: wider.name.clone(), ..first.clone() });
    }
    let (lower, length) = hull(&first.section, &again.section)?;
    let number = |n: i64| HostExpr::constant(n, first.span);
    let rest = first.section[1..].to_vec();
    let outer = SectionDim { lower: (lower != 0).then(|| number(lower)), length: Some(number(length)) };
    let section = std::iter::once(outer).chain(rest).collect();
    Some(DataItem { section, name: format!("{}[{lower}:{length}]", first.base), ..first.clone() })
}

/// The union of sections that differ only in the first dimension, by constants.
fn hull(a: &[SectionDim], b: &[SectionDim]) -> Option<(i64, i64)> {
    let (([a, inner @ ..], [b, other @ ..]), true) = ((a, b), a.len() == b.len()) else { return None };
    let text = |dims: &[SectionDim]| format!("{:?}", dims.iter().map(shown).collect::<Vec<_>>());
    if text(inner) != text(other) {
        return None;
    }
    let ends = |d: &SectionDim| {
        let lower = d.lower.as_ref().map_or(Some(0), |l| l.value)?;
        Some((lower, lower.checked_add(d.length.as_ref()?.value?)?))
    };
    let ((from, to), (start, end)) = (ends(a)?, ends(b)?);
    let lower = from.min(start);
    Some((lower, to.max(end).checked_sub(lower)?))
}

fn shown(dim: &SectionDim) -> (Option<&str>, Option<&str>) {
    (dim.lower.as_ref().map(|l| l.text.as_str()), dim.length.as_ref().map(|l| l.text.as_str()))
}

fn two_sections(first: &DataItem, again: &DataItem) -> Diagnostic {
    let (a, b) = (&first.name, &again.name);
    Diagnostic::error(
        codes::directives::VARIABLE_TWICE,
        format!(
            "two sections of `{}`, which is compressed, stand in the clauses of one compute construct",
            first.base
        ),
    )
    .label(again.span, format!("`{b}` here"))
    .label(first.span, format!("`{a}` here"))
    .with_note("each is compressed by itself, and the construct has one name for both")
    .with_help("name one section that covers both")
}
