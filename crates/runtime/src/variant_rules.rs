//! The rules of `ACCL_VARIANT`: which variant the user tells a launch to take.
//!
//! The value is a list of entries `function:line=name`; the first entry for a launch's location counts that names a variant of its kernel. Everything that keeps an
//! entry from its effect is said in a warning, once ([`warn`]); an entry that told no launch, at the program's end.

use crate::config::config;
use crate::log;
use std::collections::BTreeSet;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

/// How the value calls the variant that needs nothing.
pub const PLAIN: &str = "plain";

/// What the value has to be, for the message about one that is not.
pub const FORM: &str =
    "a list of `function:line=variant`, such as `main:12=wide`, where `*` stands for any function or line";

/// An entry of the list.
#[derive(Debug)]
pub struct Rule {
    /// The entry as the user wrote it.
    text: String,
    /// None: any.
    function: Option<String>,
    /// None: any.
    line: Option<i32>,
    pub variant: String,
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
    let (location, variant) = entry.rsplit_once('=')?;
    let (function, line) = match location.trim() {
        "*" => ("*", "*"),
        location => location.rsplit_once(':')?,
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
    /// The entry is for launches there.
    pub fn is_for(&self, function: &str, line: i32) -> bool {
        self.function.as_deref().is_none_or(|own| own == function) && self.line.is_none_or(|own| own == line)
    }

    /// A launch was told by it.
    pub fn use_now(&self) {
        self.used.store(true, Ordering::Relaxed);
    }
}

/// At the program's end: says which entries had no effect.
pub fn report_unused() {
    for rule in config().variants.iter().filter(|rule| !rule.used.load(Ordering::Relaxed)) {
        let text = &rule.text;
        warn(format!(
            "ACCL_VARIANT: no launch was told by `{text}`: there was none at that location, or an entry before it told all"
        ));
    }
}

/// Warns once in these words.
pub fn warn(text: String) {
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
