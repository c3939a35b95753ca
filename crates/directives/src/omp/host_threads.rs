//! Directives as the host's compiler is to read them where it runs a construct for a device: teams and threads are the host's
//! then. Nothing is left of data, which has been seen to, and of what compilers may ignore.
//!
//! Where nobody asks for numbers there is one team, a region of one thread. Where programs do, the construct stays a target
//! construct: compilers allow `teams` nowhere else, but do not know target constructs as well as others.
//!
//! `None` where compilers of OpenMP 5.0 do not know a construct or a clause: one thread runs such a construct.

use super::ast::{Leaf, OmpClause, OmpClauseKind, OmpDirective, OmpName};
use super::parse;
use crate::ast::Section;
use accl_source::FileId;

/// A directive for the host's compiler.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HostDirective {
    /// What stands after the sentinel; empty: no directive.
    pub text: String,
    /// The constructs of which it consists for devices.
    pub leaves: Vec<Leaf>,
    /// It says how many teams or threads there are.
    pub is_sized: bool,
    /// It joins loops.
    pub joins: bool,
    /// Variables that are mapped or reduced as wholes.
    pub shared: Vec<String>,
    /// Variables of which threads have copies.
    pub copied: Vec<String>,
}

/// The translation of what stands after `#pragma omp`; `around`: the innermost construct that it stands in, none for the
/// directive of the target construct itself. `numbered`: teams have numbers.
pub fn directive(text: &str, around: Option<Leaf>, numbered: bool) -> Option<HostDirective> {
    let (Some(parsed), _) = parse::directive(text, FileId(0), 0) else { return None };
    let as_written = || HostDirective { text: text.trim().to_owned(), ..HostDirective::default() };
    let leaves = match &parsed.name {
        OmpName::Constructs(leaves) => leaves,
        OmpName::Barrier | OmpName::Flush | OmpName::Taskwait => return Some(as_written()),
        OmpName::Atomic(_) => {
            let is_new = ["compare", "fail", "weak"].iter().any(|word| text.contains(word));
            return (!is_new).then(as_written);
        }
        OmpName::Nothing => return Some(HostDirective::default()),
        _ => return None,
    };
    if leaves.contains(&Leaf::Target) != around.is_none() {
        return None;
    }
    match leaves[..] {
        [Leaf::Critical] => return Some(HostDirective { leaves: leaves.clone(), ..as_written() }),
        [Leaf::Unroll] => return Some(HostDirective::default()),
        _ => {}
    }
    let leaves = known(leaves, around, &parsed)?;
    let (alone, on) = if numbered { (vec![], leaves.clone()) } else { of_one_team(&leaves) };
    let mut words: Vec<String> = on.iter().map(|leaf| word(*leaf).to_owned()).chain(alone).collect();
    if !on.is_empty() {
        for clause in &parsed.clauses {
            let written = text.get(clause.span.start as usize..clause.span.end as usize)?;
            words.extend(known_clause(clause, &on, &leaves, (written, text))?);
        }
    }
    let sizes =
        |c: &OmpClause| matches!(c.kind, OmpClauseKind::NumTeams { .. } | OmpClauseKind::ThreadLimit(_));
    let is_sized = parsed.clauses.iter().any(sizes);
    let joins = parsed.clauses.iter().any(|c| c.name == "collapse");
    let named = |list: fn(&OmpClauseKind) -> &[Section]| {
        let sections = parsed.clauses.iter().flat_map(move |c| list(&c.kind)).filter(|s| s.is_whole());
        sections.filter_map(Section::as_variable).map(str::to_owned).collect()
    };
    let (shared, copied) = (named(shared), named(copied));
    Some(HostDirective { text: words.join(" "), leaves, is_sized, joins, shared, copied })
}

/// The constructs of one team, and what more it takes.
fn of_one_team(leaves: &[Leaf]) -> (Vec<String>, Vec<Leaf>) {
    let alone = || vec!["num_threads(1)".to_owned()];
    let leaves = leaves.strip_prefix(&[Leaf::Target]).unwrap_or(leaves);
    match leaves {
        [Leaf::Teams] => (alone(), vec![Leaf::Parallel]),
        [Leaf::Teams, Leaf::Distribute] => (alone(), vec![Leaf::Parallel, Leaf::For]),
        [Leaf::Teams, Leaf::Distribute, Leaf::Simd] => (alone(), vec![Leaf::Parallel, Leaf::For, Leaf::Simd]),
        [Leaf::Teams, Leaf::Distribute, of_threads @ ..] => (vec![], of_threads.to_vec()),
        [Leaf::Distribute] => (vec![], vec![Leaf::For]),
        [Leaf::Distribute, Leaf::Simd] => (vec![], vec![Leaf::For, Leaf::Simd]),
        [Leaf::Distribute, of_threads @ ..] => (vec![], of_threads.to_vec()),
        _ => (vec![], leaves.to_vec()),
    }
}

fn word(leaf: Leaf) -> &'static str {
    match leaf {
        // By the name that all compilers know.
        Leaf::Masked => "master",
        _ => leaf.name(),
    }
}

/// The constructs, without those that not all compilers know.
fn known(leaves: &[Leaf], around: Option<Leaf>, d: &OmpDirective) -> Option<Vec<Leaf>> {
    if leaves.iter().any(|leaf| matches!(leaf, Leaf::Scope | Leaf::Tile | Leaf::Unroll)) {
        return None;
    }
    let Some((Leaf::Loop, before)) = leaves.split_last() else { return Some(leaves.to_vec()) };
    let has_copies = || d.clauses.iter().any(|c| !matches!(c.name, "bind" | "order" | "collapse"));
    let in_loop = [Leaf::Distribute, Leaf::For, Leaf::Simd, Leaf::Taskloop];
    let divided: &[Leaf] = match (before.last(), around) {
        (Some(Leaf::Teams), _) | (None, Some(Leaf::Teams)) => &[Leaf::Distribute, Leaf::Parallel, Leaf::For],
        (Some(Leaf::Target), _) | (None, Some(Leaf::Target)) => &[Leaf::Parallel, Leaf::For],
        (Some(Leaf::Parallel), _) | (None, Some(Leaf::Parallel)) => &[Leaf::For],
        // Its thread runs the loop.
        (None, Some(around)) if in_loop.contains(&around) => match has_copies() {
            true => &[Leaf::Simd],
            false => &[],
        },
        _ => return None,
    };
    Some([before, divided].concat())
}

/// The clause as the host's compiler reads it `on` the constructs that stand for `leaves`; nothing where it is of no concern to it.
/// `None`: it may not know it.
fn known_clause(
    clause: &OmpClause,
    on: &[Leaf],
    leaves: &[Leaf],
    (written, line): (&str, &str),
) -> Option<Option<String>> {
    let has = |leaf| on.contains(&leaf);
    let of_target = leaves.contains(&Leaf::Target);
    let keep = Some(Some(written.to_owned()));
    match (clause.name, &clause.kind) {
        (
            "map" | "defaultmap" | "device" | "is_device_ptr" | "has_device_addr" | "uses_allocators"
            | "allocate" | "order" | "nontemporal" | "bind" | "affinity",
            _,
        ) => Some(None),
        ("depend" | "nowait", _) if of_target => Some(None),
        ("in_reduction", _) if of_target => None,
        (_, OmpClauseKind::If(of, condition)) => {
            let condition = line.get(condition.span.start as usize..condition.span.end as usize)?;
            let of_parallel = of.is_none() || of.as_deref() == Some("parallel");
            match () {
                _ if leaves.contains(&Leaf::Parallel) && of_parallel => {
                    Some(Some(format!("if(parallel: {condition})")))
                }
                _ if has(Leaf::Task) || has(Leaf::Taskloop) => Some(Some(format!("if({condition})"))),
                _ => Some(None),
            }
        }
        ("num_teams" | "thread_limit" | "dist_schedule", _) if !has(Leaf::Target) && !has(Leaf::Teams) => {
            Some(None)
        }
        (_, OmpClauseKind::NumTeams { upper, .. }) => {
            let upper = line.get(upper.span.start as usize..upper.span.end as usize)?;
            Some(Some(format!("num_teams({upper})")))
        }
        // Only of teams before OpenMP 5.1.
        (_, OmpClauseKind::ThreadLimit(_)) if !has(Leaf::Teams) => None,
        (_, OmpClauseKind::Default(value)) => match value.as_str() {
            "none" => Some(None),
            "shared" => keep,
            _ => None,
        },
        ("copyin" | "filter" | "sizes", _) => None,
        _ if written.contains("strict") => None,
        _ => keep,
    }
}

fn shared(kind: &OmpClauseKind) -> &[Section] {
    match kind {
        OmpClauseKind::Map(map) => &map.sections,
        OmpClauseKind::Reduction { sections, .. } | OmpClauseKind::DeclaredReduction { sections, .. } => {
            sections
        }
        _ => &[],
    }
}

fn copied(kind: &OmpClauseKind) -> &[Section] {
    match kind {
        OmpClauseKind::Private(sections)
        | OmpClauseKind::Firstprivate(sections)
        | OmpClauseKind::Lastprivate(sections)
        | OmpClauseKind::Linear(sections, _)
        | OmpClauseKind::Reduction { sections, .. }
        | OmpClauseKind::ReductionInOrder { sections, .. }
        | OmpClauseKind::DeclaredReduction { sections, .. } => sections,
        _ => &[],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(line: &str, around: Option<Leaf>) -> Option<String> {
        directive(line, around, false).map(|d| d.text)
    }

    fn numbered(line: &str) -> Option<String> {
        directive(line, None, true).map(|d| d.text)
    }

    #[test]
    fn data_clauses_are_left_out() {
        let line =
            "target teams distribute parallel for if(n > 3) map(to: a[0:n]) num_teams(2:4) reduction(+: sum)";
        let expected =
            "target teams distribute parallel for if(parallel: n > 3) num_teams(4) reduction(+: sum)";
        assert_eq!(numbered(line).as_deref(), Some(expected));
        let d = directive(line, None, false).unwrap();
        assert_eq!(d.text, "parallel for if(parallel: n > 3) reduction(+: sum)");
        assert_eq!((d.shared, d.copied), (vec!["sum".to_owned()], vec!["sum".to_owned()]));
        let both = "target teams distribute parallel for if(target: is_known(p)) if(parallel: n > 3)";
        assert_eq!(directive(both, None, false).unwrap().text, "parallel for if(parallel: n > 3)");
        assert_eq!(numbered("target if(target: n) nowait depend(out: a)").as_deref(), Some("target"));
    }

    #[test]
    fn a_team_that_is_not_numbered_is_a_region_of_one_thread() {
        let found = |line| text(line, None).unwrap();
        assert_eq!(found("target map(to: a) private(b)"), "");
        assert_eq!(found("target teams private(b) num_teams(4)"), "parallel num_threads(1) private(b)");
        assert_eq!(found("target teams distribute if(c)"), "parallel for num_threads(1)");
        assert_eq!(found("target parallel nowait"), "parallel");
        assert_eq!(
            text("distribute simd collapse(2)", Some(Leaf::Teams)).as_deref(),
            Some("for simd collapse(2)")
        );
    }

    #[test]
    fn a_loop_is_shared_by_whoever_runs_what_it_stands_in() {
        let found = |around| text("loop private(x) bind(thread)", Some(around));
        assert_eq!(found(Leaf::Teams).as_deref(), Some("parallel for private(x)"));
        assert_eq!(found(Leaf::Parallel).as_deref(), Some("for private(x)"));
        assert_eq!(found(Leaf::For).as_deref(), Some("simd private(x)"));
        assert_eq!(found(Leaf::Critical), None);
        assert_eq!(text("loop", Some(Leaf::For)).as_deref(), Some(""));
    }

    #[test]
    fn what_is_new_is_not_translated() {
        let found = |line| text(line, Some(Leaf::Parallel));
        assert_eq!(found("scope"), None);
        assert_eq!(found("masked").as_deref(), Some("master"));
        assert_eq!(found("masked filter(2)"), None);
        assert_eq!(found("atomic compare"), None);
        assert_eq!(found("atomic capture seq_cst").as_deref(), Some("atomic capture seq_cst"));
        assert_eq!(found("target device(ancestor: 1)"), None);
    }
}
