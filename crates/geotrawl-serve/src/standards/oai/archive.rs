//! Archive collections as an OAI-PMH source: each complex object is a record, the acronym of its
//! collection is its set, and its identifier is `ACRONYM:timestamp`, as in the ASDC paper. A run
//! that only modifies its object updates the record's datestamp; a run that changes more creates
//! another record.

use geotrawl_archive::collection_files::{self, CollectionFiles};
use geotrawl_archive::didl;
use geotrawl_model::collection::{ArchiveObject, Collection, ObjectFilter};
use geotrawl_model::store::Store;
use geotrawl_standards::oai::{
    self, ListPosition, ListRequest, MetadataFormat, OaiRecord, OaiSet, OaiSource, RecordHeader, SourceError,
    SourcePage, SourceResult,
};
use jiff::Timestamp;
use std::fmt::Display;

/// MPEG-21 DIDL, with content both by value and by reference.
const DIDL: MetadataFormat = MetadataFormat {
    prefix: "didl",
    schema: "http://standards.iso.org/ittf/PubliclyAvailableStandards/MPEG-21_schema_files/did/didl.xsd",
    namespace: didl::DIDL,
};

/// The public part of the archive.
pub(super) struct ArchiveSource<'a> {
    pub(super) store: &'a dyn Store,
    pub(super) shelf: &'a CollectionFiles,
    /// Address of this server.
    pub(super) home: &'a str,
}

fn source_error(error: impl Display) -> SourceError {
    SourceError(error.to_string())
}

impl ArchiveSource<'_> {
    fn public(&self) -> SourceResult<Vec<Collection>> {
        let collections = self.store.list_collections().map_err(source_error)?;
        Ok(collections.into_iter().filter(|collection| collection.spec.public).collect())
    }

    fn objects(&self, filter: &ObjectFilter) -> SourceResult<Vec<ArchiveObject>> {
        self.store.list_objects(&ObjectFilter { only_public: true, ..filter.clone() }).map_err(source_error)
    }

    fn item(&self, object: &ArchiveObject, format: Option<&str>) -> SourceResult<OaiRecord> {
        let mut head = RecordHeader {
            identifier: didl::object_identifier(&object.acronym, object.run),
            datestamp: object.stamp,
            sets: vec![object.acronym.clone()],
            deleted: false,
        };
        let Some(format) = format else { return Ok(OaiRecord { head, metadata: None }) };
        let Some(collection) = self.store.find_collection(&object.acronym).map_err(source_error)? else {
            // The object was removed after it had been listed.
            head.deleted = true;
            return Ok(OaiRecord { head, metadata: None });
        };
        let metadata = if format == DIDL.prefix {
            // Its size is limited by the collection's budget per run.
            let object = collection_files::write_object(
                self.store,
                self.shelf,
                &collection,
                object,
                self.home,
                Vec::new(),
            )
            .map_err(source_error)?;
            String::from_utf8(object).map_err(source_error)?
        } else {
            let elements = collection_files::dublin_core(self.store, &collection, object, self.home)
                .map_err(source_error)?;
            oai::dc::encode_elements(elements.iter().map(|(name, value)| (*name, value.as_str())))
        };
        Ok(OaiRecord { head, metadata: Some(metadata) })
    }
}

impl OaiSource for ArchiveSource<'_> {
    fn name(&self) -> &'static str {
        "archive"
    }

    fn list_formats(&self) -> Vec<MetadataFormat> {
        vec![oai::dc::FORMAT, DIDL]
    }

    fn list_sets(&self) -> SourceResult<Vec<OaiSet>> {
        let set =
            |one: Collection| OaiSet { spec: one.acronym, name: format!("Archive: {}", one.spec.title) };
        Ok(self.public()?.into_iter().map(set).collect())
    }

    fn has_set(&self, spec: &str) -> SourceResult<bool> {
        Ok(self.public()?.iter().any(|collection| collection.acronym == spec))
    }

    fn earliest_change(&self) -> SourceResult<Option<Timestamp>> {
        let first = self.objects(&ObjectFilter { limit: 1, ..ObjectFilter::default() })?;
        Ok(first.first().map(|object| object.stamp))
    }

    fn list_records(&self, ask: &ListRequest) -> SourceResult<SourcePage> {
        // An object contains all its content, so return one per response.
        let limit = if ask.format == DIDL.prefix && !ask.heads { 1 } else { ask.limit };
        let begins = ask.after == ListPosition::default();
        let filter = ObjectFilter {
            acronym: ask.set.clone(),
            from: ask.from,
            limit: usize::MAX >> 1,
            ..ObjectFilter::default()
        };
        let mut all = self.objects(&filter)?;
        all.retain(|object| ask.before.is_none_or(|before| object.stamp < before));
        let size = begins.then_some(all.len() as u64);
        // Positions are timestamps, so an object modified during the harvest moves behind all
        // others. Objects with the same timestamp are never split across parts.
        let rest: Vec<ArchiveObject> = all
            .into_iter()
            .filter(|object| begins || object.stamp.as_microsecond() > ask.after.after)
            .collect();
        let mut given = rest.len().min(limit);
        while given > 0 && given < rest.len() && rest[given].stamp == rest[given - 1].stamp {
            given += 1;
        }
        let next = (given < rest.len()).then(|| ListPosition {
            after: rest[given.max(1) - 1].stamp.as_microsecond(),
            bound: 1,
            // A bound of 0 means the start of a list, so any other value will do.
            laps: ask.after.laps,
        });
        let format = (!ask.heads).then_some(ask.format.as_str());
        let items =
            rest[..given].iter().map(|object| self.item(object, format)).collect::<SourceResult<_>>()?;
        Ok(SourcePage { items, next, size })
    }

    fn get_record(&self, identifier: &str, format: Option<&str>) -> SourceResult<Option<OaiRecord>> {
        let Some((acronym, run)) = identifier.split_once(':') else { return Ok(None) };
        let Ok(run) = run.parse::<Timestamp>() else { return Ok(None) };
        if !self.has_set(acronym)? {
            return Ok(None);
        }
        let object = self.store.find_object(acronym, run).map_err(source_error)?;
        object.map(|object| self.item(&object, format)).transpose()
    }
}
