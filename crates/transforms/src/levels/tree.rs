//! The loops of a block as a tree.

use accl_ir::{Block, Loop, Stmt, visit};
use accl_source::Span;

pub struct LoopNode<'a> {
    /// The number in the order of loop headers; side tables are indexed by it.
    pub index: usize,
    pub l: &'a Loop,
    pub span: Span,
    pub children: Vec<LoopNode<'a>>,
}

impl<'a> LoopNode<'a> {
    /// The loop that makes up the whole body of this one.
    pub fn tight_child(&self) -> Option<&LoopNode<'a>> {
        let inner = visit::only_loop(&self.l.body)?;
        self.children.iter().find(|c| std::ptr::eq(c.l, inner))
    }

    /// Any loop below satisfies `f`.
    pub fn any_below(&self, f: &dyn Fn(&LoopNode<'a>) -> bool) -> bool {
        self.children.iter().any(|c| f(c) || c.any_below(f))
    }

    /// The user wrote a directive here.
    pub fn has_own_directive(&self) -> bool {
        self.l.directive.as_ref().is_some_and(|d| !d.found)
    }

    pub fn collapse(&self) -> usize {
        self.l.directive.as_ref().map_or(1, |d| (d.collapse.max(1) as usize).max(d.tile.len()))
    }
}

/// The outermost loops of a block.
pub fn of_block(block: &Block) -> Vec<LoopNode<'_>> {
    collect(block, &mut 0)
}

fn collect<'a>(block: &'a Block, next: &mut usize) -> Vec<LoopNode<'a>> {
    let mut found = vec![];
    for node in block {
        if let Stmt::For(l) = &node.kind {
            let index = *next;
            *next += 1;
            let children = collect(&l.body, next);
            found.push(LoopNode { index, l, span: node.span, children });
        } else {
            for inner in node.kind.blocks() {
                found.extend(collect(inner, next));
            }
        }
    }
    found
}
