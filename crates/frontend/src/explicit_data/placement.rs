//! Where an array can stay on the device: the longest runs of statements in which the host does not use it.

use super::extent::{self, SectionText};
use super::host_use::{HostUse, Obstacle, Use};
use super::{Constructs, DataWords, Map};
use crate::ast::{DeclId, Function, Stmt, StmtKind};
use crate::lower::walk;
use crate::openmpc::TextEdit;
use accl_source::Span;
use std::collections::{BTreeMap, BTreeSet};

/// Where a statement begins and ends.
type Place = (u32, u32);

/// Statements with the data that stay on the device throughout.
pub struct DataRegion {
    first: Place,
    last: Place,
    maps: Vec<Map>,
    /// One statement, which no declaration is.
    is_one: bool,
}

#[derive(Default)]
pub struct Placed {
    pub regions: Vec<DataRegion>,
    /// Constructs in loops that copy an array each time, with what is in the way.
    pub copied: Vec<(usize, String)>,
}

pub fn place(constructs: &Constructs<'_>, function: &Function, body: &Stmt) -> Placed {
    let mut arrays = BTreeSet::new();
    collect(constructs, body, &mut arrays);
    let mut placed = Placed::default();
    let mut found: BTreeMap<(Place, Place), (bool, Vec<Map>)> = BTreeMap::new();
    for array in arrays {
        let uses = HostUse::uses(constructs, array, body);
        let is_written = uses.iter().any(|u| u.map.written);
        let mut search = Search { constructs, function, array, is_written, found: vec![], obstacles: vec![] };
        search.list(body);
        for (statements, map) in search.found {
            let [first, .., last] = &statements[..] else {
                let one = statements[0];
                found.entry((one, one)).or_insert((true, vec![])).1.push(map);
                continue;
            };
            found.entry((*first, *last)).or_insert((false, vec![])).1.push(map);
        }
        placed.copied.extend(search.obstacles);
    }
    let region = |((first, last), (is_one, maps))| DataRegion { first, last, maps, is_one };
    placed.regions = found.into_iter().map(region).collect();
    // Nothing may come between a construct and its statement.
    placed.regions.sort_by_key(|region| region.is_one);
    placed
}

/// Arrays of constructs here, and arrays that functions with constructs are given.
fn collect(constructs: &Constructs<'_>, s: &Stmt, found: &mut BTreeSet<DeclId>) {
    if let Some(at) = constructs.construct(s) {
        found.extend(constructs.variables[at].iter().filter(|id| **id != DeclId::default()));
        return;
    }
    for e in walk::own_exprs(s) {
        walk::within(e, &mut |e| {
            let crate::ast::ExprKind::Call { args, callee } = &e.kind else { return };
            found.extend(args.iter().filter_map(super::distinct::plain_variable).filter(|id| {
                let ty = constructs.unit.var(*id).map(|var| &*var.ty.ty);
                matches!(ty, Some(crate::ast::Ty::Pointer { .. } | crate::ast::Ty::Array { .. }))
            }));
            let called = walk::callee(callee).and_then(|id| constructs.unit.function(id));
            if let Some(body) = called.and_then(|f| f.body.as_ref()) {
                globals(constructs, body, found);
            }
        });
    }
    walk::children(s).into_iter().for_each(|s| collect(constructs, s, found));
}

/// Variables of the file that constructs in called functions use.
fn globals(constructs: &Constructs<'_>, body: &Stmt, found: &mut BTreeSet<DeclId>) {
    constructs.unit.each_reached(body, &mut |s| {
        super::each_statement(s, &mut |s| {
            if let Some(at) = constructs.construct(s) {
                let globals = &constructs.unit.program.globals;
                let is_global = |id: &&DeclId| globals.iter().any(|var| var.id == **id);
                found.extend(constructs.variables[at].iter().filter(is_global));
            }
        });
    });
}

struct Search<'a, 'c> {
    constructs: &'c Constructs<'a>,
    function: &'c Function,
    array: DeclId,
    is_written: bool,
    /// The places of statements, in order.
    found: Vec<(Vec<Place>, Map)>,
    obstacles: Vec<(usize, String)>,
}

impl Search<'_, '_> {
    /// Looks through the statements of a block, and into those in which something is in the way.
    fn list(&mut self, s: &Stmt) {
        let items: Vec<&Stmt> = match &s.kind {
            StmtKind::Compound(items) => items.iter().collect(),
            _ => walk::children(s),
        };
        let is_block = matches!(s.kind, StmtKind::Compound(_));
        let mut run: Vec<(&Stmt, Vec<Use>)> = vec![];
        for item in items {
            match self.clean(item).filter(|_| is_block) {
                Some(uses) => run.push((item, uses)),
                None => {
                    self.settle(std::mem::take(&mut run));
                    if self.constructs.construct(item).is_none() {
                        self.list(item);
                    }
                }
            }
        }
        self.settle(run);
    }

    /// The constructs in a statement that leaves the array to them.
    fn clean(&mut self, s: &Stmt) -> Option<Vec<Use>> {
        let mut host = HostUse::new(self.constructs, self.array);
        host.is_written = self.is_written;
        let result = host.statement(s).and_then(|()| match leaves(s, false) {
            Some(span) => Err(Obstacle { span, why: "it is left there".into() }),
            None => Ok(()),
        });
        let result = result.and_then(|()| {
            match walk::may_change(s, self.array) && self.constructs.unit.is_pointer(self.array) {
                true => Err(Obstacle { span: s.span, why: "the pointer is changed".into() }),
                false => Ok(()),
            }
        });
        let uses = host.uses;
        match result {
            Ok(()) => Some(uses),
            Err(obstacle) => {
                self.told(s, &obstacle);
                None
            }
        }
    }

    fn told(&mut self, s: &Stmt, obstacle: &Obstacle) {
        for u in HostUse::uses(self.constructs, self.array, s).into_iter().filter(|u| u.in_loop && !u.in_call)
        {
            let line = self.constructs.line(obstacle.span);
            let text = format!("`{}`, {} (line {line})", u.map.name, obstacle.why);
            let text = text.replace('`', "");
            if !self.obstacles.iter().any(|(at, _)| *at == u.construct) {
                self.obstacles.push((u.construct, text));
            }
        }
    }

    fn settle(&mut self, run: Vec<(&Stmt, Vec<Use>)>) {
        let used = |(_, uses): &(&Stmt, Vec<Use>)| !uses.is_empty();
        let (Some(first), Some(last)) = (run.iter().position(used), run.iter().rposition(used)) else {
            return;
        };
        let run = &run[first..=last];
        let uses: Vec<&Use> = run.iter().flat_map(|(_, uses)| uses).collect();
        let is_worth_it = uses.len() > 1 || uses.iter().any(|u| u.in_loop);
        if !is_worth_it {
            return;
        }
        match self.section(run, &uses) {
            Some(section) => {
                let name = self.constructs.name(self.array).to_owned();
                // What constructs only write would be lost where they leave something out.
                let written = uses.iter().any(|u| u.map.written);
                let (read, is_unknown, span) = (true, false, uses[0].map.span);
                let map = Map { name, section, read, written, is_unknown, span };
                let places = run.iter().map(|(s, _)| (s.span.start, s.span.end)).collect();
                self.found.push((places, map));
            }
            None => {
                for (s, _) in run {
                    if self.constructs.construct(s).is_none() {
                        self.list(s);
                    }
                }
            }
        }
    }

    /// One section for all constructs, whose values are known before the first.
    fn section(&self, run: &[(&Stmt, Vec<Use>)], uses: &[&Use]) -> Option<SectionText> {
        let first = run[0].0;
        let visible = extent::visible(self.constructs.unit, self.function, first.span.start);
        if !visible.contains(&self.array) {
            return None;
        }
        let whole = extent::whole(self.constructs, self.array, &visible);
        if uses.iter().any(|u| u.in_call) {
            return whole;
        }
        let body = self.function.body.as_ref()?;
        let sections: Vec<&SectionText> = uses.iter().map(|u| &u.map.section).collect();
        let is_fixed = |section: &&SectionText| {
            extent::names_in(self.constructs, section, body).into_iter().all(|id| {
                let changed = run.iter().any(|(s, _)| walk::may_change(s, id) || extent::declares(s, id));
                visible.contains(&id) && !changed
            })
        };
        let same = sections.iter().all(|section| *section == sections[0]);
        let hull = || extent::hull(&sections).filter(|_| sections.iter().all(is_fixed));
        if same { hull().or(whole) } else { whole.or_else(hull) }
    }
}

/// Where a `break` or `continue` leads out of the statement.
fn leaves(s: &Stmt, in_switch: bool) -> Option<Span> {
    match &s.kind {
        StmtKind::Break => (!in_switch).then_some(s.span),
        StmtKind::Continue => Some(s.span),
        StmtKind::For { .. }
        | StmtKind::RangeFor { .. }
        | StmtKind::While { .. }
        | StmtKind::DoWhile { .. } => None,
        StmtKind::Switch { body, .. } => leaves(body, true),
        _ => walk::children(s).into_iter().find_map(|s| leaves(s, in_switch)),
    }
}

impl DataRegion {
    pub fn holds(&self, construct: Span) -> bool {
        self.first.0 <= construct.start && construct.end <= self.last.1
    }

    /// Clauses of constructs inside name what is on the device as the region does.
    pub fn name_in(&self, maps: &mut [Map]) {
        for map in maps {
            if let Some(kept) = self.maps.iter().find(|kept| kept.name == map.name) {
                map.section.clone_from(&kept.section);
            }
        }
    }

    pub fn edits(&self, buffer: &str, words: DataWords) -> Vec<TextEdit> {
        let start = before_directives(buffer, self.first.0);
        if self.is_one {
            return vec![TextEdit::insert(start, words.around(&self.maps) + "\n")];
        }
        let (enter, exit) = words.enter_and_exit(&self.maps);
        vec![
            TextEdit::insert(start, enter + "\n"),
            TextEdit::insert(self.last.1, format!("\n{}{exit}", indentation(buffer, start))),
        ]
    }
}

fn indentation(buffer: &str, at: u32) -> &str {
    let line = buffer[..at as usize].rfind('\n').map_or(0, |at| at + 1);
    let line = &buffer[line..];
    &line[..line.len() - line.trim_start_matches([' ', '\t']).len()]
}

/// The beginning of the directives before a statement.
fn before_directives(buffer: &str, statement: u32) -> u32 {
    let mut found = statement as usize;
    let mut at = buffer[..found].rfind('\n').map_or(0, |at| at + 1);
    // Something else begins the line.
    if !buffer[at..found].trim().is_empty() {
        return statement;
    }
    while at > 0 {
        let line = buffer[..at - 1].rfind('\n').map_or(0, |at| at + 1);
        let text = buffer[line..at - 1].trim_start();
        if text.starts_with("#pragma") {
            found = at - 1 - text.len();
        } else if !(text.starts_with('#') || text.trim().is_empty()) {
            break;
        }
        at = line;
    }
    found as u32
}
