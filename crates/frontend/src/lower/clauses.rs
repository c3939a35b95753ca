//! Clauses of constructs and loops.

use super::Lowered;
use super::expr::unsupported;
use super::function::{Binding, Fun, Variable};
use super::scope::Named;
use super::sections::names_object;
use super::twice::Ends;
use crate::ast::Ty;
use accl_directives::{
    self as acc, DataModifier, DefaultKind, Directive, DirectiveKind, Lvalue, PathStep, Section, TileSize,
};
use accl_ir::{
    Async, DataFlags, DataItem, DataKind, DataVar, DefaultData, Expr as IrExpr, ExprKind as Ir, Handle,
    HostExpr, LoopDirective, RegionClauses, SectionDim, TypeKind, Wait,
};
use accl_source::codes::directives::BAD_COLLAPSE;
use accl_source::{Diagnostic, Span, codes::frontend as codes};

impl Fun<'_, '_> {
    pub fn region_clauses(&mut self, d: &Directive, combined: bool) -> RegionClauses {
        let num_gangs = d.num_gangs().and_then(|sizes| sizes.first()).map(|e| self.host_expr(e));
        let mut clauses = RegionClauses {
            if_: d.if_().map(|e| self.host_expr(e)),
            self_: d.self_().map(|c| c.as_ref().map(|e| self.host_expr(e))),
            if_present: d.if_present(),
            async_: self.async_clause(d),
            wait: self.wait_clause(d),
            num_gangs,
            num_workers: d.num_workers().map(|e| self.host_expr(e)),
            vector_length: d.vector_length().map(|e| self.host_expr(e)),
            default: d.default_().map(|k| match k {
                DefaultKind::None => DefaultData::None,
                DefaultKind::Present => DefaultData::Present,
            }),
            data: self.data_clauses(d),
            compression: self.compression_clauses(d),
            firstprivate: self.privates(d.firstprivate(), "firstprivate"),
            ..RegionClauses::default()
        };
        // On a combined construct these belong to the loop (§2.11).
        if !combined {
            clauses.private = self.privates(d.private(), "private");
            clauses.reductions = self.reductions(d);
        }
        clauses
    }

    pub fn loop_directive(&mut self, d: &Directive, span: Span) -> LoopDirective {
        let collapse = match d.collapse() {
            None => 1,
            Some(collapse) => match self.constant(&collapse.count).and_then(|n| u32::try_from(n).ok()) {
                Some(n) if n >= 1 => n,
                _ => {
                    self.cx.error(
                        Diagnostic::error(
                            BAD_COLLAPSE,
                            "the argument of `collapse` must be a positive constant",
                        )
                        .label(collapse.count.span, "its value is not known to the compiler, or not positive")
                        .with_note(
                            "how many loops are joined is settled at compile time (OpenACC 3.3 §2.9.1)",
                        )
                        .with_help("write the number of loops, as in `collapse(2)`"),
                    );
                    1
                }
            },
        };
        let tile = d.tile().map(|sizes| sizes.iter().map(|s| self.tile_size(s, d.name_span)).collect());
        LoopDirective {
            span,
            found: false,
            gang: d.gang().map(|args| args.num.as_ref().map(|e| self.host_expr(e))),
            worker: d.worker().map(|e| e.as_ref().map(|e| self.host_expr(e))),
            vector: d.vector().map(|e| e.as_ref().map(|e| self.host_expr(e))),
            seq: d.seq(),
            auto: d.auto(),
            independent: d.independent(),
            collapse,
            tile: tile.unwrap_or_default(),
            private: self.privates(d.private(), "private"),
            reductions: self.reductions(d),
        }
    }

    /// `*` leaves the size to the compiler.
    fn tile_size(&mut self, size: &TileSize, span: Span) -> HostExpr {
        match size {
            TileSize::Expr(e) => self.host_expr(e),
            TileSize::Star => HostExpr { text: "*".into(), span, value: None },
        }
    }

    pub fn async_clause(&mut self, d: &Directive) -> Option<Async> {
        let queue = d.async_()?;
        Some(Async { queue: queue.as_ref().map(|e| self.host_expr(e)) })
    }

    /// All `wait` clauses together; one without arguments waits for everything.
    pub fn wait_clause(&mut self, d: &Directive) -> Option<Wait> {
        let clauses: Vec<_> = d.waits().collect();
        if clauses.is_empty() {
            return None;
        }
        if clauses.iter().any(|c| c.as_ref().is_none_or(|args| args.queues.is_empty())) {
            return Some(Wait::default());
        }
        let queues = clauses.iter().filter_map(|c| c.as_ref()).flat_map(|args| &args.queues);
        Some(Wait { queues: queues.map(|e| self.host_expr(e)).collect() })
    }

    pub fn data_clauses(&mut self, d: &Directive) -> Vec<DataItem> {
        let mut items = Vec::new();
        for clause in d.data_clauses() {
            let kind = match clause.kind {
                acc::DataKind::Copy => DataKind::Copy,
                acc::DataKind::Copyin => DataKind::Copyin,
                acc::DataKind::Copyout => DataKind::Copyout,
                // Device-resident data has no host copy to keep in step.
                acc::DataKind::Create | acc::DataKind::DeviceResident => DataKind::Create,
                acc::DataKind::NoCreate => DataKind::NoCreate,
                acc::DataKind::Present => DataKind::Present,
                acc::DataKind::Deviceptr => DataKind::Deviceptr,
                acc::DataKind::Attach => DataKind::Attach,
                acc::DataKind::Detach => DataKind::Detach,
                acc::DataKind::Delete => DataKind::Delete,
                acc::DataKind::Link => {
                    self.not_implemented("`link`", d.name_span);
                    continue;
                }
            };
            let always = |m: &DataModifier| {
                matches!(m, DataModifier::Always | DataModifier::AlwaysIn | DataModifier::AlwaysOut)
            };
            let flags = DataFlags {
                implicit: false,
                zero: clause.modifiers.contains(&DataModifier::Zero),
                readonly: clause.modifiers.contains(&DataModifier::Readonly),
                always: clause.modifiers.iter().any(always),
                private: false,
                address: false,
                followed: false,
            };
            let first = items.len();
            self.data_items(kind, flags, clause.sections.iter(), &mut items);
            if let Some(args) = &clause.compressed {
                let sections = &clause.sections;
                self.compress_items(d, args, sections, &mut items[first..]);
            }
        }
        let ends = match d.kind {
            DirectiveKind::Compute { .. } => Ends::Compute,
            DirectiveKind::EnterData | DirectiveKind::ExitData => Ends::Dynamic,
            _ => Ends::Structured,
        };
        match super::twice::merge(&self.cx.module.types, items, ends) {
            Ok(mut items) => {
                self.attach_members(d, &mut items);
                items
            }
            Err(refused) => {
                self.cx.error(*refused);
                Vec::new()
            }
        }
    }

    /// Where `copyin(s->p[0:n])` finds `s` present, the pointer there is set to the device's copy, and set back at the end
    /// (OpenACC 3.3 §2.7.2). Compute constructs pass what `s->p` points to by itself.
    fn attach_members(&mut self, d: &Directive, items: &mut Vec<DataItem>) {
        let kind = match d.kind {
            DirectiveKind::Data | DirectiveKind::EnterData => DataKind::Attach,
            DirectiveKind::ExitData => DataKind::Detach,
            _ => return,
        };
        let said = |item: &DataItem| items.iter().any(|i| i.kind == kind && i.base == item.base);
        let moved = |item: &&DataItem| {
            let pointer = matches!(self.cx.module.types.kind(item.ty), TypeKind::Pointer { .. });
            let other = matches!(item.kind, DataKind::Attach | DataKind::Detach | DataKind::Deviceptr);
            matches!(item.var, DataVar::Member(_)) && pointer && !other && item.compression.is_none()
        };
        let flags = DataFlags { implicit: true, ..DataFlags::default() };
        let attached = |item: &DataItem| DataItem {
            kind,
            flags,
            name: item.base.clone(),
            section: vec![],
            ..item.clone()
        };
        let new: Vec<DataItem> = items.iter().filter(moved).filter(|i| !said(i)).map(attached).collect();
        items.extend(new);
    }

    pub fn data_items<'s>(
        &mut self,
        kind: DataKind,
        flags: DataFlags,
        sections: impl Iterator<Item = &'s Section>,
        items: &mut Vec<DataItem>,
    ) {
        for section in sections {
            match self.data_item(kind, flags, section) {
                Ok(item) => items.push(item),
                Err(refused) => self.cx.error(*refused),
            }
        }
    }

    pub fn not_implemented(&mut self, what: &str, span: Span) {
        let message = format!("{what} is not implemented yet");
        self.cx.error(Diagnostic::error(codes::NOT_IMPLEMENTED, message).at(span));
    }

    /// One entry of a data clause.
    pub fn data_item(&mut self, kind: DataKind, flags: DataFlags, section: &Section) -> Lowered<DataItem> {
        let base = &section.base;
        let attaches = matches!(kind, DataKind::Attach | DataKind::Detach);
        if attaches && !section.dims.is_empty() && section.dims.iter().all(|d| d.is_index) {
            return self.attached_element(kind, flags, section);
        }
        let (var, ty, variable) = self.data_var(base)?;
        if let Some(variable) = &variable {
            // How many rows there are the host's compiler knows.
            let row = match &*variable.ty.ty {
                Ty::Pointer { to, .. } | Ty::Array { of: to, .. } => to,
                _ => &variable.ty,
            };
            self.flat_count(row).map_err(|refused| super::extents::located(refused, section.span))?;
        }
        let extent = self.extent_left_out(kind, section, variable.as_ref())?;
        if extent.is_none() {
            self.check_section(kind, section, ty)?;
        }
        self.check_levels(kind, section, ty)?;
        self.check_bounds(section, ty)?;
        if let TypeKind::Pointer { .. } = self.cx.module.types.kind(ty) {
            self.one_element(kind, section);
        }
        let name = match (&extent, variable.as_ref()) {
            (Some(extent), Some(v)) if section.dims.is_empty() => {
                format!("{}{}", self.text(section.span), super::extents::shown(&v.ty, extent))
            }
            _ => self.text(section.span),
        };
        let dims = self.section_dims(section, variable.as_ref().map(|v| &v.ty), extent)?;
        let mut item = DataItem {
            kind,
            flags,
            var,
            name,
            base: self.text(base.span),
            ty,
            section: dims,
            compression: None,
            span: section.span,
        };
        // `this`, `*this` and `*p` name one object: a section of one element (§2.7.1).
        if names_object(base) && matches!(self.cx.module.types.kind(ty), TypeKind::Pointer { .. }) {
            item.base = base.root.name.clone();
            let one = HostExpr { text: "1".into(), span: section.span, value: Some(1) };
            item.section = vec![SectionDim { lower: None, length: Some(one) }];
        }
        Ok(item)
    }

    /// `create(a[n])` is one element, behind the last of `n`; tutorials mean all of them.
    fn one_element(&mut self, kind: DataKind, section: &Section) {
        let [acc::SectionDim { lower: Some(index), is_index: true, .. }] = &section.dims[..] else { return };
        let moves = matches!(kind, DataKind::Copy | DataKind::Copyin | DataKind::Copyout | DataKind::Create);
        let base = self.text(section.base.span);
        let count = self.host_expr(index).text;
        if moves && count != "0" {
            let message = format!("`{section}` is one element, number {count} of {base}");
            let diagnostic = Diagnostic::warning(codes::SECTION_BOUNDS, message)
                .at(section.span)
                .with_help(format!("for the first {count} elements write {base}[0:{count}]"));
            self.cx.diagnostics.push(diagnostic);
        }
    }

    /// `attach(row[i])` means the pointer `row[i]`, not a section of `row` (§2.7.13).
    fn attached_element(&mut self, kind: DataKind, flags: DataFlags, section: &Section) -> Lowered<DataItem> {
        let mut place = self.lvalue(&section.base)?;
        for index in section.dims.iter().filter_map(|d| d.lower.as_ref()) {
            self.host_expr(index);
            let index = self.clause_value(index, section.span)?;
            place = self.element(place, index, section.span)?;
        }
        let name = self.text(section.span);
        let (ty, span) = (self.ty_of(place), section.span);
        let (var, base) = (DataVar::Member(place), name.clone());
        Ok(DataItem { kind, flags, var, name, base, ty, section: vec![], compression: None, span })
    }

    pub fn text(&self, span: Span) -> String {
        self.cx.source.buffer.get(span.start as usize..span.end as usize).unwrap_or("").to_owned()
    }

    /// What a clause's variable denotes, its type, and the variable if it is a plain one.
    pub fn data_var(&mut self, base: &Lvalue) -> Lowered<(DataVar, Handle<accl_ir::Type>, Option<Variable>)> {
        if base.derefs == 0 && base.path.is_empty() && base.root.name != "this" {
            let named = self.lookup(&base.root.name);
            if let Some(Named::Variable(_, variable)) = named
                && !variable.ty.is_reference()
            {
                return Ok(match variable.binding {
                    Binding::Local(local) => {
                        (DataVar::Local(local), self.body.locals[local].ty, Some(variable))
                    }
                    Binding::Global(global) => {
                        (DataVar::Global(global), self.cx.module.globals[global].ty, Some(variable))
                    }
                    Binding::Argument(_) => return Err(unsupported("this variable", base.span)),
                });
            }
        }
        let place = self.lvalue(base)?;
        let ty = self.ty_of(place);
        if names_object(base)
            && let Ir::Deref(pointer) = self.body.exprs[place].kind
            && let Ir::Load(of) = self.body.exprs[pointer].kind
        {
            let ty = self.ty_of(of);
            return Ok(match self.body.exprs[of].kind {
                Ir::Local(local) => (DataVar::Local(local), ty, None),
                Ir::Global(global) => (DataVar::Global(global), ty, None),
                _ => (DataVar::Member(of), ty, None),
            });
        }
        Ok((DataVar::Member(place), ty, None))
    }

    /// The place a member path denotes.
    pub fn lvalue(&mut self, base: &Lvalue) -> Lowered<Handle<IrExpr>> {
        let span = base.span;
        let mut path = base.path.iter();
        let mut place = if base.root.name == "this" {
            match path.next() {
                Some(PathStep::Member { name, .. }) => {
                    let object = self.this_object(span)?;
                    self.member_by_name(object, &name.name, name.span)?
                }
                _ => return self.this_object(span),
            }
        } else {
            self.named_place(&base.root.name, base.root.span, span)?
        };
        for step in path {
            place = match step {
                PathStep::Member { arrow, name } => {
                    let object = if *arrow {
                        let pointer = self.load(place, span);
                        self.target(pointer, name.span)?
                    } else {
                        place
                    };
                    self.member_by_name(object, &name.name, name.span)?
                }
                PathStep::Index(index) => {
                    let index = self.clause_value(index, span)?;
                    self.element(place, index, span)?
                }
            };
        }
        for _ in 0..base.derefs {
            let pointer = self.load(place, span);
            place = self.target(pointer, span)?;
        }
        Ok(place)
    }
}
