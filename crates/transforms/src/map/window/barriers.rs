//! Places the barriers of a block.
//!
//! Between two barriers threads run in any order. A barrier goes before each phase that touches a block's copy in a
//! way that conflicts with an access since the last barrier. So of the two barriers around each write in the
//! extension's definition (paper 004, §4.2), only those remain that something depends on.
//!
//! A write does not conflict with reads of elements that other threads are proven not to write, such as those along
//! the diagonal of a tile. That holds as long as the values in their subscripts do not change, so such reads are
//! recorded one by one until then.
//!
//! Arrays with two buffers ([`buffers`](super::buffers)) are written to the other one, which then is the one that is read.

use super::nest::Nest;
use super::phases::{Phase, Write};
use super::prove::Prover;
use super::shared_tile::{SharedTile, Written};
use accl_ir::{Block, Expr, Handle, Local, Stmt, StmtNode, visit};
use std::collections::{BTreeMap, BTreeSet};

/// The accesses to one array of the block since the last barrier.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Touched {
    /// Accesses that each thread makes by itself.
    read: bool,
    written: bool,
    /// Accesses by all threads together, each to a part that is not its own.
    copied_from: bool,
    copied_to: bool,
}

impl Touched {
    const READ: Touched = Touched { read: true, written: false, copied_from: false, copied_to: false };
    const WRITTEN: Touched = Touched { read: false, written: true, copied_from: false, copied_to: false };

    fn or(self, o: Touched) -> Touched {
        Touched {
            read: self.read || o.read,
            written: self.written || o.written,
            copied_from: self.copied_from || o.copied_from,
            copied_to: self.copied_to || o.copied_to,
        }
    }

    /// `own`: elements belong to threads, or the user's barriers separate the accesses.
    fn conflicts(self, next: Touched, own: bool) -> bool {
        let together = self.copied_to && (next.read || next.written || next.copied_from)
            || next.copied_to && (self.read || self.written || self.copied_from || self.copied_to)
            || self.copied_from && next.written
            || next.copied_from && self.written;
        together || !own && (self.written && (next.read || next.written) || next.written && self.read)
    }
}

/// One of the two buffers of an array that has two.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Buffer {
    /// The buffer that is read, or the only one.
    Current,
    /// The buffer to which the next write goes.
    Other,
}

/// Elements of the block's arrays.
type Elements = BTreeSet<(Handle<Local>, Handle<Expr>)>;
type Touches = BTreeMap<(Handle<Local>, Buffer), Touched>;

/// The accesses that may still cause conflicts.
#[derive(Clone, Debug, Default)]
struct Pending {
    touched: Touches,
    /// Elements that threads read by subscripts whose values have not changed since.
    reads: Elements,
}

impl Pending {
    fn clear(&mut self) {
        *self = Pending::default();
    }

    /// Nothing is known of subscripts in another iteration.
    fn forget_subscripts(&mut self) {
        for (store, _) in std::mem::take(&mut self.reads) {
            add(&mut self.touched, (store, Buffer::Current), Touched::READ);
        }
    }

    fn join(&mut self, other: &Pending) {
        join(&mut self.touched, &other.touched);
        self.reads.extend(&other.reads);
    }

    /// The array's two buffers are exchanged.
    fn swap(&mut self, store: Handle<Local>) {
        let current = self.touched.remove(&(store, Buffer::Current));
        let other = self.touched.remove(&(store, Buffer::Other));
        self.touched.extend(current.map(|t| ((store, Buffer::Other), t)));
        self.touched.extend(other.map(|t| ((store, Buffer::Current), t)));
    }
}

pub struct Placing<'a> {
    pub prover: Prover<'a>,
    pub nest: &'a Nest,
    pub tiles: &'a [SharedTile],
    /// The user's barriers are the only ones between accesses of single threads.
    pub explicit: bool,
    /// Shared tiles that have two buffers.
    pub doubled: &'a BTreeSet<usize>,
}

impl Placing<'_> {
    /// Puts the barriers into `phases`.
    pub fn insert(&self, phases: Vec<Phase>) -> Vec<Phase> {
        self.phases(phases, &mut Pending::default(), &mut Pending::default())
    }

    /// Whether accesses of single threads to one of the block's arrays never conflict; `None`: the local is none of
    /// these arrays.
    fn own(&self, local: Handle<Local>) -> Option<bool> {
        let tile = self.tiles.iter().find(|a| a.store == local || a.written == Some(Written::Marks(local)));
        tile.map(|a| self.explicit || a.own)
    }

    /// `left`: the accesses pending where a loop, or an iteration of it, is left before its end.
    fn phases(&self, phases: Vec<Phase>, pending: &mut Pending, left: &mut Pending) -> Vec<Phase> {
        let mut out = vec![];
        for phase in phases {
            match phase {
                Phase::Barrier => {
                    pending.clear();
                    out.push(Phase::Barrier);
                }
                Phase::For(l, span, body) => {
                    pending.forget_subscripts();
                    let (body, _) = self.looped(body, vec![], pending);
                    out.push(Phase::For(l, span, body));
                }
                Phase::While { cond, body, step, test_last, span } => {
                    pending.forget_subscripts();
                    let (body, step) = self.looped(body, step, pending);
                    out.push(Phase::While { cond, body, step, test_last, span });
                }
                Phase::If { cond, then, otherwise } => {
                    let mut other = pending.clone();
                    let then = self.phases(then, pending, left);
                    let otherwise = self.phases(otherwise, &mut other, left);
                    pending.join(&other);
                    out.push(Phase::If { cond, then, otherwise });
                }
                Phase::Each(block) => {
                    if block.is_empty() {
                        continue;
                    }
                    self.written(&block, pending);
                    let (touched, reads) = self.touches(&block);
                    self.before(touched, reads, pending, &mut out);
                    out.push(Phase::Each(block));
                }
                Phase::Write(w) => self.write(w, pending, &mut out),
                Phase::Same(node) => {
                    if matches!(node.kind, Stmt::Break | Stmt::Continue) {
                        left.join(pending);
                    }
                    self.written(std::slice::from_ref(&node), pending);
                    out.push(Phase::Same(node));
                }
                Phase::Fetch(n) => {
                    let mut all = self.copy(n, true);
                    if self.doubled.contains(&n) {
                        all.extend(all.clone().into_iter().map(|((l, _), t)| ((l, Buffer::Other), t)));
                    }
                    self.together(all, pending, &mut out);
                    out.push(phase);
                }
                Phase::Clear(n) => {
                    self.together(self.marks(n, true), pending, &mut out);
                    out.push(phase);
                }
                Phase::Drain(n) => {
                    let mut all = self.copy(n, false);
                    all.extend(self.marks(n, false));
                    self.together(all, pending, &mut out);
                    out.push(phase);
                }
            }
        }
        out
    }

    /// What is pending at the end of an iteration is so at the start of the next.
    fn looped(&self, body: Vec<Phase>, step: Vec<Phase>, pending: &mut Pending) -> (Vec<Phase>, Vec<Phase>) {
        loop {
            let (mut end, mut left) = (pending.clone(), Pending::default());
            let body_placed = self.phases(body.clone(), &mut end, &mut left);
            end.join(&left);
            let placed = (body_placed, self.phases(step.clone(), &mut end, &mut Pending::default()));
            end.forget_subscripts();
            let before = pending.touched.clone();
            pending.join(&end);
            if pending.touched == before {
                return placed;
            }
        }
    }

    fn write(&self, w: Write, pending: &mut Pending, out: &mut Vec<Phase>) {
        let store = self.tiles[w.tile].store;
        let block = vec![w.statement()];
        let (mut touched, reads) = self.touches(&block);
        if self.doubled.contains(&w.tile) {
            touched.remove(&(store, Buffer::Current));
            add(&mut touched, (store, Buffer::Other), Touched::WRITTEN);
            self.before(touched, reads, pending, out);
            pending.forget_subscripts();
            pending.swap(store);
        } else {
            let met =
                |read: &(Handle<Local>, Handle<Expr>)| read.0 != store || self.never_meet(read.1, w.place);
            if !pending.reads.iter().all(met) {
                pending.forget_subscripts();
            }
            self.before(touched, reads, pending, out);
        }
        out.push(Phase::Write(w));
    }

    /// No thread reads an element that another one writes.
    fn never_meet(&self, read: Handle<Expr>, written: Handle<Expr>) -> bool {
        self.prover.places_never_meet(self.nest, read, written)
    }

    fn together(&self, touched: Touches, pending: &mut Pending, out: &mut Vec<Phase>) {
        pending.forget_subscripts();
        self.before(touched, BTreeSet::new(), pending, out);
    }

    fn before(&self, next: Touches, reads: Elements, pending: &mut Pending, out: &mut Vec<Phase>) {
        let mut all = next.clone();
        for (store, _) in &reads {
            add(&mut all, (*store, Buffer::Current), Touched::READ);
        }
        let conflicts = all.iter().any(|(key, next)| {
            let own = self.own(key.0).unwrap_or(false);
            pending.touched.get(key).is_some_and(|before| before.conflicts(*next, own))
        });
        if conflicts {
            out.push(Phase::Barrier);
            pending.clear();
        }
        join(&mut pending.touched, &next);
        pending.reads.extend(reads);
    }

    /// A subscript changes its value once a local in it is written.
    fn written(&self, block: &[StmtNode], pending: &mut Pending) {
        let mut written = visit::written_locals(self.prover.body, block);
        written.extend(visit::declared_locals(block));
        if pending.reads.iter().any(|(_, place)| self.mentions(*place, &written)) {
            pending.forget_subscripts();
        }
    }

    fn mentions(&self, place: Handle<Expr>, locals: &BTreeSet<Handle<Local>>) -> bool {
        locals.iter().any(|l| accl_ir::rewrite::mentions(self.prover.body, place, *l))
    }

    fn copy(&self, n: usize, to: bool) -> Touches {
        let touched = Touched { copied_to: to, copied_from: !to, ..Touched::default() };
        Touches::from([((self.tiles[n].store, Buffer::Current), touched)])
    }

    fn marks(&self, n: usize, to: bool) -> Touches {
        match self.tiles[n].written {
            Some(Written::Marks(m)) => {
                let touched = Touched { copied_to: to, copied_from: !to, ..Touched::default() };
                Touches::from([((m, Buffer::Current), touched)])
            }
            Some(Written::Pivot(_)) | None => Touches::new(),
        }
    }

    /// The accesses of single threads; separately, the elements that they read by subscripts that do not change.
    fn touches(&self, block: &Block) -> (Touches, Elements) {
        let (mut found, mut reads) = (Touches::new(), BTreeSet::new());
        let changing = self.changing(block);
        visit::for_each_place(self.prover.body, block, &mut |place, access| {
            let Some(visit::Root::Local(l)) = visit::root_of(self.prover.body, place) else { return };
            if self.own(l).is_none() {
                return;
            }
            if access == accl_ir::Access::Read && !self.mentions(place, &changing) {
                reads.insert((l, place));
                return;
            }
            let all = access == accl_ir::Access::Address;
            let touched = Touched {
                read: all || access.reads(),
                written: all || access.writes(),
                ..Touched::default()
            };
            add(&mut found, (l, Buffer::Current), touched);
        });
        (found, reads)
    }

    /// Locals that take several values in these statements.
    fn changing(&self, block: &Block) -> BTreeSet<Handle<Local>> {
        let mut found = BTreeSet::new();
        visit::for_each_stmt(block, &mut |node| {
            for (place, access) in node.kind.operands() {
                if let (true, Some(visit::Root::Local(l))) =
                    (access.writes(), visit::root_of(self.prover.body, place))
                {
                    found.insert(l);
                }
            }
            if matches!(node.kind, Stmt::For(_) | Stmt::While { .. }) {
                for inner in node.kind.blocks() {
                    found.extend(visit::declared_locals(inner));
                    found.extend(visit::written_locals(self.prover.body, inner));
                }
                if let Stmt::For(l) = &node.kind {
                    found.insert(l.var);
                }
            }
        });
        found
    }
}

fn add(touches: &mut Touches, key: (Handle<Local>, Buffer), touched: Touched) {
    let slot = touches.entry(key).or_default();
    *slot = slot.or(touched);
}

fn join(touches: &mut Touches, other: &Touches) {
    for (key, touched) in other {
        add(touches, *key, *touched);
    }
}
