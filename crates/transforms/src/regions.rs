//! Visiting the constructs of a module, with what encloses them.

use crate::liveness::Liveness;
use accl_analysis::analyses::Construct;
use accl_analysis::changed;
use accl_analysis::data::Surroundings;
use accl_ir::{
    Block, Body, DataItem, DataKind, Handle, Local, Module, Region, RegionKind, StandaloneKind, Stmt, visit,
};
use accl_source::Files;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Where a construct stands.
pub struct Site {
    pub construct: Construct,
    pub name: String,
    pub around: Surroundings,
    /// The position in `visible` at which the items of each construct begin.
    starts: Vec<usize>,
    /// The construct is a part of one whose sequential code the host runs.
    pub in_partitioned: bool,
    /// What the function reads where, for visitors that ask for it.
    liveness: Option<Liveness>,
    /// How many of the function's constructs, as they were before the first visit, have been reached.
    reached: usize,
    /// A visitor has just made the construct out of another one: nothing is known of what is read after it.
    is_new: bool,
}

/// Whether a visitor asks what the function reads where. The answers are for the function as it is before the first visit.
#[derive(Clone, Copy)]
pub enum Asks<'f> {
    Nothing,
    /// The files have the text of host statements.
    Reads(Option<&'f Files>),
}

impl Site {
    /// The value that the construct leaves in the local, a variable of its surroundings, may be read after it.
    pub fn is_read_after(&self, local: Handle<Local>) -> bool {
        self.is_new
            || self.liveness.as_ref().is_none_or(|liveness| liveness.is_read_after(self.reached, local))
    }

    /// The variable may get onto the device through what the function does outside of the constructs around.
    pub fn may_be_entered(&self, body: &Body, local: Handle<Local>) -> bool {
        self.liveness.as_ref().is_none_or(|liveness| liveness.may_be_entered(body, local))
    }

    /// The items of the directive to which number `at` of the visible ones belongs.
    pub fn beside(&self, at: usize) -> &[DataItem] {
        let start = self.starts.iter().copied().rfind(|start| *start <= at).unwrap_or(0);
        let end = self.starts.iter().copied().find(|start| *start > at).unwrap_or(self.around.visible.len());
        &self.around.visible[start..end]
    }
}

type Visitor<'f> = dyn FnMut(&mut Module, &mut Body, &mut Region, &Site) + 'f;

/// Calls `f` on each compute construct. The body is the host function's, without its block; the module lacks the
/// function's body meanwhile.
pub fn each_compute(module: &mut Module, asks: Asks<'_>, f: &mut Visitor<'_>) {
    each(module, asks, &RegionKind::is_compute, f);
}

/// The same for constructs that need data items of their own. These include the partitioned ones, which come before
/// the constructs in them.
pub fn each_with_data(module: &mut Module, asks: Asks<'_>, f: &mut Visitor<'_>) {
    each(module, asks, &|kind| kind.is_compute() || kind == RegionKind::Partitioned, f);
}

/// Numbers the constructs that come of one line of a function ([`Region::copy`]).
pub fn number_copies(module: &mut Module, files: &Files) {
    let mut numbers: BTreeMap<(String, u32), u32> = BTreeMap::new();
    for (_, function) in module.functions.iter_mut() {
        let Some(body) = &mut function.body else { continue };
        visit::for_each_stmt_mut(&mut body.block, &mut |node| {
            let Stmt::Region(region) = &mut node.kind else { return };
            let next = numbers.entry((function.name.clone(), files.line(region.directive_span))).or_default();
            region.copy = *next;
            *next += 1;
        });
    }
}

fn each(module: &mut Module, asks: Asks<'_>, wanted: &dyn Fn(RegionKind) -> bool, f: &mut Visitor<'_>) {
    let changed = changed::globals(module);
    let changed_members = Arc::new(changed::members(module));
    let changed_pointers = Arc::new(changed::pointers(module));
    let handles: Vec<_> = module.functions.handles().collect();
    for function in handles {
        let holds = |body: &mut Body| holds(&body.block, wanted);
        let Some(mut body) = module.functions[function].body.take_if(holds) else { continue };
        let mut block = std::mem::take(&mut body.block);
        let name = module.functions[function].name.clone();
        let liveness = match asks {
            Asks::Nothing => None,
            Asks::Reads(files) => Some(Liveness::of(&body, &block, files)),
        };
        let construct = Construct { function, index: 0 };
        let around = Surroundings {
            visible: declared(module, &block),
            changed: changed.iter().cloned().chain(changed::locals(&body, &block)).collect(),
            changed_members: changed_members.clone(),
            changed_pointers: changed_pointers.clone(),
        };
        let mut site = Site {
            construct,
            name,
            around,
            starts: vec![],
            in_partitioned: false,
            liveness,
            reached: 0,
            is_new: false,
        };
        visit(module, &mut body, &mut block, &mut site, wanted, f);
        body.block = block;
        module.functions[function].body = Some(body);
    }
}

/// Whether there is something to visit.
fn holds(block: &Block, wanted: &dyn Fn(RegionKind) -> bool) -> bool {
    let mut found = false;
    visit::for_each_stmt(block, &mut |node| {
        found |= matches!(&node.kind, Stmt::Region(region) if wanted(region.kind));
    });
    found
}

fn visit(
    module: &mut Module,
    body: &mut Body,
    block: &mut Block,
    site: &mut Site,
    wanted: &dyn Fn(RegionKind) -> bool,
    f: &mut Visitor<'_>,
) {
    for node in block {
        let Stmt::Region(region) = &mut node.kind else {
            for inner in node.kind.blocks_mut() {
                visit(module, body, inner, site, wanted, f);
            }
            continue;
        };
        site.construct.index += 1;
        site.reached += usize::from(!site.is_new);
        let was_compute = region.kind.is_compute();
        if wanted(region.kind) {
            f(module, body, region, site);
        }
        if region.kind.is_compute() {
            continue;
        }
        let depth = site.around.visible.len();
        site.starts.push(depth);
        site.around.visible.extend(region.clauses.data.iter().filter(|i| is_data(i.kind)).cloned());
        let outer = std::mem::replace(&mut site.in_partitioned, region.kind == RegionKind::Partitioned);
        let was_new = site.is_new;
        site.is_new |= was_compute;
        visit(module, body, &mut region.body, site, wanted, f);
        (site.in_partitioned, site.is_new) = (outer, was_new);
        site.around.visible.truncate(depth);
        site.starts.pop();
    }
}

fn is_data(kind: DataKind) -> bool {
    match kind {
        DataKind::Copy
        | DataKind::Copyin
        | DataKind::Copyout
        | DataKind::Create
        | DataKind::Present
        | DataKind::Deviceptr => true,
        DataKind::NoCreate
        | DataKind::Delete
        | DataKind::Attach
        | DataKind::Detach
        | DataKind::UpdateSelf
        | DataKind::UpdateDevice
        | DataKind::UseDevice => false,
    }
}

/// What `declare` directives of the file and of the function put on the device.
fn declared(module: &Module, block: &Block) -> Vec<DataItem> {
    let of_file = module.declares.iter().flat_map(|d| &d.data).filter(|i| is_data(i.kind));
    let mut items: Vec<DataItem> = of_file.cloned().collect();
    visit::for_each_stmt(block, &mut |node| {
        if let Stmt::Directive(d) = &node.kind
            && d.kind == StandaloneKind::Declare
        {
            items.extend(d.data.iter().cloned());
        }
    });
    items
}
