//! Where a kernels construct is cut into kernels.

use accl_analysis::scalars;
use accl_ir::{Block, Body, Handle, Local, Schedule, Stmt, StmtNode};
use std::collections::BTreeSet;

/// The kernels' statements, in order. Declarations at the construct's own level go into every piece that uses
/// the variable: they compute values from values.
pub fn kernels_construct(body: &Body, block: &Block) -> Vec<Block> {
    let flat = flatten(block);
    let mut prefix: Block = vec![];
    let mut pieces: Vec<(bool, Block)> = vec![];
    for node in flat {
        match &node.kind {
            Stmt::Declare { local, .. } if written_once(body, block, *local) => prefix.push(node),
            Stmt::For(l) if is_parallel(l.schedule.as_ref()) => pieces.push((true, vec![node])),
            _ => match pieces.last_mut() {
                Some((false, serial)) => serial.push(node),
                _ => pieces.push((false, vec![node])),
            },
        }
    }
    if pieces.is_empty() {
        return vec![prefix];
    }
    pieces.into_iter().map(|(_, piece)| with_declarations(body, &prefix, piece)).collect()
}

fn is_parallel(schedule: Option<&Schedule>) -> bool {
    schedule.is_some_and(|s| !s.is_seq())
}

fn flatten(block: &Block) -> Block {
    match block.as_slice() {
        [StmtNode { kind: Stmt::Block(inner), .. }] => flatten(inner),
        _ => block.clone(),
    }
}

fn written_once(body: &Body, block: &Block, local: Handle<Local>) -> bool {
    scalars::written_locals(body, block).get(&local) == Some(&1)
}

/// The piece behind those declarations that it needs.
fn with_declarations(body: &Body, prefix: &Block, piece: Block) -> Block {
    let mut needed = accl_ir::visit::read_locals(body, &piece);
    let mut kept: Block = vec![];
    for node in prefix.iter().rev() {
        if let Stmt::Declare { local, .. } = node.kind
            && needed.contains(&local)
        {
            let more: BTreeSet<_> = accl_ir::visit::read_locals(body, &vec![node.clone()]);
            needed.extend(more);
            kept.push(node.clone());
        }
    }
    kept.reverse();
    kept.extend(piece);
    kept
}
