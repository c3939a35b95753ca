//! One device text: kernels first, and with them everything that they turn out to need.

use super::dialect::Dialect;
use super::helper::Helper;
use super::library;
use super::names::identifier;
use super::scalar::Scalar;
use super::spaces::AddrSpace;
use super::{functions, structs};
use crate::{CodegenError, EmitOptions, Emitted, Result};
use accl_analysis::aliasing;
use accl_ir::{Function, Handle, Kernel, Module, StructDef, Type, TypeKind};
use accl_source::{LineMap, Span};
use std::cell::RefCell;
use std::collections::BTreeSet;

/// A device function as one kernel calls it: for arguments that point into these spaces (empty where the language's
/// pointers are generic).
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Instance {
    pub function: Handle<Function>,
    pub spaces: Vec<AddrSpace>,
}

/// What the text has used so far.
#[derive(Clone, Debug, Default)]
pub struct Needs {
    /// In dependency order: a structure after those it holds.
    pub structs: Vec<Handle<StructDef>>,
    pub helpers: BTreeSet<Helper>,
    pub instances: Vec<Instance>,
    pub scalars: BTreeSet<Scalar>,
    /// Those through pointers to which memory of any type is read.
    pub aliasing: BTreeSet<Scalar>,
    /// OpenCL: 64-bit atomics, base and extended.
    pub atomics64: bool,
    /// INFINITY or NAN.
    pub special_floats: bool,
    pub prints: bool,
    pub stops: bool,
    /// cpu: the macro for loops that are no vectors.
    pub in_order_loops: bool,
    /// cpu: the macro for independent loops.
    pub independent_loops: bool,
    /// cpu: the macro for kernels that are compiled a second time for processors with more instructions.
    pub twice: bool,
    /// cpu: the macro for kernels with windows, which keep arrays.
    pub keeps: bool,
    /// cpu: the test of a subscript.
    pub checked: bool,
    /// cpu: the runtime's functions for packed elements.
    pub strips: bool,
}

/// One device text that is being written.
pub struct DeviceSource<'a> {
    pub module: &'a Module,
    pub dialect: &'a dyn Dialect,
    pub options: &'a EmitOptions<'a>,
    /// Pointers may lead to memory of another type, and no compiler option says so.
    reads_as_other_types: bool,
    needs: RefCell<Needs>,
}

/// The text of all kernels of `module` that the language can express.
pub fn emit_possible(module: &Module, dialect: &dyn Dialect, options: &EmitOptions) -> Result<Emitted> {
    let reads_as_other_types = dialect.has_spaces() && aliasing::reads_as_other_types(module);
    let unit = DeviceSource { module, dialect, options, reads_as_other_types, needs: RefCell::default() };
    let (mut kernels, mut refused) = (Vec::new(), Vec::new());
    let wanted = |k: &Kernel| k.index64_of.is_some() == options.index64;
    for (handle, kernel) in module.kernels.iter().filter(|(_, k)| wanted(k)) {
        let before = unit.needs.borrow().clone();
        match unit.kernel(kernel) {
            Ok(texts) => kernels.extend(texts),
            Err(error @ CodegenError::Internal(_)) => return Err(error),
            Err(error @ CodegenError::Unsupported { .. }) => {
                unit.needs.replace(before);
                refused.push((handle, error));
            }
        }
    }
    let functions = functions::emit_needed(&unit)?;
    let helpers = unit.helper_texts();
    let structs = structs::emit_needed(&unit)?;
    let prelude = dialect.prelude(&unit.needs.borrow(), options.style);
    let before = [prelude, unit.aliasing_types()];
    let parts = before.into_iter().chain(structs).chain(helpers).chain(functions).chain(kernels);
    let parts: Vec<String> =
        parts.filter(|p| !p.is_empty()).map(|p| p.trim_end().to_owned() + "\n").collect();
    let text = parts.join("\n");
    let text = if options.style == crate::Style::Translate { plain_names(&text) } else { text };
    Ok(Emitted { text, refused })
}

/// The text of all kernels of `module`; an error if the language cannot express one.
pub fn emit(module: &Module, dialect: &dyn Dialect, options: &EmitOptions) -> Result<String> {
    let emitted = emit_possible(module, dialect, options)?;
    match emitted.refused.into_iter().next() {
        None => Ok(emitted.text),
        Some((_, error)) => Err(error),
    }
}

/// In a port the helpers have ordinary names.
fn plain_names(text: &str) -> String {
    const OURS: [&str; 7] = ["reduce_", "atomic_", "scratch", "lane", "min_", "max_", "pad_"];
    OURS.iter().fold(text.to_owned(), |text, name| text.replace(&format!("accl_{name}"), name))
}

impl<'a> DeviceSource<'a> {
    pub fn needs(&self) -> std::cell::Ref<'_, Needs> {
        self.needs.borrow()
    }

    pub fn note(&self, f: impl FnOnce(&mut Needs)) {
        f(&mut self.needs.borrow_mut());
    }

    /// The name of a helper, which the text then holds.
    pub fn helper(&self, helper: Helper) -> String {
        for needed in self.dialect.helper_needs(helper) {
            self.helper(needed);
        }
        self.note(|n| {
            n.helpers.insert(helper);
        });
        helper.name()
    }

    /// The versions of a kernel; an error also if what they call or contain cannot be expressed.
    fn kernel(&self, kernel: &Kernel) -> Result<Vec<String>> {
        self.check_recursion(kernel)?;
        let mut instances = std::mem::take(&mut self.needs.borrow_mut().instances);
        let texts = self.dialect.kernel(self, kernel)?;
        let called = self.needs.borrow().instances.clone();
        functions::emit_needed(self)?;
        structs::emit_needed(self)?;
        instances.extend(called);
        self.note(|n| n.instances = instances);
        Ok(texts)
    }

    fn check_recursion(&self, kernel: &Kernel) -> Result<()> {
        if self.dialect.has_recursion() {
            return Ok(());
        }
        match accl_ir::calls::recursive_call(self.module, &kernel.body, &kernel.body.block) {
            None => Ok(()),
            Some((function, span)) => {
                let name = &self.module.functions[function].name;
                Err(self.unsupported(format!("`{name}` calls itself, and OpenCL C has no recursion"), span))
            }
        }
    }

    /// Writing one helper may ask for another.
    fn helper_texts(&self) -> Vec<String> {
        loop {
            let helpers = self.needs.borrow().helpers.clone();
            let texts = helpers.iter().map(|h| self.dialect.helper(*h, self)).collect();
            if self.needs.borrow().helpers == helpers {
                return texts;
            }
        }
    }

    /// The spelling of an arithmetic type.
    pub fn scalar(&self, ty: Scalar) -> &'static str {
        self.note(|n| {
            n.scalars.insert(ty);
        });
        self.dialect.scalar(ty)
    }

    /// The name of the type to which a pointer points, where a scalar is called `name`.
    pub fn pointee(&self, ty: Scalar, name: &str) -> String {
        if !self.reads_as_other_types || ty.bits() < 16 {
            return name.to_owned();
        }
        self.note(|n| {
            n.aliasing.insert(ty);
        });
        format!("accl_any_{name}")
    }

    /// The types of what such pointers point to.
    fn aliasing_types(&self) -> String {
        let line = |ty: &Scalar| {
            let name = self.dialect.scalar(*ty);
            format!("typedef {name} accl_any_{name} __attribute__((may_alias));\n")
        };
        self.needs.borrow().aliasing.iter().map(line).collect()
    }

    /// A structure's name; the text then holds its definition.
    pub fn struct_name(&self, def: Handle<StructDef>) -> String {
        self.note_struct(def);
        self.safe_name(&self.module.types.structs[def].name)
    }

    fn note_struct(&self, def: Handle<StructDef>) {
        if self.needs.borrow().structs.contains(&def) {
            return;
        }
        for field in &self.module.types.structs[def].fields {
            if let Some(inner) = self.struct_inside(field.ty) {
                self.note_struct(inner);
            }
        }
        self.note(|n| n.structs.push(def));
    }

    fn struct_inside(&self, ty: Handle<Type>) -> Option<Handle<StructDef>> {
        match self.module.types.kind(ty) {
            TypeKind::Struct(def) => Some(*def),
            TypeKind::Array { of, .. } => self.struct_inside(*of),
            TypeKind::Void
            | TypeKind::Bool
            | TypeKind::Int { .. }
            | TypeKind::Float { .. }
            | TypeKind::Pointer { .. }
            | TypeKind::Compressed { .. }
            | TypeKind::Opaque(_) => None,
        }
    }

    /// `name`, or a variant of it that has no meaning in the language. Different names get different variants.
    pub fn safe_name(&self, name: &str) -> String {
        let mut name = identifier(name);
        let bare = name.trim_end_matches('_');
        if self.is_reserved(bare) || self.dialect.library().iter().any(|names| names.contains(&bare)) {
            name.push('_');
        }
        name
    }

    /// As [`DeviceSource::safe_name`], for a member, which cannot clash with a function's name.
    pub fn member_name(&self, name: &str) -> String {
        let mut name = identifier(name);
        if self.is_reserved(name.trim_end_matches('_')) {
            name.push('_');
        }
        name
    }

    /// No variable may have the name.
    pub fn is_reserved(&self, name: &str) -> bool {
        self.dialect.keywords().contains(&name) || self.in_family(name)
    }

    fn in_family(&self, name: &str) -> bool {
        self.families().into_iter().any(|family| name.starts_with(family))
    }

    /// How names of the language begin.
    pub fn families(&self) -> Vec<&'static str> {
        library::FAMILIES.iter().chain(self.dialect.families()).copied().collect()
    }

    /// Names that no local of any body may have.
    pub fn reserved_names(&self) -> Vec<String> {
        let keywords = self.dialect.keywords().iter().map(|k| (*k).to_owned());
        let functions = self.module.functions.iter().map(|(_, f)| self.safe_name(&f.symbol));
        let structs = self.module.types.structs.iter().map(|(_, s)| self.safe_name(&s.name));
        keywords.chain(functions).chain(structs).collect()
    }

    /// For `#line`.
    pub fn markers(&self) -> Option<&'a LineMap> {
        let wanted = self.options.line_markers && self.options.style == crate::Style::Embedded;
        if wanted { self.options.lines } else { None }
    }

    /// "saxpy.c:12", or nothing where it is not known.
    pub fn place(&self, span: Span) -> Option<String> {
        if span.is_nowhere() {
            return None;
        }
        let at = self.options.lines?.locate(span.start);
        Some(format!("{}:{}", at.file, at.line))
    }

    pub fn unsupported(&self, what: impl Into<String>, span: Span) -> CodegenError {
        CodegenError::Unsupported { what: what.into(), span }
    }
}
