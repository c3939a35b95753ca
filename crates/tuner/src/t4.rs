//! Results and spaces in the forms that the tools of other tuners read: T4 and T1 (the schemas in Kernel Tuner 1.x).

use crate::program::Failure;
use crate::search::{MeasuredCandidate, Objective, median};
use crate::space::{Estimate, TunableKernel, TuningParameter};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// What was measured of a kernel, as T4 1.0.0. Times are in milliseconds, energies in millijoules.
pub fn results(kernel: &TunableKernel, measured: &[MeasuredCandidate], objective: Objective) -> Value {
    let results: Vec<Value> = measured.iter().map(|one| result(kernel, one, objective)).collect();
    json!({"schema_version": "1.0.0", "results": results})
}

fn result(kernel: &TunableKernel, measured: &MeasuredCandidate, objective: Objective) -> Value {
    let (times, word, detail) = match &measured.result {
        Ok(seconds) => (seconds.as_slice(), "correct", ""),
        Err(failure) => (&[][..], failure.word(), failure.detail()),
    };
    let milliseconds: Vec<f64> = times.iter().map(|seconds| seconds * 1e3).collect();
    let mut measurements = vec![];
    if !times.is_empty() {
        measurements.push(
            json!({"name": objective.name(), "value": median(&milliseconds), "unit": objective.unit()}),
        );
    }
    if matches!(measured.result, Err(Failure::Wrong(_))) || !detail.is_empty() {
        measurements.push(json!({"name": "failure", "value": detail, "unit": ""}));
    }
    json!({
        "configuration": configuration(kernel, measured.candidate),
        "schedule": kernel.candidates[measured.candidate].schedule,
        "model": model(&kernel.candidates[measured.candidate].estimate),
        "objectives": [objective.name()],
        "times": {"runtimes": milliseconds},
        "invalidity": word,
        "correctness": i32::from(measured.result.is_ok()),
        "measurements": measurements,
    })
}

/// The values of a candidate's parameters.
pub fn configuration(kernel: &TunableKernel, candidate: usize) -> BTreeMap<String, &str> {
    kernel.values(candidate).into_iter().map(|(name, value)| (identifier(name), value)).collect()
}

/// What the cost model says of a candidate: beside the format's own members, so that the model can be compared later.
pub fn model(estimate: &Estimate) -> Value {
    json!({
        "seconds": estimate.seconds,
        "threads": estimate.threads,
        "registers": estimate.registers,
        "shared": estimate.shared,
        "accesses": estimate.accesses,
        "occupancy": estimate.occupancy,
        "bytes_under_way": estimate.bytes_under_way,
        "terms": estimate.terms,
    })
}

/// The space of a kernel, as T1: not every combination of values is right, so a condition lists those that are.
pub fn space(kernel: &TunableKernel, file: &str) -> Value {
    let quoted = |value: &String| format!("'{value}'");
    let parameters: Vec<Value> = kernel
        .parameters
        .iter()
        .map(|p| {
            let values: Vec<String> = p.values.iter().map(quoted).collect();
            json!({"Name": identifier(&p.name), "Type": "string", "Values": format!("[{}]", values.join(", "))})
        })
        .collect();
    let names: Vec<String> = kernel.parameters.iter().map(|p| identifier(&p.name)).collect();
    let right = (0..kernel.candidates.len()).map(|at| {
        let values = kernel.values(at);
        let of =
            |p: &TuningParameter| format!("'{}'", values.get(p.name.as_str()).copied().unwrap_or_default());
        format!("({},)", kernel.parameters.iter().map(of).collect::<Vec<_>>().join(", "))
    });
    let expression = format!("({},) in [{}]", names.join(", "), right.collect::<Vec<_>>().join(", "));
    let mut space = json!({"TuningParameters": parameters});
    if kernel.combinations() != kernel.candidates.len() as u64 {
        space["Conditions"] = json!([{"Parameters": names, "Expression": expression}]);
    }
    json!({
        "ConfigurationSpace": space,
        "General": {"FormatVersion": 1, "TimeUnit": "Milliseconds", "OutputFormat": "JSON"},
        "KernelSpecification": {
            "Language": "CUDA", "KernelName": kernel.id, "KernelFile": file,
            "GlobalSize": {"X": "1"}, "LocalSize": {"X": "1"},
        },
    })
}

/// Conditions are expressions of Python, whose names have letters, digits and underscores.
fn identifier(name: &str) -> String {
    name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::space::tests::kernel;

    #[test]
    fn a_result_says_what_its_configuration_came_to() {
        let kernel = kernel(&["block=64", "block=128"]);
        let of = |candidate, result| MeasuredCandidate { candidate, result, known: false };
        let all = [of(0, Ok(vec![0.002, 0.001, 0.004])), of(1, Err(Failure::Timeout))];
        let text = results(&kernel, &all, Objective::Time);
        assert_eq!(text["results"][0]["measurements"][0]["value"], 2.0);
        assert_eq!(text["results"][0]["configuration"]["block"], "64");
        assert_eq!(text["results"][1]["invalidity"], "timeout");
        assert_eq!(text["results"][1]["correctness"], 0);
    }

    #[test]
    fn a_space_lists_what_is_right() {
        let space = space(&kernel(&["block=64", "block=128", "block=128 restrict"]), "a.c");
        let condition = &space["ConfigurationSpace"]["Conditions"][0]["Expression"];
        assert_eq!(*condition, "(block, restrict,) in [('64', 'off',), ('128', 'off',), ('128', 'on',)]");
    }
}
