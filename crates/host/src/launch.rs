//! One launch of a kernel: values, addresses of reduction variables, trip counts.

use crate::data::{Vars, parenthesised};
use crate::unit::HostSource;
use crate::{dynamic_tiles, tables, types};
use accl_ir::{Handle, HostExpr, Kernel, ParamKind, TypeKind};

/// Statements in a block of their own. `site` is the text of its address, `async_` that of the queue.
pub fn statements(
    unit: &HostSource,
    handle: Handle<Kernel>,
    vars: &Vars,
    site: &str,
    async_: &str,
) -> Vec<String> {
    let kernel = &unit.module.kernels[handle];
    let mut lines = vec!["{".to_owned()];
    let mut values = Vec::new();
    let mut reductions = Vec::new();
    for (at, param) in kernel.params.iter().enumerate() {
        match &param.kind {
            ParamKind::Data { .. }
            | ParamKind::Codec { .. }
            | ParamKind::Extent { .. }
            | ParamKind::Stride { .. } => values.push("0".to_owned()),
            ParamKind::Value { host, ty } => {
                let (temporary, address) = value(unit, host, *ty, at, site);
                lines.extend(temporary.into_iter().map(|line| format!("    {line}")));
                values.push(address);
            }
            ParamKind::Reduction { host, .. } => {
                values.push("0".to_owned());
                reductions.push(format!("(void *)&{}", parenthesised(&host.text)));
            }
        }
    }
    let values = array(&mut lines, "const void *accl_values", &values);
    let reductions = array(&mut lines, "void *accl_reductions", &reductions);
    let (halo_extents, sizes) = dynamic_tiles::launch(kernel);
    lines.extend(halo_extents.map(|line| format!("    {line}")));
    lines.push("    accl_launch_info accl_info;".into());
    let (module, kernel_address) = addresses(unit, handle, &mut lines);
    let mut fields = vec![
        ("module", module),
        ("kernel", kernel_address),
        ("vars", vars.name.clone()),
        ("values", values),
        ("reduction_vars", reductions),
    ];
    fields.extend(trips(kernel));
    fields.push(("num_gangs", count(&kernel.num_gangs)));
    fields.push(("num_workers", count(&kernel.num_workers)));
    fields.push(("vector_length", count(&kernel.vector_length)));
    fields.push(("row_length", count(&kernel.row_length)));
    fields.push(("async", async_.to_owned()));
    fields.extend(sizes);
    lines.extend(fields.iter().map(|(field, value)| format!("    accl_info.{field} = {value};")));
    match tables::fallback(unit, handle) {
        None => lines.push("    accl_launch(&accl_info);".into()),
        Some(fallback) => {
            let tests = kernel.strides.iter().map(|test| format!("({}) && ", test.host.text));
            lines.push(format!("    if (!({}accl_launch(&accl_info)))", tests.collect::<String>()));
            lines.extend(statements(unit, fallback, vars, site, async_));
        }
    }
    lines.push("}".into());
    lines
}

/// The addresses of the module and the kernel; where a loop ends near the largest value of its type, of those that
/// count in 64 bits. They come from tables: with `?:` clang's time grew with the third power of the number of
/// launches in a function.
fn addresses(unit: &HostSource, handle: Handle<Kernel>, lines: &mut Vec<String>) -> (String, String) {
    let kernel = &unit.module.kernels[handle];
    let (module, name) = (tables::module_name(unit), tables::kernel_name(kernel));
    let (Some(_), Some(guard)) = (tables::index64(unit, handle), &kernel.overflow_guard) else {
        return (format!("&{module}"), format!("&{name}"));
    };
    lines.push(format!("    int accl_overflows = {};", guard.text));
    let either = |name: &str| format!("{}[accl_overflows]", tables::both_name(name));
    (either(&module), either(&name))
}

/// Declares an array of pointers and gives its name; a null pointer where all is null.
fn array(lines: &mut Vec<String>, declarator: &str, rows: &[String]) -> String {
    if rows.iter().all(|r| r == "0") {
        return "0".into();
    }
    lines.push(format!("    {declarator}[] = {{{}}};", rows.join(", ")));
    declarator.rsplit(['*', ' ']).next().unwrap_or(declarator).to_owned()
}

/// The address of the value, and a temporary that holds it, if one is needed.
fn value(
    unit: &HostSource,
    host: &HostExpr,
    ty: accl_ir::Handle<accl_ir::Type>,
    at: usize,
    site: &str,
) -> (Vec<String>, String) {
    let text = parenthesised(&host.text);
    let name = format!("accl_value_{at}");
    if let Some(number) = types::number(&unit.module.types, ty, unit.options.cplusplus) {
        return (vec![format!("{number} {name} = ({number}){text};")], format!("&{name}"));
    }
    if matches!(unit.module.types.kind(ty), TypeKind::Pointer { .. }) {
        return (vec![format!("const void *{name} = (const void *){text};")], format!("&{name}"));
    }
    let offsets = pointers(unit, ty);
    if !offsets.is_empty() {
        let (n, offsets) = (offsets.len(), offsets.join(", "));
        let copy = vec![
            format!("unsigned char {name}[sizeof {text}];"),
            format!("__builtin_memcpy({name}, (const void *)&{text}, sizeof {text});"),
            format!("static const unsigned long accl_pointers_{at}[] = {{{offsets}}};"),
            format!("accl_translate_pointers({site}, {name}, accl_pointers_{at}, {n});"),
        ];
        return (copy, format!("(const void *){name}"));
    }
    (vec![], format!("(const void *)&{text}"))
}

/// Where pointers lie in an object that kernels get by value.
fn pointers(unit: &HostSource, ty: Handle<accl_ir::Type>) -> Vec<String> {
    let types = accl_ir::pointer_types(&unit.module.types, ty, &|_, _| true);
    let object = types.and_then(|types| types.0.into_iter().next());
    object.into_iter().flat_map(|object| object.pointers).map(|pointer| pointer.offset.to_string()).collect()
}

fn trips(kernel: &Kernel) -> Vec<(&'static str, String)> {
    let names = ["trips[0]", "trips[1]", "trips[2]"];
    let of = |d: usize| kernel.dims.get(d).map_or("1".to_owned(), |dim| dim.trips.text.clone());
    names.into_iter().enumerate().map(|(d, name)| (name, of(d))).collect()
}

fn count(clause: &Option<HostExpr>) -> String {
    clause.as_ref().map_or("0".into(), |e| format!("(long)({})", e.text))
}
