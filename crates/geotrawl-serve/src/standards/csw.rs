//! CSW 2.0.2 and 3.0: the catalogue for QGIS MetaSearch, OWSLib, GeoNetwork and pycsw.

use super::base::base_url;
use crate::{App, Problem};
use axum::Router;
use axum::body::Bytes;
use axum::extract::rejection::BytesRejection;
use axum::extract::{RawQuery, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use geotrawl_index::{FilterProperty, IndexError, SearchQuery, SortOrder};
use geotrawl_model::Record;
use geotrawl_standards::csw::{
    self, CswError, CswException, CswOperation, CswPage, CswRequest, CswSite, CswVersion, DomainEntry,
    DomainValues, ExceptionCode, GetRecords, RecordOutput, SoapVersion,
};
use geotrawl_standards::queryables::{self, CswQueryable};
use geotrawl_standards::{dc, iso};
use std::collections::BTreeMap;

/// Maximum number of names in one GetDomain request.
const MOST_NAMES: usize = 20;

/// Builds the router.
pub fn router() -> Router<App> {
    let methods = || get(by_address).post(by_document);
    Router::new().route("/csw", methods()).route("/csw/", methods())
}

async fn by_address(State(app): State<App>, headers: HeaderMap, RawQuery(query): RawQuery) -> Response {
    let query = query.unwrap_or_default();
    // OpenSearch clients request the description document at the CSW address.
    let accepts = headers.get(header::ACCEPT).and_then(|value| value.to_str().ok()).unwrap_or_default();
    if query.is_empty() && accepts.contains("application/opensearchdescription+xml") {
        let place = format!("{}/opensearch", base_url(&app, &headers));
        return (StatusCode::FOUND, [(header::LOCATION, place)]).into_response();
    }
    answer(app, &headers, csw::read_kvp(&query)).await
}

async fn by_document(
    State(app): State<App>,
    headers: HeaderMap,
    body: Result<Bytes, BytesRejection>,
) -> Response {
    let body = match body {
        Ok(body) => body,
        Err(rejection) => {
            let exception = CswException::no_applicable_code("The request is too large or incomplete.");
            let refused = CswError { version: CswVersion::V2, soap: None, exception };
            return document(rejection.status(), None, refused.to_document());
        }
    };
    let media = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let asked = if media.starts_with("application/x-www-form-urlencoded")
        && !body.trim_ascii_start().starts_with(b"<")
    {
        csw::read_kvp(&String::from_utf8_lossy(&body))
    } else {
        csw::read_post(&body)
    };
    answer(app, &headers, asked).await
}

async fn answer(app: App, headers: &HeaderMap, asked: Result<CswRequest, CswError>) -> Response {
    let site_base = base_url(&app, headers);
    let asked = match asked {
        Ok(asked) => asked,
        Err(refused) => return refusal(&refused),
    };
    let (version, soap) = (asked.version, asked.soap);
    let answered = app
        .blocking(move |app| {
            let site = CswSite {
                base: site_base,
                title: app.config.title.clone(),
                now: app.now(),
                sequence: app.index.progress().seq,
            };
            Ok(perform(app, &asked, &site))
        })
        .await;
    match answered {
        Ok(Ok(text)) => document(StatusCode::OK, soap, text),
        Ok(Err(exception)) => refusal(&CswError { version, soap, exception }),
        Err(problem) => {
            refusal(&CswError { version, soap, exception: CswException::no_applicable_code(problem.detail) })
        }
    }
}

fn refusal(refused: &CswError) -> Response {
    let status = StatusCode::from_u16(refused.http_status()).unwrap_or(StatusCode::BAD_REQUEST);
    document(status, refused.soap, refused.to_document())
}

fn document(status: StatusCode, soap: Option<SoapVersion>, text: String) -> Response {
    let media = match soap {
        None => "application/xml; charset=utf-8",
        Some(SoapVersion::V11) => "text/xml; charset=utf-8",
        Some(SoapVersion::V12) => "application/soap+xml; charset=utf-8",
    };
    (status, [(header::CONTENT_TYPE, HeaderValue::from_static(media))], text).into_response()
}

/// Converts a problem into an exception. Internal errors are logged; invalid queries are reported
/// to the client.
fn problem_exception(problem: Problem) -> CswException {
    match problem.status {
        400 => CswException::invalid_parameter("Constraint", problem.detail),
        _ => CswException::no_applicable_code(problem.detail),
    }
}

fn index_exception(error: IndexError) -> CswException {
    problem_exception(Problem::from(error))
}

fn perform(app: &App, asked: &CswRequest, site: &CswSite) -> Result<String, CswException> {
    let (version, soap) = (asked.version, asked.soap);
    match &asked.operation {
        CswOperation::Capabilities { sections, update_sequence } => {
            csw::render_capabilities(sections, update_sequence.as_deref(), version, soap, site)
        }
        CswOperation::DescribeRecord { type_names } => csw::describe_record(type_names, version, soap),
        CswOperation::GetRecords(asked) => {
            let page = page(app, asked)?;
            Ok(csw::render_records(asked, version, soap, &page, site))
        }
        CswOperation::GetRecordById { ids, output } => {
            let mut records = Vec::new();
            for id in ids {
                records.extend(record(app, id, output)?);
            }
            if version == CswVersion::V3 && records.is_empty() {
                return Err(CswException {
                    code: ExceptionCode::NotFound,
                    locator: Some("id".to_owned()),
                    text: "There is no record with this identifier.".to_owned(),
                });
            }
            Ok(csw::render_by_id(&records, output, version, soap, site))
        }
        CswOperation::GetDomain { properties, parameters } => {
            let mut domains = Vec::new();
            for name in parameters.iter().take(MOST_NAMES) {
                let values = csw::parameter_values(name, version);
                domains.push(DomainEntry { name: name.clone(), is_parameter: true, values });
            }
            for name in properties.iter().take(MOST_NAMES) {
                let values = values(app, name)?;
                domains.push(DomainEntry { name: name.clone(), is_parameter: false, values });
            }
            Ok(csw::render_domains(&domains, version, soap))
        }
    }
}

fn page(app: &App, asked: &GetRecords) -> Result<CswPage, CswException> {
    let (total, ids) = app.index.find_page(&asked.query).map_err(index_exception)?;
    let mut page = CswPage { total, ids: ids.len(), records: Vec::with_capacity(ids.len()) };
    for id in &ids {
        // The index lags behind the catalogue: skip records that are gone.
        page.records.extend(record(app, id, &asked.output)?);
    }
    Ok(page)
}

/// Loads a record, with its first layers if the response shows them.
fn record(app: &App, id: &str, output: &RecordOutput) -> Result<Option<Record>, CswException> {
    let fails = |error| problem_exception(Problem::from(error));
    let Some(mut record) = app.store.find_record_head(id).map_err(fails)? else { return Ok(None) };
    if csw::needs_layers(output) && record.resource.dataset_count > 0 {
        let layers = app.store.list_datasets(id, "", 0, iso::MOST_LAYERS).map_err(fails)?;
        record.resource.datasets = layers.map(|(layers, _)| layers).unwrap_or_default();
    }
    Ok(Some(record))
}

/// Returns the values of a property over all searchable records.
fn values(app: &App, name: &str) -> Result<DomainValues, CswException> {
    let facet = match queryables::find_queryable(name) {
        Some(CswQueryable::Property(property)) => match property {
            FilterProperty::Kind => "kind",
            FilterProperty::Theme => "theme",
            FilterProperty::Country => "country",
            FilterProperty::Provider => "provider",
            FilterProperty::Status => "status",
            FilterProperty::Licence => "licence",
            FilterProperty::Crs => "crs",
            FilterProperty::Language => "language",
            FilterProperty::Created => {
                return range(app, SortOrder::Oldest, SortOrder::Newest, |record| record.first_seen);
            }
            FilterProperty::Modified => {
                return range(app, SortOrder::ChangedUp, SortOrder::Changed, dc::last_modified);
            }
            _ => return Ok(DomainValues::Unknown),
        },
        Some(CswQueryable::Type) => "kind",
        Some(CswQueryable::Place) | None => return Ok(DomainValues::Unknown),
    };
    let query = SearchQuery { count_facets: true, ..SearchQuery::default() };
    let mut hits = app.index.search(&query).map_err(index_exception)?;
    let counted = hits.facets.remove(facet).unwrap_or_default();
    if queryables::find_queryable(name) != Some(CswQueryable::Type) {
        return Ok(DomainValues::List(counted));
    }
    let mut types: BTreeMap<&str, u64> = BTreeMap::new();
    for (kind, count) in &counted {
        *types.entry(geotrawl_standards::shared_params::resource_type(kind)).or_default() += count;
    }
    Ok(DomainValues::List(types.into_iter().map(|(name, count)| (name.to_owned(), count)).collect()))
}

fn range(
    app: &App,
    least: SortOrder,
    most: SortOrder,
    of: impl Fn(&Record) -> jiff::Timestamp,
) -> Result<DomainValues, CswException> {
    let mut ends = Vec::new();
    for sort in [least, most] {
        let (_, ids) = app
            .index
            .find_page(&SearchQuery { sort, limit: 1, ..SearchQuery::default() })
            .map_err(index_exception)?;
        let Some(id) = ids.first() else { return Ok(DomainValues::Unknown) };
        let record =
            app.store.find_record_head(id).map_err(|error| problem_exception(Problem::from(error)))?;
        ends.extend(record.map(|record| dc::format_seconds(of(&record))));
    }
    match <[String; 2]>::try_from(ends) {
        Ok([least, most]) => Ok(DomainValues::Range(least, most)),
        Err(_gone) => Ok(DomainValues::Unknown),
    }
}
