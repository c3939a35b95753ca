//! The OpenMP form of a random OpenACC program: the same loops under `target` directives.
//!
//! Gangs become teams, workers (or vectors, where no loop is for workers) their threads, what is left `simd`. Data clauses become
//! `map`. A program in which a directive has no counterpart, such as loops that the compiler shall find, has no such form.

/// The first program from this seed on that has an OpenMP form. Numbers are far apart, so that seeds do not share programs.
pub fn first(program: fn(u64) -> String, seed: u64) -> String {
    let mut programs = (seed * 1000..seed * 1000 + 1000).filter_map(|seed| form(&program(seed)));
    programs.next().unwrap_or_else(|| "#error no program of this kind has an OpenMP form\n".to_owned())
}

/// A directive whose loop the line that is read stands in.
struct Around {
    indent: usize,
    /// The next loop inside is for threads, or `simd`, or is left alone.
    inside: &'static [&'static str],
}

fn form(program: &str) -> Option<String> {
    let lines: Vec<&str> = program.lines().collect();
    let mut around: Vec<Around> = vec![];
    let mut text = String::new();
    for (at, line) in lines.iter().enumerate() {
        around.retain(|a| !ends(line, a.indent));
        let Some(words) = line.trim_start().strip_prefix("#pragma acc ") else {
            text.push_str(line);
            text.push('\n');
            continue;
        };
        let (indent, clauses) = (indent(line), clauses(words));
        let inside =
            Inside { lines: block(&lines[at + 1..], indent), around: around.last().map(|a| a.inside) };
        let (directive, inner) = directive(&clauses, &inside)?;
        if clauses.iter().any(|(name, _)| *name == "loop") {
            around.push(Around { indent, inside: inner });
        }
        if !directive.is_empty() {
            text.push_str(&format!("{}#pragma omp {}\n", " ".repeat(indent), directive.join(" ")));
        }
    }
    Some(text)
}

struct Inside<'a> {
    /// The lines of the statement that the directive is for.
    lines: &'a [&'a str],
    around: Option<&'static [&'static str]>,
}

impl Inside<'_> {
    fn has(&self, what: &str) -> bool {
        self.lines.iter().any(|line| line.contains(what))
    }

    fn has_loops(&self) -> bool {
        self.lines.iter().any(|line| line.contains("#pragma acc loop") && !line.contains(" seq"))
    }
}

/// The words of the directive, none where it goes without one, and what loops inside become.
fn directive(
    clauses: &[(&str, &str)],
    inside: &Inside<'_>,
) -> Option<(Vec<String>, &'static [&'static str])> {
    let names: Vec<&str> = clauses.iter().map(|(name, _)| *name).collect();
    let has = |name: &str| names.contains(&name);
    let (words, inner): (&str, &'static [&'static str]) = match names.as_slice() {
        _ if has("auto") => return None,
        ["parallel", "loop", ..] => match (inside.has_loops(), has("worker")) {
            (false, _) => ("target teams distribute parallel for", &[]),
            (true, true) => ("target teams distribute parallel for", &["simd"]),
            (true, false) => ("target teams distribute", &["parallel for", "simd"]),
        },
        ["kernels", "loop", ..] if has("independent") => match inside.has_loops() {
            true => ("target teams distribute", &["parallel for", "simd"]),
            false => ("target teams loop", &[]),
        },
        ["loop", ..] if has("seq") => return Some((vec![], &[])),
        ["loop", ..] => match inside.around? {
            ["simd", ..] if inside.has("atomic") || inside.has("break") => return Some((vec![], &[])),
            [first, rest @ ..] => (first, rest),
            [] => return Some((vec![], &[])),
        },
        ["data", ..] => ("target data", &[]),
        ["enter", "data", ..] => ("target enter data", &[]),
        ["exit", "data", ..] => ("target exit data", &[]),
        ["update", ..] => ("target update", &[]),
        ["atomic", kind @ ..] => {
            let words = ["atomic"].iter().chain(kind).map(|word| (*word).to_owned());
            return Some((words.collect(), &[]));
        }
        ["routine", "seq"] => return Some((vec![], &[])),
        _ => return None,
    };
    let mut all = vec![words.to_owned()];
    for (name, list) in clauses {
        all.extend(clause(name, list, words)?);
    }
    Some((all, inner))
}

/// The counterpart of a clause, if it needs one; `None` where it has none.
fn clause(name: &str, list: &str, directive: &str) -> Option<Option<String>> {
    Some(match name {
        "parallel" | "kernels" | "loop" | "data" | "enter" | "exit" | "update" => None,
        "gang" | "worker" | "vector" | "independent" | "num_workers" | "tile" => None,
        "device_type" => return None,
        "copy" => Some(map("tofrom", list)?),
        "copyin" => Some(map("to", list)?),
        "copyout" => Some(map("from", list)?),
        "create" => Some(map("alloc", list)?),
        "present" => Some(format!("map(present, alloc: {list})")),
        "delete" => Some(format!("map(release: {list})")),
        "self" => Some(format!("from({list})")),
        "device" => Some(format!("to({list})")),
        "num_gangs" => Some(format!("num_teams({})", list.split(',').next()?)),
        "vector_length" if directive.contains("parallel for") => Some(format!("thread_limit({list})")),
        "vector_length" => None,
        "firstprivate" if directive.ends_with("simd") => return None,
        "collapse" if list.contains("force") => None,
        "private" | "firstprivate" | "reduction" | "collapse" => Some(format!("{name}({list})")),
        "if" if directive.starts_with("target") => Some(format!("if(target: {list})")),
        _ => return None,
    })
}

/// `always` is the only modifier that both languages have.
fn map(kind: &str, list: &str) -> Option<String> {
    match list.split_once(':') {
        Some((modifier, list)) if modifier.chars().all(char::is_alphabetic) => match modifier {
            "always" | "alwaysin" | "alwaysout" => Some(format!("map(always, {kind}:{list})")),
            _ => None,
        },
        _ => Some(format!("map({kind}: {list})")),
    }
}

/// The directive's and the clauses' names, each with what is in parentheses.
fn clauses(words: &str) -> Vec<(&str, &str)> {
    let mut found = vec![];
    let mut rest = words.trim();
    while !rest.is_empty() {
        let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
        let (name, after) = rest.split_at(end);
        let after = after.trim_start();
        let length = if after.starts_with('(') { closing(after) } else { 0 };
        let list = if length > 0 { &after[1..length - 1] } else { "" };
        found.push((name, list));
        rest = after[length..].trim_start_matches([' ', ',']);
    }
    found
}

/// The length of a text in parentheses with which `text` begins.
fn closing(text: &str) -> usize {
    let mut depth = 0;
    for (at, c) in text.char_indices() {
        depth += i32::from(c == '(') - i32::from(c == ')');
        if depth == 0 {
            return at + 1;
        }
    }
    text.len()
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

/// The line is not a part of the loop whose directive has this indentation.
fn ends(line: &str, of: usize) -> bool {
    let head = line.trim_start();
    indent(line) <= of && !head.starts_with("for") && !(indent(line) == of && head.starts_with('{'))
}

/// The lines of a loop that begins with the first.
fn block<'a, 'b>(lines: &'a [&'b str], of: usize) -> &'a [&'b str] {
    let end = lines.iter().position(|line| ends(line, of)).unwrap_or(lines.len());
    &lines[..end]
}

#[cfg(test)]
mod tests {
    use super::form;

    #[test]
    fn levels_and_data() {
        let program = "\
#pragma acc data copyin(a[0:n]) copy(b[0:n])
{
    #pragma acc parallel loop gang num_gangs(3) reduction(+:s)
    for (int i = 0; i < n; i++) {
        #pragma acc loop worker
        for (int j = 0; j < m; j++) {
            #pragma acc loop vector reduction(max:x)
            for (int k = 0; k < m; k++) {
                x = fmax(x, a[k]);
            }
        }
    }
    #pragma acc parallel loop collapse(2) vector_length(64)
    for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
        #pragma acc atomic update
        b[j] += 1;
    }
}
";
        let expected = "\
#pragma omp target data map(to: a[0:n]) map(tofrom: b[0:n])
{
    #pragma omp target teams distribute num_teams(3) reduction(+:s)
    for (int i = 0; i < n; i++) {
        #pragma omp parallel for
        for (int j = 0; j < m; j++) {
            #pragma omp simd reduction(max:x)
            for (int k = 0; k < m; k++) {
                x = fmax(x, a[k]);
            }
        }
    }
    #pragma omp target teams distribute parallel for collapse(2) thread_limit(64)
    for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
        #pragma omp atomic update
        b[j] += 1;
    }
}
";
        assert_eq!(form(program).as_deref(), Some(expected));
    }

    #[test]
    fn no_form() {
        assert_eq!(form("#pragma acc kernels\nfor (int i = 0; i < n; i++) {\n}\n"), None);
        assert_eq!(form("#pragma acc parallel loop async(3)\nfor (int i = 0; i < n; i++) {\n}\n"), None);
    }
}
