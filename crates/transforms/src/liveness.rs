//! Host variables that are read after a construct.
//!
//! For code that is in the IR the answer is exact: a variable that is written before it is read does not count.
//! Most host code is plain text to the compiler ([`Stmt::Host`]). There, and in clauses, a variable counts as read
//! where its name appears. Without the text every variable counts as read.

mod text;

use accl_analysis::scalars::{self, Flow};
use accl_ir::{
    Async, Block, Body, DataItem, DataVar, Expr, ExprKind, Handle, HostExpr, Local, Region, RegionClauses,
    Standalone, Stmt, StmtNode, Wait, visit,
};
use accl_source::{Files, Span};
use std::collections::{BTreeMap, BTreeSet};
use text::{set_first, words};

/// The reads of one function.
#[derive(Default)]
pub struct Reads {
    block: Block,
    /// The words of each piece of host text; words after a `&` are listed a second time with it.
    texts: BTreeMap<(u32, u32), BTreeSet<String>>,
    /// The variable that a piece of host text sets before it does anything else.
    setters: BTreeMap<(u32, u32), String>,
    /// The variables that a piece of host text names in nothing but loops that set them first.
    own_loops: BTreeMap<(u32, u32), BTreeSet<String>>,
    /// Control may continue anywhere.
    jumps: bool,
}

impl Reads {
    /// The facts for a function's whole block.
    pub fn of(block: &Block, files: Option<&Files>) -> Reads {
        let mut reads = Reads { block: block.clone(), ..Reads::default() };
        visit::for_each_stmt(block, &mut |node| {
            if let (Stmt::Host, Some(files)) = (&node.kind, files) {
                let text = files.text(node.span);
                if let Some(name) = set_first(text) {
                    reads.setters.insert(key(node.span), name.to_owned());
                }
                reads.own_loops.insert(key(node.span), text::own_loop_variables(text));
                let words = words(text);
                reads.jumps |= words.contains("goto");
                reads.texts.insert(key(node.span), words);
            }
        });
        reads
    }

    /// The local's value may be read after the construct.
    pub fn is_read_after(&self, body: &Body, region: &Region, local: Handle<Local>) -> bool {
        let name = accl_analysis::text::source_name(body, local);
        let addressed = self.texts.values().any(|words| words.contains(&format!("&{name}")));
        let question = Question { reads: self, body, region, local, name };
        addressed || self.jumps || question.after(&self.block).is_none_or(|flow| flow.exposed.is_some())
    }
}

impl Reads {
    /// The variable may get onto the device through what the function does outside of the constructs around a
    /// place: a directive names it, or its address is passed on.
    pub fn may_be_entered(&self, body: &Body, local: Handle<Local>) -> bool {
        let name = format!("&{}", accl_analysis::text::source_name(body, local));
        let mut entered = self.texts.values().any(|words| words.contains(&name));
        visit::for_each_stmt(&self.block, &mut |node| match &node.kind {
            Stmt::Directive(d) => entered |= d.data.iter().any(|i| i.var == DataVar::Local(local)),
            Stmt::Call { args, .. } => {
                entered |= args.iter().any(|arg| is_address(body, *arg, local));
            }
            _ => {}
        });
        entered
    }
}

/// `&local`, perhaps cast to a pointer of another type.
fn is_address(body: &Body, e: Handle<Expr>, local: Handle<Local>) -> bool {
    match body.exprs[e].kind {
        ExprKind::Cast(inner) => is_address(body, inner, local),
        ExprKind::AddrOf(place) | ExprKind::Decay(place) => visit::root_local(body, place) == Some(local),
        _ => false,
    }
}

struct Question<'a> {
    reads: &'a Reads,
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
        if let Stmt::Region(r) = &node.kind
            && r.directive_span == self.region.directive_span
            && r.body_span == self.region.body_span
        {
            return Some(Flow::default());
        }
        let inside = node.kind.blocks().into_iter().find_map(|b| self.after(b))?;
        Some(match &node.kind {
            // The next iteration starts at the top of the body.
            Stmt::For(_) | Stmt::While { .. } => inside.then(self.flow(node)).perhaps(),
            _ => inside,
        })
    }

    fn flow(&self, node: &StmtNode) -> Flow {
        let written = Flow { written: true, maybe_written: true, exposed: None };
        match &node.kind {
            Stmt::Block(inner) => {
                return inner.iter().fold(Flow::default(), |flow, node| flow.then(self.flow(node)));
            }
            // The loop's header sets the variable, whatever the text of its body is.
            Stmt::For(l) if l.var == self.local && !self.is_read_by(l.lower) => return written,
            Stmt::Host if self.reads.setters.get(&key(node.span)) == Some(&self.name) => return written,
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
                let own = self.reads.own_loops.get(&key(node.span));
                let named = self.reads.texts.get(&key(node.span)).is_none_or(|w| w.contains(&self.name));
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
