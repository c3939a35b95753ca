//! Parameter packs: what a template's body says of all the arguments that one stands for is written out for each.
//!
//! ```text
//! template <class... A> void each(A *...a) { f(a...); (g(*a), ...); return sizeof...(A); }
//! template <> void each<int, float>(int *a_0, float *a_1) { f(a_0, a_1); (g(*a_0), g(*a_1)); return 2; }
//! ```

use super::place::unquoted;
use crate::ast::{Function, Instance, TemplateParam};
use std::collections::{HashMap, HashSet};

/// What a name that stands for a pack is written as, one name an argument.
#[derive(Default)]
pub struct Packs {
    names: HashMap<String, Vec<String>>,
    /// Those of types.
    types: HashSet<String>,
    /// Those of the function's parameters, in their order.
    pub params: Vec<String>,
}

/// A parameter's name, whether it is a value, and what it stands for; of a pack this for each argument, by the names that expansions
/// use.
pub fn names_and_arguments(param: &TemplateParam, arg: &str) -> Vec<(String, bool, String)> {
    let is_value = param.value_type.is_some();
    if !param.is_pack {
        return vec![(param.name.clone(), is_value, arg.to_owned())];
    }
    let each = arguments(arg).into_iter().enumerate();
    each.map(|(k, arg)| (format!("{}_{k}", param.name), is_value, arg.to_string())).collect()
}

impl Packs {
    pub fn of(function: &Function, instance: &Instance) -> Packs {
        let mut packs = Packs::default();
        for (param, arg) in instance.params.iter().zip(&instance.args).filter(|(param, _)| param.is_pack) {
            let count = arguments(arg).len();
            let numbered = (0..count).map(|k| format!("{}_{k}", param.name)).collect();
            packs.names.insert(param.name.clone(), numbered);
            packs.types.extend(param.value_type.is_none().then(|| param.name.clone()));
        }
        packs.names.extend(instance.packs.iter().map(|name| (name.clone(), vec![])));
        for param in &function.params {
            let is_pack = instance.packs.contains(&param.name);
            let name = match packs.names.get_mut(&param.name).filter(|_| is_pack) {
                Some(names) => {
                    names.push(format!("{}_{}", param.name, names.len()));
                    names[names.len() - 1].clone()
                }
                None => param.name.clone(),
            };
            packs.params.push(name);
        }
        packs
    }

    /// The text with expansions and folds written out. `None` where one cannot be.
    pub fn expanded(&self, text: &str) -> Option<String> {
        let mut text = text.to_owned();
        if self.names.is_empty() {
            return Some(text);
        }
        if self.names.values().flatten().any(|name| super::has_word(&text, name)) {
            return None;
        }
        let mut from = 0;
        while let Some(at) = ellipsis(&text, from) {
            let (start, end, written) = self.expansion(&text, at)?;
            text.replace_range(start..end, &written);
            // An expansion around it begins before it.
            from = start + written.len();
        }
        Some(text)
    }

    /// What is replaced around `...` at a place, and by what.
    fn expansion(&self, text: &str, at: usize) -> Option<(usize, usize, String)> {
        let (before, behind) = (text[..at].trim_end(), &text[at + 3..]);
        if let Some(front) = before.strip_suffix("sizeof") {
            let (name, _) = behind.trim_start().strip_prefix('(')?.split_once(')')?;
            let count = self.names.get(name.trim())?.len();
            let end = text.len() - behind.len() + behind.find(')')? + 1;
            return Some((front.len(), end, count.to_string()));
        }
        // `catch (...)`
        if before.ends_with('(') && behind.trim_start().starts_with(')') {
            return Some((at, at + 3, "...".to_owned()));
        }
        let open = element_start(before, false).filter(|open| text[..*open].ends_with('('));
        let left = before.len() - before.trim_end_matches(OPERATOR).len();
        let right = behind.trim_start();
        let right = right.len() - right.trim_start_matches(OPERATOR).len();
        // `(pack + ...)`, `(pack + ... + init)`, `(... + pack)`; `T &...` is no fold.
        let folds = |open: &usize| match left {
            0 => before.len() == *open && right > 0,
            _ => closing(behind).is_some_and(|end| self.has_value(&text[*open..at + 3 + end])),
        };
        if let Some(open) = open.filter(folds) {
            return self.fold(text, open, at);
        }
        let start = element_start(before, true)?;
        let pattern = text[start..at].trim();
        let copies = self.copies(pattern)?;
        let mut end = at + 3;
        let mut start = start;
        // Of an empty pack no comma stays.
        if copies.is_empty() {
            if let Some(front) = text[..start].trim_end().strip_suffix(',') {
                start = front.len();
            } else if let Some(rest) = text[end..].trim_start().strip_prefix(',') {
                end = text.len() - rest.len();
            }
        }
        let blank = if text[..start].ends_with(',') { " " } else { "" };
        Some((start, end, format!("{blank}{}", copies.join(", "))))
    }

    /// A fold in the brackets that open at a place.
    fn fold(&self, text: &str, open: usize, at: usize) -> Option<(usize, usize, String)> {
        let close = at + 3 + closing(&text[at + 3..])?;
        let (left, right) = (text[open..at].trim(), text[at + 3..close].trim());
        let split = |side: &str, from_end: bool| {
            let rest = match from_end {
                true => side.trim_end_matches(OPERATOR),
                false => side.trim_start_matches(OPERATOR),
            };
            let operator = if from_end { &side[rest.len()..] } else { &side[..side.len() - rest.len()] };
            (rest.trim().to_owned(), operator.to_owned())
        };
        let ((left, operator), (right, other)) = (split(left, true), split(right, false));
        let operator = if operator.is_empty() { other } else { operator };
        let is_pack = |side: &String| self.names.keys().any(|name| super::has_word(side, name));
        let of_left = is_pack(&left);
        let (pattern, init) = if of_left { (left, right) } else { (right, left) };
        let mut parts: Vec<String> = self.copies(&pattern)?.iter().map(|copy| format!("({copy})")).collect();
        if parts.is_empty() && init.is_empty() {
            let empty = [("&&", "true"), ("||", "false"), (",", "void()")];
            let value = empty.iter().find(|(op, _)| *op == operator)?.1;
            return Some((open, close, value.to_owned()));
        }
        if !init.is_empty() {
            parts.insert(if of_left { parts.len() } else { 0 }, format!("({init})"));
        }
        let joined = |one: String, two: String| format!("({one} {operator} {two})");
        let folded = match of_left {
            true => parts.into_iter().rev().reduce(|nested, part| joined(part, nested)),
            false => parts.into_iter().reduce(joined),
        };
        Some((open, close, folded?))
    }

    fn has_value(&self, text: &str) -> bool {
        self.names.keys().any(|name| !self.types.contains(name) && super::has_word(text, name))
    }

    /// The pattern for each argument of the packs that it names.
    fn copies(&self, pattern: &str) -> Option<Vec<String>> {
        let named: Vec<_> = self.names.iter().filter(|(name, _)| super::has_word(pattern, name)).collect();
        let count = named.first()?.1.len();
        if named.iter().any(|(_, names)| names.len() != count) {
            return None;
        }
        let copy = |k: usize| {
            let words = named.iter().map(|(name, names)| (name.as_str(), names[k].clone())).collect();
            super::with_words(pattern, &words)
        };
        Some((0..count).map(copy).collect())
    }
}

const OPERATOR: [char; 12] = ['+', '-', '*', '/', '%', '^', '&', '|', '<', '>', '=', ','];

/// The pack's arguments as declarations of the names that the body has for them.
pub fn declared(param: &TemplateParam, arg: &str) -> String {
    let one = |(k, arg): (usize, &str)| {
        let param = TemplateParam { name: format!("{}_{k}", param.name), is_pack: false, ..param.clone() };
        super::declared(&param, arg)
    };
    arguments(arg).into_iter().enumerate().map(one).collect()
}

/// The arguments of a list.
fn arguments(list: &str) -> Vec<&str> {
    let (mut depth, mut from, mut found) = (0, 0, vec![]);
    for (at, c) in unquoted(list) {
        depth +=
            i32::from(matches!(c, '<' | '(' | '[' | '{')) - i32::from(matches!(c, '>' | ')' | ']' | '}'));
        if c == ',' && depth == 0 {
            found.push(list[from..at].trim());
            from = at + 1;
        }
    }
    found.extend(Some(list[from..].trim()).filter(|last| !last.is_empty()));
    found
}

/// Where the next `...` stands.
fn ellipsis(text: &str, from: usize) -> Option<usize> {
    let mut dots = 0;
    unquoted(text).skip_while(|(at, _)| *at < from).find_map(|(at, c)| {
        dots = if c == '.' { dots + 1 } else { 0 };
        (dots == 3).then(|| at - 2)
    })
}

/// Where the element of a list begins that ends here, or, without lists, what stands in the brackets.
fn element_start(before: &str, of_list: bool) -> Option<usize> {
    let mut depth = 0;
    before.char_indices().rev().find_map(|(at, c)| match c {
        ')' | ']' | '}' => {
            depth += 1;
            None
        }
        '>' if of_list && !before[..at].ends_with('-') => {
            depth += 1;
            None
        }
        '(' | '[' | '{' if depth == 0 => Some(at + 1),
        '<' if of_list && depth == 0 => Some(at + 1),
        ',' if of_list && depth == 0 => Some(at + 1),
        '(' | '[' | '{' => {
            depth -= 1;
            None
        }
        '<' if of_list => {
            depth -= 1;
            None
        }
        ';' => Some(at + 1),
        _ => None,
    })
}

/// Where the bracket closes that is open here.
fn closing(text: &str) -> Option<usize> {
    let mut depth = 0;
    unquoted(text).find_map(|(at, c)| {
        depth += i32::from(matches!(c, '(' | '[' | '{')) - i32::from(matches!(c, ')' | ']' | '}'));
        (depth < 0).then_some(at)
    })
}

#[cfg(test)]
mod tests {
    use super::Packs;

    fn expanded(text: &str) -> Option<String> {
        let list = |names: &[&str]| names.iter().map(|n| n.to_string()).collect::<Vec<_>>();
        let names = [("A", list(&["A_0", "A_1"])), ("a", list(&["a_0", "a_1"])), ("none", vec![])];
        let names = names.into_iter().map(|(name, list)| (name.to_owned(), list)).collect();
        Packs { names, types: ["A".to_owned()].into(), params: vec![] }.expanded(text)
    }

    #[test]
    fn expansions_and_folds() {
        let cases = [
            ("f(i, a...);", "f(i, a_0, a_1);"),
            ("f(std::forward<A>(a)...);", "f(std::forward<A_0>(a_0), std::forward<A_1>(a_1));"),
            ("f(a[i]..., 3);", "f(a_0[i], a_1[i], 3);"),
            ("f(g(a...), a...);", "f(g(a_0, a_1), a_0, a_1);"),
            ("std::tuple<A &...> t{a...};", "std::tuple<A_0 &, A_1 &> t{a_0, a_1};"),
            ("f(i, none...);", "f(i);"),
            ("f(none..., i);", "f( i);"),
            ("return sizeof...(A);", "return 2;"),
            ("return (a + ...);", "return (((a_0) + (a_1)));"),
            ("return (x + ... + a[i]);", "return ((((x) + (a_0[i])) + (a_1[i])));"),
            ("return (... - a);", "return (((a_0) - (a_1)));"),
            ("(f(a), ...);", "(((f(a_0)) , (f(a_1))));"),
            ("(none && ...);", "(true);"),
            ("try { f(); } catch (...) { }", "try { f(); } catch (...) { }"),
            ("s = \"a...\";", "s = \"a...\";"),
        ];
        for (text, expected) in cases {
            assert_eq!(expanded(text).as_deref(), Some(expected), "{text}");
        }
        assert_eq!(expanded("f(b...);"), None);
    }
}
