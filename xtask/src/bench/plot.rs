//! The pictures of `docs/results.md`, as SVG in `docs/plots/`.

use super::figures;
use super::forms;
use super::kept::{self, Kept};
use super::manifest::{self, Manifest};
use super::results::{OURS, Results, Row, Time};
use crate::paths;
use anyhow::{Result, anyhow};
use plotters::prelude::*;
use std::path::Path;

/// Height of one bar with its gap, and room around them, in pixels.
const BAR: u32 = 22;
const ROOM: u32 = 90;
const WIDTH: u32 = 900;
const NAMES: i32 = 230;

/// A bar: what it stands for, and its length.
type Bars = Vec<(String, f64)>;

pub fn run(kept: &[Kept]) -> Result<()> {
    let dir = paths::root().join("docs/plots");
    std::fs::create_dir_all(&dir)?;
    let (all, figures) = (manifest::all()?, figures::all()?);
    for results in kept.iter().map(|k| &k.results).filter(|r| r.bench.contains_key("cuda")) {
        let against = |peer: &str| against(results, peer, &all);
        draw(&dir.join("hand-written.svg"), "CUDA by hand / accl, kernel time", &against("cuda"))?;
        draw(&dir.join("gcc.svg"), "gcc -fopenacc / accl, kernel time", &against("gcc-openacc"))?;
        let forms = forms::of(results, "cuda", &all);
        let gains = |compressed: bool| -> Bars {
            let of_kind = forms.iter().filter(|f| f.is_window() != compressed);
            of_kind.filter_map(|f| Some((f.name(), f.gain()?))).collect()
        };
        draw(&dir.join("compression.svg"), "plain / compressed, kernel time", &gains(true))?;
        draw(&dir.join("windows.svg"), "plain / fcw or cache, kernel time", &gains(false))?;
    }
    for figure in &figures {
        if let Some(shown) = kept::shown(kept, figure) {
            figures::draw(figure, &shown, &dir)?;
        }
    }
    println!("written: {}", dir.display());
    Ok(())
}

/// A peer's time over ours, of the plain programs.
fn against(results: &Results, peer: &str, all: &[Manifest]) -> Bars {
    let plain = |row: &&Row| forms::plain_of(&row.program, all).is_none();
    let rows = results.bench.get("cuda").map_or(&[][..], Vec::as_slice).iter().filter(plain);
    let measured = rows.filter(|row| row.results.contains_key(OURS));
    measured
        .filter_map(|row| Some((format!("{} {}", row.program, row.size), row.ratio(peer, Time::Kernel)?)))
        .collect()
}

/// Horizontal bars, with a line at 1, on a logarithmic axis.
fn draw(file: &Path, title: &str, bars: &Bars) -> Result<()> {
    if bars.is_empty() {
        return Ok(());
    }
    picture(file, title, bars).map_err(|error| anyhow!("cannot draw {}: {error}", file.display()))
}

fn picture(file: &Path, title: &str, bars: &Bars) -> Result<(), Box<dyn std::error::Error>> {
    let height = BAR * bars.len() as u32 + ROOM;
    let root = SVGBackend::new(file, (WIDTH, height)).into_drawing_area();
    root.fill(&WHITE)?;
    let most = bars.iter().map(|b| b.1).fold(2.0, f64::max) * 1.3;
    let least = bars.iter().map(|b| b.1).fold(0.8, f64::min) * 0.9;
    let count = bars.len() as f64;
    let mut chart = ChartBuilder::on(&root)
        .caption(title, ("sans-serif", 18))
        .margin(12)
        .x_label_area_size(28)
        .y_label_area_size(NAMES)
        .build_cartesian_2d((least..most).log_scale(), 0.0..count)?;
    chart.configure_mesh().disable_y_mesh().y_labels(0).x_label_formatter(&|x| format!("{x:.1}")).draw()?;
    for (i, (name, value)) in bars.iter().enumerate() {
        let y = count - i as f64;
        let colour = if *value >= 1.0 { RGBColor(38, 110, 170) } else { RGBColor(190, 80, 60) };
        let (from, to) = (value.min(1.0), value.max(1.0));
        chart.draw_series([Rectangle::new([(from, y - 0.85), (to, y - 0.15)], colour.filled())])?;
        let label = ("sans-serif", 13).into_font();
        chart.draw_series([Text::new(format!("{value:.2}"), (to * 1.01, y - 0.25), label.clone())])?;
        let (x, middle) = chart.backend_coord(&(least, y - 0.25));
        root.draw(&Text::new(name.clone(), (x - NAMES + 8, middle), label))?;
    }
    chart.draw_series([PathElement::new([(1.0, 0.0), (1.0, count)], BLACK)])?;
    root.present()?;
    Ok(())
}
