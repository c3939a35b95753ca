//! The program's file, with what is asked of it again and again.

use super::WhyNot;
use super::cuda_pragmas::CudaDirectives;
use super::lines::OmpLine;
use super::pointers::Pointers;
use super::resident_scalars::ResidentScalars;
use crate::ast::{CastKind, DeclId, Expr, ExprKind, Function, Program, Stmt, StmtKind, Storage, Ty, Var};
use crate::lower::{Layouts, host_container, walk};
use accl_directives::omp::ast::{Leaf, OmpName};
use accl_source::Span;
use std::cell::OnceCell;
use std::collections::{BTreeSet, HashMap};

pub struct SourceFile<'a> {
    pub buffer: &'a str,
    pub program: &'a Program,
    pub lines: &'a [OmpLine],
    vars: HashMap<DeclId, &'a Var>,
    functions: HashMap<DeclId, &'a Function>,
    /// Every call of a function in the file, by the one that is called.
    calls: HashMap<DeclId, Vec<(&'a Function, &'a [Expr])>>,
    /// `threadprivate` variables.
    pub of_threads: BTreeSet<DeclId>,
    pub pointers: Pointers,
    layouts: OnceCell<Layouts>,
    /// Members of unions.
    in_unions: BTreeSet<DeclId>,
    /// What `#pragma cuda` and the user's directive file ask for.
    pub cuda: CudaDirectives,
    /// Scalars that stay on the device around loops with launches.
    pub resident: ResidentScalars,
    /// Constructs are written in OpenACC, for a port.
    pub writes_openacc: bool,
    /// Functions are called, and variables named, in this file alone.
    pub is_whole_program: bool,
    /// Variables of threads that other files have as scratch memory at most.
    pub scratch_elsewhere: BTreeSet<String>,
    /// Functions that parallel regions call.
    pub called_by_threads: BTreeSet<DeclId>,
}

/// What `check_calls` need not look at.
struct Seen<'a> {
    functions: BTreeSet<DeclId>,
    /// Where calls begin that are dealt with.
    calls: &'a BTreeSet<u32>,
}

/// How often a piece of code is run where a team has several threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunBy {
    /// By each thread.
    Each,
    /// By one.
    Once,
    /// By each, as iterations of a loop that the device runs.
    OnDevice,
}

impl<'a> SourceFile<'a> {
    pub fn new(
        buffer: &'a str,
        program: &'a Program,
        lines: &'a [OmpLine],
        threadprivate: &[(String, u32)],
        pointers: Pointers,
    ) -> SourceFile<'a> {
        let mut vars: HashMap<DeclId, &Var> = program.globals.iter().map(|var| (var.id, var)).collect();
        let mut functions = HashMap::new();
        let mut calls: HashMap<DeclId, Vec<_>> = HashMap::new();
        for function in &program.functions {
            if function.body.is_some() || !functions.contains_key(&function.id) {
                functions.insert(function.id, function);
            }
            vars.extend(function.params.iter().map(|var| (var.id, var)));
            let Some(body) = &function.body else { continue };
            walk::vars(body, &mut |var| {
                vars.insert(var.id, var);
            });
            walk::exprs(body, &mut |e| {
                if let ExprKind::Call { callee, args } = &e.kind
                    && let Some(id) = walk::callee(callee)
                {
                    calls.entry(id).or_default().push((function, &**args));
                }
            });
        }
        let named = |var: &&Var| threadprivate.iter().any(|(name, _)| *name == var.name);
        let of_threads = program.globals.iter().filter(named).map(|var| var.id).collect();
        let called_by_threads = BTreeSet::new();
        let unions = program.records.iter().filter(|record| record.is_union);
        let mut unit = SourceFile {
            buffer,
            program,
            lines,
            vars,
            functions,
            calls,
            of_threads,
            pointers,
            layouts: OnceCell::new(),
            in_unions: unions.flat_map(|record| &record.fields).map(|field| field.id).collect(),
            cuda: CudaDirectives::default(),
            resident: ResidentScalars::default(),
            writes_openacc: false,
            is_whole_program: false,
            scratch_elsewhere: BTreeSet::new(),
            called_by_threads,
        };
        unit.called_by_threads = unit.functions_of_threads();
        unit
    }

    fn functions_of_threads(&self) -> BTreeSet<DeclId> {
        let mut found = BTreeSet::new();
        for body in self.program.functions.iter().filter_map(|f| f.body.as_ref()) {
            each_region(body, self.lines, &mut |_, region| {
                found.extend(super::region::called_functions(self, region));
            });
        }
        found
    }

    pub fn var(&self, id: DeclId) -> Option<&'a Var> {
        self.vars.get(&id).copied()
    }

    /// All variables of a name, in whatever scopes.
    pub fn variables_named(&self, name: &str) -> Vec<DeclId> {
        self.vars.values().filter(|var| var.name == name).map(|var| var.id).collect()
    }

    pub fn function(&self, id: DeclId) -> Option<&'a Function> {
        self.functions.get(&id).copied()
    }

    pub fn calls_of(&self, id: DeclId) -> &[(&'a Function, &'a [Expr])] {
        self.calls.get(&id).map_or(&[], |calls| calls)
    }

    pub fn text(&self, span: Span) -> &'a str {
        self.buffer.get(span.start as usize..span.end as usize).unwrap_or("")
    }

    /// Whether two expressions are written the same way.
    pub fn same_text(&self, a: &Expr, b: &Expr) -> bool {
        let words = |e: &Expr| -> String { self.text(e.span).split_whitespace().collect() };
        !a.span.is_nowhere() && words(a) == words(b)
    }

    pub fn is_scalar(&self, id: DeclId) -> bool {
        self.var(id).is_some_and(|var| {
            let ty = var.ty.referred();
            let plain = matches!(&*ty.ty, Ty::Int { .. } | Ty::Float { .. } | Ty::Bool | Ty::Opaque(_));
            plain && !host_container::has_data(ty)
        })
    }

    pub fn is_pointer(&self, id: DeclId) -> bool {
        self.var(id).is_some_and(|var| matches!(&*var.ty.referred().ty, Ty::Pointer { .. }))
    }

    pub fn layouts(&self) -> &Layouts {
        self.layouts.get_or_init(|| Layouts::new(self.program, self.buffer))
    }

    pub fn is_in_union(&self, member: DeclId) -> bool {
        self.in_unions.contains(&member)
    }

    /// A structure in which, at any depth, pointers lie.
    pub fn holds_pointers(&self, record: DeclId) -> bool {
        let Some(record) = self.program.records.iter().find(|r| r.id == record) else { return true };
        let fields = record.fields.iter().map(|f| &f.ty);
        fields.chain(&record.bases).any(|ty| self.type_holds_pointers(&ty.ty))
    }

    pub fn type_holds_pointers(&self, ty: &Ty) -> bool {
        match ty {
            Ty::Pointer { .. } | Ty::Reference(_) | Ty::Function | Ty::Opaque(_) => true,
            Ty::Array { of, .. } => self.type_holds_pointers(&of.ty),
            Ty::Record(id) => self.holds_pointers(*id),
            Ty::Void | Ty::Bool | Ty::Int { .. } | Ty::Float { .. } => false,
        }
    }

    /// Whether a variable is declared in a function, where others cannot name it.
    pub fn is_in_function(&self, var: &Var) -> bool {
        let mut bodies = self.program.functions.iter().filter_map(|f| f.body.as_ref());
        bodies.any(|body| body.span.contains(var.span))
    }

    /// How often a statement names a variable.
    pub fn mentions(&self, s: &Stmt, var: DeclId) -> usize {
        walk::uses_within(s, var)
    }

    /// Whether it may change the variable, or what a call is given of an array.
    pub fn changes(&self, s: &Stmt, var: DeclId) -> bool {
        let mut handed_on = false;
        if self.is_pointer(var) {
            return walk::may_change(s, var);
        }
        walk::exprs(s, &mut |e| {
            if let ExprKind::Call { args, .. } = &e.kind {
                let arrays =
                    args.iter().filter(|a| matches!(&*a.ty.ty, Ty::Pointer { to, .. } if !to.constant));
                handed_on |= arrays.filter_map(points_into).any(|root| root == var);
            }
        });
        handed_on || walk::may_change(s, var)
    }

    /// Whether it calls methods of an object that may change it.
    pub fn changed_by_methods(&self, s: &Stmt, object: DeclId) -> bool {
        let of_object = |e: &Expr| walk::root(e) == Some(object);
        self.calls_changing(s, &of_object, &mut BTreeSet::new())
    }

    fn calls_changing(
        &self,
        s: &Stmt,
        of_object: &dyn Fn(&Expr) -> bool,
        seen: &mut BTreeSet<DeclId>,
    ) -> bool {
        let mut found = false;
        walk::exprs(s, &mut |e| {
            if let ExprKind::Call { callee, .. } = &e.kind
                && let ExprKind::Member { base, .. } = &walk::bare_function(callee).kind
                && of_object(base)
                && let Some(method) = walk::callee(callee).and_then(|id| self.function(id))
                && seen.insert(method.id)
            {
                found |= self.changes_its_object(method, seen);
            }
        });
        found
    }

    /// Whether a method may change members of its object, or hands out references by which others can.
    fn changes_its_object(&self, method: &Function, seen: &mut BTreeSet<DeclId>) -> bool {
        let Some(body) = &method.body else { return true };
        let hands_out = matches!(&*method.result.ty, Ty::Reference(to) if !to.constant);
        let of_this = |e: &Expr| {
            let mut at = e;
            while let ExprKind::Member { base, arrow: false, .. } = &walk::same_place(at).kind {
                at = base;
            }
            let is_this = |e: &Expr| matches!(walk::bare(e).kind, ExprKind::This);
            is_this(at)
                || matches!(&walk::same_place(at).kind, ExprKind::Member { base, .. } if is_this(base))
        };
        let mut found = hands_out && !method.signature.ends_with("const");
        walk::exprs(body, &mut |e| match &e.kind {
            ExprKind::Assign { place, .. }
            | ExprKind::CompoundAssign { place, .. }
            | ExprKind::Step { operand: place, .. }
            | ExprKind::AddrOf(place) => found |= part_of_array(place, &of_this),
            ExprKind::Call { args, .. } | ExprKind::Construct { args, .. } => {
                let referred = args.iter().filter(|a| a.place && !a.ty.constant);
                found |= referred.into_iter().any(|a| part_of_array(a, &of_this));
            }
            _ => {}
        });
        found || self.calls_changing(body, &of_this, seen)
    }

    /// Variables from outside of a statement that it names, in the order of their first uses.
    pub fn used(&self, s: &Stmt) -> Vec<(DeclId, String, Span)> {
        let mut seen = BTreeSet::new();
        walk::vars(s, &mut |var| {
            seen.insert(var.id);
        });
        let mut found = vec![];
        walk::exprs(s, &mut |e| {
            if let ExprKind::Var(id, name) = &e.kind
                && seen.insert(*id)
            {
                found.push((*id, name.to_string(), e.span));
            }
        });
        found
    }

    /// The variable that a loop counts, and the number it begins with; `i64::MIN` where that is no constant.
    pub fn counter(&self, s: &Stmt) -> Option<(DeclId, i64)> {
        let StmtKind::For { init: Some(init), step: Some(step), .. } = &s.kind else { return None };
        let number = |e: &Expr| match walk::bare(e).kind {
            ExprKind::Int(n) => i64::try_from(n).unwrap_or(i64::MIN),
            _ => i64::MIN,
        };
        let up = matches!(step.kind, ExprKind::Step { by: 1, .. });
        let (id, from) = match &init.kind {
            StmtKind::Decl(vars) if vars.len() == 1 => (vars[0].id, vars[0].init.as_ref().map(number)?),
            StmtKind::Expr(e) => match &e.kind {
                ExprKind::Assign { place, value } => (walk::root(place)?, number(value)),
                _ => return None,
            },
            _ => return None,
        };
        Some((id, if up { from } else { i64::MIN }))
    }

    /// The value of an expression of numbers alone.
    pub fn constant(&self, e: &Expr) -> Option<i128> {
        crate::clang::fold(e)
    }

    /// Visits the statement and the bodies of all functions of the file that it calls, or that these call.
    pub fn each_reached<'s>(&self, s: &'s Stmt, visit: &mut dyn FnMut(&'s Stmt))
    where
        'a: 's,
    {
        let (mut todo, mut seen) = (vec![s], BTreeSet::new());
        while let Some(s) = todo.pop() {
            visit(s);
            walk::exprs(s, &mut |e| {
                if let ExprKind::Call { callee, .. } = &e.kind
                    && let Some(id) = walk::callee(callee).filter(|id| seen.insert(*id))
                {
                    todo.extend(self.function(id).and_then(|f| f.body.as_ref()));
                }
            });
        }
    }

    /// Whether no other code uses what a loop may leave in a variable of threads, or in the program's own thread what was there
    /// before: where other files cannot name it or do not use it so, and whoever reads it has written it.
    pub fn is_scratch(&self, id: DeclId, directive: usize) -> bool {
        let Some(var) = self.var(id) else { return false };
        let elsewhere = self.is_whole_program
            || var.link_name.as_deref().is_none_or(|name| self.scratch_elsewhere.contains(name));
        if !elsewhere {
            return false;
        }
        let mut spoils = BTreeSet::from([directive]);
        if !self.is_scalar(id) {
            spoils.extend(super::scratch::others(self, id, Some(directive)));
        }
        self.writes_before_it_reads(id, &spoils)
    }

    /// The variables of threads that other files can name, and that this one has as scratch memory at most.
    pub fn scratch_here(&self) -> BTreeSet<String> {
        if self.is_whole_program {
            return BTreeSet::new();
        }
        let is_scratch = |id: &DeclId| {
            let spoils = super::scratch::others(self, *id, None).into_iter().collect();
            self.writes_before_it_reads(*id, &spoils)
        };
        let scratch = self.of_threads.iter().filter(|id| is_scratch(id));
        scratch.filter_map(|id| Some(self.var(*id)?.link_name.as_deref()?.to_owned())).collect()
    }

    fn writes_before_it_reads(&self, id: DeclId, spoils: &BTreeSet<usize>) -> bool {
        let mut bodies = self.program.functions.iter().filter_map(|f| f.body.as_ref());
        bodies.all(|body| !super::flow::needs_old_value(self, body, id, spoils))
    }

    /// What stands in the way of code that several threads would run: for each call in it, in functions of the file, too.
    /// `known`: where calls begin that are dealt with.
    pub fn check_calls(&self, s: &Stmt, runs: RunBy, known: &BTreeSet<u32>) -> Result<(), WhyNot> {
        self.checked(s, runs, &mut Seen { functions: BTreeSet::new(), calls: known })
    }

    fn checked(&self, s: &Stmt, runs: RunBy, seen: &mut Seen<'_>) -> Result<(), WhyNot> {
        if let StmtKind::Directed { directive, body } = &s.kind {
            let line = &self.lines[*directive];
            let runs = self.checked_directive(line, runs)?;
            return body.iter().try_for_each(|body| self.checked(body, runs, seen));
        }
        if ends_program(s) {
            return Ok(());
        }
        if let StmtKind::If { cond, then, otherwise, .. } = &s.kind
            && crate::clang::fold(cond) == Some(0)
            && !walk::has_labels(then)
        {
            return otherwise.iter().try_for_each(|s| self.checked(s, runs, seen));
        }
        let mut result = Ok(());
        walk::own_exprs(s).into_iter().for_each(|e| {
            walk::within(e, &mut |e| {
                if let ExprKind::Call { callee, .. } = &e.kind
                    && result.is_ok()
                {
                    result = self.checked_call(callee, e.span, runs, seen);
                }
            });
        });
        result?;
        walk::children(s).into_iter().try_for_each(|s| self.checked(s, runs, seen))
    }

    fn checked_directive(&self, line: &OmpLine, runs: RunBy) -> Result<RunBy, WhyNot> {
        let refuse = || {
            Err(WhyNot::new(line.directive.name_span, format!("`{}` stands in it", line.words(self.buffer))))
        };
        let leaves = line.leaves();
        let is = |leaf| leaves.first() == Some(&leaf);
        if runs == RunBy::OnDevice {
            // `critical` is dealt with where the loop's variables are.
            let fits = matches!(leaves, [Leaf::Simd] | [Leaf::Critical])
                || matches!(line.directive.name, OmpName::Atomic(_) | OmpName::Flush);
            return if fits { Ok(runs) } else { refuse() };
        }
        if line.is_for_devices()
            || is(Leaf::Task)
            || is(Leaf::Taskloop)
            || is(Leaf::Taskgroup)
            || is(Leaf::Ordered)
        {
            return refuse();
        }
        if runs == RunBy::Each && is(Leaf::Parallel) || matches!(line.directive.name, OmpName::Taskwait) {
            return refuse();
        }
        Ok(match line.shares_loop() {
            true => RunBy::OnDevice,
            false if is(Leaf::Single) || is(Leaf::Masked) || is(Leaf::Sections) => RunBy::Once,
            false => runs,
        })
    }

    fn checked_call(&self, callee: &Expr, at: Span, runs: RunBy, seen: &mut Seen<'_>) -> Result<(), WhyNot> {
        let refuse = |why: String| Err(WhyNot::new(at, why));
        if seen.calls.contains(&at.start) {
            return Ok(());
        }
        let Some(id) = walk::callee(callee) else {
            return if runs == RunBy::Each { refuse("it calls through a pointer".into()) } else { Ok(()) };
        };
        if let Some(body) = self.function(id).and_then(|f| f.body.as_ref()) {
            return if seen.functions.insert(id) { self.checked(body, runs, seen) } else { Ok(()) };
        }
        let Some(name) = walk::library_name(callee) else { return Ok(()) };
        // One thread's answers would be wrong for regions that several run.
        if name.starts_with("omp_") && (runs == RunBy::OnDevice || name != "omp_get_wtime") {
            return refuse(format!("it calls `{name}`"));
        }
        if runs == RunBy::Once {
            return Ok(());
        }
        if is_visible(name) {
            return refuse(format!("it calls `{name}`, which each thread would do"));
        }
        if runs == RunBy::Each && self.function(id).is_some() {
            return refuse(format!("it calls `{name}`, which is not in this file"));
        }
        Ok(())
    }

    /// Whether the memory that a pointer leads to may belong to one thread, where the variable does: so where it was not
    /// made of shared variables alone.
    pub fn leads_to_own_memory(&self, id: DeclId, within: &Stmt, own: &BTreeSet<DeclId>) -> bool {
        self.leads_own(id, within, own, &mut BTreeSet::new())
    }

    fn leads_own(
        &self,
        id: DeclId,
        within: &Stmt,
        own: &BTreeSet<DeclId>,
        seen: &mut BTreeSet<DeclId>,
    ) -> bool {
        if !seen.insert(id) {
            return false;
        }
        let Some(var) = self.var(id) else { return true };
        let mut sources: Vec<&Expr> = var.init.iter().collect();
        let mut odd = false;
        walk::exprs(within, &mut |e| match &e.kind {
            ExprKind::Assign { place, value } if walk::root(place) == Some(id) => sources.push(value),
            ExprKind::AddrOf(place) if walk::root(place) == Some(id) => odd = true,
            _ => {}
        });
        if var.storage == Storage::Param {
            return odd || self.parameter_leads_own(id);
        }
        odd || sources.into_iter().any(|e| self.value_leads_own(e, within, own, seen))
    }

    fn value_leads_own(
        &self,
        e: &Expr,
        within: &Stmt,
        own: &BTreeSet<DeclId>,
        seen: &mut BTreeSet<DeclId>,
    ) -> bool {
        let mut leads = false;
        walk::within(e, &mut |e| match &e.kind {
            ExprKind::Call { .. } | ExprKind::Unsupported(..) | ExprKind::Construct { .. } => leads = true,
            ExprKind::Var(id, _) if own.contains(id) && !self.is_scalar(*id) => {
                leads |= !self.is_pointer(*id) || self.leads_own(*id, within, own, seen);
            }
            _ => {}
        });
        leads
    }

    /// A function that other files may call could be given anything.
    fn parameter_leads_own(&self, id: DeclId) -> bool {
        self.parameter_may_lead_own(id, &mut BTreeSet::new())
    }

    /// `seen`: parameters that are looked at, which lead where other calls say.
    fn parameter_may_lead_own(&self, id: DeclId, seen: &mut BTreeSet<DeclId>) -> bool {
        if !seen.insert(id) {
            return false;
        }
        let holds = |f: &&Function| f.params.iter().any(|p| p.id == id);
        let Some(function) = self.program.functions.iter().find(|f| holds(f) && f.body.is_some()) else {
            return true;
        };
        let number = function.params.iter().position(|p| p.id == id).unwrap_or_default();
        let calls = self.calls_of(function.id);
        let is_shared = |(caller, args): &(&Function, &[Expr])| {
            let Some(e) = args.get(number) else { return false };
            let mut shared = true;
            walk::within(e, &mut |e| match &e.kind {
                ExprKind::Call { .. } => shared = false,
                ExprKind::Var(id, _) => {
                    let stays =
                        self.var(*id).is_some_and(|v| matches!(v.storage, Storage::Static | Storage::Extern));
                    let handed_on = |seen: &mut BTreeSet<DeclId>| {
                        let param = caller.params.iter().any(|p| p.id == *id) && caller.name != "main";
                        let fixed = caller.body.as_ref().is_some_and(|body| !walk::may_change(body, *id));
                        param && fixed && !self.parameter_may_lead_own(*id, seen)
                    };
                    shared &= stays && !self.of_threads.contains(id)
                        || self.is_scalar(*id)
                        || self.is_shared_in(caller, *id)
                        || handed_on(seen);
                }
                _ => {}
            });
            shared
        };
        !self.is_internal(function) || calls.is_empty() || !calls.iter().all(is_shared)
    }

    /// A variable of a function that is outside of the function's regions, and in no clause of theirs: their threads share it. In
    /// a function without regions only the first thread's variables are surely not one thread's among several.
    fn is_shared_in(&self, function: &Function, id: DeclId) -> bool {
        let (Some(var), Some(body)) = (self.var(id), &function.body) else { return false };
        let mut shared = function.name == "main";
        let mut own = false;
        each_region(body, self.lines, &mut |line, region| {
            shared |= self.mentions(region, id) > 0;
            walk::vars(region, &mut |v| own |= v.id == id);
            own |= line.names(super::lines::copies).contains(&&*var.name);
        });
        shared && !own
    }
}

fn each_region<'s>(s: &'s Stmt, lines: &[OmpLine], visit: &mut dyn FnMut(&OmpLine, &'s Stmt)) {
    if let StmtKind::Directed { directive, body: Some(body) } = &s.kind
        && lines[*directive].has(Leaf::Parallel)
    {
        visit(&lines[*directive], body);
    }
    walk::children(s).into_iter().for_each(|s| each_region(s, lines, visit));
}

/// The array that a pointer leads into: `a`, `a + 1`, `&a[i]`, `a[i]` of one with several dimensions.
fn points_into(e: &Expr) -> Option<DeclId> {
    match &walk::bare(e).kind {
        ExprKind::Binary { left, right, .. } => points_into(left).or_else(|| points_into(right)),
        ExprKind::AddrOf(place) => walk::root(place),
        ExprKind::Conditional { yes, no, .. } => points_into(yes).or_else(|| points_into(no)),
        _ => walk::root(walk::bare(e)),
    }
}

/// A block at whose end the program ends with a failure: whichever thread comes there first, what it says is said once.
pub fn ends_program(s: &Stmt) -> bool {
    match &s.kind {
        StmtKind::Compound(items) => items.last().is_some_and(ends_program),
        StmtKind::Expr(Expr { kind: ExprKind::Call { callee, args }, .. }) => {
            match (walk::library_name(callee), &args[..]) {
                (Some("abort"), []) => true,
                (Some("exit" | "_exit" | "_Exit" | "quick_exit"), [status]) => {
                    crate::clang::fold(status).is_some_and(|status| status != 0)
                }
                _ => false,
            }
        }
        _ => false,
    }
}

/// What a function of the library does can be seen from outside, as often as it is called.
fn is_visible(name: &str) -> bool {
    const NAMES: [&str; 34] = [
        "printf", "fprintf", "vprintf", "vfprintf", "puts", "putchar", "putc", "fputs", "fputc", "fwrite",
        "fread", "fgets", "fgetc", "getc", "getchar", "gets", "scanf", "fscanf", "fopen", "fclose", "fflush",
        "fseek", "perror", "read", "write", "open", "close", "exit", "abort", "system", "rand", "random",
        "drand48", "srand",
    ];
    NAMES.contains(&name) || matches!(name, "operator<<" | "operator>>" | "strtok" | "lrand48")
}

/// The place, or the array of which it is an element, is such a member.
fn part_of_array(place: &Expr, is_member: &dyn Fn(&Expr) -> bool) -> bool {
    match &walk::same_place(place).kind {
        ExprKind::Index { base, .. } => match &base.kind {
            ExprKind::Cast { kind: CastKind::Decay, operand, .. } => part_of_array(operand, is_member),
            _ => false,
        },
        ExprKind::Member { base, arrow: false, .. } => is_member(place) || part_of_array(base, is_member),
        _ => is_member(place),
    }
}
