//! Catalogues in a form that can be compared record by record.

use anyhow::{Result, ensure};
use geotrawl_model::RecordFilter;
use geotrawl_model::store::CrawlStore;
use serde_json::Value;
use std::collections::BTreeMap;

/// Members that depend on when and by which worker a record was found: ids, times, provenance, the
/// reason of the last answer, the address of the host.
const DIFFERS: &[&str] = &["id", "first_seen", "last_seen", "last_ok", "provenance", "reason", "host"];

/// The members that must be equal, by kind and URL.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct ComparableCatalogue(BTreeMap<String, String>);

impl ComparableCatalogue {
    /// Reads the catalogue of a store.
    pub fn read_store(store: &dyn CrawlStore) -> Result<Self> {
        let mut records = BTreeMap::new();
        let mut twice = None;
        store.visit_records(&RecordFilter::default(), &mut |record| {
            let name = format!("{} {}", record.resource.kind, record.resource.url);
            let mut body = serde_json::to_value(&record).unwrap_or_default();
            if let Some(members) = body.as_object_mut() {
                members.retain(|key, _| !DIFFERS.contains(&key.as_str()));
            }
            if records.insert(name.clone(), sorted(&body)).is_some() {
                twice = Some(name);
            }
            true
        })?;
        ensure!(twice.is_none(), "duplicate record: {twice:?}");
        Ok(Self(records))
    }

    /// Returns the number of records.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Lists the differences between two catalogues.
    pub fn list_differences(&self, other: &Self) -> Vec<String> {
        let mut all = Vec::new();
        for (name, body) in &self.0 {
            match other.0.get(name) {
                None => all.push(format!("only in the first: {name}")),
                Some(there) if there != body => all.push(format!("differs: {name}\n  {body}\n  {there}")),
                Some(_) => {}
            }
        }
        let only = other.0.keys().filter(|name| !self.0.contains_key(*name));
        all.extend(only.map(|name| format!("only in the second: {name}")));
        all
    }
}

/// Sorts the members of objects.
fn sorted(value: &Value) -> String {
    match value {
        Value::Object(members) => {
            let members: BTreeMap<&String, String> =
                members.iter().map(|(name, value)| (name, sorted(value))).collect();
            let members: Vec<String> =
                members.iter().map(|(name, value)| format!("{name:?}:{value}")).collect();
            format!("{{{}}}", members.join(","))
        }
        Value::Array(values) => format!("[{}]", values.iter().map(sorted).collect::<Vec<_>>().join(",")),
        other => other.to_string(),
    }
}
