//! `bench/<folder>/manifest.toml`: a benchmark, its peers, its sizes and its forms.
//!
//! The folder's name is the program's. A section `[form.c]` of `bench/hotspot/manifest.toml` makes another program
//! of it, `hotspot_c`, which inherits everything from the plain one unless the section says otherwise; `cuda = ""`
//! removes a line. A folder may hold folders of programs: `bench/openmpc/cg` is `openmpc_cg`.

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
    #[serde(default)]
    pub language: Language,
    /// The program with directives.
    pub source: String,
    /// Its other files.
    #[serde(default)]
    pub more: Vec<String>,
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
    /// What the program in CUDA does at the small size, as it says itself.
    #[serde(default)]
    pub cuda_uploads_small: Option<usize>,
    #[serde(default)]
    pub cuda_downloads_small: Option<usize>,
    #[serde(default)]
    pub bytes_per_rep: Option<String>,
    #[serde(default)]
    pub flops_per_rep: Option<String>,
}

/// What the program with directives is written in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Language {
    /// OpenACC and OpenMP, with constructs for devices.
    #[default]
    Directives,
    /// OpenMP for the threads of a CPU.
    Openmpc,
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

    /// What only our compiler is told.
    pub fn our_flags(&self) -> &'static [&'static str] {
        match self.language {
            Language::Directives => &[],
            Language::Openmpc => &["-fopenmpc"],
        }
    }

    /// The flags for one of its sources: CUDA's compiler knows no directives.
    pub fn flags_for(&self, source: &str) -> Vec<String> {
        let wanted = |flag: &&String| !(source.ends_with(".cu") && *flag == "-fopenmp");
        self.flags.iter().filter(wanted).cloned().collect()
    }

    /// The arguments for a compiler after `-o`: flags before, libraries after the source.
    pub fn words(&self, source: &str) -> Vec<String> {
        let mut words = self.flags_for(source);
        let more = self.more.iter().filter(|_| source == self.source).map(String::as_str);
        words
            .extend([source].into_iter().chain(more).map(|file| self.dir().join(file).display().to_string()));
        words.extend(self.libs.iter().map(|l| format!("-l{l}")));
        words
    }
}

/// All benchmarks, by name.
pub fn all() -> Result<Vec<Manifest>> {
    let mut found = vec![];
    below(&paths::root().join("bench"), "", &mut found)?;
    found.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(found)
}

/// The programs of a folder of `bench`, and of the folders in it.
fn below(dir: &Path, folder: &str, found: &mut Vec<Manifest>) -> Result<()> {
    let file = dir.join("manifest.toml");
    if file.is_file() {
        let text = std::fs::read_to_string(&file)?;
        found.extend(programs(folder, &text).with_context(|| file.display().to_string())?);
    }
    for entry in std::fs::read_dir(dir)?.flatten().filter(|entry| entry.path().is_dir()) {
        let name = entry.file_name().to_string_lossy().into_owned();
        let inner = if folder.is_empty() { name } else { format!("{folder}/{name}") };
        below(&entry.path(), &inner, found)?;
    }
    Ok(())
}

/// The plain program and its forms.
fn programs(folder: &str, text: &str) -> Result<Vec<Manifest>> {
    let mut plain: Table = toml::from_str(text)?;
    let forms = match plain.remove("form") {
        Some(Value::Table(forms)) => forms,
        Some(_) => anyhow::bail!("a form is a section: [form.NAME]"),
        None => Table::new(),
    };
    let plain_name = folder.replace('/', "_");
    let mut found = vec![program(folder, plain_name.clone(), plain.clone())?];
    for (form, own) in forms {
        let Value::Table(own) = own else { anyhow::bail!("a form is a section: [form.{form}]") };
        let name = format!("{plain_name}_{form}");
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
            let sources = [Some(&program.source), program.cuda.as_ref()].into_iter().flatten();
            for source in sources.chain(&program.more) {
                assert!(program.dir().join(source).is_file(), "{}: no {source}", program.name);
            }
        }
    }
}
