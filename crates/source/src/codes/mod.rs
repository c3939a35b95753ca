//! The documentation of every diagnostic code and remark id: one table, in parts.
//!
//! Each phase has its own file and range, so that two people adding codes do not meet:
//!
//! | range | phase | file |
//! |---|---|---|
//! | ACCL00xx | driver | `driver.rs` |
//! | ACCL01xx | directives | `directives.rs` |
//! | ACCL02xx–03xx | frontend: binding, lowering | `frontend.rs` |
//! | ACCL04xx | analysis | `analysis.rs` |
//! | ACCL05xx | transforms | `transforms.rs` |
//! | ACCL06xx | codegen | `codegen.rs` |
//! | ACCL07xx | host | `host.rs` |
//! | ACCL08xx | run time | `runtime.rs` |
//! | ACCL09xx | tuner | `tuner.rs` |
//! | ACCL-Rxxxx | remarks, from all phases | `remarks.rs` |
//!
//! To add one, write a line in its file's `codes!`; the constant is then
//! `accl_source::codes::frontend::NAME`, and `accl help ACCL0201` prints the paragraph. A number once
//! released keeps its meaning for ever.

/// Makes a constant per code and the `TABLE` of all of them.
macro_rules! codes {
    ($($name:ident = $code:literal, $title:literal, $doc:expr;)*) => {
        $(#[doc = $title] pub const $name: &str = $code;)*
        pub(super) const TABLE: &[$crate::codes::CodeDoc] =
            &[$($crate::codes::CodeDoc { code: $code, title: $title, doc: $doc }),*];
    };
}

pub mod analysis;
pub mod codegen;
pub mod directives;
pub mod driver;
pub mod frontend;
pub mod host;
pub mod remarks;
pub mod runtime;
pub mod transforms;
pub mod tuner;

const TABLES: &[&[CodeDoc]] = &[
    driver::TABLE,
    directives::TABLE,
    frontend::TABLE,
    analysis::TABLE,
    transforms::TABLE,
    codegen::TABLE,
    host::TABLE,
    runtime::TABLE,
    tuner::TABLE,
    remarks::TABLE,
];

/// Limits of the compiler: the program is right, and only cannot be translated for a device. A construct that fails so runs on
/// the host, with a warning. What the user has to mend is none of them: unknown names, wrong clauses and types, races.
pub fn is_limit(code: &str) -> bool {
    const LIMITS: &[&str] = &[
        frontend::NOT_IMPLEMENTED,
        frontend::UNSUPPORTED,
        frontend::UNUSABLE_TYPE,
        frontend::CALL,
        frontend::GOTO,
        frontend::PRINTED,
        transforms::NO_BODY,
        transforms::RECURSION,
        transforms::CANNOT_INLINE,
        transforms::UNSUPPORTED_TYPE,
        transforms::POINTER_CHANGED,
        codegen::NOT_IN_THIS_LANGUAGE,
    ];
    LIMITS.contains(&code)
}

/// A code's page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CodeDoc {
    pub code: &'static str,
    pub title: &'static str,
    /// One paragraph: what it means, why it is so, what to do.
    pub doc: &'static str,
}

/// Every page, in the order of the table above.
pub fn all() -> impl Iterator<Item = &'static CodeDoc> {
    TABLES.iter().flat_map(|table| table.iter())
}

/// The page of a code, however the letters are written.
pub fn lookup(code: &str) -> Option<&'static CodeDoc> {
    all().find(|doc| doc.code.eq_ignore_ascii_case(code))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_unique_and_well_formed() {
        let mut seen = std::collections::BTreeSet::new();
        for doc in all() {
            assert!(seen.insert(doc.code), "{} stands twice", doc.code);
            let digits = doc.code.strip_prefix("ACCL-R").or(doc.code.strip_prefix("ACCL"));
            assert!(digits.is_some_and(|d| d.len() == 4 && d.parse::<u32>().is_ok()), "{}", doc.code);
            assert!(!doc.title.ends_with('.') && doc.doc.ends_with('.'), "{}", doc.code);
        }
    }

    #[test]
    fn lookup_ignores_case() {
        assert_eq!(lookup("accl0101").unwrap().code, directives::UNKNOWN_DIRECTIVE);
        assert!(lookup("ACCL9999").is_none());
    }
}
