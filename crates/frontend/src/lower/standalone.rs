//! Directives that govern no statement.

use super::Lowered;
use super::context::Context;
use super::expr::unsupported;
use super::function::Fun;
use super::scope::short_name;
use crate::pragmas::Pragma;
use accl_directives::{Directive, DirectiveKind, Section};
use accl_ir::{
    DataFlags, DataItem, DataKind, DataVar, Handle, SectionDim, Standalone, StandaloneKind, TypeKind, Wait,
};
use accl_source::{Diagnostic, Span, codes::frontend as codes};

impl Fun<'_, '_> {
    pub fn standalone(&mut self, d: &Directive, span: Span) -> Lowered<Standalone> {
        let device_type = d.device_type().and_then(|t| t.first()).map(|t| t.name().to_owned());
        let mut data = self.data_clauses(d);
        let kind = match &d.kind {
            DirectiveKind::EnterData => StandaloneKind::EnterData,
            DirectiveKind::ExitData => StandaloneKind::ExitData,
            DirectiveKind::Update => {
                let flags = DataFlags::default();
                self.data_items(DataKind::UpdateSelf, flags, d.update_self(), &mut data);
                self.data_items(DataKind::UpdateDevice, flags, d.update_device(), &mut data);
                StandaloneKind::Update
            }
            DirectiveKind::Wait(_) => StandaloneKind::Wait,
            DirectiveKind::Init => StandaloneKind::Init { device_type, device_num: self.device_num(d) },
            DirectiveKind::Shutdown => {
                StandaloneKind::Shutdown { device_type, device_num: self.device_num(d) }
            }
            DirectiveKind::Set => StandaloneKind::Set {
                device_type,
                device_num: self.device_num(d),
                default_async: d.default_async().map(|e| self.host_expr(e)),
            },
            DirectiveKind::Declare => StandaloneKind::Declare,
            DirectiveKind::Compute { .. }
            | DirectiveKind::Data
            | DirectiveKind::HostData
            | DirectiveKind::Loop
            | DirectiveKind::Cache { .. }
            | DirectiveKind::Atomic(_)
            | DirectiveKind::Routine(_)
            | DirectiveKind::Fcw(_)
            | DirectiveKind::FcwBarrier
            | DirectiveKind::Other { .. } => return Err(unsupported("this directive", span)),
        };
        let wait = match &d.kind {
            DirectiveKind::Wait(args) => {
                let queues = args.iter().flat_map(|a| &a.queues).map(|e| self.host_expr(e)).collect();
                Some(Wait { queues })
            }
            _ => self.wait_clause(d),
        };
        Ok(Standalone {
            kind,
            if_: d.if_().map(|e| self.host_expr(e)),
            async_: self.async_clause(d),
            wait,
            data,
            if_present: d.if_present(),
            finalize: d.finalize(),
            directive_span: span,
        })
    }

    fn device_num(&mut self, d: &Directive) -> Option<accl_ir::HostExpr> {
        d.device_num().map(|e| self.host_expr(e))
    }
}

/// `declare` outside functions: whole global variables, for the life of the program (§2.13).
pub fn declare_at_file_scope(cx: &mut Context<'_>, pragma: &Pragma) {
    let mut data = Vec::new();
    for clause in pragma.directive.data_clauses() {
        let kind = match clause.kind {
            accl_directives::DataKind::Copyin | accl_directives::DataKind::Copy => DataKind::Copyin,
            accl_directives::DataKind::Create | accl_directives::DataKind::DeviceResident => DataKind::Create,
            _ => {
                let message = format!(
                    "`{}` on a `declare` directive outside functions is not implemented yet",
                    clause.kind.name()
                );
                cx.error(Diagnostic::error(codes::NOT_IMPLEMENTED, message).at(pragma.span));
                continue;
            }
        };
        for section in &clause.sections {
            match global_item(cx, kind, section, pragma.span) {
                Some(item) => data.push(item),
                None => {
                    let message = format!("`{section}` is no global array or scalar declared before");
                    cx.error(Diagnostic::error(codes::BAD_CLAUSE_VARIABLE, message).at(section.span));
                }
            }
        }
    }
    cx.module.declares.push(Standalone {
        kind: StandaloneKind::Declare,
        if_: None,
        async_: None,
        wait: None,
        data,
        if_present: false,
        finalize: false,
        directive_span: pragma.span,
    });
}

/// The directive stands in the variable's namespace, behind its declaration.
fn global_item(cx: &mut Context<'_>, kind: DataKind, section: &Section, at: Span) -> Option<DataItem> {
    let name = section.as_variable()?;
    let declared = |g: &&crate::ast::Var| short_name(&g.name) == short_name(name) && g.span.start < at.start;
    let var = cx.program.globals.iter().rev().find(declared)?;
    let host_name = var.name.clone();
    let var = cx.global_var(var.id)?;
    let global: Handle<_> = cx.global(var);
    let ty = cx.module.globals[global].ty;
    if matches!(cx.module.types.kind(ty), TypeKind::Opaque(_)) {
        return None;
    }
    Some(DataItem {
        kind,
        flags: DataFlags::default(),
        var: DataVar::Global(global),
        name: name.to_owned(),
        base: host_name,
        ty,
        section: Vec::<SectionDim>::new(),
        compression: None,
        span: section.span,
    })
}
