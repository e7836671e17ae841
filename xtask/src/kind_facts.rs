//! Generates a TypeScript module with facts about kinds that the web application needs before the
//! server answers.

use geotrawl_kinds::kinds::{KINDS, KindProfile};
use std::fmt::Write as _;

/// Returns the module: the family of every kind and the file that draws it.
pub fn render_module() -> String {
    let mut out = "// Written by `cargo xtask docs` from the profiles of the kinds; not by hand.\n\n\
        import type { Drawer } from '../map/layers/kinds';\nimport type { Family } from './kinds.svelte';\n\n\
        /** The family of every kind, and what draws it on the map if it can be drawn. */\n\
        export const kindFacts: Readonly<Record<string, readonly [Family, Drawer?]>> = {\n"
        .to_owned();
    for kind in KINDS {
        let KindProfile { id, family, drawer, .. } = kind.profile();
        let _ = write!(out, "  '{id}': ['{}'", word(family));
        if let Some(drawer) = drawer {
            let _ = write!(out, ", '{}'", word(drawer));
        }
        out.push_str("],\n");
    }
    out + "};\n"
}

/// Returns the word to which a value of an enum is serialised.
fn word(value: &impl serde::Serialize) -> String {
    serde_json::to_value(value).ok().and_then(|value| value.as_str().map(str::to_owned)).unwrap_or_default()
}
