//! The tables that drive parsing: what exists, where it may stand, and what it takes.
//!
//! Adding a clause is one row in [`clauses`] and one variant of [`crate::ast::ClauseKind`]; see
//! docs/add-a-clause.md. Combined constructs are not mentioned in the tables: `parallel loop` accepts
//! what `parallel` or `loop` accepts (OpenACC 3.3 §2.11).

mod clauses;
mod directives;

pub use clauses::{CLAUSES, lookup_clause};
pub(crate) use directives::atomic_kind;
pub use directives::{DIRECTIVES, DirectiveSpec, lookup_directive};

use crate::ast::{CExpr, ClauseKind, DataKind, DataModifier, Section};
use crate::parse::custom::COMPRESSION_MODIFIERS;
use crate::parse::{Parsed, Parser};

/// A row of the clause table.
pub struct ClauseSpec {
    /// The canonical spelling.
    pub name: &'static str,
    pub aliases: &'static [&'static str],
    /// The directives that accept it, combined ones aside.
    pub on: &'static [DirectiveName],
    /// At most once on a directive, for each device type.
    pub once: bool,
    pub args: Args,
    /// Where it is specified.
    pub spec: &'static str,
    /// One sentence for users.
    pub doc: &'static str,
    /// Not in the standard.
    pub extension: bool,
}

/// The grammar of a clause's argument, with the constructor of its node.
pub enum Args {
    None(fn() -> ClauseKind),
    /// `(expr)`
    Expr(fn(CExpr) -> ClauseKind),
    /// nothing or `(expr)`
    OptExpr(fn(Option<CExpr>) -> ClauseKind),
    /// nothing, `(expr)` or `(word: expr)`
    OptKeyed(&'static str, fn(Option<CExpr>) -> ClauseKind),
    /// `(expr, ...)`, at most so many
    Exprs(usize, fn(Vec<CExpr>) -> ClauseKind),
    /// `(variable, ...)`, sections allowed
    Vars(fn(Vec<Section>) -> ClauseKind),
    /// `(modifier, ...: variable, ...)`
    Data(DataKind),
    /// `(bits(n), scheme(s), ...: variable, ...)`
    Compressed(DataKind),
    /// Its own grammar, as users read it; called only with a parenthesis, whose content it reads.
    Custom(&'static str, fn(&mut Parser<'_>) -> Parsed<ClauseKind>),
    /// The same, or nothing at all.
    OptCustom(fn() -> ClauseKind, &'static str, fn(&mut Parser<'_>) -> Parsed<ClauseKind>),
}

impl ClauseSpec {
    /// What stands after the clause's name, as users read it; brackets hold what may be left out.
    pub fn grammar(&self) -> String {
        match &self.args {
            Args::None(_) => String::new(),
            Args::Expr(_) => "(expr)".to_owned(),
            Args::OptExpr(_) => "[(expr)]".to_owned(),
            Args::OptKeyed(word, _) => format!("[([{word}:] expr)]"),
            Args::Exprs(most, _) => format!("(expr{}{})", "[, expr".repeat(most - 1), "]".repeat(most - 1)),
            Args::Vars(_) => "(list)".to_owned(),
            Args::Data(kind) => {
                let modifiers = DataModifier::ALL.into_iter().filter(|m| m.applies_to(*kind));
                let names: Vec<&str> = modifiers.map(DataModifier::name).collect();
                if names.is_empty() {
                    "(list)".to_owned()
                } else {
                    format!("([{}, …:] list)", names.join(", "))
                }
            }
            Args::Compressed(_) => format!("([{}:] list)", COMPRESSION_MODIFIERS.join("(…), ") + "(…)"),
            Args::Custom(grammar, _) => format!("({grammar})"),
            Args::OptCustom(_, grammar, _) => format!("[({grammar})]"),
        }
    }
}

/// The name of a directive, as the tables know it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DirectiveName {
    Parallel,
    Kernels,
    Serial,
    ParallelLoop,
    KernelsLoop,
    SerialLoop,
    Data,
    EnterData,
    ExitData,
    HostData,
    Loop,
    Cache,
    Atomic,
    Declare,
    Init,
    Shutdown,
    Set,
    Update,
    Routine,
    Wait,
    Fcw,
    FcwBarrier,
}

impl DirectiveName {
    /// A combined construct's two halves; itself otherwise.
    pub fn parts(self) -> [DirectiveName; 2] {
        match self {
            DirectiveName::ParallelLoop => [DirectiveName::Parallel, DirectiveName::Loop],
            DirectiveName::KernelsLoop => [DirectiveName::Kernels, DirectiveName::Loop],
            DirectiveName::SerialLoop => [DirectiveName::Serial, DirectiveName::Loop],
            other => [other, other],
        }
    }
}

impl ClauseSpec {
    pub fn accepted_on(&self, directive: DirectiveName) -> bool {
        directive.parts().iter().any(|part| self.on.contains(part))
    }

    pub fn is_named(&self, name: &str) -> bool {
        self.name == name || self.aliases.contains(&name)
    }
}

/// Rows are distinguished by their names and the directives that accept them (`self` has two).
impl PartialEq for ClauseSpec {
    fn eq(&self, other: &ClauseSpec) -> bool {
        self.name == other.name && self.on == other.on
    }
}

impl std::fmt::Debug for ClauseSpec {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}
