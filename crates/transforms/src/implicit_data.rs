//! Pass 3: the data items of each compute construct, by clause or by rule.
//!
//! Every variable that is neither private nor named in a clause gets an item (OpenACC 3.3 §2.6.2, §2.6.3):
//!
//! - visible in an enclosing data construct or `declare`: `present`;
//! - array or structure: `present` under default(present), else `copy`, weakened to `copyin` where the construct
//!   only reads it;
//! - pointer that is dereferenced: the same, with the section that the subscripts cover. Where they do not
//!   determine one, it is the extent that an array parameter was declared with; failing that, `present`, and a remark
//!   that asks for a clause;
//! - scalar: by value in parallel and serial; `copy` in kernels if it is written and cannot be private;
//! - with `-gpu=autodata`, arrays with static storage and what pointers point to: resident ([`resident`]);
//! - member of a structure that is only read: by value, unless kernels change it elsewhere ([`accl_analysis::changed`]).
//!
//! Invariant: afterwards each variable that outlining makes a data parameter of has one item, or one for each of several sections
//! that lie in one place (`one_place`).

mod followed;
mod lost_updates;
mod own_parameters;
mod resident;
mod sections_around;

use crate::context::Context;
use crate::pass::Pass;
use crate::regions::{self, Asks, Site};
use accl_analysis::changed;
use accl_analysis::data::{self, Summary, Variable, VariableForm};
use accl_analysis::provenance::Root;
use accl_analysis::scalars::{self, Flows};
use accl_analysis::text::{is_reference, reference_of, source_name};
use accl_analysis::{rows, section};
use accl_ir::{
    Body, DataFlags, DataItem, DataKind, DataVar, DefaultData, Expr, ExprKind, Global, Handle, Local,
    LocalKind, Module, Region, RegionKind, Stmt, TypeKind, Types, visit,
};
use accl_source::codes::{frontend::POINTER_TO_POINTER, remarks, transforms as codes};
use accl_source::{Diagnostic, Remark, RemarkKind, Span};
use std::cell::OnceCell;
use std::collections::BTreeSet;

pub const PASS: Pass = Pass {
    name: "implicit_data",
    promise: "Each variable that a construct needs on the device has one data item.",
    run,
};

fn run(module: &mut Module, cx: &mut Context<'_>) {
    explain_clauses(module, cx);
    let files = cx.options.files;
    let changed = changed::pointers(module);
    regions::each_with_data(module, Asks::Reads(files), &mut |module, body, region, site| {
        make_objects_of_references(&module.types, body);
        let (mut items, reaching_out) = {
            let summary = cx.analyses.summary(site.construct, module, body, region, &site.around);
            let (flows, pointers) = (OnceCell::new(), OnceCell::new());
            let mut of_construct =
                Items { body, region, site, summary: &summary, flows, pointers, more: vec![], cx };
            (of_construct.items(), of_construct.reaching_out())
        };
        reaching_out.into_iter().for_each(|at| region.clauses.data[at].flags.one_place = true);
        copy_what_has_parts(region, &mut items);
        // In a partitioned construct everything is present that the whole construct has.
        let told = items.iter().filter(|i| !(site.in_partitioned && i.kind == DataKind::Present)).cloned();
        explain(cx, &site.name, region.directive_span, &told.collect::<Vec<_>>(), true);
        if region.kind == RegionKind::Partitioned {
            // The constructs in it see these items.
            cx.analyses.forget_all();
        } else if items.iter().any(|item| data::names_members(&module.types, item)) {
            cx.analyses.forget(site.construct);
        }
        // Part of a variable is found where the whole is.
        let parts = region.clauses.data.extract_if(.., |item| item.is_part()).collect::<Vec<_>>();
        region.clauses.data.extend(items);
        region.clauses.data.extend(parts);
    });
    // Items of one construct say of all others' pointers where they have to be taken from.
    if changed::pointers(module) != changed {
        cx.analyses.forget_all();
    }
}

/// A construct may use a C++ reference in nothing but calls that it hands the reference on to. A place for what it refers to, which
/// data items need, is made here where the function has none.
fn make_objects_of_references(types: &Types, body: &mut Body) {
    let mut missing: BTreeSet<Handle<Local>> =
        body.locals.iter().filter(|(_, local)| local.reference).map(|(l, _)| l).collect();
    if !missing.is_empty() {
        let places: Vec<_> = body.exprs.handles().filter_map(|e| reference_of(body, e)).collect();
        places.iter().for_each(|l| _ = missing.remove(l));
    }
    for local in missing {
        let address = body.load_local(local);
        body.deref(types, address);
    }
}

/// A part that is reduced is copied back with the whole.
fn copy_what_has_parts(region: &Region, items: &mut [DataItem]) {
    for part in region.clauses.data.iter().filter(|item| item.is_part()) {
        let names =
            || part.base.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|name| !name.is_empty());
        let whole = items.iter_mut().filter(|item| item.kind == DataKind::Copyin);
        whole.filter(|item| names().next() == Some(&item.base)).for_each(|item| item.kind = DataKind::Copy);
    }
}

struct Items<'a, 'c> {
    body: &'a Body,
    region: &'a Region,
    site: &'a Site,
    summary: &'a Summary<'a>,
    /// The flows of scalars, in the construct and in each of its outermost loops.
    flows: OnceCell<(Flows, Vec<Flows>)>,
    /// What the construct does with pointers in memory.
    pointers: OnceCell<followed::PointerUses>,
    /// Where a construct may use several sections of a variable, those behind the first.
    more: Vec<DataItem>,
    cx: &'a mut Context<'c>,
}

impl Items<'_, '_> {
    fn items(&mut self) -> Vec<DataItem> {
        let summary = self.summary;
        if self.region.kind != RegionKind::Partitioned {
            self.refuse_changed_pointers();
        }
        let mut items: Vec<DataItem> = summary.variables.iter().filter_map(|v| self.item(v)).collect();
        items.append(&mut self.more);
        items
    }

    /// A pointer that is also dereferenced would be two variables, one of the host and one of the device.
    fn refuse_changed_pointers(&mut self) {
        let variables = &self.summary.variables;
        let dereferenced = |v: &Variable| {
            let same = |other: &&Variable| other.root == v.root && other.form == VariableForm::Pointer;
            variables.iter().find(same)
        };
        let pointer = |v: &&Variable| v.form == VariableForm::Scalar && v.written;
        for v in variables.iter().filter(pointer) {
            if self.is_private(v) {
                continue;
            }
            if let Some(dereferenced) = dereferenced(v) {
                let error = self.changed_pointer(v, dereferenced);
                self.cx.diagnostics.push(error);
            } else if self.is_declared_for_devices(v) {
                let error = self.changed_for_devices(v);
                self.cx.diagnostics.push(error);
            }
        }
    }

    /// A pointer of the file that OpenMP's `declare target` names. Kernels get its value from the host.
    fn is_declared_for_devices(&self, v: &Variable) -> bool {
        let Root::Global(g) = v.root else { return false };
        let types = &self.summary.provenance.scope.module.types;
        let visible = &self.site.around.visible;
        self.is_openmp()
            && matches!(types.kind(v.ty), TypeKind::Pointer { .. })
            && visible.iter().any(|item| item.var == DataVar::Global(g) && item.section.is_empty())
    }

    fn changed_for_devices(&self, v: &Variable) -> Diagnostic {
        let name = self.name(v);
        let message =
            format!("`{name}`, a pointer that is declared for devices, is changed in the construct");
        let error =
            Diagnostic::error(codes::POINTER_CHANGED, message).label(self.change_of(v), "changed here");
        error.with_note("kernels are given its value by the host, which would not know of the change")
    }

    fn change_of(&self, v: &Variable) -> Span {
        let accesses = v.accesses.iter().map(|i| &self.summary.accesses.list[*i]);
        accesses.into_iter().find(|a| a.written).map_or(v.span, |a| a.span)
    }

    fn changed_pointer(&self, v: &Variable, dereferenced: &Variable) -> Diagnostic {
        let name = self.name(v);
        let changed = self.change_of(v);
        let message = format!("`{name}` is declared outside the construct, changed in it, and followed");
        let error = Diagnostic::error(codes::POINTER_CHANGED, message).label(changed, "changed here");
        let error = match dereferenced.span == changed {
            true => error,
            false => error.label(dereferenced.span, "followed here"),
        };
        let clauses = match self.region.kind {
            RegionKind::Kernels => ", or name what each pointer points to in a data clause",
            _ => "",
        };
        error.with_help(format!(
            "declare a pointer inside the construct (`T *q = {name};`) and change that, or use subscripts{clauses}"
        ))
    }

    fn item(&mut self, v: &Variable) -> Option<DataItem> {
        if self.is_private(v) || self.named_here(v) || self.is_literal(v) {
            return None;
        }
        if !self.is_own_scalar(v)
            && let Some(item) = self.visible_item(v)
        {
            // OpenMP: a pointer is the address of what is mapped where it points to, in whatever construct.
            let by_value =
                self.is_openmp() && item.flags.one_place && self.more.iter().all(|more| more.var != item.var);
            return Some(
                match v.form == VariableForm::Pointer && (by_value || self.may_mean_another(&item)) {
                    // What the subscripts tell is found present, too.
                    true => self.pointer(v),
                    false => self.present(v, item),
                },
            );
        }
        let none = self.region.clauses.default == Some(DefaultData::None);
        if none && !self.is_firstprivate(v) && !self.is_answer_of_host(v) {
            self.refuse_unnamed(v);
        }
        if self.is_resident(v) || self.followed_pointers(v).is_some() {
            return self.resident(v);
        }
        match v.form {
            // The host has the variable, and passes its value to kernels.
            VariableForm::Scalar if self.region.kind == RegionKind::Partitioned => None,
            VariableForm::Scalar => self.scalar(v),
            VariableForm::Aggregate => Some(self.aggregate(v)),
            VariableForm::Pointer => Some(self.pointer(v)),
        }
    }

    fn is_private(&self, v: &Variable) -> bool {
        let c = &self.region.clauses;
        if let Root::Member(text) = &v.root {
            return v.form != VariableForm::Pointer && self.is_member_of_private(text);
        }
        let Root::Local(l) = v.root else { return false };
        c.private.contains(&l)
            || c.firstprivate.contains(&l) && v.form != VariableForm::Pointer
            || c.reductions.iter().any(|r| r.local == l)
            || self.is_reduced_throughout(v, l)
    }

    /// A member of a structure of which threads have copies.
    fn is_member_of_private(&self, text: &str) -> bool {
        let c = &self.region.clauses;
        let place = self.summary.provenance.member_place(text);
        let of = place.and_then(|place| visit::root_local(self.body, place));
        of.is_some_and(|l| c.private.contains(&l) || c.firstprivate.contains(&l))
    }

    /// A pointer of which threads have copies: by rule, what it points to is on the device.
    fn is_firstprivate(&self, v: &Variable) -> bool {
        matches!(v.root, Root::Local(l) if self.region.clauses.firstprivate.contains(&l))
    }

    /// What the host answers when it launches kernels (`v.size()`) is no variable that a clause could name.
    fn is_answer_of_host(&self, v: &Variable) -> bool {
        matches!(v.root, Root::Local(l) if self.body.locals[l].kind == LocalKind::Hoisted)
    }

    /// Loops reduce the variable, and in a kernels construct nothing outside their nests uses it: if something did,
    /// kernels would pass it on in device memory.
    fn is_reduced_throughout(&self, v: &Variable, l: Handle<Local>) -> bool {
        let accesses = &self.summary.accesses;
        let outermost = |mut at: usize| {
            while let Some(parent) = accesses.loops[at].parent {
                at = parent;
            }
            at
        };
        let mut loops = vec![];
        visit::for_each_loop(&self.region.body, &mut |of, _| loops.push(of));
        let reduces =
            |at: &usize| loops[*at].directive.iter().flat_map(|d| &d.reductions).any(|r| r.local == l);
        let nests: Vec<usize> = (0..accesses.loops.len()).filter(reduces).map(outermost).collect();
        let inside = |i: &usize| accesses.list[*i].loops.first().is_some_and(|nest| nests.contains(nest));
        !nests.is_empty() && (self.region.kind != RegionKind::Kernels || v.accesses.iter().all(inside))
    }

    /// OpenMP: a scalar is firstprivate, on the device already or not, unless it is declared for devices (OpenMP 5.2 §5.1.1).
    fn is_own_scalar(&self, v: &Variable) -> bool {
        let module = self.summary.provenance.scope.module;
        let own = match &v.root {
            Root::Local(_) => true,
            Root::Global(g) => {
                let mut declared = module.declares.iter().flat_map(|d| &d.data);
                !declared.any(|item| item.var == DataVar::Global(*g))
            }
            // What a C++ reference refers to.
            Root::Member(text) => {
                let place = self.summary.provenance.member_place(text);
                place.is_some_and(|place| is_reference(module, self.body, place))
            }
            Root::Unknown => false,
        };
        let arithmetic =
            matches!(module.types.kind(v.ty), TypeKind::Int { .. } | TypeKind::Float { .. } | TypeKind::Bool);
        self.is_openmp() && v.form == VariableForm::Scalar && arithmetic && own
    }

    fn is_openmp(&self) -> bool {
        self.region.clauses.default == Some(DefaultData::IfMapped)
    }

    /// The item of a construct around stands for the variable. By OpenMP's rule, an array or a structure is mapped where that
    /// construct's condition kept it away.
    fn present(&self, v: &Variable, item: DataItem) -> DataItem {
        let item = present(item);
        match item.kind {
            DataKind::Present if self.is_openmp() && v.form == VariableForm::Aggregate => {
                DataItem { kind: DataKind::Copy, ..item }
            }
            _ => item,
        }
    }

    fn named_here(&self, v: &Variable) -> bool {
        self.find(&self.region.clauses.data, v).is_some()
    }

    /// The host's memory of a global constant cannot be written, though a function may be given its address.
    fn is_constant(&self, v: &Variable) -> bool {
        let Root::Global(g) = v.root else { return false };
        self.summary.provenance.scope.module.globals[g].constant
    }

    /// Global constants with a known value need no storage.
    fn is_literal(&self, v: &Variable) -> bool {
        let Root::Global(g) = v.root else { return false };
        self.summary.provenance.scope.module.globals[g].value.is_some()
    }

    fn is_named_around(&self, v: &Variable) -> bool {
        self.site.around.visible.iter().any(|item| self.is_of(item, v))
    }

    /// The section names a variable of which the function has several: here its name may mean another one than where the clause
    /// stands.
    fn may_mean_another(&self, item: &DataItem) -> bool {
        let is_name = |c: char| c.is_alphanumeric() || c == '_';
        let texts = item.section.iter().flat_map(|dim| [&dim.lower, &dim.length]).flatten().map(|e| &e.text);
        let mut words = texts.flat_map(|text| text.split(|c| !is_name(c))).filter(|word| !word.is_empty());
        let locals = &self.body.locals;
        let plain =
            !matches!(item.kind, DataKind::Deviceptr | DataKind::NoCreate) && item.compression.is_none();
        plain
            && words.any(|word| {
                let alike = locals.iter().filter(|(_, l)| l.name.starts_with(word));
                alike.filter(|(l, _)| source_name(self.body, *l) == word).nth(1).is_some()
            })
    }

    fn find<'i>(&self, items: &'i [DataItem], v: &Variable) -> Option<&'i DataItem> {
        let module = self.summary.provenance.scope.module;
        data::item_of(module, self.body, items.iter(), &v.root)
    }

    /// The item determines how the variable gets onto the device.
    fn is_of(&self, item: &DataItem, v: &Variable) -> bool {
        self.find(std::slice::from_ref(item), v).is_some()
    }

    /// default(none), OpenACC 3.3 §2.5.16.
    fn refuse_unnamed(&mut self, v: &Variable) {
        let name = self.name(v);
        let exprs = &self.body.exprs;
        let places = v.accesses.iter().map(|i| exprs[self.summary.accesses.list[*i].place].span);
        let used = places.filter(|s| !s.is_nowhere()).min_by_key(|s| s.start).unwrap_or(v.span);
        let directive = self.region.directive_span;
        let clause = self.cx.options.files.map_or(directive, |f| f.word_in(directive, "default(none)"));
        let clauses = match v.form {
            VariableForm::Scalar => {
                format!("`firstprivate({name})`, or `copy({name})` if its value is used afterwards")
            }
            VariableForm::Aggregate if v.written => format!("`copy({name})`"),
            VariableForm::Aggregate => format!("`copyin({name})`"),
            VariableForm::Pointer if v.written => format!("`copy({name}[start:length])`"),
            VariableForm::Pointer => format!("`copyin({name}[start:length])`"),
        };
        self.cx.diagnostics.push(
            Diagnostic::error(
                codes::DEFAULT_NONE,
                format!("`{name}` is in no data clause of a construct with `default(none)`"),
            )
            .label(used, "used here")
            .label(clause, "asks for a clause for each variable")
            .with_help(format!("add {clauses}")),
        );
    }

    fn scalar(&mut self, v: &Variable) -> Option<DataItem> {
        if !v.written && self.is_member_of_kernels(v) {
            return Some(self.make(v, self.kind_for(v, false), vec![], ""));
        }
        let by_value = match self.region.kind {
            RegionKind::Kernels => !v.written || self.is_constant(v) || self.is_private_scalar(v),
            _ => !self.is_atomic(v) && !is_changed_member(v),
        };
        if !by_value && self.is_own_scalar(v) {
            self.warn_of_lost_updates(v);
            return Some(self.shared_copy(v));
        }
        let kind = if self.is_set_first(v) { DataKind::Copyout } else { DataKind::Copy };
        if by_value && v.written && self.is_own_scalar(v) {
            self.warn_of_lost_updates(v);
        }
        (!by_value).then(|| self.make(v, kind, vec![], ""))
    }

    /// A member of a structure that may be on the device with a value that differs from the host's.
    fn is_member_of_kernels(&self, v: &Variable) -> bool {
        let Root::Member(text) = &v.root else { return false };
        let Some(place) = self.summary.provenance.member_place(text) else { return false };
        let module = self.summary.provenance.scope.module;
        let types = &module.types;
        if let Some(Root::Global(g)) = self.summary.provenance.path_variable(place)
            && module.globals[g].constant
        {
            return false;
        }
        let of_kernels = changed::member(types, self.body, place)
            .is_some_and(|m| self.site.around.changed_members.contains(&m));
        // A variable of the function's own that only the constructs use is not present anywhere.
        let known = |l| self.site.may_be_entered(self.body, l);
        of_kernels && visit::root_local(self.body, place).is_none_or(known)
    }

    /// Each iteration has an instance of its own, and nothing reads it after the construct.
    fn is_private_scalar(&self, v: &Variable) -> bool {
        let Root::Local(l) = v.root else { return false };
        scalars::is_private_in_loops(self.summary, &self.flows().1, v) && !self.site.is_read_after(l)
    }

    /// A kernel of a partitioned construct gives the variable its value.
    fn is_set_first(&self, v: &Variable) -> bool {
        let Root::Local(l) = v.root else { return false };
        if self.region.kind != RegionKind::Kernels {
            return false;
        }
        let flow = self.flows().0.of(l);
        flow.written && flow.exposed.is_none()
    }

    fn flows(&self) -> &(Flows, Vec<Flows>) {
        self.flows.get_or_init(|| {
            let loops = visit::top_loops(&self.region.body);
            let of_loops = loops.into_iter().map(|l| scalars::flows(self.body, &l.body)).collect();
            (scalars::flows(self.body, &self.region.body), of_loops)
        })
    }

    /// An atomic update of a firstprivate copy would be lost: such a scalar is shared. One that atomic statements only read, as in
    /// the subscript of what they update, is not.
    fn is_atomic(&self, v: &Variable) -> bool {
        self.atomic_updates(v).any(|is_update| is_update)
    }

    /// Of each access of the variable, whether an atomic statement makes it to write.
    fn atomic_updates(&self, v: &Variable) -> impl Iterator<Item = bool> {
        let accesses = v.accesses.iter().map(|i| &self.summary.accesses.list[*i]);
        accesses.map(|access| access.atomic && access.written)
    }

    /// One copy for all threads of the construct, which goes nowhere.
    fn shared_copy(&self, v: &Variable) -> DataItem {
        let mut item = self.make(v, DataKind::Copyin, vec![], "");
        item.flags.private = true;
        item
    }

    fn aggregate(&self, v: &Variable) -> DataItem {
        let kind = self.kind_for(v, false);
        self.make(v, kind, vec![], "")
    }

    fn pointer(&mut self, v: &Variable) -> DataItem {
        let keeps_address = DataFlags { keeps_address: true, implicit: true, ..DataFlags::default() };
        if self.referred(v).is_some() {
            return match self.is_openmp() && !self.refers_to_object(v) && !self.cx.options.explicit_data {
                true => DataItem { flags: keeps_address, ..self.reference(v, DataKind::NoCreate) },
                false => self.reference(v, self.kind_for(v, false)),
            };
        }
        if self.region.clauses.default == Some(DefaultData::Present) {
            return self.make(v, DataKind::Present, vec![], "");
        }
        // The object of the method is mapped as a structure is (OpenMP 5.2 §5.8.1).
        if self.is_openmp() && self.name(v) != "this" && !self.cx.options.explicit_data {
            return DataItem { flags: keeps_address, ..self.make(v, DataKind::NoCreate, vec![], "") };
        }
        if let Some(rows) = rows::dereferenced(self.summary, v) {
            if !self.is_in_named_structure(v) && !self.is_named_around(v) {
                self.refuse_rows(v, &rows);
            }
            return self.make(v, DataKind::Present, vec![], "");
        }
        if data::is_address_only(self.summary, v) {
            let mut item = self.make(v, DataKind::Present, vec![], "");
            item.flags.address = true;
            return item;
        }
        match section::of_pointer(self.summary, v).or_else(|| section::as_declared(self.summary, v)) {
            Some(found) => {
                let kind = self.kind_for(v, found.fully_written);
                self.make(v, kind, vec![found.dim], &found.shown)
            }
            // Whoever asks for all of it may know the whole object.
            None if self.cx.options.explicit_data => self.make(v, self.kind_for(v, false), vec![], ""),
            None => {
                if !self.is_named_around(v) {
                    self.ask_for_clause(v);
                }
                self.make(v, DataKind::Present, vec![], "")
            }
        }
    }

    /// A member of a structure that a clause puts on the device; its rows are then present, too.
    fn is_in_named_structure(&self, v: &Variable) -> bool {
        let Root::Member(text) = &v.root else { return false };
        let provenance = &self.summary.provenance;
        let start = provenance.member_place(text).and_then(|place| provenance.path_variable(place));
        let module = provenance.scope.module;
        let mut items = self.region.clauses.data.iter().chain(&self.site.around.visible);
        start.is_some_and(|start| items.any(|i| data::item_root(module, self.body, i) == start))
    }

    /// Rows of an array of pointers may lie anywhere on the host; only the user knows where.
    fn refuse_rows(&mut self, v: &Variable, rows: &rows::Rows) {
        let name = self.name(v);
        let clause = if rows.written { "copy" } else { "copyin" };
        let section = rows.section.clone().unwrap_or_else(|| "[0:n][0:m]".into());
        let message = format!("`{name}` is an array of pointers, and no data clause says what they point to");
        self.cx.diagnostics.push(
            Diagnostic::error(POINTER_TO_POINTER, message)
                .label(rows.span, "the pointer is followed here")
                .with_note("its rows lie anywhere in memory: they are copied, and the pointers to them translated, by a clause")
                .with_help(format!(
                    "add `{clause}({name}{section})` to the directive or to a data region; where it is on the device with its \
                     rows already, `present({name})`"
                )),
        );
    }

    /// What a C++ reference refers to.
    fn reference(&self, v: &Variable, kind: DataKind) -> DataItem {
        let item = self.make(v, kind, vec![], "");
        match self.referred(v) {
            Some(place) => DataItem { var: DataVar::Member(place), ty: self.body.exprs[place].ty, ..item },
            None => item,
        }
    }

    /// A C++ reference to something else than a pointer.
    fn refers_to_object(&self, v: &Variable) -> bool {
        let types = &self.summary.provenance.scope.module.types;
        let is_pointer = |place| matches!(types.kind(self.body.exprs[place].ty), TypeKind::Pointer { .. });
        self.referred(v).is_some_and(|place| !is_pointer(place))
    }

    /// The place that a C++ reference refers to.
    fn referred(&self, v: &Variable) -> Option<Handle<Expr>> {
        let body = self.body;
        let module = self.summary.provenance.scope.module;
        let l = match &v.root {
            Root::Local(l) => *l,
            Root::Member(text) => {
                let place = self.summary.provenance.member_place(text);
                return place.filter(|place| is_reference(module, body, *place));
            }
            Root::Global(g) => return self.referred_by_global(*g),
            Root::Unknown => return None,
        };
        let mut found = None;
        visit::all_exprs(&body.exprs, &self.region.body, &mut |e| {
            if reference_of(body, e) == Some(l) {
                found = Some(e);
            }
        });
        let elsewhere = || body.exprs.handles().find(|e| reference_of(body, *e) == Some(l));
        found.or_else(|| elsewhere().filter(|_| body.locals[l].reference))
    }

    fn referred_by_global(&self, g: Handle<Global>) -> Option<Handle<Expr>> {
        let module = self.summary.provenance.scope.module;
        let of = |place: Handle<Expr>| match self.body.exprs[place].kind {
            ExprKind::Deref(pointer) => match self.body.exprs[pointer].kind {
                ExprKind::Load(of) => self.body.exprs[of].kind == ExprKind::Global(g),
                _ => false,
            },
            _ => false,
        };
        module.globals[g].reference.then(|| self.body.exprs.handles().find(|e| of(*e))).flatten()
    }

    fn kind_for(&self, v: &Variable, fully_written: bool) -> DataKind {
        if self.region.clauses.default == Some(DefaultData::Present) {
            DataKind::Present
        } else if !v.written || self.is_constant(v) {
            DataKind::Copyin
        } else if !v.read && fully_written {
            DataKind::Copyout
        } else {
            DataKind::Copy
        }
    }

    fn ask_for_clause(&mut self, v: &Variable) {
        let name = self.name(v);
        let clause = if v.written { "copy" } else { "copyin" };
        self.cx.remark(
            Remark::new(
                remarks::IMPLICIT_DATA,
                RemarkKind::Missed,
                &self.site.name,
                v.span,
                format!("Size of {name} is unknown: it must be present on the device"),
            )
            .with_help(format!("add {clause}({name}[start:length]) to the directive or to a data region")),
        );
    }

    fn make(
        &self,
        v: &Variable,
        kind: DataKind,
        section: Vec<accl_ir::SectionDim>,
        shown_section: &str,
    ) -> DataItem {
        let name = self.name(v);
        let base = match &v.root {
            Root::Global(g) => self.summary.provenance.scope.module.globals[*g].host_text().to_owned(),
            Root::Member(text) => text.clone(),
            Root::Local(_) | Root::Unknown => name.clone(),
        };
        DataItem {
            flags: DataFlags { implicit: true, ..DataFlags::default() },
            section,
            ..DataItem::new(kind, self.var(v), format!("{name}{shown_section}"), base, v.ty, v.span)
        }
    }

    fn var(&self, v: &Variable) -> DataVar {
        match &v.root {
            Root::Local(l) => DataVar::Local(*l),
            Root::Global(g) => DataVar::Global(*g),
            Root::Member(text) => match self.summary.provenance.member_place(text) {
                Some(place) => DataVar::Member(place),
                None => unreachable!("a member root comes from a place"),
            },
            Root::Unknown => unreachable!("unknown roots are no variables"),
        }
    }

    fn name(&self, v: &Variable) -> String {
        let scope = self.summary.provenance.scope;
        match &v.root {
            Root::Local(l) => scope.local(*l).unwrap_or_default(),
            Root::Global(g) => scope.module.globals[*g].name.clone(),
            Root::Member(text) => {
                let place = self.summary.provenance.member_place(text);
                place.and_then(|place| scope.message_text(place)).unwrap_or_else(|| text.clone())
            }
            Root::Unknown => String::new(),
        }
    }
}

/// A structure is no scalar: what the construct stores in a member of it is seen outside (OpenACC 3.3 §2.6.2).
fn is_changed_member(v: &Variable) -> bool {
    v.written && matches!(v.root, Root::Member(_))
}

fn present(item: DataItem) -> DataItem {
    let kind = match item.kind {
        DataKind::Deviceptr => DataKind::Deviceptr,
        DataKind::NoCreate => DataKind::NoCreate,
        _ => DataKind::Present,
    };
    let flags = DataFlags { implicit: true, one_place: item.flags.one_place, ..DataFlags::default() };
    DataItem { kind, flags, ..item }
}

/// One remark for the clauses of every directive that moves data.
fn explain_clauses(module: &Module, cx: &mut Context<'_>) {
    for (_, function) in module.functions.iter() {
        let Some(body) = &function.body else { continue };
        visit::for_each_stmt(&body.block, &mut |node| match &node.kind {
            Stmt::Region(r) => explain_given(module, cx, &function.name, r.directive_span, &r.clauses.data),
            Stmt::Directive(d) => explain_given(module, cx, &function.name, d.directive_span, &d.data),
            _ => {}
        });
    }
}

fn explain_given(module: &Module, cx: &mut Context<'_>, function: &str, span: Span, items: &[DataItem]) {
    explain(cx, function, span, items, false);
    let comes = |i: &&DataItem| {
        let moves =
            matches!(i.kind, DataKind::Copy | DataKind::Copyin | DataKind::Copyout | DataKind::Create);
        moves && i.is_deep(&module.types)
    };
    for item in items.iter().filter(comes) {
        let message = format!(
            "Deep copy of {}: each row is looked up, and its pointer translated, when it comes and when it goes; rows \
             travel together, but are gathered and scattered by the host",
            item.name
        );
        let remark = Remark::new(remarks::DATA_MOVEMENT, RemarkKind::DataMovement, function, span, message);
        cx.remark(remark.with_help(format!(
            "one block of memory with computed subscripts, {}[i * m + j], is copied as it lies",
            item.base
        )));
    }
}

/// "Generating implicit copyin(a[:n],b[:n]) [if not already present]", one remark for each kind.
fn explain(cx: &mut Context<'_>, function: &str, span: Span, items: &[DataItem], implicit: bool) {
    let shown: Vec<&DataItem> = items
        .iter()
        .filter(|i| !(implicit && i.kind == DataKind::Present && !i.section.is_empty()))
        .collect();
    let key =
        |item: &DataItem| (item.kind, item.compression.is_some(), item.flags.private, item.flags.resident);
    let mut kinds: Vec<(DataKind, bool, bool, bool)> = vec![];
    for item in &shown {
        if !kinds.contains(&key(item)) {
            kinds.push(key(item));
        }
    }
    for (kind, compressed, private, resident) in kinds {
        let of_kind = shown.iter().filter(|i| key(i) == (kind, compressed, private, resident));
        let names: Vec<&str> = of_kind.map(|i| i.name.as_str()).collect();
        let (word, tail) = match (private, kind) {
            (true, DataKind::Copyin) => ("firstprivate", ""),
            (true, _) => ("private", ""),
            (false, _) => clause_words(kind),
        };
        let tail = if resident { " [resident: what is stale is copied]" } else { tail };
        let word = if compressed { format!("compression_{word}") } else { word.to_owned() };
        let word = match (implicit, kind) {
            (true, DataKind::Present) => "default present".to_owned(),
            (true, _) => format!("implicit {word}"),
            (false, _) => word.to_owned(),
        };
        cx.data(function, span, implicit, format!("Generating {word}({}){tail}", names.join(",")));
    }
}

fn clause_words(kind: DataKind) -> (&'static str, &'static str) {
    const IF_ABSENT: &str = " [if not already present]";
    match kind {
        DataKind::Copy => ("copy", IF_ABSENT),
        DataKind::Copyin => ("copyin", IF_ABSENT),
        DataKind::Copyout => ("copyout", IF_ABSENT),
        DataKind::Create => ("create", IF_ABSENT),
        DataKind::NoCreate => ("no_create", ""),
        DataKind::Present => ("present", ""),
        DataKind::Delete => ("delete", ""),
        DataKind::Deviceptr => ("deviceptr", ""),
        DataKind::Attach => ("attach", ""),
        DataKind::Detach => ("detach", ""),
        DataKind::UpdateSelf => ("update self", ""),
        DataKind::UpdateDevice => ("update device", ""),
        DataKind::UseDevice => ("use_device", ""),
    }
}
