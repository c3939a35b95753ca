//! The wording of every mistake that this crate reports.
//!
//! The message says what is wrong, the label where, the note why (with the specification's section), and the help
//! what to do.

use crate::ast::*;
use crate::suggest::{all_closest, closest};
use crate::table::{Args, CLAUSES, ClauseSpec, DIRECTIVES, DirectiveName, DirectiveSpec, lookup_clause};
use crate::token::{Token, TokenKind};
use accl_source::codes::directives as codes;
use accl_source::{Diagnostic, Span};

// Directives

pub(crate) fn missing_directive(at: Span) -> Diagnostic {
    Diagnostic::error(codes::UNKNOWN_DIRECTIVE, "no directive behind `acc`")
        .label(at, "expected a directive such as `parallel loop`")
}

/// An error for a word that is similar to a directive or a clause; a warning for one that only another compiler can
/// know.
pub(crate) fn unknown_directive(word: Token<'_>, next: Option<Token<'_>>) -> Diagnostic {
    let error = Diagnostic::error(codes::UNKNOWN_DIRECTIVE, format!("unknown directive `{}`", word.text))
        .label(word.span, "not a directive");
    let spellings: Vec<String> = DIRECTIVES.iter().map(DirectiveSpec::spelling).collect();
    let spellings = || spellings.iter().map(String::as_str);
    let both = next.map(|next| format!("{} {}", word.text, next.text));
    let nearest = both
        .and_then(|both| closest(&both, spellings().filter(|s| s.contains(' '))))
        .or_else(|| closest(word.text, spellings()))
        .or_else(|| spellings().find(|s| s.split(' ').next() == Some(word.text)));
    match nearest {
        Some(nearest) => error.with_help(format!("did you mean `{nearest}`?")),
        None if CLAUSES.iter().any(|c| c.is_named(word.text)) => error
            .with_note(format!("`{}` is a clause", word.text))
            .with_help("write a directive before it, such as `loop`"),
        None if word.kind != TokenKind::Ident => error,
        None if next.is_some_and(|next| begins_directive(next.text)) => error.with_help(
            "a directive begins with its own name, and its construct ends with the statement behind it",
        ),
        None if begins_directive(word.text) => error,
        None => foreign_directive(word),
    }
}

/// Whether a word is the first one of a directive, or begins with it: `wait_all`.
fn begins_directive(word: &str) -> bool {
    let mut firsts = DIRECTIVES.iter().filter_map(|d| d.words.first());
    firsts.any(|first| first.len() >= 4 && word.starts_with(first) || word == *first)
}

fn foreign_directive(word: Token<'_>) -> Diagnostic {
    Diagnostic::warning(codes::FOREIGN, format!("`{}` is no directive of OpenACC and is ignored", word.text))
        .label(word.span, "not known here")
        .with_note("no directive of OpenACC has a similar name, so it is taken for one of another compiler")
}

pub(crate) fn foreign_dimension(name: Token<'_>) -> Diagnostic {
    let message =
        format!("`{}` with a dimension in brackets is no clause of OpenACC and is ignored", name.text);
    Diagnostic::warning(codes::FOREIGN, message)
        .label(name.span, "written for another compiler")
        .with_note("how loops are spread over dimensions of the launch is chosen here")
}

pub(crate) fn missing_clause(directive: &Directive, spec: &DirectiveSpec) -> Diagnostic {
    let name = spec.spelling();
    let message = format!("`{name}` needs a clause that says what to do");
    // Without a directive, the block that it stands on stays unchanged.
    let diagnostic = match spec.name {
        DirectiveName::Data => Diagnostic::warning(codes::MISSING_CLAUSE, message),
        _ => Diagnostic::error(codes::MISSING_CLAUSE, message),
    };
    diagnostic
        .label(directive.name_span, "does nothing as it stands")
        .with_note(format!("see {}", spec.spec))
        .with_help(match spec.name {
            DirectiveName::Update => {
                "add `self(list)` to copy from the device, or `device(list)` to copy to it".to_owned()
            }
            _ => format!("add {}", words(spec.requires.iter().copied(), "or")),
        })
}

pub(crate) fn bad_atomic(word: Token<'_>) -> Diagnostic {
    let error = Diagnostic::error(codes::BAD_ATOMIC, format!("unknown kind of atomic `{}`", word.text))
        .label(
            word.span,
            format!("expected {}", words(AtomicKind::ALL.into_iter().map(AtomicKind::name), "or")),
        );
    match closest(word.text, AtomicKind::ALL.into_iter().map(AtomicKind::name)) {
        Some(nearest) => error.with_help(format!("did you mean `{nearest}`?")),
        None => {
            error.with_help("`update` reads, changes and writes one variable, as in `x++` or `x += value`")
        }
    }
}

pub(crate) fn missing_list(directive: &str, example: &str, at: Span) -> Diagnostic {
    Diagnostic::error(codes::MISSING_ARGUMENT, format!("`{directive}` needs a list of arrays"))
        .label(at, "expected a list here")
        .with_help(format!("for example `{example}`"))
}

pub(crate) fn bad_fcw_type(word: Token<'_>) -> Diagnostic {
    let names = || FcwKind::ALL.into_iter().map(FcwKind::name);
    let error =
        Diagnostic::error(codes::BAD_FCW, format!("expected an fcw type with a list, found `{}`", word.text))
            .label(word.span, "not `TYPE(array[PIVOT:BEFORE:AFTER], ...)`")
            .with_note(format!("the types are {}", words(names(), "and")));
    match closest(word.text, names()) {
        Some(nearest) if nearest != word.text => error.with_help(format!("did you mean `{nearest}`?")),
        Some(_) => error.with_help(format!("write the arrays behind it: `{}(a[i:1:1])`", word.text)),
        None => error,
    }
}

pub(crate) fn bad_fcw_window(span: Span) -> Diagnostic {
    Diagnostic::error(codes::BAD_FCW, "an fcw window has PIVOT:BEFORE:AFTER for each dimension")
        .label(span, "expected three parts for each dimension")
        .with_help("write `a[i:1:1]`, or `a[i:1:1:j:0:0]` or `a[i:1:1][j:0:0]` for two dimensions")
}

// Clauses

pub(crate) fn unknown_clause(name: Token<'_>, directive: DirectiveName) -> Diagnostic {
    let error = Diagnostic::error(codes::UNKNOWN_CLAUSE, format!("unknown clause `{}`", name.text))
        .label(name.span, "not a clause");
    let compute =
        matches!(directive, DirectiveName::Parallel | DirectiveName::Kernels | DirectiveName::Serial);
    if compute && closest(name.text, ["loop"]).is_some() {
        return error.with_help(format!("did you mean `{} loop`?", spelling(directive)));
    }
    let spellings = |here: bool| {
        let rows = CLAUSES.iter().filter(move |c| !here || c.accepted_on(directive));
        rows.flat_map(|c| std::iter::once(c.name).chain(c.aliases.iter().copied()))
    };
    let here = all_closest(name.text, spellings(true));
    let nearest = if here.is_empty() { all_closest(name.text, spellings(false)) } else { here };
    match nearest.is_empty() {
        true => error,
        false => error.with_help(format!("did you mean {}?", words(nearest.into_iter(), "or"))),
    }
}

pub(crate) fn not_allowed(name: Token<'_>, directive: DirectiveName) -> Diagnostic {
    let rows: Vec<_> = CLAUSES.iter().filter(|c| c.is_named(name.text)).collect();
    let accepting = DIRECTIVES.iter().filter(|d| rows.iter().any(|c| c.accepted_on(d.name)));
    let accepting: Vec<String> = accepting.map(DirectiveSpec::spelling).collect();
    let spec = rows.first().map_or("", |c| c.spec);
    let error = Diagnostic::error(
        codes::CLAUSE_NOT_ALLOWED,
        format!("`{}` is not allowed on `{}`", name.text, spelling(directive)),
    )
    .label(name.span, "not allowed here")
    .with_note(format!("it is accepted on {} ({spec})", words(accepting.iter().map(String::as_str), "and")));
    match directive {
        DirectiveName::Loop if accepting.iter().any(|a| a == "parallel") => {
            error.with_help("move it to the compute construct around the loop, or write `parallel loop`")
        }
        _ => error,
    }
}

fn spelling(directive: DirectiveName) -> String {
    DIRECTIVES.iter().find(|d| d.name == directive).map_or(String::new(), DirectiveSpec::spelling)
}

pub(crate) fn duplicate(clause: &Clause, first: &Clause) -> Diagnostic {
    let scope = if clause.device_types.is_empty() { "" } else { " for the same device type" };
    Diagnostic::error(codes::DUPLICATE_CLAUSE, format!("`{}` may stand only once{scope}", clause.spec.name))
        .label(clause.span, "given again here")
        .label(first.span, "first given here")
        .with_help("remove one of the two")
}

pub(crate) fn missing_argument(name: Token<'_>, spec: &ClauseSpec) -> Diagnostic {
    Diagnostic::error(codes::MISSING_ARGUMENT, format!("`{}` needs an argument", name.text))
        .label(name.span.at_end(), "expected `(` here")
        .with_help(format!("write `{}{}`", name.text, shape(spec)))
}

pub(crate) fn empty_argument(owner: &str, spec: &ClauseSpec, at: Span) -> Diagnostic {
    let (code, what) = match spec.args {
        Args::Vars(_) | Args::Data(_) | Args::Compressed(_) => (codes::EMPTY_LIST, "list"),
        _ => (codes::MISSING_ARGUMENT, "argument"),
    };
    let optional = matches!(spec.args, Args::OptExpr(_) | Args::OptKeyed(..) | Args::OptCustom(..));
    let bare = if optional { format!(", or `{owner}` alone") } else { String::new() };
    Diagnostic::error(code, format!("the {what} of `{owner}` is empty"))
        .label(at, "nothing in the parentheses")
        .with_help(format!("write `{owner}{}`{bare}", shape(spec)))
}

pub(crate) fn empty_wait(at: Span) -> Diagnostic {
    Diagnostic::error(codes::MISSING_ARGUMENT, "the argument of `wait` is empty")
        .label(at, "nothing in the parentheses")
        .with_note("without an argument `wait` waits for all queues (OpenACC 3.3 §2.16.3)")
        .with_help("write `wait` alone, or the queues to wait for: `wait(1)`")
}

/// An example of a clause's argument.
fn shape(spec: &ClauseSpec) -> &'static str {
    match (spec.name, &spec.args) {
        ("default", _) => "(present)",
        ("reduction", _) => "(+:sum)",
        ("device_type", _) => "(nvidia)",
        ("collapse", _) => "(2)",
        ("compression", _) => "(a)",
        ("tile", _) => "(32, 4)",
        ("bind", _) => "(name)",
        ("gang", _) => "(static: *)",
        (_, Args::Vars(_) | Args::Data(_)) => "(a[0:n])",
        (_, Args::Compressed(_)) => "(bits(16): a[0:n])",
        ("if", _) => "(condition)",
        _ => "(n)",
    }
}

pub(crate) fn unexpected_argument(name: Token<'_>, argument: Span) -> Diagnostic {
    Diagnostic::error(codes::UNEXPECTED_ARGUMENT, format!("`{}` takes no argument", name.text))
        .label(argument, "unexpected argument")
        .with_help(format!("write `{}` alone", name.text))
}

pub(crate) fn too_many(owner: &str, most: usize, extra: Span) -> Diagnostic {
    Diagnostic::error(codes::UNEXPECTED_ARGUMENT, format!("`{owner}` takes at most {most} arguments"))
        .label(extra, "one too many")
}

/// `next`: what looks like the clause after it.
pub(crate) fn missing_close(owner: &str, open: Span, end: Span, next: Option<Token<'_>>) -> Diagnostic {
    let error =
        Diagnostic::error(codes::MISSING_PAREN, format!("the parenthesis of `{owner}` is not closed"))
            .label(open, "opened here");
    match next {
        Some(next) => error
            .label(next.span.at_start(), "expected `)` before this")
            .with_help(format!("write `)` between the argument of `{owner}` and `{}`", next.text)),
        None => error
            .label(end, "no `)` up to here")
            .with_help(format!("write `)` behind the argument of `{owner}`")),
    }
}

pub(crate) fn left_over(owner: &str, extra: Token<'_>) -> Diagnostic {
    let error = Diagnostic::error(
        codes::BAD_TOKEN,
        format!("unexpected `{}` in the argument of `{owner}`", extra.text),
    )
    .label(extra.span, "the argument should end here");
    if extra.is("=") || extra.text.ends_with('=') {
        return error.with_note("a clause's expression cannot assign");
    }
    error
}

pub(crate) fn stray(token: Token<'_>) -> Diagnostic {
    Diagnostic::error(codes::BAD_TOKEN, format!("expected a clause, found `{}`", token.text))
        .label(token.span, "not the name of a clause")
}

pub(crate) fn trailing_comma(comma: Span) -> Diagnostic {
    Diagnostic::error(codes::BAD_TOKEN, "no clause behind the comma").label(comma, "nothing follows")
}

pub(crate) fn empty_entry(owner: &str, at: Span, whole: bool) -> Diagnostic {
    let message = match whole {
        true => format!("the list of `{owner}` is empty"),
        false => format!("an entry of the list of `{owner}` is empty"),
    };
    Diagnostic::error(codes::EMPTY_LIST, message).label(at, "expected an entry here")
}

pub(crate) fn bad_default(found: Span) -> Diagnostic {
    Diagnostic::error(codes::BAD_DEFAULT, "`default` takes `none` or `present`")
        .label(found, "neither of them")
        .with_note("see OpenACC 3.3 §2.5.16")
}

pub(crate) fn bad_device_type(found: Span) -> Diagnostic {
    Diagnostic::error(codes::BAD_VARIABLE, "`device_type` takes names of device types, or `*` alone")
        .label(found, "neither of them")
        .with_help("for example `device_type(nvidia)`, `device_type(multicore)`, `device_type(*)`")
}

pub(crate) fn difference(at: Span) -> Diagnostic {
    Diagnostic::warning(
        codes::BAD_REDUCTION_OPERATOR,
        "a reduction with `-` adds the parts up, as one with `+` does",
    )
    .label(at, "no operator of OpenACC's reductions")
    .with_note("each thread subtracts from a part that starts at 0 (OpenACC 3.3 §2.5.15 has no `-`)")
    .with_help("write `+`")
}

pub(crate) fn bad_reduction(op: Option<&str>, at: Span) -> Diagnostic {
    let valid = words(ReductionOp::ALL.into_iter().map(ReductionOp::symbol), "and");
    let (message, label) = match op {
        Some(op) => (format!("`{op}` is not a reduction operator"), "invalid operator"),
        None => ("`reduction` begins with an operator and a colon".to_owned(), "expected `operator:` here"),
    };
    let error = Diagnostic::error(codes::BAD_REDUCTION_OPERATOR, message)
        .label(at, label)
        .with_note(format!("the operators are {valid} (OpenACC 3.3 §2.5.15)"));
    match op {
        Some(_) => error,
        None => error.with_help("for example `reduction(+:sum)`"),
    }
}

pub(crate) fn devnum_colon(at: Span) -> Diagnostic {
    Diagnostic::error(codes::BAD_MODIFIER, "`devnum` ends in a colon")
        .label(at, "expected `:` here")
        .with_help("for example `wait(devnum: 0 : 1, 2)`")
}

pub(crate) fn gang_argument_twice(span: Span) -> Diagnostic {
    Diagnostic::error(codes::DUPLICATE_CLAUSE, "an argument of `gang` is given twice")
        .label(span, "given again")
        .with_note("`gang` takes at most one each of `num:`, `static:` and `dim:` (OpenACC 3.3 §2.9.2)")
}

pub(crate) fn bad_bind(found: Span) -> Diagnostic {
    Diagnostic::error(codes::BAD_VARIABLE, "`bind` takes a name or a string").label(found, "neither of them")
}

pub(crate) fn bad_modifier(
    word: Token<'_>,
    owner: &str,
    valid: impl Iterator<Item = &'static str>,
) -> Diagnostic {
    let valid: Vec<&str> = valid.collect();
    let error =
        Diagnostic::error(codes::BAD_MODIFIER, format!("`{}` is not a modifier of `{owner}`", word.text))
            .label(word.span, "invalid modifier");
    match valid.is_empty() {
        true => error.with_note(format!("`{owner}` takes no modifiers")),
        false => error.with_note(format!("it takes {}", words(valid.into_iter(), "and"))),
    }
}

pub(crate) fn modifier_without_value(word: Token<'_>) -> Diagnostic {
    let example = match word.text {
        "bits" => "bits(16)",
        "scheme" => "scheme(block)",
        "error" => "error(rel: 1e-4)",
        _ => "layout(soa)",
    };
    Diagnostic::error(codes::BAD_MODIFIER, format!("`{}` needs a value", word.text))
        .label(word.span.at_end(), "expected `(` here")
        .with_help(format!("for example `{example}`"))
}

pub(crate) fn stray_in_modifiers(at: Span) -> Diagnostic {
    Diagnostic::error(codes::BAD_MODIFIER, "expected `,` or `:` behind a modifier").label(at, "unexpected")
}

pub(crate) fn bad_choice(found: Span, valid: impl Iterator<Item = &'static str>) -> Diagnostic {
    Diagnostic::error(codes::BAD_MODIFIER, format!("expected {}", words(valid, "or")))
        .label(found, "not one of them")
}

// Variables and expressions

pub(crate) fn bad_variable(found: Span, what: &str) -> Diagnostic {
    Diagnostic::error(codes::BAD_VARIABLE, format!("expected {what}")).label(found, format!("not {what}"))
}

pub(crate) fn bad_section(span: Span, parts: usize, ranges: bool) -> Diagnostic {
    let error = Diagnostic::error(codes::BAD_SECTION, "malformed array section").at(span);
    match parts {
        1 => error.with_help("write `[:]` for a whole array of known extent, `[:n]` for n elements"),
        4 if !ranges => error
            .with_note("only compressed arrays take `[start:length:min:max]`")
            .with_help("write `[start:length]`, or use the compressed clause (`ccopyin` for `copyin`)"),
        4 => error.with_help("write both ends of the range: `[start:length:min:max]`"),
        _ => error
            .with_note("a section is `[start:length]`; it has no stride, and its end is not written (OpenACC 3.3 §2.7.1)"),
    }
}

pub(crate) fn missing_bracket(open: Span, at: Span) -> Diagnostic {
    Diagnostic::error(codes::BAD_SECTION, "malformed array section")
        .label(at, "expected `]` here")
        .label(open, "opened here")
}

pub(crate) fn section_before_member(span: Span) -> Diagnostic {
    Diagnostic::error(codes::BAD_SECTION, "a section cannot have members")
        .label(span, "names several elements")
        .with_help("name one element before the member, `s[i].p[0:n]`, or list the elements in a loop of data directives")
}

pub(crate) fn range_not_last(span: Span) -> Diagnostic {
    Diagnostic::error(codes::BAD_SECTION, "the range of values follows the last dimension")
        .label(span, "a range in an earlier dimension")
        .with_help("write `a[0:n][0:m:min:max]`")
}

pub(crate) fn not_an_expression(token: Token<'_>) -> Diagnostic {
    Diagnostic::error(codes::BAD_EXPRESSION, format!("expected an expression, found `{}`", token.text))
        .label(token.span, "not an expression")
}

pub(crate) fn expected_in_expression(what: &str, at: Span) -> Diagnostic {
    Diagnostic::error(codes::BAD_EXPRESSION, format!("expected {what}")).label(at, "expected here")
}

pub(crate) fn type_in_expression(token: Token<'_>) -> Diagnostic {
    Diagnostic::error(
        codes::BAD_EXPRESSION,
        format!("expected an expression, found the type `{}`", token.text),
    )
    .label(token.span, "a type")
}

pub(crate) fn bad_number(token: Token<'_>) -> Diagnostic {
    Diagnostic::error(codes::BAD_EXPRESSION, format!("`{}` is not a number", token.text))
        .label(token.span, "malformed number")
}

pub(crate) fn too_complex(at: Span) -> Diagnostic {
    Diagnostic::error(codes::TOO_COMPLEX, "this expression is too complex")
        .label(at, "too deep or too long from here on")
        .with_help("compute it into a variable before the directive")
}

// What a whole directive must obey

pub(crate) fn contradictory(a: &Clause, b: &Clause, why: &str) -> Diagnostic {
    Diagnostic::error(
        codes::CONTRADICTORY_CLAUSES,
        format!("`{}` and `{}` contradict each other", a.spec.name, b.spec.name),
    )
    .label(b.span, format!("contradicts `{}`", a.spec.name))
    .label(a.span, format!("`{}` is here", a.spec.name))
    .with_note(why)
    .with_help("remove one of the two")
}

pub(crate) fn bad_count(clause: &str, argument: &CExpr) -> Diagnostic {
    Diagnostic::error(codes::BAD_COLLAPSE, format!("the argument of `{clause}` must be a positive constant"))
        .label(argument.span, "not a positive integer constant")
        .with_note("the number of loops must be known to the compiler (OpenACC 3.3 §2.9.1)")
}

pub(crate) fn not_positive(what: &str, argument: &CExpr, most: Option<i64>) -> Diagnostic {
    let range = most.map_or("at least 1".to_owned(), |most| format!("from 1 to {most}"));
    Diagnostic::error(codes::NOT_POSITIVE, format!("{what} must be {range}"))
        .label(argument.span, "out of range")
}

pub(crate) fn variable_twice(
    name: &str,
    first: (&Clause, Span),
    again: (&Clause, Span),
    why: &str,
) -> Diagnostic {
    Diagnostic::error(
        codes::VARIABLE_TWICE,
        match first.0.spec.name == again.0.spec.name {
            true => format!("`{name}` stands twice in `{}` clauses", again.0.spec.name),
            false => format!("`{name}` stands in both `{}` and `{}`", first.0.spec.name, again.0.spec.name),
        },
    )
    .label(again.1, format!("in `{}` here", again.0.spec.name))
    .label(first.1, format!("in `{}` here", first.0.spec.name))
    .with_note(why)
    .with_help("keep one of the two")
}

/// Some programs name a variable twice, and other compilers apply the clauses one after the other.
pub(crate) fn variable_repeated(name: &str, first: (&Clause, Span), again: (&Clause, Span)) -> Diagnostic {
    let (a, b) = (first.0.spec.name, again.0.spec.name);
    let message = match a == b {
        true => format!("`{name}` stands twice in `{a}` clauses"),
        false => format!("`{name}` stands in both `{a}` and `{b}`"),
    };
    let warning = Diagnostic::warning(codes::VARIABLE_TWICE, message)
        .label(again.1, format!("in `{b}` here"))
        .label(first.1, format!("in `{a}` here"));
    let moves = |clause: &Clause| matches!(&clause.kind, ClauseKind::Data(_));
    if a == b || !moves(first.0) || !moves(again.0) {
        return warning.with_help("keep one of the two");
    }
    warning
        .with_note(
            "a variable stands in one data clause of a directive only (OpenACC 3.3 §2.7); the first clause is taken for \
             what happens at the entry, the last one for the exit",
        )
        .with_help("name it in one clause that says both")
}

/// OpenACC 3.3 §2.4
pub(crate) fn unknown_device_type(device_type: &DeviceType, span: Span) -> Diagnostic {
    let message =
        format!("no device here is of the type `{}`: the clauses for it are ignored", device_type.name());
    Diagnostic::warning(codes::DEVICE_TYPE, message).at(span).with_note(
        "the types are nvidia, opencl (radeon is one), multicore and host (the CPU), and `*` for all others",
    )
}

pub(crate) fn behind_device_type(clause: &Clause) -> Diagnostic {
    let name = clause.spec.name;
    Diagnostic::error(codes::DEVICE_TYPE, format!("`{name}` cannot differ between types of device"))
        .label(clause.span, "stands behind `device_type`")
        .with_note(
            "only async, wait, num_gangs, num_workers, vector_length, the clauses that say how a loop is run, and a \
             routine's level and bind may follow it (OpenACC 3.3 §2.5.4, §2.9, §2.15.1)",
        )
        .with_help(format!("write `{name}` in front of `device_type`"))
}

pub(crate) fn routine_levels(first: &Clause, again: &Clause) -> Diagnostic {
    Diagnostic::error(
        codes::ROUTINE_LEVEL,
        "a routine has exactly one of `gang`, `worker`, `vector` and `seq`",
    )
    .label(again.span, "a second level")
    .label(first.span, "the first level")
    .with_note("callers are mapped according to it (OpenACC 3.3 §2.15.1)")
    .with_help("keep the outermost level that a loop in the function uses")
}

/// Required since OpenACC 2.5, but nvc and gcc take `seq`, and programs rely on it.
pub(crate) fn routine_without_level(name: Span) -> Diagnostic {
    Diagnostic::warning(codes::ROUTINE_LEVEL, "this routine has no level of parallelism: `seq` is assumed")
        .label(name, "needs one of `gang`, `worker`, `vector` and `seq`")
        .with_note("each thread calls it for itself, and loops inside are sequential (OpenACC 3.3 §2.15.1)")
        .with_help("write `routine seq`, or the level of the loops inside")
}

/// "`a`, `b` and `c`", in the order given, each once.
pub(crate) fn words<'a>(items: impl Iterator<Item = &'a str>, last: &str) -> String {
    let mut quoted: Vec<String> = Vec::new();
    for item in items.map(|item| format!("`{item}`")) {
        if !quoted.contains(&item) {
            quoted.push(item);
        }
    }
    match quoted.split_last() {
        Some((tail, head)) if !head.is_empty() => format!("{} {last} {tail}", head.join(", ")),
        _ => quoted.concat(),
    }
}

/// Whether a required clause is there, by its canonical name.
pub(crate) fn satisfies(clause: &Clause, names: &[&str], directive: DirectiveName) -> bool {
    names.iter().filter_map(|name| lookup_clause(name, directive)).any(|spec| {
        *spec == *clause.spec
            || (clause.spec.extension && clause.spec.name.strip_prefix('c') == Some(spec.name))
    })
}
