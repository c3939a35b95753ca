//! Functions of libraries that are loaded while the program runs.
//!
//! Device libraries are never linked to, so that a program runs on a machine without them. The
//! bindings are our own, not those of the `cudarc` and `cl3` crates: those name the functions of
//! one version of the library and panic where an older one lacks any; here a function that is
//! missing gives an error that says what to install, and a function that not every version has is
//! an `Option`. Only what the runtime uses is bound.
//!
//! Invariant: a library stays loaded until the process ends, so its functions live for ever.

use crate::error::{DeviceError, Result};
use libloading::Library;

/// Opens the first library that can be opened; the error names what was tried, and why the last
/// one failed.
pub fn open(names: &[&str]) -> Result<&'static Library> {
    let mut reason = String::new();
    for name in names {
        // SAFETY: libraries of device drivers may be loaded at any time.
        match unsafe { Library::new(name) } {
            Ok(library) => return Ok(Box::leak(Box::new(library))),
            Err(error) => reason = error.to_string(),
        }
    }
    let tried = names.first().copied().unwrap_or_default();
    Err(DeviceError::new(format!("{tried} could not be loaded ({reason})")))
}

/// The address of a function under the first of its names that the library has.
pub fn symbol(library: &Library, names: &[&str]) -> Option<*const ()> {
    names.iter().find_map(|name| {
        // SAFETY: the symbol is only turned into an address here.
        unsafe { library.get::<*const ()>(name.as_bytes()) }.ok().map(|symbol| *symbol)
    })
}

/// Declares a struct of functions and how to find them:
///
/// `functions! { pub struct Api { fn cuInit(u32) -> i32; } optional { fn cuNew(u32) -> i32; } }`
///
/// A name in brackets is looked for first, `fn cuMemAlloc [cuMemAlloc_v2] (…) -> …`.
macro_rules! functions {
    (
        $(#[$attribute:meta])*
        pub struct $Api:ident {
            $( fn $name:ident $([$preferred:ident])? ($($type:ty),* $(,)?) -> $result:ty; )*
        }
        optional {
            $( fn $may:ident $([$may_preferred:ident])? ($($may_type:ty),* $(,)?) -> $may_result:ty; )*
        }
    ) => {
        $(#[$attribute])*
        #[allow(non_snake_case, reason = "the library's own names")]
        pub struct $Api {
            $( pub $name: unsafe extern "C" fn($($type),*) -> $result, )*
            $( pub $may: Option<unsafe extern "C" fn($($may_type),*) -> $may_result>, )*
        }

        impl $Api {
            /// Finds every function; an error names the first that is missing.
            pub fn load(library: &libloading::Library) -> Result<$Api> {
                Ok($Api {
                    $( $name: {
                        let names = [$(stringify!($preferred),)? stringify!($name)];
                        let address = crate::device::library::symbol(library, &names).ok_or_else(|| {
                            crate::error::DeviceError::new(format!("the library is too old: it has no {}", stringify!($name)))
                        })?;
                        // SAFETY: the type is that of the library's documentation.
                        unsafe { std::mem::transmute::<*const (), unsafe extern "C" fn($($type),*) -> $result>(address) }
                    }, )*
                    $( $may: {
                        let names = [$(stringify!($may_preferred),)? stringify!($may)];
                        // SAFETY: as above.
                        crate::device::library::symbol(library, &names).map(|address| unsafe {
                            std::mem::transmute::<*const (), unsafe extern "C" fn($($may_type),*) -> $may_result>(address)
                        })
                    }, )*
                })
            }
        }
    };
}
pub(crate) use functions;
