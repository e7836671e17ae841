//! QGIS styles (QML) for the tables of a GeoPackage.

use geotrawl_kinds::kinds::{Family, KINDS, KindProfile, RubricRow};
use std::fmt::Write as _;

/// Style of a table.
pub(crate) struct QgisStyle {
    pub(crate) table: &'static str,
    pub(crate) name: &'static str,
    pub(crate) description: &'static str,
    /// Whether this is the default style of its table.
    pub(crate) first: bool,
    pub(crate) qml: String,
}

/// Expression for the quality class of a score. [`STEPS`] holds value, label and colour of each
/// class.
const QUALITY: &str = "CASE WHEN \"score\" IS NULL THEN 'none' WHEN \"score\" >= 76 THEN 'good' WHEN \"score\" >= 51 THEN 'fair' \
                       WHEN \"score\" >= 26 THEN 'poor' ELSE 'bad' END";
const STEPS: &[(&str, &str, &str)] = &[
    ("good", "76 to 100", "26,152,80"),
    ("fair", "51 to 75", "145,191,66"),
    ("poor", "26 to 50", "253,174,97"),
    ("bad", "0 to 25", "215,48,39"),
    ("none", "not scored", "128,128,128"),
];
/// Groups of kinds, which keep the legend short: value, label, colour.
const GROUPS: &[(&str, &str, &str)] = &[
    ("map", "maps and tiles", "31,120,180"),
    ("feature", "features", "51,160,44"),
    ("coverage", "coverages", "227,119,0"),
    ("catalogue", "catalogues", "106,61,154"),
    ("file", "files and others", "102,102,102"),
];

/// Returns the group of a kind.
fn group_of(profile: &KindProfile) -> &'static str {
    match (profile.family, profile.rubric_row) {
        (Family::Wms | Family::Tiles, _) if !profile.is_file() => "map",
        (_, RubricRow::ArcgisMaps | RubricRow::Tiles) if !profile.is_file() => "map",
        (Family::Features | Family::Sensor, _) | (_, RubricRow::Features) => "feature",
        (Family::Coverage, _) | (_, RubricRow::Coverages) => "coverage",
        (Family::Catalogue, _) => "catalogue",
        _ => "file",
    }
}

/// Returns the expression that maps a record's kind to its group.
fn group_expression() -> String {
    let mut expression = "CASE".to_owned();
    for (group, ..) in GROUPS.iter().filter(|(group, ..)| *group != "file") {
        let kinds = KINDS.iter().map(|kind| kind.profile()).filter(|profile| group_of(profile) == *group);
        let ids: Vec<String> = kinds.map(|profile| format!("'{}'", profile.id)).collect();
        let _ = write!(expression, " WHEN \"kind\" IN ({}) THEN '{group}'", ids.join(","));
    }
    expression + " ELSE 'file' END"
}

/// Returns all styles.
pub(crate) fn all_styles() -> Vec<QgisStyle> {
    let fills = |expression, steps| categories(expression, steps, fill);
    vec![
        QgisStyle {
            table: "services",
            name: "Quality",
            description: "Footprints by quality",
            first: true,
            qml: fills(QUALITY, STEPS),
        },
        QgisStyle {
            table: "services",
            name: "Kind",
            description: "Footprints by what is served",
            first: false,
            qml: fills(&group_expression(), GROUPS),
        },
        QgisStyle {
            table: "layers",
            name: "Quality",
            description: "Layers by the quality of their service",
            first: true,
            qml: fills(QUALITY, STEPS),
        },
        QgisStyle {
            table: "hosts",
            name: "Hosts",
            description: "Host locations, by the best quality of their services",
            first: true,
            qml: categories(&QUALITY.replace("\"score\"", "\"best_score\""), STEPS, marker),
        },
    ]
}

fn escaped(text: &str) -> String {
    quick_xml::escape::escape(text).into_owned()
}

fn categories(expression: &str, steps: &[(&str, &str, &str)], symbol: fn(usize, &str) -> String) -> String {
    let (mut classes, mut symbols) = (String::new(), String::new());
    for (n, (value, label, colour)) in steps.iter().enumerate() {
        let _ = write!(
            classes,
            "<category render=\"true\" symbol=\"{n}\" value=\"{}\" label=\"{}\" type=\"string\"/>",
            escaped(value),
            escaped(label)
        );
        symbols.push_str(&symbol(n, colour));
    }
    format!(
        "<!DOCTYPE qgis PUBLIC 'http://mrcc.com/qgis.dtd' 'SYSTEM'>\n<qgis version=\"3.22\" styleCategories=\"Symbology\">\
         <renderer-v2 type=\"categorizedSymbol\" attr=\"{}\" enableorderby=\"0\" forceraster=\"0\" symbollevels=\"0\">\
         <categories>{classes}</categories><symbols>{symbols}</symbols></renderer-v2><blendMode>0</blendMode></qgis>",
        escaped(expression)
    )
}

/// Returns properties in the notations of both old and new versions of QGIS.
fn properties(pairs: &[(&str, &str)]) -> String {
    let mut xml = String::from("<Option type=\"Map\">");
    for (name, value) in pairs {
        let _ = write!(xml, "<Option type=\"QString\" name=\"{name}\" value=\"{value}\"/>");
    }
    xml.push_str("</Option>");
    for (name, value) in pairs {
        let _ = write!(xml, "<prop k=\"{name}\" v=\"{value}\"/>");
    }
    xml
}

/// Returns a fill symbol, almost transparent because footprints overlap.
fn fill(n: usize, colour: &str) -> String {
    let properties = properties(&[
        ("color", &format!("{colour},20")),
        ("style", "solid"),
        ("outline_color", &format!("{colour},255")),
        ("outline_style", "solid"),
        ("outline_width", "0.3"),
        ("outline_width_unit", "MM"),
        ("joinstyle", "miter"),
    ]);
    format!(
        "<symbol type=\"fill\" name=\"{n}\" alpha=\"1\" clip_to_extent=\"1\" force_rhr=\"0\">\
         <layer class=\"SimpleFill\" enabled=\"1\" locked=\"0\" pass=\"0\">{properties}</layer></symbol>"
    )
}

fn marker(n: usize, colour: &str) -> String {
    let properties = properties(&[
        ("name", "circle"),
        ("color", &format!("{colour},220")),
        ("outline_color", "255,255,255,255"),
        ("outline_style", "solid"),
        ("outline_width", "0.2"),
        ("size", "2.4"),
        ("size_unit", "MM"),
    ]);
    format!(
        "<symbol type=\"marker\" name=\"{n}\" alpha=\"1\" clip_to_extent=\"1\" force_rhr=\"0\">\
         <layer class=\"SimpleMarker\" enabled=\"1\" locked=\"0\" pass=\"0\">{properties}</layer></symbol>"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_style_is_well_formed() {
        for style in all_styles() {
            let mut reader = quick_xml::Reader::from_str(&style.qml);
            while reader.read_event().unwrap() != quick_xml::events::Event::Eof {}
        }
        assert!(group_expression().contains("'wms'"), "{}", group_expression());
        let mut firsts: Vec<_> =
            all_styles().iter().filter(|style| style.first).map(|style| style.table).collect();
        firsts.sort_unstable();
        assert_eq!(firsts, ["hosts", "layers", "services"]);
    }
}
