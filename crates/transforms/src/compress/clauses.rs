//! Pass 3b: the format in which each compute construct sees its arrays.
//!
//! The data clause that keeps an array compressed states the format. The `compression` clause of a compute
//! construct says that its kernels are to be compiled for that format. Where both are in one function they are
//! checked here, and the format comes from the data clause. Where only the compute construct is, it states the
//! format itself or takes the default one, and the runtime compares at launch.
//!
//! Invariant: afterwards an item of a compute construct has a compression exactly where its kernels decode.

use crate::context::Context;
use crate::pass::Pass;
use crate::regions::{self, Asks, Site};
use accl_analysis::data;
use accl_analysis::provenance::Root;
use accl_ir::{
    Body, Compressed, Compression, DataItem, DataKind, DataVar, Format, Function, Handle, Layout, Module,
    Region, StandaloneKind, Stmt, TypeKind, Types, visit,
};
use accl_source::codes::{frontend, transforms as codes};
use accl_source::{Diagnostic, Remark, RemarkKind};
use std::collections::BTreeMap;

pub const PASS: Pass = Pass {
    name: "compress_clauses",
    promise: "Each data item says in which format its construct sees the array.",
    run,
};

fn run(module: &mut Module, cx: &mut Context<'_>) {
    let entered = entered(module);
    regions::each_with_data(module, Asks::Nothing, &mut |module, body, region, site| {
        let pass = Formats { module, body, site, entered: entered.get(&site.construct.function) };
        let items: Vec<DataItem> =
            region.clauses.data.iter().map(|item| pass.item(region, item, cx)).collect();
        pass.check_written(region, &items, cx);
        for c in items
            .iter()
            .filter_map(|i| i.compression.as_ref().map(|c| (i, c)).filter(|_| !site.in_partitioned))
        {
            explain(site, region, c.0, c.1, cx);
        }
        region.clauses.data = items;
    });
}

/// Compressed items of the `enter data` directives of each function.
fn entered(module: &Module) -> BTreeMap<Handle<Function>, Vec<DataItem>> {
    let mut found: BTreeMap<_, Vec<DataItem>> = BTreeMap::new();
    for (handle, function) in module.functions.iter() {
        let Some(body) = &function.body else { continue };
        visit::for_each_stmt(&body.block, &mut |node| {
            if let Stmt::Directive(d) = &node.kind
                && d.kind == StandaloneKind::EnterData
            {
                let compressed = d.data.iter().filter(|i| i.compression.is_some());
                found.entry(handle).or_default().extend(compressed.cloned());
            }
        });
    }
    found
}

struct Formats<'a> {
    module: &'a Module,
    body: &'a Body,
    site: &'a Site,
    entered: Option<&'a Vec<DataItem>>,
}

impl Formats<'_> {
    fn root(&self, item: &DataItem) -> Root {
        data::item_root(self.module, self.body, item)
    }

    /// The data item as the construct's kernels see it.
    fn item(&self, region: &Region, item: &DataItem, cx: &mut Context<'_>) -> DataItem {
        let root = self.root(item);
        let listed = region.clauses.compression.iter().find(|c| var_root(self, c) == root);
        let around = self.site.around.visible.iter().rev().find(|i| self.root(i) == root);
        // The clause stands on the construct itself.
        let own = item.compression.clone().filter(|_| !item.flags.implicit);
        let outer = around.map(|i| i.compression.as_ref());
        let item = DataItem { compression: None, ..item.clone() };
        if matches!(item.kind, DataKind::Attach | DataKind::Detach) {
            return item;
        }
        match (own, listed, outer) {
            (Some(own), _, Some(Some(outer))) if own.format != outer.format => {
                cx.diagnostics.push(two_formats(&item, own.format, item.span, outer));
                item
            }
            (Some(own), _, Some(None)) => {
                cx.diagnostics.push(plain_around(&item, own.span, around));
                item
            }
            (Some(own), _, _) => DataItem { compression: Some(own), ..item },
            (None, Some(listed), Some(Some(outer))) => {
                if let Some(format) = listed.format.filter(|f| *f != outer.format) {
                    cx.diagnostics.push(two_formats(&item, format, listed.span, outer));
                }
                DataItem { compression: Some(outer.clone()), ..item }
            }
            (None, Some(listed), Some(None)) => {
                cx.diagnostics.push(plain_around(&item, listed.span, around));
                item
            }
            (None, Some(listed), None) => self.held_elsewhere(item, listed, cx),
            (None, None, Some(Some(outer))) => {
                cx.diagnostics.push(not_listed(&item, region, outer));
                item
            }
            (None, None, Some(None) | None) => item,
        }
    }

    /// Nothing in this function's constructs says how the array is stored.
    fn held_elsewhere(&self, item: DataItem, listed: &Compressed, cx: &mut Context<'_>) -> DataItem {
        if !item.flags.implicit && item.kind != DataKind::Present {
            cx.diagnostics.push(plain_around(&item, listed.span, Some(&item)));
            return item;
        }
        let root = self.root(&item);
        let entered = self.entered.into_iter().flatten().find(|i| self.root(i) == root);
        let (float_bits, members) = element(&self.module.types, listed.ty);
        let usual = Compression {
            format: listed.format.unwrap_or(Format::usual(float_bits)),
            float_bits,
            members,
            range: None,
            span: listed.span,
        };
        let compression = match entered.and_then(|i| i.compression.clone()) {
            Some(entered) if listed.format.is_none_or(|f| f == entered.format) => entered,
            _ => usual,
        };
        DataItem { kind: DataKind::Present, compression: Some(compression), ..item }
    }

    /// What kernels write may lie outside of the range of what was copied in.
    fn check_written(&self, region: &Region, items: &[DataItem], cx: &mut Context<'_>) {
        if items.iter().all(|i| i.compression.is_none()) {
            return;
        }
        let Site { construct, around, .. } = self.site;
        let summary = cx.analyses.summary(*construct, self.module, self.body, region, around);
        for item in items {
            let Some(c) = &item.compression else { continue };
            let elsewhere = region.clauses.compression.iter().any(|l| l.span == c.span);
            let root = self.root(item);
            let written = summary.variables.iter().find(|v| v.root == root && v.written);
            if let Some(v) = written
                && c.range.is_none()
                && c.format.scheme.has_range()
                && !elsewhere
            {
                let name = &item.base;
                cx.diagnostics.push(
                    Diagnostic::error(
                        frontend::RANGE_NEEDED,
                        format!("`{name}` is written by a kernel, so its range must be given"),
                    )
                    .label(c.span, "found in the data that is copied in")
                    .label(v.span, "used here")
                    .with_help(format!("write the range behind the length: `{name}[start:length:min:max]`")),
                );
            }
        }
    }
}

fn var_root(pass: &Formats<'_>, c: &Compressed) -> Root {
    match &c.var {
        DataVar::Local(l) => Root::Local(*l),
        DataVar::Global(g) => Root::Global(*g),
        DataVar::Member(_) => {
            let item =
                DataItem::new(DataKind::Present, c.var.clone(), c.name.clone(), c.name.clone(), c.ty, c.span);
            pass.root(&item)
        }
    }
}

/// The width of the numbers in an array or pointer type, and how many of them an element has.
fn element(types: &Types, ty: Handle<accl_ir::Type>) -> (u8, u32) {
    match types.kind(ty) {
        TypeKind::Float { bits } => (*bits, 1),
        TypeKind::Pointer { to: inner, .. } | TypeKind::Array { of: inner, .. } => element(types, *inner),
        TypeKind::Struct(def) => {
            let fields = &types.structs[*def].fields;
            (fields.first().map_or(32, |f| element(types, f.ty).0), fields.len() as u32)
        }
        _ => (32, 1),
    }
}

fn words(format: Format) -> String {
    let layout = if format.layout == Layout::Aos { ", aos" } else { "" };
    format!("{}, {} bits{layout}", format.scheme.name(), format.bits)
}

fn two_formats(item: &DataItem, format: Format, here: accl_source::Span, outer: &Compression) -> Diagnostic {
    let message = format!("`{}` is compressed in two formats", item.base);
    Diagnostic::error(codes::COMPRESSION_MISMATCH, message)
        .label(here, words(format))
        .label(outer.span, words(outer.format))
        .with_help("state the format in the data clause only")
}

fn plain_around(item: &DataItem, here: accl_source::Span, around: Option<&DataItem>) -> Diagnostic {
    let message = format!("`{}` is held plain on the device, not compressed", item.base);
    let error = Diagnostic::error(codes::COMPRESSION_MISMATCH, message).label(here, "said to be compressed");
    let error = match around {
        Some(plain) => error.label(plain.span, "held plain by this clause"),
        None => error,
    };
    error.with_help("use the compressed clause of the same name, with `c` in front (`ccopyin` for `copyin`)")
}

fn not_listed(item: &DataItem, region: &Region, outer: &Compression) -> Diagnostic {
    let name = &item.base;
    let message = format!("`{name}` is held compressed, but this construct reads it as plain data");
    Diagnostic::error(codes::COMPRESSION_MISMATCH, message)
        .label(region.directive_span, "compiled for plain data")
        .label(outer.span, "compressed by this clause")
        .with_help(format!("add `compression({name})` to the construct"))
}

fn explain(site: &Site, region: &Region, item: &DataItem, c: &Compression, cx: &mut Context<'_>) {
    let layout = if c.members > 1 { format!(", {}", c.format.layout.name()) } else { String::new() };
    let (scheme, bits) = (c.format.scheme.name(), c.format.bits);
    let message = format!("{} is compressed: {scheme}, {bits} bits of {}{layout}", item.base, c.float_bits);
    let id = accl_source::codes::remarks::COMPRESSED;
    cx.remark(Remark::new(id, RemarkKind::DataMovement, &site.name, region.directive_span, message));
}
