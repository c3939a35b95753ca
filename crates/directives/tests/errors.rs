//! Mistakes, as the user sees them. The expected text is in tests/snapshots.

use accl_directives::*;
use accl_source::{FileId, Files, render};

/// All diagnostics of each directive, rendered, one under the other.
fn rendered(directives: &str) -> String {
    let mut out = String::new();
    for line in directives.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let mut files = Files::new();
        let text = format!("#pragma acc {line}");
        let file = files.add("t.c", text.as_str());
        let parsed = parse(Sentinel::Acc, &text[11..], file, 11);
        assert!(!parsed.diagnostics.is_empty(), "no diagnostic for `{line}`");
        out += &render::text::render(&files, &parsed.diagnostics, &render::Options::default());
        out += &match parsed.directive {
            Some(directive) => format!("left: {directive}\n\n\n"),
            None => "left: nothing\n\n\n".to_owned(),
        };
    }
    out
}

macro_rules! errors {
    ($($name:ident: $directives:literal)*) => {
        $(#[test] fn $name() { insta::assert_snapshot!(rendered($directives)); })*
    };
}

errors! {
    unknown_directives: "
        paralel loop gang
        parallell
        enter dta copyin(a)
        enter
        gang vector
        frobnicate
        (a)"
    unknown_clauses: "
        parallel loop copyni(a) gang
        parallel loop frobnicate(a, (b)) gang
        loop gangs
        data 42 copy(a) + (x) [y]"
    clauses_not_allowed: "
        kernels firstprivate(x)
        data num_gangs(3) copy(a)
        loop copyin(a)
        enter data copy(a) copyin(b)
        exit data self(a) delete(b)"
    clauses_given_twice: "
        parallel if(a) if(b)
        loop gang gang
        parallel num_gangs(1) device_type(nvidia) num_gangs(2) num_gangs(3)
        loop gang(static: 1, static: 2)"
    parentheses: "
        parallel loop copyin(a, b vector
        parallel if((a) num_gangs(2)
        parallel copyin) gang
        loop tile(2]"
    arguments: "
        parallel if
        parallel loop reduction
        data copy
        parallel async()
        data copy()
        loop seq(3)
        loop gang()
        parallel num_gangs(1, 2, 3, 4)
        parallel num_workers(1, 2)
        loop collapse(force:)"
    lists: "
        data copy(a,,b)
        data copy(a,)
        data copy(a b)
        parallel loop, , gang
        parallel loop gang,"
    reductions: "
        parallel reduction(-:x)
        parallel reduction(plus:x)
        parallel reduction(x)
        parallel reduction(+:)
        parallel reduction(+ x)"
    sections: "
        data copy(a[0:n:2])
        data copy(a[])
        data copy(a[0:n)
        data copy(a[0:n:0:1])
        data ccopyin(a[0:n:0:])
        data ccopyin(a[0:n:0:1][0:m])
        data copy(s[0:n].p[0:m])
        data copy(3)
        data copy(s.)
        data copy((a))"
    expressions: "
        parallel if(a = b)
        parallel if(a +)
        parallel if(* )
        parallel if(int)
        parallel if(12abc)
        parallel if(a ? b)
        parallel if(a @ b)
        parallel if(f(a)
        parallel if(a[1)"
    contradictions: "
        loop seq gang
        loop vector(32) seq
        loop independent seq
        parallel loop auto independent
        parallel default(all)
        parallel default(shared, none)"
    variables_twice: "
        parallel loop private(s) reduction(+:s)
        parallel firstprivate(s) private(s)
        data copyin(a[0:n]) copyout(a[0:n])
        parallel reduction(+:s) reduction(*:s)
        data copy(a, a)"
    counts: "
        loop collapse(0)
        loop collapse(-1)
        loop collapse(1.5)
        loop collapse(f(x) + a[1])
        parallel num_gangs(0) num_workers(-1) vector_length(0)
        loop tile(0, 4)
        loop gang(dim: 4)"
    routines: "
        routine
        routine seq gang
        routine(3) seq"
    atomics: "
        atomic updte
        atomic frobnicate
        atomic read write"
    required_clauses: "
        data
        enter data
        exit data finalize
        host_data
        update async
        set
        declare"
    modifiers: "
        data copyin(zero: a)
        data present(readonly: a)
        data ccopyin(bits: a)
        data ccopyin(scheme(magic): a)
        data ccopyin(error(1e-3): a)
        data ccopyin(bits(8) scheme(block): a)
        parallel wait(devnum: 1)"
    caches_and_windows: "
        cache
        cache()
        fcw
        fcw FETCH_ONYL(a[i:1:1])
        fcw FETCH_ONLY
        fcw FETCH_ONLY(a)
        fcw FETCH_ONLY(a[i:1])
        fcw FETCH_ONLY()"
}

#[test]
fn no_directive_at_all() {
    let parsed = parse(Sentinel::Acc, "  ", FileId(0), 11);
    assert!(parsed.directive.is_none());
    assert_eq!(parsed.diagnostics[0].message, "no directive behind `acc`");
}

#[test]
fn deep_and_long_expressions_are_refused_not_overrun() {
    for text in [
        format!("parallel if({}x{})", "(".repeat(10_000), ")".repeat(10_000)),
        format!("parallel if({}x)", "-".repeat(10_000)),
        format!("parallel if(x{})", "+x".repeat(10_000)),
        format!("parallel if(x{})", "[0]".repeat(10_000)),
        format!("parallel if(x{})", "?x:x".repeat(10_000)),
        format!("parallel if({}x{})", "(".repeat(60), ".m++)".repeat(60 * 20)),
        format!("parallel if({}x{})", "(".repeat(50), format!("{})", ".m".repeat(200)).repeat(50)),
    ] {
        let parsed = parse(Sentinel::Acc, &text, FileId(0), 0);
        assert!(parsed.has_errors());
    }
    let text = format!("data copy({})", vec!["a[0:n+1]"; 10_000].join(","));
    assert_eq!(parse(Sentinel::Acc, &text, FileId(0), 0).diagnostics.len(), 1);
}
