//! Clauses of constructs and loops.

use super::Lowered;
use super::by_device::{self, LaunchSizes, LoopLevels, LoopMapping};
use super::expr::unsupported;
use super::function::{Binding, Fun, Variable};
use super::lambda::is_closure;
use super::scope::Named;
use super::sections::names_object;
use super::twice::Ends;
use crate::ast::Ty;
use accl_directives::{
    self as acc, Clauses, Collapse, Conditions, DataClause, DataClauses, DataModifier, DefaultKind,
    Directive, DirectiveKind, Lvalue, PathStep, PrivateClauses, Section, Sentinel, StaticSize, TileSize,
};
use accl_ir::{
    DataFlags, DataItem, DataKind, DataVar, DefaultData, Expr as IrExpr, ExprKind as Ir, Handle, HostExpr,
    LoopDirective, RegionClauses, Rows, SectionDim, TypeKind,
};
use accl_source::codes::directives::BAD_COLLAPSE;
use accl_source::{Diagnostic, Span, codes::frontend as codes};

impl Fun<'_, '_> {
    /// Clauses of a compute or data construct, or of host_data.
    pub fn region_clauses(&mut self, d: &Directive, combined: bool) -> RegionClauses {
        let views = by_device::views(d);
        let LaunchSizes { num_gangs, num_workers, vector_length } = self.launch_sizes(&views);
        let async_ = self.async_clause(&views, d.name_span);
        let mut waits = self.wait_clauses(&views);
        // The clauses that are the same on all devices; the other groups belong to loops and to other directives.
        let [view, ..] = views;
        let Clauses { conditions, queues, sizes: _, data, privates, levels: _, device, routine: _ } = view;
        self.dependences(queues.depends, &mut waits);
        let device = device.number.map(|e| self.host_expr(e));
        let if_ = self.condition(d, &conditions, device);
        let Conditions { if_: _, self_, if_present, finalize: _, filter: _, parallel_if: _, ancestor } =
            conditions;
        self.refuse_ancestor(ancestor, d);
        // Those of loops are copied where the loop's body begins and ends.
        let PrivateClauses {
            private,
            firstprivate,
            reductions,
            lastprivate: _,
            linear: _,
            in_order: _,
            copyprivate: _,
            default_copies: _,
            shared: _,
        } = privates;
        // The clause of the nearest construct around applies to constructs inside (§2.5.16).
        let default = match data.default {
            _ if d.origin == Sentinel::Omp => Some(DefaultData::IfMapped),
            Some(DefaultKind::None) => Some(DefaultData::None),
            Some(DefaultKind::Present) => Some(DefaultData::Present),
            None => self.visible_default,
        };
        let compression = self.compression_clauses(&data.compression);
        let mut clauses = RegionClauses {
            if_,
            self_: self_.map(|c| c.map(|e| self.host_expr(e))),
            if_present,
            async_,
            waits,
            num_gangs,
            num_workers,
            vector_length,
            default,
            list: self.mapped_list(d, &data),
            data: self.data_clauses(d, &data),
            compression,
            private: vec![],
            firstprivate: self.privates(firstprivate.into_iter(), "firstprivate"),
            reductions: vec![],
        };
        // On a combined construct these belong to the loop (§2.11).
        if !combined {
            clauses.private = self.privates(private.into_iter(), "private");
            clauses.reductions = self.reductions(&reductions);
        }
        clauses
    }

    /// Only a construct that runs something can be the host's (OpenMP 5.2 §13.2).
    pub fn refuse_ancestor(&mut self, ancestor: bool, d: &Directive) {
        if ancestor {
            self.not_implemented("`ancestor` of a directive for data", d.name_span);
        }
    }

    pub fn loop_directive(&mut self, d: &Directive, span: Span) -> LoopDirective {
        let views = by_device::views(d);
        let LoopLevels { shape, gang: gangs, worker: workers, vector: lanes } = self.loop_levels(&views, d);
        let LoopMapping { gang, static_, dim, worker, vector, seq, auto, independent, collapse, tile } =
            shape;
        // In a construct it is followed where it matters (`gangs`).
        if let Some(StaticSize::Expr(size)) = static_.filter(|_| !self.region) {
            self.warn_of_chunks(size, "a routine does not know the gangs that call it");
        }
        self.gang_dimension(dim, gang);
        // On a combined construct the others are the construct's (§2.11), and read there.
        let [view, ..] = views;
        let Clauses {
            conditions: _,
            queues: _,
            sizes: _,
            data: _,
            privates,
            levels: _,
            device: _,
            routine: _,
        } = view;
        let PrivateClauses {
            private,
            reductions,
            firstprivate: _,
            lastprivate: _,
            linear: _,
            in_order: _,
            copyprivate: _,
            default_copies: _,
            shared: _,
        } = privates;
        LoopDirective {
            span,
            found: false,
            gang: gang.then_some(gangs),
            worker: worker.then_some(workers),
            vector: vector.then_some(lanes),
            seq,
            auto,
            independent,
            assumes_distinct: false,
            assumes_rows: Rows::None,
            assumes_strides: vec![],
            interchanged: 0,
            collapse: collapse.map_or(1, |collapse| self.collapse(collapse)),
            part: 0,
            tile: tile.iter().map(|s| self.tile_size(s, d.name_span)).collect(),
            private: self.privates(private.into_iter(), "private"),
            reductions: self.reductions(&reductions),
            searches: vec![],
            schedule: None,
        }
    }

    /// `force` is read where the loops are joined.
    fn collapse(&mut self, collapse: &Collapse) -> u32 {
        let Collapse { force: _, count } = collapse;
        match self.constant(count).and_then(|n| u32::try_from(n).ok()) {
            Some(n) if n >= 1 => n,
            _ => {
                self.cx.error(
                    Diagnostic::error(BAD_COLLAPSE, "the argument of `collapse` must be a positive constant")
                        .label(count.span, "its value is not known to the compiler, or not positive")
                        .with_note(
                            "how many loops are joined is settled at compile time (OpenACC 3.3 §2.9.1)",
                        )
                        .with_help("write the number of loops, as in `collapse(2)`"),
                );
                1
            }
        }
    }

    /// `*` leaves the size to the compiler.
    fn tile_size(&mut self, size: &TileSize, span: Span) -> HostExpr {
        match size {
            TileSize::Expr(e) => self.host_expr(e),
            TileSize::Star => HostExpr { text: "*".into(), span, value: None },
        }
    }

    pub fn data_clauses(&mut self, d: &Directive, clauses: &DataClauses<'_>) -> Vec<DataItem> {
        // The clauses of the region itself, and the `compression` clause, are read with the region.
        let DataClauses {
            default: _,
            defaultmaps: _,
            items: clauses,
            use_device,
            update_self,
            update_device,
            mapped: _,
            compression: _,
        } = clauses;
        let mut items = Vec::new();
        for DataClause { kind, modifiers, compressed, sections } in clauses.iter().copied() {
            let kind = match kind {
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
            let flags = self.data_flags(d, modifiers);
            let first = items.len();
            let own = self.without_listed(d, sections.iter());
            self.data_items(kind, flags, own.into_iter(), &mut items);
            if d.origin != Sentinel::Omp {
                self.only_pointers(kind, &mut items, first);
            }
            if let Some(args) = compressed {
                self.compress_items(d, args, sections, &mut items[first..]);
            }
        }
        let ends = match d.kind {
            DirectiveKind::Compute { .. } => Ends::Compute,
            DirectiveKind::EnterData | DirectiveKind::ExitData => Ends::Dynamic,
            _ => Ends::Structured,
        };
        let mut items = match super::twice::merge(&self.cx.module.types, items, ends) {
            Ok(items) => items,
            Err(refused) => {
                self.cx.error(*refused);
                Vec::new()
            }
        };
        match d.kind {
            DirectiveKind::Data | DirectiveKind::EnterData => {
                self.attach_members(DataKind::Attach, &mut items)
            }
            DirectiveKind::ExitData => self.attach_members(DataKind::Detach, &mut items),
            _ => {}
        }
        let plain = DataFlags::default();
        for (kind, sections) in [
            (DataKind::UpdateSelf, update_self),
            (DataKind::UpdateDevice, update_device),
            (DataKind::UseDevice, use_device),
        ] {
            let mut own = self.without_listed(d, sections.iter().copied());
            if kind != DataKind::UseDevice {
                own.retain(|section| {
                    let of_pointers = d.origin == Sentinel::Omp || self.is_declared(section);
                    !(of_pointers && self.updates_pointer_alone(section))
                });
            }
            self.data_items(kind, plain, own.into_iter(), &mut items);
        }
        self.members_by_address(d, &items);
        items
    }

    /// The variable is on the device for good, by a directive.
    fn is_declared(&mut self, section: &Section) -> bool {
        let Some(Named::Variable(_, variable)) = section.as_variable().and_then(|name| self.lookup(name))
        else {
            return false;
        };
        let Binding::Global(global) = variable.binding else { return false };
        let mut declared = self.cx.module.declares.iter().flat_map(|d| &d.data);
        declared.any(|item| item.var == DataVar::Global(global))
    }

    /// OpenMP's `target update` of a pointer is about the pointer itself, and leaves one that is attached as it is (OpenMP 5.2
    /// §13.9): kernels go on with the device's address. So does OpenACC's `update` of a pointer that `declare` names.
    fn updates_pointer_alone(&mut self, section: &Section) -> bool {
        let pointer = |f: &mut Self| {
            let (_, ty, _) = f.data_var(&section.base).ok()?;
            Some(matches!(f.cx.module.types.kind(ty), TypeKind::Pointer { .. }))
        };
        let object = super::sections::names_object(&section.base);
        let alone = section.dims.is_empty() && !object && pointer(self) == Some(true);
        if alone {
            self.cx.error(*super::sections::pointer_alone(section));
        }
        alone
    }

    fn data_flags(&mut self, d: &Directive, modifiers: &[DataModifier]) -> DataFlags {
        let mut flags = DataFlags::default();
        for modifier in modifiers {
            match modifier {
                DataModifier::Readonly => flags.readonly = true,
                DataModifier::Zero => flags.zero = true,
                DataModifier::Always => (flags.always_in, flags.always_out) = (true, true),
                DataModifier::AlwaysIn => flags.always_in = true,
                DataModifier::AlwaysOut => flags.always_out = true,
                DataModifier::Present => flags.must_be_present = true,
                DataModifier::Finalize => flags.finalize = true,
                // See `target_defaults`.
                DataModifier::ObjectOnDevice => {}
                DataModifier::Capture => self.ignored(
                    "the modifier `capture`",
                    d.name_span,
                    "where the device shares the host's memory there is no second copy",
                ),
            }
        }
        flags
    }

    /// The standard permits it, and the program's results are the same.
    pub fn ignored(&mut self, what: &str, span: Span, why: &str) {
        let message = format!("{what} is ignored");
        self.cx.error(Diagnostic::warning(codes::IGNORED, message).at(span).with_note(why));
    }

    /// Where `copyin(s->p[0:n])` finds `s` present, the pointer in it is set to the device's copy, and set back at
    /// the end (OpenACC 3.3 §2.7.2). Compute constructs pass the address of what `s->p` points to separately.
    pub fn attach_members(&self, kind: DataKind, items: &mut Vec<DataItem>) {
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
            // What a lambda captures goes with each kernel that calls it.
            if matches!(kind, DataKind::Copy | DataKind::Copyin) && self.is_lambda(section) {
                continue;
            }
            match self.data_item(kind, flags, section) {
                Ok(item) => items.push(item),
                Err(refused) => self.cx.error(*refused),
            }
        }
    }

    pub fn is_lambda(&mut self, section: &Section) -> bool {
        let named = section.as_variable().and_then(|name| self.lookup(name));
        matches!(named, Some(Named::Variable(_, variable)) if is_closure(&variable.ty))
    }

    pub fn not_implemented(&mut self, what: &str, span: Span) {
        let message = format!("{what} is not implemented yet");
        self.cx.error(Diagnostic::error(codes::NOT_IMPLEMENTED, message).at(span));
    }

    /// `deviceptr`, `attach` and `detach` are about pointers (OpenACC 3.3 §2.7.5, §2.7.13, §2.7.14). Other items are refused.
    fn only_pointers(&mut self, kind: DataKind, items: &mut Vec<DataItem>, first: usize) {
        let (word, section) = match kind {
            DataKind::Deviceptr => ("deviceptr", "5"),
            DataKind::Attach => ("attach", "13"),
            DataKind::Detach => ("detach", "14"),
            _ => return,
        };
        let is_pointer = |ty| match self.cx.module.types.kind(ty) {
            TypeKind::Pointer { .. } => true,
            // Elements of an array of pointers are attached.
            TypeKind::Array { .. } => kind != DataKind::Deviceptr,
            _ => false,
        };
        let wrong: Vec<DataItem> = items[first..].iter().filter(|i| !is_pointer(i.ty)).cloned().collect();
        items.retain(|item| !wrong.contains(item));
        for item in wrong {
            let message = format!("`{word}` takes pointers, and `{}` is none", item.name);
            let error = Diagnostic::error(codes::BAD_CLAUSE_VARIABLE, message).at(item.span);
            self.cx.error(error.with_note(format!("see OpenACC 3.3 §2.7.{section}")));
        }
    }

    /// A member of an object is no variable that could be renamed where it means the one on the device.
    fn members_by_address(&mut self, d: &Directive, items: &[DataItem]) {
        for item in items.iter().filter(|_| d.origin == Sentinel::Omp) {
            let kind = self.cx.module.types.kind(item.ty);
            let is_object = !matches!(kind, TypeKind::Array { .. } | TypeKind::Pointer { .. });
            let is_name = item.base.chars().all(|c| c.is_alphanumeric() || c == '_');
            if item.kind == DataKind::UseDevice && is_object && !is_name {
                let message =
                    format!("the device address of the member `{}` is not implemented yet", item.name);
                let error = Diagnostic::error(codes::NOT_IMPLEMENTED, message).at(item.span);
                self.cx.error(error.with_help("make a pointer to it, and name that in `use_device_ptr`"));
            }
        }
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
            // The host's compiler knows how many rows there are.
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
        let is_pointer = matches!(self.cx.module.types.kind(ty), TypeKind::Pointer { .. });
        let is_count = is_pointer && self.one_element(kind, section);
        let name = match (&extent, variable.as_ref()) {
            (Some(extent), Some(v)) if section.dims.is_empty() => {
                format!("{}{}", self.text(section.span), super::extents::shown(&v.ty, extent))
            }
            _ => self.text(section.span),
        };
        let mut dims = self.section_dims(kind, section, variable.as_ref().map(|v| &v.ty), extent)?;
        if kind == DataKind::Present && section.dims.iter().all(|d| d.is_index) {
            self.present_element(section, &mut dims);
        }
        if let ([dim], true) = (&mut dims[..], is_count) {
            *dim = SectionDim { lower: None, length: dim.lower.take() };
        }
        let mut item = DataItem {
            flags,
            section: dims,
            ..DataItem::new(kind, var, name, self.text(base.span), ty, section.span)
        };
        // `this`, `*this` and `*p` name one object: a section of one element (§2.7.1).
        if names_object(base) && matches!(self.cx.module.types.kind(ty), TypeKind::Pointer { .. }) {
            item.base = base.root.name.clone();
            let one = HostExpr::constant(1, section.span);
            item.section = vec![SectionDim { lower: None, length: Some(one) }];
        }
        Ok(item)
    }

    /// `present(a[n])` may stand for the whole of `a`, of which there is no element `n`: the runtime tells.
    fn present_element(&self, section: &Section, dims: &mut [SectionDim]) {
        let [SectionDim { lower: Some(lower), .. }] = dims else { return };
        if lower.value.is_none() {
            let base = self.text(section.base.span);
            lower.text = format!("accl_present_element({base}, sizeof *({base}), {})", lower.text);
        }
    }

    /// By the standard `create(a[n])` is one element, past the last of `n`; tutorials mean all of them. So it is taken, where the function uses
    /// other elements and nowhere this one: true.
    fn one_element(&mut self, kind: DataKind, section: &Section) -> bool {
        let [acc::SectionDim { lower: Some(index), is_index: true, .. }] = &section.dims[..] else {
            return false;
        };
        let base = self.text(section.base.span);
        let count = self.host_expr(index);
        let moves = matches!(kind, DataKind::Copy | DataKind::Copyin | DataKind::Copyout | DataKind::Create);
        let asks = kind == DataKind::Present && count.value.is_none();
        let count = count.text;
        // `*(p + n)` can mean nothing else.
        let is_written = self.text(section.span).ends_with(']');
        if !is_written || !(moves || asks) || count == "0" {
            return false;
        }
        let is_count = moves && self.uses_elements_but(&base, &self.text(section.span));
        let message = match is_count {
            true => format!(
                "`{section}` is taken as the first {count} elements of {base}: element {count} is not used here"
            ),
            false => format!("`{section}` is one element, number {count} of {base}"),
        };
        let diagnostic = Diagnostic::warning(codes::SECTION_BOUNDS, message)
            .at(section.span)
            .with_help(format!("for the first {count} elements write {base}[0:{count}]"));
        self.cx.diagnostics.push(diagnostic);
        is_count
    }

    /// The function's code, without its directives, has elements of the array, and nowhere this one.
    fn uses_elements_but(&self, array: &str, element: &str) -> bool {
        let Some(body) = &self.decl.body else { return false };
        let span = body.span;
        let text = self.cx.source.buffer.get(span.start as usize..span.end as usize).unwrap_or("");
        let lines = text.lines().filter(|line| !line.trim_start().starts_with('#'));
        let code: String = lines.flat_map(str::chars).filter(|c| !c.is_whitespace()).collect();
        let dense = |text: &str| text.split_whitespace().collect::<String>();
        let is_name = |c: char| c.is_alphanumeric() || c == '_';
        let array = format!("{}[", dense(array));
        let used = code.match_indices(&array).any(|(at, _)| !code[..at].ends_with(is_name));
        used && !code.contains(&dense(element))
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
        Ok(DataItem { flags, ..DataItem::new(kind, var, name, base, ty, span) })
    }

    pub fn text(&self, span: Span) -> String {
        self.cx.source.buffer.get(span.start as usize..span.end as usize).unwrap_or("").to_owned()
    }

    /// The object that a clause's variable denotes, its type, and the variable if it is a plain one.
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
