//! Loop fusion: neighbouring loops that threads share become one kernel (Lee and Eigenmann 2012, section 3.2, where the loops of
//! CG were joined by hand).
//!
//! Loops of one header, with nothing between them but barriers, are joined where what one of them writes and another uses belongs
//! to one iteration of both, so that the barrier had nothing to wait for. A scalar that one thread computes of sums, `alpha = rho / d`,
//! and that the next loop alone reads, is computed by each iteration of that loop: otherwise it would need a launch of its own.
//!
//! Both are changes of the program's text, which stays a program for a CPU, so that all later stages read it as if the user had
//! written it. Every line keeps its number.

use super::accesses::{Accesses, Use};
use super::canonical::{CanonicalLoop, canonical};
use super::edits::{self, TextEdit};
use super::lines::OmpLine;
use super::places::{end_of, only};
use super::unit::SourceFile;
use super::{CpuProgram, SharedLoop, Told, cuda_pragmas, flow, lines, resident_scalars};
use crate::ast::{DeclId, Function, Program, Stmt, StmtKind};
use crate::lower::walk;
use accl_directives::Section;
use accl_directives::omp::ast::{Leaf, OmpClause, OmpClauseKind, OmpName};
use accl_source::{RemarkKind, Span, codes::remarks};
use std::collections::BTreeSet;

/// Loops that one kernel may have.
const MOST: usize = 8;

/// A program with fewer kernels.
pub struct Fused {
    pub buffer: String,
    pub(super) told: Vec<Told>,
    pub(super) loops: Vec<SharedLoop>,
}

/// `None`: nothing is to be joined. What users ask of certain loops, by their numbers, is for the loops as they are.
pub fn fuse(source: &CpuProgram<'_>, program: &Program) -> Option<Fused> {
    let asked = !source.settings.directives.is_empty() || cuda_pragmas::stand_in(source.buffer);
    if source.port.is_some() || source.settings.keeps_host_loops || asked {
        return None;
    }
    let (lines, threadprivate) = lines::find(source.buffer, source.file);
    let shared = lines.iter().filter(|line| line.shares_loop() && !line.is_for_devices());
    if shared.count() < 2 {
        return None;
    }
    let program = super::bound(program.clone(), &lines);
    let mut unit = SourceFile::new(source.buffer, &program, &lines, &threadprivate, source.pointers);
    unit.is_whole_program = source.settings.is_whole_program;
    let (edits, told) = (vec![], vec![]);
    let only_named = BTreeSet::new();
    let mut fusion = Fusion { source, unit: &unit, only_named, edits, told };
    let mut seen = BTreeSet::new();
    for function in program.functions.iter().filter(|f| f.instance.is_none()) {
        if let Some(body) = &function.body
            && cuda_pragmas::kernels(&unit, function).len() > 1
            && seen.insert(body.span)
        {
            fusion.only_named = resident_scalars::only_named(&unit, function, body);
            fusion.blocks(function, body, body);
        }
    }
    let Fusion { edits, told, .. } = fusion;
    let loops = cuda_pragmas::shared_loops(&unit, source.lines);
    let buffer = edits::apply(source.buffer, 0..source.buffer.len(), &edits);
    (!edits.is_empty()).then_some(Fused { buffer, told, loops })
}

struct Fusion<'a> {
    source: &'a CpuProgram<'a>,
    unit: &'a SourceFile<'a>,
    /// The function's variables to which only their names lead.
    only_named: BTreeSet<DeclId>,
    edits: Vec<TextEdit>,
    told: Vec<Told>,
}

/// A loop that could be joined with others.
struct Candidate<'a> {
    line: &'a OmpLine,
    header: String,
    canonical: CanonicalLoop<'a>,
    accesses: Accesses,
    /// Scalars that its iterations compute first.
    computed: Vec<Computed>,
}

/// A scalar's assignment that goes into a loop.
struct Computed {
    name: String,
    inputs: BTreeSet<DeclId>,
    /// With its semicolon.
    text: String,
    /// What it leaves behind.
    removed: TextEdit,
}

impl<'a> Fusion<'a> {
    fn blocks(&mut self, function: &Function, body: &Stmt, s: &'a Stmt) {
        if let StmtKind::Compound(items) = &s.kind {
            self.block(function, body, items);
        }
        let for_device = |s: &Stmt| matches!(s.kind, StmtKind::Directed { directive, .. } if self.unit.lines[directive].is_for_devices());
        let inner: Vec<_> = walk::children(s).into_iter().filter(|s| !for_device(s)).collect();
        inner.into_iter().for_each(|s| self.blocks(function, body, s));
    }

    fn block(&mut self, function: &Function, body: &Stmt, items: &'a [Stmt]) {
        let mut group: Vec<Candidate<'a>> = vec![];
        let mut waiting = vec![];
        let unit = self.unit;
        for s in items.iter().filter(|s| !only_waits(unit, s)) {
            if let Some(mut next) = self.candidate(s) {
                self.compute_first(&mut next, body, &waiting);
                if !group.is_empty() && (group.len() == MOST || !self.may_join(&group, &next)) {
                    self.join(function, std::mem::take(&mut group));
                }
                // Statements between loops that stay there.
                if next.computed.len() < waiting.len() {
                    self.join(function, std::mem::take(&mut group));
                }
                group.push(next);
                waiting.clear();
            } else if self.assigned(s).is_some() {
                waiting.push(s);
            } else {
                self.join(function, std::mem::take(&mut group));
                waiting.clear();
            }
        }
        self.join(function, group);
    }

    fn candidate(&self, s: &'a Stmt) -> Option<Candidate<'a>> {
        let StmtKind::Directed { directive, body: Some(body) } = &s.kind else { return None };
        let line = &self.unit.lines[*directive];
        let shares = matches!(line.leaves(), [Leaf::For] | [Leaf::Parallel, Leaf::For]);
        if !shares || !line.mistakes.is_empty() || !line.directive.clauses.iter().all(is_simple) {
            return None;
        }
        let canonical = canonical(self.unit, body)?;
        let end = canonical.body.span.start as usize;
        let header = without_blanks(&self.unit.buffer[body.span.start as usize..end]);
        let accesses = Accesses::of(self.unit, body, &canonical)?;
        Some(Candidate { line, header, canonical, accesses, computed: vec![] })
    }

    /// The assignment of a scalar that one thread makes, and where it stands.
    fn assigned(&self, s: &'a Stmt) -> Option<(resident_scalars::Assignment, &'a Stmt)> {
        let inner = match &s.kind {
            StmtKind::Directed { directive, body: Some(body) } => {
                let line = &self.unit.lines[*directive];
                let is_plain = line.leaves() == [Leaf::Single] && line.directive.clauses.is_empty();
                Some(only(body)).filter(|_| is_plain)?
            }
            _ => s,
        };
        let StmtKind::Expr(e) = &inner.kind else { return None };
        let assignment = resident_scalars::assignment(self.unit, inner, e)?;
        (!assignment.named.contains(&assignment.to)).then_some((assignment, inner))
    }

    /// Takes assignments that stand before the loop into its iterations: the last ones, since those before may be for others.
    fn compute_first(&self, next: &mut Candidate<'a>, body: &Stmt, waiting: &[&'a Stmt]) {
        for s in waiting.iter().rev() {
            match self.computed(next, body, s) {
                Some(computed) => next.computed.insert(0, computed),
                None => break,
            }
        }
    }

    fn computed(&self, next: &mut Candidate<'a>, body: &Stmt, s: &'a Stmt) -> Option<Computed> {
        let unit = self.unit;
        let (assignment, inner) = self.assigned(s)?;
        let (to, loop_body) = (assignment.to, next.canonical.body);
        let var = unit.var(to).filter(|_| self.only_named.contains(&to))?;
        let reads = unit.mentions(loop_body, to);
        let is_for_loop_alone =
            reads > 0 && unit.mentions(body, to) == reads + 1 && !unit.changes(loop_body, to);
        let is_sum = |id: &DeclId| unit.var(*id).is_some_and(|var| self.is_reduced(&var.name));
        let lists_all = |c: &OmpClause| c.kind == OmpClauseKind::Default("none".into());
        let clauses = &next.line.directive.clauses;
        let own = |id: &DeclId| {
            unit.var(*id).is_none_or(|var| next.line.names(lines::copies).contains(&&*var.name))
        };
        let here = unit.lines.iter().filter(|line| body.span.contains(line.span));
        let copies = here.flat_map(|line| line.names(lines::copies));
        let may_be_private = !clauses.iter().any(lists_all)
            && !next.line.names(lines::shared).contains(&&*var.name)
            && !copies.into_iter().any(|name| name == var.name)
            && !assignment.named.iter().any(own);
        let mut named = Accesses::default();
        assignment.named.iter().for_each(|id| named.add(*id, Use::default()));
        let same_values = next.accesses.apart(&named, &|a, b| self.are_apart(a, b))
            && assignment.named.iter().all(|id| !next.accesses.writes(*id) && *id != next.canonical.counter);
        if !(is_for_loop_alone && may_be_private && same_values && assignment.named.iter().any(is_sum)) {
            return None;
        }
        next.accesses.extend(named);
        let text = format!("{};", unit.text(inner.span));
        let range = s.span.start as usize..end_of(unit, s.span.end);
        // Threads waited after the one that assigned.
        let waits = matches!(s.kind, StmtKind::Directed { .. });
        let left = if waits {
            format!("\n#pragma omp barrier\n{}", self.marker(range.end as u32))
        } else {
            String::new()
        };
        let inputs = assignment.named;
        Some(Computed { name: var.name.clone(), inputs, text, removed: TextEdit { range, text: left } })
    }

    /// Loops of the file add it up.
    fn is_reduced(&self, name: &str) -> bool {
        let reductions = self.unit.lines.iter().flat_map(|line| line.names(lines::reductions));
        reductions.into_iter().any(|reduced| reduced == name)
    }

    fn may_join(&self, group: &[Candidate<'_>], next: &Candidate<'_>) -> bool {
        let first = &group[0];
        let same = first.header == next.header && first.line.leaves() == next.line.leaves();
        let loops_inside = group.iter().chain([next]).filter(|c| c.accesses.inner_loops).count();
        // A loop inside that writes memory has a mapping of its own.
        let plain = group.iter().chain([next]).all(|c| !c.accesses.inner_loops_write);
        same && plain
            && loops_inside <= 1
            && group.iter().all(|a| clauses_agree(self.unit, a, next) && self.iterations_agree(a, next))
    }

    /// Whether what one of them writes and the other uses belongs to one iteration of both.
    fn iterations_agree(&self, a: &Candidate<'_>, b: &Candidate<'_>) -> bool {
        let is_own = |id: DeclId| {
            let needs = |c: &Candidate<'_>| {
                c.computed.iter().any(|computed| computed.inputs.contains(&id))
                    || flow::exposed(self.unit, c.canonical.body, id).is_some()
            };
            self.unit.is_scalar(id) && !needs(a) && !needs(b)
        };
        a.accesses.meet_in_one_iteration(&b.accesses, &is_own)
            && a.accesses.apart(&b.accesses, &|a, b| self.are_apart(a, b))
    }

    /// Two variables, or what pointers lead to, have no memory in common.
    fn are_apart(&self, a: DeclId, b: DeclId) -> bool {
        let unit = self.unit;
        let leads = |id: DeclId| unit.is_pointer(id);
        match (leads(a), leads(b)) {
            (false, false) => true,
            (true, false) if self.only_named.contains(&b) => true,
            (false, true) if self.only_named.contains(&a) => true,
            _ => unit.are_distinct(a, b),
        }
    }

    fn join(&mut self, function: &Function, group: Vec<Candidate<'_>>) {
        let [first, others @ ..] = &group[..] else { return };
        let unit = self.unit;
        if others.is_empty() && first.computed.is_empty() {
            return;
        }
        let clauses = joined_clauses(unit, &group);
        let nowait = |c: &Candidate<'_>| {
            let clauses = &c.line.directive.clauses;
            clauses.iter().find(|clause| is_nowait(unit, clause)).map(|clause| clause.span)
        };
        // Code behind the last loop may count on the barriers between the first ones, or change what iterations compute first.
        let all_go_on = group.iter().all(|c| nowait(c).is_some() && c.computed.is_empty());
        if let Some(span) = nowait(first).filter(|_| !all_go_on) {
            self.edits.push(without_clause(unit.buffer, span));
        }
        self.edits.push(TextEdit::insert(first.line.span.end, clauses));
        self.edits.extend(first.computed.iter().map(|computed| computed.removed.clone()));
        for (n, part) in group.iter().enumerate() {
            let body = part.canonical.body;
            let computed: String = part.computed.iter().map(|c| format!("{} ", c.text)).collect();
            let end = end_of(unit, body.span.end);
            let begin = if n == 0 { "{ " } else { "" };
            self.edits.push(TextEdit::insert(body.span.start, format!("{begin}{{ {computed}")));
            self.edits.push(TextEdit::insert(end as u32, " }".into()));
            match group.get(n + 1).map(|next| next.canonical.body.span.start) {
                Some(next) => {
                    let text = format!("\n{}", self.marker(next));
                    self.edits.push(TextEdit { range: end..next as usize, text });
                }
                None => self.edits.push(TextEdit::insert(end as u32, " }".into())),
            }
        }
        self.tell(function, &group);
    }

    fn tell(&mut self, function: &Function, group: &[Candidate<'_>]) {
        let line = |c: &Candidate<'_>| self.source.lines.locate(c.line.span.start).line;
        let place = self.source.lines.locate(group[0].line.span.start);
        let mut parts = vec![];
        if group.len() > 1 {
            let lines: Vec<_> = group[1..].iter().map(|c| line(c).to_string()).collect();
            parts.push(format!("The shared loop is joined with those of lines {}", lines.join(", ")));
        }
        let computed: Vec<_> =
            group.iter().flat_map(|c| &c.computed).map(|c| format!("`{}`", c.name)).collect();
        if !computed.is_empty() {
            parts.push(format!("Each iteration computes {}", computed.join(", ")));
        }
        self.told.push(Told {
            file: place.file.to_owned(),
            line: place.line,
            function: function.name.clone(),
            id: remarks::LOOPS_JOINED,
            kind: RemarkKind::Transform,
            message: parts.join(". "),
        });
    }

    fn marker(&self, at: u32) -> String {
        crate::specialize::marker(self.source.lines, at as usize)
    }
}

/// A barrier, or nothing.
fn only_waits(unit: &SourceFile<'_>, s: &Stmt) -> bool {
    match &s.kind {
        StmtKind::Directed { directive, body: None } => {
            unit.lines[*directive].directive.name == OmpName::Barrier
        }
        StmtKind::Null => true,
        _ => false,
    }
}

fn without_blanks(text: &str) -> String {
    text.split_whitespace().collect()
}

/// Takes a clause out of a directive, with a comma beside it.
fn without_clause(buffer: &str, clause: Span) -> TextEdit {
    let (mut start, mut end) = (clause.start as usize, clause.end as usize);
    let (before, after) = (buffer[..start].trim_end(), &buffer[end..]);
    if let Some(comma) = after.find(',').filter(|at| after[..*at].trim().is_empty()) {
        end += comma + 1;
    } else if before.ends_with(',') {
        start = before.len() - 1;
    }
    TextEdit { range: start..end, text: String::new() }
}

fn is_nowait(unit: &SourceFile<'_>, clause: &OmpClause) -> bool {
    unit.text(clause.span).starts_with("nowait")
}

/// A clause of which a joined loop's can be made. How iterations are dealt to threads makes no difference to loops that exchange
/// nothing.
fn is_simple(clause: &OmpClause) -> bool {
    match &clause.kind {
        OmpClauseKind::Private(list) | OmpClauseKind::Shared(list) => {
            list.iter().all(|s| s.as_variable().is_some())
        }
        OmpClauseKind::Reduction { sections, .. } => sections.iter().all(|s| s.as_variable().is_some()),
        OmpClauseKind::Schedule(_) | OmpClauseKind::NoEffect | OmpClauseKind::Default(_) => true,
        OmpClauseKind::If(..) | OmpClauseKind::NumThreads(_) => true,
        _ => false,
    }
}

/// Whether one directive's clauses can be those of both: what has a copy for one of the loops is not another's variable in the other.
fn clauses_agree(unit: &SourceFile<'_>, a: &Candidate<'_>, b: &Candidate<'_>) -> bool {
    let texts = |c: &Candidate<'_>| -> BTreeSet<String> {
        let as_they_are = |clause: &&OmpClause| {
            matches!(
                clause.kind,
                OmpClauseKind::If(..) | OmpClauseKind::NumThreads(_) | OmpClauseKind::Default(_)
            )
        };
        let clauses = c.line.directive.clauses.iter().filter(as_they_are);
        clauses.map(|clause| without_blanks(unit.text(clause.span))).collect()
    };
    let own_of = |a: &Candidate<'_>, b: &Candidate<'_>| {
        let names =
            |c: &Candidate<'_>, wanted: fn(&OmpClauseKind) -> Option<&[Section]>| -> BTreeSet<String> {
                c.line.names(wanted).into_iter().map(str::to_owned).collect()
            };
        let mut own = names(a, lines::privates);
        names(b, lines::privates).iter().for_each(|name| _ = own.remove(name));
        own.extend(names(a, lines::reductions));
        own.extend(a.computed.iter().map(|c| c.name.clone()));
        own.remove(&a.canonical.name);
        let listed = names(b, lines::shared);
        let used = unit.used(b.canonical.body).into_iter().map(|(_, name, _)| name);
        let inputs = b.computed.iter().flat_map(|c| &c.inputs).filter_map(|id| unit.var(*id));
        used.chain(inputs.map(|var| var.name.clone()))
            .chain(listed)
            .chain(names(b, lines::reductions))
            .all(|name| !own.contains(&name))
    };
    texts(a) == texts(b) && own_of(a, b) && own_of(b, a)
}

/// The clauses that the first loop's directive has to have besides its own.
fn joined_clauses(unit: &SourceFile<'_>, group: &[Candidate<'_>]) -> String {
    let mut text = String::new();
    let mut listed: BTreeSet<String> = BTreeSet::new();
    for (n, part) in group.iter().enumerate() {
        for clause in &part.line.directive.clauses {
            let (word, list) = match &clause.kind {
                OmpClauseKind::Private(list) => ("private", list),
                OmpClauseKind::Shared(list) => ("shared", list),
                OmpClauseKind::Reduction { .. } if n > 0 => {
                    text += &format!(" {}", unit.text(clause.span));
                    continue;
                }
                _ => continue,
            };
            let new =
                list.iter().filter_map(Section::as_variable).filter(|name| listed.insert((*name).to_owned()));
            let names: Vec<&str> = new.collect();
            if n > 0 && !names.is_empty() {
                text += &format!(" {word}({})", names.join(", "));
            }
        }
        let computed: Vec<&str> = part.computed.iter().map(|c| &*c.name).collect();
        if !computed.is_empty() {
            text += &format!(" private({})", computed.join(", "));
        }
    }
    text
}
