//! Suggestions: the most similar of some known words.

/// The candidate most similar to `word`, if it is similar enough to be what was meant; the first one of several.
pub fn closest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    all_closest(word, candidates).first().copied()
}

/// All candidates of the greatest similarity, each once.
pub(crate) fn all_closest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    let mut least = (word.chars().count() / 3).max(1);
    let mut found = Vec::new();
    for candidate in candidates {
        let distance = distance(&word.to_lowercase(), &candidate.to_lowercase());
        if distance < least {
            found.clear();
            least = distance;
        }
        if distance == least && !found.contains(&candidate) {
            found.push(candidate);
        }
    }
    found
}

/// Insertions, deletions, replacements, and swaps of neighbours (optimal string alignment).
fn distance(a: &str, b: &str) -> usize {
    let a: Vec<char> = a.chars().take(64).collect();
    let b: Vec<char> = b.chars().take(64).collect();
    let mut rows = vec![(0..=b.len()).collect::<Vec<usize>>()];
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let replace = rows[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut best = replace.min(rows[i - 1][j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(rows[i - 2][j - 2] + 1);
            }
            row.push(best);
        }
        rows.push(row);
    }
    rows[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_words_are_found_and_far_ones_are_not() {
        let words = ["parallel", "kernels", "copyin", "copyout", "if"];
        assert_eq!(closest("paralel", words), Some("parallel"));
        assert_eq!(closest("copyni", words), Some("copyin"));
        assert_eq!(closest("COPYIN", words), Some("copyin"));
        assert_eq!(closest("fi", words), Some("if"));
        assert_eq!(closest("xyz", words), None);
    }
}
