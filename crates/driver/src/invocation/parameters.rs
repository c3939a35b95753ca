//! OpenMPC's parameters (paper 002, tables 5 to 7) in a file of `-gpu=config:FILE`, and the user's directive files.

use super::schedules::{self, Parameter};
use super::{Acc, UsageError};
use accl_directives::openmpc::{self, OpenMpcName, Takes};
use accl_frontend::UserDirective;

/// Does what a parameter says; what changes nothing is noted with the reason.
pub fn apply(acc: &mut Acc, given: &Parameter) -> Result<(), UsageError> {
    let Some(row) = openmpc::parameter(&given.name) else {
        let names = openmpc::NAMES.iter().filter(|row| row.table >= 5).map(|row| row.name);
        let meant =
            accl_directives::closest(&given.name, names).map(|name| format!("; did you mean '{name}'?"));
        return Err(UsageError(format!(
            "{}: there is no parameter '{}'{}",
            given.origin,
            given.name,
            meant.unwrap_or_default()
        )));
    };
    let on = row.takes() == Takes::Flag && flag(row, given)?;
    let wishes = &mut acc.openmpc_settings.all;
    match row.name {
        "maxNumOfCudaThreadBlocks" => wishes.blocks = Some(number(row, given, i32::MAX as u32)?),
        "cudaThreadBlockSize" => wishes.threads = Some(number(row, given, 1024)?),
        "useLoopCollapse" => wishes.no_collapse = !on,
        "useParallelLoopSwap" => wishes.no_swap = !on,
        "useMatrixTranspose" => acc.column_major = on,
        "disableCritical2ReductionConv" => acc.openmpc_settings.keeps_critical = on,
        "shrdArrayElmtCachingOnReg" | "shrdArrayCachingOnTM" | "shrdArrayCachingOnConst" => acc.noalias = on,
        "cudaUserDirectiveFile" => {
            acc.openmpc_settings.directives.extend(directives(text(row, given)?)?);
        }
        _ => {
            match row.takes() {
                Takes::Number => _ = number_from(row, given, 0, i32::MAX as u32)?,
                Takes::Text => _ = text(row, given)?,
                _ => {}
            }
            acc.notes.push(format!("{}: {} has no effect: {}", given.origin, row.name, row.today));
        }
    }
    Ok(())
}

fn flag(row: &OpenMpcName, given: &Parameter) -> Result<bool, UsageError> {
    match given.value.as_deref() {
        None | Some("1" | "true" | "yes") => Ok(true),
        Some("0" | "false" | "no") => Ok(false),
        Some(other) => Err(wrong(row, given, &format!("is 0 or 1, not '{other}'"))),
    }
}

fn number(row: &OpenMpcName, given: &Parameter, most: u32) -> Result<u32, UsageError> {
    number_from(row, given, 1, most)
}

fn number_from(row: &OpenMpcName, given: &Parameter, least: u32, most: u32) -> Result<u32, UsageError> {
    let number = given.value.as_deref().and_then(|text| text.parse().ok());
    number
        .filter(|n| (least..=most).contains(n))
        .ok_or_else(|| wrong(row, given, &format!("is a number from {least} to {most}")))
}

fn text<'p>(row: &OpenMpcName, given: &'p Parameter) -> Result<&'p str, UsageError> {
    given.value.as_deref().filter(|text| !text.is_empty()).ok_or_else(|| wrong(row, given, "names a file"))
}

fn wrong(row: &OpenMpcName, given: &Parameter, what: &str) -> UsageError {
    UsageError(format!("{}: {} {what}", given.origin, row.name))
}

/// The lines `procname kernelid: directive` of a file.
pub fn directives(path: &str) -> Result<Vec<UserDirective>, UsageError> {
    let line = |(at, line): (usize, String)| {
        let origin = format!("{path}:{at}");
        let parsed = line.split_once(':').and_then(|(place, directive)| {
            let (function, kernel) = place.trim().rsplit_once(char::is_whitespace)?;
            let kernel = kernel.trim().parse().ok()?;
            let directive = directive.trim().to_owned();
            Some(UserDirective {
                origin: origin.clone(),
                function: function.trim().to_owned(),
                kernel,
                directive,
            })
        });
        parsed.ok_or_else(|| {
            let example = "main 0: gpurun threadblocksize(64)";
            UsageError(format!("{origin}: a function, a kernel's number, a colon and a directive are expected, as in `{example}`"))
        })
    };
    schedules::lines(path)?.into_iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn given(name: &str, value: Option<&str>) -> Parameter {
        Parameter { origin: "c:1".into(), name: name.into(), value: value.map(str::to_owned) }
    }

    /// Each parameter of the tables has an effect, or a note that says why it has none.
    #[test]
    fn no_parameter_is_ignored() {
        for row in openmpc::NAMES.iter().filter(|row| row.table >= 5 && row.name != "cudaUserDirectiveFile") {
            let mut acc = Acc::default();
            let value = match row.takes() {
                Takes::Number => Some("7"),
                Takes::Text => Some("f"),
                _ => Some("0"),
            };
            apply(&mut acc, &given(row.name, value)).unwrap();
            let mut other = Acc::default();
            let opposite = if row.takes() == Takes::Flag { Some("1") } else { value };
            apply(&mut other, &given(row.name, opposite)).unwrap();
            let usual = format!("{:?}", Acc::default());
            let changed = format!("{acc:?}") != usual || format!("{other:?}") != usual;
            assert!(changed, "{} says nothing", row.name);
        }
    }

    #[test]
    fn wrong_values_are_errors() {
        let error = |name, value| apply(&mut Acc::default(), &given(name, value)).unwrap_err().0;
        assert_eq!(
            error("cudaThreadBlockSiz", Some("64")),
            "c:1: there is no parameter 'cudaThreadBlockSiz'; did you mean 'cudaThreadBlockSize'?"
        );
        assert_eq!(error("cudaThreadBlockSize", None), "c:1: cudaThreadBlockSize is a number from 1 to 1024");
        assert_eq!(error("useLoopCollapse", Some("2")), "c:1: useLoopCollapse is 0 or 1, not '2'");
        assert_eq!(error("cudaUserDirectiveFile", None), "c:1: cudaUserDirectiveFile names a file");
    }
}
