//! `declare` (OpenACC 3.3 section 2.13): variables that are on every device as long as the program runs.

use super::{Counter, enter};
use crate::call::CallContext;
use crate::location::SourceLocation;
use crate::present::Presence;
use crate::state::{DeviceState, current, started};
use crate::variable::first;
use accl_abi::{Var, data_kind};
use std::sync::Mutex;

/// Variables of `declare` directives at file scope (section 2.13), with the directive's location.
static DECLARED: Mutex<Vec<(SourceLocation, Vec<Declared>)>> = Mutex::new(Vec::new());

/// A variable of the program's whole life.
#[derive(Clone, Copy)]
struct Declared(Var);

// SAFETY: addresses of static storage.
unsafe impl Send for Declared {}

impl Declared {
    /// What describes the variable lies on the stack of the function that declares it, and is copied.
    fn new(var: &Var) -> Declared {
        fn kept<T: Copy>(of: *const T, n: usize) -> *const T {
            // SAFETY: the contract of accl_abi.h.
            let list = unsafe { accl_abi::slice(of, n as u32) };
            if list.is_empty() { of } else { Box::leak(Box::<[T]>::from(list)).as_ptr() }
        }
        let format = kept(var.format, usize::from(!var.format.is_null()));
        Declared(Var { dims: kept(var.dims, var.n_dims as usize), format, ..*var })
    }
}

/// Remembers variables for devices yet to be started, and enters them on those in use. What is copied is copied now, so the
/// current device is started.
pub fn declare(location: SourceLocation, vars: &[Var]) {
    if vars.iter().any(|var| var.kind == data_kind::COPYIN) {
        current(location);
    }
    let vars: Vec<Declared> = vars.iter().map(Declared::new).collect();
    for state in started() {
        enter_declared(state, location, &vars);
    }
    DECLARED.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).push((location, vars));
}

/// Enters all that was declared on a device just started.
pub fn enter_all_declared(state: &'static DeviceState) {
    let declared = DECLARED.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).clone();
    for (location, vars) in &declared {
        enter_declared(state, *location, vars);
    }
}

fn enter_declared(state: &'static DeviceState, location: SourceLocation, vars: &[Declared]) {
    let call = CallContext { state, location, queue: state.queues.sync() };
    let mut vars: Vec<Var> = vars.iter().map(|declared| declared.0).collect();
    enter(&call, &mut vars, Counter::Structured);
    for var in &vars {
        let (mut table, found) = call.find(first(var), var.bytes);
        if let Presence::Inside(start) = found
            && let Some(mapping) = table.get_mut(start)
        {
            mapping.declared = true;
        }
    }
}
