//! `shared_rows`: blocks keep the rows that iterations of their loop have for themselves in shared memory.
//!
//! Where a program for CPUs gives each thread large arrays to work in, a gang has one row of an array in the device's memory for each of
//! them (`accl_rows_…`, [`ROWS`]), which its lanes go through again and again. Nobody else reads a row, so that the shared memory of a
//! block can take its place where it is large enough: an H100's multiprocessor has 227 KB for one.

use super::{Refusal, StepKind, bare};
use crate::map::cost::Cost;
use crate::map::draft::Draft;
use crate::parallelism::LANES_OF_LARGE_ROWS;
use accl_ir::schedule::Step;
use accl_ir::{
    Block, Body, Expr, ExprKind, GridRule, Handle, Kernel, Local, Module, ParamKind, ROWS, Stmt, StmtNode,
    rewrite, visit,
};

const NAME: &str = "shared_rows";

/// The shared memory of a block where it is largest (sm_90).
const MOST: u64 = 227 << 10;

pub const STEP: StepKind = StepKind {
    name: NAME,
    usage: NAME,
    summary: "Blocks keep the rows that iterations have for themselves in shared memory.",
    writes_program: false,
    sets_block: false,
    space: |module, draft| rows(module, &draft.kernel).map(|_| vec![Step::new(NAME, [])]),
    cost: |_, cost: &mut Cost| cost.from_shared_memory(),
    apply,
};

/// `T *pointer = place;`, where the place is a row.
struct Row {
    pointer: Handle<Local>,
    place: Handle<Expr>,
}

fn rows(module: &Module, kernel: &Kernel) -> Result<Vec<Row>, Refusal> {
    let gangs = kernel.dims.len() == 1 && kernel.dims[0].rule == GridRule::Gangs;
    let mut found = vec![];
    visit::for_each_stmt(&kernel.body.block, &mut |node| found.extend(row(kernel, node)));
    if !gangs || found.is_empty() {
        return Err(Refusal::quiet("gangs have no rows for themselves"));
    }
    // An array that another kernel of the construct uses carries values from one to the other.
    let alike = |other: &&Kernel| {
        other.site.directive_span == kernel.site.directive_span && other.name != kernel.name
    };
    let others = module.kernels.iter().map(|(_, other)| other).filter(alike);
    if others.into_iter().any(|other| other.fallback_of.is_none() && other.index64_of.is_none()) {
        return Err(Refusal::because("several kernels of the construct may use its rows"));
    }
    let uses = |wanted: Handle<Local>| {
        let mut uses = 0;
        visit::all_exprs(&kernel.body.exprs, &kernel.body.block, &mut |e| {
            uses += usize::from(matches!(kernel.body.exprs[e].kind, ExprKind::Local(l) if l == wanted));
        });
        uses
    };
    if found.iter().any(|row| array_of(&kernel.body, row.place).is_none_or(|array| uses(array) != 1)) {
        return Err(Refusal::because("it uses the array of rows otherwise, too"));
    }
    let size = |row: &Row| module.types.size_of(kernel.body.exprs[row.place].ty).unwrap_or(MOST);
    let bytes: u64 = found.iter().map(|row| size(row).next_multiple_of(16)).sum();
    match bytes > MOST {
        true => {
            Err(Refusal::because(format!("rows of {bytes} bytes are more than the shared memory of a block")))
        }
        false => Ok(found),
    }
}

/// `T *row = accl_rows_a[i];`
fn row(kernel: &Kernel, node: &StmtNode) -> Option<Row> {
    let Stmt::Declare { local, init: Some(value) } = node.kind else { return None };
    let ExprKind::Decay(place) = kernel.body.exprs[value].kind else { return None };
    let array = array_of(&kernel.body, place)?;
    let is_data = |p: &accl_ir::Param| p.local == array && matches!(p.kind, ParamKind::Data { .. });
    (kernel.body.locals[array].name.starts_with(ROWS) && kernel.params.iter().any(is_data))
        .then_some(Row { pointer: local, place })
}

/// The pointer of which a place is an element.
fn array_of(body: &Body, place: Handle<Expr>) -> Option<Handle<Local>> {
    let ExprKind::Index { base, .. } = body.exprs[place].kind else { return None };
    let ExprKind::Load(pointer) = body.exprs[base].kind else { return None };
    match body.exprs[pointer].kind {
        ExprKind::Local(array) => Some(array),
        _ => None,
    }
}

fn apply(module: &mut Module, draft: &mut Draft<'_>, step: &Step) -> Result<(), Refusal> {
    bare(step)?;
    let found = rows(module, &draft.kernel)?;
    let mut kernel = (*draft.kernel).clone();
    for Row { pointer, place } in found {
        let ty = kernel.body.exprs[place].ty;
        let name = format!("{}_row", kernel.body.locals[pointer].name);
        let array = kernel.body.temp(&name, ty);
        rewrite::with_block(&mut kernel.body, |body, block| keep(body, block, pointer, array));
    }
    draft.kernel = std::borrow::Cow::Owned(kernel);
    // One block is all that a multiprocessor has room for.
    if draft.given_block.is_none() && draft.block == [LANES_OF_LARGE_ROWS as u32, 1, 1] {
        draft.block = [1024, 1, 1];
    }
    draft.requires.large_shared = true;
    draft.suffix.push_str("_shared");
    draft.done(NAME, []);
    Ok(())
}

/// The pointer points to an array of the iteration's own, which is declared before it.
fn keep(body: &mut Body, block: &mut Block, pointer: Handle<Local>, array: Handle<Local>) {
    for mut node in std::mem::take(block) {
        if let Stmt::Declare { local, init: Some(value) } = &mut node.kind
            && *local == pointer
        {
            block.push(StmtNode { kind: Stmt::Declare { local: array, init: None }, span: node.span });
            let place = body.place(array);
            *value = body.expr(ExprKind::Decay(place), body.exprs[*value].ty, node.span);
        }
        for inner in node.kind.blocks_mut() {
            keep(body, inner, pointer, array);
        }
        block.push(node);
    }
}
