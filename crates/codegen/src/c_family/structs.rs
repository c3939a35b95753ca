//! Structures with the host's layout.

use super::decl::{Declarator, field_name};
use super::scalar::Scalar;
use super::unit::DeviceSource;
use crate::Result;
use accl_ir::{ArrayLen, Field, Handle, StructDef, Type, TypeKind, Types};
use accl_source::Span;
use std::collections::BTreeSet;

/// The definitions that the text needs, each after those of its members; before them the names of structures that
/// members point to.
pub fn emit_needed(unit: &DeviceSource) -> Result<Vec<String>> {
    loop {
        let defs = unit.needs().structs.clone();
        let ahead = pointed_to(unit, &defs);
        let names = ahead.iter().map(|def| Ok(declaration(unit, *def)));
        let definitions = defs.iter().map(|def| definition(unit, *def, ahead.contains(def)));
        let texts = names.chain(definitions).collect::<Result<Vec<String>>>()?;
        // Writing a member may ask for what it points to.
        if unit.needs().structs == defs {
            return Ok(texts);
        }
    }
}

/// Structures to which members are pointers.
fn pointed_to(unit: &DeviceSource, defs: &[Handle<StructDef>]) -> BTreeSet<Handle<StructDef>> {
    let types = &unit.module.types;
    if unit.dialect.has_spaces() {
        return BTreeSet::new();
    }
    let fields = defs.iter().flat_map(|def| &types.structs[*def].fields);
    fields.filter_map(|field| target(types, field.ty, false)).collect()
}

fn target(types: &Types, ty: Handle<Type>, pointed: bool) -> Option<Handle<StructDef>> {
    match types.kind(ty) {
        TypeKind::Struct(def) => pointed.then_some(*def),
        TypeKind::Pointer { to, .. } => target(types, *to, true),
        TypeKind::Array { of, .. } => target(types, *of, pointed),
        TypeKind::Void
        | TypeKind::Bool
        | TypeKind::Int { .. }
        | TypeKind::Float { .. }
        | TypeKind::Compressed { .. }
        | TypeKind::Opaque(_) => None,
    }
}

fn declaration(unit: &DeviceSource, def: Handle<StructDef>) -> String {
    let name = unit.safe_name(&unit.module.types.structs[def].name);
    if unit.dialect.is_cplusplus() {
        format!("struct {name};\n")
    } else {
        format!("typedef struct {name} {name};\n")
    }
}

/// `declared`: its name is known.
fn definition(unit: &DeviceSource, handle: Handle<StructDef>, declared: bool) -> Result<String> {
    let def = &unit.module.types.structs[handle];
    let name = unit.safe_name(&def.name);
    let mut text = String::new();
    let (mut end, mut natural_align, mut pads, mut overlaps) = (0, 1, 0, false);
    for field in &def.fields {
        let (size, align) = layout(unit, field.ty).ok_or_else(|| {
            unit.unsupported(
                format!("field '{}' of '{}' cannot be used in device code", field.name, def.name),
                Span::NOWHERE,
            )
        })?;
        if omitted(unit, field).is_some() {
            continue;
        }
        natural_align = natural_align.max(align);
        if starts_in_padding(unit, def, field.offset, align, end) {
            // What lies before it and what follows are two views of the same bytes.
            text.push_str("    }; struct {\n");
            (end, overlaps) = (0, true);
        }
        text.push_str(&padding(unit, def, end, field.offset, align, &mut pads)?);
        text.push_str(&field_line(unit, field)?);
        end = field.offset + size;
    }
    let def_align = def.align.min(unit.dialect.most_aligned());
    let align = if def_align > natural_align { unit.dialect.aligned(def_align) } else { String::new() };
    let natural_end = end.next_multiple_of(def_align.max(1));
    if def.size > natural_end || def.fields.is_empty() {
        text.push_str(&format!("    char accl_pad_{pads}[{}];\n", (def.size - end).max(1)));
    }
    if overlaps {
        text = format!("    union {{ struct {{\n{text}    }}; }};\n");
    }
    Ok(if unit.dialect.is_cplusplus() || declared {
        format!("struct {align}{name} {{\n{text}}};\n")
    } else {
        format!("typedef struct {align}{name} {{\n{text}}} {name};\n")
    })
}

/// The elements of a flexible array member, where the language has none: the definition leaves it out, and what it holds is reached
/// by its offset.
pub fn omitted(unit: &DeviceSource, field: &Field) -> Option<Handle<Type>> {
    match unit.module.types.kind(field.ty) {
        TypeKind::Array { of, len: ArrayLen::Unknown } if !unit.dialect.has_flexible_arrays() => Some(*of),
        _ => None,
    }
}

/// A class's member may lie in the padding at the end of its base, whose own size is more than its members need.
fn starts_in_padding(unit: &DeviceSource, def: &StructDef, offset: u64, align: u64, end: u64) -> bool {
    let types = &unit.module.types;
    let mut before = def.fields.iter().take_while(|field| field.offset < offset);
    let is_free = before.all(|field| {
        let used = match types.kind(field.ty) {
            TypeKind::Struct(base) => used_size(unit, *base),
            _ => types.size_of(field.ty),
        };
        used.is_some_and(|used| field.offset + used <= offset)
    });
    offset < end && offset.is_multiple_of(align) && is_free
}

/// Whether the type is a base class in whose padding members of some derived class lie: an assignment would take them along.
pub fn has_members_in_padding(unit: &DeviceSource, ty: Handle<Type>) -> bool {
    let types = &unit.module.types;
    let TypeKind::Struct(this) = types.kind(ty) else { return false };
    let size = types.structs[*this].size;
    let is_shared = |pair: &[accl_ir::Field]| {
        matches!(types.kind(pair[0].ty), TypeKind::Struct(base) if base == this)
            && pair[1].offset < pair[0].offset + size
    };
    types.structs.iter().any(|(_, derived)| derived.fields.windows(2).any(is_shared))
}

/// Up to the end of the last member.
fn used_size(unit: &DeviceSource, def: Handle<StructDef>) -> Option<u64> {
    let types = &unit.module.types;
    types.structs[def].fields.iter().try_fold(0, |most, field| {
        let size = match types.kind(field.ty) {
            TypeKind::Struct(of) => used_size(unit, *of)?,
            _ => types.size_of(field.ty)?,
        };
        Some(most.max(field.offset + size))
    })
}

/// Bytes that the host's layout skips and that C's rules would not skip.
fn padding(
    unit: &DeviceSource,
    def: &StructDef,
    end: u64,
    offset: u64,
    align: u64,
    pads: &mut u32,
) -> Result<String> {
    let natural = end.next_multiple_of(align);
    if offset == natural {
        return Ok(String::new());
    }
    if offset < natural {
        let what = format!("structure '{}' is packed or has overlapping fields", def.name);
        return Err(unit.unsupported(what, Span::NOWHERE));
    }
    *pads += 1;
    Ok(format!("    char accl_pad_{}[{}];\n", *pads - 1, offset - end))
}

/// A pointer is kept as a number where pointer types name a space (`stored_pointers`).
fn field_line(unit: &DeviceSource, field: &Field) -> Result<String> {
    let name = field_name(unit, field);
    let is_pointer = matches!(unit.module.types.kind(field.ty), TypeKind::Pointer { .. });
    if is_pointer && unit.dialect.has_spaces() {
        return Ok(format!("    {} {name};\n", unit.dialect.scalar(Scalar::U64)));
    }
    let declarator = Declarator { unit, body: None, span: Span::NOWHERE, stored: true };
    Ok(format!("    {};\n", declarator.declare(field.ty, &name)?))
}

/// Size and alignment by C's rules.
fn layout(unit: &DeviceSource, ty: Handle<Type>) -> Option<(u64, u64)> {
    let types = &unit.module.types;
    match types.kind(ty) {
        // A flexible array member.
        TypeKind::Array { of, len: ArrayLen::Unknown } => Some((0, layout(unit, *of)?.1)),
        TypeKind::Array { of, .. } => Some((types.size_of(ty)?, layout(unit, *of)?.1)),
        TypeKind::Struct(def) => {
            let def = &types.structs[*def];
            Some((def.size, def.align.min(unit.dialect.most_aligned())))
        }
        TypeKind::Void | TypeKind::Compressed { .. } | TypeKind::Opaque(_) => None,
        TypeKind::Bool | TypeKind::Int { .. } | TypeKind::Float { .. } | TypeKind::Pointer { .. } => {
            types.size_of(ty).map(|size| (size, size))
        }
    }
}
