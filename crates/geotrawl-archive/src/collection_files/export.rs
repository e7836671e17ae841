//! Exports a collection: WARC files, pages that open in a browser, the ranked list, the object.

use super::replay::{media_type_essence, rewrite_bytes};
use super::{CollectionFiles, CollectionFilesError, object_at, write_object};
use crate::digest::sha256;
use crate::page::AddressRole;
use crate::ranked::{self, ListedResult, NamedBy};
use geotrawl_model::archived_page::{CurrentPage, ItemRole};
use geotrawl_model::collection::{Collection, RankedResult};
use geotrawl_model::store::CollectionStore;
use geotrawl_text::escape::escape_html;
use jiff::Timestamp;
use serde::Serialize;
use std::collections::HashMap;
use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::{BufWriter, Write as _};
use std::path::Path;
use url::Url;

/// Summary of an export.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct ExportSummary {
    pub files: u64,
    pub items: u64,
    pub warc_files: u64,
    pub bytes: u64,
}

/// Writes a copy of a collection, as of the given time, to a folder.
pub fn export_collection(
    store: &dyn CollectionStore,
    shelf: &CollectionFiles,
    collection: &Collection,
    at: Timestamp,
    base: &str,
    folder: &Path,
) -> Result<ExportSummary, CollectionFilesError> {
    let mut exported = ExportSummary::default();
    fs::create_dir_all(folder.join("warc"))?;
    fs::create_dir_all(folder.join("pages"))?;
    let source = shelf.folder(&collection.acronym);
    if source.is_dir() {
        for entry in fs::read_dir(source)? {
            let entry = entry?;
            if entry.file_name().to_string_lossy().ends_with(".warc.gz") {
                exported.bytes += fs::copy(entry.path(), folder.join("warc").join(entry.file_name()))?;
                exported.warc_files += 1;
            }
        }
    }
    let (items, _) = store.pages_as_of(collection.id, at, 0, u64::MAX >> 1)?;
    let names: HashMap<&str, String> =
        items.iter().map(|item| (item.url.as_str(), file_name(item))).collect();
    let to = |url: &Url, _: AddressRole| names.get(url.as_str()).cloned();
    for item in &items {
        let stored = shelf.read_record(&collection.acronym, &item.version.payload)?;
        let url = Url::parse(item.version.final_url.as_deref().unwrap_or(&item.url));
        let shown =
            url.ok().and_then(|url| rewrite_bytes(&url, &item.version.media_type, &stored.payload, &to));
        let bytes = shown.as_deref().unwrap_or(&stored.payload);
        fs::write(folder.join("pages").join(file_name(item)), bytes)?;
        exported.bytes += bytes.len() as u64;
        exported.items += 1;
    }
    fs::write(folder.join("index.html"), render_index(collection, at, &items))?;
    let runs = store.archive_runs(collection.id, usize::MAX >> 1)?;
    let run = runs.iter().find(|run| run.at <= at);
    let results = run.map(|run| store.ranked_results(run.id)).transpose()?.unwrap_or_default();
    let listed: Vec<ListedResult> = results.into_iter().map(to_listed_result).collect();
    let when = run.map(|run| crate::didl::format_timestamp(run.at)).unwrap_or_default();
    fs::write(
        folder.join("ranked.html"),
        ranked::render_page(&collection.spec.title, &when, &listed, false),
    )?;
    exported.files = exported.items + exported.warc_files + 2;
    if let Some(object) = object_at(store, collection, Some(at))? {
        let mut out = BufWriter::new(File::create(folder.join("object.didl.xml"))?);
        out.write_all(b"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n")?;
        write_object(store, shelf, collection, &object, base, out)?.flush()?;
        exported.files += 1;
    }
    Ok(exported)
}

impl From<RankedResult> for ListedResult {
    fn from(result: RankedResult) -> Self {
        to_listed_result(result)
    }
}

fn to_listed_result(result: RankedResult) -> ListedResult {
    let named = result.named.into_iter();
    ListedResult {
        url: result.url,
        title: result.title,
        weight: result.weight,
        named: named.map(|by| NamedBy { engine: by.engine, query: by.query, rank: by.rank }).collect(),
        sort: result.sort,
        state: match result.reason {
            Some(reason) => format!("{}: {reason}", result.state),
            None => result.state,
        },
        about: result.about,
    }
}

/// Returns a file name that does not depend on the URL's text, with an extension that browsers
/// know.
fn file_name(item: &CurrentPage) -> String {
    let ending = match media_type_essence(&item.version.media_type).as_str() {
        "text/html" | "application/xhtml+xml" => "html",
        "text/css" => "css",
        "image/png" => "png",
        "image/jpeg" => "jpg",
        "image/gif" => "gif",
        "image/webp" => "webp",
        "image/svg+xml" => "svg",
        "image/x-icon" | "image/vnd.microsoft.icon" => "ico",
        "application/pdf" => "pdf",
        "application/json" => "json",
        "text/plain" => "txt",
        "font/woff2" => "woff2",
        "font/woff" => "woff",
        _ => "bin",
    };
    let digest = sha256(item.url.as_bytes());
    format!("{}.{ending}", digest.get(..20).unwrap_or_default())
}

fn render_index(collection: &Collection, at: Timestamp, items: &[CurrentPage]) -> String {
    let title = escape_html(&collection.spec.title);
    let mut out = format!(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{title}</title></head><body>\
         <h1>{title} ({})</h1><p>{}</p><p>As of {}. <a href=\"ranked.html\">Ranked results</a></p><ul>",
        escape_html(&collection.acronym),
        escape_html(&collection.spec.description),
        crate::didl::format_timestamp(at)
    );
    for item in items.iter().filter(|item| item.role != ItemRole::Requisite) {
        let shown = if item.version.title.is_empty() { &item.url } else { &item.version.title };
        let _ = write!(
            out,
            "<li><a href=\"pages/{}\">{}</a> <small>{} · {}</small></li>",
            file_name(item),
            escape_html(shown),
            escape_html(&item.url),
            crate::didl::format_timestamp(item.version.at)
        );
    }
    out.push_str("</ul></body></html>\n");
    out
}
