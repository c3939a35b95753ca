//! Printing kernels. Parameters are introduced once; a body whose local of that handle differs says so.

use super::clause::{host, launch_tests, schedule, with_args};
use super::{Printer, function_name};
use crate::text::words::{self, name, quoted, word};
use crate::{
    Body, CpuArrays, Dim, DynamicTile, DynamicTileDim, IndirectPointer, Kernel, LocalKind, Module, Param,
    ParamKind, SharedDecl, Variant,
};

pub(super) fn kernel(module: &Module, k: &Kernel) -> String {
    let empty = Body::default();
    let host_body = module.functions.get(k.function).and_then(|f| f.body.as_ref()).unwrap_or(&empty);
    let mut host_side = Printer::snippet(module, host_body);
    let mut out = format!("{} {{\n", header(module, k));
    for (i, param) in k.params.iter().enumerate() {
        out += &format!("    param {};\n", self::param(module, k, &mut host_side, i, param));
    }
    for dim in &k.dims {
        out += &format!("    dim {};\n", self::dim(&mut host_side, dim));
    }
    for f in &k.indirect_pointers {
        out += &format!("    {};\n", indirect_pointer(f));
    }
    out += &format!("    body {}", body(module, k, &k.body, &[]));
    for v in &k.variants {
        out += &format!("    variant {} {}", variant_header(v), body(module, k, &v.body, &v.shared));
    }
    for tile in &k.cpu_dynamic_tiles {
        out += &format!("    {};\n", self::dynamic_tile(tile));
    }
    if let Some(cpu) = &k.cpu {
        let arrays = match k.cpu_arrays {
            CpuArrays::MayOverlap => "",
            CpuArrays::Distinct => "distinct ",
            CpuArrays::EitherWay => "either_way ",
        };
        out += &format!("    cpu {arrays}{}", body(module, k, cpu, &[]));
    }
    out + "}\n"
}

/// Mentions every local of the host function that the kernel's launch needs.
pub(super) fn mention_host(host_side: &mut Printer<'_>, k: &Kernel) {
    for param in &k.params {
        if let ParamKind::Data { var, .. } = &param.kind {
            host_side.var(var);
        }
    }
    for dim in &k.dims {
        self::dim(host_side, dim);
    }
}

fn header(module: &Module, k: &Kernel) -> String {
    let mut parts = vec![
        format!("kernel {} of {}", name(&k.name), function_name(module, k.function)),
        quoted(&k.site.directive),
    ];
    if module.functions.get(k.function).is_none_or(|f| f.name != k.site.function) {
        parts.push(format!("in {}", quoted(&k.site.function)));
    }
    let words = [
        ("serial", k.serial),
        ("gangs", k.gangs),
        ("distinct", k.distinct),
        ("distinct_rows", k.distinct_rows),
        ("distinct_in_elements", k.distinct_in_elements),
    ];
    parts.extend(words.iter().filter(|(_, set)| *set).map(|(word, _)| (*word).to_owned()));
    parts.extend(launch_tests("strides", &k.strides));
    parts.extend(with_args(&[
        ("num_gangs", &k.num_gangs),
        ("num_workers", &k.num_workers),
        ("vector_length", &k.vector_length),
        ("row_length", &k.row_length),
        ("overflow_guard", &k.overflow_guard),
    ]));
    parts.extend(schedule(&k.schedule));
    for (word, of) in [("index64_of", k.index64_of), ("fallback_of", k.fallback_of)] {
        parts.extend(of.map(|of| format!("{word} {}", name(&module.kernels[of].name))));
    }
    parts.extend(k.obstacle.as_ref().map(|why| format!("obstacle {}", quoted(why))));
    parts.join(" ")
}

fn param(module: &Module, k: &Kernel, host_side: &mut Printer<'_>, index: usize, param: &Param) -> String {
    let mut p = Printer::snippet(module, &k.body);
    let again = k.params[..index].iter().position(|other| other.local == param.local);
    let decl = match again {
        Some(first) => format!("again {first}"),
        None => p.declaration(param.local, LocalKind::Param),
    };
    let kind = match &param.kind {
        ParamKind::Data { item, var, plane, read, written } => {
            let plane = if *plane == 0 { String::new() } else { format!(" plane {plane}") };
            let read = if *read { " read" } else { "" };
            let written = if *written { " written" } else { "" };
            format!("data {item} {}{plane}{read}{written}", host_side.var(var))
        }
        ParamKind::Value { host: e, ty } => {
            let own = k.body.locals.get(param.local).map(|l| l.ty);
            let ty = if own == Some(*ty) { String::new() } else { format!(" : {}", p.ty(*ty)) };
            format!("value {}{ty}", host(e))
        }
        ParamKind::Codec { item, parameter } => {
            format!("codec {item} {}", word(words::CODEC_PARAMETER, parameter))
        }
        ParamKind::Extent { item, of, size, end, on_cpu } => {
            let of = k.params.iter().position(|p| p.local == *of).unwrap_or(index);
            let end = if *end { " end" } else { "" };
            let cpu = if *on_cpu { " on_cpu" } else { "" };
            format!("extent {item} of {of} size {size}{end}{cpu}")
        }
        ParamKind::Stride { item, of, row, rows } => {
            let of = k.params.iter().position(|p| p.local == *of).unwrap_or(index);
            let rows = if *rows { " of_rows" } else { "" };
            format!("stride {item} of {of} row {row}{rows}")
        }
        ParamKind::Reduction { reduction, host: e } => {
            let op = word(words::REDUCTION, &reduction.op);
            let other = match reduction.local == param.local {
                true => String::new(),
                false => format!(": #{}", reduction.local.index()),
            };
            format!("reduction({op}{other}) {}", host(e))
        }
    };
    format!("{decl} = {kind}")
}

fn dim(host_side: &mut Printer<'_>, dim: &Dim) -> String {
    let trips = &dim.trips;
    let lower = host_side.value(trips.lower, 0);
    let bound = host_side.value(trips.bound, 0);
    let step = host_side.value(trips.step, 0);
    let rule = word(words::GRID_RULE, &dim.rule);
    let compare = word(words::COMPARE, &trips.compare);
    format!("{rule} ({lower}; {compare} {bound}; += {step}) {}", quoted(&trips.text))
}

/// `indirect 1 every 24 at 8 for 8 further`
fn indirect_pointer(f: &IndirectPointer) -> String {
    let stride = f.stride.map_or(String::new(), |s| format!(" every {s} at {} for {}", f.offset, f.bytes));
    let further = if f.further { " further" } else { "" };
    format!("indirect {}{stride}{further}", f.item)
}

fn variant_header(v: &Variant) -> String {
    let triple = |[x, y, z]: [u32; 3]| format!("({x}, {y}, {z})");
    let steps = &v.schedule.steps;
    let schedule = if steps.is_empty() { String::new() } else { quoted(&v.schedule.to_string()) + " " };
    let symbol = name(&v.symbol);
    let mut out = format!("{symbol} {schedule}block{} per_thread{}", triple(v.block), triple(v.per_thread));
    let shape = [("vector_x", v.vector_x), ("workers_y", v.workers_y), ("restrict", v.restrict)];
    let shape = shape.into_iter().filter(|(_, set)| *set).map(|(flag, _)| flag);
    for flag in v.requires.rows().map(|row| row.name).chain(shape) {
        out += &format!(" {flag}");
    }
    for (word, number) in [("unroll", v.unroll), ("aggregated", v.aggregated)] {
        out += &number.map(|n| format!(" {word}({n})")).unwrap_or_default();
    }
    out
}

/// `dynamic_tile "a" 4 (128 "r" "r")`
fn dynamic_tile(tile: &DynamicTile) -> String {
    let dim = |d: &DynamicTileDim| format!(" ({} {} {})", d.span, host(&d.before), host(&d.after));
    let dims: String = tile.dims.iter().map(dim).collect();
    format!("dynamic_tile {} {}{dims}", quoted(&tile.array), tile.element)
}

/// One body of the kernel, in braces.
fn body(module: &Module, k: &Kernel, body: &Body, shared: &[SharedDecl]) -> String {
    let mut p = Printer::new(module, body);
    p.indent = 2;
    let mut base = Printer::snippet(module, &k.body);
    let mut lines = Vec::new();
    for (i, param) in k.params.iter().enumerate() {
        let usual = base.declaration(param.local, LocalKind::Param);
        let own = p.parameter(param.local);
        if own != usual {
            lines.push(format!("param {i} {own};"));
        }
    }
    for decl in shared {
        p.known.insert(decl.local.index());
        let dynamic = decl.dynamic.as_ref().map(|a| format!(" {}", self::dynamic_tile(a)));
        let decl = p.declaration(decl.local, LocalKind::Auto);
        lines.push(format!("shared {decl}{};", dynamic.unwrap_or_default()));
    }
    let lines: String = lines.iter().map(|line| format!("        {line}\n")).collect();
    let inner = p.body_of(|_| ());
    format!("{{\n{lines}{inner}    }}\n")
}
