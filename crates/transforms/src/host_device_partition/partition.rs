//! Divides a block of the construct into what the host runs and constructs for the device.

use super::facts::{Facts, Obstacle};
use super::source_statements::{declared, groups, leaves, mention, share_temps, span_of};
use super::{Refusal, device_constructs, refuse};
use crate::outline::kernel_fission;
use accl_ir::{
    Access, Block, Body, Expr, Handle, Local, LocalKind, Loop, Region, Stmt, StmtNode, TypeKind, visit,
};
use accl_source::Span;
use std::collections::BTreeSet;

pub struct Partitioner<'a> {
    pub facts: &'a Facts<'a>,
    /// The body of the host function, which gets new variables.
    pub body: &'a mut Body,
    pub region: &'a Region,
    /// Loops that the host runs.
    pub remarks: Vec<Span>,
    /// The compiler may declare variables of its own.
    pub freely: bool,
}

type Outcome<T> = Result<T, Refusal>;

impl Partitioner<'_> {
    pub fn block(&mut self, block: &[StmtNode]) -> Outcome<Block> {
        let groups = groups(self.body, block);
        let mut out = vec![];
        let mut i = 0;
        while i < groups.len() {
            let next = self.device_part(&groups, i);
            if next > i {
                out.push(device_constructs::of_nodes(self.facts, self.region, &groups[i..next].concat())?);
                i = next;
                continue;
            }
            self.host_part(groups[i], &mut out)?;
            i += 1;
        }
        Ok(out)
    }

    /// The end of the statements from `i` on that form one construct; `i` if there are none.
    fn device_part(&self, groups: &[&[StmtNode]], i: usize) -> usize {
        if share_temps(self.body, groups[i]) && groups[i].iter().any(|n| self.facts.holds_parallel(n)) {
            return i + 1;
        }
        let loop_at = (i..groups.len()).find(|j| !self.declares(groups[*j])).unwrap_or(i);
        if self.facts.is_parallel_loop(groups[loop_at]) && self.facts.holds_parallel(last(groups[loop_at])) {
            if self.belong_to_loop(groups, i, loop_at) {
                return loop_at + 1;
            }
        }
        self.serial_run(groups, i)
    }

    /// The declarations `i..at` serve only the loop, and need the device.
    fn belong_to_loop(&self, groups: &[&[StmtNode]], i: usize, at: usize) -> bool {
        if at == i {
            return true;
        }
        !self.facts.runs_on_host(groups[i])
            && !self.mention_declared(&groups[at + 1..], &groups[i..at])
            && !kernel_fission::is_one_kernel(self.facts.summary, &groups[i..=at].concat())
    }

    /// Some of the groups use what the earlier ones declare.
    fn mention_declared(&self, groups: &[&[StmtNode]], earlier: &[&[StmtNode]]) -> bool {
        let locals = earlier.iter().flat_map(|group| declared(group)).collect();
        groups.iter().any(|group| mention(self.body, group, &locals))
    }

    /// Statements without worthwhile parallel loops, some of which need the device. Scalar code between them stays
    /// with them, except for what later statements or the host use.
    fn serial_run(&self, groups: &[&[StmtNode]], i: usize) -> usize {
        let able = |g: &&[StmtNode]| !g.iter().any(|n| self.facts.holds_parallel(n)) && !leaves(g);
        let end = i + groups[i..].iter().take_while(|g| able(g)).count();
        (i + 1..=end).rev().find(|end| self.is_run(groups, i, *end)).unwrap_or(i)
    }

    fn is_run(&self, groups: &[&[StmtNode]], i: usize, end: usize) -> bool {
        let needs_device = |g: &[StmtNode]| !self.facts.runs_on_host(g);
        if !needs_device(groups[end - 1]) || self.mention_declared(&groups[end..], &groups[i..end]) {
            return false;
        }
        needs_device(groups[i]) || {
            let set = visit::written_locals(self.body, groups[i]);
            groups[i + 1..end].iter().any(|group| mention(self.body, group, &set))
        }
    }

    fn declares(&self, group: &[StmtNode]) -> bool {
        group.iter().all(|n| matches!(n.kind, Stmt::Declare { .. }))
    }

    /// One statement of the source that the host runs.
    fn host_part(&mut self, group: &[StmtNode], out: &mut Block) -> Outcome<()> {
        if group.iter().any(|n| self.facts.holds_parallel(n)) {
            let controls = group.iter().map(|n| self.control(n)).collect::<Outcome<Vec<_>>>()?;
            out.extend(controls);
            return Ok(());
        }
        if self.facts.runs_on_host(group) {
            out.extend_from_slice(group);
            return Ok(());
        }
        if self.declares(group) {
            return self.declarations(group, out);
        }
        let obstacle = group.iter().find_map(|n| Some((n.span, self.facts.obstacle(n)?)));
        let (span, why) = obstacle.map_or((span_of(group), None), |(span, o)| (span, Some(o)));
        refuse(span, self.reason(why))
    }

    fn reason(&self, obstacle: Option<Obstacle>) -> String {
        match obstacle {
            Some(Obstacle::Expr(e)) => {
                format!("the host would need {}", self.facts.summary.provenance.scope.message(e))
            }
            Some(Obstacle::Statement) | None => "the host cannot run this statement".into(),
        }
    }

    fn check(&self, uses: Vec<(Handle<Expr>, Access)>, span: Span) -> Outcome<()> {
        match uses.into_iter().find_map(|used| self.facts.device_only(used)) {
            Some(e) => {
                let own = self.facts.body().exprs[e].span;
                let at = if own.is_nowhere() { span } else { own };
                refuse(at, self.reason(Some(Obstacle::Expr(e))))
            }
            None => Ok(()),
        }
    }

    /// A statement whose header the host evaluates.
    fn control(&mut self, node: &StmtNode) -> Outcome<StmtNode> {
        if !self.facts.holds_parallel(node) {
            return match self.facts.obstacle(node) {
                None => Ok(node.clone()),
                why => refuse(node.span, self.reason(why)),
            };
        }
        self.check(node.kind.operands(), node.span)?;
        let kind = match &node.kind {
            Stmt::For(l) => {
                self.remarks.push(node.span);
                Stmt::For(Box::new(self.host_loop(l, node.span)?))
            }
            Stmt::If { cond, then, otherwise } => {
                Stmt::If { cond: *cond, then: self.block(then)?, otherwise: self.block(otherwise)? }
            }
            Stmt::While { cond, body, step, test_last } => {
                self.remarks.push(node.span);
                if !self.facts.runs_on_host(step) {
                    return refuse(node.span, "the loop's step needs the device's memory");
                }
                let body = self.block(body)?;
                Stmt::While { cond: *cond, body, step: step.clone(), test_last: *test_last }
            }
            Stmt::Block(inner) => Stmt::Block(self.block(inner)?),
            _ => return refuse(node.span, self.reason(None)),
        };
        Ok(StmtNode { kind, span: node.span })
    }

    fn host_loop(&mut self, l: &Loop, span: Span) -> Outcome<Loop> {
        let private = l.directive.as_ref().is_some_and(|d| !d.private.is_empty());
        if private || !self.facts.is_host_local(l.var) {
            return refuse(span, "the sequential loop has private variables or a variable on the device");
        }
        Ok(Loop { directive: None, body: self.block(&l.body)?, ..l.clone() })
    }

    /// `double p = a[k];`: a serial kernel computes the value beforehand, into a variable of the compiler's.
    fn declarations(&mut self, group: &[StmtNode], out: &mut Block) -> Outcome<()> {
        let mut kept = vec![];
        let mut before = BTreeSet::new();
        for node in group {
            let Stmt::Declare { local, init: Some(init) } = node.kind else {
                kept.push(node.clone());
                continue;
            };
            if self.facts.runs_on_host(std::slice::from_ref(node)) {
                kept.push(node.clone());
            } else if !self.freely {
                return refuse(node.span, self.reason(self.facts.obstacle(node)));
            } else {
                let text = self.initialiser(node, local, init)?;
                if mention(self.body, std::slice::from_ref(node), &before) {
                    return refuse(node.span, "the host would need a value that the same declaration makes");
                }
                kept.push(self.hoist(node, local, init, text, out));
            }
            before.insert(local);
        }
        out.extend(kept);
        Ok(())
    }

    fn hoist(
        &mut self,
        node: &StmtNode,
        local: Handle<Local>,
        init: Handle<Expr>,
        text: Span,
        out: &mut Block,
    ) -> StmtNode {
        let at = Span { end: node.span.start, ..node.span };
        let own = self.body.locals[local].clone();
        let name = self.body.unique_name(&format!("accl_{}", own.name));
        let value = self.body.locals.append(Local { name, kind: LocalKind::Hoisted, span: at, ..own });
        out.push(StmtNode { kind: Stmt::Declare { local: value, init: None }, span: at });
        let place = self.body.place(value);
        let store = StmtNode { kind: Stmt::Store { place, op: None, value: init }, span: node.span };
        out.push(device_constructs::ahead_of(self.region, node.span, vec![store]));
        let ty = self.body.locals[value].ty;
        let read = self.body.expr(accl_ir::ExprKind::Load(place), ty, text);
        StmtNode { kind: Stmt::Declare { local, init: Some(read) }, span: node.span }
    }

    /// Where the value stands in the source, after `=`.
    fn initialiser(&self, node: &StmtNode, local: Handle<Local>, init: Handle<Expr>) -> Outcome<Span> {
        let scope = self.facts.summary.provenance.scope;
        let ty = self.body.locals[local].ty;
        let number = scope.module.types.is_scalar(ty)
            && !matches!(scope.module.types.kind(ty), TypeKind::Pointer { .. });
        if !number {
            return refuse(node.span, self.reason(self.facts.obstacle(node)));
        }
        let Some(files) = self.facts.files.filter(|_| !node.span.is_nowhere()) else {
            return Ok(self.body.exprs[init].span);
        };
        let name = self.body.locals[local].span;
        let after = Span { start: name.end, end: node.span.end, ..node.span };
        match files.text(after).find('=').filter(|at| files.text(after)[..*at].trim().is_empty()) {
            Some(at) if name.end > node.span.start && name.end < node.span.end => {
                Ok(Span { start: after.start + at as u32 + 1, ..after })
            }
            _ => refuse(
                node.span,
                "the declaration of a value that needs the device is not of the form `T x = …`",
            ),
        }
    }
}

fn last(group: &[StmtNode]) -> &StmtNode {
    &group[group.len() - 1]
}
