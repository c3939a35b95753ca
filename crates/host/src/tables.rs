//! Constant tables at the head of the text: locations of directives, and kernels with their variants and arguments.

use crate::data::string;
use crate::unit::HostSource;
use crate::{HostError, Result, dynamic_tiles, types};
use accl_ir::{
    AtomicKind, Block, CodecParameter, CpuArrays, GridRule, Handle, Kernel, ParamKind, ReductionOp, Stmt,
    Type, TypeKind, Types, Variant, visit,
};
use accl_source::Span;

/// `accl_site` of one directive.
pub fn site(unit: &HostSource, function: &str, directive: &str, at: Span, end: Span) -> String {
    let place = unit.lines.locate(at.start);
    let end_line = unit.lines.locate(end.end.saturating_sub(1).max(at.start)).line.max(place.line);
    format!(
        "{{{}, {}, {}, {}, {end_line}}}",
        string(place.file),
        string(function),
        string(directive),
        place.line
    )
}

/// The names of the kernel's entries on the cpu device: for all launches, and for those whose arrays do not overlap.
fn cpu_entries(unit: &HostSource, kernel: &Kernel) -> [Option<String>; 2] {
    let suffix = unit.options.unit_id;
    let entry = |stem: String| if suffix.is_empty() { stem } else { format!("{stem}_{suffix}") };
    let has = |wanted: bool| kernel.cpu.as_ref().filter(|_| wanted);
    let apart = has(kernel.cpu_arrays == CpuArrays::EitherWay);
    [
        has(true).map(|_| entry(kernel.name.clone())),
        apart.map(|_| entry(format!("{}{}", kernel.name, accl_ir::APART))),
    ]
}

pub fn kernel_name(kernel: &Kernel) -> String {
    format!("accl_kernel_{}", kernel.name)
}

pub fn module_name(unit: &HostSource) -> String {
    format!("accl_module_{}", unit.options.unit_id)
}

/// All tables of one kernel, whose directive is `accl_sites[site]`.
pub fn kernel(unit: &HostSource, handle: Handle<Kernel>, site: usize) -> Result<String> {
    let kernel = &unit.module.kernels[handle];
    let name = &kernel.name;
    let mut text = String::new();
    let entries = cpu_entries(unit, kernel);
    for entry in entries.iter().flatten() {
        text.push_str(&format!("{}void {entry}(long, long, long, void *const *);\n", unit.extern_c()));
    }
    let (args, reductions) = arguments(unit, kernel)?;
    let args_name = table(&mut text, "accl_arg", &format!("accl_args_{name}"), &args);
    let rows = indirect_pointers(kernel);
    let indirect_name =
        table(&mut text, "accl_indirect_pointer", &format!("accl_indirect_pointers_{name}"), &rows);
    // Most kernels have none of these, the last members.
    let rest = match (&kernel.obstacle, &entries[1]) {
        (None, None) if rows.is_empty() => String::new(),
        (None, None) => format!(", {}, {indirect_name}", rows.len()),
        (obstacle, apart) => {
            let obstacle = obstacle.as_ref().map_or("0".to_owned(), |text| string(text));
            let apart = apart.as_ref().map_or(String::new(), |entry| format!(", {entry}"));
            format!(", {}, {indirect_name}, {obstacle}{apart}", rows.len())
        }
    };
    let reductions_name = table(&mut text, "accl_reduction", &format!("accl_reductions_{name}"), &reductions);
    let flags = flags(unit, handle);
    let index64 = index64(unit, handle);
    for kernel in [kernel].into_iter().chain(index64) {
        let name = &kernel.name;
        text.push_str(&dynamic_tiles::tables(kernel, name));
        let variants: Vec<String> = kernel.variants.iter().map(|v| variant(&unit.module.types, v)).collect();
        let variants = table(&mut text, "accl_variant", &format!("accl_variants_{name}"), &variants);
        text.push_str(&format!(
            "static const accl_kernel {} = {{&accl_sites[{site}], {}, {}, {}, {{{}}}, {}, {variants}, \
             {}, {}, {args_name}, {reductions_name}{rest}}};\n",
            kernel_name(kernel),
            entries[0].as_deref().unwrap_or("0"),
            flags,
            kernel.dims.len(),
            grid(kernel),
            kernel.variants.len(),
            args.len(),
            reductions.len(),
        ));
    }
    if index64.is_some() {
        text.push_str(&both("accl_kernel", &kernel_name(kernel)));
    }
    Ok(text)
}

/// The ending of the module's name for kernels that count in 64 bits; the kernels' own names have it too.
pub const INDEX64: &str = accl_ir::INDEX64;

/// The table of the addresses of a kernel or a module and, after it, of the one that counts in 64 bits.
pub fn both(ty: &str, name: &str) -> String {
    format!("static const {ty} *const {}[] = {{&{name}, &{name}{INDEX64}}};\n", both_name(name))
}

/// The name of that table.
pub fn both_name(name: &str) -> String {
    format!("{name}_both")
}

/// The version of a kernel that counts in 64 bits.
pub fn index64<'a>(unit: &HostSource<'a>, kernel: Handle<Kernel>) -> Option<&'a Kernel> {
    unit.module.kernels.iter().map(|(_, k)| k).find(|k| k.index64_of == Some(kernel))
}

/// What is launched in place of a kernel whose arrays overlap, or whose rows meet.
pub fn fallback(unit: &HostSource, kernel: Handle<Kernel>) -> Option<Handle<Kernel>> {
    unit.module.kernels.iter().find(|(_, k)| k.fallback_of == Some(kernel)).map(|(handle, _)| handle)
}

/// Declares an array and gives its name, or a null pointer for an empty one.
fn table(text: &mut String, ty: &str, name: &str, rows: &[String]) -> String {
    if rows.is_empty() {
        return "0".into();
    }
    text.push_str(&format!("static const {ty} {name}[] = {{{}}};\n", rows.join(", ")));
    name.to_owned()
}

fn variant(types: &accl_ir::Types, variant: &Variant) -> String {
    let [bx, by, bz] = variant.block;
    let [px, py, pz] = variant.per_thread;
    format!(
        "{{{}, {}, {{{bx}, {by}, {bz}}}, {{{px}, {py}, {pz}}}, {}, {}}}",
        string(&variant.symbol),
        variant.requires.bits(),
        match variant.dynamic_tiles().next() {
            Some(_) => variant.known_shared(types),
            None => variant.large_shared(types).unwrap_or(0).into(),
        },
        variant.femtoseconds
    )
}

fn flags(unit: &HostSource, handle: Handle<Kernel>) -> u32 {
    use accl_abi::kernel_flags as code;
    let (module, kernel) = (unit.module, &unit.module.kernels[handle]);
    let vector_x = kernel.variants.iter().any(|v| v.vector_x);
    let reaches =
        |is: fn(&Stmt) -> bool| accl_ir::calls::reaches(module, &kernel.body, &kernel.body.block, is);
    let bits = [
        (kernel.gangs, code::GANGS),
        (kernel.serial, code::SERIAL),
        (vector_x, code::VECTOR_X),
        (has_free_x(kernel), code::FREE_X),
        (kernel.distinct, code::DISTINCT),
        (kernel.distinct_rows, code::DISTINCT_ROWS),
        (kernel.distinct_in_elements, code::DISTINCT_IN_ELEMENTS),
        (kernel.variants.iter().any(|v| v.workers_y), code::WORKERS_Y),
        // As codegen writes kernels for CUDA.
        (true, code::AWAITS),
        (dynamic_tiles::has(kernel), code::DYNAMIC_TILES),
        (reaches(|stmt| matches!(stmt, Stmt::Stop { .. })), code::STOPS),
        (reaches(|stmt| matches!(stmt, Stmt::Print { .. })), code::PRINTS),
        (fallback(unit, handle).is_some(), code::HAS_FALLBACK),
        (kernel.fallback_of.is_some(), code::FALLBACK),
        (reaches(may_wait), code::WAITS),
    ];
    let left_out = unit.options.left_out.iter().filter(|(of, _)| *of == handle).map(|(_, flag)| flag);
    bits.iter().filter(|(on, _)| *on).map(|(_, bit)| bit).chain(left_out).sum()
}

/// A loop that looks, in each turn, at what other gangs may write: around the loop of a gang's threads, or within it.
fn may_wait(stmt: &Stmt) -> bool {
    let holds = |block: &Block, is: &dyn Fn(&Stmt) -> bool| {
        let mut found = false;
        visit::for_each_stmt(block, &mut |node| found |= is(&node.kind));
        found
    };
    let looks = |stmt: &Stmt| matches!(stmt, Stmt::Atomic(atomic) if atomic.kind == AtomicKind::Read);
    let waits = |stmt: &Stmt| matches!(stmt, Stmt::While { body, .. } if holds(body, &looks));
    let threads = |stmt: &Stmt| matches!(stmt, Stmt::For(inner) if holds(&inner.body, &waits));
    match stmt {
        Stmt::While { body, .. } => {
            holds(body, &looks) && holds(body, &|inner| matches!(inner, Stmt::For(_)))
        }
        Stmt::For(gangs) => holds(&gangs.body, &threads),
        _ => false,
    }
}

/// Nothing prescribes the size of a block: one iteration a thread, no vector_length, no shared memory.
fn has_free_x(kernel: &Kernel) -> bool {
    let single = matches!(kernel.dims.as_slice(), [dim] if dim.rule == GridRule::Trips);
    single
        && kernel.vector_length.is_none()
        && kernel
            .variants
            .iter()
            .filter(|v| !v.requires.named)
            .all(|v| v.shared.is_empty() || v.per_thread[0] > 1)
}

/// Gang kernels have no distributed dimension; their grid is the gangs in x.
fn grid(kernel: &Kernel) -> String {
    use accl_abi::grid_rule as code;
    let mut rules = [code::ONE; 3];
    if kernel.gangs && !kernel.serial {
        rules[0] = code::FIXED;
    }
    for (rule, dim) in rules.iter_mut().zip(&kernel.dims) {
        *rule = match dim.rule {
            GridRule::One => code::ONE,
            GridRule::Trips => code::TRIPS,
            GridRule::Gangs => code::GANGS,
            GridRule::Fixed => code::FIXED,
        };
    }
    rules.map(|r| r.to_string()).join(", ")
}

/// Rows of `accl_indirect_pointer`.
fn indirect_pointers(kernel: &Kernel) -> Vec<String> {
    let row = |f: &accl_ir::IndirectPointer| {
        let (stride, further) = (f.stride.unwrap_or(0), u8::from(f.further));
        format!("{{{}, {further}, {stride}, {}, {}}}", f.item, f.offset, f.bytes)
    };
    kernel.indirect_pointers.iter().map(row).collect()
}

/// Rows of `accl_arg` and `accl_reduction`.
fn arguments(unit: &HostSource, kernel: &Kernel) -> Result<(Vec<String>, Vec<String>)> {
    use accl_abi::{arg_flags, arg_kind};
    let types = &unit.module.types;
    let (mut args, mut reductions) = (Vec::new(), Vec::new());
    for param in &kernel.params {
        match &param.kind {
            ParamKind::Data { item, plane, read, written, .. } => {
                let wide = is_wide(kernel, param.local);
                let ty = kernel.body.locals[param.local].ty;
                let bits = [
                    (*read, arg_flags::READ),
                    (*written, arg_flags::WRITTEN),
                    (wide, arg_flags::VECTOR),
                    (is_decoded(types, kernel, param.local), arg_flags::DECODED),
                    (*written && is_of(types, ty, &is_float(32)), arg_flags::F32),
                    (*written && is_of(types, ty, &is_float(64)), arg_flags::F64),
                ];
                let flags: u32 = bits.iter().filter(|(on, _)| *on).map(|(_, bit)| bit).sum();
                args.push(format!("{{{}, {item}, {plane}, {flags}}}", arg_kind::DATA));
            }
            ParamKind::Value { ty, .. } => {
                let size = types.size_of(*ty).ok_or_else(|| {
                    HostError::Internal(format!("kernel {}: a value of unknown size", kernel.name))
                })?;
                args.push(format!("{{{}, 0, {size}, 0}}", arg_kind::VALUE));
            }
            ParamKind::Codec { item, parameter } => {
                let size = types.size_of(kernel.body.locals[param.local].ty).unwrap_or(8);
                args.push(format!(
                    "{{{}, {item}, {size}, {}}}",
                    arg_kind::CODEC,
                    codec_parameter_code(*parameter)
                ));
            }
            ParamKind::Extent { item, size, end, on_cpu, .. } => {
                let bits = [(*end, arg_flags::END), (*on_cpu, arg_flags::ON_CPU)];
                let flags: u32 = bits.iter().filter(|(on, _)| *on).map(|(_, bit)| bit).sum();
                args.push(format!("{{{}, {item}, {size}, {flags}}}", arg_kind::EXTENT));
            }
            ParamKind::Stride { item, row, rows, .. } => {
                let flags = if *rows { arg_flags::OF_ROWS } else { 0 };
                args.push(format!("{{{}, {item}, {row}, {flags}}}", arg_kind::STRIDE));
            }
            ParamKind::Reduction { reduction, .. } => {
                let ty = types::abi_type(types, kernel.body.locals[param.local].ty).ok_or_else(|| {
                    HostError::Internal(format!("kernel {}: a reduction over no number", kernel.name))
                })?;
                args.push(format!("{{{}, {}, 0, 0}}", arg_kind::REDUCTION, reductions.len()));
                reductions.push(format!("{{{}, {ty}}}", op_code(reduction.op)));
            }
        }
    }
    Ok((args, reductions))
}

/// Some variant uses a decoded copy of the compressed array. (Block arrays that are written are plain in all
/// variants.)
fn is_decoded(types: &Types, kernel: &Kernel, pointer: Handle<accl_ir::Local>) -> bool {
    let is_compressed =
        is_of(types, kernel.body.locals[pointer].ty, &|kind| matches!(kind, TypeKind::Compressed { .. }));
    let is_number =
        |v: &Variant| is_of(types, v.body.locals[pointer].ty, &|kind| matches!(kind, TypeKind::Float { .. }));
    is_compressed
        && kernel.variants.iter().any(|v| v.requires.decoded && is_number(v))
        && !kernel.variants.last().is_some_and(is_number)
}

/// What a pointer to elements or rows finally points to.
fn is_of(types: &Types, ty: Handle<Type>, wanted: &dyn Fn(&TypeKind) -> bool) -> bool {
    wanted(types.kind(ty)) || types.element(ty).is_some_and(|element| is_of(types, element, wanted))
}

/// A floating-point number of so many bits.
fn is_float(bits: u32) -> impl Fn(&TypeKind) -> bool {
    move |kind| matches!(kind, TypeKind::Float { bits: own } if u32::from(*own) == bits)
}

/// Some variant reads or writes the array several elements at a time.
fn is_wide(kernel: &Kernel, pointer: Handle<accl_ir::Local>) -> bool {
    kernel.variants.iter().any(|variant| {
        let body = &variant.body;
        let mut wide = false;
        accl_ir::visit::for_each_stmt(&body.block, &mut |node| {
            if let Stmt::VectorLoad { src: place, .. } | Stmt::VectorStore { dst: place, .. } = &node.kind {
                let mut after = false;
                accl_ir::visit::walk_expr(body, *place, accl_ir::Access::Read, &mut |e, _| {
                    after |= body.exprs[e].kind == accl_ir::ExprKind::Local(pointer);
                });
                wide |= after;
            }
        });
        wide
    })
}

fn codec_parameter_code(parameter: CodecParameter) -> u32 {
    use accl_abi::codec_parameter as code;
    match parameter {
        CodecParameter::Scale => code::SCALE,
        CodecParameter::Bias => code::BIAS,
        CodecParameter::Inverse => code::INVERSE,
        CodecParameter::Offset => code::OFFSET,
        CodecParameter::First => code::FIRST,
        CodecParameter::Exponents => code::EXPONENTS,
    }
}

fn op_code(op: ReductionOp) -> u32 {
    use accl_abi::op as code;
    match op {
        ReductionOp::Add => code::ADD,
        ReductionOp::Mul => code::MUL,
        ReductionOp::Max => code::MAX,
        ReductionOp::Min => code::MIN,
        ReductionOp::BitAnd => code::BAND,
        ReductionOp::BitOr => code::BOR,
        ReductionOp::BitXor => code::BXOR,
        ReductionOp::LogicalAnd => code::LAND,
        ReductionOp::LogicalOr => code::LOR,
    }
}
