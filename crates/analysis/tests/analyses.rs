//! What each analysis says of `tests/analyses/x.ir` at the root of the repository: `x.out`, a section for each analysis that
//! has something to say. `ACCL_BLESS=1` writes the outputs anew.

use accl_analysis::affine::{Atom, Poly};
use accl_analysis::data::{self, Summary, Surroundings, VariableForm};
use accl_analysis::dependence::Analysis;
use accl_analysis::provenance::{Provenance, Root};
use accl_analysis::text::Scope;
use accl_analysis::{access, addresses, changed, effects, indirect, reduction, rows, scalars, section};
use accl_ir::{Body, ExprKind, Handle, Local, Loop, Module, Region, Stmt, print, visit};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// The least number of inputs of which an analysis has something to say.
const INPUTS: usize = 4;

type Report = fn(&View<'_>) -> Vec<String>;

const ANALYSES: &[(&str, Report)] = &[
    ("data: the variables of a construct", variables),
    ("access: what is read and written, and under which conditions", accesses),
    ("guards: the values of loop variables", guards),
    ("provenance: the variables that places go back to", roots),
    ("addresses: variables whose address is needed", needed),
    ("affine: subscripts as polynomials", subscripts),
    ("section: what the subscripts cover", sections),
    ("rows: of arrays of pointers", pointer_rows),
    ("scalars: what is done with each", flows),
    ("reduction: scalars that are combined", reductions),
    ("dependence: what iterations share", dependence),
    ("effects: functions that write nothing of others", functions),
    ("indirect: pointers that kernels load", loaded),
    ("changed: what may have another value on the device", changed_on_device),
];

/// One construct.
struct View<'a> {
    module: &'a Module,
    body: &'a Body,
    region: &'a Region,
    summary: Summary<'a>,
}

impl View<'_> {
    fn expr(&self, e: Handle<accl_ir::Expr>) -> String {
        print::expr(self.module, self.body, e)
    }

    fn local(&self, l: Handle<Local>) -> &str {
        &self.body.locals[l].name
    }

    fn root(&self, root: &Root) -> String {
        match root {
            Root::Local(l) => self.local(*l).to_owned(),
            Root::Global(g) => format!("@{}", self.module.globals[*g].name),
            Root::Member(text) => text.clone(),
            Root::Unknown => "unknown".to_owned(),
        }
    }

    fn poly(&self, p: &Poly) -> String {
        let atom = |a: &Atom| match a {
            Atom::Local(l) => self.local(*l).to_owned(),
            Atom::Global(g) => format!("@{}", self.module.globals[*g].name),
            Atom::Opaque(e) => format!("<{}>", self.expr(*e)),
        };
        let term = |(atoms, factor): (&Vec<Atom>, &i128)| {
            let names: Vec<String> = atoms.iter().map(atom).collect();
            if names.is_empty() { factor.to_string() } else { format!("{factor} {}", names.join(" ")) }
        };
        let terms: Vec<String> = p.terms.iter().map(term).collect();
        if terms.is_empty() { "0".to_owned() } else { terms.join(" + ") }
    }

    fn loops(&self) -> Vec<&Loop> {
        let mut found = vec![];
        visit::for_each_loop(&self.region.body, &mut |l, _| found.push(l));
        found
    }
}

fn variables(view: &View<'_>) -> Vec<String> {
    let line = |v: &data::Variable| {
        let form = match v.form {
            VariableForm::Scalar => "scalar",
            VariableForm::Aggregate => "aggregate",
            VariableForm::Pointer => "what it points to",
        };
        let read = if v.read { ", read" } else { "" };
        let written = if v.written { ", written" } else { "" };
        let address = if data::is_address_only(&view.summary, v) { ", its address alone" } else { "" };
        format!("{}: {form}{read}{written}{address}", view.root(&v.root))
    };
    view.summary.variables.iter().map(line).collect()
}

fn accesses(view: &View<'_>) -> Vec<String> {
    let line = |a: &access::Access| {
        let of = match (a.read, a.written) {
            (true, true) => "updates",
            (false, true) => "writes",
            _ => "reads",
        };
        let guards: Vec<String> = a
            .guards
            .iter()
            .map(|(e, holds)| format!(" if {}{}", if *holds { "" } else { "not " }, view.expr(*e)))
            .collect();
        let whole = if a.whole { ", all of it" } else { "" };
        let atomic = if a.atomic { ", atomic" } else { "" };
        format!("{of} {}{whole}{atomic}{}", view.expr(a.place), guards.concat())
    };
    view.summary.accesses.list.iter().map(line).collect()
}

fn guards(view: &View<'_>) -> Vec<String> {
    let polys = view.summary.polys();
    let mut lines = vec![];
    for a in view.summary.accesses.list.iter().filter(|a| !a.guards.is_empty()) {
        for index in &a.loops {
            let info = &view.summary.accesses.loops[*index];
            let Some((mut first, mut last)) = section::loop_range(&polys, info) else { continue };
            let before = (first.clone(), last.clone());
            for (cond, holds) in &a.guards {
                accl_analysis::guards::tighten(&polys, *cond, *holds, info.var, &mut first, &mut last);
            }
            if before != (first.clone(), last.clone()) {
                let (place, var) = (view.expr(a.place), view.local(info.var));
                lines.push(format!("{place}: {var} from {} to {}", view.poly(&first), view.poly(&last)));
            }
        }
    }
    lines
}

fn roots(view: &View<'_>) -> Vec<String> {
    let mut found = BTreeMap::new();
    for a in &view.summary.accesses.list {
        if matches!(
            view.body.exprs[a.place].kind,
            ExprKind::Index { .. } | ExprKind::Deref(_) | ExprKind::Member { .. }
        ) {
            let roots = view.summary.provenance.place_roots(a.place);
            let names: Vec<String> = roots.iter().map(|r| view.root(r)).collect();
            found.insert(view.expr(a.place), names.join(" or "));
        }
    }
    found.into_iter().map(|(place, roots)| format!("{place}: {roots}")).collect()
}

fn needed(view: &View<'_>) -> Vec<String> {
    let Summary { provenance, accesses, .. } = &view.summary;
    addresses::needed(provenance, &view.region.body, accesses).keys().map(|r| view.root(r)).collect()
}

fn subscripts(view: &View<'_>) -> Vec<String> {
    let polys = view.summary.polys();
    let mut found = BTreeMap::new();
    visit::all_exprs(&view.body.exprs, &view.region.body, &mut |e| {
        if let ExprKind::Index { index, .. } = view.body.exprs[e].kind {
            found.insert(view.expr(e), view.poly(&polys.poly(index)));
        }
    });
    found.into_iter().map(|(place, poly)| format!("{place}: {poly}")).collect()
}

fn sections(view: &View<'_>) -> Vec<String> {
    let line = |v: &data::Variable| {
        if v.form != VariableForm::Pointer {
            return None;
        }
        let name = view.root(&v.root);
        let found = section::of_pointer(&view.summary, v);
        Some(match found.or_else(|| section::as_declared(&view.summary, v)) {
            Some(s) => {
                format!("{name}{}{}", s.shown, if s.fully_written { ", each element written" } else { "" })
            }
            None => format!("{name}: cannot be told"),
        })
    };
    view.summary.variables.iter().filter_map(line).collect()
}

fn pointer_rows(view: &View<'_>) -> Vec<String> {
    let line = |v: &data::Variable| {
        let rows = rows::dereferenced(&view.summary, v)?;
        let written = if rows.written { ", written" } else { "" };
        Some(format!("{}{}{written}", view.root(&v.root), rows.section.unwrap_or(": cannot be told".into())))
    };
    view.summary.variables.iter().filter_map(line).collect()
}

fn flows(view: &View<'_>) -> Vec<String> {
    let flows = scalars::flows(view.body, &view.region.body);
    let line = |(l, flow): (Handle<Local>, scalars::Flow)| {
        let read = if flow.exposed.is_some() { "read before it is written" } else { "not read first" };
        let written = match (flow.written, flow.maybe_written) {
            (true, _) => ", always written",
            (false, true) => ", perhaps written",
            (false, false) => "",
        };
        format!("{}: {read}{written}", view.local(l))
    };
    let scalar = |l: &Handle<Local>| view.module.types.is_scalar(view.body.locals[*l].ty);
    flows.iter().filter(|(l, _)| scalar(l)).map(line).collect()
}

fn reductions(view: &View<'_>) -> Vec<String> {
    let mut lines = vec![];
    for l in view.loops() {
        for (local, op) in reduction::recognise_all(view.body, &l.body) {
            let Some(op) = op else { continue };
            lines.push(format!("loop over {}: {op:?} of {}", view.local(l.var), view.local(local)));
        }
    }
    lines
}

fn dependence(view: &View<'_>) -> Vec<String> {
    let mut analysis = Analysis::new(&view.summary);
    let mut lines = vec![];
    for (index, l) in view.loops().into_iter().enumerate() {
        let verdict = analysis.of_loop(index, l);
        let answer = if verdict.is_parallel() { "parallel" } else { "in order" };
        lines.push(format!("loop over {}: {answer}", view.local(l.var)));
        lines.extend(verdict.conflicts.iter().map(|c| format!("    {}", c.message)));
        lines.extend(verdict.reductions.iter().map(|r| format!("    {:?} of {}", r.op, view.local(r.local))));
    }
    lines
}

fn functions(view: &View<'_>) -> Vec<String> {
    let line = |(function, _): &(Handle<accl_ir::Function>, _)| {
        let answer = if effects::only_reads(view.module, *function) { "only reads" } else { "may write" };
        format!("{}: {answer}", view.module.functions[*function].name)
    };
    view.summary.accesses.calls.iter().map(line).collect()
}

/// Of the kernels that were made of the construct.
fn loaded(view: &View<'_>) -> Vec<String> {
    let mut lines = vec![];
    for kernel in &view.region.kernels {
        let kernel = &view.module.kernels[*kernel];
        for l in indirect::loaded(view.module, &kernel.body, &kernel.params) {
            let place = l.place.map_or("a value".to_owned(), |p| print::expr(view.module, &kernel.body, p));
            let every = l.from.stride.map(|s| format!(", at {} of every {s} bytes", l.from.offset));
            let further = if l.from.further { ", and further" } else { "" };
            lines.push(format!("{place} of item {}{}{further}", l.from.item, every.unwrap_or_default()));
        }
    }
    lines
}

/// Variables of the function, those of the file, and members that constructs change.
fn changed_on_device(view: &View<'_>) -> Vec<String> {
    let locals = changed::locals(view.body, &view.body.block);
    let roots =
        locals.iter().chain(&changed::globals(view.module)).map(|root| view.root(root)).collect::<Vec<_>>();
    roots
        .into_iter()
        .chain(changed::members(view.module).iter().map(|m| m.text(&view.module.types)))
        .collect()
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/analyses")
}

fn inputs() -> Vec<PathBuf> {
    let mut files: Vec<_> = fs::read_dir(folder()).unwrap().map(|e| e.unwrap().path()).collect();
    files.retain(|f| f.extension().is_some_and(|e| e == "ir"));
    files.sort();
    files
}

/// What each analysis says of a file's constructs.
fn reports(input: &Path) -> Vec<(&'static str, Vec<String>)> {
    let module = Module::from_text(&fs::read_to_string(input).unwrap())
        .unwrap_or_else(|e| panic!("{}: {e}", input.display()));
    let mut reports: Vec<(&str, Vec<String>)> = ANALYSES.iter().map(|(name, _)| (*name, vec![])).collect();
    for (_, function) in module.functions.iter() {
        let Some(body) = &function.body else { continue };
        visit::for_each_stmt(&body.block, &mut |node| {
            if let Stmt::Region(region) = &node.kind
                && region.kind.is_compute()
            {
                let summary = data::of_region(&module, body, region, &Surroundings::default());
                let view = View { module: &module, body, region, summary };
                for ((_, report), (_, lines)) in ANALYSES.iter().zip(&mut reports) {
                    lines.extend(report(&view));
                }
            }
        });
    }
    reports
}

#[test]
fn outcomes_are_as_blessed() {
    let bless = std::env::var_os("ACCL_BLESS").is_some();
    let mut wrong = vec![];
    let mut count: BTreeMap<&str, usize> = BTreeMap::new();
    for input in inputs() {
        let mut text = String::new();
        for (name, lines) in reports(&input) {
            if !lines.is_empty() {
                *count.entry(name).or_default() += 1;
                text += &format!("{name}\n    {}\n\n", lines.join("\n    "));
            }
        }
        let blessed = input.with_extension("out");
        if bless {
            fs::write(&blessed, &text).unwrap();
        } else if fs::read_to_string(&blessed).unwrap_or_default() != text {
            wrong.push(format!("{}:\n{text}", blessed.display()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    for (name, _) in ANALYSES {
        let inputs = count.get(name).copied().unwrap_or(0);
        assert!(inputs >= INPUTS, "{name}: something to say of {inputs} inputs, not of {INPUTS}");
    }
}

/// What an expression is called in the user's words.
#[test]
fn expressions_have_the_users_text() {
    let check = |source: &str, expected: &[&str]| {
        let module = Module::from_text(source).unwrap();
        let (_, function) = module.functions.iter().next().unwrap();
        let body = function.body.as_ref().unwrap();
        let scope = Scope::new(&module, body);
        let mut texts = vec![];
        visit::for_each_stmt(&body.block, &mut |node| {
            if let Stmt::Store { place, value, .. } = node.kind {
                texts.push(format!("{} = {}", scope.message(place), scope.message(value)));
            }
        });
        assert_eq!(texts, expected);
    };
    check("fn f(i32 n, f64* p) -> void { p[n + 1] = -p[0]; }", &["p[n+1] = -p[0]"]);
    check("fn f(i32 n, i32 m) -> void { n = (n + m) * m; }", &["n = (n+m)*m"]);
    check("fn f(i32* p, i32* q) -> void { *p = *q; }", &["(*p) = (*q)"]);
    check("fn f(i32 n, i32* q) -> void { n = n > 2 ? q[n] : 7; }", &["n = (n > 2) ? q[n] : 7"]);
}

/// `Provenance` alone, without clauses that name members.
#[test]
fn declared_locals_are_inner() {
    let module = Module::from_text("fn f(f64* p) -> void { f64* q = p + 1; q[0] = 1.0; }").unwrap();
    let (_, function) = module.functions.iter().next().unwrap();
    let body = function.body.as_ref().unwrap();
    let provenance = Provenance::new(&module, body, &body.block, Default::default());
    assert!(provenance.is_inner(body.local_named("q").unwrap()));
    assert!(!provenance.is_inner(body.local_named("p").unwrap()));
}
