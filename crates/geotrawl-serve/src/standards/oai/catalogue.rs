//! The catalogue as an OAI-PMH source, listed by its sequence of changes.

use super::FORMATS;
use geotrawl_model::StoreError;
use geotrawl_model::change::{ChangeFilter, ChangeHead};
use geotrawl_model::store::Store;
use geotrawl_standards::oai::{
    ListPosition, ListRequest, MetadataFormat, OaiRecord, OaiSet, OaiSource, RecordHeader, SourceError,
    SourcePage, SourceResult,
};
use std::fmt::Write as _;

/// Prefix of record ids; ids do not depend on the server, so neither do the identifiers.
const URN: &str = "urn:geotrawl:";
/// How often a list may continue with records that changed during the harvest, so that a harvest
/// slower than the changes still ends.
const MOST_LAPS: u8 = 8;
/// Layers included per record.
const MOST_LAYERS: u64 = 100;

/// The catalogue as a source.
pub(super) struct CatalogueSource<'a> {
    pub(super) store: &'a dyn Store,
    /// Address of this server.
    pub(super) home: &'a str,
}

fn source_error(error: StoreError) -> SourceError {
    SourceError(error.to_string())
}

/// Encodes text as a set name: bytes that the protocol does not allow become `~` and two hex
/// digits.
fn encode_set_word(text: &str) -> String {
    let mut word = String::new();
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-_".contains(&byte) {
            word.push(char::from(byte));
        } else {
            let _ = write!(word, "~{byte:02X}");
        }
    }
    word
}

/// Decodes a set name.
fn decode_set_word(word: &str) -> Option<String> {
    let mut bytes = Vec::new();
    let mut rest = word.bytes();
    while let Some(byte) = rest.next() {
        if byte == b'~' {
            let digits = [rest.next()?, rest.next()?];
            bytes.push(u8::from_str_radix(std::str::from_utf8(&digits).ok()?, 16).ok()?);
        } else {
            bytes.push(byte);
        }
    }
    String::from_utf8(bytes).ok()
}

fn theme_set(theme: &str) -> String {
    let (scheme, term) = theme.split_once(':').unwrap_or(("", theme));
    format!("theme.{}.{}", encode_set_word(scheme), encode_set_word(term))
}

/// Returns the sets of a change. Sets are flat, so a dot separates the words.
fn sets_of(change: &ChangeHead) -> Vec<String> {
    let mut sets = Vec::new();
    if !change.kind.is_empty() {
        sets.push(format!("kind.{}", encode_set_word(&change.kind)));
    }
    sets.extend(change.country.iter().map(|country| format!("country.{}", encode_set_word(country))));
    sets.extend(change.themes.iter().map(|theme| theme_set(theme)));
    sets
}

/// Narrows a filter to a set; `None` if the catalogue has no such set.
fn parse_set(set: &str) -> Option<ChangeFilter> {
    let (sort, rest) = set.split_once('.')?;
    let all = ChangeFilter::default();
    match sort {
        "kind" => Some(ChangeFilter { kind: Some(decode_set_word(rest)?), ..all }),
        "country" => Some(ChangeFilter { country: Some(decode_set_word(rest)?), ..all }),
        "theme" => {
            let (scheme, term) = rest.split_once('.')?;
            Some(ChangeFilter {
                theme: Some(format!("{}:{}", decode_set_word(scheme)?, decode_set_word(term)?)),
                ..all
            })
        }
        _ => None,
    }
}

impl CatalogueSource<'_> {
    fn item(&self, change: &ChangeHead, format: Option<&str>) -> SourceResult<OaiRecord> {
        let mut head = RecordHeader {
            identifier: format!("{URN}{}", change.id),
            datestamp: change.at,
            sets: sets_of(change),
            deleted: change.gone,
        };
        let encode = FORMATS.iter().find(|(known, _)| Some(known.prefix) == format).map(|(_, encode)| encode);
        let Some(encode) = encode.filter(|_| !change.gone) else {
            return Ok(OaiRecord { head, metadata: None });
        };
        // The id of a merged record leads to its successor, which is listed under its own id.
        let Some(mut record) =
            self.store.find_record_head(&change.id).map_err(source_error)?.filter(|one| one.id == change.id)
        else {
            // The record was removed after its change had been read.
            head.deleted = true;
            return Ok(OaiRecord { head, metadata: None });
        };
        let layers = self.store.list_datasets(&change.id, "", 0, MOST_LAYERS).map_err(source_error)?;
        record.resource.datasets = layers.map(|(layers, _)| layers).unwrap_or_default();
        let page = format!("{}/service/{}", self.home, change.id);
        Ok(OaiRecord { head, metadata: Some(encode(&record, &page)) })
    }
}

impl OaiSource for CatalogueSource<'_> {
    fn name(&self) -> &'static str {
        "catalogue"
    }

    fn list_formats(&self) -> Vec<MetadataFormat> {
        FORMATS.iter().map(|(format, _)| *format).collect()
    }

    fn list_sets(&self) -> SourceResult<Vec<OaiSet>> {
        let numbers = self.store.statistics().map_err(source_error)?;
        let kinds = numbers.kinds.into_keys().map(|kind| OaiSet {
            spec: format!("kind.{}", encode_set_word(&kind)),
            name: format!("Kind: {kind}"),
        });
        let countries = numbers.countries.into_keys().map(|country| OaiSet {
            spec: format!("country.{}", encode_set_word(&country)),
            name: format!("Country of the host: {country}"),
        });
        let themes = numbers
            .themes
            .into_keys()
            .map(|theme| OaiSet { spec: theme_set(&theme), name: format!("Theme: {theme}") });
        Ok(kinds.chain(countries).chain(themes).collect())
    }

    fn has_set(&self, spec: &str) -> SourceResult<bool> {
        Ok(parse_set(spec).is_some())
    }

    fn earliest_change(&self) -> SourceResult<Option<jiff::Timestamp>> {
        self.store.first_change_time().map_err(source_error)
    }

    fn list_records(&self, ask: &ListRequest) -> SourceResult<SourcePage> {
        let narrow = match &ask.set {
            None => ChangeFilter::default(),
            Some(set) => match parse_set(set) {
                Some(filter) => filter,
                None => return Ok(SourcePage::default()),
            },
        };
        let last = self.store.last_change().map_err(source_error)?;
        let begins = ask.after.bound == 0;
        let bound = if begins { last } else { ask.after.bound };
        let filter = ChangeFilter {
            after: ask.after.after,
            bound: Some(bound),
            from: ask.from,
            before: ask.before,
            ..narrow
        };
        let size =
            if begins { Some(self.store.count_dated_changes(&filter).map_err(source_error)?) } else { None };
        // One more than requested shows whether the list continues.
        let mut changes =
            self.store.list_dated_changes(&filter, ask.limit.saturating_add(1)).map_err(source_error)?;
        let more = changes.len() > ask.limit;
        changes.truncate(ask.limit);
        let mut next = None;
        if more {
            let after = changes.last().map_or(ask.after.after, |change| change.seq);
            next = Some(ListPosition { after, bound, laps: ask.after.laps });
        } else if last > bound && ask.after.laps < MOST_LAPS {
            // What changed while the list was read is now after the bound; list it too.
            let lap = ChangeFilter { after: bound, bound: Some(last), ..filter };
            if !self.store.list_dated_changes(&lap, 1).map_err(source_error)?.is_empty() {
                next = Some(ListPosition { after: bound, bound: last, laps: ask.after.laps + 1 });
            }
        }
        let format = (!ask.heads).then_some(ask.format.as_str());
        let items = changes.iter().map(|change| self.item(change, format)).collect::<SourceResult<_>>()?;
        Ok(SourcePage { items, next, size })
    }

    fn get_record(&self, identifier: &str, format: Option<&str>) -> SourceResult<Option<OaiRecord>> {
        let Some(id) = identifier.strip_prefix(URN) else { return Ok(None) };
        let change = self.store.latest_change_of(id).map_err(source_error)?;
        change.map(|change| self.item(&change, format)).transpose()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_are_words_of_the_protocol_and_come_back() {
        for text in ["wms", "inland waters", "Bodenbedeckung/Flächen", "a.b:c~d", ""] {
            let word = encode_set_word(text);
            assert!(
                word.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_~".contains(&byte)),
                "{word}"
            );
            assert_eq!(decode_set_word(&word).as_deref(), Some(text));
        }
        for broken in ["~", "~4", "~GG", "~C3"] {
            assert_eq!(decode_set_word(broken), None, "{broken}");
        }
        let filter = parse_set(&theme_set("iso:inland waters")).unwrap();
        assert_eq!(filter.theme.as_deref(), Some("iso:inland waters"));
        assert!(parse_set("archive").is_none() && parse_set("kind:wms").is_none());
    }
}
