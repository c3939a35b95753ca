//! What language an input is in: from `-x`, else from its suffix, by gcc's table.

use super::Front;
use std::path::Path;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Language {
    C,
    Cxx,
    /// `.i`: C that has been preprocessed (by ccache, distcc, `-save-temps`).
    PreprocessedC,
    PreprocessedCxx,
    /// Assembler, headers, Objective-C …: the host compiler's business. Holds the name for `-x`, or
    /// nothing where the suffix says it.
    Other(Option<String>),
}

impl Language {
    /// `None`: an input of the linker.
    pub fn of_file(path: &Path, front: Front) -> Option<Language> {
        let suffix = path.extension()?.to_str()?;
        let cxx = front == Front::Cxx;
        Some(match suffix {
            "c" if cxx => Language::Cxx,
            "c" => Language::C,
            "i" if cxx => Language::PreprocessedCxx,
            "i" => Language::PreprocessedC,
            "cc" | "cp" | "cxx" | "cpp" | "CPP" | "c++" | "C" => Language::Cxx,
            "ii" => Language::PreprocessedCxx,
            "s" | "S" | "sx" | "h" | "hh" | "H" | "hp" | "hxx" | "hpp" | "HPP" | "h++" | "tcc" | "m"
            | "mi" | "mm" | "M" | "mii" | "f" | "for" | "ftn" | "F" | "f90" | "F90" | "f95" | "F95"
            | "ll" | "bc" => Language::Other(None),
            _ => return None,
        })
    }

    /// The argument of `-x`; `None` for `none`.
    pub fn of_option(name: &str) -> Option<Language> {
        Some(match name {
            "none" => return None,
            "c" => Language::C,
            "c++" => Language::Cxx,
            "cpp-output" => Language::PreprocessedC,
            "c++-cpp-output" => Language::PreprocessedCxx,
            other => Language::Other(Some(other.to_owned())),
        })
    }

    /// For `-x`, where the language must be said.
    pub fn option(&self) -> Option<&str> {
        match self {
            Language::C => Some("c"),
            Language::Cxx => Some("c++"),
            Language::PreprocessedC => Some("cpp-output"),
            Language::PreprocessedCxx => Some("c++-cpp-output"),
            Language::Other(name) => name.as_deref(),
        }
    }

    /// The same language after preprocessing.
    pub fn preprocessed(&self) -> Language {
        if self.is_cxx() { Language::PreprocessedCxx } else { Language::PreprocessedC }
    }

    pub fn is_cxx(&self) -> bool {
        matches!(self, Language::Cxx | Language::PreprocessedCxx)
    }

    pub fn is_preprocessed(&self) -> bool {
        matches!(self, Language::PreprocessedC | Language::PreprocessedCxx)
    }

    pub fn may_hold_directives(&self) -> bool {
        match self {
            Language::C | Language::Cxx | Language::PreprocessedC | Language::PreprocessedCxx => true,
            Language::Other(_) => false,
        }
    }
}
