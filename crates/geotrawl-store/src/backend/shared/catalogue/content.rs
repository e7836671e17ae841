//! How a resource's description is kept: one JSON text, and a row per dataset.

use super::super::fault::{Fault, Step};
use crate::sql::{Conn, Rows, params};
use geotrawl_kinds::model::{Dataset, Resource, Shared};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::collections::HashMap;
use std::sync::Arc;

/// A resource ready to be stored. Datasets are turned to JSON one at a time, for the hash and once more when
/// they are written, because a server may have a hundred thousand of them.
pub(super) struct Content<'r> {
    /// JSON of [`Body`].
    pub body: String,
    /// Hash of all but the URL and the datasets.
    pub hash: Vec<u8>,
    /// Hash of the datasets.
    pub datasets_hash: Vec<u8>,
    datasets: &'r [Dataset],
    /// Number of the CRS list of each dataset.
    crs: Vec<Option<usize>>,
}

/// The JSON text of a resource: everything but its datasets, and the lists that those share.
#[derive(Serialize, Deserialize)]
struct Body {
    resource: Resource,
    /// CRS lists of the datasets: a server's layers mostly have the same hundreds of codes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    crs_lists: Vec<Arc<[Shared]>>,
}

impl<'r> Content<'r> {
    /// Prepares a resource.
    pub fn of(resource: &'r Resource) -> Step<Self> {
        let mut lists: Vec<Arc<[Shared]>> = Vec::new();
        let mut list_numbers: HashMap<Arc<[Shared]>, usize> = HashMap::new();
        let mut datasets_hash = Sha256::new();
        let mut numbers = Vec::with_capacity(resource.datasets.len());
        for dataset in &resource.datasets {
            let number = (!dataset.crs.is_empty()).then(|| {
                *list_numbers.entry(dataset.crs.clone()).or_insert_with(|| {
                    lists.push(dataset.crs.clone());
                    lists.len() - 1
                })
            });
            let body = json_without_crs(dataset)?;
            datasets_hash.update(number.map_or(u64::MAX, |number| number as u64).to_be_bytes());
            datasets_hash.update((body.len() as u64).to_be_bytes());
            datasets_hash.update(&body);
            numbers.push(number);
        }
        let mut body = Body { resource: without_datasets(resource), crs_lists: lists };
        datasets_hash.update(serde_json::to_string(&body.crs_lists)?);
        let stored = serde_json::to_string(&body)?;
        body.resource.url.clear();
        let hash = Sha256::digest(serde_json::to_string(&body.resource)?).to_vec();
        let datasets_hash = datasets_hash.finalize().to_vec();
        Ok(Self { body: stored, hash, datasets_hash, datasets: &resource.datasets, crs: numbers })
    }

    /// Replaces the datasets of a resource.
    pub fn write_datasets(&self, tx: Conn<'_>, resource: i64) -> Step<()> {
        tx.prepare_cached("DELETE FROM dataset WHERE resource = ?1")?.execute([resource])?;
        let mut insert = tx.prepare_cached(
            "INSERT INTO dataset (resource, ordinal, name, title, west, south, east, north, crs, body) \
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
        )?;
        let mut many = insert.many();
        for (ordinal, (dataset, crs)) in self.datasets.iter().zip(&self.crs).enumerate() {
            let bbox = dataset.bbox;
            many.add(params![
                resource,
                ordinal as i64,
                dataset.name,
                dataset.title,
                bbox.map(|b| b.west),
                bbox.map(|b| b.south),
                bbox.map(|b| b.east),
                bbox.map(|b| b.north),
                crs.map(|number| number as i64),
                json_without_crs(dataset)?,
            ])?;
        }
        many.end()?;
        Ok(())
    }
}

fn json_without_crs(dataset: &Dataset) -> Step<String> {
    Ok(serde_json::to_string(&Dataset { crs: Arc::default(), ..dataset.clone() })?)
}

/// Reads a resource again: its JSON text and, if wanted, the rows of its datasets.
pub(crate) fn read(conn: Conn<'_>, id: i64, body: &str, url: &str, with_datasets: bool) -> Step<Resource> {
    let mut resource = serde_json::from_str::<Body>(body)?.resource;
    url.clone_into(&mut resource.url);
    if with_datasets {
        let mut select =
            conn.prepare_cached("SELECT crs, body FROM dataset WHERE resource = ?1 ORDER BY ordinal")?;
        resource.datasets = datasets(id, body, select.query([id])?)?;
    }
    Ok(resource)
}

/// Datasets from their rows (`crs`, `body`) and the JSON text of their resource, which has the lists of CRS.
pub(crate) fn datasets(id: i64, body: &str, mut rows: Rows<'_>) -> Step<Vec<Dataset>> {
    let Body { crs_lists, .. } = serde_json::from_str(body)?;
    let mut datasets = Vec::new();
    while let Some(row) = rows.next()? {
        let text = row.get_ref(1)?.as_str()?;
        let mut dataset: Dataset = serde_json::from_str(text)?;
        if let Some(number) = row.get::<Option<i64>>(0)? {
            let list = crs_lists.get(number as usize);
            dataset.crs = list
                .cloned()
                .ok_or_else(|| Fault::Inconsistent(format!("resource {id} lacks CRS list {number}")))?;
        }
        datasets.push(dataset);
    }
    Ok(datasets)
}

/// Every member by name, so that a new one cannot be forgotten here.
fn without_datasets(resource: &Resource) -> Resource {
    Resource {
        kind: resource.kind.clone(),
        url: resource.url.clone(),
        versions: resource.versions.clone(),
        title: resource.title.clone(),
        abstract_: resource.abstract_.clone(),
        keywords: resource.keywords.clone(),
        provider: resource.provider.clone(),
        contact: resource.contact.clone(),
        licence: resource.licence.clone(),
        bbox: resource.bbox,
        crs: resource.crs.clone(),
        languages: resource.languages.clone(),
        software: resource.software.clone(),
        formats: resource.formats.clone(),
        datasets: Vec::new(),
        dataset_count: resource.dataset_count,
        issues: resource.issues.clone(),
    }
}
