//! Items of data clauses as `accl_var` initialisers.
//!
//! A section is described by its start and its length, in bytes that the host's compiler computes: `sizeof` gives
//! the size of a variable-length array or a structure, so no type needs to be spelt.

use crate::types;
use crate::unit::HostSource;
use accl_ir::{
    ArrayLen, Compression, DataItem, DataKind, Handle, HostExpr, Layout, Scheme, SectionDim, Type, TypeKind,
    Types, map_list,
};

/// Names of the variables that a group of items is declared as.
pub struct Vars {
    /// Lines of declarations.
    pub lines: Vec<String>,
    /// An expression for the first item's address.
    pub name: String,
    pub count: usize,
}

/// Declares `accl_vars`, an array with one element for each item. `flags` are added to each.
pub fn declare(unit: &HostSource, items: &[DataItem], flags: u32) -> Vars {
    let mut lines = Vec::new();
    let mut inits = Vec::new();
    for (at, item) in items.iter().enumerate() {
        let section = SectionText::of(unit, item);
        if let Some(dims) = &section.dims {
            lines.push(format!("accl_dim accl_dims_{at}[] = {{{}}};", dims.join(", ")));
        }
        if let Some(compression) = &item.compression {
            lines.push(format!("accl_format accl_formats_{at} = {};", format_init(unit, item, compression)));
        }
        inits.push(init(unit, item, &section, flags, at));
    }
    let name = if inits.is_empty() { "0" } else { "accl_vars" };
    match inits.len() {
        0 => {}
        1 => lines.push(format!("accl_var accl_vars[] = {{{}}};", inits[0])),
        _ => {
            lines.push("accl_var accl_vars[] = {".into());
            lines.extend(inits.iter().map(|init| format!("    {init},")));
            lines.push("};".into());
        }
    }
    Vars { lines, name: name.into(), count: items.len() }
}

/// The flags of data of a directive with this condition: that of OpenMP's asks which device is meant.
pub fn language(condition: Option<&HostExpr>) -> u32 {
    let of_openmp = condition.is_some_and(|c| c.text.starts_with("accl_omp_offloads("));
    if of_openmp { accl_abi::data_flags::OPENMP } else { 0 }
}

fn flag_code(unit: &HostSource, item: &DataItem) -> u32 {
    let deep = if item.is_deep(&unit.module.types) { accl_abi::data_flags::DEEP } else { 0 };
    let part = if item.is_part() { accl_abi::data_flags::PART } else { 0 };
    map_list::flag_code(&item.flags) | deep | part
}

/// Lines that fill the list of a directive, if it has one.
pub fn list(lines: &[String]) -> Vec<String> {
    if lines.is_empty() {
        return vec![];
    }
    let mut all = vec![format!("accl_list {} = {{0, 0, 0}};", map_list::NAME)];
    all.extend(lines.iter().cloned());
    all.push(format!("accl_list_complete(&{});", map_list::NAME));
    all
}

/// A call with the list of a directive, if it has one.
pub fn list_call(lines: &[String], call: &str, site: &str, async_: &str) -> Option<String> {
    let list = map_list::NAME;
    (!lines.is_empty()).then(|| format!("{call}({site}, {list}.vars, {list}.n, {async_});"))
}

/// The end of the list of a directive, if it has one.
pub fn list_end(lines: &[String]) -> Option<String> {
    (!lines.is_empty()).then(|| format!("accl_list_free(&{});", map_list::NAME))
}

fn init(unit: &HostSource, item: &DataItem, section: &SectionText, flags: u32, at: usize) -> String {
    let (n_dims, dims) = match &section.dims {
        Some(dims) => (dims.len(), format!("accl_dims_{at}")),
        None => (0, "0".into()),
    };
    let last = match (&item.compression, item.row, &item.pointers) {
        (Some(_), ..) => format!(", &accl_formats_{at}"),
        (None, Some(row), _) => format!(", 0, {row} * {}", section.elem_size),
        (None, None, Some(pointers)) => format!(", 0, 0, {}", string(&pointers.to_string())),
        (None, None, None) => String::new(),
    };
    format!(
        "{{{}, {}, {}, {}, {}, {}, {}, {n_dims}, {dims}, {}, 0{last}}}",
        string(&item.name),
        section.base,
        section.offset,
        section.bytes,
        map_list::kind_code(item.kind),
        flag_code(unit, item) | flags,
        section.elem_size,
        unit.line(item.span),
    )
}

/// The members of an `accl_format`. The range is evaluated where the array is put on the device.
fn format_init(unit: &HostSource<'_>, item: &DataItem, c: &Compression) -> String {
    let scheme = match c.format.scheme {
        Scheme::Range => accl_abi::scheme::RANGE,
        Scheme::Affine => accl_abi::scheme::AFFINE,
        Scheme::Half => accl_abi::scheme::HALF,
        Scheme::Bfloat => accl_abi::scheme::BFLOAT,
        Scheme::Block => accl_abi::scheme::BLOCK,
    };
    let ty = if c.float_bits == 32 { accl_abi::scalar_type::F32 } else { accl_abi::scalar_type::F64 };
    let creates =
        matches!(item.kind, DataKind::Copy | DataKind::Copyin | DataKind::Copyout | DataKind::Create);
    let range = match c.range.as_ref().filter(|_| creates) {
        Some((min, max)) => format!("1, (double)({}), (double)({})", min.text, max.text),
        None => "0, 0.0, 0.0".into(),
    };
    let layout = match c.format.layout {
        Layout::Soa => accl_abi::layout::SOA,
        Layout::Aos => accl_abi::layout::AOS,
    };
    let checked = u32::from(unit.options.check);
    format!("{{{scheme}, {}, {ty}, {}, {layout}, {range}, {checked}}}", c.format.bits, c.members)
}

/// A C string.
pub fn string(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            c => out.push(c),
        }
    }
    out + "\""
}

/// The texts that describe one item's section of memory.
struct SectionText {
    base: String,
    offset: String,
    bytes: String,
    elem_size: String,
    dims: Option<Vec<String>>,
}

/// One dimension of a section, as texts of type unsigned long.
struct Extent {
    lower: Option<String>,
    length: String,
    /// Bytes from one index to the next.
    stride: String,
    /// The whole extent of the type.
    full: bool,
}

impl SectionText {
    fn of(unit: &HostSource, item: &DataItem) -> SectionText {
        let base = match unit.device_objects.iter().rev().find(|(var, _)| *var == item.var) {
            Some((_, name)) if item.kind == DataKind::Deviceptr && !unit.options.cplusplus => name.clone(),
            _ => parenthesised(&item.base),
        };
        if matches!(item.kind, DataKind::Attach | DataKind::Detach) {
            return SectionText::of_pointer(&pointer_text(unit, item, base));
        }
        let is_array = match unit.module.types.kind(item.ty) {
            TypeKind::Array { .. } => true,
            TypeKind::Pointer { .. } => false,
            TypeKind::Void
            | TypeKind::Bool
            | TypeKind::Int { .. }
            | TypeKind::Float { .. }
            | TypeKind::Struct(_)
            | TypeKind::Compressed { .. }
            | TypeKind::Opaque(_) => {
                let elem_size = format!("(unsigned)sizeof {base}");
                return SectionText::whole(format!("(void *)&{base}"), format!("sizeof {base}"), elem_size);
            }
        };
        if !item.section.is_empty() {
            return SectionText::of_dims(unit, item, &base);
        }
        let bytes = match (is_array, item.kind) {
            // One element tells whether the array is present.
            (true, _) if is_of_unknown_extent(unit, item.ty) => elem_size(unit, &base, item.ty),
            (true, _) => format!("sizeof {base}"),
            // What the pointer points to is deleted as a whole, whatever its size: the first byte identifies it.
            (false, DataKind::Delete) => "1".into(),
            (false, _) => "0".into(),
        };
        SectionText::whole(format!("(void *){base}"), bytes, elem_size(unit, &base, item.ty))
    }

    fn whole(base: String, bytes: String, elem_size: String) -> SectionText {
        SectionText { base, offset: "0".into(), bytes, elem_size, dims: None }
    }

    /// A pointer variable itself.
    fn of_pointer(lvalue: &str) -> SectionText {
        let size = "sizeof(void *)";
        SectionText::whole(format!("(void *)&{lvalue}"), size.into(), format!("(unsigned){size}"))
    }

    fn of_dims(unit: &HostSource, item: &DataItem, base: &str) -> SectionText {
        let extents = extents(unit, item, base);
        let levels = item.levels(&unit.module.types);
        if let [own, after @ ..] = &levels[..]
            && !after.is_empty()
        {
            let level = |at: &std::ops::Range<usize>| contiguous(&extents[at.clone()]);
            let own = level(own);
            let dim = |at| format!("{{{}, {}}}", offset(level(at)), bytes(level(at)));
            return SectionText {
                base: format!("(void *){base}"),
                offset: offset(own),
                bytes: bytes(own),
                elem_size: elem_size(unit, base, item.ty),
                dims: Some(after.iter().map(dim).collect()),
            };
        }
        let used = contiguous(&extents);
        let is_update = matches!(item.kind, DataKind::UpdateSelf | DataKind::UpdateDevice);
        SectionText {
            base: format!("(void *){base}"),
            offset: offset(used),
            bytes: bytes(used),
            elem_size: elem_size(unit, base, item.ty),
            dims: (is_update && used.len() > 1).then(|| strided(used)),
        }
    }
}

fn is_of_unknown_extent(unit: &HostSource, ty: Handle<Type>) -> bool {
    matches!(unit.module.types.kind(ty), TypeKind::Array { len: ArrayLen::Unknown, .. })
}

/// The dimensions of one level, which describe a contiguous range.
fn contiguous(extents: &[Extent]) -> &[Extent] {
    if extents[1..].iter().all(|e| e.full) { &extents[..1] } else { extents }
}

/// The pointer variable of `attach(p)`, `attach(p[0:n])` or `attach(row[i])`, which is an element.
fn pointer_text(unit: &HostSource, item: &DataItem, base: String) -> String {
    let types = &unit.module.types;
    let element = item.section.iter().try_fold(item.ty, |ty, _| types.element(ty));
    let is_pointer = element.is_some_and(|ty| matches!(types.kind(ty), TypeKind::Pointer { .. }));
    if !is_pointer {
        return base;
    }
    let lower = item.section.iter().map(|dim| dim.lower.as_ref().map_or("0", |l| l.text.as_str()));
    lower.fold(base, |place, at| format!("{place}[{at}]"))
}

fn offset(extents: &[Extent]) -> String {
    let parts: Vec<String> =
        extents.iter().filter_map(|e| Some(format!("{} * {}", e.lower.as_ref()?, e.stride))).collect();
    if parts.is_empty() { "0".into() } else { parts.join(" + ") }
}

/// The range from the first byte to after the last.
fn bytes(extents: &[Extent]) -> String {
    let (last, outer) = match extents.split_last() {
        Some(parts) => parts,
        None => return "0".into(),
    };
    let run = format!("{} * {}", last.length, last.stride);
    if outer.is_empty() {
        return run;
    }
    let some: Vec<&str> = extents.iter().map(|e| e.length.as_str()).collect();
    let steps: Vec<String> = outer.iter().map(|e| format!("({} - 1) * {}", e.length, e.stride)).collect();
    format!("({} ? {} + {run} : 0)", some.join(" && "), steps.join(" + "))
}

/// `accl_dim`s from the innermost outwards: a run of bytes, then strides and counts.
fn strided(extents: &[Extent]) -> Vec<String> {
    let mut dims = Vec::new();
    for (at, extent) in extents.iter().rev().enumerate() {
        dims.push(match at {
            0 => format!("{{{} * {}, 1}}", extent.length, extent.stride),
            _ => format!("{{{}, {}}}", extent.stride, extent.length),
        });
    }
    dims
}

fn extents(unit: &HostSource, item: &DataItem, base: &str) -> Vec<Extent> {
    let types = &unit.module.types;
    let mut found = Vec::new();
    let mut ty = Some(item.ty);
    let mut place = base.to_owned();
    for dim in &item.section {
        let element = ty.and_then(|t| types.element(t));
        let stride =
            element.and_then(|t| size_text(types, t)).unwrap_or_else(|| format!("sizeof {place}[0]"));
        let len = ty.and_then(|t| match types.kind(t) {
            TypeKind::Array { len, .. } => Some(len),
            _ => None,
        });
        found.push(extent(dim, len, &place, stride));
        ty = ty.and_then(|t| types.element(t));
        place.push_str("[0]");
    }
    found
}

fn extent(dim: &SectionDim, len: Option<&ArrayLen>, place: &str, stride: String) -> Extent {
    let lower = dim.lower.as_ref().filter(|l| l.value != Some(0));
    let whole = || format!("sizeof {place} / {stride}");
    let length = match (&dim.length, lower) {
        (Some(length), _) => unsigned(&length.text),
        (None, None) => whole(),
        (None, Some(lower)) => format!("({} - {})", whole(), unsigned(&lower.text)),
    };
    let covers = match (&dim.length, len) {
        (None, _) => true,
        (Some(length), Some(ArrayLen::Const(n))) => length.value == i64::try_from(*n).ok(),
        (Some(_), _) => false,
    };
    let full = lower.is_none() && covers;
    Extent { lower: lower.map(|l| unsigned(&l.text)), length, stride, full }
}

fn unsigned(text: &str) -> String {
    format!("(unsigned long)({text})")
}

/// Size of what the innermost subscript gives.
fn elem_size(unit: &HostSource, base: &str, ty: Handle<Type>) -> String {
    let types = &unit.module.types;
    let (mut place, mut ty) = (base.to_owned(), ty);
    let mut first = true;
    loop {
        let goes_on = match types.kind(ty) {
            TypeKind::Array { .. } => true,
            TypeKind::Pointer { .. } => first,
            _ => false,
        };
        let Some(element) = types.element(ty).filter(|_| goes_on) else { break };
        (ty, first) = (element, false);
        place.push_str("[0]");
    }
    // The unit may know no more of a type than its name.
    if matches!(types.kind(ty), TypeKind::Opaque(_)) {
        return "1u".into();
    }
    let size = size_text(types, ty).unwrap_or_else(|| format!("sizeof {place}"));
    format!("(unsigned){size}")
}

/// The size of a type, an operand of type unsigned long. It is computed from the type where that is known and not
/// by `sizeof` of the variable: the front end may see a matrix of variable width as a pointer to its elements.
fn size_text(types: &Types, ty: Handle<Type>) -> Option<String> {
    match types.kind(ty) {
        TypeKind::Void => Some("1ul".into()),
        TypeKind::Pointer { .. } => Some("sizeof(void *)".into()),
        TypeKind::Bool => Some("1ul".into()),
        TypeKind::Array { of, len: ArrayLen::Const(n) } => {
            Some(format!("({n} * {})", size_text(types, *of)?))
        }
        _ => match types::number(types, ty, true) {
            Some(number) => Some(format!("sizeof({number})")),
            None => types.size_of(ty).map(|size| format!("{size}ul")),
        },
    }
}

/// The text as an operand: in parentheses unless it is a name or is in parentheses as a whole.
pub fn parenthesised(text: &str) -> String {
    let is_name = text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    if is_name { text.to_owned() } else { format!("({text})") }
}
