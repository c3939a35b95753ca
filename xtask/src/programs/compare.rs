//! Two outputs, word by word: numbers within a tolerance, other words exactly.

/// What differs, the first few words of it.
pub fn texts(ours: &str, serial: &str, relative: f64, absolute: f64) -> Result<(), String> {
    // An OpenCL driver that compiles a kernel says on the program's standard error how many warnings it had.
    let said = |line: &&str| !(line.ends_with(" generated.") && line.contains(" warning"));
    let words = |text: &'_ str| -> Vec<String> {
        text.lines().filter(said).flat_map(str::split_whitespace).map(str::to_owned).collect()
    };
    let (left, right) = (words(ours), words(serial));
    if left.len() != right.len() {
        return Err(format!("{} words, {} in the serial run", left.len(), right.len()));
    }
    let numbers = right.iter().filter_map(|word| word.parse::<f64>().ok());
    if !numbers.clone().any(|n| n.is_finite() && n != 0.0) {
        return Err("the serial run wrote no number that could differ".to_owned());
    }
    let pairs = left.iter().zip(&right).enumerate();
    let wrong: Vec<String> = pairs
        .filter(|(_, (l, r))| !agree(l, r, relative, absolute))
        .map(|(at, (l, r))| format!("word {at}: {l}, {r} in the serial run"))
        .collect();
    if wrong.is_empty() {
        return Ok(());
    }
    let shown = wrong.iter().take(5).cloned().collect::<Vec<_>>().join("\n");
    Err(format!("{} of {} words differ\n{shown}", wrong.len(), left.len()))
}

fn agree(left: &str, right: &str, relative: f64, absolute: f64) -> bool {
    if left == right {
        return true;
    }
    let (Ok(l), Ok(r)) = (left.parse::<f64>(), right.parse::<f64>()) else { return false };
    if !l.is_finite() || !r.is_finite() {
        return l.is_nan() && r.is_nan() || l == r;
    }
    (l - r).abs() <= absolute.max(relative * l.abs().max(r.abs()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_agree_within_the_tolerance() {
        assert!(texts("a 1.00 nan", "a 1.001 -nan", 0.01, 0.0).is_ok());
        assert!(texts("0.01 5", "0.00 5", 0.0, 0.011).is_ok());
        assert!(texts("1.1", "1.0", 0.01, 0.0).is_err());
        assert!(texts("1 2", "1", 1.0, 0.0).is_err());
        assert!(texts("b 1", "a 1", 1.0, 0.0).is_err());
        assert!(texts("inf", "1", 1.0, 1.0).is_err());
    }

    #[test]
    fn an_output_without_numbers_shows_nothing() {
        assert!(texts("0.0 nan", "0.0 nan", 1.0, 1.0).is_err());
    }
}
