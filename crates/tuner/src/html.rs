//! The report as one page of HTML, which needs no network: what was measured in its order, what each parameter does, the model
//! beside the measurements, and the winner in words.

use crate::search::{KernelFindings, MeasuredCandidate, Objective, median};
use crate::space::TunableKernel;
use std::fmt::Write as _;

const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 220.0;
const EDGE: f64 = 44.0;

const STYLE: &str = "body{font:15px/1.5 system-ui,sans-serif;max-width:60em;margin:2em auto;padding:0 1em;color:#222}\
code{background:#f3f3f3;padding:0 .2em}table{border-collapse:collapse}td,th{padding:.2em .8em;text-align:left;border-bottom:1px solid #ddd}\
td.n{text-align:right}svg{background:#fafafa;border:1px solid #ddd}text{font-size:11px;fill:#555}.bad{color:#a00}";

/// `title`: the program and the device.
pub fn page(
    title: &str,
    kernels: &[TunableKernel],
    found: &[KernelFindings],
    objective: Objective,
) -> String {
    let mut text = format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{0}</title><style>{STYLE}</style></head>\n\
         <body><h1>{0}</h1>\n",
        escape(title)
    );
    for (kernel, found) in kernels.iter().zip(found) {
        section(kernel, found, objective.unit(), &mut text);
    }
    text + "</body></html>\n"
}

fn section(kernel: &TunableKernel, found: &KernelFindings, unit: &str, text: &mut String) {
    let _ = writeln!(text, "<h2>{}</h2>", escape(&kernel.id));
    match found.best {
        Some(best) => {
            let (before, after) = (median(&found.before), median(&found.after));
            let _ = writeln!(
                text,
                "<p>{:.2} times as good: {:.4} {unit} instead of {:.4}.<br>was <code>{}</code><br>now <code>{}</code></p>",
                before / after,
                after * 1e3,
                before * 1e3,
                escape(&kernel.usual),
                escape(&kernel.candidates[best].schedule)
            );
        }
        None => {
            let _ = writeln!(text, "<p>Stays <code>{}</code>.</p>", escape(&kernel.usual));
        }
    }
    let times: Vec<(usize, f64)> = found.measured.iter().filter_map(time).collect();
    if times.is_empty() {
        return;
    }
    text.push_str("<h3>In the order of measurement</h3>\n");
    let points: Vec<(f64, f64)> =
        times.iter().enumerate().map(|(at, (_, ms))| (at as f64 + 1.0, *ms)).collect();
    let mut best = f64::INFINITY;
    let line: Vec<(f64, f64)> = points
        .iter()
        .map(|(x, y)| {
            best = best.min(*y);
            (*x, best)
        })
        .collect();
    plot("measurement", &format!("{unit} (line: best so far)"), &points, &line, text);
    influence(kernel, &times, unit, text);
    let predicted = |(at, ms): &(usize, f64)| (kernel.candidates[*at].estimate.seconds, *ms);
    let points: Vec<(f64, f64)> =
        times.iter().map(predicted).filter(|(x, _)| x.is_finite() && *x > 0.0).collect();
    if let Some(least) = points.iter().map(|(x, _)| *x).reduce(f64::min) {
        text.push_str("<h3>The cost model beside the measurements</h3>\n");
        let relative: Vec<(f64, f64)> = points.iter().map(|(x, y)| (x / least, *y)).collect();
        plot("predicted, in units of the least", unit, &relative, &[], text);
    }
    failures(kernel, found, text);
}

/// Candidate and milliseconds.
fn time(measured: &MeasuredCandidate) -> Option<(usize, f64)> {
    let times = measured.result.as_ref().ok()?;
    (!times.is_empty()).then(|| (measured.candidate, median(times) * 1e3))
}

/// Of each value the best and the mean time.
fn influence(kernel: &TunableKernel, times: &[(usize, f64)], unit: &str, text: &mut String) {
    text.push_str("<h3>What each parameter does</h3>\n");
    let _ = writeln!(
        text,
        "<table><tr><th>parameter</th><th>value</th><th>best {unit}</th><th>mean {unit}</th><th>measured</th></tr>"
    );
    for (place, parameter) in kernel.parameters.iter().enumerate() {
        for (at, value) in parameter.values.iter().enumerate() {
            let with =
                times.iter().filter(|(candidate, _)| kernel.candidates[*candidate].choice[place] == at);
            let with: Vec<f64> = with.map(|(_, ms)| *ms).collect();
            if with.is_empty() {
                continue;
            }
            let least = with.iter().copied().fold(f64::INFINITY, f64::min);
            let mean = with.iter().sum::<f64>() / with.len() as f64;
            let (name, value) = (escape(&parameter.name), escape(value));
            let _ = writeln!(
                text,
                "<tr><td>{name}</td><td><code>{value}</code></td><td class=n>{least:.4}</td><td class=n>{mean:.4}</td><td class=n>{}</td></tr>",
                with.len()
            );
        }
    }
    text.push_str("</table>\n");
}

fn failures(kernel: &TunableKernel, found: &KernelFindings, text: &mut String) {
    let failed = || found.measured.iter().filter_map(|m| Some((m.candidate, m.result.as_ref().err()?)));
    if failed().next().is_none() {
        return;
    }
    text.push_str("<h3>Thrown away</h3>\n<ul>\n");
    for (candidate, why) in failed() {
        let schedule = escape(&kernel.candidates[candidate].schedule);
        let _ = writeln!(
            text,
            "<li><code>{schedule}</code>: <span class=bad>{}</span></li>",
            escape(&why.to_string())
        );
    }
    text.push_str("</ul>\n");
}

/// Points, and a line through others.
fn plot(x: &str, y: &str, points: &[(f64, f64)], line: &[(f64, f64)], text: &mut String) {
    let most = |of: fn(&(f64, f64)) -> f64| points.iter().map(of).fold(0.0, f64::max).max(f64::MIN_POSITIVE);
    let (most_x, most_y) = (most(|p| p.0), most(|p| p.1));
    let place = |(x, y): &(f64, f64)| {
        (EDGE + (WIDTH - 2.0 * EDGE) * x / most_x, HEIGHT - EDGE - (HEIGHT - 2.0 * EDGE) * y / most_y)
    };
    let _ = writeln!(text, "<svg width=\"{WIDTH}\" height=\"{HEIGHT}\" role=\"img\">");
    let (bottom, right) = (HEIGHT - EDGE, WIDTH - EDGE);
    let _ = writeln!(
        text,
        "<path d=\"M{EDGE} {EDGE}V{bottom}H{right}\" fill=\"none\" stroke=\"#888\"/><text x=\"{EDGE}\" y=\"{}\">{y}, up to {most_y:.4}</text>\
         <text x=\"{right}\" y=\"{}\" text-anchor=\"end\">{x}, up to {most_x:.1}</text>",
        EDGE - 8.0,
        bottom + 16.0
    );
    for point in points {
        let (x, y) = place(point);
        let _ = writeln!(text, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3\" fill=\"#36c\"/>");
    }
    if !line.is_empty() {
        let all: Vec<String> = line.iter().map(place).map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
        let _ = writeln!(text, "<polyline points=\"{}\" fill=\"none\" stroke=\"#c33\"/>", all.join(" "));
    }
    text.push_str("</svg>\n");
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
        .replace('\n', "<br>")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::Failure;
    use crate::space::tests::kernel;

    #[test]
    fn the_page_shows_everything_and_asks_for_nothing() {
        let kernels = [kernel(&["block=64", "block=128", "block=256"])];
        let of = |candidate, result| MeasuredCandidate { candidate, result, known: false };
        let wrong = Failure::Wrong("`1<2`".into());
        let found = [KernelFindings {
            measured: vec![of(0, Ok(vec![0.002])), of(1, Ok(vec![0.001])), of(2, Err(wrong))],
            best: Some(1),
            before: vec![0.002],
            after: vec![0.001],
        }];
        let page = page("a & b", &kernels, &found, Objective::Time);
        assert!(page.contains("<h1>a &amp; b</h1>") && page.contains("2.00 times as good"));
        assert!(page.contains("1&lt;2") && page.contains("<polyline"));
        assert!(!page.contains("http") && !page.contains("<script"));
    }
}
