//! The comment lines at the top of a test program: `// key: value`, or `// key` alone. A block comment may stand before them.

use std::path::Path;

#[derive(Clone, Debug, Default)]
pub struct Header {
    lines: Vec<(String, String)>,
}

impl Header {
    pub fn read(file: &Path) -> Header {
        Header::parse(&std::fs::read_to_string(file).unwrap_or_default())
    }

    pub fn parse(text: &str) -> Header {
        let block = text.strip_prefix("/*").and_then(|rest| rest.split_once("*/"));
        let text = block.map_or(text, |(_, rest)| rest.trim_start());
        let comments = text.lines().map_while(|line| line.strip_prefix("//"));
        let lines = comments.map(|line| {
            let line = line.trim();
            match line.split_once(": ") {
                Some((key, value)) => (key.trim().to_owned(), value.trim().to_owned()),
                None => (line.trim_end_matches(':').to_owned(), String::new()),
            }
        });
        Header { lines: lines.collect() }
    }

    pub fn get(&self, key: &str) -> Option<&str> {
        self.lines.iter().find(|(k, _)| k == key).map(|(_, v)| v.as_str())
    }

    pub fn all<'a>(&'a self, key: &'a str) -> impl Iterator<Item = &'a str> {
        self.lines.iter().filter(move |(k, _)| k == key).map(|(_, v)| v.as_str())
    }

    pub fn words(&self, key: &str) -> Vec<String> {
        self.all(key).flat_map(str::split_whitespace).map(str::to_owned).collect()
    }

    /// `NAME=VALUE` words.
    pub fn pairs(&self, key: &str) -> Vec<(String, String)> {
        let pair = |w: String| w.split_once('=').map(|(n, v)| (n.to_owned(), v.to_owned()));
        self.words(key).into_iter().filter_map(pair).collect()
    }

    pub fn has(&self, key: &str) -> bool {
        self.get(key).is_some()
    }
}

/// A count with its relation: `launches=3`, `downloads>=1`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expectation {
    pub what: String,
    relation: String,
    count: usize,
}

impl Expectation {
    /// `Err` says which word is none.
    pub fn parse_all(text: &str) -> Result<Vec<Expectation>, String> {
        let one = |word| Expectation::parse(word).ok_or_else(|| format!("`expect: {word}` is no count"));
        text.split_whitespace().map(one).collect()
    }

    fn parse(word: &str) -> Option<Expectation> {
        let at = word.find(['=', '<', '>'])?;
        let digits = word[at..].trim_start_matches(['=', '<', '>']);
        let relation = &word[at..word.len() - digits.len()];
        ["=", ">=", "<=", ">", "<"].contains(&relation).then_some(())?;
        Some(Expectation {
            what: word[..at].to_owned(),
            relation: relation.to_owned(),
            count: digits.parse().ok()?,
        })
    }

    /// `Err` says what was seen instead.
    pub fn check(&self, seen: usize) -> Result<(), String> {
        let holds = match self.relation.as_str() {
            ">=" => seen >= self.count,
            "<=" => seen <= self.count,
            ">" => seen > self.count,
            "<" => seen < self.count,
            _ => seen == self.count,
        };
        if holds {
            return Ok(());
        }
        Err(format!("expected {}{}{}, seen {seen}", self.what, self.relation, self.count))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_end_with_the_comments() {
        let header = Header::parse(
            "/* What\n * it is. */\n// A title.\n// expect: launches=3 downloads>=1\n// slow\n#include\n// args: 1\n",
        );
        assert_eq!(header.get("expect"), Some("launches=3 downloads>=1"));
        assert!(header.has("slow") && !header.has("args"));
    }

    #[test]
    fn relations() {
        let all = Expectation::parse_all("launches=3 downloads>=1").unwrap();
        assert!(all[0].check(3).is_ok() && all[1].check(5).is_ok());
        assert_eq!(all[1].check(0).unwrap_err(), "expected downloads>=1, seen 0");
        for wrong in ["launches==3", "launches=", "3", "launches=>3"] {
            assert_eq!(Expectation::parse_all(wrong), Err(format!("`expect: {wrong}` is no count")));
        }
    }
}
