//! `ACCL_VARIANT`: the variant that the user tells a launch to take.
//!
//! The value is a list of entries `function:line=name`; the first entry for a launch's place counts. A variant is named as
//! [`super::variant_name`] does. It is taken where the launch has what the variant cannot do without; whether it pays is
//! then the user's business. Everything that keeps an entry from its effect is said in a warning, once: a name that the
//! kernel has no variant of, a need that does not hold, a device that has one version only, a place without a launch.
//!
//! Invariant: where the variable is not set, a launch that is decided anew pays one comparison, one that is repeated nothing.

use super::Range;
use super::choose::{Candidates, Form, unmet};
use super::variant_name::{PLAIN, name, names};
use crate::areas::Areas;
use crate::config::config;
use crate::data::Task;
use crate::device::Kind;
use crate::log;
use accl_abi::{Kernel, Variant, needs};
use std::collections::BTreeSet;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

/// What the value has to be, for the message about one that is not.
pub const FORM: &str =
    "a list of `function:line=variant`, such as `main:12=wide`, where `*` stands for any function or line";

/// An entry of the list.
#[derive(Debug)]
pub struct Rule {
    /// As the user wrote it.
    text: String,
    /// None: any.
    function: Option<String>,
    /// None: any.
    line: Option<i32>,
    variant: String,
    /// A launch was told by it.
    used: AtomicBool,
}

/// The entries of a value; `None` where one has another form.
pub fn parse(value: &str) -> Option<Vec<Rule>> {
    let entries = value.split([',', ';']).map(str::trim).filter(|entry| !entry.is_empty());
    let rules: Vec<Rule> = entries.map(rule).collect::<Option<_>>()?;
    (!rules.is_empty()).then_some(rules)
}

/// Names of C++ functions may have the signs `:` and `=` themselves.
fn rule(entry: &str) -> Option<Rule> {
    let (place, variant) = entry.rsplit_once('=')?;
    let (function, line) = match place.trim() {
        "*" => ("*", "*"),
        place => place.rsplit_once(':')?,
    };
    let (function, line) = (function.trim(), line.trim());
    let line = if line == "*" { None } else { Some(line.parse().ok().filter(|line| *line > 0)?) };
    if function.is_empty() {
        return None;
    }
    Some(Rule {
        text: entry.to_owned(),
        function: (function != "*").then(|| function.to_owned()),
        line,
        variant: match variant.trim() {
            "" => PLAIN.to_owned(),
            name => name.to_owned(),
        },
        used: AtomicBool::new(false),
    })
}

impl Rule {
    fn is_for(&self, function: &str, line: i32) -> bool {
        self.function.as_deref().is_none_or(|own| own == function) && self.line.is_none_or(|own| own == line)
    }
}

/// The one variant that is named for the launch, where it can run it; `usual` are those that the launch chooses from otherwise.
#[inline]
pub(super) fn candidates<'a>(
    task: &Task,
    kernel: &Kernel,
    variants: &'static [Variant],
    usual: Candidates<'a>,
    areas: Option<&Areas>,
    ranges: &[Range],
) -> Option<Candidates<'a>> {
    let rules = &config().variants;
    if rules.is_empty() {
        return None;
    }
    let at = named(rules, task, variants)?;
    let variant = &variants[at];
    let why = if areas.is_some_and(|areas| !areas.fit(kernel, at, variant)) {
        Some("its arrays do not fit into a block's shared memory")
    } else if variant.needs & needs::DECODED != 0 {
        // Its arrays' places are known when their plain copies are.
        None
    } else {
        unmet(variant, ranges, usual.trips, usual.num_gangs)
    };
    if let Some(why) = why {
        not_taken(task, variants, at, why);
        return None;
    }
    Some(Candidates { variants: &variants[at..=at], first: at as u32, half_full: None, ..usual })
}

/// Says why a launch does not take the variant that is named, having found how its compressed arrays are handed to it.
#[cold]
pub(super) fn refused(task: &Task, variants: &[Variant], named: &Candidates, ranges: &[Range], form: Form) {
    let why = match &named.variants[0] {
        variant if form == Form::Decoded => unmet(variant, ranges, named.trips, named.num_gangs),
        _ => None,
    };
    let why = why.unwrap_or("its compressed arrays have no plain copies, or none can be made");
    not_taken(task, variants, named.first as usize, why);
}

/// The position of the variant that an entry names for a launch.
#[cold]
fn named(rules: &[Rule], task: &Task, variants: &[Variant]) -> Option<usize> {
    let (function, line) = (task.place.function(), task.place.0.line);
    let rule = rules.iter().find(|rule| rule.is_for(&function, line))?;
    rule.used.store(true, Ordering::Relaxed);
    if task.state.device.info().kind == Kind::Cpu {
        warn("ACCL_VARIANT has no effect on the cpu device, which has one version of each kernel".to_owned());
        return None;
    }
    let found = (0..variants.len()).find(|at| name(variants, *at) == rule.variant);
    if found.is_none() {
        let (wanted, known, place) = (&rule.variant, names(variants), task.place.describe(0));
        warn(format!("ACCL_VARIANT: the kernel has no variant {wanted}; its variants: {known}\n  {place}"));
    }
    found
}

fn not_taken(task: &Task, variants: &[Variant], at: usize, why: &str) {
    let (name, place) = (name(variants, at), task.place.describe(0));
    warn(format!(
        "ACCL_VARIANT: the variant {name} cannot run a launch, which takes the usual choice: {why}\n  {place}"
    ));
}

/// At the program's end: says which entries had no effect.
pub fn report_unused() {
    for rule in config().variants.iter().filter(|rule| !rule.used.load(Ordering::Relaxed)) {
        let text = &rule.text;
        warn(format!(
            "ACCL_VARIANT: no launch was told by `{text}`: there was none at that place, or an entry before it told all"
        ));
    }
}

/// Warns once in these words.
fn warn(text: String) {
    static TOLD: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());
    let mut told = TOLD.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    if !told.contains(&text) {
        log::warning(&text);
        told.insert(text);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Function, line and variant of the first entry.
    fn first(value: &str) -> (String, i32, String) {
        let rule = parse(value).unwrap().remove(0);
        (rule.function.unwrap_or("any".to_owned()), rule.line.unwrap_or(-1), rule.variant)
    }

    #[test]
    fn an_entry_names_function_line_and_variant() {
        let expected = |function: &str, line, variant: &str| (function.to_owned(), line, variant.to_owned());
        assert_eq!(first("main:12=wide"), expected("main", 12, "wide"));
        assert_eq!(first(" main : 12 = wide "), expected("main", 12, "wide"));
        assert_eq!(first("main:*=plain"), expected("main", -1, "plain"));
        assert_eq!(first("*:12="), expected("any", 12, "plain"));
        assert_eq!(first("*=jam"), expected("any", -1, "jam"));
        assert_eq!(first("*:*=jam"), expected("any", -1, "jam"));
        assert_eq!(first("a::operator=:7=jam"), expected("a::operator=", 7, "jam"));
    }

    #[test]
    fn entries_are_separated_by_commas_or_semicolons() {
        let all = parse("main:12=wide, f:3=jam;*=plain,").unwrap();
        let names: Vec<&str> = all.iter().map(|rule| rule.variant.as_str()).collect();
        assert_eq!(names, ["wide", "jam", "plain"]);
    }

    #[test]
    fn other_forms_are_refused() {
        for value in
            ["wide", "main=wide", "main:x=wide", "main:0=wide", ":12=wide", "main:12", ",", "*=jam,wide"]
        {
            assert!(parse(value).is_none(), "{value}");
        }
    }

    #[test]
    fn an_entry_is_for_its_place() {
        let is_for = |entry: &str, function, line| rule(entry).unwrap().is_for(function, line);
        assert!(is_for("main:12=wide", "main", 12));
        assert!(!is_for("main:12=wide", "main", 13) && !is_for("main:12=wide", "other", 12));
        assert!(
            is_for("main:*=wide", "main", 13) && is_for("*:12=wide", "other", 12) && is_for("*=", "f", 1)
        );
    }
}
