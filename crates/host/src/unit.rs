//! One translation unit being edited.

use crate::edits::{Edits, with_host_directives, without_pragmas};
use crate::standalone::{self, Scope};
use crate::{
    HostError, HostOptions, Result, abi_text, cross_unit, objects, own_names, region, tables, types,
};
use accl_ir::{Block, DataVar, Expr, ExprKind, Function, Handle, Kernel, Local, LocalKind, Module, Stmt};
use accl_source::{LineMap, Span};

pub struct HostSource<'a> {
    pub module: &'a Module,
    pub buffer: &'a str,
    pub lines: &'a LineMap,
    pub options: &'a HostOptions<'a>,
    pub edits: Edits,
    /// Objects whose device addresses the constructs around hand out, and what denotes them on the device in C.
    pub device_objects: Vec<(DataVar, String)>,
    /// `accl_site` initialisers.
    sites: Vec<String>,
    /// Kernels that are launched, with their sites.
    kernels: Vec<(Handle<Kernel>, usize)>,
    /// A `declare` in a function needs the clean-up function.
    pub needs_scope: bool,
}

/// Runs when a scope with `declare` is left.
const SCOPE: &str = "\
struct accl_scope { const accl_site *site; accl_var *vars; unsigned n; };
static void accl_end_scope(struct accl_scope *s) { accl_data_end(s->site, s->vars, s->n, -1); }
";

impl<'a> HostSource<'a> {
    pub fn new(
        module: &'a Module,
        buffer: &'a str,
        lines: &'a LineMap,
        options: &'a HostOptions<'a>,
    ) -> Self {
        HostSource {
            module,
            buffer,
            lines,
            options,
            edits: Edits::default(),
            device_objects: Vec::new(),
            sites: Vec::new(),
            kernels: Vec::new(),
            needs_scope: false,
        }
    }

    pub fn rewrite(mut self) -> Result<String> {
        let module = self.module;
        for (_, function) in module.functions.iter() {
            if let (Some(body), true) = (&function.body, function.has_regions) {
                self.block(function, &body.block)?;
            }
        }
        // What directives of other units declare has no place in this text.
        for directive in module.declares.iter().filter(|d| !d.directive_span.is_nowhere()) {
            standalone::rewrite(&mut self, &Scope::File, directive)?;
        }
        let has_directives = !self.sites.is_empty();
        let objects = if self.options.auto_data && has_directives {
            objects::rewrite(&mut self)
        } else {
            String::new()
        };
        let edits = std::mem::take(&mut self.edits);
        let body = with_host_directives(without_pragmas(&edits.apply(self.buffer)?));
        let addresses = cross_unit::addresses(&self);
        if !has_directives {
            return own_names::restored(body + &addresses);
        }
        own_names::restored(self.prologue()? + &body + &objects + &addresses)
    }

    /// Edits for the constructs of a block.
    pub fn block(&mut self, function: &Function, block: &Block) -> Result<()> {
        for node in block {
            match &node.kind {
                Stmt::Region(region) => region::rewrite(self, function, region)?,
                Stmt::Declare { local, init } => self.declaration(function, *local, *init, node.span)?,
                Stmt::Directive(directive) => {
                    standalone::rewrite(self, &Scope::Function(function), directive)?;
                }
                kind => {
                    for inner in kind.blocks() {
                        self.block(function, inner)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// A variable of the compiler's is declared before the declaration whose value it holds, and replaces that
    /// value.
    fn declaration(
        &mut self,
        function: &Function,
        local: Handle<Local>,
        init: Option<Handle<Expr>>,
        span: Span,
    ) -> Result<()> {
        let Some(body) = &function.body else { return Ok(()) };
        let hoisted = |l: Handle<Local>| body.locals[l].kind == LocalKind::Hoisted;
        if hoisted(local) {
            let Local { name, ty, .. } = &body.locals[local];
            let number = types::number(&self.module.types, *ty, self.options.cplusplus);
            let number = number.ok_or_else(|| HostError::Internal(format!("{name} is no number")))?;
            let mut text = self.generated(span, &[format!("{number} {name};")]);
            text.insert(0, '\n');
            self.edits.insert(span.start, text);
        }
        if let Some(init) = init
            && let ExprKind::Load(place) = body.exprs[init].kind
            && let ExprKind::Local(value) = body.exprs[place].kind
            && hoisted(value)
        {
            let Span { start, end, .. } = body.exprs[init].span;
            self.edits.replace(start, end, format!(" {}", body.locals[value].name));
        }
        Ok(())
    }

    /// The place is the first of its line: gcc takes a line marker for one only there.
    pub fn starts_line(&self, offset: u32) -> bool {
        let before = self.buffer.get(..offset as usize).unwrap_or("");
        before.is_empty() || before.ends_with('\n')
    }

    /// Declarations and tables, as text of a system header, so that no warning names them.
    fn prologue(&self) -> Result<String> {
        let mut text = String::from("# 1 \"accl_abi.h\" 3\n");
        text.push_str(&abi_text::declarations(self.options.cplusplus));
        if !self.kernels.is_empty() {
            let name = tables::module_name(self);
            let index64 = self.kernels.iter().any(|(k, _)| tables::index64(self, *k).is_some());
            for suffix in [""].into_iter().chain(index64.then_some(tables::INDEX64)) {
                let language = self.extern_c_of_object();
                text.push_str(&format!("extern {language}const accl_module {name}{suffix};\n"));
            }
            if index64 {
                text.push_str(&tables::both("accl_module", &name));
            }
        }
        text.push_str(&format!(
            "static const accl_site accl_sites[] = {{\n    {},\n}};\n",
            self.sites.join(",\n    ")
        ));
        text.push_str(&cross_unit::declarations(self));
        for (kernel, site) in &self.kernels {
            text.push_str(&tables::kernel(self, *kernel, *site)?);
        }
        if self.needs_scope {
            text.push_str(SCOPE);
        }
        text.push_str(&self.marker(0));
        Ok(text)
    }

    /// The prefix of a prototype whose name has C linkage.
    pub fn extern_c(&self) -> &'static str {
        if self.options.cplusplus { "extern \"C\" " } else { "" }
    }

    pub fn extern_c_of_object(&self) -> &'static str {
        if self.options.cplusplus { "\"C\" " } else { "" }
    }

    /// Records a directive's place; gives its number.
    pub fn site(&mut self, function: &str, directive: &str, at: Span, end: Span) -> usize {
        let text = tables::site(self, function, directive, at, end);
        self.sites.push(text);
        self.sites.len() - 1
    }

    pub fn site_address(&self, site: usize) -> String {
        format!("&accl_sites[{site}]")
    }

    pub fn use_kernel(&mut self, kernel: Handle<Kernel>, site: usize) {
        self.kernels.push((kernel, site));
    }

    pub fn text(&self, span: Span) -> Result<&'a str> {
        self.buffer
            .get(span.start as usize..span.end as usize)
            .ok_or_else(|| HostError::Internal("a span that is not in the buffer".into()))
    }

    /// The user's line of a span, 0 where it is nowhere.
    pub fn line(&self, span: Span) -> u32 {
        if span.is_nowhere() { 0 } else { self.lines.locate(span.start).line }
    }

    /// A line that gives the text after it the line number of the byte at `offset`.
    pub fn marker(&self, offset: u32) -> String {
        let at = self.lines.locate(offset);
        format!("# {} {}\n", at.line, crate::data::string(at.file))
    }

    /// As [`HostSource::marker`], for the line after the one that ends at `offset`; the line's own end follows.
    pub fn marker_behind(&self, offset: u32) -> String {
        let at = self.lines.locate(offset);
        format!("# {} {}", at.line + 1, crate::data::string(at.file))
    }

    /// Lines that the compiler inserts. They count as the directive's at `span` and cause no warnings.
    pub fn generated(&self, span: Span, lines: &[String]) -> String {
        self.generated_at(span.start, lines)
    }

    pub fn generated_at(&self, offset: u32, lines: &[String]) -> String {
        let at = self.lines.locate(offset);
        let marker = format!("# {} {} 3\n", at.line, crate::data::string(at.file));
        let mut text = marker.clone();
        for (i, line) in lines.iter().enumerate() {
            if i > 0 && self.options.exact_lines {
                text.push_str(&marker);
            }
            text.push_str(line);
            text.push('\n');
        }
        text
    }
}
