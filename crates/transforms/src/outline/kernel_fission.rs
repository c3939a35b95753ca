//! How a kernels construct is divided into kernels.
//!
//! Each top-level loop nest that runs in parallel becomes a kernel, and what stands between such nests becomes a
//! serial one. A variable that is declared at the construct's own level is computed again in each kernel that uses
//! it. Where that could give another value, because what it reads is written in between, the whole construct
//! becomes one kernel of one gang.

use accl_analysis::data::Summary;
use accl_analysis::dependence::may_alias;
use accl_analysis::provenance::{Root, touched_places};
use accl_analysis::scalars;
use accl_ir::{Block, Body, Handle, Local, Loop, LoopLevels, Stmt, StmtNode, visit};
use std::collections::BTreeSet;

/// The kernels' statements, in order.
pub fn kernels_construct(summary: &Summary<'_>, block: &Block) -> Vec<Block> {
    if is_one_kernel(summary, block) {
        return vec![block.clone()];
    }
    let body = summary.provenance.scope.body;
    let flat = flatten(block);
    let mut prefix: Block = vec![];
    let mut pieces: Vec<(bool, Block)> = vec![];
    for node in flat {
        match &node.kind {
            Stmt::Declare { .. } => prefix.push(node.clone()),
            Stmt::For(l) if is_parallel(l.levels.as_ref()) => pieces.push((true, vec![node.clone()])),
            _ => match pieces.last_mut() {
                Some((false, serial)) => serial.push(node.clone()),
                _ => pieces.push((false, vec![node.clone()])),
            },
        }
    }
    if pieces.is_empty() {
        return vec![prefix];
    }
    pieces.into_iter().map(|(_, piece)| with_declarations(body, &prefix, piece)).collect()
}

/// The parallel loops of the construct that several gangs may share. Gangs cannot wait for each other, so beside the loops that
/// are kernels each these are loops under conditions, of which a gang comes to one at most and does nothing else.
pub fn loops_of_gangs<'a>(summary: &Summary<'_>, block: &'a Block) -> Vec<&'a Loop> {
    let kernels = flatten(block).chunk_by(|a, b| !is_independent(a) && !is_independent(b));
    let shared = kernels.filter_map(|kernel| {
        let mut steps = Steps { summary, loops: vec![], read: BTreeSet::new() };
        (steps.are_one_loop(kernel) && !steps.change_what_is_read()).then_some(steps.loops)
    });
    shared
        .flatten()
        .filter_map(|node| if let Stmt::For(l) = &node.kind { Some(&**l) } else { None })
        .collect()
}

/// A parallel loop of a `kernels` construct: by the programmer's word, or by proof.
pub fn is_independent(node: &StmtNode) -> bool {
    let Stmt::For(l) = &node.kind else { return false };
    l.directive.as_ref().is_some_and(|d| d.independent && !d.seq)
}

/// What a kernel of a `kernels` construct does.
struct Steps<'a, 's> {
    summary: &'s Summary<'s>,
    loops: Vec<&'a StmtNode>,
    /// What conditions and declarations read.
    read: BTreeSet<Root>,
}

impl<'a> Steps<'a, '_> {
    /// The code comes to one parallel loop at most, and changes nothing otherwise.
    fn are_one_loop(&mut self, block: &'a [StmtNode]) -> bool {
        let with_loops =
            block.iter().filter(|node| !visit::loop_variables(std::slice::from_ref(node)).is_empty());
        with_loops.count() <= 1 && block.iter().all(|node| self.is_loop_or_choice(node))
    }

    fn is_loop_or_choice(&mut self, node: &'a StmtNode) -> bool {
        match &node.kind {
            Stmt::For(_) if is_independent(node) => {
                self.loops.push(node);
                true
            }
            Stmt::Block(inner) => self.are_one_loop(inner),
            Stmt::If { .. } | Stmt::Declare { .. } => {
                self.read.extend(own_roots(self.summary, node, false));
                node.kind.blocks().into_iter().all(|inner| self.are_one_loop(inner))
            }
            _ => false,
        }
    }

    fn change_what_is_read(&self) -> bool {
        let written =
            self.loops.iter().flat_map(|node| roots(self.summary, std::slice::from_ref(node), true));
        written.into_iter().any(|w| self.read.iter().any(|r| *r == w || may_overlap(self.summary, r, &w)))
    }
}

/// Some variable of the construct's own level cannot be computed again in each kernel.
pub fn is_one_kernel(summary: &Summary<'_>, block: &Block) -> bool {
    let body = summary.provenance.scope.body;
    let flat = flatten(block);
    let written = scalars::written_locals(body, block);
    flat.iter().enumerate().any(|(i, node)| {
        let Stmt::Declare { local, init } = &node.kind else { return false };
        let Some(last) = last_use(body, flat, *local) else { return false };
        let rest = &flat[i + 1..=last.max(i)];
        let count = written.get(local).copied().unwrap_or(0);
        count > usize::from(init.is_some()) || rest.iter().any(|later| changes(summary, node, later))
    })
}

fn last_use(body: &Body, flat: &[StmtNode], local: Handle<Local>) -> Option<usize> {
    flat.iter().rposition(|n| !matches!(n.kind, Stmt::Declare { .. }) && mentions(body, n, local))
}

fn mentions(body: &Body, node: &StmtNode, local: Handle<Local>) -> bool {
    visit::names_local(body, std::slice::from_ref(node), local)
}

/// `later` may write something that the declaration reads.
fn changes(summary: &Summary<'_>, declaration: &StmtNode, later: &StmtNode) -> bool {
    let read = roots(summary, std::slice::from_ref(declaration), false);
    let written = roots(summary, std::slice::from_ref(later), true);
    read.iter().any(|r| written.iter().any(|w| r == w || may_overlap(summary, r, w)))
}

fn may_overlap(summary: &Summary<'_>, a: &Root, b: &Root) -> bool {
    let memory = |r: &Root| match r {
        Root::Local(l) => {
            let scope = summary.provenance.scope;
            let scalar = scope.module.types.is_scalar(scope.body.locals[*l].ty);
            let pointer = scope.module.types.element(scope.body.locals[*l].ty).is_some();
            !scalar || pointer
        }
        Root::Global(_) | Root::Member(_) | Root::Unknown => true,
    };
    memory(a) && memory(b) && may_alias(summary, a, b)
}

fn roots(summary: &Summary<'_>, nodes: &[StmtNode], written: bool) -> BTreeSet<Root> {
    let mut found = BTreeSet::new();
    visit::for_each_stmt(nodes, &mut |node| found.extend(own_roots(summary, node, written)));
    found
}

/// Those of the statement without the statements in it.
fn own_roots(summary: &Summary<'_>, node: &StmtNode, written: bool) -> BTreeSet<Root> {
    let body = summary.provenance.scope.body;
    let mut found = BTreeSet::new();
    for used in node.kind.operands() {
        let places = touched_places(body, used).into_iter().filter(|(_, r, w)| if written { *w } else { *r });
        places.for_each(|(place, ..)| found.extend(summary.provenance.place_roots(place)));
    }
    if let (Stmt::Call { .. }, true) = (&node.kind, written) {
        found.insert(Root::Unknown);
    }
    found
}

fn is_parallel(levels: Option<&LoopLevels>) -> bool {
    levels.is_some_and(|s| !s.is_seq())
}

/// The statements without the braces around the whole.
pub fn flatten(block: &Block) -> &Block {
    match block.as_slice() {
        [StmtNode { kind: Stmt::Block(inner), .. }] => flatten(inner),
        _ => block,
    }
}

/// The same, to be changed.
pub fn flatten_mut(block: &mut Block) -> &mut Block {
    if !matches!(block.as_slice(), [StmtNode { kind: Stmt::Block(_), .. }]) {
        return block;
    }
    let Stmt::Block(inner) = &mut block[0].kind else { unreachable!("it was one just now") };
    flatten_mut(inner)
}

/// The piece, preceded by those declarations that it needs.
fn with_declarations(body: &Body, prefix: &Block, piece: Block) -> Block {
    let mut needed = BTreeSet::new();
    visit::for_each_local(body, &piece, &mut |l, _| {
        needed.insert(l);
    });
    let mut kept: Block = vec![];
    for node in prefix.iter().rev() {
        if let Stmt::Declare { local, .. } = node.kind
            && needed.contains(&local)
        {
            needed.extend(visit::read_locals(body, std::slice::from_ref(node)));
            kept.push(node.clone());
        }
    }
    kept.reverse();
    kept.extend(piece);
    kept
}
