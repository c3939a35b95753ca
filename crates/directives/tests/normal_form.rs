//! Directive text in, canonical form out.

use accl_directives::*;
use accl_source::{FileId, Files, render};

/// Parses `text`, expects no diagnostics, and compares the printed normal form, which must be a fixed
/// point of parsing.
fn check(text: &str, expected: &str) {
    let parsed = parse_clean(text);
    assert_eq!(parsed.to_string(), expected, "for `{text}`");
    assert_eq!(parse_clean(expected).to_string(), expected, "normal form is not a fixed point");
}

fn parse_clean(text: &str) -> Directive {
    let mut files = Files::new();
    let file = files.add("t.c", text);
    let parsed = parse(Sentinel::Acc, text, file, 0);
    let shown = render::text::render(&files, &parsed.diagnostics, &render::Options::default());
    assert!(parsed.diagnostics.is_empty(), "`{text}`:\n{shown}");
    parsed.directive.expect("a directive")
}

/// Lines of `text => normal form`; without an arrow the text is its own normal form.
fn table(rows: &str) {
    for row in rows.lines().map(str::trim).filter(|row| !row.is_empty()) {
        let (text, expected) = row.split_once(" => ").unwrap_or((row, row));
        check(text.trim(), expected.trim());
    }
}

#[test]
fn every_directive() {
    table(
        "parallel
         kernels
         serial
         parallel loop
         parallel   loop gang => parallel loop gang
         kernels loop
         serial loop
         data copy(a)
         enter data copyin(a)
         exit data delete(a)
         host_data use_device(p)
         loop
         cache(a[i - 1:3])
         cache(readonly: a[0:n], b)
         atomic => atomic update
         atomic read
         atomic write
         atomic update
         atomic capture
         update self(a)
         wait
         wait(1, 2)
         wait(queues: 1, 2) => wait(1, 2)
         wait(devnum: 0 : queues: 1) => wait(devnum: 0 : 1)
         routine seq
         routine(f) vector
         routine(ns::f) vector
         declare create(a)
         init
         shutdown device_type(nvidia) device_num(1)
         set default_async(3)
         init device_type(*)",
    );
}

#[test]
fn compute_clauses() {
    table(
        "parallel async wait => parallel async wait
         parallel async(q + 1), wait(1, 2), if(n > 1000) => parallel async(q + 1) wait(1, 2) if(n > 1000)
         parallel num_gangs(10) num_workers(4) vector_length(128)
         parallel num_gangs(10, 20, 30)
         parallel default(none)
         kernels default(present) self
         serial self(n < 10)
         parallel private(x, y[0:3]) firstprivate(z)
         parallel reduction(+:s) reduction(*:a) reduction(max:m) reduction(min:l)
         parallel reduction(&:a) reduction(|:b) reduction(^:c) reduction(&&:d) reduction(||:e)
         parallel reduction(+ : a , b) => parallel reduction(+:a, b)
         parallel loop reduction(+:s.x, v[0:3]) gang",
    );
}

#[test]
fn data_clauses_and_their_aliases() {
    table(
        "data pcopy(a) pcopyin(b) pcopyout(c) pcreate(d) => data copy(a) copyin(b) copyout(c) create(d)
         data present_or_copy(a) present_or_create(d) => data copy(a) create(d)
         data copyin(readonly: a) copyout(zero: b) create(zero: c)
         data copy(always, capture: a) copyin(alwaysin: b) copyout(alwaysout: c)
         data present(a) no_create(b) deviceptr(c) attach(d)
         exit data copyout(a) delete(b) detach(c) finalize
         declare device_resident(a) link(b)
         update host(a[0:n]) device(b) if_present async(1) wait(2) => update self(a[0:n]) device(b) if_present async(1) wait(2)
         host_data use_device(p, q) if_present if(x)",
    );
}

#[test]
fn sections() {
    table(
        "data copy(a, a1[lo:len], a2[:n], a3[lo:], a4[:], a5[i])
         data copy(a[0:n][0:m])
         data copy(s.a[0:n], p->b[:p->n], v[i].c[0:3], this->d[0:n])
         data copy(*this)
         data copy(ns::a[0:ns::n])
         data copy(a[c ? x : y:n])
         data copy(p -> q . r [ 0 : n ]) => data copy(p->q.r[0:n])",
    );
}

#[test]
fn loop_clauses() {
    table(
        "loop gang worker vector
         loop gang(8) worker(num: 4) vector(length: 128) => loop gang(num: 8) worker(4) vector(128)
         loop gang(static: *)
         loop gang(static: *p, num: *q) tile(*p, *) => loop gang(num: *q, static: *p) tile(*p, *)
         loop gang(static: 4, num: 2, dim: 3) => loop gang(num: 2, static: 4, dim: 3)
         loop seq
         loop auto
         loop independent
         loop collapse(2)
         loop collapse(force: 3)
         loop collapse(N)
         loop tile(32, *)
         loop tile(*,*) => loop tile(*, *)
         loop tile(2 * n, 4)
         loop private(a) reduction(+:s)",
    );
}

#[test]
fn routine_clauses() {
    table(
        "routine gang(dim: 2)
         routine worker bind(f) nohost
         routine seq bind(\"device_f\")",
    );
}

#[test]
fn device_types_apply_to_the_clauses_behind_them() {
    table(
        "loop gang dtype(nvidia) vector(128) device_type(*) vector(64) => loop gang device_type(nvidia) vector(128) device_type(*) vector(64)
         parallel device_type(NVIDIA, acc_device_host) num_gangs(2) => parallel device_type(nvidia, host) num_gangs(2)",
    );
    let loop_ =
        parse_clean("loop gang vector(1) device_type(nvidia) vector(128) device_type(*) vector(64) worker");
    let sizes = |device| {
        let levels = loop_.clauses_for(device).levels;
        let vector = levels.vector.flatten().map(ToString::to_string);
        (levels.gang.is_some(), levels.worker.is_some(), vector)
    };
    assert_eq!(sizes(DeviceKind::Cuda), (true, false, Some("128".into())));
    assert_eq!(sizes(DeviceKind::Cpu), (true, true, Some("64".into())));
    let loop_ = parse_clean("loop gang vector device_type(host, radeon) seq");
    let sequential = |device| {
        let levels = loop_.clauses_for(device).levels;
        (levels.gang.is_some(), levels.seq)
    };
    assert_eq!(DeviceKind::ALL.map(sequential), [(true, false), (false, true), (false, true)]);
}

#[test]
fn expressions() {
    for text in [
        "a ? b : c ? d : e",
        "a || b && c | d ^ e & f == g < h << i + j * k",
        "-a + !b - ~c * *d / &e % - -f",
        "(n + 1) * 2",
        "f(a, b)[i].x->y++",
        "(int)x + (unsigned long)y",
        "(T)x + (T*)p + (size_t)(n)",
        "(a) - b",
        "(f)(x)",
        "sizeof(int) + sizeof(struct s*) + sizeof (a) + sizeof a",
        "0x1fUL + 1.5e-3f + 'c'",
        "strcmp(s, \"a\" \"b\")",
        "static_cast<std::size_t>(n)",
        "ns::n",
        "v.size()",
        "a == b != c",
        "1 <= x",
    ] {
        let expected = text.replace("(T*)", "(T *)").replace("s*)", "s *)");
        check(&format!("parallel if({text})"), &format!("parallel if({expected})"));
    }
    check("parallel if(int(x)+1)", "parallel if(((int)(x)) + 1)");
}

#[test]
fn extensions_are_parsed_and_flagged() {
    table(
        "data compression_copyin(a) pccopy(b) present_or_compression_create(c[0:n:0:1]) => data ccopyin(a) ccopy(b) ccreate(c[0 : n : 0 : 1])
         data ccopyin(bits(12), scheme(block): a[0:n])
         data ccopyout(error(rel: 1e-4), layout(aos): a[0:n][0:m:-1.0:1.0]) => data ccopyout(error(rel: 1e-4), layout(aos): a[0:n][0 : m : -1.0 : 1.0])
         data ccopyin(a[::lo:hi]) => data ccopyin(a[ :  : lo : hi])
         parallel loop compression(a, b[0:n]) gang
         fcw FETCH_ONLY(a[i:1:1]) => fcw FETCH_ONLY(a[i : 1 : 1])
         fcw FETCH_CHANNEL_WB(a[i:1:1:j:0:0] b[i:1:1][j:0:0]), WB_ONLY(c[i:0:0]) => fcw FETCH_CHANNEL_WB(a[i : 1 : 1][j : 0 : 0], b[i : 1 : 1][j : 0 : 0]) WB_ONLY(c[i : 0 : 0])
         fcw_barrier",
    );
    let flagged = |text| parse_clean(text).extensions().into_iter().map(|(name, _)| name).collect::<Vec<_>>();
    assert_eq!(flagged("data pccopyin(a) copy(b)"), ["ccopyin"]);
    assert_eq!(flagged("fcw_barrier"), ["fcw_barrier"]);
    assert!(flagged("parallel loop gang").is_empty());
}

#[test]
fn the_preprocessor_and_comments_leave_their_marks() {
    check("parallel loop /* why */ \\\n   gang // end", "parallel loop gang");
    let pragma = |line| parse_pragma(line, FileId(0), 100);
    let acc = pragma("#pragma omp acc loop seq").unwrap().directive.unwrap();
    assert_eq!((acc.to_string().as_str(), acc.span.start, acc.span.end), ("loop seq", 116, 124));
    assert_eq!(pragma("  # pragma acc wait").unwrap().directive.unwrap().to_string(), "wait");
    assert!(pragma("#pragma once").is_none() && pragma("#pragma accurate x").is_none());
    let omp = pragma("#pragma omp target teams").unwrap().directive.unwrap();
    assert_eq!(omp.kind, DirectiveKind::Other { sentinel: Sentinel::Omp, text: "target teams".into() });
}

#[test]
fn names_are_found_with_their_places() {
    let text = "data copy(s.a[lo:f(n)->m + (T)k]) if(p->q)";
    let directive = parse_clean(text);
    let names = |list: Vec<(&str, accl_source::Span)>| -> Vec<String> {
        list.iter()
            .map(|(name, span)| {
                assert_eq!(&text[span.start as usize..span.end as usize], *name);
                name.to_string()
            })
            .collect()
    };
    let clauses = directive.clauses_for(DeviceKind::Cuda);
    let section = &clauses.data.items[0].sections[0];
    assert_eq!(names(section.identifiers()), ["s", "lo", "f", "n", "k"]);
    assert_eq!(names(clauses.conditions.if_.unwrap().identifiers()), ["p"]);
    assert_eq!(directive.clauses[0].span.start, 5);
    assert_eq!(section.dims[0].length.as_ref().unwrap().span.len() as usize, "f(n)->m + (T)k".len());
}
