//! `#pragma cuda …`, OpenMPC's own directives (Lee and Eigenmann 2012, tables 1 to 4), in the program and in a user's
//! directive file: what they ask of a loop's construct.
//!
//! Each clause is a clause of the construct, a step of its schedule, or settled (`accl_directives::openmpc`), which a remark
//! says. What is wrong with them is an error.

use super::lines::OmpLine;
use super::unit::SourceFile;
use crate::ast::{Function, Stmt};
use accl_directives::openmpc::{self, Meaning, OpenMpcName, Takes};
use accl_directives::{closest, omp::ast::Leaf};
use accl_source::{Diagnostic, FileId, LineMap, Span, codes};
use std::collections::{BTreeMap, BTreeSet};

/// A line of the user's directive file: `procname kernelid: directive`.
#[derive(Clone, Debug)]
pub struct UserDirective {
    /// The file and line.
    pub origin: String,
    pub function: String,
    /// Which of the function's work-shared loops.
    pub kernel: usize,
    pub directive: String,
}

/// What the user asks of all loops and of some.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    pub all: Wishes,
    pub directives: Vec<UserDirective>,
    /// A `critical` is not made a reduction.
    pub keeps_critical: bool,
    /// Loops that threads do not share, and scalars computed of sums, stay on the host, wherever their data are (`-gpu=nohostloops`).
    pub keeps_host_loops: bool,
    /// Functions that are not in the file do not exist.
    pub is_whole_program: bool,
    /// Variables of threads that all other files of the program have as scratch memory at most.
    pub scratch_elsewhere: BTreeSet<String>,
}

/// What is asked of a loop.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Wishes {
    pub on_cpu: bool,
    pub blocks: Option<u32>,
    pub threads: Option<u32>,
    pub no_collapse: bool,
    pub no_swap: bool,
    pub shared: bool,
    /// Neither `restrict` nor windows in shared memory.
    pub plain: bool,
}

impl Wishes {
    fn add(&mut self, other: &Wishes) {
        self.on_cpu |= other.on_cpu;
        self.blocks = other.blocks.or(self.blocks);
        self.threads = other.threads.or(self.threads);
        self.no_collapse |= other.no_collapse;
        self.no_swap |= other.no_swap;
        self.shared |= other.shared;
        self.plain |= other.plain;
    }

    /// The steps for a nest of which these loops are known to be parallel, the outermost first.
    pub fn schedule(&self, loops: &[String]) -> Option<String> {
        let grid = match loops {
            [outer, ..] if self.no_collapse => format!("grid({outer}:x)"),
            [outer] if self.no_swap => format!("grid({outer}:x)"),
            [first, second] if self.no_swap => format!("grid({first}:x, {second}:y)"),
            [first, second, third, ..] if self.no_swap => format!("grid({first}:x, {second}:y, {third}:z)"),
            _ => String::new(),
        };
        let shared = if self.shared { "shared_tile" } else { "" };
        let asked = self.no_collapse || self.no_swap || self.shared || self.plain;
        asked.then(|| [&grid, shared].into_iter().filter(|s| !s.is_empty()).collect::<Vec<_>>().join(" "))
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verb {
    Gpurun,
    Cpurun,
    Nogpurun,
    Ainfo,
}

struct CudaDirective {
    place: Place,
    verb: Verb,
    clauses: Vec<CudaClause>,
}

struct CudaClause {
    /// None: of `ainfo`.
    row: Option<&'static OpenMpcName>,
    name: String,
    arguments: Vec<String>,
    span: Span,
}

/// Where a directive stands: in the program, or in a file of the user's.
#[derive(Clone)]
struct Place {
    span: Span,
    origin: Option<String>,
}

impl Place {
    fn error(&self, span: Span, message: String, help: Option<String>) -> Diagnostic {
        let code = codes::frontend::CUDA_PRAGMA;
        let error = match &self.origin {
            Some(origin) => Diagnostic::error(code, format!("{origin}: {message}")),
            None => Diagnostic::error(code, message).label(span, "here"),
        };
        match help {
            Some(help) => error.with_help(help),
            None => error,
        }
    }
}

/// What the directives ask of the loops of a file.
#[derive(Default)]
pub struct CudaDirectives {
    /// By the numbers of the lines of OpenMP that they stand before, or of their loops.
    by_line: BTreeMap<usize, Wishes>,
    /// Those that a directive in the program stands before.
    in_program: BTreeSet<usize>,
    all: Wishes,
    pub keeps_critical: bool,
    pub errors: Vec<Diagnostic>,
    /// Clauses that are settled: the line that they are for, and what is said.
    pub settled: Vec<(usize, String)>,
}

impl CudaDirectives {
    /// For a loop, in a region or not.
    pub fn wishes(&self, region: Option<usize>, of: usize) -> Wishes {
        let mut wishes = self.all.clone();
        for line in region.into_iter().chain([of]) {
            if let Some(asked) = self.by_line.get(&line) {
                wishes.add(asked);
            }
        }
        wishes
    }

    pub fn read(unit: &SourceFile<'_>, file: FileId, settings: &Settings) -> CudaDirectives {
        let mut this = CudaDirectives {
            all: settings.all.clone(),
            keeps_critical: settings.keeps_critical,
            ..CudaDirectives::default()
        };
        let mut of_lines: BTreeMap<usize, Vec<CudaDirective>> = BTreeMap::new();
        for (span, text) in pragmas(unit.buffer, file) {
            let place = Place { span, origin: None };
            let attached =
                parse(text, &place).and_then(|directive| Ok((line_behind(unit, &place)?, directive)));
            match attached {
                Ok((line, directive)) => {
                    this.in_program.insert(line);
                    of_lines.entry(line).or_default().push(directive);
                }
                Err(error) => this.errors.push(error),
            }
        }
        for user in &settings.directives {
            let place = Place { span: Span::NOWHERE, origin: Some(user.origin.clone()) };
            match parse(&user.directive, &place).and_then(|d| Ok((named(unit, user, &place, settings)?, d))) {
                Ok((Some(line), directive)) => of_lines.entry(line).or_default().push(directive),
                Ok((None, _)) => {}
                Err(error) => this.errors.push(error),
            }
        }
        for (line, directives) in of_lines {
            this.line(unit, line, &directives);
        }
        this
    }

    fn line(&mut self, unit: &SourceFile<'_>, line: usize, directives: &[CudaDirective]) {
        self.errors.extend(contradiction(directives));
        let of = function_of(unit, line);
        let mut wishes = Wishes::default();
        for directive in directives {
            wishes.on_cpu |= matches!(directive.verb, Verb::Cpurun | Verb::Nogpurun);
            for clause in &directive.clauses {
                match clause.row {
                    Some(row) => {
                        self.errors.extend(unknown_variable(unit, line, directive, clause));
                        self.clause(line, row, clause, &mut wishes);
                    }
                    None => self.errors.extend(wrong_info(unit, of, line, directive, clause)),
                }
            }
        }
        self.by_line.entry(line).or_default().add(&wishes);
    }

    fn clause(&mut self, line: usize, row: &OpenMpcName, clause: &CudaClause, wishes: &mut Wishes) {
        let number = || clause.arguments.first().and_then(|n| n.parse().ok());
        match row.name {
            "maxnumofblocks" => wishes.blocks = number(),
            "threadblocksize" => wishes.threads = number(),
            "noloopcollapse" => wishes.no_collapse = true,
            "noploopswap" => wishes.no_swap = true,
            "sharedRO" | "sharedRW" => wishes.shared = true,
            "noshared" | "noregister" | "notexture" => wishes.plain = true,
            _ => {
                let how = match row.meaning {
                    Meaning::Settled => row.today,
                    Meaning::Steps(_) => "always, where arrays do not overlap: the variants with `restrict`",
                };
                self.settled.push((line, format!("{} has no effect: {how}", row.name)));
            }
        }
    }
}

/// The words behind `#pragma cuda`, each with the line's place.
fn pragmas(buffer: &str, file: FileId) -> Vec<(Span, &str)> {
    let (mut found, mut offset) = (vec![], 0);
    for line in buffer.split_inclusive('\n') {
        let start = offset + (line.len() - line.trim_start().len());
        offset += line.len();
        if let Some(text) = words(line) {
            let end = start + line.trim().len();
            found.push((Span::new(file, start as u32, end as u32), text));
        }
    }
    found
}

pub fn stand_in(buffer: &str) -> bool {
    buffer.lines().any(|line| words(line).is_some())
}

fn words(line: &str) -> Option<&str> {
    let rest = line.trim().strip_prefix('#')?.trim_start().strip_prefix("pragma")?;
    let rest = rest.trim_start().strip_prefix("cuda")?;
    rest.starts_with(char::is_whitespace).then(|| rest.trim())
}

/// `# 12 "file.c"`, of the preprocessor.
fn is_line_marker(line: &str) -> bool {
    line.strip_prefix('#').is_some_and(|rest| rest.trim_start().starts_with(|c: char| c.is_ascii_digit()))
}

fn parse(text: &str, place: &Place) -> Result<CudaDirective, Diagnostic> {
    let end = text.find(|c: char| !c.is_alphanumeric()).unwrap_or(text.len());
    let verb = match &text[..end] {
        "gpurun" => Verb::Gpurun,
        "cpurun" => Verb::Cpurun,
        "nogpurun" => Verb::Nogpurun,
        "ainfo" => Verb::Ainfo,
        other => {
            let help = closest(other, ["gpurun", "cpurun", "nogpurun", "ainfo"])
                .map(|n| format!("did you mean `{n}`?"));
            return Err(place.error(place.span, format!("OpenMPC has no directive `{other}`"), help));
        }
    };
    let clauses = clauses(&text[end..], verb, place)?;
    Ok(CudaDirective { place: place.clone(), verb, clauses })
}

fn clauses(text: &str, verb: Verb, place: &Place) -> Result<Vec<CudaClause>, Diagnostic> {
    let (mut found, mut rest) = (vec![], text);
    loop {
        rest = rest.trim_start_matches(|c: char| c.is_whitespace() || c == ',');
        if rest.is_empty() {
            return Ok(found);
        }
        let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
        let name = &rest[..end];
        rest = rest[end..].trim_start();
        let mut arguments = vec![];
        if let Some(list) = rest.strip_prefix('(') {
            let Some(close) = list.find(')') else {
                return Err(place.error(place.span, format!("`)` is missing behind `{name}(`"), None));
            };
            arguments =
                list[..close].split(',').map(|a| a.trim().to_owned()).filter(|a| !a.is_empty()).collect();
            rest = &list[close + 1..];
        } else if name.is_empty() {
            return Err(place.error(place.span, format!("a clause is expected at `{rest}`"), None));
        }
        found.push(clause(name, arguments, verb, place)?);
    }
}

fn clause(name: &str, arguments: Vec<String>, verb: Verb, place: &Place) -> Result<CudaClause, Diagnostic> {
    let error = |message: String| place.error(place.span, message, None);
    let made = |row, arguments| CudaClause { row, name: name.to_owned(), arguments, span: place.span };
    if verb == Verb::Ainfo {
        return match (name, &arguments[..]) {
            ("procname", [_]) => Ok(made(None, arguments)),
            ("kernelid", [id]) if id.parse::<usize>().is_ok() => Ok(made(None, arguments)),
            _ => Err(error("`ainfo` takes `procname(function)` and `kernelid(number)`".into())),
        };
    }
    let Some(row) = openmpc::clause(name) else {
        let names = openmpc::NAMES.iter().filter(|row| row.table <= 4).map(|row| row.name);
        let help = closest(name, names).map(|n| format!("did you mean `{n}`?"));
        return Err(place.error(place.span, format!("OpenMPC has no clause `{name}`"), help));
    };
    let of_cpu = ["c2gmemtr", "noc2gmemtr", "g2cmemtr", "nog2cmemtr"];
    if verb == Verb::Nogpurun || verb == Verb::Cpurun && !of_cpu.contains(&row.name) {
        return Err(error(format!("`{}` is a clause of `gpurun`", row.name)));
    }
    match row.takes() {
        Takes::Number => {
            let most = if row.name == "threadblocksize" { 1024 } else { i32::MAX as u32 };
            let number = arguments.first().and_then(|n| n.parse::<u32>().ok());
            if arguments.len() != 1 || !number.is_some_and(|n| (1..=most).contains(&n)) {
                return Err(error(format!("`{}` takes a number from 1 to {most}", row.name)));
            }
        }
        Takes::Names if arguments.is_empty() => {
            return Err(error(format!("`{}` takes a list of variables", row.name)));
        }
        // Some write the reduced variables, too.
        Takes::Nothing if !arguments.is_empty() && row.name != "noreductionunroll" => {
            return Err(error(format!("`{}` takes nothing", row.name)));
        }
        _ => {}
    }
    Ok(made(Some(row), arguments))
}

/// The line of OpenMP that follows a directive.
fn line_behind(unit: &SourceFile<'_>, place: &Place) -> Result<usize, Diagnostic> {
    let mut at = place.span.end as usize;
    for line in unit.buffer[at..].split_inclusive('\n') {
        let text = line.trim();
        let start = at + (line.len() - line.trim_start().len());
        at += line.len();
        if text.is_empty() || is_line_marker(text) || words(text).is_some() {
            continue;
        }
        let is_here =
            |l: &OmpLine| l.span.start as usize == start && (l.has(Leaf::Parallel) || l.shares_loop());
        if let Some(index) = unit.lines.iter().position(is_here) {
            return Ok(index);
        }
        break;
    }
    let message = "a directive of OpenMPC stands before that of a parallel region, or of a loop in one";
    Err(place.error(place.span, message.into(), None))
}

/// The loop that a line of the user's file is for; none where its function is another file's.
fn named(
    unit: &SourceFile<'_>,
    user: &UserDirective,
    place: &Place,
    settings: &Settings,
) -> Result<Option<usize>, Diagnostic> {
    let functions = || unit.program.functions.iter().filter(|f| f.body.is_some() && f.instance.is_none());
    let Some(function) = functions().find(|f| f.name == user.function) else {
        if !settings.is_whole_program {
            return Ok(None);
        }
        let help =
            closest(&user.function, functions().map(|f| &*f.name)).map(|n| format!("did you mean `{n}`?"));
        return Err(place.error(place.span, format!("there is no function `{}`", user.function), help));
    };
    let kernels = kernels(unit, function);
    match kernels.get(user.kernel) {
        Some(line) => Ok(Some(*line)),
        None => {
            let message = match kernels.len() {
                0 => format!("`{}` has no work-shared loop", function.name),
                n => format!("`{}` has the kernels 0 to {}, and no {}", function.name, n - 1, user.kernel),
            };
            Err(place.error(place.span, message, None))
        }
    }
}

/// A work-shared loop, for whoever writes directives before it.
#[derive(Clone, Debug)]
pub struct SharedLoop {
    /// The line of its directive, as the user counts.
    pub file: String,
    pub line: u32,
    pub function: String,
    pub number: usize,
    /// What is asked for it outside of the program.
    pub wishes: Wishes,
    /// A directive of OpenMPC stands before it.
    pub has_directive: bool,
    /// What clauses may name.
    pub variables: BTreeSet<String>,
}

/// The work-shared loops of the unit in its order.
pub fn shared_loops(unit: &SourceFile<'_>, lines: &LineMap) -> Vec<SharedLoop> {
    let of = |line: usize| {
        let function = function_of(unit, line)?;
        let number = kernels(unit, function).iter().position(|at| *at == line)?;
        let place = lines.locate(unit.lines[line].span.start);
        Some(SharedLoop {
            file: place.file.to_owned(),
            line: place.line,
            function: function.name.clone(),
            number,
            wishes: unit.cuda.wishes(None, line),
            has_directive: unit.cuda.in_program.contains(&line),
            variables: variables(unit, function),
        })
    };
    (0..unit.lines.len()).filter_map(of).collect()
}

/// The work-shared loops of a function, which are its kernels, from 0.
pub fn kernels(unit: &SourceFile<'_>, function: &Function) -> Vec<usize> {
    let Some(Stmt { span, .. }) = function.body else { return vec![] };
    let is_own = |line: &OmpLine| span.contains(line.span) && line.shares_loop() && !line.is_for_devices();
    (0..unit.lines.len()).filter(|at| is_own(&unit.lines[*at])).collect()
}

pub fn function_of<'a>(unit: &SourceFile<'a>, line: usize) -> Option<&'a Function> {
    let span = unit.lines[line].span;
    let holds = |f: &&Function| f.body.as_ref().is_some_and(|body| body.span.contains(span));
    unit.program.functions.iter().find(holds)
}

fn unknown_variable(
    unit: &SourceFile<'_>,
    line: usize,
    directive: &CudaDirective,
    clause: &CudaClause,
) -> Option<Diagnostic> {
    if clause.row?.takes() != Takes::Names {
        return None;
    }
    let names = variables(unit, function_of(unit, line)?);
    let unknown = clause.arguments.iter().find(|name| !names.contains(*name))?;
    let help = closest(unknown, names.iter().map(String::as_str)).map(|n| format!("did you mean `{n}`?"));
    let message = format!("`{}` names `{unknown}`, which the function does not use", clause.name);
    Some(directive.place.error(clause.span, message, help))
}

/// What a function's loops may use.
fn variables(unit: &SourceFile<'_>, function: &Function) -> BTreeSet<String> {
    let Some(body) = &function.body else { return BTreeSet::new() };
    let mut names: BTreeSet<String> =
        unit.used(body).into_iter().map(|(_, name, _)| name.to_string()).collect();
    crate::lower::walk::vars(body, &mut |var| _ = names.insert(var.name.to_string()));
    names.extend(function.params.iter().map(|var| var.name.to_string()));
    names
}

fn wrong_info(
    unit: &SourceFile<'_>,
    function: Option<&Function>,
    line: usize,
    directive: &CudaDirective,
    clause: &CudaClause,
) -> Option<Diagnostic> {
    let (function, argument) = (function?, clause.arguments.first()?);
    let message = match &*clause.name {
        "procname" if *argument != function.name => {
            format!("the directive stands in `{}`, not in `{argument}`", function.name)
        }
        "kernelid" => {
            let kernels = kernels(unit, function);
            let number = kernels.iter().position(|at| *at == line)?.to_string();
            if *argument == number {
                return None;
            }
            format!("the loop is kernel {number} of `{}`, not {argument}", function.name)
        }
        _ => return None,
    };
    Some(directive.place.error(clause.span, message, None))
}

/// Clauses that say the opposite of each other for one variable, or twice something.
fn contradiction(directives: &[CudaDirective]) -> Option<Diagnostic> {
    const OPPOSITES: [(&str, &str); 10] = [
        ("registerRO", "noregister"),
        ("registerRW", "noregister"),
        ("registerRO", "registerRW"),
        ("sharedRO", "noshared"),
        ("sharedRW", "noshared"),
        ("sharedRO", "sharedRW"),
        ("texture", "notexture"),
        ("constant", "noconstant"),
        ("c2gmemtr", "noc2gmemtr"),
        ("g2cmemtr", "nog2cmemtr"),
    ];
    let on_gpu = directives.iter().find(|d| d.verb == Verb::Gpurun);
    let on_cpu = directives.iter().find(|d| matches!(d.verb, Verb::Cpurun | Verb::Nogpurun));
    if let (Some(gpu), Some(_)) = (on_gpu, on_cpu) {
        let message = "`gpurun` and `cpurun` or `nogpurun` contradict each other".into();
        return Some(gpu.place.error(gpu.place.span, message, None));
    }
    let all = || directives.iter().flat_map(|d| d.clauses.iter().map(move |c| (d, c)));
    for (at, (_, first)) in all().enumerate() {
        for (directive, second) in all().skip(at + 1) {
            let (Some(one), Some(other)) = (first.row, second.row) else { continue };
            if one.name == other.name && one.takes() == Takes::Number {
                let message = format!("`{}` is given twice", one.name);
                return Some(directive.place.error(second.span, message, None));
            }
            let opposite = |a: &str, b: &str| OPPOSITES.contains(&(a, b)) || OPPOSITES.contains(&(b, a));
            let both = first.arguments.iter().find(|name| second.arguments.contains(name));
            if let Some(name) = both.filter(|_| opposite(one.name, other.name)) {
                let message =
                    format!("`{}` and `{}` of `{name}` contradict each other", one.name, other.name);
                return Some(directive.place.error(second.span, message, None));
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str) -> Result<CudaDirective, String> {
        parse(text, &Place { span: Span::NOWHERE, origin: Some("f:1".into()) }).map_err(|d| d.message)
    }

    #[test]
    fn clauses_are_separated_by_blanks_or_commas() {
        let directive = parsed("gpurun threadblocksize(64), noshared(a, b) noloopcollapse").ok().unwrap();
        let names: Vec<_> = directive.clauses.iter().map(|c| (&*c.name, c.arguments.len())).collect();
        assert_eq!(names, [("threadblocksize", 1), ("noshared", 2), ("noloopcollapse", 0)]);
    }

    #[test]
    fn what_is_wrong_is_said() {
        let error = |text: &str| parsed(text).err().unwrap();
        assert_eq!(error("gpurum"), "f:1: OpenMPC has no directive `gpurum`");
        assert_eq!(error("gpurun threadblocksiz(64)"), "f:1: OpenMPC has no clause `threadblocksiz`");
        assert_eq!(
            error("gpurun threadblocksize(2048)"),
            "f:1: `threadblocksize` takes a number from 1 to 1024"
        );
        assert_eq!(error("cpurun texture(a)"), "f:1: `texture` is a clause of `gpurun`");
        assert_eq!(error("gpurun texture"), "f:1: `texture` takes a list of variables");
        assert_eq!(
            error("ainfo kernel(1)"),
            "f:1: `ainfo` takes `procname(function)` and `kernelid(number)`"
        );
    }

    #[test]
    fn wishes_are_steps_of_the_loops_that_are_known() {
        let loops = ["i".to_owned(), "j".to_owned()];
        let wishes = Wishes { no_swap: true, ..Wishes::default() };
        assert_eq!(wishes.schedule(&loops).unwrap(), "grid(i:x, j:y)");
        let wishes = Wishes { no_collapse: true, shared: true, ..Wishes::default() };
        assert_eq!(wishes.schedule(&loops).unwrap(), "grid(i:x) shared_tile");
        assert_eq!(Wishes { plain: true, ..Wishes::default() }.schedule(&loops).unwrap(), "");
        assert_eq!(Wishes::default().schedule(&loops), None);
    }
}
