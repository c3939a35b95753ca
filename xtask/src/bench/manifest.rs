//! `bench/<folder>/manifest.toml`: a benchmark, its peers, its sizes and its forms.
//!
//! The folder's name is the program's. A section `[form.c]` of `bench/hotspot/manifest.toml` makes another program
//! of it, `hotspot_c`, which inherits everything from the plain one unless the section says otherwise; `cuda = ""`
//! removes a line.

use super::formula;
use crate::paths;
use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use toml::{Table, Value};

#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// The folder's name, with the form's after it.
    pub name: String,
    /// The folder in `bench`, which holds the sources.
    pub folder: String,
    pub shows: String,
    /// The OpenACC program.
    pub source: String,
    /// The hand-written CUDA peer.
    #[serde(default)]
    pub cuda: Option<String>,
    /// No program for another compiler does the same.
    #[serde(default)]
    pub alone: bool,
    /// What a paper reports of it, and where: "up to 2.07 (001, figure 6.5)".
    #[serde(default)]
    pub paper: Option<String>,
    #[serde(default)]
    pub libs: Vec<String>,
    #[serde(default)]
    pub flags: Vec<String>,
    #[serde(default)]
    pub parameters: Vec<String>,
    pub args_small: Args,
    pub args_large: Args,
    #[serde(default)]
    pub args_cpu: Args,
    #[serde(default)]
    pub tolerance: f64,
    #[serde(default)]
    pub launches_small: Option<usize>,
    #[serde(default)]
    pub uploads_small: Option<usize>,
    #[serde(default)]
    pub downloads_small: Option<usize>,
    #[serde(default)]
    pub bytes_per_rep: Option<String>,
    #[serde(default)]
    pub flops_per_rep: Option<String>,
}

/// One command line, or several.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(untagged)]
pub enum Args {
    One(String),
    Many(Vec<String>),
}

impl Default for Args {
    fn default() -> Args {
        Args::Many(vec![])
    }
}

impl Args {
    pub fn lines(&self) -> Vec<String> {
        match self {
            Args::One(line) => vec![line.clone()],
            Args::Many(lines) => lines.clone(),
        }
    }
}

impl Manifest {
    /// The sizes to time on a device.
    pub fn sizes(&self, device: &str) -> Vec<String> {
        match device {
            "cuda" => self.args_large.lines(),
            _ => self.args_cpu.lines(),
        }
    }

    /// The bytes that one repetition must move, where the manifest gives the number.
    pub fn bytes(&self, args: &str) -> Option<f64> {
        formula::value(self.bytes_per_rep.as_ref()?, &self.parameters, args).ok()
    }

    /// Operations of one repetition.
    pub fn flops(&self, args: &str) -> Option<f64> {
        formula::value(self.flops_per_rep.as_ref()?, &self.parameters, args).ok()
    }

    pub fn dir(&self) -> PathBuf {
        paths::root().join("bench").join(&self.folder)
    }

    pub fn is_cxx(&self) -> bool {
        !self.source.ends_with(".c")
    }

    /// The flags for one of its sources: CUDA's compiler knows no directives.
    pub fn flags_for(&self, source: &str) -> Vec<String> {
        let wanted = |flag: &&String| !(source.ends_with(".cu") && *flag == "-fopenmp");
        self.flags.iter().filter(wanted).cloned().collect()
    }

    /// The arguments for a compiler after `-o`: flags before, libraries after the source.
    pub fn words(&self, source: &str) -> Vec<String> {
        let mut words = self.flags_for(source);
        words.push(self.dir().join(source).display().to_string());
        words.extend(self.libs.iter().map(|l| format!("-l{l}")));
        words
    }
}

/// All benchmarks, by name.
pub fn all() -> Result<Vec<Manifest>> {
    let mut found = vec![];
    for entry in std::fs::read_dir(paths::root().join("bench"))?.flatten() {
        let file = entry.path().join("manifest.toml");
        if file.is_file() {
            found.extend(read(&file).with_context(|| file.display().to_string())?);
        }
    }
    found.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(found)
}

fn read(file: &Path) -> Result<Vec<Manifest>> {
    let folder = file.parent().map(paths::stem).unwrap_or_default();
    programs(&folder, &std::fs::read_to_string(file)?)
}

/// The plain program and its forms.
fn programs(folder: &str, text: &str) -> Result<Vec<Manifest>> {
    let mut plain: Table = toml::from_str(text)?;
    let forms = match plain.remove("form") {
        Some(Value::Table(forms)) => forms,
        Some(_) => anyhow::bail!("a form is a section: [form.NAME]"),
        None => Table::new(),
    };
    let mut found = vec![program(folder, folder.to_owned(), plain.clone())?];
    for (form, own) in forms {
        let Value::Table(own) = own else { anyhow::bail!("a form is a section: [form.{form}]") };
        let name = format!("{folder}_{form}");
        found.push(program(folder, name, overlaid(&plain, own))?);
    }
    Ok(found)
}

fn program(folder: &str, name: String, mut table: Table) -> Result<Manifest> {
    table.insert("name".to_owned(), Value::String(name.clone()));
    table.insert("folder".to_owned(), Value::String(folder.to_owned()));
    table.try_into().with_context(|| name)
}

/// The lines of a form override those of the plain program. What a form is meant to show it says itself.
fn overlaid(plain: &Table, own: Table) -> Table {
    let mut table = plain.clone();
    table.remove("shows");
    table.extend(own);
    table.retain(|_, value| value.as_str() != Some(""));
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = r#"
        shows = "plain"
        source = "a.c"
        cuda = "a.cu"
        args_small = "1"
        args_large = ["2", "3"]
        [form.c]
        shows = "compressed"
        flags = ["-DCOMPRESSED"]
        cuda = ""
    "#;

    #[test]
    fn a_form_has_what_its_plain_program_has() {
        let [plain, form] = <[Manifest; 2]>::try_from(programs("a", TEXT).unwrap()).unwrap();
        assert_eq!((plain.name.as_str(), plain.cuda.as_deref()), ("a", Some("a.cu")));
        assert_eq!(
            (form.name.as_str(), form.folder.as_str(), form.shows.as_str()),
            ("a_c", "a", "compressed")
        );
        assert_eq!((form.cuda, form.flags), (None, vec!["-DCOMPRESSED".to_owned()]));
        assert_eq!(form.args_large.lines(), ["2", "3"]);
    }

    #[test]
    fn a_form_says_what_it_shows() {
        assert!(programs("a", &TEXT.replace("shows = \"compressed\"", "")).is_err());
        assert!(programs("a", &TEXT.replace("flags", "flag")).is_err());
    }

    #[test]
    fn every_formula_can_be_read() {
        for program in all().unwrap() {
            for args in program.args_small.lines() {
                for formula in [&program.bytes_per_rep, &program.flops_per_rep].into_iter().flatten() {
                    let value = formula::value(formula, &program.parameters, &args);
                    assert!(value.is_ok(), "{}: {value:?}", program.name);
                }
            }
        }
    }

    #[test]
    fn every_manifest_names_files_that_there_are() {
        for program in all().unwrap() {
            for source in [Some(&program.source), program.cuda.as_ref()].into_iter().flatten() {
                assert!(program.dir().join(source).is_file(), "{}: no {source}", program.name);
            }
        }
    }
}
