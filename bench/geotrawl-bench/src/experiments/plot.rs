//! Plots as small SVG files, for light and dark backgrounds.

use anyhow::Result;
use plotters::prelude::*;
use plotters::style::full_palette::{BLUE_600, DEEPORANGE_600, GREEN_700, GREY_600, PURPLE_500, TEAL_500};
use std::path::Path;

/// A line of a plot.
pub struct PlotLine {
    pub name: String,
    pub points: Vec<(f64, f64)>,
    /// Published by others instead of measured here; drawn with markers.
    pub published: bool,
}

/// Settings of a plot.
pub struct PlotSpec<'a> {
    pub title: &'a str,
    pub x: &'a str,
    pub y: &'a str,
    pub x_to: f64,
    pub y_to: f64,
    /// Whether the axes are in percent: x, y.
    pub percent: (bool, bool),
}

const COLOURS: [RGBColor; 6] = [BLUE_600, DEEPORANGE_600, GREEN_700, PURPLE_500, TEAL_500, GREY_600];

/// Writes a plot of lines.
pub fn write_plot(path: &Path, plot: &PlotSpec<'_>, lines: &[PlotLine]) -> Result<()> {
    let area = SVGBackend::new(path, (760, 460)).into_drawing_area();
    area.fill(&WHITE)?;
    let mut chart = ChartBuilder::on(&area)
        .caption(plot.title, ("sans-serif", 18))
        .margin(14)
        .x_label_area_size(42)
        .y_label_area_size(58)
        .build_cartesian_2d(0.0..plot.x_to, 0.0..plot.y_to)?;
    let label = |percent: bool| {
        move |value: &f64| if percent { format!("{:.0} %", value * 100.0) } else { format!("{value:.0}") }
    };
    chart
        .configure_mesh()
        .light_line_style(TRANSPARENT)
        .bold_line_style(BLACK.mix(0.12))
        .x_desc(plot.x)
        .y_desc(plot.y)
        .x_label_formatter(&label(plot.percent.0))
        .y_label_formatter(&label(plot.percent.1))
        .draw()?;
    for (line, colour) in lines.iter().zip(COLOURS.iter().cycle()) {
        let colour = *colour;
        if line.published {
            let marks = line.points.iter().map(|&at| Circle::new(at, 4, colour.stroke_width(2)));
            chart
                .draw_series(marks)?
                .label(&line.name)
                .legend(move |(x, y)| Circle::new((x + 9, y), 4, colour.stroke_width(2)));
        } else {
            chart
                .draw_series(LineSeries::new(line.points.iter().copied(), colour.stroke_width(2)))?
                .label(&line.name)
                .legend(move |(x, y)| PathElement::new([(x, y), (x + 18, y)], colour.stroke_width(2)));
        }
    }
    chart
        .configure_series_labels()
        .position(SeriesLabelPosition::LowerRight)
        .background_style(WHITE.mix(0.85))
        .border_style(BLACK.mix(0.2))
        .draw()?;
    area.present()?;
    Ok(())
}
