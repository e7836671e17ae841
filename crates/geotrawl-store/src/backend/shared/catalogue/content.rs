//! Stored descriptions of resources: one JSON text, and one row per dataset.

use super::super::database_error::{DatabaseError, DatabaseResult};
use crate::sql::{Conn, Rows, insert_text, params, update};
use geotrawl_model::{Dataset, Resource, SharedText};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::collections::HashMap;
use std::sync::Arc;

/// A resource prepared for storing. Datasets are serialised one at a time, once for the hash and
/// once for writing, because a server may have a hundred thousand of them.
pub(super) struct ResourceContent<'r> {
    /// JSON of [`ContentBody`].
    pub body: String,
    /// Hash of everything but the URL and the datasets.
    pub hash: Vec<u8>,
    /// Hash of the datasets.
    pub datasets_hash: Vec<u8>,
    resource: &'r Resource,
    /// Index of each dataset's CRS list.
    crs: Vec<Option<usize>>,
}

/// The JSON text of a resource: everything but its datasets, and the lists that these share.
#[derive(Serialize, Deserialize)]
struct ContentBody {
    resource: Resource,
    /// CRS lists of the datasets. Most layers of a server share the same hundreds of codes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    crs_lists: Vec<Arc<[SharedText]>>,
}

impl<'r> ResourceContent<'r> {
    /// Prepares a resource.
    pub fn from_resource(resource: &'r Resource) -> DatabaseResult<Self> {
        let mut lists: Vec<Arc<[SharedText]>> = Vec::new();
        let mut list_numbers: HashMap<Arc<[SharedText]>, usize> = HashMap::new();
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
        let mut body = ContentBody { resource: resource.without_datasets(), crs_lists: lists };
        datasets_hash.update(serde_json::to_string(&body.crs_lists)?);
        let stored = serde_json::to_string(&body)?;
        // Aliases have different URLs, so the hash must not depend on them.
        body.resource.url.clear();
        let hash = Sha256::digest(serde_json::to_string(&body.resource)?).to_vec();
        let datasets_hash = datasets_hash.finalize().to_vec();
        Ok(Self { body: stored, hash, datasets_hash, resource, crs: numbers })
    }

    /// Replaces the description of a row whose datasets have the hash `old_datasets`.
    pub fn replace_stored(&self, tx: Conn<'_>, row: i64, old_datasets: &[u8]) -> DatabaseResult<()> {
        let resource = self.resource;
        update!(
            tx,
            resource {
                title: resource.title,
                west: resource.bbox.map(|b| b.west),
                south: resource.bbox.map(|b| b.south),
                east: resource.bbox.map(|b| b.east),
                north: resource.bbox.map(|b| b.north),
                dataset_count: resource.dataset_count,
                content_from: resource.url,
                content_hash: self.hash,
                datasets_hash: self.datasets_hash,
                body: self.body,
            } where id = row
        )?;
        if old_datasets == self.datasets_hash { Ok(()) } else { self.write_datasets(tx, row) }
    }

    /// Replaces the datasets of a resource.
    pub fn write_datasets(&self, tx: Conn<'_>, resource: i64) -> DatabaseResult<()> {
        tx.execute("DELETE FROM dataset WHERE resource = ?1", [resource])?;
        let mut insert = tx.prepare_cached(insert_text!(dataset {
            resource,
            ordinal,
            name,
            title,
            west,
            south,
            east,
            north,
            crs,
            body
        }))?;
        let mut many = insert.start_batch();
        for (ordinal, (dataset, crs)) in self.resource.datasets.iter().zip(&self.crs).enumerate() {
            let bbox = dataset.bbox;
            many.add_values(params![
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
        many.finish()?;
        Ok(())
    }
}

fn json_without_crs(dataset: &Dataset) -> DatabaseResult<String> {
    Ok(serde_json::to_string(&Dataset { crs: Arc::default(), ..dataset.clone() })?)
}

/// Reads a resource from its JSON text and, on request, the rows of its datasets.
pub(crate) fn read_resource(
    conn: Conn<'_>,
    id: i64,
    body: &str,
    url: &str,
    with_datasets: bool,
) -> DatabaseResult<Resource> {
    let mut resource = serde_json::from_str::<ContentBody>(body)?.resource;
    url.clone_into(&mut resource.url);
    if with_datasets {
        let mut select =
            conn.prepare_cached("SELECT crs, body FROM dataset WHERE resource = ?1 ORDER BY ordinal")?;
        resource.datasets = read_datasets(id, body, select.query([id])?)?;
    }
    Ok(resource)
}

/// Reads datasets from rows of `crs` and `body`, and the resource's JSON text, which holds the CRS
/// lists.
pub(crate) fn read_datasets(id: i64, body: &str, mut rows: Rows<'_>) -> DatabaseResult<Vec<Dataset>> {
    let ContentBody { crs_lists, .. } = serde_json::from_str(body)?;
    let mut datasets = Vec::new();
    while let Some(row) = rows.next()? {
        let text = row.get_ref(1)?.as_str()?;
        let mut dataset: Dataset = serde_json::from_str(text)?;
        if let Some(number) = row.get::<Option<i64>>(0)? {
            let list = crs_lists.get(number as usize);
            dataset.crs = list.cloned().ok_or_else(|| {
                DatabaseError::Inconsistent(format!("resource {id} has no CRS list {number}"))
            })?;
        }
        datasets.push(dataset);
    }
    Ok(datasets)
}
