//! The formulas of manifests, `bytes_per_rep = "32 * n * n * steps"`: numbers, the program's parameters,
//! `+ - * /` and parentheses.

use std::collections::BTreeMap;

/// The value, with the parameters taken from a command line in their order.
pub fn value(formula: &str, parameters: &[String], args: &str) -> Result<f64, String> {
    let values = parameters.iter().zip(args.split_whitespace());
    let values = values.filter_map(|(name, word)| Some((name.as_str(), word.parse().ok()?))).collect();
    let mut reader = Reader { words: words(formula), at: 0, values };
    let value = reader.sum()?;
    match reader.words.get(reader.at) {
        None => Ok(value),
        Some(word) => Err(format!("'{word}' in '{formula}' was not expected")),
    }
}

/// Names, numbers, and single characters.
fn words(text: &str) -> Vec<String> {
    let mut words: Vec<String> = vec![];
    let mut joined = false;
    for c in text.chars() {
        let part = c.is_alphanumeric() || c == '_' || c == '.';
        match words.last_mut() {
            Some(word) if part && joined => word.push(c),
            _ if c.is_whitespace() => {}
            _ => words.push(c.to_string()),
        }
        joined = part;
    }
    words
}

struct Reader<'a> {
    words: Vec<String>,
    at: usize,
    values: BTreeMap<&'a str, f64>,
}

impl Reader<'_> {
    fn next_if(&mut self, wanted: &[&str]) -> Option<String> {
        let word = self.words.get(self.at).filter(|w| wanted.contains(&w.as_str()))?.clone();
        self.at += 1;
        Some(word)
    }

    fn sum(&mut self) -> Result<f64, String> {
        let mut value = self.product()?;
        while let Some(operator) = self.next_if(&["+", "-"]) {
            let right = self.product()?;
            value = if operator == "+" { value + right } else { value - right };
        }
        Ok(value)
    }

    fn product(&mut self) -> Result<f64, String> {
        let mut value = self.factor()?;
        while let Some(operator) = self.next_if(&["*", "/"]) {
            let right = self.factor()?;
            value = if operator == "*" { value * right } else { value / right };
        }
        Ok(value)
    }

    fn factor(&mut self) -> Result<f64, String> {
        if self.next_if(&["-"]).is_some() {
            return Ok(-self.factor()?);
        }
        if self.next_if(&["("]).is_some() {
            let value = self.sum()?;
            return self.next_if(&[")"]).map(|_| value).ok_or_else(|| "a ')' is missing".to_owned());
        }
        let word = self.words.get(self.at).ok_or("the formula ends early")?;
        self.at += 1;
        let named = self.values.get(word.as_str()).copied();
        named.or_else(|| word.parse().ok()).ok_or_else(|| format!("'{word}' is no parameter"))
    }
}

#[cfg(test)]
mod tests {
    use super::value;

    #[test]
    fn parameters_and_precedence() {
        let parameters = ["n".to_owned(), "steps".to_owned()];
        assert_eq!(value("24 * n + 5*8 *(n - steps)", &parameters, "10 3"), Ok(240.0 + 40.0 * 7.0));
        assert_eq!(value("n / 4 / 5", &parameters, "100"), Ok(5.0));
        assert_eq!(value("2 * m", &parameters, "1 1"), Err("'m' is no parameter".to_owned()));
        assert!(value("2 n", &parameters, "1 1").is_err());
    }
}
