//! `host_data`: in its body the named variables are device addresses (OpenACC 3.3 §2.8).
//!
//! A pointer of its name shadows a variable. A member cannot be shadowed, so it is set, and set back afterwards. OpenMP hands out
//! the addresses of objects, too: in C++ a reference shadows such a variable, in C its uses are replaced.
//!
//! An array stays one: in C++ it is shadowed by a reference to the device's, and in C, which has none, `sizeof a` and `&a` are replaced
//! by what they mean of the array (`array_words`).

mod array_words;

use crate::data::{self, parenthesised};
use crate::region::around;
use crate::unit::HostSource;
use crate::{HostError, Result};
use accl_ir::{Block, DataItem, DataVar, Function, Region, RegionKind, Stmt, TypeKind};
use accl_source::Span;

pub fn rewrite(unit: &mut HostSource, function: &Function, region: &Region, site: usize) -> Result<()> {
    let clauses = &region.clauses;
    let site = unit.site_address(site);
    let if_present = if clauses.if_present { accl_abi::data_flags::IF_PRESENT } else { 0 };
    let flags = if_present | data::language(clauses.if_.as_ref());
    let vars = data::declare(unit, &clauses.data, flags);
    let mut before = vec!["{".to_owned()];
    before.extend(vars.lines);
    if let Some(condition) = &clauses.if_ {
        before.push(format!("int accl_if = ({}) != 0;", condition.text));
    }
    let (mut shadows, mut after) = (vec!["{".to_owned()], Vec::new());
    for (at, item) in clauses.data.iter().enumerate() {
        let ty = pointer_type(unit, item);
        let call = format!("({ty})accl_use_device({site}, &accl_vars[{at}])");
        let address = match &clauses.if_ {
            Some(_) => {
                let of = if is_object(unit, item) { "&" } else { "" };
                format!("accl_if ? {call} : ({ty}){of}{}", parenthesised(&item.base))
            }
            None => call,
        };
        before.push(format!("{ty} accl_device_{at} = {address};"));
        let refers_to_array = is_name(&item.base) && is_array(unit, item);
        let keeps_type = refers_to_array && !(unit.options.cplusplus && is_of_variable_length(unit, item));
        if keeps_type {
            before
                .push(format!("typedef __typeof__({}) accl_array_{at} __attribute__((unused));", item.base));
        }
        match &item.var {
            _ if is_object(unit, item) => shadows.extend(name_object(unit, region, item, at)),
            _ if keeps_type && unit.options.cplusplus => {
                let base = &item.base;
                shadows.push(format!("accl_array_{at} &{base} = *(accl_array_{at} *)accl_device_{at};"));
                shadows.push(format!("(void){base};"));
            }
            _ if refers_to_array || !matches!(item.var, DataVar::Member(_)) => {
                shadows.push(format!("__typeof__(accl_device_{at}) {} = accl_device_{at};", item.base));
                shadows.push(format!("(void){};", item.base));
            }
            _ => {
                before.push(format!("{ty} accl_host_{at} = {};", item.base));
                shadows.push(format!("{} = accl_device_{at};", item.base));
                after.push(format!("{} = accl_host_{at};", item.base));
            }
        }
    }
    before.extend(shadows);
    after.push("} }".into());
    if !unit.options.cplusplus {
        replace_names(unit, region)?;
        array_words::replace(unit, region)?;
    }
    let outside = unit.device_objects.len();
    let objects = clauses.data.iter().filter(|item| is_object(unit, item));
    let objects: Vec<_> = objects.map(|item| (item.var.clone(), device_name(region, &item.base))).collect();
    unit.device_objects.extend(objects);
    let result = around(unit, region, &before, &mut |unit| unit.block(function, &region.body), &after);
    unit.device_objects.truncate(outside);
    result
}

fn is_name(text: &str) -> bool {
    text.chars().all(|c| c.is_alphanumeric() || c == '_')
}

fn is_array(unit: &HostSource, item: &DataItem) -> bool {
    matches!(unit.module.types.kind(item.ty), TypeKind::Array { .. })
}

fn is_of_variable_length(unit: &HostSource, item: &DataItem) -> bool {
    unit.module.types.size_of(item.ty).is_none()
}

/// Neither an array nor a pointer, which go by pointers.
fn is_object(unit: &HostSource, item: &DataItem) -> bool {
    !is_array(unit, item) && !matches!(unit.module.types.kind(item.ty), TypeKind::Pointer { .. })
}

/// The declaration of an object on the device: the host's stays visible in C.
fn name_object(unit: &HostSource, region: &Region, item: &DataItem, at: usize) -> [String; 2] {
    let name = match unit.options.cplusplus {
        true => format!("&{}", item.base),
        false => format!("*{}", pointer_name(region, &item.base)),
    };
    let pointer = format!("accl_device_{at}");
    let (value, used) = match unit.options.cplusplus {
        true => (format!("*{pointer}"), &item.base[..]),
        false => (pointer.clone(), &name[1..]),
    };
    [format!("__typeof__(*{pointer}) {name} = {value};"), format!("(void){used};")]
}

fn pointer_name(region: &Region, name: &str) -> String {
    format!("accl_device_{name}_{}", region.directive_span.end)
}

/// What denotes the object on the device in C.
fn device_name(region: &Region, name: &str) -> String {
    format!("(*{})", pointer_name(region, name))
}

/// Replaces the names of objects in the host's code. In compute constructs they stand for what the clauses there say.
fn replace_names(unit: &mut HostSource, region: &Region) -> Result<()> {
    let Some(uses) = unit.module.device_objects.get(&region.directive_span.end) else { return Ok(()) };
    let mut kernels = vec![];
    compute_regions(&region.body, &mut kernels);
    for (name, span) in uses {
        if kernels.iter().any(|kernel: &Span| kernel.contains(*span)) {
            continue;
        }
        if unit.text(*span)? != name {
            return Err(HostError::Internal(format!("`{name}` stands in a macro")));
        }
        unit.edits.replace(span.start, span.end, device_name(region, name));
    }
    Ok(())
}

fn compute_regions(block: &Block, found: &mut Vec<Span>) {
    for node in block {
        match &node.kind {
            Stmt::Region(region) => match region.kind {
                RegionKind::Data | RegionKind::HostData => compute_regions(&region.body, found),
                _ => found.push(region.body_span),
            },
            kind => kind.blocks().into_iter().for_each(|inner| compute_regions(inner, found)),
        }
    }
}

/// The type of the variable as a pointer.
fn pointer_type(unit: &HostSource, item: &DataItem) -> String {
    let base = parenthesised(&item.base);
    match unit.module.types.kind(item.ty) {
        TypeKind::Pointer { .. } => format!("__typeof__({base} + 0)").replace("+ 0)", "+ 0)"),
        TypeKind::Array { .. } => format!("__typeof__(&{base}[0])"),
        _ => format!("__typeof__(&{base})"),
    }
}
