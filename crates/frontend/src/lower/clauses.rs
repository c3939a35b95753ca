//! Clauses of constructs and loops.

use super::expr::unsupported;
use super::function::{Binding, Fun, Original, Variable};
use super::scope::Named;
use super::twice::Ends;
use super::{Lowered, Refused};
use crate::ast::{DeclId, Library, Ty};
use accl_directives::{
    self as acc, DataModifier, DefaultKind, Directive, DirectiveKind, Lvalue, PathStep, Section, TileSize,
};
use accl_ir::{
    ArrayLen, Async, DataFlags, DataItem, DataKind, DataVar, DefaultData, Expr as IrExpr, ExprKind as Ir,
    Handle, HostExpr, Local, LocalKind, LoopDirective, Reduction, ReductionOp, RegionClauses, SectionDim,
    TypeKind, Wait,
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

    /// Locals, or stand-ins for globals: a construct's private copy of a global is a local.
    fn privates<'s>(
        &mut self,
        sections: impl Iterator<Item = &'s Section>,
        clause: &str,
    ) -> Vec<Handle<Local>> {
        let mut locals = Vec::new();
        for section in sections {
            if self.is_private_section(section) {
                if let Err(refused) = self.private_section(section, clause) {
                    self.cx.error(*refused);
                }
                continue;
            }
            match self.private(section, clause) {
                Ok(local) if locals.contains(&local) => {}
                Ok(local) => locals.push(local),
                Err(refused) => self.cx.error(*refused),
            }
        }
        locals
    }

    fn private(&mut self, section: &Section, clause: &str) -> Lowered<Handle<Local>> {
        let bad = |message: String| {
            Box::new(Diagnostic::error(codes::BAD_CLAUSE_VARIABLE, message).at(section.span))
        };
        let Some(name) = section.as_variable() else {
            return Err(bad(format!("`{section}` is part of a variable; `{clause}` takes whole variables")));
        };
        if !section.is_whole() && !self.is_array(name) {
            return Err(bad(format!("`{section}` is part of `{name}`; `{clause}` takes whole variables"))
                .help("name the variable without brackets"));
        }
        let Some(Named::Variable(id, variable)) = self.lookup(name) else {
            return Err(Box::new(self.unknown_name(name, section.span)));
        };
        // A copy of what a reference refers to (§2.5.13 to §2.5.15 say of C++ references what they say of variables).
        let ty =
            if variable.ty.is_reference() { variable.ty.referred().clone() } else { variable.ty.clone() };
        if ty.constant && clause == "private" {
            return Err(bad(format!("`{name}` is const, so a private copy could never be written")));
        }
        self.usable(&ty, section.span)?;
        let original = match variable.binding {
            Binding::Local(local) if !variable.ty.is_reference() => return Ok(local),
            Binding::Local(reference) => Original::Referred(reference),
            Binding::Global(global) => Original::Global(global),
            Binding::Argument(_) => return Err(bad(format!("`{name}` is an argument"))),
        };
        Ok(self.stand_in(original, id, Variable { ty, ..variable }, section.span))
    }

    /// A local that goes by the name of another variable from here to the end of the construct. `span`: of the name.
    pub fn stand_in(&mut self, of: Original, id: DeclId, variable: Variable, span: Span) -> Handle<Local> {
        let local = match self.stand_ins.get(&of) {
            Some(local) => *local,
            None => {
                let ty = self.ty(&variable.ty);
                let name = self.text(span);
                self.local(&name, ty, LocalKind::Auto, span)
            }
        };
        self.stand_ins.insert(of, local);
        self.vars.insert(id, Variable { binding: Binding::Local(local), ..variable });
        local
    }

    fn reductions(&mut self, d: &Directive) -> Vec<Reduction> {
        let mut reductions: Vec<Reduction> = Vec::new();
        for clause in d.reductions() {
            let op = reduction_op(clause.op);
            for section in &clause.vars {
                match self.reduction(op, clause.op.symbol(), section) {
                    Ok(again) if reductions.iter().any(|r| r.local == again.local) => {}
                    Ok(reduction) => reductions.push(reduction),
                    Err(refused) => self.cx.error(*refused),
                }
            }
        }
        reductions
    }

    /// Scalars of arithmetic type (§2.5.15); arrays are not done yet.
    fn reduction(&mut self, op: ReductionOp, symbol: &str, section: &Section) -> Lowered<Reduction> {
        let local = self.private(section, "reduction")?;
        let ty = self.body.locals[local].ty;
        let bitwise = matches!(op, ReductionOp::BitAnd | ReductionOp::BitOr | ReductionOp::BitXor);
        let fits = match self.cx.module.types.kind(ty) {
            TypeKind::Int { .. } | TypeKind::Bool => true,
            TypeKind::Float { .. } => !bitwise,
            TypeKind::Void
            | TypeKind::Pointer { .. }
            | TypeKind::Array { .. }
            | TypeKind::Struct(_)
            | TypeKind::Compressed { .. }
            | TypeKind::Opaque(_) => false,
        };
        if fits {
            return Ok(Reduction { op, local, span: section.span });
        }
        let diagnostic = Diagnostic::error(
            codes::REDUCTION_TYPE,
            format!("`{section}` cannot be reduced with `{symbol}`"),
        )
        .label(section.span, format!("its type is `{}`", self.cx.c_name(ty)));
        let complex = self.cx.record_of(ty).is_some_and(|r| r.library == Some(Library::Complex));
        Err(Box::new(match self.cx.module.types.kind(ty) {
            TypeKind::Float { .. } => diagnostic
                .with_note(format!("`{symbol}` works on the bits of integers (OpenACC 3.3 §2.5.15)"))
                .with_help("use `+`, `*`, `max` or `min`, or make the variable an integer"),
            TypeKind::Array { .. } | TypeKind::Pointer { .. } => diagnostic
                .with_note("a reduction variable is a scalar here; reductions of arrays are not implemented")
                .with_help("reduce into a scalar, or update the elements under `#pragma acc atomic`"),
            _ if complex => diagnostic
                .with_note("a reduction variable is a scalar of integer or floating type")
                .with_help("reduce the real and the imaginary part into two scalars"),
            _ => diagnostic
                .with_note("a reduction variable is a scalar of integer or floating type")
                .with_help("reduce into a scalar variable for each member"),
        }))
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

    fn check_section(&mut self, kind: DataKind, section: &Section, ty: Handle<accl_ir::Type>) -> Lowered<()> {
        let types = &self.cx.module.types;
        let depth = section.dims.len();
        match types.kind(ty) {
            TypeKind::Opaque(name) => {
                let name = name.clone();
                let diagnostic = Diagnostic::error(
                    codes::UNUSABLE_TYPE,
                    format!("`{section}` cannot be moved to the device: its type is `{name}`"),
                )
                .at(section.span);
                let is_vector = name.contains("vector<") || name.contains("array<");
                Err(Box::new(match is_vector {
                    true => diagnostic
                        .with_help("take the address of its elements before the directive (`T *p = v.data();`) and name `p[0:n]`"),
                    false => diagnostic,
                }))
            }
            TypeKind::Pointer { .. } => {
                if depth == 0 && !names_object(&section.base) && needs_extent(kind) {
                    let update = matches!(kind, DataKind::UpdateSelf | DataKind::UpdateDevice);
                    return Err(if update { missing_section(section) } else { pointer_alone(section) });
                }
                open_ended(section)
            }
            TypeKind::Array { len: ArrayLen::Unknown, .. } if depth == 0 => Err(missing_section(section)),
            TypeKind::Array { len: ArrayLen::Unknown, .. } => open_ended(section),
            TypeKind::Array { .. } => Ok(()),
            TypeKind::Void
            | TypeKind::Bool
            | TypeKind::Int { .. }
            | TypeKind::Float { .. }
            | TypeKind::Compressed { .. }
            | TypeKind::Struct(_) => {
                if depth > 0 {
                    let message = format!("`{}` is neither an array nor a pointer", section.base);
                    return Err(Box::new(
                        Diagnostic::error(codes::BAD_CLAUSE_VARIABLE, message).at(section.span),
                    ));
                }
                Ok(())
            }
        }
    }

    /// The extent of an array parameter whose section leaves its first length to the declaration: `A`, `A[:]`,
    /// `A[2:][0:m]`.
    fn extent_left_out(
        &mut self,
        kind: DataKind,
        section: &Section,
        variable: Option<&Variable>,
    ) -> Lowered<Option<HostExpr>> {
        let left_out = match section.dims.first() {
            None => needs_extent(kind) && !names_object(&section.base),
            Some(first) => first.length.is_none() && !first.is_index,
        };
        let Some(variable) = variable.filter(|v| left_out && v.extent.is_some()) else { return Ok(None) };
        let Binding::Local(local) = variable.binding else { return Ok(None) };
        self.declared_extent(variable, local, section.span)
            .map_err(|reason| Box::new((*missing_section(section)).with_note(reason)))
    }

    /// Sections that go through pointers (`a[0:n][0:m]` of an array of pointers): each stretch has a length and no gaps.
    fn check_levels(&mut self, kind: DataKind, section: &Section, ty: Handle<accl_ir::Type>) -> Lowered<()> {
        let mut of = Some(ty);
        let mut deep = false;
        let mut gap = None;
        for (at, dim) in section.dims.iter().enumerate() {
            let Some(ty) = of else { break };
            let types = &self.cx.module.types;
            let extent = match types.kind(ty) {
                TypeKind::Pointer { .. } if at > 0 => {
                    refuse_gap(section, gap)?;
                    deep = true;
                    None
                }
                TypeKind::Array { len: ArrayLen::Const(n), .. } => i64::try_from(*n).ok(),
                _ => None,
            };
            let first = at == 0 || matches!(types.kind(ty), TypeKind::Pointer { .. });
            of = types.element(ty);
            if first && at > 0 && dim.length.is_none() && !dim.is_index {
                let message = format!("how much the pointers of `{}` point to is not known", section.base);
                return Err(Box::new(
                    Diagnostic::error(codes::MISSING_SECTION, message)
                        .label(dim.span, "expected first element : number of elements"),
                ));
            }
            let starts = dim.lower.as_ref().is_none_or(|l| self.constant(l) == Some(0));
            let length = dim.length.as_ref().map(|l| self.constant(l));
            let ends = !dim.is_index && length.is_none_or(|n| n.is_some() && n == extent);
            gap = if first { None } else { gap.or((!(starts && ends)).then_some(dim.span)) };
        }
        let strided = matches!(kind, DataKind::UpdateSelf | DataKind::UpdateDevice);
        match kind {
            _ if !deep => Ok(()),
            DataKind::Deviceptr | DataKind::Attach | DataKind::Detach | DataKind::UseDevice => {
                let message =
                    format!("`{section}` goes through pointers, and this clause is about one pointer");
                Err(Box::new(
                    Diagnostic::error(codes::UNSUPPORTED, message)
                        .at(section.span)
                        .with_help(format!("name `{}` without its rows", section.base)),
                ))
            }
            _ if strided => refuse_gap(section, gap),
            _ => Ok(()),
        }
    }

    /// Sections of constants in arrays of constant extent.
    fn check_bounds(&mut self, section: &Section, ty: Handle<accl_ir::Type>) -> Lowered<()> {
        let mut of = Some(ty);
        for (index, dim) in section.dims.iter().enumerate() {
            let Some(ty) = of else { break };
            let types = &self.cx.module.types;
            let extent = match types.kind(ty) {
                TypeKind::Array { len: ArrayLen::Const(n), .. } => i64::try_from(*n).ok(),
                _ => None,
            };
            of = types.element(ty);
            let lower = dim.lower.as_ref().map_or(Some(0), |e| self.constant(e));
            let length = match &dim.length {
                Some(e) => self.constant(e),
                None => dim.is_index.then_some(1),
            };
            // An array of one element at the end of a structure may stand for a longer one.
            let extent = extent.filter(|n| *n > 1 || section.base.path.is_empty());
            if let Some(problem) = out_of_bounds(section, index, extent, lower, length) {
                return Err(problem);
            }
        }
        Ok(())
    }

    fn section_dims(
        &mut self,
        section: &Section,
        qual: Option<&crate::ast::Qual>,
        extent: Option<HostExpr>,
    ) -> Lowered<Vec<SectionDim>> {
        let mut dims: Vec<SectionDim> = section.dims.iter().map(|d| self.section_dim(d)).collect();
        if let Some(extent) = extent {
            super::extents::complete(&mut dims, extent);
        }
        if let Some(extents) = qual.and_then(row_extents) {
            dims = self.flat_section(section, dims, &extents)?;
        }
        Ok(dims)
    }

    fn section_dim(&mut self, dim: &acc::SectionDim) -> SectionDim {
        let lower = dim.lower.as_ref().map(|e| self.host_expr(e));
        let one = || HostExpr { text: "1".into(), span: dim.span, value: Some(1) };
        let length = match &dim.length {
            Some(e) => Some(self.host_expr(e)),
            None => dim.is_index.then(one),
        };
        SectionDim { lower, length }
    }

    /// A variable-length array is flat, so its sections are: `a[1:2][0:m]` is elements `m` to `3 m`.
    fn flat_section(
        &mut self,
        section: &Section,
        dims: Vec<SectionDim>,
        extents: &[String],
    ) -> Lowered<Vec<SectionDim>> {
        let Some((outer, inner)) = dims.split_first() else { return Ok(dims) };
        let whole = |(dim, extent): (&SectionDim, &String)| {
            let starts = dim.lower.as_ref().is_none_or(|l| l.value == Some(0));
            let same = |l: &HostExpr| {
                l.text.replace(' ', "") == extent.replace(' ', "")
                    || l.value == extent.parse().ok() && l.value.is_some()
            };
            starts && dim.length.as_ref().is_none_or(same)
        };
        if inner.len() > extents.len() || !inner.iter().zip(extents).all(whole) {
            return Err(unsupported(
                format_args!("the section `{section}` of a variable-length array, which has gaps,"),
                section.span,
            ));
        }
        let row = extents.iter().map(|e| format!("({e})")).collect::<Vec<_>>().join(" * ");
        let times =
            |e: &HostExpr| HostExpr { text: format!("({}) * {row}", e.text), span: e.span, value: None };
        let scale = |e: &Option<HostExpr>| e.as_ref().filter(|e| e.value != Some(0)).map(times);
        Ok(vec![SectionDim { lower: scale(&outer.lower), length: scale(&outer.length) }])
    }
}

/// A pointer in such a clause means what it points to.
fn needs_extent(kind: DataKind) -> bool {
    match kind {
        DataKind::Copy
        | DataKind::Copyin
        | DataKind::Copyout
        | DataKind::Create
        | DataKind::UpdateSelf
        | DataKind::UpdateDevice => true,
        DataKind::NoCreate
        | DataKind::Present
        | DataKind::Delete
        | DataKind::Deviceptr
        | DataKind::Attach
        | DataKind::Detach
        | DataKind::UseDevice => false,
    }
}

/// `this`, `*this` and `*p`.
fn names_object(base: &Lvalue) -> bool {
    base.path.is_empty() && (base.derefs == 1 || base.derefs == 0 && base.root.name == "this")
}

/// Extents of all but the outermost dimension of a variable-length array or a pointer to one.
fn row_extents(qual: &crate::ast::Qual) -> Option<Vec<String>> {
    use crate::ast::{Len, Ty};
    let mut row = match &*qual.ty {
        Ty::Array { of, .. } if super::types::is_vla(qual) => of,
        Ty::Pointer { to, .. } if super::types::is_vla(to) => to,
        _ => return None,
    };
    let mut extents = Vec::new();
    while let Ty::Array { of, len } = &*row.ty {
        match len {
            Len::Const(n) => extents.push(n.to_string()),
            Len::Text(text) => extents.push(text.to_string()),
            Len::Unknown => return None,
        }
        row = of;
    }
    (!extents.is_empty()).then_some(extents)
}

/// `p[3:]`: to the end of what?
fn open_ended(section: &Section) -> Lowered<()> {
    match section.dims.first() {
        Some(dim) if dim.length.is_none() && !dim.is_index => {
            let message =
                format!("`{section}` has no length, and the type of `{}` does not tell one", section.base);
            Err(Box::new(
                Diagnostic::error(codes::MISSING_SECTION, message)
                    .label(dim.span, "expected first element : number of elements"),
            ))
        }
        _ => Ok(()),
    }
}

fn refuse_gap(section: &Section, gap: Option<Span>) -> Lowered<()> {
    let Some(span) = gap else { return Ok(()) };
    let message = format!("the section `{section}` goes through pointers and has gaps");
    Err(Box::new(
        Diagnostic::error(codes::UNSUPPORTED, message)
            .label(span, "not all of this dimension")
            .with_note(
                "each pointer, and each row of `update`, stands for one stretch of memory without gaps",
            )
            .with_help("name all of the inner dimensions of each stretch"),
    ))
}

/// What is wrong with one dimension of a section, as far as its parts are known.
fn out_of_bounds(
    section: &Section,
    index: usize,
    extent: Option<i64>,
    lower: Option<i64>,
    length: Option<i64>,
) -> Option<Refused> {
    let name = &section.base;
    let error = |message: String| Diagnostic::error(codes::SECTION_BOUNDS, message);
    if let Some(n) = length.filter(|n| *n < 0) {
        return Some(Box::new(
            error(format!("the section `{section}` has a negative length"))
                .label(section.span, format!("{n}")),
        ));
    }
    let (extent, lower) = (extent?, lower?);
    if lower >= 0 && length.is_none_or(|n| lower.saturating_add(n) <= extent) && lower <= extent {
        return None;
    }
    let which = match section.dims.len() {
        1 => format!("`{name}` has {extent} elements"),
        _ => format!("dimension {} of `{name}` has {extent} elements", index + 1),
    };
    let covers = match length {
        Some(n) if n > 0 => format!("elements {lower} to {}", lower.saturating_add(n - 1)),
        _ => format!("begins at element {lower}"),
    };
    let error = error(format!("the section `{section}` is not inside `{name}`"))
        .label(section.span, covers)
        .with_note(format!(
            "{which}; the second number is a length, not the last index (OpenACC 3.3 §2.7.1)"
        ));
    let fits = (0..extent).contains(&lower) && section.dims.len() == 1;
    Some(Box::new(match fits {
        true => error.with_help(format!("write `{name}[{lower}:{}]`", extent - lower)),
        false => error,
    }))
}

/// The entry goes, with a warning: what is left to say how much is moved are the rules for variables in no clause.
fn pointer_alone(section: &Section) -> Refused {
    let name = &section.base;
    let message = format!("the clause names the pointer `{name}` alone, not what it points to");
    Box::new(
        Diagnostic::warning(codes::MISSING_SECTION, message)
            .label(section.span, "missing section")
            .with_note(
                "a compute construct moves what its loops use, unless it is present; a data directive moves nothing",
            )
            .with_help(format!("give the first element and the number of elements, as in `{name}[0:n]`")),
    )
}

fn missing_section(section: &Section) -> Refused {
    let name = &section.base;
    Box::new(
        Diagnostic::error(codes::MISSING_SECTION, format!("how much `{name}` points to is not known"))
            .label(section.span, "missing section")
            .with_help(format!("give the first element and the number of elements, as in `{name}[0:n]`")),
    )
}

fn reduction_op(op: acc::ReductionOp) -> ReductionOp {
    match op {
        acc::ReductionOp::Add => ReductionOp::Add,
        acc::ReductionOp::Mul => ReductionOp::Mul,
        acc::ReductionOp::Max => ReductionOp::Max,
        acc::ReductionOp::Min => ReductionOp::Min,
        acc::ReductionOp::BitAnd => ReductionOp::BitAnd,
        acc::ReductionOp::BitOr => ReductionOp::BitOr,
        acc::ReductionOp::BitXor => ReductionOp::BitXor,
        acc::ReductionOp::And => ReductionOp::LogicalAnd,
        acc::ReductionOp::Or => ReductionOp::LogicalOr,
    }
}

trait Help {
    fn help(self, help: &str) -> Self;
}
impl Help for Refused {
    fn help(self, help: &str) -> Refused {
        Box::new((*self).with_help(help))
    }
}
