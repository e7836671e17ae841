//! Records as ISO 19139: services as `SV_ServiceIdentification`, files as `MD_DataIdentification`.

use crate::dc::{self, MOST_VALUES};
use crate::links::{self, AccessLink};
use crate::shared_params::resource_type;
use crate::xml::XmlWriter;
use geotrawl_model::Record;

/// Namespace of the records.
pub const GMD: &str = "http://www.isotc211.org/2005/gmd";
/// Maximum number of layers per record.
pub const MOST_LAYERS: u64 = 100;
/// Address of the code lists.
const LISTS: &str = "http://standards.iso.org/iso/19139/resources/gmxCodelists.xml";
/// Topic categories of ISO 19115, sorted alphabetically.
const TOPICS: [&str; 19] = [
    "biota",
    "boundaries",
    "climatologyMeteorologyAtmosphere",
    "economy",
    "elevation",
    "environment",
    "farming",
    "geoscientificInformation",
    "health",
    "imageryBaseMapsEarthCover",
    "inlandWaters",
    "intelligenceMilitary",
    "location",
    "oceans",
    "planningCadastre",
    "society",
    "structure",
    "transportation",
    "utilitiesCommunication",
];
/// Three-letter language codes by two-letter code.
const LANGUAGES: &[(&str, &str)] = &[
    ("bg", "bul"),
    ("ca", "cat"),
    ("cs", "cze"),
    ("da", "dan"),
    ("de", "ger"),
    ("el", "gre"),
    ("en", "eng"),
    ("es", "spa"),
    ("et", "est"),
    ("fi", "fin"),
    ("fr", "fre"),
    ("ga", "gle"),
    ("hr", "hrv"),
    ("hu", "hun"),
    ("is", "ice"),
    ("it", "ita"),
    ("ja", "jpn"),
    ("ko", "kor"),
    ("lt", "lit"),
    ("lv", "lav"),
    ("mt", "mlt"),
    ("nl", "dut"),
    ("no", "nor"),
    ("pl", "pol"),
    ("pt", "por"),
    ("ro", "rum"),
    ("ru", "rus"),
    ("sk", "slo"),
    ("sl", "slv"),
    ("sv", "swe"),
    ("tr", "tur"),
    ("uk", "ukr"),
    ("zh", "chi"),
];

/// Returns the three-letter code of a language.
fn language(stated: &str) -> Option<&'static str> {
    let stated = stated.trim().to_ascii_lowercase();
    let head = stated.split(['-', '_', ';', ',']).next().unwrap_or_default();
    LANGUAGES.iter().find(|(two, three)| *two == head || *three == head).map(|(_, three)| *three)
}

/// Namespaces declared by a record.
const NAMESPACES: [(&str, &str); 6] = [
    ("xmlns:gmd", GMD),
    ("xmlns:gco", "http://www.isotc211.org/2005/gco"),
    ("xmlns:srv", "http://www.isotc211.org/2005/srv"),
    ("xmlns:gml", "http://www.opengis.net/gml"),
    ("xmlns:xlink", "http://www.w3.org/1999/xlink"),
    ("xmlns:xsi", "http://www.w3.org/2001/XMLSchema-instance"),
];

/// Writes a record. `page` is the address of its page for people.
pub fn write_iso19139(xml: &mut XmlWriter, record: &Record, page: &str) {
    let resource = &record.resource;
    let service = resource_type(&resource.kind) == "service";
    let languages: Vec<&'static str> =
        resource.languages.iter().filter_map(|stated| language(stated)).collect();
    xml.start("gmd:MD_Metadata", &NAMESPACES);
    text(xml, "gmd:fileIdentifier", &record.id);
    text(xml, "gmd:language", languages.first().copied().unwrap_or("eng"));
    code(xml, "gmd:characterSet", "gmd:MD_CharacterSetCode", "MD_CharacterSetCode", "utf8");
    let level = if service { "service" } else { "dataset" };
    code(xml, "gmd:hierarchyLevel", "gmd:MD_ScopeCode", "MD_ScopeCode", level);
    text(xml, "gmd:hierarchyLevelName", level);
    contact(xml, "gmd:contact", record);
    xml.start("gmd:dateStamp", &[])
        .leaf("gco:DateTime", &dc::format_seconds(dc::last_modified(record)))
        .end();
    text(xml, "gmd:metadataStandardName", "ISO 19115:2003/19139");
    text(xml, "gmd:metadataStandardVersion", "1.0");
    for crs in resource.crs.iter().take(20) {
        xml.start("gmd:referenceSystemInfo", &[])
            .start("gmd:MD_ReferenceSystem", &[])
            .start("gmd:referenceSystemIdentifier", &[])
            .start("gmd:RS_Identifier", &[]);
        text(xml, "gmd:code", crs);
        xml.end_many(4);
    }
    xml.start("gmd:identificationInfo", &[]);
    let links = links::access_links(record);
    if service {
        xml.start("srv:SV_ServiceIdentification", &[("id", "identification")]);
        identification(xml, record);
        service_part(xml, record, &links);
    } else {
        xml.start("gmd:MD_DataIdentification", &[("id", "identification")]);
        identification(xml, record);
        let mut stated = languages.clone();
        stated.dedup();
        if stated.is_empty() {
            stated.push("eng");
        }
        for language in stated.into_iter().take(MOST_VALUES) {
            text(xml, "gmd:language", language);
        }
        let mut topics = topics(record);
        if topics.is_empty() {
            topics.push("location");
        }
        for topic in topics {
            xml.start("gmd:topicCategory", &[]).leaf("gmd:MD_TopicCategoryCode", topic).end();
        }
        extent(xml, "gmd:extent", record);
    }
    xml.end_many(2);
    distribution(xml, record, &links, page);
    quality(xml, record, level);
    xml.end();
}

fn text(xml: &mut XmlWriter, name: &'static str, value: &str) {
    xml.start(name, &[]).leaf("gco:CharacterString", value.trim()).end();
}

fn code(xml: &mut XmlWriter, name: &'static str, element: &'static str, list: &str, value: &str) {
    let list = format!("{LISTS}#{list}");
    xml.start(name, &[]).leaf_with(element, &[("codeList", &list), ("codeListValue", value)], value).end();
}

fn topics(record: &Record) -> Vec<&'static str> {
    TOPICS.iter().copied().filter(|topic| record.themes.iter().any(|theme| theme.term == *topic)).collect()
}

fn contact(xml: &mut XmlWriter, name: &'static str, record: &Record) {
    let resource = &record.resource;
    let contact = &resource.contact;
    let filled = |value: &Option<String>| value.clone().filter(|value| !value.trim().is_empty());
    xml.start(name, &[]).start("gmd:CI_ResponsibleParty", &[]);
    if let Some(person) = filled(&contact.person) {
        text(xml, "gmd:individualName", &person);
    }
    let organisation = filled(&contact.organisation).or_else(|| filled(&resource.provider));
    text(xml, "gmd:organisationName", organisation.as_deref().unwrap_or(&record.host.name));
    let (phone, email, url) = (filled(&contact.phone), filled(&contact.email), filled(&contact.url));
    if phone.is_some() || email.is_some() || url.is_some() {
        xml.start("gmd:contactInfo", &[]).start("gmd:CI_Contact", &[]);
        if let Some(phone) = phone {
            xml.start("gmd:phone", &[]).start("gmd:CI_Telephone", &[]);
            text(xml, "gmd:voice", &phone);
            xml.end_many(2);
        }
        if let Some(email) = email {
            xml.start("gmd:address", &[]).start("gmd:CI_Address", &[]);
            text(xml, "gmd:electronicMailAddress", &email);
            xml.end_many(2);
        }
        if let Some(url) = url {
            xml.start("gmd:onlineResource", &[]).start("gmd:CI_OnlineResource", &[]);
            xml.start("gmd:linkage", &[]).leaf("gmd:URL", &url).end();
            xml.end_many(2);
        }
        xml.end_many(2);
    }
    code(xml, "gmd:role", "gmd:CI_RoleCode", "CI_RoleCode", "pointOfContact");
    xml.end_many(2);
}

/// Writes the identification shared by services and datasets.
fn identification(xml: &mut XmlWriter, record: &Record) {
    let resource = &record.resource;
    xml.start("gmd:citation", &[]).start("gmd:CI_Citation", &[]);
    text(xml, "gmd:title", dc::record_title(record));
    for (moment, kind) in [(record.first_seen, "creation"), (dc::last_modified(record), "revision")] {
        xml.start("gmd:date", &[]).start("gmd:CI_Date", &[]);
        xml.start("gmd:date", &[]).leaf("gco:DateTime", &dc::format_seconds(moment)).end();
        code(xml, "gmd:dateType", "gmd:CI_DateTypeCode", "CI_DateTypeCode", kind);
        xml.end_many(2);
    }
    xml.start("gmd:identifier", &[]).start("gmd:MD_Identifier", &[]);
    text(xml, "gmd:code", &record.id);
    xml.end_many(4);
    let about = resource.abstract_.as_deref().map(str::trim).filter(|text| !text.is_empty());
    text(xml, "gmd:abstract", about.unwrap_or_else(|| dc::record_title(record)));
    contact(xml, "gmd:pointOfContact", record);
    let subjects = dc::list_subjects(record);
    let layers: Vec<&str> =
        resource.datasets.iter().take(MOST_VALUES).map(|dataset| dataset.name.as_str()).collect();
    for (words, kind) in [(subjects, "theme"), (layers, "stratum")] {
        if words.is_empty() {
            continue;
        }
        xml.start("gmd:descriptiveKeywords", &[]).start("gmd:MD_Keywords", &[]);
        for word in words {
            text(xml, "gmd:keyword", word);
        }
        code(xml, "gmd:type", "gmd:MD_KeywordTypeCode", "MD_KeywordTypeCode", kind);
        xml.end_many(2);
    }
    if let Some(licence) = resource.licence.as_deref().map(str::trim).filter(|licence| !licence.is_empty()) {
        xml.start("gmd:resourceConstraints", &[]).start("gmd:MD_LegalConstraints", &[]);
        code(xml, "gmd:useConstraints", "gmd:MD_RestrictionCode", "MD_RestrictionCode", "otherRestrictions");
        text(xml, "gmd:otherConstraints", licence);
        xml.end_many(2);
    }
}

fn service_part(xml: &mut XmlWriter, record: &Record, links: &[AccessLink]) {
    let resource = &record.resource;
    let protocol = links.first().map_or("WWW:LINK", |link| link.protocol);
    xml.start("srv:serviceType", &[]).leaf("gco:LocalName", protocol).end();
    for version in resource.versions.iter().take(10) {
        text(xml, "srv:serviceTypeVersion", version);
    }
    extent(xml, "srv:extent", record);
    xml.start("srv:couplingType", &[])
        .leaf_with(
            "srv:SV_CouplingType",
            &[("codeList", "#SV_CouplingType"), ("codeListValue", "loose")],
            "loose",
        )
        .end();
    xml.start("srv:containsOperations", &[]).start("srv:SV_OperationMetadata", &[]);
    let operation = if protocol.starts_with("OGC:") { "GetCapabilities" } else { "Access" };
    text(xml, "srv:operationName", operation);
    xml.start("srv:DCP", &[])
        .leaf_with(
            "srv:DCPList",
            &[("codeList", "#DCPList"), ("codeListValue", "WebServices")],
            "WebServices",
        )
        .end();
    xml.start("srv:connectPoint", &[]).start("gmd:CI_OnlineResource", &[]);
    xml.start("gmd:linkage", &[]).leaf("gmd:URL", &resource.url).end();
    text(xml, "gmd:protocol", protocol);
    xml.end_many(4);
}

/// Returns the first and last date of the time extents, which sources write in different forms.
fn dates(record: &Record) -> Option<(String, String)> {
    let is_date = |text: &&str| {
        text.len() >= 4
            && text.bytes().take(4).all(|b| b.is_ascii_digit())
            && text.len() <= 30
            && text.is_ascii()
    };
    let times =
        record.resource.datasets.iter().take(MOST_VALUES).flat_map(|dataset| dataset.time.iter().take(100));
    let ends = times.flat_map(|time| {
        let ends = time.split(',').take(1_000).flat_map(|one| one.split('/').take(2));
        ends.map(str::trim).filter(is_date)
    });
    let (mut first, mut last): (Option<&str>, Option<&str>) = (None, None);
    for end in ends {
        first = Some(first.map_or(end, |first| first.min(end)));
        last = Some(last.map_or(end, |last| last.max(end)));
    }
    Some((first?.to_owned(), last?.to_owned()))
}

fn extent(xml: &mut XmlWriter, name: &'static str, record: &Record) {
    let (bbox, dates) = (dc::valid_bbox(record), dates(record));
    if bbox.is_none() && dates.is_none() {
        return;
    }
    xml.start(name, &[]).start("gmd:EX_Extent", &[]);
    if let Some(bbox) = bbox {
        let (west, east) = dc::ordered_longitudes(&bbox);
        xml.start("gmd:geographicElement", &[]).start("gmd:EX_GeographicBoundingBox", &[]);
        for (name, value) in [
            ("gmd:westBoundLongitude", west),
            ("gmd:eastBoundLongitude", east),
            ("gmd:southBoundLatitude", bbox.south),
            ("gmd:northBoundLatitude", bbox.north),
        ] {
            xml.start(name, &[]).leaf("gco:Decimal", &format!("{value}")).end();
        }
        xml.end_many(2);
    }
    if let Some((first, last)) = dates {
        xml.start("gmd:temporalElement", &[])
            .start("gmd:EX_TemporalExtent", &[])
            .start("gmd:extent", &[])
            .start("gml:TimePeriod", &[("gml:id", "time")])
            .leaf("gml:beginPosition", &first)
            .leaf("gml:endPosition", &last)
            .end_many(4);
    }
    xml.end_many(2);
}

fn distribution(xml: &mut XmlWriter, record: &Record, links: &[AccessLink], page: &str) {
    xml.start("gmd:distributionInfo", &[]).start("gmd:MD_Distribution", &[]);
    let format = links.first().map_or("application/octet-stream", |link| link.media_type);
    xml.start("gmd:distributionFormat", &[]).start("gmd:MD_Format", &[]);
    text(xml, "gmd:name", format);
    text(xml, "gmd:version", record.resource.versions.last().map_or("unknown", String::as_str));
    xml.end_many(2);
    xml.start("gmd:transferOptions", &[]).start("gmd:MD_DigitalTransferOptions", &[]);
    let mut online = |href: &str, protocol: &str, name: &str, function: &str| {
        xml.start("gmd:onLine", &[]).start("gmd:CI_OnlineResource", &[]);
        xml.start("gmd:linkage", &[]).leaf("gmd:URL", href).end();
        text(xml, "gmd:protocol", protocol);
        text(xml, "gmd:name", name);
        code(xml, "gmd:function", "gmd:CI_OnLineFunctionCode", "CI_OnLineFunctionCode", function);
        xml.end_many(2);
    };
    for link in links {
        online(&link.href, link.protocol, &link.title, "download");
    }
    online(page, "WWW:LINK-1.0-http--link", dc::record_title(record), "information");
    xml.end_many(4);
}

fn quality(xml: &mut XmlWriter, record: &Record, level: &str) {
    xml.start("gmd:dataQualityInfo", &[]).start("gmd:DQ_DataQuality", &[]);
    xml.start("gmd:scope", &[]).start("gmd:DQ_Scope", &[]);
    code(xml, "gmd:level", "gmd:MD_ScopeCode", "MD_ScopeCode", level);
    if level == "service" {
        xml.start("gmd:levelDescription", &[]).start("gmd:MD_ScopeDescription", &[]);
        text(xml, "gmd:other", level);
        xml.end_many(2);
    }
    xml.end_many(2);
    let reason = record.reason.trim();
    let reason = if reason.is_empty() { String::new() } else { format!(" ({reason})") };
    let score = record.score.map(|score| format!(". Quality: {score} of 100")).unwrap_or_default();
    let found = record.provenance.first().filter(|found| !found.page.is_empty());
    let found = found.map(|found| format!(". Found on {}", found.page)).unwrap_or_default();
    let words = format!("Status: {}{reason}{score}{found}.", record.status.as_str());
    xml.start("gmd:lineage", &[]).start("gmd:LI_Lineage", &[]);
    text(xml, "gmd:statement", &words);
    xml.end_many(4);
}
