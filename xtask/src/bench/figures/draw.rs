//! A figure as SVG: lines over a logarithmic axis, or bars of two parts.

use super::super::results::Time;
use super::{Bar, Figure, Series, Shown, Shows};
use anyhow::{Result, anyhow};
use plotters::prelude::*;
use std::path::Path;

type Drawn = std::result::Result<(), Box<dyn std::error::Error>>;

const SIZE: (u32, u32) = (760, 420);
const COLOURS: [RGBColor; 5] = [
    RGBColor(38, 110, 170),
    RGBColor(200, 90, 50),
    RGBColor(70, 140, 70),
    RGBColor(130, 80, 160),
    RGBColor(110, 110, 110),
];

/// Draws it into a folder, where something was measured.
pub fn draw(figure: &Figure, shown: &Shown, dir: &Path) -> Result<()> {
    let file = dir.join(format!("{}.svg", figure.name));
    let drawn = match figure.shows {
        Shows::Breakdown => bars(figure, &shown.bars, &file),
        Shows::Time | Shows::Gain => lines(figure, &shown.lines, &file),
    };
    drawn.map_err(|error| anyhow!("cannot draw {}: {error}", file.display()))
}

fn lines(figure: &Figure, series: &[Series], file: &Path) -> Drawn {
    let measured =
        |s: &Series| -> Vec<(f64, f64)> { s.points.iter().filter_map(|(x, y)| Some((*x, (*y)?))).collect() };
    let points: Vec<(f64, f64)> = series.iter().flat_map(measured).collect();
    if points.is_empty() {
        return Ok(());
    }
    let xs = range(points.iter().map(|p| p.0), 1.0);
    let unit = (figure.shows == Shows::Gain).then_some(1.0);
    let ys = range(points.iter().map(|p| p.1).chain(figure.value).chain(unit), 1.15);
    let root = SVGBackend::new(file, SIZE).into_drawing_area();
    root.fill(&WHITE)?;
    let mut chart = ChartBuilder::on(&root)
        .caption(&figure.title, ("sans-serif", 17))
        .margin(10)
        .x_label_area_size(42)
        .y_label_area_size(58)
        .build_cartesian_2d((xs.0..xs.1).log_scale(), (ys.0..ys.1).log_scale())?;
    let axis = match (figure.shows, figure.time) {
        (Shows::Gain, Time::Kernel) => "gain, kernel time",
        (Shows::Gain, Time::App) => "gain, application time",
        (_, Time::Kernel) => "ms, kernel",
        (_, Time::App) => "ms, application",
    };
    chart
        .configure_mesh()
        .x_desc(figure.x.as_deref().unwrap_or_default())
        .y_desc(axis)
        .y_label_formatter(&|y| super::super::table::number(*y))
        .x_label_formatter(&|x| format!("{x:.0}"))
        .light_line_style(RGBColor(240, 240, 240))
        .draw()?;
    for (value, style) in [(unit, BLACK.stroke_width(1)), (figure.value, BLACK.mix(0.6).stroke_width(1))] {
        let Some(y) = value else { continue };
        let line = [(xs.0, y), (xs.1, y)];
        match Some(y) == unit {
            true => chart.draw_series([PathElement::new(line, style)]).map(drop)?,
            false => chart.draw_series(DashedLineSeries::new(line, 6, 4, style)).map(drop)?,
        }
    }
    for (line, colour) in series.iter().zip(COLOURS.iter().cycle()) {
        let drawn =
            chart.draw_series(LineSeries::new(measured(line), colour.stroke_width(2)).point_size(3))?;
        drawn
            .label(&line.name)
            .legend(|(x, y)| Rectangle::new([(x, y - 4), (x + 14, y + 4)], colour.filled()));
    }
    chart
        .configure_series_labels()
        .position(SeriesLabelPosition::UpperLeft)
        .background_style(WHITE.mix(0.8))
        .border_style(RGBColor(200, 200, 200))
        .draw()?;
    root.present()?;
    Ok(())
}

/// The least and the largest value, widened by a factor.
fn range(values: impl Iterator<Item = f64>, room: f64) -> (f64, f64) {
    let (least, most) = values.fold((f64::MAX, f64::MIN), |(a, b), v| (a.min(v), b.max(v)));
    (least / room, (most * room).max(least * 1.01))
}

/// The height of one bar with its gap, the margins, and the width for names, in pixels.
const BAR: u32 = 24;
const ROOM: u32 = 110;
const NAMES: i32 = 210;
/// The end of the axis in percent, which leaves space for the legend beyond 100.
const AXIS: f64 = 180.0;

/// For each application the share of its kernels, and the rest.
fn bars(figure: &Figure, bars: &[Bar], file: &Path) -> Drawn {
    if bars.is_empty() {
        return Ok(());
    }
    let root = SVGBackend::new(file, (SIZE.0, BAR * bars.len() as u32 + ROOM)).into_drawing_area();
    root.fill(&WHITE)?;
    let count = bars.len() as f64;
    let mut chart = ChartBuilder::on(&root)
        .caption(&figure.title, ("sans-serif", 17))
        .margin(10)
        .x_label_area_size(42)
        .y_label_area_size(NAMES)
        .build_cartesian_2d(0.0..AXIS, 0.0..count)?;
    chart
        .configure_mesh()
        .disable_mesh()
        .y_labels(0)
        .x_desc("% of the application's time")
        .x_label_formatter(&share)
        .draw()?;
    let parts = ["kernels", "transfers and compression", "the rest"];
    for (part, (name, colour)) in parts.iter().zip(COLOURS).enumerate() {
        let part_of = |(i, bar): (usize, &Bar)| {
            let y = count - i as f64;
            let ends = shares(bar);
            Rectangle::new([(ends[part], y - 0.85), (ends[part + 1], y - 0.15)], colour.filled())
        };
        let drawn = chart.draw_series(bars.iter().enumerate().map(part_of))?;
        drawn
            .label(*name)
            .legend(move |(x, y)| Rectangle::new([(x, y - 4), (x + 14, y + 4)], colour.filled()));
    }
    let font = ("sans-serif", 13).into_font();
    for (i, bar) in bars.iter().enumerate() {
        let (x, y) = chart.backend_coord(&(0.0, count - i as f64 - 0.25));
        root.draw(&Text::new(bar.name.clone(), (x - NAMES + 6, y - 2), font.clone()))?;
        let (end, _) = chart.backend_coord(&(101.0, 0.0));
        root.draw(&Text::new(
            format!("{} ms", super::super::table::number(bar.all)),
            (end, y - 2),
            font.clone(),
        ))?;
    }
    chart
        .configure_series_labels()
        .position(SeriesLabelPosition::MiddleRight)
        .background_style(WHITE.mix(0.85))
        .draw()?;
    root.present()?;
    Ok(())
}

fn share(percent: &f64) -> String {
    if *percent > 100.0 { String::new() } else { format!("{percent:.0}") }
}

/// Where kernels, transfers and the rest begin, and the end, in percent.
fn shares(bar: &Bar) -> [f64; 4] {
    let percent = |ms: f64| 100.0 * ms.min(bar.all) / bar.all;
    [0.0, percent(bar.kernel), percent(bar.kernel + bar.transfers.unwrap_or(0.0)), 100.0]
}
