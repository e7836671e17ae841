//! ES modules: the application's modules by URL, and stand-ins for all others.

use super::engine::without_nul;
use super::names::HOOKS;
use crate::model::MapApp;
use rquickjs::loader::{ImportAttributes, Loader, Resolver};
use rquickjs::module::Declared;
use rquickjs::{Ctx, Module, Result};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt::Write as _;
use std::rc::Rc;
use url::Url;

/// Modules of an application, and the imports of other modules.
#[derive(Debug, Default)]
pub struct ModuleCatalogue {
    /// Code to run, by URL.
    pub sources: HashMap<String, String>,
    /// Indexes of scripts that are modules, by URL, before their code is prepared.
    pub addresses: HashMap<String, usize>,
    /// Imported names, by URL or name of the module.
    pub imported: BTreeMap<String, BTreeSet<String>>,
    /// Import map of the page.
    pub map: Vec<(String, String)>,
}

impl ModuleCatalogue {
    /// Returns the URL of a module of the application.
    pub fn find_module(&self, from: &str, name: &str) -> Option<String> {
        let address = resolve_module(from, name);
        if self.addresses.contains_key(&address) {
            return Some(address);
        }
        let mapped = self.map.iter().find_map(|(key, target)| match name.strip_prefix(key.as_str()) {
            Some("") => Some(target.clone()),
            Some(rest) if key.ends_with('/') => Some(format!("{target}{rest}")),
            _ => None,
        })?;
        self.addresses.contains_key(&mapped).then_some(mapped)
    }

    /// Reads the import maps of a page.
    pub fn read_import_maps(&mut self, app: &MapApp) {
        for element in &app.elements {
            let is_map = element.tag == "script"
                && element
                    .attributes
                    .iter()
                    .any(|(name, value)| name == "type" && value.eq_ignore_ascii_case("importmap"));
            if !is_map {
                continue;
            }
            let Ok(map) = serde_json::from_str::<serde_json::Value>(&element.text) else { continue };
            for (key, target) in
                map.get("imports").and_then(serde_json::Value::as_object).into_iter().flatten()
            {
                if let Some(target) = target.as_str() {
                    self.map.push((key.clone(), resolve_module(&app.base, target)));
                }
            }
        }
    }
}

/// Resolves a module name in another module; bare names are returned unchanged.
pub fn resolve_module(from: &str, name: &str) -> String {
    let relative = name.starts_with("./") || name.starts_with("../") || name.starts_with('/');
    if relative && let Ok(address) = Url::parse(from).and_then(|from| from.join(name)) {
        return address.into();
    }
    if let Ok(address) = Url::parse(name)
        && !address.cannot_be_a_base()
    {
        return address.into();
    }
    name.to_owned()
}

/// Resolves and loads modules by URL.
pub struct ModuleLoader(pub Rc<ModuleCatalogue>);

impl Resolver for ModuleLoader {
    fn resolve<'js>(
        &mut self,
        _ctx: &Ctx<'js>,
        base: &str,
        name: &str,
        _attributes: Option<ImportAttributes<'js>>,
    ) -> Result<String> {
        Ok(self.0.find_module(base, name).unwrap_or_else(|| resolve_module(base, name)))
    }
}

impl Loader for ModuleLoader {
    fn load<'js>(
        &mut self,
        ctx: &Ctx<'js>,
        name: &str,
        _attributes: Option<ImportAttributes<'js>>,
    ) -> Result<Module<'js, Declared>> {
        let source = match self.0.sources.get(name) {
            Some(source) => without_nul(source).into_owned(),
            None => self.standin(name),
        };
        Module::declare(ctx.clone(), name, source)
    }
}

impl ModuleLoader {
    /// Returns the code of a module that exports a stand-in for each imported name.
    fn standin(&self, name: &str) -> String {
        let id = serde_json::to_string(name).unwrap_or_else(|_| "\"\"".into());
        let mut out = format!("const m=globalThis.{}({id});export default m;", HOOKS[4]);
        for (at, export) in self.0.imported.get(name).into_iter().flatten().enumerate() {
            if export != "default" && is_name(export) {
                let _ = write!(out, "const e{at}=m.{export};export{{e{at} as {export}}};");
            }
        }
        out
    }
}

fn is_name(text: &str) -> bool {
    let mut chars = text.chars();
    chars.next().is_some_and(|first| first.is_alphabetic() || first == '_' || first == '$')
        && chars.all(|one| one.is_alphanumeric() || one == '_' || one == '$')
}

#[cfg(test)]
mod tests {
    use super::resolve_module;

    #[test]
    fn modules_are_found_beside_the_one_that_imports_them() {
        assert_eq!(resolve_module("https://a.b/js/main.js", "./map.js"), "https://a.b/js/map.js");
        assert_eq!(resolve_module("https://a.b/js/main.js", "/x.js"), "https://a.b/x.js");
        assert_eq!(resolve_module("https://a.b/js/main.js", "ol/source/TileWMS"), "ol/source/TileWMS");
        assert_eq!(resolve_module("https://a.b/js/main.js", "https://c.d/ol.js"), "https://c.d/ol.js");
    }
}
