//! Renders the responses.

use super::lists::{self, ListPart, OaiError};
use super::request::{self, ListKind, OaiRequest, ProtocolError};
use super::{NAMESPACE, OaiRecord, OaiRepository, RecordHeader, SourceError, dates};
use crate::xml::XmlWriter;

const SCHEMA: &str = "http://www.openarchives.org/OAI/2.0/OAI-PMH.xsd";
const INSTANCE: &str = "http://www.w3.org/2001/XMLSchema-instance";

/// Answers a request. Invalid requests also give a document; returns an error only if a source
/// fails.
pub fn answer_request(
    repository: &OaiRepository<'_>,
    arguments: &[(String, String)],
) -> Result<String, SourceError> {
    let outcome = request::parse_request(arguments).map_err(OaiError::Refusal).and_then(|question| {
        let mut body = XmlWriter::fragment();
        match &question {
            OaiRequest::Identify => identify(repository, &mut body)?,
            OaiRequest::Formats { identifier } => formats(repository, identifier.as_deref(), &mut body)?,
            OaiRequest::Sets => sets(repository, &mut body)?,
            OaiRequest::Get { identifier, prefix } => get(repository, identifier, prefix, &mut body)?,
            OaiRequest::List(list, chosen) => {
                let part = lists::read_part(repository, *list, chosen)?;
                write_list(*list, &part, &mut body);
            }
        }
        Ok(body)
    });
    let (body, hidden) = match outcome {
        Ok(body) => (body, false),
        Err(OaiError::Fault(fault)) => return Err(fault),
        Err(OaiError::Refusal(refusal)) => {
            let mut body = XmlWriter::fragment();
            body.leaf_with("error", &[("code", refusal.code)], &refusal.message);
            (body, refusal.hides_arguments())
        }
    };
    let schema = format!("{NAMESPACE} {SCHEMA}");
    let space = [("xmlns", NAMESPACE), ("xmlns:xsi", INSTANCE), ("xsi:schemaLocation", &schema)];
    let asked: Vec<(&str, &str)> =
        arguments.iter().filter(|_| !hidden).map(|(name, value)| (name.as_str(), value.as_str())).collect();
    let mut xml = XmlWriter::with_declaration();
    xml.start("OAI-PMH", &space)
        .leaf("responseDate", &dates::format_date(repository.now))
        .leaf_with("request", &asked, &repository.base_url)
        .raw("\n")
        .raw(&body.finish())
        .raw("\n");
    Ok(xml.finish())
}

fn identify(repository: &OaiRepository<'_>, xml: &mut XmlWriter) -> Result<(), OaiError> {
    let mut earliest = None;
    for source in &repository.sources {
        earliest = match (earliest, source.earliest_change()?) {
            (Some(one), Some(other)) => Some(std::cmp::min::<jiff::Timestamp>(one, other)),
            (one, other) => one.or(other),
        };
    }
    xml.start("Identify", &[])
        .leaf("repositoryName", &repository.name)
        .leaf("baseURL", &repository.base_url)
        .leaf("protocolVersion", "2.0")
        .leaf("adminEmail", &repository.email)
        .leaf("earliestDatestamp", &dates::format_date(earliest.unwrap_or(repository.now)))
        .leaf("deletedRecord", "persistent")
        .leaf("granularity", "YYYY-MM-DDThh:mm:ssZ")
        .leaf("compression", "gzip")
        .end();
    Ok(())
}

fn formats(
    repository: &OaiRepository<'_>,
    identifier: Option<&str>,
    xml: &mut XmlWriter,
) -> Result<(), OaiError> {
    let mut formats = Vec::new();
    let mut known = identifier.is_none();
    for source in &repository.sources {
        if let Some(identifier) = identifier {
            if source.get_record(identifier, None)?.is_none() {
                continue;
            }
            known = true;
        }
        for format in source.list_formats() {
            if !formats.contains(&format) {
                formats.push(format);
            }
        }
    }
    if !known {
        return Err(unknown().into());
    }
    if formats.is_empty() {
        return Err(ProtocolError::new("noMetadataFormats", "No format is available for this record.").into());
    }
    xml.start("ListMetadataFormats", &[]);
    for format in formats {
        xml.start("metadataFormat", &[])
            .leaf("metadataPrefix", format.prefix)
            .leaf("schema", format.schema)
            .leaf("metadataNamespace", format.namespace)
            .end();
    }
    xml.end();
    Ok(())
}

fn sets(repository: &OaiRepository<'_>, xml: &mut XmlWriter) -> Result<(), OaiError> {
    let mut all = Vec::new();
    for source in &repository.sources {
        all.extend(source.list_sets()?);
    }
    if all.is_empty() {
        return Err(ProtocolError::new("noSetHierarchy", "This repository has no sets.").into());
    }
    xml.start("ListSets", &[]);
    for set in all {
        xml.start("set", &[]).leaf("setSpec", &set.spec).leaf("setName", &set.name).end();
    }
    xml.end();
    Ok(())
}

fn unknown() -> ProtocolError {
    ProtocolError::new("idDoesNotExist", "No record has this identifier.")
}

fn get(
    repository: &OaiRepository<'_>,
    identifier: &str,
    prefix: &str,
    xml: &mut XmlWriter,
) -> Result<(), OaiError> {
    let mut elsewhere = false;
    for source in &repository.sources {
        if source.list_formats().iter().any(|format| format.prefix == prefix) {
            if let Some(item) = source.get_record(identifier, Some(prefix))? {
                xml.start("GetRecord", &[]);
                record(&item, xml);
                xml.end();
                return Ok(());
            }
        } else {
            elsewhere |= source.get_record(identifier, None)?.is_some();
        }
    }
    Err(if elsewhere {
        let message =
            "This record is not available in this format; ListMetadataFormats lists the available ones.";
        ProtocolError::new("cannotDisseminateFormat", message).into()
    } else {
        unknown().into()
    })
}

fn write_list(list: ListKind, part: &ListPart, xml: &mut XmlWriter) {
    xml.start(list.verb(), &[]);
    for item in &part.items {
        xml.raw("\n");
        match list {
            ListKind::Records => record(item, xml),
            ListKind::Identifiers => head(&item.head, xml),
        }
    }
    if part.next.is_some() || part.resumed {
        let (size, cursor) = (part.size.map(|size| size.to_string()), part.cursor.to_string());
        let size = size.as_deref().map(|size| ("completeListSize", size));
        let attributes: Vec<(&str, &str)> = size.into_iter().chain([("cursor", cursor.as_str())]).collect();
        xml.raw("\n").leaf_with("resumptionToken", &attributes, part.next.as_deref().unwrap_or_default());
    }
    xml.end();
}

fn head(head: &RecordHeader, xml: &mut XmlWriter) {
    let deleted: &[(&str, &str)] = if head.deleted { &[("status", "deleted")] } else { &[] };
    xml.start("header", deleted)
        .leaf("identifier", &head.identifier)
        .leaf("datestamp", &dates::format_date(head.datestamp));
    for set in &head.sets {
        xml.leaf("setSpec", set);
    }
    xml.end();
}

fn record(item: &OaiRecord, xml: &mut XmlWriter) {
    xml.start("record", &[]);
    head(&item.head, xml);
    if let Some(metadata) = item.metadata.as_deref().filter(|_| !item.head.deleted) {
        // The metadata is a document itself; remove its XML declaration.
        let metadata = metadata.trim_start();
        let inner = match metadata.strip_prefix("<?xml").and_then(|rest| rest.split_once("?>")) {
            Some((_, rest)) => rest,
            None => metadata,
        };
        xml.start("metadata", &[]).raw(inner.trim()).end();
    }
    xml.end();
}
