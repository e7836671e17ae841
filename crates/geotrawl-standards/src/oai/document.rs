//! The answers.

use super::lists::{self, No, Part};
use super::request::{self, List, Question, Refusal};
use super::xml::Xml;
use super::{Fault, Head, Item, NAMESPACE, Repository, dates};

const SCHEMA: &str = "http://www.openarchives.org/OAI/2.0/OAI-PMH.xsd";
const INSTANCE: &str = "http://www.w3.org/2001/XMLSchema-instance";

/// Answers a request. Whatever is asked there is a document; `Err` only when a source fails.
pub fn answer(repository: &Repository<'_>, arguments: &[(String, String)]) -> Result<String, Fault> {
    let outcome = request::read(arguments).map_err(No::Refusal).and_then(|question| {
        let mut body = Xml::default();
        match &question {
            Question::Identify => identify(repository, &mut body)?,
            Question::Formats { identifier } => formats(repository, identifier.as_deref(), &mut body)?,
            Question::Sets => sets(repository, &mut body)?,
            Question::Get { identifier, prefix } => get(repository, identifier, prefix, &mut body)?,
            Question::List(list, chosen) => {
                let part = lists::part(repository, *list, chosen)?;
                write_list(*list, &part, &mut body);
            }
        }
        Ok(body)
    });
    let (body, hidden) = match outcome {
        Ok(body) => (body, false),
        Err(No::Fault(fault)) => return Err(fault),
        Err(No::Refusal(refusal)) => {
            let mut body = Xml::default();
            body.raw("<error")
                .attribute("code", refusal.code)
                .raw(">")
                .text(&refusal.message)
                .raw("</error>");
            (body, refusal.hides_arguments())
        }
    };
    let mut xml = Xml::default();
    xml.raw("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<OAI-PMH")
        .attribute("xmlns", NAMESPACE)
        .attribute("xmlns:xsi", INSTANCE)
        .attribute("xsi:schemaLocation", &format!("{NAMESPACE} {SCHEMA}"))
        .raw(">\n")
        .element("responseDate", &dates::show(repository.now))
        .raw("\n<request");
    if !hidden {
        for (name, value) in arguments {
            xml.attribute(name, value);
        }
    }
    xml.raw(">").text(&repository.base_url).raw("</request>\n").raw(&body.0).raw("\n</OAI-PMH>\n");
    Ok(xml.0)
}

fn identify(repository: &Repository<'_>, xml: &mut Xml) -> Result<(), No> {
    let mut earliest = None;
    for source in &repository.sources {
        earliest = match (earliest, source.earliest()?) {
            (Some(one), Some(other)) => Some(std::cmp::min::<jiff::Timestamp>(one, other)),
            (one, other) => one.or(other),
        };
    }
    xml.raw("<Identify>\n")
        .element("repositoryName", &repository.name)
        .raw("\n")
        .element("baseURL", &repository.base_url)
        .raw("\n")
        .element("protocolVersion", "2.0")
        .raw("\n")
        .element("adminEmail", &repository.email)
        .raw("\n")
        .element("earliestDatestamp", &dates::show(earliest.unwrap_or(repository.now)))
        .raw("\n")
        .element("deletedRecord", "persistent")
        .raw("\n")
        .element("granularity", "YYYY-MM-DDThh:mm:ssZ")
        .raw("\n")
        .element("compression", "gzip")
        .raw("\n</Identify>");
    Ok(())
}

fn formats(repository: &Repository<'_>, identifier: Option<&str>, xml: &mut Xml) -> Result<(), No> {
    let mut formats = Vec::new();
    let mut known = identifier.is_none();
    for source in &repository.sources {
        if let Some(identifier) = identifier {
            if source.get(identifier, None)?.is_none() {
                continue;
            }
            known = true;
        }
        for format in source.formats() {
            if !formats.contains(&format) {
                formats.push(format);
            }
        }
    }
    if !known {
        return Err(unknown().into());
    }
    if formats.is_empty() {
        return Err(Refusal::new("noMetadataFormats", "There is no format for this record.").into());
    }
    xml.raw("<ListMetadataFormats>");
    for format in formats {
        xml.raw("\n<metadataFormat>")
            .element("metadataPrefix", format.prefix)
            .element("schema", format.schema)
            .element("metadataNamespace", format.namespace)
            .raw("</metadataFormat>");
    }
    xml.raw("\n</ListMetadataFormats>");
    Ok(())
}

fn sets(repository: &Repository<'_>, xml: &mut Xml) -> Result<(), No> {
    let mut all = Vec::new();
    for source in &repository.sources {
        all.extend(source.sets()?);
    }
    if all.is_empty() {
        return Err(Refusal::new("noSetHierarchy", "This repository has no sets.").into());
    }
    xml.raw("<ListSets>");
    for set in all {
        xml.raw("\n<set>").element("setSpec", &set.spec).element("setName", &set.name).raw("</set>");
    }
    xml.raw("\n</ListSets>");
    Ok(())
}

fn unknown() -> Refusal {
    Refusal::new("idDoesNotExist", "There is no record with this identifier.")
}

fn get(repository: &Repository<'_>, identifier: &str, prefix: &str, xml: &mut Xml) -> Result<(), No> {
    let mut elsewhere = false;
    for source in &repository.sources {
        if source.formats().iter().any(|format| format.prefix == prefix) {
            if let Some(item) = source.get(identifier, Some(prefix))? {
                xml.raw("<GetRecord>\n");
                record(&item, xml);
                xml.raw("\n</GetRecord>");
                return Ok(());
            }
        } else {
            elsewhere |= source.get(identifier, None)?.is_some();
        }
    }
    Err(if elsewhere {
        let message = "This record is not given in this format; ListMetadataFormats lists those of a record.";
        Refusal::new("cannotDisseminateFormat", message).into()
    } else {
        unknown().into()
    })
}

fn write_list(list: List, part: &Part, xml: &mut Xml) {
    let verb = list.verb();
    xml.raw("<").raw(verb).raw(">");
    for item in &part.items {
        xml.raw("\n");
        match list {
            List::Records => record(item, xml),
            List::Identifiers => head(&item.head, xml),
        }
    }
    if part.next.is_some() || part.resumed {
        xml.raw("\n<resumptionToken");
        if let Some(size) = part.size {
            xml.attribute("completeListSize", &size.to_string());
        }
        xml.attribute("cursor", &part.cursor.to_string());
        xml.raw(">").raw(part.next.as_deref().unwrap_or_default()).raw("</resumptionToken>");
    }
    xml.raw("\n</").raw(verb).raw(">");
}

fn head(head: &Head, xml: &mut Xml) {
    xml.raw("<header");
    if head.deleted {
        xml.attribute("status", "deleted");
    }
    xml.raw(">").element("identifier", &head.identifier).element("datestamp", &dates::show(head.datestamp));
    for set in &head.sets {
        xml.element("setSpec", set);
    }
    xml.raw("</header>");
}

fn record(item: &Item, xml: &mut Xml) {
    xml.raw("<record>");
    head(&item.head, xml);
    if let Some(metadata) = item.metadata.as_deref().filter(|_| !item.head.deleted) {
        // A document of its own inside this one: without its declaration.
        let metadata = metadata.trim_start();
        let inner = match metadata.strip_prefix("<?xml").and_then(|rest| rest.split_once("?>")) {
            Some((_, rest)) => rest,
            None => metadata,
        };
        xml.raw("<metadata>").raw(inner.trim()).raw("</metadata>");
    }
    xml.raw("</record>");
}
