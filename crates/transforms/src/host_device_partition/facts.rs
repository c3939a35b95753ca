//! Which code the host may run, and which loops are worth a kernel.

use crate::levels::is_short;
use crate::outline::kernel_fission::is_independent;
use crate::regions::Site;
use accl_analysis::data::{self, Summary};
use accl_analysis::provenance::{Root, touched_places};
use accl_ir::{Access, Body, Expr, ExprKind, Handle, Local, Region, Stmt, StmtNode, TypeKind, visit};
use accl_source::{Files, Span};
use std::collections::BTreeSet;

pub struct Facts<'a> {
    pub summary: &'a Summary<'a>,
    pub files: Option<&'a Files>,
    /// Variables that data clauses of the construct, or of those around it, name.
    named: BTreeSet<Root>,
    /// Scalars whose address the construct takes.
    addressed: BTreeSet<Handle<Local>>,
    /// The construct's own directive, which may also be a loop's.
    pub directive: Span,
}

impl<'a> Facts<'a> {
    pub fn new(summary: &'a Summary<'a>, region: &Region, site: &Site, files: Option<&'a Files>) -> Self {
        let scope = summary.provenance.scope;
        let items = site.around.visible.iter().chain(&region.clauses.data);
        let named = items.map(|item| data::item_root(scope.module, scope.body, item)).collect();
        let mut addressed = BTreeSet::new();
        visit::all_exprs(&scope.body.exprs, &region.body, &mut |e| {
            if let ExprKind::AddrOf(place) = scope.body.exprs[e].kind
                && let ExprKind::Local(l) = scope.body.exprs[place].kind
            {
                addressed.insert(l);
            }
        });
        Facts { summary, files, named, addressed, directive: region.directive_span }
    }

    pub fn body(&self) -> &'a Body {
        self.summary.provenance.scope.body
    }

    pub fn is_named(&self, root: &Root) -> bool {
        self.named.contains(root)
    }

    pub fn root_name(&self, root: &Root) -> String {
        let scope = self.summary.provenance.scope;
        match root {
            Root::Local(l) => scope.local(*l).unwrap_or_default(),
            Root::Global(g) => scope.module.globals[*g].name.clone(),
            Root::Member(text) => text.clone(),
            Root::Unknown => "it".into(),
        }
    }

    /// The source statement is a parallel loop.
    pub fn is_parallel_loop(&self, group: &[StmtNode]) -> bool {
        let Some((last, before)) = group.split_last() else { return false };
        is_independent(last) && !before.iter().any(|n| self.holds_parallel(n))
    }

    /// It contains a parallel loop that is worth a launch.
    pub fn holds_parallel(&self, node: &StmtNode) -> bool {
        let mut found = false;
        visit::for_each_stmt(std::slice::from_ref(node), &mut |node| {
            found |= is_independent(node) && self.is_worth_a_launch(node);
        });
        found
    }

    /// The loop is worth a launch if the programmer says so, or if it is not known to be short.
    fn is_worth_a_launch(&self, node: &StmtNode) -> bool {
        let Stmt::For(l) = &node.kind else { return false };
        let by_user = l.directive.as_ref().is_some_and(|d| !d.found && d.span != self.directive);
        by_user || !is_short(self.summary, l)
    }

    /// The expression the host cannot evaluate, if there is one.
    pub fn device_only(&self, used: (Handle<Expr>, Access)) -> Option<Handle<Expr>> {
        let body = self.body();
        let touched = touched_places(body, used).into_iter().map(|(place, ..)| place);
        let mut found = touched.into_iter().find(|place| !self.is_host_place(*place));
        visit::for_each_operand(&body.exprs, used.0, &mut |e| {
            let device = match body.exprs[e].kind {
                ExprKind::Call { .. } => true,
                ExprKind::AddrOf(place) => matches!(body.exprs[place].kind, ExprKind::Local(_)),
                _ => false,
            };
            if device {
                found.get_or_insert(e);
            }
        });
        found
    }

    /// The scalar exists on the host only.
    fn is_host_place(&self, place: Handle<Expr>) -> bool {
        let provenance = &self.summary.provenance;
        let module = provenance.scope.module;
        let body = self.body();
        let ty = body.exprs[place].ty;
        if !module.types.is_scalar(ty) {
            return false;
        }
        let root = match body.exprs[place].kind {
            ExprKind::Local(l) if self.addressed.contains(&l) => return false,
            ExprKind::Local(l) => Root::Local(l),
            ExprKind::Global(g) => Root::Global(g),
            _ => match provenance.member_text(place).map(Root::Member) {
                Some(root) if provenance.place_roots(place) == BTreeSet::from([root.clone()]) => root,
                _ => return false,
            },
        };
        // A clause with a pointer concerns what it points to.
        matches!(module.types.kind(ty), TypeKind::Pointer { .. }) || !self.is_named(&root)
    }

    pub fn is_host_local(&self, l: Handle<Local>) -> bool {
        let types = &self.summary.provenance.scope.module.types;
        types.is_scalar(self.body().locals[l].ty)
            && !self.addressed.contains(&l)
            && !self.is_named(&Root::Local(l))
    }

    /// Why the host cannot run the statement; `None`: it can.
    pub fn obstacle(&self, node: &StmtNode) -> Option<Obstacle> {
        let own = node.kind.operands().into_iter().find_map(|used| self.device_only(used));
        if let Some(e) = own {
            return Some(Obstacle::Expr(e));
        }
        match &node.kind {
            Stmt::Declare { .. } | Stmt::Store { .. } | Stmt::Break | Stmt::Continue => None,
            Stmt::For(l) if !self.is_host_local(l.var) => Some(Obstacle::Statement),
            Stmt::If { .. } | Stmt::For(_) | Stmt::While { .. } | Stmt::Switch { .. } | Stmt::Block(_) => {
                node.kind.blocks().into_iter().flatten().find_map(|n| self.obstacle(n))
            }
            _ => Some(Obstacle::Statement),
        }
    }

    pub fn runs_on_host(&self, nodes: &[StmtNode]) -> bool {
        nodes.iter().all(|n| self.obstacle(n).is_none())
    }
}

pub enum Obstacle {
    /// The expression reads or writes memory of the device.
    Expr(Handle<Expr>),
    /// The statement is of a kind that runs on the device only.
    Statement,
}
