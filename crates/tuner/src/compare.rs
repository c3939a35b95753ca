//! Whether two outputs of a program are the same.

/// `None` where they are; otherwise the first difference. With a tolerance, numbers may differ by so much of the larger one.
/// Lines that contain one of `ignored` are not compared.
pub fn difference(wanted: &[u8], found: &[u8], tolerance: f64, ignored: &[String]) -> Option<String> {
    if wanted == found {
        return None;
    }
    let (wanted, found) = (String::from_utf8_lossy(wanted), String::from_utf8_lossy(found));
    let kept = |line: &&str| !ignored.iter().any(|word| line.contains(word.as_str()));
    let (mut wanted, mut found) = (wanted.lines().filter(kept), found.lines().filter(kept));
    for number in 1.. {
        match (wanted.next(), found.next()) {
            (None, None) => break,
            (Some(a), Some(b)) if same_line(a, b, tolerance) => {}
            (a, b) => {
                let show =
                    |line: Option<&str>| line.map_or("nothing".to_owned(), |l| format!("`{}`", short(l)));
                return Some(format!("line {number} is {} instead of {}", show(b), show(a)));
            }
        }
    }
    None
}

fn same_line(a: &str, b: &str, tolerance: f64) -> bool {
    if a == b {
        return true;
    }
    if tolerance <= 0.0 {
        return false;
    }
    let words = |line: &str| -> Vec<String> { separate(line) };
    let (a, b) = (words(a), words(b));
    a.len() == b.len() && a.iter().zip(&b).all(|(a, b)| same_word(a, b, tolerance))
}

/// Words and numbers, without blanks, commas and brackets around them.
fn separate(line: &str) -> Vec<String> {
    let between = |c: char| c.is_whitespace() || matches!(c, ',' | ';' | ':' | '=' | '(' | ')' | '[' | ']');
    line.split(between).filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

fn same_word(a: &str, b: &str, tolerance: f64) -> bool {
    if a == b {
        return true;
    }
    match (a.parse::<f64>(), b.parse::<f64>()) {
        (Ok(a), Ok(b)) => (a - b).abs() <= tolerance * a.abs().max(b.abs()),
        _ => false,
    }
}

fn short(line: &str) -> String {
    match line.char_indices().nth(60) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn differs(a: &str, b: &str, tolerance: f64) -> Option<String> {
        difference(a.as_bytes(), b.as_bytes(), tolerance, &["time".to_owned()])
    }

    #[test]
    fn numbers_may_differ_within_the_tolerance() {
        assert_eq!(differs("sum=1.0000\n", "sum=1.0001\n", 1e-3), None);
        assert!(differs("sum=1.0000\n", "sum=1.0001\n", 1e-6).is_some());
        assert!(differs("sum=1.0000\n", "sum=1.0001\n", 0.0).is_some());
        assert!(differs("sum 1", "sum nan", 1e9).is_some());
        assert_eq!(differs("a -0.0", "a 0", 1e-9), None);
    }

    #[test]
    fn the_first_difference_is_told() {
        assert_eq!(differs("a\nb\n", "a\nc\n", 0.0).unwrap(), "line 2 is `c` instead of `b`");
        assert_eq!(differs("a\nb\n", "a\n", 0.0).unwrap(), "line 2 is nothing instead of `b`");
        assert_eq!(differs("a\ntime 1\n", "a\ntime 2\n", 0.0), None);
    }
}
