//! Context selectors (OpenMP 5.2 §7.1 to 7.3): what they ask for, and whether a place in the program has it.

use super::words::{Cursor, split, text_of};
use std::ops::Range;

/// `device={kind(gpu)}, user={condition(n > 9)}`
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Selector {
    pub traits: Vec<Trait>,
}

/// `kind(score(3): gpu)` of the set `device`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trait {
    pub set: String,
    pub name: String,
    pub score: Option<u64>,
    /// As they are written, without quotes.
    pub properties: Vec<String>,
}

/// Where a selector is asked.
#[derive(Clone, Debug, Default)]
pub struct World {
    pub on_device: bool,
    /// The constructs around, outermost first.
    pub constructs: Vec<String>,
    /// The clauses of the file's `requires` directives.
    pub requires: Vec<String>,
}

/// A selector that holds if all conditions hold, which are expressions of the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Match {
    pub score: u64,
    pub conditions: Vec<String>,
}

impl Selector {
    /// Reads the tokens of a range. The error says what is wrong.
    pub fn parse(text: &str, cursor: &Cursor<'_>, range: Range<usize>) -> Result<Selector, String> {
        let mut traits = vec![];
        for part in split(&cursor.words, range, ",") {
            let words = &cursor.words[part.clone()];
            let [set, equals, open, ..] = words else { return Err("expected a set of traits".into()) };
            if equals.text != "=" || open.text != "{" || words.last().is_none_or(|w| w.text != "}") {
                return Err(format!("expected `{}={{…}}`", set.text));
            }
            const SETS: [&str; 5] = ["construct", "device", "target_device", "implementation", "user"];
            if !SETS.contains(&set.text) {
                return Err(format!("`{}` is no set of traits", set.text));
            }
            for one in split(&cursor.words, part.start + 3..part.end - 1, ",") {
                traits.push(Trait::parse(set.text, text, cursor, one)?);
            }
        }
        Ok(Selector { traits })
    }

    /// Whether it holds, and how well it fits; `None`: it does not.
    pub fn matches(&self, world: &World) -> Result<Option<Match>, String> {
        let is_extension = |t: &&Trait| t.set == "implementation" && t.name == "extension";
        let mut extensions = self.traits.iter().filter(is_extension).flat_map(|t| &t.properties);
        match extensions.find(|p| ["match_any", "match_none"].contains(&p.as_str())) {
            Some(extension) => self.matches_one(world, extension == "match_any"),
            None => self.matches_all(world),
        }
    }

    /// At least one trait holds, or none does (extensions that clang has).
    fn matches_one(&self, world: &World, wanted: bool) -> Result<Option<Match>, String> {
        let mut held = None;
        for one in self.traits.iter().filter(|t| t.name != "extension") {
            let Some(found) = (Selector { traits: vec![one.clone()] }).matches_all(world)? else { continue };
            if !found.conditions.is_empty() {
                return Err("conditions beside `match_any` or `match_none` must be constants".into());
            }
            held = held.max(Some(found.score));
        }
        let score = if wanted { held } else { held.is_none().then_some(1) };
        Ok(score.map(|score| Match { score, conditions: vec![] }))
    }

    fn matches_all(&self, world: &World) -> Result<Option<Match>, String> {
        let wanted: Vec<&Trait> = self.traits.iter().filter(|t| t.set == "construct").collect();
        let Some(construct_score) = constructs(&wanted, &world.constructs) else { return Ok(None) };
        let level = world.constructs.len().min(32) as u32;
        let mut found = Match { score: 1 + construct_score, conditions: vec![] };
        let mut other_device: Vec<&Trait> = vec![];
        for one in self.traits.iter().filter(|t| t.set != "construct") {
            let (holds, score) = match (one.set.as_str(), one.name.as_str()) {
                ("target_device", _) if !world.on_device => {
                    other_device.push(one);
                    (true, 0)
                }
                ("target_device", "device_num") => {
                    return Err("`device_num` in code for devices is not implemented yet".into());
                }
                ("device" | "target_device", "kind") => (one.all(|p| is_kind(p, world)), 1 << level),
                ("device" | "target_device", "arch") => (one.all(|p| is_arch(p, world)), 1 << (level + 1)),
                // Instructions beyond the least that an architecture has are not counted on.
                ("device" | "target_device", "isa") => (false, 0),
                ("implementation", "vendor") => (one.all(|p| is_vendor(p, world)), 0),
                // Others than those that say how traits are counted are not ours.
                ("implementation", "extension") => (one.all(|p| p == "match_all"), 0),
                ("implementation", name) => (world.requires.iter().any(|r| r == name), 0),
                ("user", _) => match constant(one.properties.first().map_or("", |p| p)) {
                    Some(value) => (value != 0, 0),
                    None => {
                        found.conditions.extend(one.properties.iter().cloned());
                        (true, 0)
                    }
                },
                (set, name) => return Err(format!("`{name}` is no trait of `{set}`")),
            };
            if !holds {
                return Ok(None);
            }
            found.score += one.score.unwrap_or(score);
        }
        if !other_device.is_empty() {
            found.conditions.push(asks_device(&other_device));
        }
        Ok(Some(found))
    }
}

impl Trait {
    fn parse(set: &str, text: &str, cursor: &Cursor<'_>, range: Range<usize>) -> Result<Trait, String> {
        let words = &cursor.words;
        let Some(first) = words.get(range.start).filter(|_| !range.is_empty()) else {
            return Err(format!("a trait of `{set}` is missing"));
        };
        let mut found = Trait { set: set.into(), name: first.text.into(), score: None, properties: vec![] };
        if range.len() == 1 {
            return Ok(found);
        }
        let close = cursor.closing(range.start + 1).filter(|close| close + 1 == range.end);
        let Some(close) = close.filter(|_| words[range.start + 1].text == "(") else {
            return Err(format!("expected `{}(…)`", first.text));
        };
        let mut inside = range.start + 2..close;
        if words[inside.start].text == "score" && words.get(inside.start + 1).is_some_and(|w| w.text == "(") {
            let end = cursor.closing(inside.start + 1).ok_or("a bracket is not closed")?;
            let score = text_of(text, words, inside.start + 2..end);
            found.score = Some(constant(score).ok_or("a score must be a constant")?.max(0) as u64);
            inside.start = (end + 2).min(inside.end);
        }
        let unquoted = |part| text_of(text, words, part).trim_matches('"').to_owned();
        found.properties = match set {
            "user" | "construct" => vec![text_of(text, words, inside).to_owned()],
            _ => split(words, inside, ",").into_iter().map(unquoted).collect(),
        };
        Ok(found)
    }

    fn all(&self, holds: impl Fn(&str) -> bool) -> bool {
        self.properties.iter().all(|property| holds(property))
    }
}

/// The wanted constructs must stand around the place in this order. Inner ones count more.
fn constructs(wanted: &[&Trait], around: &[String]) -> Option<u64> {
    let mut score = 0;
    let mut at = around.len();
    for one in wanted.iter().rev() {
        at = around[..at].iter().rposition(|name| *name == one.name)?;
        score += 1 << at.min(32);
    }
    Some(score)
}

/// Device code is resolved once, as for a GPU of NVIDIA.
fn is_kind(kind: &str, world: &World) -> bool {
    match kind {
        "any" => true,
        "host" | "cpu" => !world.on_device,
        "nohost" | "gpu" => world.on_device,
        _ => false,
    }
}

fn is_arch(arch: &str, world: &World) -> bool {
    match world.on_device {
        true => matches!(arch, "nvptx" | "nvptx64"),
        false => host_archs().contains(&arch),
    }
}

fn host_archs() -> &'static [&'static str] {
    match cfg!(target_arch = "x86_64") {
        true => &["x86_64", "x86-64", "x86", "amd64"],
        false => &["aarch64", "arm64"],
    }
}

fn is_vendor(vendor: &str, world: &World) -> bool {
    vendor == if world.on_device { "nvidia" } else { "gnu" }
}

/// A number, or a word for one, in any number of parentheses.
pub fn constant(text: &str) -> Option<i64> {
    let text = text.trim();
    match text {
        "true" => return Some(1),
        "false" => return Some(0),
        _ => {}
    }
    if let Some(inner) = text.strip_prefix('(').and_then(|t| t.strip_suffix(')')) {
        return constant(inner);
    }
    if let Some(inner) = text.strip_prefix('!').filter(|t| !t.starts_with('=')) {
        return constant(inner).map(|value| i64::from(value == 0));
    }
    text.trim_end_matches(['u', 'U', 'l', 'L']).parse().ok()
}

/// A call of the runtime that asks what a device is.
fn asks_device(traits: &[&Trait]) -> String {
    let of = |name: &str| {
        let list = traits.iter().filter(|t| t.name == name).flat_map(|t| &t.properties);
        list.cloned().collect::<Vec<_>>().join(",")
    };
    let number = of("device_num");
    let number = if number.is_empty() { "accl_omp_default_device()".to_owned() } else { number };
    format!("accl_omp_device_is({number}, \"{}\", \"{}\", \"{}\")", of("kind"), of("arch"), of("isa"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Selector {
        let cursor = Cursor::new(text);
        Selector::parse(text, &cursor, 0..cursor.words.len()).unwrap()
    }

    fn score(text: &str, world: &World) -> Option<u64> {
        parse(text).matches(world).unwrap().map(|found| found.score)
    }

    #[test]
    fn selectors_fit_their_place() {
        let host = World { constructs: vec!["parallel".into(), "for".into()], ..World::default() };
        let device =
            World { on_device: true, constructs: vec!["target".into(), "teams".into()], requires: vec![] };
        assert_eq!(score("construct={parallel}", &host), Some(2));
        assert_eq!(score("construct={parallel,for}", &host), Some(4));
        assert_eq!(score("construct={for,parallel}", &host), None);
        assert_eq!(score("device={kind(host)}", &host), Some(5));
        assert_eq!(score("device={kind(\"gpu\")}", &host), None);
        assert_eq!(score("device={kind(nohost),arch(nvptx64)}", &device), Some(1 + 4 + 8));
        assert_eq!(score("implementation={vendor(score(7): nvidia)}", &device), Some(8));
        assert_eq!(score("user={condition(0)}", &device), None);
        assert_eq!(score("user={condition(!(0))}", &device), Some(1));
        assert_eq!(score("implementation={unified_shared_memory}", &device), None);
    }

    #[test]
    fn what_is_known_later_becomes_conditions() {
        let found = parse("user={condition(n > f(1, 2))}, target_device={device_num(d),kind(gpu)}")
            .matches(&World::default())
            .unwrap()
            .unwrap();
        assert_eq!(found.conditions, ["n > f(1, 2)", "accl_omp_device_is(d, \"gpu\", \"\", \"\")"]);
    }

    #[test]
    fn wrong_selectors_are_told() {
        for text in ["device", "machine={kind(gpu)}", "device={kind gpu}", "device={}x"] {
            let cursor = Cursor::new(text);
            assert!(Selector::parse(text, &cursor, 0..cursor.words.len()).is_err(), "{text}");
        }
    }
}
