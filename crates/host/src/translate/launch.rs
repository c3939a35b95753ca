//! Functions that launch kernels: their parameters, their calls in the program, and their text.
//!
//! They take the program's own addresses and values, so that a call reads as the computation does. Parameters that
//! only the launch needs (numbers of iterations or gangs) come last.

use super::grid::{self, Grid};
use super::spelling::{declare, number, operand, pointer_parameter, wrapped};
use super::{Input, PortLanguage, Refused, refuse, section};
use accl_ir::{DataKind, Handle, Kernel, Local, Param, ParamKind, Region, Type, TypeKind};
use std::collections::BTreeMap;

pub struct Launch {
    pub kernel: Handle<Kernel>,
    /// Of the function.
    pub name: String,
    pub parameters: Vec<Parameter>,
    /// Values that the function is given, by their variables.
    pub value_names: BTreeMap<Handle<Local>, String>,
    /// Names of parameters with numbers of iterations, where they cannot be computed from the others.
    pub trips: [Option<String>; 3],
    pub num_gangs: Option<String>,
    pub vector_length: Option<String>,
    pub num_workers: Option<String>,
    /// The kernel that is launched, for error messages.
    pub span: accl_source::Span,
}

pub struct Parameter {
    pub name: String,
    /// As the header has it.
    pub declaration: String,
    /// As the program gives it.
    pub argument: String,
    pub role: Role,
}

pub enum Role {
    /// An array on the device; `first` names the parameter that says where its first element there is.
    Array { ty: Handle<Type>, found: AddressMapping, first: Option<String> },
    /// A number or, as an address, a structure.
    Value { ty: Handle<Type> },
    /// Where a reduction's value is.
    Result { ty: Handle<Type> },
    /// A parameter that only the launch needs.
    Extra,
}

/// How the device's address is found from the host's.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum AddressMapping {
    Surely,
    Perhaps,
    /// It already is the device's address.
    Same,
}

impl Launch {
    pub fn new(input: &Input, region: &Region, handle: Handle<Kernel>) -> Result<Launch, Refused> {
        let kernel = &input.module.kernels[handle];
        let mut launch = Launch {
            kernel: handle,
            name: String::new(),
            parameters: Vec::new(),
            value_names: BTreeMap::new(),
            trips: [None, None, None],
            num_gangs: None,
            vector_length: None,
            num_workers: None,
            span: region.directive_span,
        };
        let mut firsts = Vec::new();
        for param in &kernel.params {
            let parameter = launch.parameter(input, region, kernel, param, &mut firsts)?;
            launch.parameters.push(parameter);
        }
        launch.parameters.extend(firsts);
        launch.extras(input, kernel);
        launch.name =
            if launch.calls_kernel(input) { kernel.name.clone() } else { format!("launch_{}", kernel.name) };
        Ok(launch)
    }

    /// In C a kernel is a function like any other, unless it takes a structure by value.
    fn calls_kernel(&self, input: &Input) -> bool {
        let by_address = |p: &Parameter| match p.role {
            Role::Value { ty } => number(&input.module.types, ty).is_none(),
            Role::Array { .. } | Role::Result { .. } | Role::Extra => false,
        };
        input.target == PortLanguage::C && !self.parameters.iter().any(by_address)
    }

    fn parameter(
        &mut self,
        input: &Input,
        region: &Region,
        kernel: &Kernel,
        param: &Param,
        firsts: &mut Vec<Parameter>,
    ) -> Result<Parameter, Refused> {
        let local = &kernel.body.locals[param.local];
        let name = self.fresh(&local.name, firsts);
        let types = &input.module.types;
        Ok(match &param.kind {
            ParamKind::Data { item, written, .. } => {
                let item = region.clauses.data.get(*item).ok_or_else(|| {
                    refuse(format!("internal error: {} has no clause", local.name), self.span)
                })?;
                let section = section::of(input, item, false);
                let first = section.first.filter(|_| input.target != PortLanguage::C).map(|argument| {
                    let first = self.fresh(&format!("{name}_first"), firsts);
                    let declaration = format!("long {first}");
                    firsts.push(Parameter { name: first.clone(), declaration, argument, role: Role::Extra });
                    first
                });
                let found = match item.kind {
                    DataKind::Deviceptr => AddressMapping::Same,
                    DataKind::NoCreate => AddressMapping::Perhaps,
                    _ => AddressMapping::Surely,
                };
                Parameter {
                    declaration: pointer_parameter(types, local.ty, &name, !written, input.cplusplus),
                    argument: section.base,
                    role: Role::Array { ty: local.ty, found, first },
                    name,
                }
            }
            ParamKind::Codec { .. } => {
                return Err(refuse(format!("{} is compressed", local.name), self.span));
            }
            ParamKind::Value { host, ty } => self.value(input, &host.text, *ty, name, param.local)?,
            ParamKind::Extent { .. } => {
                return Err(refuse(
                    "a window (`fcw`) needs the runtime, which knows the extents of arrays",
                    self.span,
                ));
            }
            ParamKind::Stride { .. } => {
                return Err(refuse("internal error: a matrix that no runtime stores by columns", self.span));
            }
            ParamKind::Reduction { host, .. } => {
                let argument = format!("&{}", operand(&host.text));
                Parameter {
                    declaration: result_declaration(input, local.ty, &name),
                    argument,
                    role: Role::Result { ty: local.ty },
                    name,
                }
            }
        })
    }

    fn value(
        &mut self,
        input: &Input,
        host: &str,
        ty: Handle<Type>,
        name: String,
        local: Handle<Local>,
    ) -> Result<Parameter, Refused> {
        let types = &input.module.types;
        let role = Role::Value { ty };
        Ok(match types.kind(ty) {
            TypeKind::Pointer { .. } if input.target == PortLanguage::OpenCl => {
                return Err(refuse(
                    format!("{host} is passed as an address, which OpenCL does not have"),
                    self.span,
                ));
            }
            TypeKind::Pointer { .. } => Parameter {
                declaration: format!("const void *{name}"),
                argument: host.to_owned(),
                role,
                name,
            },
            TypeKind::Struct(_) => {
                let argument = format!("&{}", operand(host));
                Parameter { declaration: format!("const void *{name}"), argument, role, name }
            }
            _ => {
                let spelled = number(types, ty)
                    .ok_or_else(|| refuse(format!("{host} has a type that cannot be passed"), self.span))?;
                self.value_names.insert(local, name.clone());
                let spelled = if spelled == "bool" { "int" } else { spelled };
                Parameter { declaration: format!("{spelled} {name}"), argument: host.to_owned(), role, name }
            }
        })
    }

    fn fresh(&self, wish: &str, others: &[Parameter]) -> String {
        const TAKEN: [&str; 5] = ["grid", "block", "kernel", "program", "min"];
        let wish: String = wish.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
        let is_taken = |name: &str| {
            TAKEN.contains(&name)
                || self.parameters.iter().chain(others).any(|p| p.name == name)
                || is_keyword(name)
        };
        let mut name = wish;
        while is_taken(&name) {
            name.push('_');
        }
        name
    }

    /// Parameters for the launch alone.
    fn extras(&mut self, input: &Input, kernel: &Kernel) {
        let count =
            |e: &Option<accl_ir::HostExpr>| e.as_ref().filter(|e| e.value.is_none()).map(|e| e.text.clone());
        if input.target == PortLanguage::C {
            let counted = kernel.gangs && kernel.num_gangs.as_ref().is_some_and(|n| n.value != Some(1));
            if counted && let Some(gangs) = &kernel.num_gangs {
                self.num_gangs = Some(self.extra("num_gangs", gangs.text.clone()));
            }
            return;
        }
        for (d, dim) in kernel.dims.iter().enumerate() {
            if !grid::is_computable(input, kernel, self, dim) {
                self.trips[d] = Some(self.extra(&grid::trips_name(kernel, d), dim.trips.text.clone()));
            }
        }
        if let Some(gangs) = count(&kernel.num_gangs) {
            self.num_gangs = Some(self.extra("num_gangs", gangs));
        }
        if let Some(length) =
            count(&kernel.vector_length).filter(|_| kernel.variants.iter().any(|v| v.vector_x))
        {
            self.vector_length = Some(self.extra("vector_length", length));
        }
        if let Some(workers) =
            count(&kernel.num_workers).filter(|_| kernel.variants.iter().any(|v| v.workers_y))
        {
            self.num_workers = Some(self.extra("num_workers", workers));
        }
    }

    fn extra(&mut self, wish: &str, argument: String) -> String {
        let name = self.fresh(wish, &[]);
        let declaration = format!("long {name}");
        self.parameters.push(Parameter { name: name.clone(), declaration, argument, role: Role::Extra });
        name
    }

    fn head(&self) -> (String, Vec<String>) {
        let declarations = self.parameters.iter().map(|p| p.declaration.clone()).collect::<Vec<_>>();
        let declarations = if declarations.is_empty() { vec!["void".to_owned()] } else { declarations };
        (format!("void {}", self.name), declarations)
    }

    pub fn prototype(&self) -> String {
        let (head, declarations) = self.head();
        wrapped("", &head, &declarations, ";")
    }
}

fn is_keyword(name: &str) -> bool {
    const WORDS: [&str; 12] = [
        "class",
        "new",
        "delete",
        "template",
        "this",
        "private",
        "public",
        "operator",
        "namespace",
        "bool",
        "try",
        "threads",
    ];
    WORDS.contains(&name)
}

fn result_declaration(input: &Input, ty: Handle<Type>, name: &str) -> String {
    match number(&input.module.types, ty) {
        Some(spelled @ ("float" | "double" | "int" | "unsigned")) => format!("{spelled} *{name}"),
        _ => format!("void *{name}"),
    }
}

/// The program's statement.
pub fn call(_input: &Input, launch: &Launch) -> String {
    let arguments: Vec<String> = launch.parameters.iter().map(|p| p.argument.clone()).collect();
    wrapped("", &launch.name, &arguments, ";")
}

/// The function's text; empty where the program calls the kernel itself.
pub fn definition(input: &Input, launch: &Launch) -> Result<String, Refused> {
    let body = match input.target {
        PortLanguage::Cuda => cuda(input, launch)?,
        PortLanguage::OpenCl => opencl(input, launch),
        PortLanguage::C if launch.calls_kernel(input) => return Ok(String::new()),
        PortLanguage::C => c(input, launch)?,
    };
    let (head, declarations) = launch.head();
    let lines: String = body.iter().map(|l| format!("    {}\n", l.replace('\n', "\n    "))).collect();
    Ok(format!("{}\n{{\n{lines}}}\n", wrapped("", &head, &declarations, "")))
}

fn spelled(input: &Input, launch: &Launch, ty: Handle<Type>, inner: &str) -> Result<String, Refused> {
    declare(&input.module.types, ty, inner)
        .ok_or_else(|| refuse("a parameter of a kernel has a type without a name", launch.span))
}

fn cuda(input: &Input, launch: &Launch) -> Result<Vec<String>, Refused> {
    let kernel = &input.module.kernels[launch.kernel];
    let Grid { mut lines, blocks, threads, empty } = grid::of(input, launch);
    if !empty.is_empty() {
        lines.push(format!("if ({})\n    return;", empty.join(" || ")));
    }
    let configuration = if kernel.dims.len() > 1 || threads[1..].iter().any(|t| t != "1") {
        lines.push(format!("const dim3 grid({});", extents(&blocks)));
        lines.push(format!("const dim3 block({});", extents(&threads)));
        "grid, block".to_owned()
    } else {
        format!("{}, {}", blocks[0], threads[0])
    };
    let mut arguments = Vec::new();
    for parameter in &launch.parameters {
        arguments.extend(cuda_argument(input, launch, parameter)?);
    }
    lines.push(wrapped("", &format!("{}<<<{configuration}>>>", kernel.name), &arguments, ";"));
    lines.push(format!("port_launched(\"{}\");", kernel.name));
    Ok(lines)
}

/// Without extents of 1 at the end.
fn extents(all: &[String; 3]) -> String {
    let last = all.iter().rposition(|e| e != "1").unwrap_or(0);
    all[..=last].join(", ")
}

fn cuda_argument(input: &Input, launch: &Launch, parameter: &Parameter) -> Result<Option<String>, Refused> {
    let name = &parameter.name;
    Ok(match &parameter.role {
        Role::Array { ty, found, first } => {
            let cast = spelled(input, launch, *ty, "")?;
            Some(match (found, first) {
                (AddressMapping::Same, _) => format!("({cast}){name}"),
                (AddressMapping::Perhaps, _) => format!("({cast})port_device_or_host({name})"),
                (AddressMapping::Surely, Some(first)) => format!("({cast})port_device_at({name}, {first})"),
                (AddressMapping::Surely, None) => format!("({cast})port_device({name})"),
            })
        }
        Role::Value { ty } => Some(value_of(input, launch, *ty, name)?),
        Role::Result { ty } => Some(format!("({})port_device({name})", spelled(input, launch, *ty, "*")?)),
        Role::Extra => None,
    })
}

/// A structure is given by its address.
fn value_of(input: &Input, launch: &Launch, ty: Handle<Type>, name: &str) -> Result<String, Refused> {
    Ok(match input.module.types.kind(ty) {
        TypeKind::Struct(_) => format!("*(const {}){name}", spelled(input, launch, ty, "*")?),
        TypeKind::Pointer { .. } => format!("({}){name}", spelled(input, launch, ty, "")?),
        _ => name.to_owned(),
    })
}

fn opencl(input: &Input, launch: &Launch) -> Vec<String> {
    let kernel = &input.module.kernels[launch.kernel];
    let Grid { mut lines, blocks, threads, .. } = grid::of(input, launch);
    lines.push(format!("const long grid[3] = {{{}}};", blocks.join(", ")));
    lines.push(format!("const size_t block[3] = {{{}}};", threads.join(", ")));
    let mut arguments = Vec::new();
    let mut index = 0;
    for parameter in &launch.parameters {
        arguments.extend(opencl_argument(input, parameter, &mut index, &mut lines));
    }
    lines.push(format!("cl_kernel kernel = port_kernel(&program, \"{}\");", kernel.name));
    lines.extend(arguments);
    lines.push("port_run(kernel, grid, block);".into());
    lines
}

fn opencl_argument(
    input: &Input,
    parameter: &Parameter,
    index: &mut usize,
    lines: &mut Vec<String>,
) -> Option<String> {
    let types = &input.module.types;
    let (name, at) = (&parameter.name, *index);
    let size_of = |ty: Handle<Type>| types.element(ty).and_then(|e| types.size_of(e)).unwrap_or(1);
    let element = |ty: Handle<Type>| match parameter.declaration.contains("void *") {
        true => size_of(ty).to_string(),
        false => format!("sizeof *{name}"),
    };
    match &parameter.role {
        Role::Array { ty, found, first } => {
            *index += 2;
            let call = if *found == AddressMapping::Perhaps { "port_array_or_null" } else { "port_array" };
            let first = first.as_deref().unwrap_or("0");
            Some(format!("{call}(kernel, {at}, {name}, {first}, {});", element(*ty)))
        }
        Role::Result { ty } => {
            *index += 2;
            let size = types.size_of(*ty).unwrap_or(1);
            Some(format!("port_array(kernel, {at}, {name}, 0, {size});"))
        }
        Role::Value { ty } => {
            *index += 1;
            match types.kind(*ty) {
                TypeKind::Struct(def) => {
                    Some(format!("port_value(kernel, {at}, {name}, {});", types.structs[*def].size))
                }
                TypeKind::Bool => {
                    lines.push(format!("const unsigned char {name}_byte = {name} != 0;"));
                    Some(format!("port_value(kernel, {at}, &{name}_byte, 1);"))
                }
                _ => Some(format!("port_value(kernel, {at}, &{name}, sizeof {name});")),
            }
        }
        Role::Extra => None,
    }
}

/// Structures are passed to it by address, and by value to the kernel.
fn c(input: &Input, launch: &Launch) -> Result<Vec<String>, Refused> {
    let kernel = &input.module.kernels[launch.kernel];
    let mut arguments = Vec::new();
    for parameter in &launch.parameters {
        arguments.push(match &parameter.role {
            Role::Array { ty, .. } => format!("({}){}", spelled(input, launch, *ty, "")?, parameter.name),
            Role::Value { ty } => value_of(input, launch, *ty, &parameter.name)?,
            Role::Result { ty } => format!("({}){}", spelled(input, launch, *ty, "*")?, parameter.name),
            Role::Extra => parameter.name.clone(),
        });
    }
    Ok(vec![wrapped("", &kernel.name, &arguments, ";")])
}
