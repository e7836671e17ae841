//! Decides which document a request to a service endpoint gets.

use super::operation::{OperationResult, answer_operation};
use super::{
    CapabilitiesInput, OgcKind, PlannedEndpoint, PlannedService, ServerSoftware, ows_exception,
    render_capabilities, service_exception,
};
use crate::reply::SiteReply;
use crate::request::QueryParameters;

/// A transparent PNG of one pixel, the response to GetTile and GetLegendGraphic.
pub(crate) const PIXEL: &[u8] = b"\x89PNG\x0d\x0a\x1a\x0a\x00\x00\x00\x0dIHDR\x00\x00\x00\x01\x00\x00\x00\x01\x08\x06\x00\x00\x00\x1f\x15\xc4\x89\x00\x00\x00\x0bIDATx\xdac`\x00\x02\x00\x00\x05\x00\x01\xe9\xfa\xdc\xd8\x00\x00\x00\x00IEND\xaeB`\x82";

/// Answers a request to `endpoint`; `services` are all services of the web, `url` is the endpoint's
/// URL.
pub(crate) fn answer_request(
    endpoint: &PlannedEndpoint,
    services: &[PlannedService],
    url: &str,
    query: &QueryParameters<'_>,
) -> SiteReply {
    let mut reply = choose(endpoint, services, url, query);
    reply.delay = endpoint.delay;
    if endpoint.manners.wrong_type && reply.status == 200 && reply.content_type != "image/png" {
        reply.content_type = match endpoint.path.len() % 4 {
            0 => "text/html",
            1 => "text/plain",
            2 => "application/octet-stream",
            _ => "",
        }
        .into();
    }
    reply
}

fn choose(
    endpoint: &PlannedEndpoint,
    services: &[PlannedService],
    url: &str,
    query: &QueryParameters<'_>,
) -> SiteReply {
    let mine: Vec<&PlannedService> =
        endpoint.services.iter().filter_map(|&index| services.get(index)).collect();
    let Some(&first) = mine.first() else { return SiteReply::not_found() };
    if endpoint.restful {
        return document(endpoint, first, first.versions[0], url);
    }
    let nothing_asked = query.get("service").is_none() && query.get("request").is_none();
    if nothing_asked {
        return bare(endpoint, first, url);
    }
    let request = query.get("request").unwrap_or("").to_ascii_lowercase();
    let wanted = query.get("service");
    let chosen = if endpoint.manners.ignores_service {
        Some(first)
    } else if let Some(wanted) = wanted {
        mine.iter().copied().find(|s| s.kind.service_parameter().eq_ignore_ascii_case(wanted))
    } else {
        by_request(&mine, &request)
    };
    let Some(service) = chosen else {
        let name = wanted.unwrap_or("");
        let text = format!("Service '{name}' is not offered here");
        return exception(endpoint, first, "InvalidParameterValue", "service", &text);
    };
    match request.as_str() {
        "getcapabilities" | "capabilities" => negotiate(endpoint, service, url, query),
        _ => match answer_operation(service, &request, query) {
            OperationResult::Reply(reply) => reply,
            OperationResult::Refused(code, locator, text) => {
                exception(endpoint, service, code, locator, &text)
            }
        },
    }
}

/// Answers a request without service parameters.
fn bare(endpoint: &PlannedEndpoint, first: &PlannedService, url: &str) -> SiteReply {
    if endpoint.manners.bare_is_capabilities {
        let version = first.versions[first.versions.len() - 1];
        return document(endpoint, first, version, url);
    }
    match endpoint.software {
        ServerSoftware::MapServer | ServerSoftware::Qgis => SiteReply::html(
            200,
            "No query information to decode. QUERY_STRING is set, but empty.\n".to_owned(),
        ),
        _ => exception(endpoint, first, "MissingParameterValue", "request", "Parameter 'request' is missing"),
    }
}

/// Returns the service for a request without `SERVICE`: old WMS clients, and operations whose name
/// implies the type.
fn by_request<'a>(mine: &[&'a PlannedService], request: &str) -> Option<&'a PlannedService> {
    let kind = match request {
        "capabilities" | "getmap" | "map" | "getlegendgraphic" | "getfeatureinfo" => OgcKind::Wms,
        "getfeature" | "describefeaturetype" => OgcKind::Wfs,
        "getcoverage" | "describecoverage" => OgcKind::Wcs,
        "gettile" => OgcKind::Wmts,
        "describeprocess" => OgcKind::Wps,
        "getrecords" | "getrecordbyid" => OgcKind::Csw,
        "getobservation" | "describesensor" => OgcKind::Sos,
        _ => return None,
    };
    mine.iter().copied().find(|s| s.kind == kind)
}

fn negotiate(
    endpoint: &PlannedEndpoint,
    service: &PlannedService,
    url: &str,
    query: &QueryParameters<'_>,
) -> SiteReply {
    let newest = service.versions[service.versions.len() - 1];
    if let Some(accepted) = query.get("acceptversions") {
        return match accepted.split(',').find_map(|v| service.versions.iter().find(|have| **have == v.trim()))
        {
            Some(version) => document(endpoint, service, version, url),
            None => exception(
                endpoint,
                service,
                "VersionNegotiationFailed",
                "acceptversions",
                "none of the accepted versions is offered",
            ),
        };
    }
    let Some(wanted) = query.get("version").or_else(|| query.get("wmtver")).filter(|v| !v.is_empty()) else {
        if endpoint.manners.needs_version {
            return exception(
                endpoint,
                service,
                "MissingParameterValue",
                "version",
                "Parameter 'version' is missing",
            );
        }
        return document(endpoint, service, newest, url);
    };
    // Nearest lower version, else the lowest. The versions of one service compare correctly as
    // text.
    let lower = service.versions.iter().rev().find(|have| **have <= wanted);
    document(endpoint, service, lower.unwrap_or(&service.versions[0]), url)
}

fn document(endpoint: &PlannedEndpoint, service: &PlannedService, version: &str, url: &str) -> SiteReply {
    let internal;
    let url = if endpoint.manners.advertises_internal_host {
        internal = format!("http://gisapp01.intern.test:8080{}", endpoint.target());
        &internal
    } else {
        url
    };
    let mut reply = SiteReply::xml(render_capabilities(&CapabilitiesInput { service, version, url }));
    if service.kind == OgcKind::Wms && version.starts_with("1.1") {
        reply.content_type = "application/vnd.ogc.wms_xml".into();
    }
    reply
}

fn exception(
    endpoint: &PlannedEndpoint,
    service: &PlannedService,
    code: &str,
    locator: &str,
    text: &str,
) -> SiteReply {
    let newest = service.versions[service.versions.len() - 1];
    let body = match service.kind {
        OgcKind::Wms => service_exception(newest, code, text),
        OgcKind::Wfs | OgcKind::Wcs if newest == "1.0.0" => service_exception("1.2.0", code, text),
        OgcKind::Csw if newest == "2.0.2" => {
            ows_exception("http://www.opengis.net/ows", "1.0.0", code, locator, text)
        }
        _ => ows_exception("http://www.opengis.net/ows/1.1", "1.1.0", code, locator, text),
    };
    let mut reply = SiteReply::xml(body);
    if endpoint.manners.errors_with_400 {
        reply.status = 400;
    }
    reply
}
