//! Says of each file whether it is well-formed XML, and if not, why: `well_formed FILE...`, or names on
//! standard input, one a line.

use geotrawl_kinds::formats::xml::{XmlEvent, XmlReader};
use std::fs::File;
use std::io::Write as _;

fn verdict(path: &str) -> String {
    let mut file = match File::open(path) {
        Ok(file) => file,
        Err(error) => return format!("unreadable\t{path}\t{error}"),
    };
    let mut reader = XmlReader::new(&mut file, None);
    while reader.next() != XmlEvent::Eof {}
    match reader.violation() {
        None => format!("well-formed\t{path}\t"),
        Some(v) if v.namespace => format!("namespaces\t{path}\t{v}"),
        Some(v) => format!("ill-formed\t{path}\t{v}"),
    }
}

fn main() -> std::io::Result<()> {
    let mut paths: Vec<String> = std::env::args().skip(1).collect();
    if paths.is_empty() {
        paths = std::io::stdin().lines().collect::<Result<_, _>>()?;
    }
    let mut out = std::io::stdout().lock();
    for path in paths {
        writeln!(out, "{}", verdict(&path))?;
    }
    Ok(())
}
