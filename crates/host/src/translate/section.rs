//! What a clause names, as texts of an address and a size.

use super::Input;
use super::spelling::{number, operand, times};
use accl_ir::{ArrayLen, DataItem, DataKind, HostExpr, TypeKind, Types};

/// A contiguous range of memory.
pub struct MemoryRange {
    /// The value of the variable's name.
    pub base: String,
    /// From `base` to the first element, in bytes; `None`: nothing.
    pub first: Option<String>,
    /// The address of the first element.
    pub start: String,
    /// `None`: unknown, the clause names a bare pointer.
    pub bytes: Option<String>,
    /// Strided sections: loops around `start` and `bytes`, outermost first, as count texts.
    pub counts: Vec<String>,
}

/// Names of the loops over a strided section.
pub const COUNTERS: [&str; 3] = ["i_", "j_", "k_"];

struct Extent {
    lower: Option<String>,
    length: String,
    full: bool,
}

/// The range that an item covers, from its first byte to its last; `strided`: only the parts that the item names.
pub fn of(input: &Input, item: &DataItem, strided: bool) -> MemoryRange {
    let types = &input.module.types;
    let attaches = matches!(item.kind, DataKind::Attach | DataKind::Detach);
    let base = operand(&item.base);
    match types.kind(item.ty) {
        TypeKind::Pointer { .. } if !attaches && item.section.is_empty() => {
            plain(row_free(input, item).0, None)
        }
        TypeKind::Array { .. } if item.section.is_empty() => {
            plain(row_free(input, item).0, Some(format!("sizeof {base}")))
        }
        TypeKind::Pointer { .. } | TypeKind::Array { .. } if !attaches => of_dims(input, item, strided),
        _ => plain(format!("&{base}"), Some(format!("sizeof {base}"))),
    }
}

fn plain(base: String, bytes: Option<String>) -> MemoryRange {
    MemoryRange { start: base.clone(), base, first: None, bytes, counts: Vec::new() }
}

/// The base as a pointer to elements, and the size of one where the base's own type does not tell it: to the
/// compiler `double (*a)[m]` and `double a[n][m]` with a run-time `m` are flat.
fn row_free(input: &Input, item: &DataItem) -> (String, Option<String>) {
    let types = &input.module.types;
    let base = operand(&item.base);
    let element = types.element(item.ty).filter(|_| may_have_rows(input, item));
    match element {
        None => (item.base.clone(), None),
        Some(ty) => match number(types, ty) {
            Some(name) => (format!("({name} *){base}"), Some(format!("sizeof({name})"))),
            None => (format!("(void *){base}"), types.size_of(ty).map(|size| size.to_string())),
        },
    }
}

/// The declaration goes on after the name: `double (*a)[m]`, `double a[n][m]`.
fn may_have_rows(input: &Input, item: &DataItem) -> bool {
    if let TypeKind::Array { len: ArrayLen::Const(_) | ArrayLen::Unknown, .. } =
        input.module.types.kind(item.ty)
    {
        return false;
    }
    let types = &input.module.types;
    // What became flat has no rows.
    if types.element(item.ty).is_some_and(|e| matches!(types.kind(e), TypeKind::Array { .. })) {
        return false;
    }
    let bodies = input.module.functions.iter().filter_map(|(_, f)| f.body.as_ref());
    bodies.flat_map(|body| body.locals.iter()).any(|(_, local)| {
        let (start, end) = (local.span.start as usize, local.span.end as usize);
        let rest = || input.buffer.get(end..).map(str::trim_start).unwrap_or("");
        input.buffer.get(start..end) == Some(item.base.as_str()) && rest().starts_with([')', '['])
    })
}

fn of_dims(input: &Input, item: &DataItem, strided: bool) -> MemoryRange {
    let types = &input.module.types;
    let (element_base, size) = row_free(input, item);
    let base = &operand(&item.base);
    let extents = extents(types, item, base, size.as_deref());
    let rows = extents.iter().rposition(|e| !e.full).unwrap_or(0);
    let sizes = |at: usize| size.clone().unwrap_or_else(|| element(types, item, base, at));
    let first = first(&extents[..=rows], &sizes);
    let start = match &size {
        Some(_) if extents[0].lower.is_none() => element_base.clone(),
        Some(_) => format!("(char *){base} + {}", first.clone().unwrap_or_default()),
        None => start(base, &extents, rows),
    };
    let mut section = MemoryRange { base: element_base, start, first, bytes: None, counts: Vec::new() };
    let run = times(&extents[rows].length, &sizes(rows));
    if rows == 0 {
        section.bytes = Some(run);
    } else if strided {
        section.counts = extents[..rows].iter().map(|e| e.length.clone()).collect();
        section.start = element_address(base, &extents[..=rows]);
        section.bytes = Some(run);
    } else {
        let steps = (0..rows).map(|at| times(&minus_one(&extents[at].length), &sizes(at)));
        let some: Vec<String> =
            extents[..=rows].iter().map(|e| format!("{} > 0", operand(&e.length))).collect();
        let steps = steps.collect::<Vec<_>>().join(" + ");
        section.bytes = Some(format!("({} ? {steps} + {run} : 0)", some.join(" && ")));
    }
    section
}

fn minus_one(length: &str) -> String {
    format!("{} - 1", operand(length))
}

/// The address of the section's first element.
fn start(base: &str, extents: &[Extent], rows: usize) -> String {
    match (&extents[0].lower, rows) {
        (None, 0) => base.to_owned(),
        (Some(lower), 0) => format!("{base} + {}", operand(lower)),
        _ => {
            let subscripts: String =
                extents[..=rows].iter().map(|e| format!("[{}]", e.lower.as_deref().unwrap_or("0"))).collect();
            format!("&{base}{subscripts}")
        }
    }
}

/// The address of a run of a strided section, in loops over [`COUNTERS`].
fn element_address(base: &str, extents: &[Extent]) -> String {
    let last = extents.len() - 1;
    let mut text = format!("&{base}");
    for (at, extent) in extents.iter().enumerate() {
        let counter = if at == last { None } else { Some(COUNTERS[at.min(2)]) };
        text += &match (&extent.lower, counter) {
            (Some(lower), Some(counter)) => format!("[{} + {counter}]", operand(lower)),
            (None, Some(counter)) => format!("[{counter}]"),
            (Some(lower), None) => format!("[{lower}]"),
            (None, None) => "[0]".to_owned(),
        };
    }
    text
}

fn first(extents: &[Extent], size: &dyn Fn(usize) -> String) -> Option<String> {
    let part =
        |(at, extent): (usize, &Extent)| Some(times(extent.lower.as_ref()?, &format!("(long){}", size(at))));
    let parts: Vec<String> = extents.iter().enumerate().filter_map(part).collect();
    if parts.is_empty() { None } else { Some(parts.join(" + ")) }
}

/// Size of one element of dimension `at`.
fn element(types: &Types, item: &DataItem, base: &str, at: usize) -> String {
    let mut ty = Some(item.ty);
    for _ in 0..=at {
        ty = ty.and_then(|t| types.element(t));
    }
    if ty.is_some_and(|t| *types.kind(t) == TypeKind::Void) {
        return "sizeof(char)".into();
    }
    if at == 0 { format!("sizeof *{base}") } else { format!("sizeof {base}{}", "[0]".repeat(at + 1)) }
}

fn extents(types: &Types, item: &DataItem, base: &str, size: Option<&str>) -> Vec<Extent> {
    let mut found = Vec::new();
    let mut ty = Some(item.ty);
    let mut place = base.to_owned();
    for (at, dim) in item.section.iter().enumerate() {
        let len = ty.and_then(|t| match types.kind(t) {
            TypeKind::Array { len, .. } => Some(len),
            _ => None,
        });
        let lower = dim.lower.as_ref().filter(|l| l.value != Some(0));
        let size = size.map_or_else(|| element(types, item, base, at), str::to_owned);
        let whole = || format!("(sizeof {place} / {size})");
        let length = match (&dim.length, lower) {
            (Some(length), _) => text(length),
            (None, None) => whole(),
            (None, Some(lower)) => format!("{} - {}", whole(), operand(&text(lower))),
        };
        let covers = match (&dim.length, len) {
            (None, _) => true,
            (Some(length), Some(ArrayLen::Const(n))) => length.value == i64::try_from(*n).ok(),
            (Some(_), _) => false,
        };
        found.push(Extent { full: at > 0 && lower.is_none() && covers, lower: lower.map(text), length });
        ty = ty.and_then(|t| types.element(t));
        place.push_str("[0]");
    }
    found
}

/// The runtime's question for the element that `present` means has its counterpart in the port.
fn text(e: &HostExpr) -> String {
    e.text.trim().replace("accl_present_element(", "port_present_element(")
}
