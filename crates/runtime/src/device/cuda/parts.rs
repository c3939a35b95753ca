//! The parts of modules' texts, which are compiled each by itself: see `accl_abi::parts`.

use super::compiler::CompileTarget;
use crate::cache::Key;
use accl_abi::parts::{ON_DEMAND, split};
use accl_abi::{Module, parts};
use std::collections::HashMap;
use std::ffi::{CStr, CString};
use std::sync::{Arc, Mutex};

/// A variant of a kernel, to be compiled for a device.
pub struct UncompiledVariant {
    pub key: Key,
    pub symbol: String,
    pub target: Arc<CompileTarget>,
    pub rank: u32,
    shared: Arc<str>,
    text: String,
}

impl UncompiledVariant {
    fn new(
        shared: &Arc<str>,
        digest: Key,
        part: &parts::Part<'_>,
        target: &Arc<CompileTarget>,
    ) -> UncompiledVariant {
        UncompiledVariant {
            key: target.key(&[&digest.bytes(), part.text.as_bytes()]),
            symbol: part.symbol.to_owned(),
            target: target.clone(),
            rank: part.rank,
            shared: shared.clone(),
            text: part.text.to_owned(),
        }
    }

    /// What is compiled.
    pub fn source(&self) -> CString {
        CString::new(format!("{}{}", self.shared, self.text)).unwrap_or_default()
    }
}

/// All parts of a module.
pub struct Parts(Vec<Arc<UncompiledVariant>>);

impl Parts {
    /// `None` where the text is compiled as a whole.
    pub fn of(source: &CStr, target: &Arc<CompileTarget>) -> Option<Parts> {
        Parts::of_text(source.to_str().ok()?, target)
    }

    fn of_text(source: &str, target: &Arc<CompileTarget>) -> Option<Parts> {
        let found = split(source)?;
        let (shared, digest) = (Arc::from(found.shared), Key::of(&[found.shared.as_bytes()]));
        let variants = found.variants.iter();
        Some(Parts(
            variants.map(|part| Arc::new(UncompiledVariant::new(&shared, digest, part, target))).collect(),
        ))
    }

    pub fn all(&self) -> impl Iterator<Item = Arc<UncompiledVariant>> {
        self.0.iter().cloned()
    }

    pub fn by_symbol(self) -> HashMap<String, Arc<UncompiledVariant>> {
        self.0.into_iter().map(|part| (part.symbol.clone(), part)).collect()
    }
}

/// Texts of modules that have no image. They are copies, since a library may be unloaded before a device is started.
static REGISTERED: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// Keeps a module's text until a device is started, if its parts are worth compiling then.
pub fn register(module: &Module) {
    if module.n_images > 0 || module.cuda.is_null() {
        return;
    }
    // SAFETY: a string of a constant table.
    let Ok(source) = unsafe { CStr::from_ptr(module.cuda) }.to_str() else { return };
    if is_compiled_ahead(source) {
        REGISTERED.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).push(source.to_owned());
    }
}

fn is_compiled_ahead(source: &str) -> bool {
    split(source).is_some_and(|found| found.variants.iter().any(|part| part.rank < ON_DEMAND))
}

/// The parts of all registered modules that are compiled for a device when it is started.
pub fn registered(target: &Arc<CompileTarget>) -> Vec<Arc<UncompiledVariant>> {
    let texts = REGISTERED.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    let found = texts.iter().filter_map(|text| Parts::of_text(text, target));
    found.flat_map(|parts| parts.0).filter(|part| part.rank < ON_DEMAND).collect()
}
