//! OpenMPC: programs for CPUs with OpenMP, whose work-shared loops the device runs (Lee and Eigenmann 2012, section 3).
//!
//! A parallel region may be run by a team of one thread. So it becomes one of one thread, in which each loop that several
//! would share is a `target` construct, and everything else, private variables, `single`, `barrier` and `critical` among it,
//! stays as it was: the region is split at its synchronisations by itself, and time steps inside it are loops of the host. What
//! such loops need is decided by the tree (`kernel`), and the decision is written into the buffer, from which the rest of
//! the front end reads constructs that it knows. Every line keeps its number.
//!
//! A region that cannot go to the device, here or in a later stage, is left as it is to the host compiler's OpenMP, and a
//! remark says why.

mod accesses;
mod accumulate;
mod busy_waits;
mod canonical;
mod cuda_pragmas;
mod edits;
mod flow;
mod following;
mod fusion;
mod idle_threads;
mod inner_privates;
mod kernel;
mod lines;
mod members;
mod messages;
mod openacc;
mod pieces;
mod places;
mod pointers;
mod region;
mod resident_scalars;
mod rows;
mod same_pattern;
mod scratch;
mod small_loops;
mod thread_numbers;
mod unit;

use crate::ast::{Expr, ExprKind, Function, Program, Stmt, StmtKind};
use crate::bind;
use crate::lower::walk;
use accl_directives::omp::ast::Leaf;
use accl_source::{Diagnostic, FileId, LineMap, Remark, RemarkKind, Span, codes::remarks};
use cuda_pragmas::CudaDirectives;
pub use cuda_pragmas::{Settings, SharedLoop, UserDirective, Wishes};
pub use edits::TextEdit;
pub use fusion::{Fused, fuse};
use lines::OmpLine;
pub use pieces::Pieces;
pub use pointers::Pointers;
use region::Orphans;
pub use region::called_functions;
use std::collections::{BTreeMap, BTreeSet};
pub use unit::SourceFile;

/// Why a region stays with the host compiler.
#[derive(Clone, Debug)]
pub struct WhyNot {
    span: Span,
    why: String,
}

impl WhyNot {
    fn new(span: Span, why: String) -> WhyNot {
        WhyNot { span, why }
    }
}

/// The changes that make a region one for the device.
type Made = Result<Vec<TextEdit>, WhyNot>;

/// The lines of a region that was translated, as the user counts them.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct RegionLines {
    pub file: String,
    pub first: u32,
    pub last: u32,
}

/// A remark, before the place of its line in the finished buffer is known.
#[derive(Clone, Debug)]
struct Told {
    file: String,
    line: u32,
    function: String,
    id: &'static str,
    kind: RemarkKind,
    message: String,
}

#[derive(Default)]
pub struct Translated {
    /// `None`: nothing was changed.
    pub buffer: Option<String>,
    /// What was changed in the buffer that was read; declarations of functions at its beginning are not among it.
    pub edits: Vec<TextEdit>,
    pub regions: Vec<RegionLines>,
    pub loops: Vec<SharedLoop>,
    /// Mistakes in OpenMPC's own directives; nothing is changed then.
    pub diagnostics: Vec<Diagnostic>,
    /// Variables of threads that other files can name, and that this one has as scratch memory at most.
    pub scratch: BTreeSet<String>,
    told: Vec<Told>,
}

/// Regions that later stages refused, with the reason.
pub type OnCpu = std::collections::BTreeMap<RegionLines, String>;

/// Whether there is anything to translate.
pub fn concerns(buffer: &str, file: FileId) -> bool {
    let shares = |line: &OmpLine| line.has(Leaf::Parallel) || line.has(Leaf::For);
    lines::find(buffer, file).0.iter().any(shares) || cuda_pragmas::stand_in(buffer)
}

/// The buffer that was read.
pub struct CpuProgram<'a> {
    pub buffer: &'a str,
    pub lines: &'a LineMap,
    pub file: FileId,
    pub cplusplus: bool,
    pub pointers: Pointers,
    /// The text is to be read by people.
    pub port: Option<Port>,
    pub settings: &'a Settings,
}

/// How a port is to be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Port {
    /// No other file has regions whose threads could call a function of this one.
    pub is_whole_program: bool,
    /// Constructs are OpenACC's.
    pub is_openacc: bool,
}

pub fn translate(source: &CpuProgram<'_>, program: Program, on_cpu: &OnCpu) -> Translated {
    let CpuProgram { buffer, file, .. } = *source;
    let (lines, threadprivate) = lines::find(buffer, file);
    translate_with(source, bound(program, &lines), &lines, &threadprivate, on_cpu, true)
}

/// The program, whose directives have found their statements.
fn bound(mut program: Program, lines: &[OmpLine]) -> Program {
    let pragmas: Vec<_> = lines.iter().map(OmpLine::pragma).collect();
    let of_methods = bind::of_local_classes(&program, &pragmas);
    for body in program.functions.iter_mut().filter_map(|f| f.body.as_mut()) {
        let discarded =
            of_methods.iter().filter(|method| bind::is_within(body.span, **method)).copied().collect();
        bind::bind(body, &pragmas, discarded, &mut vec![]);
    }
    program
}

fn translate_with(
    source: &CpuProgram<'_>,
    program: Program,
    lines: &[OmpLine],
    threadprivate: &[(String, u32)],
    on_cpu: &OnCpu,
    scalars_stay: bool,
) -> Translated {
    let CpuProgram { buffer, lines: lines_of, .. } = *source;
    let mut unit = SourceFile::new(buffer, &program, lines, threadprivate, source.pointers);
    unit.cuda = CudaDirectives::read(&unit, source.file, source.settings);
    if !unit.cuda.errors.is_empty() {
        return Translated { diagnostics: unit.cuda.errors, ..Translated::default() };
    }
    unit.is_whole_program = source.settings.is_whole_program;
    unit.scratch_elsewhere.clone_from(&source.settings.scratch_elsewhere);
    unit.writes_openacc = source.port.is_some_and(|port| port.is_openacc);
    let scalars_stay = scalars_stay && source.port.is_none() && !source.settings.keeps_host_loops;
    if scalars_stay && source.pointers == Pointers::Followed {
        unit.resident = resident_scalars::find(&unit, on_cpu, &|span| region_lines(lines_of, span));
    }
    let mut translation = Translation {
        unit: &unit,
        lines_of,
        on_cpu,
        orphans: Orphans::new(),
        edits: vec![],
        port: source.port,
        staying: vec![],
        result: Translated {
            loops: cuda_pragmas::shared_loops(&unit, lines_of),
            scratch: unit.scratch_here(),
            ..Translated::default()
        },
    };
    translation.settled();
    translation.orphans();
    let mut seen = BTreeSet::new();
    for function in program.functions.iter().filter(|f| f.instance.is_none()) {
        if let Some(body) = &function.body
            && seen.insert(body.span)
        {
            translation.regions(function, body);
        }
    }
    translation.regions_of_templates(&program);
    let on_threads = translation.orphans_of_threads();
    if !on_threads.is_empty() {
        let mut more = on_cpu.clone();
        more.extend(on_threads);
        return translate_with(source, program, lines, threadprivate, &more, scalars_stay);
    }
    let with_threads = |l: &Span| translation.staying.iter().any(|s| l.contains(*s) || s.contains(*l));
    if unit.resident.spans().any(|l| with_threads(&l)) {
        return translate_with(source, program, lines, threadprivate, on_cpu, false);
    }
    translation.resident_scalars();
    if !source.settings.keeps_host_loops {
        translation.following();
    }
    translation.finish(source.cplusplus)
}

struct Translation<'a> {
    unit: &'a SourceFile<'a>,
    lines_of: &'a LineMap,
    on_cpu: &'a OnCpu,
    orphans: Orphans,
    edits: Vec<TextEdit>,
    port: Option<Port>,
    /// Regions that stay with the host's threads.
    staying: Vec<Span>,
    result: Translated,
}

impl Translation<'_> {
    fn orphans(&mut self) {
        let mut waiting = vec![];
        for function in self.unit.program.functions.iter().filter(|f| f.instance.is_none()) {
            let Some(mut made) = self.orphan(function) else { continue };
            let body = function.body.as_ref().map_or(function.span, |body| body.span);
            let region = self.region(body);
            if let Some(why) = self.on_cpu.get(&region) {
                made = Err(WhyNot::new(body, why.clone()));
            }
            waiting.push((function, region, made));
        }
        for (function, region, made) in waiting {
            match &made {
                Ok(edits) => {
                    self.edits.extend(edits.iter().cloned());
                    let message = "Loops that threads share run on the device where the host has one thread";
                    self.tell(&function.name, function.span, true, message.into());
                    self.result.regions.push(region);
                }
                Err(reason) => self.stays(&function.name, function.span, reason),
            }
            self.orphans.insert(function.id, made);
        }
    }

    /// Clauses of OpenMPC that choose nothing.
    fn settled(&mut self) {
        for (line, message) in self.unit.cuda.settled.clone() {
            let place = self.lines_of.locate(self.unit.lines[line].span.start);
            self.result.told.push(Told {
                file: place.file.to_owned(),
                line: place.line,
                function: cuda_pragmas::function_of(self.unit, line)
                    .map_or(String::new(), |f| f.name.clone()),
                id: remarks::OPENMPC_SETTLED,
                kind: RemarkKind::Missed,
                message,
            });
        }
    }

    /// In a port a function whose threads nobody divides has its constructs alone.
    fn orphan(&self, function: &Function) -> Option<Made> {
        let chooses = match self.port {
            None => true,
            Some(port) => !port.is_whole_program && !is_internal(self.unit, function),
        };
        region::orphan(self.unit, function, chooses, &|at| self.marker(at))
    }

    /// Functions with constructs that do not ask who runs them, and that the threads of a region on the host call.
    fn orphans_of_threads(&self) -> OnCpu {
        let mut found = OnCpu::new();
        if self.port.is_none() {
            return found;
        }
        for function in &self.unit.program.functions {
            let Some(body) = &function.body else { continue };
            each_region(self.unit, body, &mut |_, region, span| {
                if !self.staying.contains(&span) {
                    return;
                }
                for called in region::called_functions(self.unit, region) {
                    if let (Some(Ok(_)), Some(called)) =
                        (self.orphans.get(&called), self.unit.function(called))
                    {
                        let body = called.body.as_ref().map_or(called.span, |body| body.span);
                        let line = self.lines_of.locate(span.start).line;
                        found.insert(
                            self.region(body),
                            format!("the threads of the region in line {line} call it"),
                        );
                    }
                }
            });
        }
        found
    }

    /// The regions in a statement.
    fn regions(&mut self, function: &Function, s: &Stmt) {
        each_region(self.unit, s, &mut |index, body, span| self.one_region(function, index, body, span));
    }

    /// The regions of function templates: their text stands there once, so all instances have to need the same code.
    fn regions_of_templates(&mut self, program: &Program) {
        let mut templates: BTreeMap<(u32, u32), Vec<(&Function, &Stmt)>> = BTreeMap::new();
        for function in program.functions.iter().filter(|f| f.instance.is_some()) {
            if let Some(body) = &function.body {
                templates.entry((body.span.start, body.span.end)).or_default().push((function, body));
            }
        }
        for instances in templates.into_values() {
            let mut made: BTreeMap<usize, (Span, Vec<Made>)> = BTreeMap::new();
            for (function, body) in &instances {
                each_region(self.unit, body, &mut |index, region, span| {
                    let one = self.made(function, index, region, span);
                    made.entry(index).or_insert((span, vec![])).1.push(one);
                });
            }
            for (index, (span, made)) in made {
                self.settle(&instances[0].0.name, index, span, same_code(made, span));
            }
        }
    }

    fn one_region(&mut self, function: &Function, index: usize, body: &Stmt, span: Span) {
        let made = self.made(function, index, body, span);
        self.settle(&function.name, index, span, made);
    }

    fn made(&self, function: &Function, index: usize, body: &Stmt, span: Span) -> Made {
        let line = &self.unit.lines[index];
        let region = self.region(span);
        // Threads of the host that each meet the region run it by themselves.
        let nested = self.unit.called_by_threads.contains(&function.id) || is_in_lambda(function, span);
        if self.unit.cuda.wishes(None, index).on_cpu {
            return Err(WhyNot::new(line.span, "`#pragma cuda` asks for the CPU".into()));
        }
        let conditions = nested.then(|| format!("!{}()", region::IN_PARALLEL)).into_iter().collect();
        match (self.on_cpu.get(&region), line.leaves()) {
            (Some(why), _) => Err(WhyNot::new(line.span, why.clone())),
            (None, [Leaf::Parallel]) => {
                region::block(self.unit, &self.orphans, line, body, conditions, &|at| self.marker(at))
            }
            (None, _) if line.shares_loop() => {
                region::combined(self.unit, index, body, conditions, &|at| self.marker(at))
            }
            (None, _) => Err(WhyNot::new(line.span, "its threads share no loop".into())),
        }
    }

    fn settle(&mut self, function: &str, index: usize, span: Span, made: Made) {
        let at = self.unit.lines[index].span;
        match made {
            Ok(edits) => {
                self.edits.extend(edits);
                self.result.regions.push(self.region(span));
                self.tell(function, at, true, "Loops of the parallel region run on the device".into());
            }
            Err(reason) => {
                self.staying.push(span);
                self.stays(function, at, &reason);
            }
        }
    }

    /// Loops of the host between launches.
    fn following(&mut self) {
        if self.port.is_some() || self.unit.pointers != Pointers::Followed || self.edits.is_empty() {
            return;
        }
        let is_launch = |s: &Stmt| match &s.kind {
            StmtKind::Directed { directive, .. } => {
                let line = &self.unit.lines[*directive];
                let shared = line.has(Leaf::Parallel) || line.shares_loop();
                line.is_for_devices() || shared && !self.staying.contains(&s.span)
            }
            _ => false,
        };
        let lines = |s: &Stmt| self.region(s.span);
        let made = following::edits(self.unit, self.on_cpu, &is_launch, &lines, &|at| self.marker(at));
        for (region, edit) in made {
            self.result.regions.push(region);
            self.edits.push(edit);
        }
    }

    fn resident_scalars(&mut self) {
        self.edits.extend(self.unit.resident.edits(&|at| self.marker(at)));
        let regions: Vec<_> = self.unit.resident.spans().map(|span| self.region(span)).collect();
        self.result.regions.extend(regions);
    }

    /// A line that gives what follows it the number of the line at a place.
    fn marker(&self, at: u32) -> String {
        crate::specialize::marker(self.lines_of, at as usize)
    }

    fn region(&self, span: Span) -> RegionLines {
        region_lines(self.lines_of, span)
    }

    fn stays(&mut self, function: &str, at: Span, reason: &WhyNot) {
        let (line, here) =
            (self.lines_of.locate(reason.span.start).line, self.lines_of.locate(at.start).line);
        let place = if line == here { String::new() } else { format!(" (line {line})") };
        let message = format!("Parallel region stays with the host's threads: {}{place}", reason.why);
        self.tell(function, at, false, message);
    }

    fn tell(&mut self, function: &str, at: Span, translated: bool, message: String) {
        let place = self.lines_of.locate(at.start);
        self.result.told.push(Told {
            file: place.file.to_owned(),
            line: place.line,
            function: function.to_owned(),
            id: if translated { remarks::REGION_ON_DEVICE } else { remarks::REGION_ON_THREADS },
            kind: if translated { RemarkKind::Transform } else { RemarkKind::Missed },
            message,
        });
    }

    fn finish(mut self, cplusplus: bool) -> Translated {
        if self.edits.is_empty() {
            return self.result;
        }
        let buffer = self.unit.buffer;
        let mut text = edits::apply(buffer, 0..buffer.len(), &self.edits);
        let linkage = if cplusplus { "extern \"C\" " } else { "" };
        let asked = [
            (region::IN_PARALLEL, "int", "void"),
            (pointers::IS_KNOWN, "int", "const volatile void *"),
            (pointers::ROWS_ARE_KNOWN, "int", "const volatile void *, unsigned long, const char *"),
            (pointers::IS_ON_STACK, "int", "const volatile void *, unsigned long"),
            (small_loops::IS_SMALL, "int", "const volatile void *, unsigned long, int"),
            (rows::COUNT, "long", "long, unsigned long, int"),
            (rows::MAKE, "void *", "unsigned long, const void *"),
            (rows::FREE, "void", "void *, unsigned long"),
            (accl_ir::DEVICE_IS_NEWER, "int", "const volatile void *"),
        ];
        for (function, result, parameters) in asked.into_iter().filter(|_| self.port.is_none()) {
            if text.contains(function) && !buffer.contains(function) {
                text = format!("# 1 \"omp.h\" 3\n{linkage}{result} {function}({parameters});\n{text}");
            }
        }
        self.result.buffer = Some(text);
        self.result.edits = self.edits;
        self.result
    }
}

fn region_lines(lines: &LineMap, span: Span) -> RegionLines {
    let (first, last) = (lines.locate(span.start), lines.locate(span.end));
    RegionLines { file: first.file.to_owned(), first: first.line, last: last.line.max(first.line) }
}

/// No other file can call it.
pub fn is_internal(unit: &SourceFile<'_>, function: &Function) -> bool {
    unit.text(function.definition)
        .split_whitespace()
        .take_while(|word| !word.contains('('))
        .any(|w| w == "static")
}

/// Visits the regions in a statement that are not for devices already: the directive, the body, and where both stand.
fn each_region(unit: &SourceFile<'_>, s: &Stmt, visit: &mut dyn FnMut(usize, &Stmt, Span)) {
    if let StmtKind::Directed { directive, body: Some(body) } = &s.kind {
        let line = &unit.lines[*directive];
        if line.is_for_devices() {
            return;
        }
        if line.has(Leaf::Parallel) {
            return visit(*directive, body, s.span);
        }
    }
    for e in walk::own_exprs(s) {
        let mut lambdas = vec![];
        walk::outer(e, &mut |e| lambdas.extend(body_of_lambda(e)));
        lambdas.into_iter().for_each(|body| each_region(unit, body, visit));
    }
    walk::children(s).into_iter().for_each(|s| each_region(unit, s, visit));
}

/// The body of a lambda that is not generic.
fn body_of_lambda(e: &Expr) -> Option<&Stmt> {
    let ExprKind::Lambda(lambda) = &e.kind else { return None };
    let is_generic = lambda.params.iter().any(|var| var.type_text.contains("auto"));
    match &lambda.calls[..] {
        [call] if !is_generic => Some(&call.body),
        _ => None,
    }
}

/// The region stands in a lambda, of which nobody knows who calls it.
fn is_in_lambda(function: &Function, region: Span) -> bool {
    let mut found = false;
    if let Some(body) = &function.body {
        walk::exprs(body, &mut |e| found |= body_of_lambda(e).is_some_and(|body| body.span.contains(region)));
    }
    found
}

/// What all instances of a template make of a region, where it is the same.
fn same_code(made: Vec<Made>, at: Span) -> Made {
    let mut first: Option<Vec<TextEdit>> = None;
    for one in made {
        let one = one?;
        if first.as_ref().is_some_and(|first| *first != one) {
            return Err(WhyNot::new(at, "instances of the template need different code".into()));
        }
        first = Some(one);
    }
    first.ok_or_else(|| WhyNot::new(at, "the template has no instance".into()))
}

impl Translated {
    /// Nothing is changed.
    pub fn refused(diagnostics: Vec<Diagnostic>) -> Translated {
        Translated { diagnostics, ..Translated::default() }
    }

    /// Notes what was joined before.
    pub fn joined(&mut self, fused: Fused) {
        self.told.extend(fused.told);
        self.loops = fused.loops;
    }

    pub fn has_remarks(&self) -> bool {
        !self.told.is_empty()
    }

    /// The remarks, with the places that their lines have in the finished buffer.
    pub fn remarks(&self, buffer: &str, lines: &LineMap, file: FileId) -> Vec<Remark> {
        let mut found = vec![];
        for told in &self.told {
            let mut start = 0;
            let at = buffer.split_inclusive('\n').find_map(|text| {
                let line = start;
                start += text.len() as u32;
                let place = lines.locate(line);
                (place.line == told.line && place.file == told.file).then_some(line)
            });
            let at = at.unwrap_or_default();
            let span = Span::new(file, at, at + 1);
            found.push(Remark::new(told.id, told.kind, told.function.clone(), span, told.message.clone()));
        }
        found
    }
}
