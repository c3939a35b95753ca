//! Directives that govern no statement.

use super::Lowered;
use super::by_device;
use super::context::{Context, is_incomplete, name_in_text};
use super::expr::unsupported;
use super::function::Fun;
use super::scope::short_name;
use crate::ast::Ty;
use crate::pragmas::Pragma;
use accl_directives::{
    self as acc, Clauses, Conditions, DataClause, DataClauses, DataModifier, DeviceClauses, DeviceKind,
    DeviceType, Directive, DirectiveKind, Section,
};
use accl_ir::{
    ArrayLen, DataFlags, DataItem, DataKind, DataVar, Handle, HostExpr, SectionDim, Standalone,
    StandaloneKind, Type, TypeKind, Wait,
};
use accl_source::codes::directives::DEVICE_TYPE;
use accl_source::{Diagnostic, Span, codes::frontend as codes};

impl Fun<'_, '_> {
    pub fn standalone(&mut self, d: &Directive, span: Span) -> Lowered<Standalone> {
        let views = by_device::views(d);
        let (async_, mut waits) = (self.async_clause(&views, d.name_span), self.wait_clauses(&views));
        // The other groups consist of constructs, loops and routines.
        let [view, ..] = views;
        let Clauses { conditions, queues, sizes: _, data, privates: _, levels: _, device, routine: _ } = view;
        self.dependences(queues.depends, &mut waits);
        let DeviceClauses { types, number, default_async } = device;
        let of_omp = number.map(|e| self.host_expr(e));
        let is_mapper = matches!(d.kind, DirectiveKind::DeclareMapper(_));
        let if_ = self.condition(d, &conditions, of_omp).filter(|_| !is_mapper);
        let Conditions { if_: _, self_: _, if_present, finalize, filter: _, parallel_if: _, ancestor } =
            conditions;
        self.refuse_ancestor(ancestor, d);
        let list = self.mapped_list(d, &data);
        let data = self.data_clauses(d, &data);
        self.known_device_types(types, d);
        let device_types: Vec<String> = types.iter().map(|t| t.name().to_owned()).collect();
        let device_num = number.map(|e| self.host_expr(e));
        let kind = match &d.kind {
            DirectiveKind::EnterData => StandaloneKind::EnterData,
            DirectiveKind::ExitData => StandaloneKind::ExitData,
            DirectiveKind::Update => StandaloneKind::Update,
            DirectiveKind::Wait(args) => {
                waits.push(args.as_ref().map_or_else(Wait::default, |args| self.wait(args)));
                StandaloneKind::Wait
            }
            DirectiveKind::Init => StandaloneKind::Init { device_types, device_num },
            DirectiveKind::Shutdown => StandaloneKind::Shutdown { device_types, device_num },
            DirectiveKind::Set => {
                let default_async = default_async.map(|e| self.host_expr(e));
                StandaloneKind::Set { device_types, device_num, default_async }
            }
            DirectiveKind::Declare => StandaloneKind::Declare,
            // Nothing is left of it.
            DirectiveKind::DeclareMapper(_) => StandaloneKind::Wait,
            DirectiveKind::Compute { .. }
            | DirectiveKind::Data
            | DirectiveKind::HostData
            | DirectiveKind::Loop
            | DirectiveKind::Cache { .. }
            | DirectiveKind::Atomic(_)
            | DirectiveKind::Routine(_)
            | DirectiveKind::Fcw(_)
            | DirectiveKind::FcwBarrier
            | DirectiveKind::Teams { .. }
            | DirectiveKind::Threads(_)
            | DirectiveKind::DeclareTarget { .. }
            | DirectiveKind::EndDeclareTarget
            | DirectiveKind::Other { .. } => return Err(unsupported("this directive", span)),
        };
        Ok(Standalone { kind, if_, async_, waits, data, list, if_present, finalize, directive_span: span })
    }

    /// `init`, `shutdown` and `set` name devices as the run time's `ACC_DEVICE_TYPE` does.
    fn known_device_types(&mut self, types: &[DeviceType], d: &Directive) {
        for device_type in types {
            let known = !matches!(device_type, DeviceType::Other(name) if !["not_host", "gpu"].contains(&name.as_str()));
            if !known {
                let message = format!(
                    "no device here is of the type `{}`: the default device is taken",
                    device_type.name()
                );
                self.cx.error(Diagnostic::warning(DEVICE_TYPE, message).at(d.name_span));
            }
        }
        if let (DirectiveKind::Set, [_, _, ..]) = (&d.kind, types) {
            let message = "`set` chooses one type of device, and several are named";
            self.cx.error(Diagnostic::error(DEVICE_TYPE, message).at(d.name_span).with_help("name one"));
        }
    }
}

/// `declare` outside functions: whole global variables, for the life of the program (§2.13).
pub fn declare_at_file_scope(cx: &mut Context<'_>, pragma: &Pragma) {
    let mut data = Vec::new();
    // All clauses that may stand on `declare` name data.
    let view = pragma.directive.clauses_for(DeviceKind::Cuda);
    let Clauses {
        conditions: _,
        queues: _,
        sizes: _,
        data: named,
        privates: _,
        levels: _,
        device: _,
        routine: _,
    } = view;
    let DataClauses {
        default: _,
        defaultmaps: _,
        items,
        use_device: _,
        update_self: _,
        update_device: _,
        mapped: _,
        compression: _,
    } = named;
    for DataClause { kind: clause, modifiers, compressed: _, sections } in items {
        let kind = match clause {
            acc::DataKind::Copyin | acc::DataKind::Copy => DataKind::Copyin,
            acc::DataKind::Create | acc::DataKind::DeviceResident => DataKind::Create,
            // Constructs find it where a data clause has put it.
            acc::DataKind::Link => continue,
            acc::DataKind::Deviceptr => {
                sections.iter().for_each(|section| declare_device_pointer(cx, section, pragma.span));
                continue;
            }
            _ => {
                let message = format!(
                    "`{}` on a `declare` directive outside functions is not implemented yet",
                    clause.name()
                );
                cx.error(Diagnostic::error(codes::NOT_IMPLEMENTED, message).at(pragma.span));
                continue;
            }
        };
        let flags = match modifiers.as_slice() {
            [] => DataFlags::default(),
            [DataModifier::Readonly] => DataFlags { readonly: true, ..DataFlags::default() },
            [modifier, ..] => {
                let message = format!(
                    "the modifier `{}` of a `declare` directive outside functions is not implemented yet",
                    modifier.name()
                );
                cx.error(Diagnostic::error(codes::NOT_IMPLEMENTED, message).at(pragma.span));
                continue;
            }
        };
        for section in sections {
            match global_item(cx, (kind, flags), section, pragma.span) {
                Some(item) => data.push(item),
                None => {
                    let message = format!("`{section}` is no global array or scalar declared before");
                    cx.error(Diagnostic::error(codes::BAD_CLAUSE_VARIABLE, message).at(section.span));
                }
            }
        }
    }
    push_declared(cx, data, pragma.span);
}

/// The global pointer holds an address of the device: constructs after the directive take it as if they named it in `deviceptr`.
fn declare_device_pointer(cx: &mut Context<'_>, section: &Section, at: Span) {
    let pointer = global_named(cx, section, at).map(|var| (var.id, matches!(*var.ty.ty, Ty::Pointer { .. })));
    match pointer {
        Some((id, true)) => cx.device_pointers.push((id, section.clone())),
        _ => {
            let message = format!("`{section}` is no global pointer declared before");
            cx.error(Diagnostic::error(codes::BAD_CLAUSE_VARIABLE, message).at(section.span));
        }
    }
}

/// The variables live on devices for the life of the program. `place`: where the host registers them.
pub fn push_declared(cx: &mut Context<'_>, data: Vec<DataItem>, place: Span) {
    let of_unknown_extent = |item: &DataItem| {
        matches!(cx.module.types.kind(item.ty), TypeKind::Array { len: ArrayLen::Unknown, .. })
    };
    // The file that defines such an array registers it.
    let (elsewhere, here): (Vec<_>, Vec<_>) = data.into_iter().partition(of_unknown_extent);
    if !elsewhere.is_empty() {
        push_data(cx, elsewhere, Span::NOWHERE);
    }
    push_data(cx, here, place);
}

fn push_data(cx: &mut Context<'_>, data: Vec<DataItem>, place: Span) {
    cx.module.declares.push(Standalone {
        kind: StandaloneKind::Declare,
        if_: None,
        async_: None,
        waits: vec![],
        data,
        list: vec![],
        if_present: false,
        finalize: false,
        directive_span: place,
    });
}

/// The section that is all of an array.
fn whole(cx: &Context<'_>, ty: Handle<Type>, span: Span) -> Vec<SectionDim> {
    let TypeKind::Array { len: ArrayLen::Const(n), .. } = *cx.module.types.kind(ty) else { return vec![] };
    let length = HostExpr { text: n.to_string(), span, value: i64::try_from(n).ok() };
    vec![SectionDim { lower: None, length: Some(length) }]
}

/// The directive stands in the variable's namespace, after the variable's declaration.
fn global_named<'p>(cx: &Context<'p>, section: &Section, at: Span) -> Option<&'p crate::ast::Var> {
    let name = section.as_variable()?;
    let declared = |g: &&crate::ast::Var| short_name(&g.name) == short_name(name) && g.span.start < at.start;
    cx.program.globals.iter().rev().find(declared)
}

/// A data item for a global variable that a directive outside functions names.
pub fn global_item(
    cx: &mut Context<'_>,
    (kind, flags): (DataKind, DataFlags),
    section: &Section,
    at: Span,
) -> Option<DataItem> {
    let name = section.as_variable()?;
    let var = global_named(cx, section, at)?;
    let host_name = name_in_text(&var.name);
    // Its declaration here does not say how large it is.
    let incomplete = is_incomplete(&var.ty);
    let var = cx.global_var(var.id)?;
    let global: Handle<_> = cx.global(var);
    let ty = cx.module.globals[global].ty;
    if matches!(cx.module.types.kind(ty), TypeKind::Opaque(_)) {
        return None;
    }
    Some(DataItem {
        flags,
        section: if incomplete { whole(cx, ty, section.span) } else { vec![] },
        ..DataItem::new(kind, DataVar::Global(global), name.to_owned(), host_name, ty, section.span)
    })
}
