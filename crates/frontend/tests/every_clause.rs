//! No clause is read and forgotten: on each directive that accepts it, it changes what is made of the directive, or
//! something is said about it.

use accl_directives::table::{CLAUSES, ClauseSpec, DIRECTIVES, DirectiveName, DirectiveSpec};
use accl_frontend::{Options, parse};
use accl_source::Diagnostic;
use std::collections::BTreeMap;

/// What stands after a directive's name without the clause in question, and the statement that it governs.
fn usual(directive: DirectiveName) -> Option<(&'static str, &'static str)> {
    use DirectiveName::*;
    let loop_ = "for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) x[i] = j;";
    Some(match directive {
        Parallel | Kernels | Serial => ("copy(x[0:n])", "{ x[0] = 1; }"),
        ParallelLoop | KernelsLoop | SerialLoop => ("copy(x[0:n])", loop_),
        Data => ("copy(x[0:n])", "{ }"),
        EnterData => ("copyin(x[0:n])", ""),
        ExitData => ("delete(x[0:n])", ""),
        HostData => ("use_device(x)", "{ }"),
        Loop => ("", loop_),
        Atomic => ("update", "x[0] += 1;"),
        Declare => ("copyin(local)", ""),
        Init | Shutdown | Wait => ("", ""),
        Set => ("default_async(1)", ""),
        Update => ("self(x[0:n])", ""),
        // Of functions; the others have no clauses.
        Routine | Cache | Fcw | FcwBarrier => return None,
    })
}

fn sample(clause: &ClauseSpec, directive: DirectiveName) -> String {
    let queues = CLAUSES.iter().any(|c| c.name == "async" && c.accepted_on(directive));
    let levels = CLAUSES.iter().any(|c| c.name == "seq" && c.accepted_on(directive));
    let argument = match clause.name {
        "async" | "wait" | "device_num" | "default_async" => "(2)",
        "if" => "(n > 3)",
        "self" if clause.on.contains(&DirectiveName::Update) => "(y[0:n])",
        "self" => "(n > 3)",
        "default" => "(none)",
        "num_gangs" | "num_workers" | "vector_length" | "collapse" => "(2)",
        "device_type" if levels => "(host) seq",
        "device_type" if queues => "(host) async(7)",
        "device_type" => "(host)",
        "private" | "firstprivate" => "(t)",
        "reduction" => "(+: t)",
        "attach" | "detach" | "deviceptr" | "use_device" => "(y)",
        "device_resident" | "link" => "(other)",
        "tile" => "(4, 4)",
        "compression" => "(x)",
        "ccopy" | "ccopyin" | "ccopyout" | "ccreate" => "(y[0:n:-1:1])",
        "if_present" | "finalize" | "gang" | "worker" | "vector" | "seq" | "independent" | "auto" => "",
        _ if directive == DirectiveName::Declare => "(other)",
        _ => "(y[0:n])",
    };
    format!("{}{argument}", clause.name)
}

fn function(name: &str, directive: &DirectiveSpec, clause: &str) -> Option<String> {
    let (usual, statement) = usual(directive.name)?;
    let line = format!("#pragma acc {} {usual} {clause}\n{statement}\n", directive.spelling());
    let line = match directive.name {
        DirectiveName::Loop | DirectiveName::Atomic => {
            format!("#pragma acc parallel copy(x[0:n])\n{{\n{line}}}\n")
        }
        _ => line,
    };
    Some(format!("void {name}(int n, float *x, float *y) {{ float t = 0, local[9], other[9];\n{line}}}\n"))
}

/// The functions' bodies in the module's text, by name.
fn bodies(text: &str) -> BTreeMap<&str, &str> {
    let functions = text.split("\nfn ").skip(1);
    functions.filter_map(|f| Some((f.split('(').next()?, f.split_once("-> ")?.1))).collect()
}

#[test]
fn every_clause_makes_a_difference() {
    let (mut text, mut cases, mut lines) = (String::new(), vec![], vec![]);
    let mut add = |name: String, body: String| {
        let first = text.lines().count();
        text.push_str(&body);
        lines.push((name, first..text.lines().count()));
    };
    for (d, directive) in DIRECTIVES.iter().enumerate() {
        let Some(plain) = function(&format!("d{d}"), directive, "") else { continue };
        add(format!("d{d}"), plain);
        for (c, clause) in CLAUSES.iter().enumerate().filter(|(_, c)| c.accepted_on(directive.name)) {
            let (name, written) = (format!("d{d}c{c}"), sample(clause, directive.name));
            add(name.clone(), function(&name, directive, &written).unwrap_or_default());
            cases.push((name, format!("d{d}"), format!("{} {written}", directive.spelling())));
        }
    }
    let dir = tempfile::tempdir().expect("a directory");
    let path = dir.path().join("clauses.c");
    std::fs::write(&path, &text).expect("the program");
    let unit = parse(&path, &Options::default()).expect("a program that clang reads");
    let printed = unit.module.to_text();
    let bodies = bodies(&printed);
    let told = |name: &str| {
        let range = &lines.iter().find(|(n, _)| n == name).expect("a function").1;
        let inside = |d: &Diagnostic| {
            range.contains(&((unit.line_map.locate(d.span().start).line as usize).saturating_sub(1)))
        };
        unit.diagnostics.iter().any(inside)
    };
    assert!(cases.len() > 150, "{}", cases.len());
    let silent = cases
        .iter()
        .filter(|(name, plain, _)| bodies.get(name.as_str()) == bodies.get(plain.as_str()) && !told(name));
    let silent: Vec<&str> = silent.map(|(_, _, written)| written.as_str()).collect();
    assert!(silent.is_empty(), "ignored without a word: {silent:#?}");
}
