//! OpenSearch with the Geo and Time extensions.

use super::base::base_url;
use super::found::{self, FoundPage, find_records};
use super::params::{DocumentForm, QueryParams, negotiate_form};
use crate::{App, Problem, assets};
use axum::Router;
use axum::extract::State;
use axum::http::{HeaderMap, Uri, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use geotrawl_index::{FilterExpression, SearchQuery, SpatialRelation};
use geotrawl_model::Bbox;
use geotrawl_standards::opensearch::{self, OpenSearchPage, PARAMETERS};
use geotrawl_standards::records::CatalogueInfo;
use geotrawl_standards::sanitize::single_line;
use geotrawl_standards::{cql2, shared_params};
use serde_json::json;

const FORMS: &[DocumentForm] = &[
    DocumentForm { word: "atom", media: &["application/atom+xml", "application/xml", "text/xml"] },
    DocumentForm { word: "json", media: &["application/geo+json", "application/json"] },
    DocumentForm { word: "html", media: &["text/html", "application/xhtml+xml"] },
];

/// Metres per degree of latitude.
const METRES: f64 = 111_320.0;

/// Builds the router.
pub fn router() -> Router<App> {
    Router::new()
        .route("/opensearch", get(description))
        .route("/opensearch/", get(description))
        .route("/opensearch/search", get(search))
        .route("/opensearch/suggest", get(suggest))
}

async fn place(app: &App, headers: &HeaderMap) -> CatalogueInfo {
    CatalogueInfo { base: base_url(app, headers), title: app.settings().await.title.clone() }
}

async fn description(State(app): State<App>, headers: HeaderMap) -> Response {
    let document = opensearch::render_description(&place(&app, &headers).await);
    ([(header::CONTENT_TYPE, "application/opensearchdescription+xml; charset=utf-8")], document)
        .into_response()
}

/// Returns suggestions in the format of browsers.
async fn suggest(State(app): State<App>, uri: Uri) -> Result<Response, Problem> {
    let params = QueryParams::from_uri(&uri)?;
    let words = params.get("q").unwrap_or_default().to_owned();
    if words.len() > 200 {
        return Err(Problem::bad_request("q", "Use up to 200 bytes."));
    }
    let asked = words.clone();
    let found = app.blocking(move |app| Ok(app.index.suggest(&asked, 10)?)).await?;
    let texts: Vec<String> = found.into_iter().map(|suggestion| suggestion.text).collect();
    let answer = json!([words, texts]).to_string();
    Ok(([(header::CONTENT_TYPE, "application/x-suggestions+json")], answer).into_response())
}

async fn search(State(app): State<App>, uri: Uri, headers: HeaderMap) -> Result<Response, Problem> {
    let known = |name: &str| name == "f" || PARAMETERS.iter().any(|(known, _)| *known == name);
    let params = QueryParams::from_uri(&uri)?.allow_only(known)?;
    let form = negotiate_form(&params, &headers, FORMS)?;
    let place = place(&app, &headers).await;
    let query = query(&params)?;
    let (offset, limit) = (query.offset, query.limit);
    let uid = params.get("uid").map(str::to_owned);
    let found = app.blocking(move |app| match uid {
        None => find_records(app, &query),
        Some(uid) => {
            let records: Vec<_> = found::find_record(app, &uid)?.into_iter().collect();
            Ok(FoundPage { total: records.len() as u64, records })
        }
    });
    let found = found.await?;
    let answer = OpenSearchPage {
        total: found.total,
        first: offset + 1,
        count: limit,
        asked: asked(&params),
        pages: pages(&params, &place, found.total, offset, limit),
        now: app.now(),
    };
    let (media, body) = match form {
        "json" => {
            ("application/geo+json", opensearch::render_geojson(&place, &answer, &found.records).to_string())
        }
        "html" => {
            let words = params.get("q").unwrap_or_default();
            ("text/html; charset=utf-8", opensearch::render_html(&place, &answer, words, &found.records))
        }
        _ => {
            ("application/atom+xml; charset=utf-8", opensearch::render_atom(&place, &answer, &found.records))
        }
    };
    Ok(([(header::CONTENT_TYPE, media)], body).into_response())
}

fn query(params: &QueryParams) -> Result<SearchQuery, Problem> {
    let wrong = |name: &'static str| move |why: String| Problem::bad_request(name, why);
    let words = params.get("q").unwrap_or_default();
    if words.len() > 2_000 {
        return Err(Problem::bad_request("q", "The search text is longer than 2000 bytes."));
    }
    let limit = params.get_count("count", 10, shared_params::MOST_RECORDS)?;
    let page = params.get_number("startPage", 1, 1..=shared_params::DEEPEST)?;
    let first = params.get_number("startIndex", 1, 1..=shared_params::DEEPEST)?;
    let offset = (first - 1).saturating_add((page - 1).saturating_mul(limit)).min(shared_params::DEEPEST);
    let mut query =
        SearchQuery { words: words.to_owned(), limit, offset, exact: true, ..SearchQuery::default() };
    let (start, end) = (params.get("start"), params.get("end"));
    if start.is_some() || end.is_some() {
        let span = format!("{}/{}", start.unwrap_or(".."), end.unwrap_or(".."));
        query.time = Some(shared_params::parse_datetime(&span).map_err(wrong("start"))?);
    }
    if let Some(bbox) = area(params)? {
        match params.get("relation").unwrap_or("intersects") {
            "intersects" => query.bbox = Some(bbox),
            // `contains` means that the search area contains the record.
            "contains" => (query.bbox, query.relation) = (Some(bbox), SpatialRelation::Within),
            "disjoint" => query.filter = Some(FilterExpression::Apart { bbox }),
            _ => {
                return Err(Problem::bad_request(
                    "relation",
                    "'relation' must be intersects, contains or disjoint.",
                ));
            }
        }
    }
    Ok(query)
}

/// Returns the search area: a box, the box of a geometry or of a named place, or a box around a
/// point.
fn area(params: &QueryParams) -> Result<Option<Bbox>, Problem> {
    if let Some(text) = params.get("bbox") {
        return shared_params::parse_bbox(text).map(Some).map_err(|why| Problem::bad_request("bbox", why));
    }
    if let Some(text) = params.get("geometry") {
        let bbox = cql2::wkt_box(text);
        return bbox.map(Some).map_err(|refused| Problem::bad_request("geometry", refused.to_string()));
    }
    if let Some(name) = params.get("name") {
        let found = assets::gazetteer().find_place(name).map(|place| Some(place.bbox));
        return found.ok_or_else(|| {
            Problem::bad_request("name", format!("Unknown place '{name}'; use a box (bbox) instead."))
        });
    }
    let number = |name: &'static str| match params.get(name) {
        None => Ok(None),
        Some(text) => {
            let number = text.trim().parse::<f64>().ok().filter(|number| number.is_finite());
            number.map(Some).ok_or_else(|| Problem::bad_request(name, format!("'{name}' must be a number.")))
        }
    };
    let (Some(lat), Some(lon)) = (number("lat")?, number("lon")?) else { return Ok(None) };
    if !(-90.0..=90.0).contains(&lat) || !(-180.0..=180.0).contains(&lon) {
        return Err(Problem::bad_request("lat", "Latitude and longitude must be valid degrees."));
    }
    let radius = number("radius")?.unwrap_or(0.0).clamp(0.0, 20_000_000.0);
    let up = radius / METRES;
    let aside = (up / lat.to_radians().cos().max(0.01)).min(180.0);
    let bbox = Bbox {
        west: (lon - aside).max(-180.0),
        south: (lat - up).max(-90.0),
        east: (lon + aside).min(180.0),
        north: (lat + up).min(90.0),
    };
    Ok(Some(bbox))
}

/// Returns the query by the terms of OpenSearch templates.
fn asked(params: &QueryParams) -> Vec<(String, String)> {
    let terms = PARAMETERS.iter().filter_map(|(name, term)| {
        let value = single_line(params.get(name)?, 2_000);
        Some(((*term).to_owned(), value))
    });
    terms.collect()
}

/// Returns the addresses of the neighbouring pages.
fn pages(
    params: &QueryParams,
    place: &CatalogueInfo,
    total: u64,
    offset: usize,
    limit: usize,
) -> Vec<(&'static str, String)> {
    let address = format!("{}{}/search", place.base, opensearch::PATH);
    let at = |offset: usize| {
        let link = params.link_with(&address, Some(("startPage", "1".into())));
        let link: Uri = link.parse().unwrap_or_default();
        let moved = QueryParams::from_uri(&link).unwrap_or_default();
        moved.link_with(&address, Some(("startIndex", (offset + 1).to_string())))
    };
    let total = usize::try_from(total).unwrap_or(usize::MAX);
    let mut pages = vec![("self", params.link_with(&address, None)), ("first", at(0))];
    if offset > 0 {
        pages.push(("previous", at(offset.saturating_sub(limit))));
    }
    if offset + limit < total {
        pages.push(("next", at(offset + limit)));
    }
    pages.push(("last", at(total.saturating_sub(1) / limit * limit)));
    pages
}
