//! Host variables that are read after a construct.
//!
//! For code that is in the IR the answer is exact: a variable that is written before it is read does not count.
//! Most host code is plain text to the compiler ([`Stmt::Host`]). There, and in clauses, a variable counts as read
//! where its name appears. Without the text every variable counts as read.

mod text;

use accl_analysis::scalars::{self, Effect, Flow};
use accl_ir::{
    Async, Block, Body, DataItem, DataVar, Expr, ExprKind, Handle, HostExpr, Local, Region, RegionClauses,
    Standalone, Stmt, StmtNode, Wait, visit,
};
use accl_source::{Files, Span};
use std::collections::{BTreeMap, BTreeSet};
use text::{set_first, words};

/// What one function's host code needs to know of its variables.
pub struct Liveness {
    /// For each construct, in the order of the text: the variables of its surroundings that it may change and that
    /// may be read after it.
    after: Vec<BTreeSet<Handle<Local>>>,
    /// The variables that a directive names or whose address is passed on.
    entered: BTreeSet<Handle<Local>>,
    /// The names of variables whose address host text takes.
    addressed: BTreeSet<String>,
}

impl Liveness {
    /// The facts of a function with this block. The files have the text of host statements.
    pub fn of(body: &Body, block: &Block, files: Option<&Files>) -> Liveness {
        let text = HostText::of(block, files);
        let mut constructs = vec![];
        constructs_of(block, &mut constructs);
        let after = constructs.into_iter().map(|region| read_after(body, block, region, &text)).collect();
        Liveness { after, entered: entered(body, block), addressed: text.addressed }
    }

    /// The value that the construct with this number, from 1 on, leaves in the local may be read after it.
    pub fn is_read_after(&self, construct: usize, local: Handle<Local>) -> bool {
        self.after[construct - 1].contains(&local)
    }

    /// The variable may get onto the device through what the function does outside of the constructs around a
    /// place: a directive names it, or its address is passed on.
    pub fn may_be_entered(&self, body: &Body, local: Handle<Local>) -> bool {
        self.entered.contains(&local)
            || self.addressed.contains(&accl_analysis::text::source_name(body, local))
    }
}

/// The constructs in the order in which they are numbered ([`crate::regions::Site`]); a compute construct
/// has no others in it.
fn constructs_of<'b>(block: &'b [StmtNode], found: &mut Vec<&'b Region>) {
    for node in block {
        if let Stmt::Region(region) = &node.kind {
            found.push(region);
            if region.kind.is_compute() {
                continue;
            }
        }
        node.kind.blocks().into_iter().for_each(|inner| constructs_of(inner, found));
    }
}

fn read_after(body: &Body, block: &Block, region: &Region, text: &HostText) -> BTreeSet<Handle<Local>> {
    let declared = visit::declared_locals(&region.body);
    let changed = scalars::written_locals(body, &region.body).into_keys().filter(|l| !declared.contains(l));
    let is_read = |local: &Handle<Local>| {
        let name = accl_analysis::text::source_name(body, *local);
        let known = text.jumps || text.addressed.contains(&name);
        let question = Question { text, body, region, local: *local, name };
        known || question.after(block).is_none_or(|flow| flow.exposed.is_some())
    };
    changed.filter(is_read).collect()
}

fn entered(body: &Body, block: &Block) -> BTreeSet<Handle<Local>> {
    let mut found = BTreeSet::new();
    visit::for_each_stmt(block, &mut |node| match &node.kind {
        Stmt::Directive(d) => {
            found.extend(d.data.iter().filter_map(|item| match item.var {
                DataVar::Local(local) => Some(local),
                _ => None,
            }));
        }
        Stmt::Call { args, .. } => found.extend(args.iter().filter_map(|arg| addressed(body, *arg))),
        _ => {}
    });
    found
}

/// What the text of a function's host statements says.
#[derive(Default)]
struct HostText {
    /// The words of each piece of text.
    words: BTreeMap<(u32, u32), BTreeSet<String>>,
    /// The variables whose address is taken.
    addressed: BTreeSet<String>,
    /// The variable that a piece of text sets before it does anything else.
    setters: BTreeMap<(u32, u32), String>,
    /// The variables that a piece of text names in nothing but loops that set them first.
    own_loops: BTreeMap<(u32, u32), BTreeSet<String>>,
    /// Control may continue anywhere.
    jumps: bool,
}

impl HostText {
    fn of(block: &Block, files: Option<&Files>) -> HostText {
        let mut facts = HostText::default();
        visit::for_each_stmt(block, &mut |node| {
            if let (Stmt::Host, Some(files)) = (&node.kind, files) {
                facts.add(node.span, files.text(node.span));
            }
        });
        facts
    }

    fn add(&mut self, span: Span, text: &str) {
        if let Some(name) = set_first(text) {
            self.setters.insert(key(span), name.to_owned());
        }
        self.own_loops.insert(key(span), text::own_loop_variables(text));
        let words = words(text);
        self.jumps |= words.contains("goto");
        self.addressed.extend(words.iter().filter_map(|word| word.strip_prefix('&')).map(str::to_owned));
        self.words.insert(key(span), words);
    }
}

/// The `local` of `&local`, perhaps cast to a pointer of another type.
fn addressed(body: &Body, e: Handle<Expr>) -> Option<Handle<Local>> {
    match body.exprs[e].kind {
        ExprKind::Cast(inner) => addressed(body, inner),
        ExprKind::AddrOf(place) | ExprKind::Decay(place) => visit::root_local(body, place),
        _ => None,
    }
}

struct Question<'a> {
    text: &'a HostText,
    body: &'a Body,
    region: &'a Region,
    local: Handle<Local>,
    name: String,
}

impl Question<'_> {
    /// What happens after the construct, if the construct is in the block.
    fn after(&self, block: &[StmtNode]) -> Option<Flow> {
        block.iter().enumerate().find_map(|(i, node)| {
            let inside = self.after_in(node)?;
            Some(block[i + 1..].iter().fold(inside, |flow, node| flow.then(self.flow(node))))
        })
    }

    fn after_in(&self, node: &StmtNode) -> Option<Flow> {
        if matches!(&node.kind, Stmt::Region(this) if std::ptr::eq(&**this, self.region)) {
            return Some(Flow::default());
        }
        let inside = node.kind.blocks().into_iter().find_map(|b| self.after(b))?;
        Some(scalars::repeated(
            node,
            inside,
            |step| step.iter().fold(Flow::default(), |flow, node| flow.then(self.flow(node))),
            || scalars::own_flow(self.body, node, self.local),
            || self.flow(node),
        ))
    }

    fn flow(&self, node: &StmtNode) -> Flow {
        let written = Flow { written: true, maybe_written: true, exposed: None };
        match &node.kind {
            Stmt::Block(inner) => {
                return inner.iter().fold(Flow::default(), |flow, node| flow.then(self.flow(node)));
            }
            // The loop's header sets the variable, whatever the text of its body is.
            Stmt::For(l) if l.var == self.local && !self.is_read_by(l.lower) => return written,
            Stmt::Host if self.text.setters.get(&key(node.span)) == Some(&self.name) => return written,
            _ => {}
        }
        let mut by_text = false;
        visit::for_each_stmt(std::slice::from_ref(node), &mut |node| by_text |= self.text_names_it(node));
        if by_text {
            return Flow { exposed: Some(node.span), written: false, maybe_written: true };
        }
        scalars::flow(self.body, std::slice::from_ref(node), self.local)
    }

    fn is_read_by(&self, e: Handle<Expr>) -> bool {
        let mut found = false;
        visit::for_each_operand(&self.body.exprs, e, &mut |e| {
            found |= self.body.exprs[e].kind == ExprKind::Local(self.local)
        });
        found
    }

    fn text_names_it(&self, node: &StmtNode) -> bool {
        match &node.kind {
            Stmt::Host => {
                let own = self.text.own_loops.get(&key(node.span));
                let named = self.text.words.get(&key(node.span)).is_none_or(|w| w.contains(&self.name));
                named && own.is_none_or(|own| !own.contains(&self.name))
            }
            Stmt::Region(r) => self.in_clauses(&r.clauses),
            Stmt::Directive(d) => self.in_directive(d),
            Stmt::For(l) => l.directive.iter().any(|d| {
                let levels = [&d.gang, &d.worker, &d.vector].into_iter().flatten().flatten();
                levels.chain(&d.tile).any(|e| self.is_in(e))
            }),
            _ => false,
        }
    }

    fn in_clauses(&self, c: &RegionClauses) -> bool {
        let sizes = [&c.if_, &c.num_gangs, &c.num_workers, &c.vector_length].into_iter().flatten();
        sizes.chain(c.self_.iter().flatten()).any(|e| self.is_in(e))
            || self.in_queues(&c.async_, &c.waits)
            || c.data.iter().any(|item| self.in_item(item))
    }

    fn in_directive(&self, d: &Standalone) -> bool {
        d.if_.iter().any(|e| self.is_in(e))
            || self.in_queues(&d.async_, &d.waits)
            || d.data.iter().any(|item| self.in_item(item))
    }

    fn in_queues(&self, async_: &Option<Async>, waits: &[Wait]) -> bool {
        let own = async_.iter().flat_map(|a| &a.queue);
        own.chain(waits.iter().flat_map(|w| w.devnum.iter().chain(&w.queues))).any(|e| self.is_in(e))
    }

    fn in_item(&self, item: &DataItem) -> bool {
        let ends = item.section.iter().flat_map(|dim| [&dim.lower, &dim.length]).flatten();
        item.var == DataVar::Local(self.local) || ends.into_iter().any(|e| self.is_in(e))
    }

    fn is_in(&self, e: &HostExpr) -> bool {
        words(&e.text).contains(&self.name)
    }
}

fn key(span: Span) -> (u32, u32) {
    (span.start, span.end)
}
