//! One version of a kernel: head, declarations, body.

use super::body::BodyWriter;
use super::decl::PointerStyle;
use super::expr::Prec;
use super::helper::Combine;
use super::names::{Names, identifier};
use super::scalar::Scalar;
use super::spaces::{AddrSpace, Spaces};
use super::stmt::StmtWriter;
use super::sync;
use super::turns;
use super::unit::DeviceSource;
use super::usage::Usage;
use crate::{CodegenError, Result, Style};
use accl_analysis::data_dependent;
use accl_ir::{
    Access, BarrierScope, Block, Body, Expr, ExprKind, GridRule, Handle, Kernel, Local, Param, ParamKind,
    Requirements, Stmt, Type, TypeKind, Variant, visit,
};
use std::collections::BTreeSet;

/// The memory of dynamic tiles, as elements of so many bytes: each tile begins at one.
pub const DYNAMIC_SHARED: &str = "accl_areas";
const DYNAMIC_SHARED_UNIT: u64 = 16;

/// What the writers of statements need to know of the kernel.
pub struct KernelText<'k> {
    pub kernel: &'k Kernel,
    /// `None`: the cpu body.
    pub variant: Option<&'k Variant>,
    /// Its written arrays overlap no other argument.
    pub restrict: bool,
    /// A name for each parameter; reductions build theirs upon it.
    pub stems: Vec<String>,
    /// Types of the values that the body's threads combine while it runs.
    pub combined: BTreeSet<Scalar>,
    /// See [`Dialect::folds_workers`](super::dialect::Dialect::folds_workers).
    pub folded: bool,
}

impl KernelText<'_> {
    /// A worker has fewer lanes than a warp, or a warp has several workers.
    pub fn has_narrow_workers(&self) -> bool {
        self.variant.is_some_and(|v| v.block[0] < 32 && v.block[1] > 1)
    }

    /// The most threads that a block can have.
    pub fn max_threads(&self) -> u32 {
        let Some(variant) = self.variant else { return 1 };
        let [x, y, z] = variant.block;
        if variant.requires.free_lanes {
            return accl_ir::MOST_LANES * y * z;
        }
        let given = self.kernel.vector_length.as_ref();
        let x = match given {
            Some(length) if variant.vector_x => match length.value {
                Some(value) => x.max(u32::try_from(value).unwrap_or(x)),
                None => return 1024,
            },
            _ => x,
        };
        x * y * z
    }

    /// The condition that holds in one thread of a block, given the names of a thread's indices.
    pub fn first_thread(&self, indices: [&str; 3]) -> String {
        let block = self.variant.map_or([1; 3], |v| v.block);
        let tests = indices.iter().zip(block).filter(|(_, extent)| *extent > 1);
        let tests: Vec<String> = tests.map(|(index, _)| format!("{index} == 0")).collect();
        if tests.is_empty() { format!("{} == 0", indices[0]) } else { tests.join(" && ") }
    }
}

/// One symbol and its text.
pub struct Version<'k> {
    pub kernel: &'k Kernel,
    pub variant: Option<&'k Variant>,
    pub body: &'k Body,
    /// Its written arrays overlap no other argument.
    pub restrict: bool,
    /// What its symbol ends with, where the kernel has several versions of its cpu body.
    pub suffix: &'static str,
}

/// What a dialect adds to a version once its body is written.
pub struct Interface {
    pub head: String,
    /// First lines of the body.
    pub prologue: Vec<String>,
    /// What follows the body.
    pub after: String,
}

impl<'k> Version<'k> {
    pub fn of_variant(kernel: &'k Kernel, variant: &'k Variant) -> Version<'k> {
        Version {
            kernel,
            variant: Some(variant),
            body: &variant.body,
            restrict: variant.restrict,
            suffix: "",
        }
    }

    fn shared(&self) -> Vec<Handle<Local>> {
        self.variant.iter().flat_map(|v| &v.shared).map(|s| s.local).collect()
    }

    fn symbol(&self) -> String {
        let stem = self.variant.map_or(&self.kernel.name, |v| &v.symbol);
        format!("{stem}{}", self.suffix)
    }

    /// The whole text. `reserved`: names that the dialect's interface uses.
    pub fn write(
        &self,
        unit: &DeviceSource,
        reserved: &[&str],
        interface: &dyn Fn(&BodyWriter, &KernelText, &str) -> Result<Interface>,
    ) -> Result<String> {
        let usage = Usage::of(unit.module, self.body);
        let params: Vec<_> = self.kernel.params.iter().map(|p| p.local).collect();
        let reserved = unit.reserved_names().into_iter().chain(reserved.iter().map(|r| (*r).to_owned()));
        let mut names = Names::assign(self.body, &usage, &params, reserved, unit.families());
        let stems = self.stems(&mut names);
        let spaces = self.spaces(unit)?;
        let folded = unit.dialect.folds_workers() && self.has_workers_alone();
        let unroll = self.variant.and_then(|variant| variant.unroll);
        let combined_places = match unit.dialect.combines_lanes(unit) {
            true => data_dependent::places(unit.module, self.body),
            false => BTreeSet::new(),
        };
        let mut writer = BodyWriter {
            unit,
            body: self.body,
            usage,
            names,
            spaces,
            folded,
            unroll,
            lanes: self.lanes().filter(|_| unit.dialect.knows_lanes(unit)),
            few_lanes: self.variant.is_some_and(|variant| variant.requires.few_lanes),
            combined_places,
            aggregated: Default::default(),
            function: None,
        };
        if let Some(entries) = self.variant.and_then(|variant| variant.aggregated) {
            writer.aggregated = sync::aggregated(&writer, entries);
        }
        let combined = self.combined(unit);
        let text = KernelText {
            kernel: self.kernel,
            variant: self.variant,
            restrict: self.restrict,
            stems,
            combined,
            folded,
        };
        params.iter().try_for_each(|param| writer.check_parameter(*param))?;
        let body = self.write_body(&writer, &text)?;
        let Interface { head, prologue, after } =
            interface(&writer, &text, &super::names::identifier(&self.symbol()))?;
        let (tables, flushes) = unit.dialect.aggregation(&writer.aggregated, unit);
        let indented =
            |lines: &[String]| lines.iter().map(|line| format!("    {line}\n")).collect::<String>();
        let lines = [self.shared_lines(&writer)?, tables, prologue].map(|lines| indented(&lines)).concat();
        let gap = if lines.is_empty() || body.is_empty() { "" } else { "\n" };
        let flushes = indented(&flushes);
        Ok(format!("{}{head}\n{{\n{lines}{gap}{body}{flushes}}}\n{after}", self.comment(unit)))
    }

    /// See [`BodyWriter::lanes`].
    fn lanes(&self) -> Option<u32> {
        let (kernel, variant) = (self.kernel, self.variant?);
        let [lanes, 1, 1] = variant.block else { return None };
        let gangs = !kernel.serial && kernel.dims.iter().all(|dim| dim.rule == GridRule::Gangs);
        let mut shares = false;
        visit::for_each_loop(&self.body.block, &mut |l, _| shares |= turns::is_of_lanes(self.body, l));
        (gangs && shares && !variant.launch_sets_lanes()).then_some(lanes)
    }

    /// Prefixes of names of parameters that are not the user's own: `sum` of `sum_result`.
    fn stems(&self, names: &mut Names) -> Vec<String> {
        const ENDINGS: [&str; 8] =
            ["_result", "_partials", "_arrivals", "_partial", "_buf", "_off", "_start", "_scratch"];
        let mut stems = Vec::new();
        for param in &self.kernel.params {
            let mut stem = identifier(&self.body.locals[param.local].name);
            while ENDINGS.iter().any(|ending| names.is_taken(&format!("{stem}{ending}"))) {
                stem.push('_');
            }
            for ending in ENDINGS {
                names.fresh(&format!("{stem}{ending}"));
            }
            stems.push(stem);
        }
        stems
    }

    fn combined(&self, unit: &DeviceSource) -> BTreeSet<Scalar> {
        let mut found = BTreeSet::new();
        visit::for_each_stmt(&self.body.block, &mut |node| {
            let port = unit.options.style == Style::Translate;
            let combined = match &node.kind {
                Stmt::ReduceAcross { local, .. } => Some(local),
                Stmt::ReduceGrid { local, .. } if port => Some(local),
                _ => None,
            };
            if let Some(local) = combined {
                found.extend(Scalar::of(&unit.module.types, self.body.locals[*local].ty));
            }
        });
        found
    }

    /// The lanes of one worker synchronise without the other workers of the gang.
    fn has_workers_alone(&self) -> bool {
        let warp = BarrierScope::Warp;
        let mut found = false;
        visit::for_each_stmt(&self.body.block, &mut |node| match &node.kind {
            Stmt::Barrier(scope) | Stmt::ReduceAcross { scope, .. } => found |= *scope == warp,
            _ => {}
        });
        found && self.variant.is_some_and(|v| v.block[1] * v.block[2] > 1)
    }

    /// Where pointer types name no space, only atomic updates ask for it.
    fn spaces(&self, unit: &DeviceSource) -> Result<Spaces> {
        let has_spaces = unit.dialect.has_spaces();
        if !has_spaces && !self.updates_atomically() {
            return Ok(Spaces::default());
        }
        let data = self.kernel.params.iter().filter(|p| matches!(p.kind, ParamKind::Data { .. }));
        let known: Vec<_> = data.map(|p| (p.local, AddrSpace::Global)).collect();
        match has_spaces {
            true => Spaces::infer(unit.module, self.body, &self.shared(), &known),
            false => Ok(Spaces::if_known(unit.module, self.body, &self.shared(), &known)),
        }
    }

    fn updates_atomically(&self) -> bool {
        let mut found = false;
        visit::for_each_stmt(&self.body.block, &mut |node| found |= matches!(node.kind, Stmt::Atomic(_)));
        found
    }

    fn write_body(&self, writer: &BodyWriter, text: &KernelText) -> Result<String> {
        let mut out = StmtWriter::new(writer, Some(text));
        let mut elsewhere = self.shared();
        let mut initial = Vec::new();
        for param in &self.kernel.params {
            match &param.kind {
                ParamKind::Data { .. }
                | ParamKind::Value { .. }
                | ParamKind::Codec { .. }
                | ParamKind::Extent { .. }
                | ParamKind::Stride { .. } => elsewhere.push(param.local),
                ParamKind::Reduction { reduction, .. } => {
                    if let Some(ty) = Scalar::of(&writer.unit.module.types, self.body.locals[param.local].ty)
                    {
                        initial.push((param.local, Combine::from(reduction.op).identity(ty, writer.unit)));
                    }
                }
            }
        }
        out.declare_leftovers(&elsewhere, &initial)?;
        out.block(&self.body.block)?;
        Ok(out.finish())
    }

    /// Shared memory beyond what every GPU has is one array, whose size the launch gives; the other arrays lie in
    /// it.
    fn large_shared_lines(&self, writer: &BodyWriter, bytes: u32) -> Result<Vec<String>> {
        if !writer.unit.dialect.is_cplusplus() {
            let what = format!("a block would keep {bytes} bytes in local memory, more than devices have");
            return Err(writer.unit.unsupported(what, self.kernel.site.directive_span));
        }
        let aligned = writer.unit.dialect.aligned(16);
        let shared = writer.unit.dialect.shared();
        let mut lines = vec![format!("extern {shared}{aligned}unsigned char accl_shared[];")];
        let mut fields = String::new();
        let mut names = vec![];
        for local in self.shared() {
            fields += &format!("{aligned}{}; ", writer.local_declaration(local)?);
            names.push(writer.names.local(local).to_owned());
        }
        lines.push(format!("struct windows {{ {fields}}};"));
        lines.push("windows &accl_windows = *(windows *)accl_shared;".to_owned());
        lines.extend(names.iter().map(|name| format!("auto &{name} = accl_windows.{name};")));
        Ok(lines)
    }

    fn shared_lines(&self, writer: &BodyWriter) -> Result<Vec<String>> {
        if let Some(bytes) = self.variant.and_then(|v| v.large_shared(&writer.unit.module.types)) {
            return self.large_shared_lines(writer, bytes);
        }
        let mut lines = self.dynamic_tile_lines(writer)?;
        let known =
            self.variant.iter().flat_map(|v| &v.shared).filter(|s| s.dynamic.is_none()).map(|s| s.local);
        for local in known.filter(|l| writer.usage.is_named(*l)) {
            // nvcc joins neighbouring reads of a shared array into wide ones where it begins aligned.
            let bytes = writer.unit.module.types.size_of(writer.body.locals[local].ty).unwrap_or(0);
            let wide = (writer.unit.dialect.is_cplusplus() && bytes >= 64).then_some(16);
            let aligned = sync::vector_alignment(writer, local).max(wide);
            let aligned = aligned.map(|b| writer.unit.dialect.aligned(b));
            lines.push(format!("{};", writer.shared_declaration(local, &aligned.unwrap_or_default())?));
        }
        Ok(lines)
    }

    /// Dynamic tiles lie in one array, one after the other.
    fn dynamic_tile_lines(&self, writer: &BodyWriter) -> Result<Vec<String>> {
        let (dialect, types) = (writer.unit.dialect, &writer.unit.module.types);
        let mut lines = vec![];
        let mut start = DYNAMIC_SHARED.to_owned();
        for decl in self.variant.iter().flat_map(|v| &v.shared) {
            let Local { ty, span, .. } = &writer.body.locals[decl.local];
            let (Some(tile), Some(element), Some(length)) =
                (&decl.dynamic, types.element(*ty), types.vla_extent(*ty))
            else {
                continue;
            };
            if lines.is_empty() && dialect.is_cplusplus() {
                lines.push(format!("extern {}uint4 {DYNAMIC_SHARED}[];", dialect.shared()));
            }
            let element = writer.declarator(*span).declare(element, "")?;
            let pointer = format!("{}{element} *", dialect.space(AddrSpace::Local));
            let name = writer.names.local(decl.local);
            let from = if start == DYNAMIC_SHARED { start.clone() } else { format!("({start})") };
            lines.push(format!("{pointer}const {name} = ({pointer}){from};"));
            let length = writer.valued(length)?.at(Prec::Multiplicative);
            start += &match tile.element {
                n if n.is_multiple_of(DYNAMIC_SHARED_UNIT) => {
                    format!(" + {length} * {}", n / DYNAMIC_SHARED_UNIT)
                }
                n => format!(" + ({length} * {n} + {}) / {DYNAMIC_SHARED_UNIT}", DYNAMIC_SHARED_UNIT - 1),
            };
        }
        Ok(lines)
    }

    /// Where the kernel comes from, and what this version requires.
    fn comment(&self, unit: &DeviceSource) -> String {
        let site = &self.kernel.site;
        let place = unit.place(site.directive_span).unwrap_or_else(|| site.function.clone());
        let requires = self.variant.map(|v| requirements_text(v.requires)).unwrap_or_default();
        let text = format!("{place}: {}{requires}", site.directive);
        format!("/* {} */\n", text.replace("*/", "* /"))
    }
}

fn requirements_text(requires: Requirements) -> String {
    let words: Vec<_> = requires.rows().filter_map(|row| row.told).collect();
    if words.is_empty() { String::new() } else { format!(" ({})", words.join(", ")) }
}

/// How a data parameter's pointer is declared.
pub fn data_style(writer: &BodyWriter, text: &KernelText, param: &Param) -> PointerStyle {
    let written = matches!(param.kind, ParamKind::Data { written: true, .. });
    let constant = !written && !writer.usage.get(param.local).stored_through;
    PointerStyle {
        constant,
        restrict: (text.restrict || constant && holds_pointers(writer, param))
            && !is_channel(writer, param)
            && !is_chosen_with_written(writer, text.kernel, param),
        space: Some(AddrSpace::Global),
    }
}

/// The array's elements are pointers, and the kernel stores no pointer in memory: nothing that it writes is one of them, whatever
/// the pointers lead to.
fn holds_pointers(writer: &BodyWriter, param: &Param) -> bool {
    let (body, types) = (writer.body, &writer.unit.module.types);
    let is_pointer = |ty| matches!(types.kind(ty), TypeKind::Pointer { .. });
    if !types.element(body.locals[param.local].ty).is_some_and(is_pointer) {
        return false;
    }
    let may_hold_pointers =
        |ty| is_pointer(ty) || matches!(types.kind(ty), TypeKind::Struct(_) | TypeKind::Opaque(_));
    let in_memory =
        |place| !matches!(body.exprs[place].kind, ExprKind::Local(_)) && may_hold_pointers(body.ty(place));
    let mut stores = false;
    visit::for_each_stmt(&body.block, &mut |node| match &node.kind {
        Stmt::Store { place, .. } => stores |= in_memory(*place),
        // A function may store pointers through one that it is given.
        Stmt::Call { dest, args, .. } => {
            stores |= dest.is_some_and(in_memory) || args.iter().any(|arg| is_pointer(body.ty(*arg)));
        }
        _ => {}
    });
    !stores
}

/// Threads that wait for each other at barriers may exchange values through the array. With `restrict`, a thread
/// could keep an element in a register across the barrier as if no other thread wrote it: nvcc does so.
fn is_channel(writer: &BodyWriter, param: &Param) -> bool {
    let mut meets = false;
    visit::for_each_stmt(&writer.body.block, &mut |node| {
        meets |= matches!(&node.kind, Stmt::Barrier(_) | Stmt::ReduceAcross { .. });
    });
    meets && matches!(param.kind, ParamKind::Data { read: true, written: true, .. })
}

/// A condition chooses between an element of the array, which is only read, and one of an array that the kernel
/// writes. NVIDIA's compilers (CUDA 13 and OpenCL of driver 580) turn the two into one load with a chosen address.
/// Where the first array is `restrict`, they take it for a load of memory that no thread writes, and it misses what
/// the thread has just stored.
fn is_chosen_with_written(writer: &BodyWriter, kernel: &Kernel, param: &Param) -> bool {
    if !matches!(param.kind, ParamKind::Data { written: false, .. }) {
        return false;
    }
    let is_written = |p: &&Param| matches!(p.kind, ParamKind::Data { written: true, .. });
    let written: BTreeSet<Handle<Local>> = kernel.params.iter().filter(is_written).map(|p| p.local).collect();
    // Where both branches use both arrays, as those for full blocks and for the remainder do, there is no such
    // pair.
    let apart = |a: &BTreeSet<Handle<Local>>, b: &BTreeSet<Handle<Local>>| {
        let only_in_b = |l: &Handle<Local>| b.contains(l) && !a.contains(l);
        a.contains(&param.local) && !b.contains(&param.local) && written.iter().any(only_in_b)
    };
    let chosen = |a, b| apart(&a, &b) || apart(&b, &a);
    let body = writer.body;
    let named = |e: Handle<Expr>| {
        let mut locals = BTreeSet::new();
        visit::walk_expr(body, e, Access::Read, &mut |e, _| {
            if let ExprKind::Local(l) = body.exprs[e].kind {
                locals.insert(l);
            }
        });
        locals
    };
    let mut found = body.exprs.iter().any(|(_, e)| match e.kind {
        ExprKind::Select { yes, no, .. } => chosen(named(yes), named(no)),
        _ => false,
    });
    let used = |block: &Block| {
        let mut locals = BTreeSet::new();
        visit::for_each_local(body, block, &mut |l, _| {
            locals.insert(l);
        });
        locals
    };
    visit::for_each_stmt(&body.block, &mut |node| {
        if let Stmt::If { then, otherwise, .. } = &node.kind
            && !otherwise.is_empty()
        {
            found |= chosen(used(then), used(otherwise));
        }
    });
    found
}

/// The accumulator's type.
pub fn reduction_scalar(writer: &BodyWriter, param: &Param) -> Result<Scalar> {
    let ty: Handle<Type> = writer.body.locals[param.local].ty;
    Scalar::of(&writer.unit.module.types, ty)
        .ok_or_else(|| CodegenError::Internal("a reduction over what is no number".into()))
}
