//! Target constructs that the host runs with its own teams and threads.
//!
//! Its compiler reads the construct's directives as those for the host (`omp::host_threads`), so that numbers of threads, barriers and
//! reductions are what they are to a program that was compiled for the host alone. A construct with a directive that not all compilers
//! know has one thread (`None`), and so has one that makes no threads.

use super::cross_unit::threadprivate;
use super::function::Fun;
use super::scope::{Named, short_name};
use super::target::Joined;
use super::walk;
use crate::ast::{ExprKind, Stmt as Ast, StmtKind};
use crate::pragmas::Pragma;
use accl_directives::omp::ast::Leaf;
use accl_directives::omp::host_threads::{self, HostDirective};
use accl_directives::{Sentinel, VariableCategory};
use accl_ir::{HostCopies, HostCopy, HostThreads};
use accl_source::Span;
use std::collections::{BTreeMap, BTreeSet};

impl Fun<'_, '_> {
    /// `copies`: those of one thread. The copies that clauses ask for are made by the threads' directives.
    pub fn host_threads(
        &mut self,
        joined: &Joined<'_>,
        pragma: &Pragma,
        outer: &Ast,
        copies: &HostCopies,
    ) -> Option<HostThreads> {
        if joined.directive.origin != Sentinel::Omp {
            return None;
        }
        let work = self.cx.work_in(outer, false);
        let asks = work.asks_for_teams || work.asks_for_threads || work.asks_for_levels;
        let read = |f: &Self, numbered: bool| {
            let own = f.for_threads(pragma.span, None, numbered)?;
            let mut inside = BTreeMap::new();
            f.for_threads_inside(outer, *own.leaves.last()?, numbered, &mut inside)?;
            Some((own, inside))
        };
        let (mut own, mut inside) = read(self, false)?;
        // gcc 12 fails at target constructs that name members of a method's object.
        let is_sized = inside.values().chain([&own]).any(|d| d.is_sized);
        let numbered = asks && (is_sized || work.asks_for_levels) && self.record.is_none();
        if numbered {
            (own, inside) = read(self, true)?;
        }
        let makes_threads = |d: &HostDirective| {
            d.leaves.contains(&Leaf::Parallel) || numbered && d.leaves.contains(&Leaf::Teams)
        };
        let all_known = inside.len() == self.lines_of_openmp(outer.span);
        if !all_known
            || self.joins_uneven_loops(&own, &inside, outer)
            || !inside.values().any(makes_threads) && !makes_threads(&own)
        {
            return None;
        }
        let directive = if numbered { self.target_construct(&own, outer)? } else { own.text.clone() };
        let has_copies = |copy: &&HostCopy| !own.text.is_empty() && own.copied.contains(&copy.name);
        let copies = copies.of_construct.iter().filter(|copy| !has_copies(copy)).cloned().collect();
        let directives = inside.into_iter().map(|(span, d)| (span, d.text)).collect();
        Some(HostThreads { directive, directives, copies })
    }

    /// A directive joins loops one of which depends on another: gcc 12 divides such iterations wrongly.
    fn joins_uneven_loops(
        &mut self,
        own: &HostDirective,
        inside: &BTreeMap<Span, HostDirective>,
        outer: &Ast,
    ) -> bool {
        own.joins && self.uneven_bound(outer, u32::MAX).is_some() || self.uneven_inside(inside, outer)
    }

    fn uneven_inside(&mut self, inside: &BTreeMap<Span, HostDirective>, s: &Ast) -> bool {
        if let StmtKind::Directed { directive, body: Some(body), .. } = &s.kind
            && inside.get(&self.cx.pragmas[*directive].span).is_some_and(|d| d.joins)
            && self.uneven_bound(body, u32::MAX).is_some()
        {
            return true;
        }
        walk::children(s).into_iter().any(|inner| self.uneven_inside(inside, inner))
    }

    /// With what makes it one for no device, in which all variables are those outside.
    fn target_construct(&mut self, own: &HostDirective, outer: &Ast) -> Option<String> {
        // A target construct may not name variables of threads.
        let listed = threadprivate(self.cx.source.buffer);
        let mut of_threads = false;
        walk::exprs(outer, &mut |e| {
            if let ExprKind::Var(id, name) = &e.kind {
                of_threads |= self.cx.program.of_threads.contains(id) || listed.contains(short_name(name));
            }
        });
        if of_threads {
            return None;
        }
        let mut directive = format!("{} if(target: 0) defaultmap(tofrom: scalar)", own.text);
        for name in own.shared.iter().collect::<BTreeSet<_>>() {
            if let Some(Named::Variable(_, variable)) = self.lookup(name)
                && let Some(VariableCategory::Scalar | VariableCategory::Pointer) = self.category(&variable)
            {
                directive += &format!(" map(tofrom: {name})");
            }
        }
        Some(directive)
    }

    /// A directive's line for the host's compiler.
    fn for_threads(&self, line: Span, around: Option<Leaf>, numbered: bool) -> Option<HostDirective> {
        let text = self.text(line);
        let text = text.strip_prefix('#')?.trim_start().strip_prefix("pragma")?.trim_start();
        host_threads::directive(text.strip_prefix("omp")?, around, numbered)
    }

    fn for_threads_inside(
        &self,
        s: &Ast,
        around: Leaf,
        numbered: bool,
        found: &mut BTreeMap<Span, HostDirective>,
    ) -> Option<()> {
        let mut around = around;
        if let StmtKind::Directed { directive, .. } = &s.kind {
            let line = self.cx.pragmas[*directive].span;
            let d = self.for_threads(line, Some(around), numbered)?;
            around = d.leaves.last().copied().unwrap_or(around);
            found.insert(line, d);
        }
        let mut inner = walk::children(s).into_iter();
        inner.try_for_each(|inner| self.for_threads_inside(inner, around, numbered, found))
    }

    fn lines_of_openmp(&self, span: Span) -> usize {
        let text = self.text(span);
        let words = |line: &str| {
            let mut words = line.trim().strip_prefix('#')?.split_whitespace().map(str::to_owned);
            Some((words.next()?, words.next()?))
        };
        text.lines().filter_map(words).filter(|(first, second)| first == "pragma" && second == "omp").count()
    }
}
