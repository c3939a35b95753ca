//! Random text never panics, spans stay inside the text, and printing is undone by parsing.
//!
//! The seed is fixed, so that a failure is the change's fault. To look further:
//! `PROPTEST_RNG_SEED=7 PROPTEST_CASES=20000 cargo test -p accl-directives --test fuzz`.

use accl_directives::*;
use accl_source::codes::directives as codes;
use accl_source::{Diagnostic, FileId, Span};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

const OFFSET: u32 = 1000;

fn in_range(span: Span, text: &str) {
    let end = OFFSET + text.len() as u32;
    assert!(span.file == FileId(7) && OFFSET <= span.start && span.start <= span.end && span.end <= end);
    let local = |offset: u32| text.is_char_boundary((offset - OFFSET) as usize);
    assert!(local(span.start) && local(span.end));
}

fn expr_in_range(expr: &CExpr, text: &str) {
    in_range(expr.span, text);
    for child in expr.children() {
        assert!(expr.span.contains(child.span), "{:?} is not inside {:?}", child, expr);
        expr_in_range(child, text);
    }
}

fn all_in_range(parsed: &ParsedDirective, text: &str) {
    let label = |d: &Diagnostic| d.labels.iter().for_each(|(span, _)| in_range(*span, text));
    parsed.diagnostics.iter().for_each(label);
    let Some(directive) = &parsed.directive else { return };
    in_range(directive.span, text);
    in_range(directive.name_span, text);
    for clause in &directive.clauses {
        in_range(clause.span, text);
        assert!(directive.span.contains(clause.span) && clause.span.contains(clause.name_span));
        match &clause.kind {
            ClauseKind::If(e) | ClauseKind::NumWorkers(e) => expr_in_range(e, text),
            ClauseKind::Data(DataClause { sections, .. }) | ClauseKind::Private(sections) => {
                sections.iter().for_each(|s| {
                    in_range(s.span, text);
                    assert!(clause.span.contains(s.span) && s.span.contains(s.base.span));
                    s.exprs().into_iter().for_each(|e| expr_in_range(e, text));
                });
            }
            _ => {}
        }
    }
}

fn survives(text: &str) {
    let parsed = parse(Sentinel::Acc, text, FileId(7), OFFSET);
    all_in_range(&parsed, text);
    if let Some(pragma) = parse_pragma(text, FileId(7), OFFSET) {
        all_in_range(&pragma, text);
    }
}

/// Text that looks like a directive: its words and signs in any order.
fn word_salad() -> impl Strategy<Value = String> {
    let word = prop::sample::select(vec![
        "parallel",
        "loop",
        "data",
        "enter",
        "wait",
        "routine",
        "cache",
        "fcw",
        "FETCH_ONLY",
        "copyin",
        "if",
        "reduction",
        "gang",
        "static",
        "num",
        "collapse",
        "force",
        "private",
        "ccopyin",
        "bits",
        "device_type",
        "default",
        "none",
        "bind",
        "tile",
        "sizeof",
        "int",
        "struct",
        "static_cast",
        "a",
        "n",
        "1",
        "0x",
        "2.5",
        "\"s\"",
        "'c'",
        "(",
        ")",
        "(",
        ")",
        "[",
        "]",
        "{",
        "}",
        ":",
        "::",
        ",",
        "*",
        "+",
        "-",
        "&&",
        "?",
        "=",
        "<",
        ">",
        ">>",
        "->",
        ".",
        "!",
        "\\\n",
        "/*",
        "*/",
        "//",
        "é",
        "\"",
    ]);
    (prop::collection::vec((word, prop::sample::select(vec![" ", "", "  "])), 0..40))
        .prop_map(|words| words.into_iter().flat_map(|(word, blank)| [word, blank]).collect())
}

fn expr() -> impl Strategy<Value = String> {
    let leaf = prop::sample::select(vec![
        "a",
        "n",
        "ns::x",
        "42",
        "0x1fUL",
        "1.5e-3f",
        "'c'",
        "\"s\"",
        "sizeof(int)",
    ])
    .prop_map(str::to_owned);
    leaf.prop_recursive(4, 24, 3, |inner| {
        let binary =
            prop::sample::select(vec!["+", "-", "*", "/", "%", "<<", "<", "==", "&", "^", "|", "&&", "||"]);
        prop_oneof![
            (inner.clone(), binary, inner.clone()).prop_map(|(a, op, b)| format!("{a}{op} {b}")),
            (prop::sample::select(vec!["-", "!", "~", "*", "&", "(int)", "(T *)"]), inner.clone())
                .prop_map(|(op, a)| format!("{op} {a}")),
            inner.clone().prop_map(|a| format!("({a})")),
            (inner.clone(), inner.clone(), inner.clone()).prop_map(|(a, b, c)| format!("({a}) ? {b}:{c}")),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("f({a}, {b})")),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("({a})[{b}]")),
            inner.prop_map(|a| format!("({a})->m.k")),
        ]
    })
}

fn section() -> impl Strategy<Value = String> {
    let base = prop::sample::select(vec!["a", "s.p", "q->r", "this->x", "v[i].c", "*this"]);
    let part = || prop::option::of(expr()).prop_map(Option::unwrap_or_default);
    let dim = prop_oneof![
        (part(), part()).prop_map(|(a, b)| format!("[{a} : {b}]")),
        expr().prop_map(|e| format!("[{e}]"))
    ];
    (base, prop::collection::vec(dim, 0..3)).prop_map(|(base, dims)| format!("{base}{}", dims.concat()))
}

fn clause() -> impl Strategy<Value = String> {
    let with_sections = prop::sample::select(vec![
        "private",
        "firstprivate",
        "reduction(+",
        "reduction(max",
        "copy",
        "pcopyin",
        "copyin(readonly",
        "copyout",
        "create(zero",
        "present",
        "ccopyin",
        "ccopyout(bits(9), scheme(block)",
        "compression",
    ]);
    let with_expr = prop::sample::select(vec![
        "if",
        "async",
        "num_gangs",
        "num_workers",
        "vector_length",
        "gang(static",
        "worker",
        "vector",
        "collapse",
        "tile",
        "wait",
    ]);
    let alone =
        prop::sample::select(vec!["seq", "auto", "independent", "gang", "default(none)", "device_type(*)"]);
    let open = |name: &str| if name.contains('(') { format!("{name}: ") } else { format!("{name}(") };
    prop_oneof![
        (with_sections, prop::collection::vec(section(), 1..3)).prop_map(move |(name, list)| format!(
            "{}{})",
            open(name),
            list.join(",")
        )),
        (with_expr, expr()).prop_map(move |(name, e)| format!("{}{e})", open(name))),
        alone.prop_map(str::to_owned),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, rng_seed: RngSeed::Fixed(1), ..ProptestConfig::default() })]

    #[test]
    fn any_bytes(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        survives(&String::from_utf8_lossy(&bytes));
    }

    #[test]
    fn any_text_behind_a_directive(text in "\\PC{0,80}") {
        survives(&format!("parallel loop {text}"));
        survives(&format!("data copy({text}) if({text})"));
    }

    #[test]
    fn words_in_any_order(text in word_salad()) {
        survives(&text);
        survives(&format!("parallel loop {text}"));
    }

    /// What parses without complaint of syntax prints to a form that parses to the same print.
    #[test]
    fn printing_is_undone_by_parsing(clauses in prop::collection::vec(clause(), 0..5)) {
        let text = format!("parallel loop {}", clauses.join(", "));
        let first = parse(Sentinel::Acc, &text, FileId(7), OFFSET);
        all_in_range(&first, &text);
        let directive = first.directive.expect("a directive");
        // What may not stand after `device_type` is left out.
        let left_out = first.diagnostics.iter().filter(|d| d.code == codes::DEVICE_TYPE).count();
        let written = clauses.iter().filter(|c| !c.starts_with("device_type")).count();
        prop_assert_eq!(directive.clauses.len() + left_out, written, "{}: {:?}", text, first.diagnostics);
        let printed = directive.to_string();
        let second = parse(Sentinel::Acc, &printed, FileId(7), OFFSET);
        let again = second.directive.expect("a directive");
        prop_assert_eq!(&again.to_string(), &printed);
        prop_assert_eq!(again.clauses.len(), directive.clauses.len());
        let codes_of = |list: &[Diagnostic]| list.iter().map(|d| d.code).collect::<Vec<_>>();
        let kept = first.diagnostics.iter().filter(|d| d.code != codes::DEVICE_TYPE).map(|d| d.code);
        prop_assert_eq!(kept.collect::<Vec<_>>(), codes_of(&second.diagnostics), "{} => {}", text, printed);
    }
}
