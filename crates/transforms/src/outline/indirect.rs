//! Compressed arrays that a kernel would access through indirect pointers.
//!
//! Such a pointer says nothing of a format or its parameters, so the kernel would take encoded bits for numbers. Where a
//! clause in sight compresses the member that is dereferenced, the compiler refuses it here; in all other cases the
//! runtime finds it at launch.

use crate::regions::Site;
use accl_analysis::indirect::{self, Loaded};
use accl_analysis::text::Scope;
use accl_ir::{
    Body, DataItem, DataVar, Expr, ExprKind, Global, Handle, IndirectPointer, Local, Module, Param, Region,
    StructDef, TypeKind,
};
use accl_source::codes::transforms as codes;
use accl_source::{Diagnostic, Span};

/// The indirect pointers of a kernel, and what is wrong with them. `body` is the kernel's.
pub fn of_kernel(
    module: &Module,
    host: &Body,
    region: &Region,
    site: &Site,
    body: &Body,
    params: &[Param],
) -> (Vec<IndirectPointer>, Vec<Diagnostic>) {
    let loaded = indirect::loaded(module, body, params);
    let members = compressed_members(module, host, region, site);
    let mut refused: Vec<Diagnostic> = vec![];
    for load in &loaded {
        let start = region.clauses.data.get(load.from.item).and_then(|item| start(host, &item.var));
        let clash = members.iter().find(|m| Some(m.start) == start && Some(m.member) == load.member);
        refused.extend(clash.map(|m| refuse(module, body, load, m)).filter(|d| !refused.contains(d)));
    }
    (indirect::summary(&loaded), refused)
}

/// A member that a clause in sight compresses, and what the clause calls it.
struct Member {
    start: Start,
    member: (Handle<StructDef>, u32),
    name: String,
    span: Span,
}

/// The variable that a path begins with.
#[derive(Clone, Copy, PartialEq)]
enum Start {
    Local(Handle<Local>),
    Global(Handle<Global>),
}

fn compressed_members(module: &Module, host: &Body, region: &Region, site: &Site) -> Vec<Member> {
    let of_item = |i: &DataItem| Some((i.var.clone(), i.base.clone(), i.compression.as_ref()?.span));
    let items = region.clauses.data.iter().chain(&site.around.visible).filter_map(of_item);
    let listed = region.clauses.compression.iter().map(|c| (c.var.clone(), c.name.clone(), c.span));
    items
        .chain(listed)
        .filter_map(|(var, name, span)| {
            let member = member(module, host, &var)?;
            Some(Member { start: start(host, &var)?, member, name, span })
        })
        .collect()
}

fn member(module: &Module, host: &Body, var: &DataVar) -> Option<(Handle<StructDef>, u32)> {
    let DataVar::Member(e) = var else { return None };
    let place = match host.exprs[*e].kind {
        ExprKind::Load(place) => place,
        _ => *e,
    };
    let ExprKind::Member { base, field } = host.exprs[place].kind else { return None };
    match module.types.kind(host.exprs[base].ty) {
        TypeKind::Struct(def) => Some((*def, field)),
        _ => None,
    }
}

fn start(host: &Body, var: &DataVar) -> Option<Start> {
    match var {
        DataVar::Local(l) => Some(Start::Local(*l)),
        DataVar::Global(g) => Some(Start::Global(*g)),
        DataVar::Member(e) => path_start(host, *e),
    }
}

fn path_start(host: &Body, e: Handle<Expr>) -> Option<Start> {
    match host.exprs[e].kind {
        ExprKind::Local(l) => Some(Start::Local(l)),
        ExprKind::Global(g) => Some(Start::Global(g)),
        ExprKind::Member { base, .. }
        | ExprKind::Index { base, .. }
        | ExprKind::Deref(base)
        | ExprKind::Decay(base)
        | ExprKind::Load(base) => path_start(host, base),
        _ => None,
    }
}

fn refuse(module: &Module, body: &Body, load: &Loaded, member: &Member) -> Diagnostic {
    let text = load.place.map_or("a pointer".into(), |p| Scope::new(module, body).message(p));
    let name = &member.name;
    let message = format!("`{text}` is followed in device memory, and `{name}` is held compressed");
    Diagnostic::error(codes::COMPRESSED_INDIRECT, message)
        .label(load.span, "the kernel loads this pointer, and cannot know how its array is held")
        .label(member.span, "compressed by this clause")
        .with_help(
            "take the pointer on the host, in a variable of its own, and name that in `compression` and in the \
             kernel; or hold the array plain",
        )
}
