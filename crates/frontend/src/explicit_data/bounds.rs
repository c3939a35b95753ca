//! The sections that analysis finds, in the form in which a person would write them.
//!
//! The analysis gives lengths as polynomials in the program's variables, several where it cannot tell which is the largest:
//! `max(n*m-1,n*m-m)`. Variables that are factors are extents, so they are taken to be one at least, which tells most of
//! these apart. A length with a minus in it may be less than nothing where a loop has no iteration.

use std::collections::BTreeMap;

/// Coefficients by the factors of their terms.
type Polynomial = BTreeMap<Vec<String>, i64>;

/// The first element and the length of `[m+1:n*m-2*m]`; `None` where the text is something else.
pub fn readable(shown: &str) -> Option<(String, String)> {
    let inner = shown.strip_prefix('[')?.strip_suffix(']')?;
    let (lower, length) = inner.split_once(':')?;
    if length.contains("][") || lower.contains("max(") {
        return None;
    }
    let lower = if lower.is_empty() { Polynomial::new() } else { polynomial(lower)? };
    let list = length.strip_prefix("max(").and_then(|rest| rest.strip_suffix(')')).unwrap_or(length);
    let lengths = list.split(',').map(polynomial).collect::<Option<Vec<_>>>()?;
    let mut largest: Vec<&Polynomial> = vec![];
    for one in &lengths {
        if !largest.iter().any(|other| is_at_least(other, one)) {
            largest.retain(|other| !is_at_least(one, other));
            largest.push(one);
        }
    }
    let texts: Vec<String> = largest.iter().map(|p| text(p)).collect();
    let may_be_negative = largest.iter().all(|p| p.values().any(|c| *c < 0));
    let most = texts.into_iter().reduce(|a, b| format!("({a} > {b} ? {a} : {b})"))?;
    let length = if may_be_negative { format!("({most} > 0 ? {most} : 0)") } else { most };
    Some((text(&lower), length))
}

/// `a - b` is not negative for variables from one up.
fn is_at_least(a: &Polynomial, b: &Polynomial) -> bool {
    let mut difference = a.clone();
    for (term, coefficient) in b {
        *difference.entry(term.clone()).or_default() -= coefficient;
    }
    let (mut least, mut rising) = (0, true);
    for (term, coefficient) in &difference {
        least += coefficient;
        rising &= term.is_empty() || *coefficient >= 0;
    }
    rising && least >= 0
}

fn polynomial(text: &str) -> Option<Polynomial> {
    let mut found = Polynomial::new();
    let text = text.replace("->", "\u{1}").replace(' ', "");
    let (mut sign, mut start) = (1, 0);
    let ends = text.char_indices().filter(|(_, c)| matches!(c, '+' | '-')).map(|(at, _)| at);
    for end in ends.chain([text.len()]) {
        if end > start {
            let (mut coefficient, mut factors) = (sign, vec![]);
            for factor in text[start..end].split('*') {
                match factor.parse::<i64>() {
                    Ok(number) => coefficient = i64::checked_mul(coefficient, number)?,
                    Err(_) if is_variable(factor) => factors.push(factor.replace('\u{1}', "->")),
                    Err(_) => return None,
                }
            }
            factors.sort();
            *found.entry(factors).or_default() += coefficient;
        }
        sign = if text[end..].starts_with('-') { -1 } else { 1 };
        start = end + 1;
    }
    found.retain(|_, coefficient| *coefficient != 0);
    Some(found)
}

fn is_variable(text: &str) -> bool {
    text.starts_with(|c: char| c.is_alphabetic() || c == '_')
        && text.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '.' | '\u{1}'))
}

/// The largest terms first, the number last.
fn text(p: &Polynomial) -> String {
    let mut terms: Vec<(&Vec<String>, &i64)> = p.iter().collect();
    terms.sort_by_key(|(term, coefficient)| (std::cmp::Reverse(term.len()), **coefficient < 0));
    let mut result = String::new();
    for (term, coefficient) in terms {
        let sign = match (result.is_empty(), *coefficient < 0) {
            (true, true) => "-",
            (true, false) => "",
            (false, true) => " - ",
            (false, false) => " + ",
        };
        let number = coefficient.unsigned_abs().to_string();
        let one = (number != "1" || term.is_empty()).then_some(number);
        let factors: Vec<&str> =
            one.iter().map(String::as_str).chain(term.iter().map(String::as_str)).collect();
        result += &format!("{sign}{}", factors.join(" * "));
    }
    if result.is_empty() { "0".to_owned() } else { result }
}

#[cfg(test)]
mod tests {
    use super::readable;

    fn read(shown: &str) -> Option<String> {
        readable(shown).map(|(lower, length)| format!("{lower}:{length}"))
    }

    #[test]
    fn sections_are_written_as_people_do() {
        assert_eq!(read("[:n]").unwrap(), "0:n");
        assert_eq!(read("[m+1:n*m]").unwrap(), "m + 1:m * n");
        assert_eq!(read("[1:n-2]").unwrap(), "1:(n - 2 > 0 ? n - 2 : 0)");
        assert_eq!(read("[:p->n*4]").unwrap(), "0:4 * p->n");
    }

    #[test]
    fn lengths_that_others_exceed_are_left_out() {
        assert_eq!(read("[:max(n*m-1,n*m-m,n*m)]").unwrap(), "0:m * n");
        assert_eq!(read("[:max(n,m)]").unwrap(), "0:(n > m ? n : m)");
    }

    #[test]
    fn what_is_no_polynomial_stays_as_it_is() {
        assert_eq!(read("[:f(n)]"), None);
        assert_eq!(read("[:n/2]"), None);
        assert_eq!(read("[0:n][0:m]"), None);
    }
}
