//! All tests that need no process of their own, in one target so that the crate is linked once.

mod connectors_xml;
mod corpus;
mod corpus_configs;
mod corpus_files;
mod corpus_xml;
mod data_files;
mod dialogues;
mod extract;
mod files;
mod hostile_documents;
mod json_documents;
mod kinds_xml;
mod portals;
mod support;
mod urls;
mod xml_properties;
