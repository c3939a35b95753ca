//! Host variables that are read behind a construct.
//!
//! Most host code is text to us ([`Stmt::Host`]); there a variable counts as read where its name appears. Without
//! the text every variable does.

use accl_analysis::walk;
use accl_ir::{Block, Body, Handle, Local, Region, Stmt, visit};
use accl_source::{Files, Span};
use std::collections::{BTreeMap, BTreeSet};

/// The reads of one function.
#[derive(Default)]
pub struct Reads {
    of_locals: BTreeMap<Handle<Local>, Vec<Span>>,
    texts: Vec<(Span, Option<BTreeSet<String>>)>,
    /// Host loops that contain constructs: what they read comes behind everything in them.
    loops: Vec<Span>,
}

impl Reads {
    /// Of a function's whole block.
    pub fn of(body: &Body, block: &Block, files: Option<&Files>) -> Reads {
        let mut reads = Reads::default();
        reads.block(body, block, files);
        reads
    }

    fn block(&mut self, body: &Body, block: &Block, files: Option<&Files>) {
        for node in block {
            match &node.kind {
                Stmt::Host => self.texts.push((node.span, files.map(|f| words(f.text(node.span))))),
                Stmt::For(_) | Stmt::While { .. } => self.loops.push(node.span),
                _ => {}
            }
            for (e, access) in node.kind.operands() {
                visit::walk_expr(body, e, access, &mut |e, access| {
                    if let accl_ir::ExprKind::Local(l) = body.exprs[e].kind
                        && (access.reads() || access == accl_ir::Access::Address)
                    {
                        self.of_locals.entry(l).or_default().push(node.span);
                    }
                });
            }
            walk::blocks(&node.kind).into_iter().for_each(|b| self.block(body, b, files));
        }
    }

    /// The local's value may be read after the construct.
    pub fn is_read_after(&self, body: &Body, region: &Region, local: Handle<Local>) -> bool {
        let name = accl_analysis::text::source_name(body, local);
        let read = self.of_locals.get(&local).into_iter().flatten();
        let named = self.texts.iter().filter(|(_, words)| words.as_ref().is_none_or(|w| w.contains(&name)));
        read.chain(named.map(|(span, _)| span)).any(|span| self.is_after(*span, region))
    }

    fn is_after(&self, span: Span, region: &Region) -> bool {
        let own = region.body_span;
        if span.start >= own.start && span.end <= own.end && !own.is_empty() {
            return false;
        }
        let around = |l: &&Span| l.start <= own.start && own.end <= l.end;
        let in_shared_loop = self.loops.iter().filter(around).any(|l| l.contains(span));
        in_shared_loop || span.start >= own.end
    }
}

fn words(text: &str) -> BTreeSet<String> {
    text.split(|c: char| !(c.is_alphanumeric() || c == '_')).map(str::to_owned).collect()
}
