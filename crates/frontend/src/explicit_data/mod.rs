//! Data clauses and data constructs for a program that has none: what `accl translate --to openmp` and `--to openacc` write.
//!
//! The transforms tell what each construct needs ([`ConstructData`]); each construct gets clauses that say so, which alone make a right
//! program. Around statements of which it is proven that the host uses an array in none of them, outside of constructs, a
//! data directive keeps the array on the device (`placement`). What is proven is what `host_use` finds nothing against:
//! an access that may concern the array, a call of a function that nobody knows, a way out of the statements. Where
//! something is in the way of a construct in a loop, a comment says what and where.
//!
//! Pointers of one construct are taken to lead to different objects, or all to the same elements: OpenMP and OpenACC ask for
//! that themselves.

mod bounds;
mod distinct;
mod extent;
mod host_use;
mod placement;
mod words;

use crate::ast::{DeclId, Program, Stmt};
use crate::lower::walk;
use crate::openmpc::{Pointers, SourceFile, TextEdit};
use accl_source::{LineMap, Span};
pub use bounds::readable as readable_section;
use std::collections::{BTreeMap, HashMap, HashSet};
pub use words::DataWords;

/// A compute construct, and what it needs on the device that no clause of the user's brings there.
#[derive(Clone, Debug)]
pub struct ConstructData {
    /// The directive's line, from `#` to its end.
    pub directive: Span,
    /// The statement that it governs.
    pub body: Span,
    /// The host may run it, where a condition says so.
    pub is_conditional: bool,
    pub maps: Vec<Map>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Map {
    /// A variable.
    pub name: String,
    /// The first element and how many; `None`: the whole variable.
    pub section: Option<(String, String)>,
    pub read: bool,
    pub written: bool,
    /// Nothing tells the section of a pointer.
    pub is_unknown: bool,
    pub span: Span,
}

/// A construct uses an array, and nothing tells how much of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownSection {
    pub name: String,
    pub construct: Span,
    pub span: Span,
}

/// The program with its constructs.
struct Constructs<'a> {
    unit: &'a SourceFile<'a>,
    lines: &'a LineMap,
    list: &'a [ConstructData],
    /// By where their bodies begin and end.
    bodies: HashMap<(u32, u32), usize>,
    /// The variables of each construct's maps.
    variables: Vec<Vec<DeclId>>,
    /// Variables whose addresses are taken.
    addressed: HashSet<DeclId>,
}

impl<'a> Constructs<'a> {
    fn new(unit: &'a SourceFile<'a>, lines: &'a LineMap, list: &'a [ConstructData]) -> Constructs<'a> {
        let bodies: HashMap<_, _> =
            list.iter().enumerate().map(|(at, c)| ((c.body.start, c.body.end), at)).collect();
        let bodies_of_functions = unit.program.functions.iter().filter_map(|f| f.body.as_ref());
        let addressed = bodies_of_functions.flat_map(walk::addressed).collect();
        let variables = vec![vec![]; list.len()];
        let mut this = Constructs { unit, lines, list, bodies, variables, addressed };
        for function in unit.program.functions.iter().filter(|f| f.instance.is_none()) {
            let Some(body) = &function.body else { continue };
            each_statement(body, &mut |s| {
                if let Some(at) = this.construct(s) {
                    this.variables[at] =
                        list[at].maps.iter().map(|map| variable(unit, s, &map.name)).collect();
                }
            });
        }
        this
    }

    fn construct(&self, s: &Stmt) -> Option<usize> {
        self.bodies.get(&(s.span.start, s.span.end)).copied()
    }

    /// A pointer may lead to the variable.
    fn is_addressed(&self, id: DeclId) -> bool {
        let is_known_elsewhere = self.unit.var(id).is_none_or(|var| var.link_name.is_some());
        self.addressed.contains(&id) || !self.unit.is_whole_program && is_known_elsewhere
    }

    fn line(&self, span: Span) -> u32 {
        self.lines.locate(span.start).line
    }

    fn name(&self, id: DeclId) -> &str {
        self.unit.var(id).map_or("", |var| &var.name)
    }
}

/// The variable that a construct names, or that functions name which it calls. Nothing has the number 0.
fn variable(unit: &SourceFile<'_>, body: &Stmt, name: &str) -> DeclId {
    let mut found = None;
    unit.each_reached(body, &mut |s| {
        found =
            found.or_else(|| unit.used(s).into_iter().find(|(_, used, _)| used == name).map(|(id, ..)| id));
    });
    found.unwrap_or_default()
}

fn each_statement<'s>(s: &'s Stmt, visit: &mut dyn FnMut(&'s Stmt)) {
    visit(s);
    walk::children(s).into_iter().for_each(|s| each_statement(s, visit));
}

/// The changes that write all data directives and clauses into the buffer.
pub fn explicit_data(
    buffer: &str,
    lines: &LineMap,
    program: &Program,
    constructs: &[ConstructData],
    words: DataWords,
    is_whole_program: bool,
) -> Result<Vec<TextEdit>, UnknownSection> {
    let mut unit = SourceFile::new(buffer, program, &[], &[], Pointers::Named);
    unit.is_whole_program = is_whole_program;
    let mut list = constructs.to_vec();
    let whole = whole_objects(&Constructs::new(&unit, lines, constructs))?;
    for (construct, map, section) in whole {
        let map = &mut list[construct].maps[map];
        (map.section, map.read) = (section, true);
    }
    let constructs = Constructs::new(&unit, lines, &list);
    let mut edits = vec![];
    let mut clauses = constructs.list.to_vec();
    let mut copied: BTreeMap<usize, Vec<String>> = BTreeMap::new();
    for function in program.functions.iter().filter(|f| f.instance.is_none()) {
        let Some(body) = &function.body else { continue };
        let placed = placement::place(&constructs, function, body);
        for region in &placed.regions {
            edits.extend(region.edits(buffer, words));
            clauses.iter_mut().filter(|c| region.holds(c.body)).for_each(|c| region.name_in(&mut c.maps));
        }
        for (construct, why) in placed.copied {
            copied.entry(construct).or_default().push(why);
        }
    }
    for (at, construct) in clauses.iter().enumerate() {
        let clauses = words.of_construct(&construct.maps);
        if !clauses.is_empty() {
            edits.push(TextEdit::insert(construct.directive.end, clauses));
        }
        if let Some(why) = copied.get(&at) {
            let text = format!("/* Copied at each launch: {}. */\n", why.join("; "));
            edits.push(TextEdit::insert(construct.directive.start, text));
        }
    }
    edits.extend(called_functions(&unit, &constructs, words));
    Ok(edits)
}

/// The sections that only the objects tell: the construct, the number of its map, the section.
fn whole_objects(
    constructs: &Constructs<'_>,
) -> Result<Vec<(usize, usize, extent::SectionText)>, UnknownSection> {
    let mut found = vec![];
    for function in constructs.unit.program.functions.iter().filter(|f| f.instance.is_none()) {
        let Some(body) = &function.body else { continue };
        let mut here = vec![];
        each_statement(body, &mut |s| here.extend(constructs.construct(s)));
        for at in here {
            let construct = &constructs.list[at];
            for (number, map) in construct.maps.iter().enumerate().filter(|(_, map)| map.is_unknown) {
                let visible = extent::visible(constructs.unit, function, construct.body.start);
                let section = extent::whole(constructs, constructs.variables[at][number], &visible);
                let (name, span) = (map.name.clone(), map.span);
                let unknown = || UnknownSection { name, construct: construct.directive, span };
                found.push((at, number, section.ok_or_else(unknown)?));
            }
        }
    }
    Ok(found)
}

/// Functions that constructs call are declared for devices.
fn called_functions(unit: &SourceFile<'_>, constructs: &Constructs<'_>, words: DataWords) -> Vec<TextEdit> {
    let mut called = std::collections::BTreeSet::new();
    for function in unit.program.functions.iter().filter(|f| f.instance.is_none()) {
        let Some(body) = &function.body else { continue };
        each_statement(body, &mut |s| {
            if constructs.construct(s).is_some() {
                called.extend(crate::openmpc::called_functions(unit, s));
            }
        });
    }
    let defined = called.into_iter().filter_map(|id| unit.function(id)).filter(|f| f.body.is_some());
    let (mut edits, mut seen) = (vec![], std::collections::BTreeSet::new());
    for function in defined.filter(|f| f.instance.is_none()) {
        let declared = unit.buffer[..function.definition.start as usize].trim_end();
        let is_declared = declared.ends_with("declare target") || declared.ends_with("routine seq");
        if !is_declared && seen.insert(function.definition.start) {
            edits.extend(words.of_function(function.definition));
        }
    }
    edits
}
