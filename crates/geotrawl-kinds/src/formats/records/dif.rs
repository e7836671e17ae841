//! Directory Interchange Format 9 and 10.

use super::ReadRecord;
use super::draft::{Draft, fill};
use super::place::Edge;
use super::walk::{Visitor, walk};
use crate::formats::xml::Reader;
use crate::model::{Contact, RecordLink};

/// The elements that matter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Name {
    Dif,
    EntryId,
    ShortName,
    Version,
    Title,
    Summary,
    Abstract,
    Keyword,
    Parameters,
    ParameterPart,
    Topic,
    Language,
    Modified,
    Created,
    Box,
    West,
    South,
    East,
    North,
    Begin,
    End,
    Period,
    Center,
    LongName,
    Personnel,
    First,
    Last,
    Mail,
    Phone,
    Constraints,
    RelatedUrl,
    Url,
    UrlType,
    UrlSubtype,
    UrlDescription,
    Title_,
    MimeType,
    DataType,
    Other,
}

/// Reads a record.
pub fn read(reader: &mut Reader<'_>) -> ReadRecord {
    let mut record = Dif::default();
    let complete = walk(reader, &mut record);
    record.settle(complete)
}

#[derive(Default)]
struct Dif {
    draft: Draft,
    short_name: Option<String>,
    version: Option<String>,
    begin: String,
    end: String,
    created: Option<String>,
    person: Contact,
    first_name: String,
    link: RecordLink,
    link_kind: Option<String>,
    urls: Vec<String>,
    parameters: Vec<String>,
}

impl Visitor for Dif {
    type Name = Name;

    fn name(local: &[u8]) -> Name {
        match local {
            b"DIF" => Name::Dif,
            b"Entry_ID" => Name::EntryId,
            b"Short_Name" => Name::ShortName,
            b"Version" => Name::Version,
            b"Entry_Title" => Name::Title,
            b"Summary" => Name::Summary,
            b"Abstract" => Name::Abstract,
            b"Keyword" | b"Ancillary_Keyword" => Name::Keyword,
            b"Parameters" | b"Science_Keywords" => Name::Parameters,
            b"Category" | b"Topic" | b"Term" | b"Variable" | b"Variable_Level_1" | b"Variable_Level_2"
            | b"Variable_Level_3" | b"Detailed_Variable" => Name::ParameterPart,
            b"ISO_Topic_Category" => Name::Topic,
            b"Data_Set_Language" | b"Dataset_Language" => Name::Language,
            b"Last_DIF_Revision_Date" | b"Metadata_Last_Revision" | b"Data_Last_Revision" => Name::Modified,
            b"DIF_Creation_Date" | b"Metadata_Creation" => Name::Created,
            b"Spatial_Coverage" | b"Bounding_Rectangle" => Name::Box,
            b"Westernmost_Longitude" => Name::West,
            b"Southernmost_Latitude" => Name::South,
            b"Easternmost_Longitude" => Name::East,
            b"Northernmost_Latitude" => Name::North,
            b"Start_Date" | b"Beginning_Date_Time" => Name::Begin,
            b"Stop_Date" | b"Ending_Date_Time" => Name::End,
            b"Single_Date_Time" => Name::Begin,
            b"Temporal_Coverage" => Name::Period,
            b"Data_Center" | b"Organization" => Name::Center,
            b"Long_Name" => Name::LongName,
            b"Personnel" => Name::Personnel,
            b"First_Name" => Name::First,
            b"Last_Name" => Name::Last,
            b"Email" => Name::Mail,
            b"Phone" | b"Number" => Name::Phone,
            b"Use_Constraints" | b"Access_Constraints" => Name::Constraints,
            b"Related_URL" => Name::RelatedUrl,
            b"URL" | b"Online_Resource" | b"Data_Center_URL" => Name::Url,
            b"Type" => Name::UrlType,
            b"Subtype" => Name::UrlSubtype,
            b"Description" => Name::UrlDescription,
            b"Title" => Name::Title_,
            b"Mime_Type" => Name::MimeType,
            b"Collection_Data_Type" => Name::DataType,
            _ => Name::Other,
        }
    }

    fn is_prose(name: Name) -> bool {
        matches!(name, Name::Abstract | Name::Constraints)
    }

    fn start(&mut self, name: Name, _path: &[Name], _element: &Reader<'_>) {
        match name {
            Name::RelatedUrl => {
                self.link = RecordLink::default();
                self.link_kind = None;
                self.urls.clear();
            }
            Name::Parameters => self.parameters.clear(),
            _ => {}
        }
    }

    fn end(&mut self, name: Name, path: &[Name], text: &str) {
        let draft = &mut self.draft;
        let parent = path.last().copied().unwrap_or(Name::Other);
        match name {
            Name::EntryId => {
                // DIF 10 nests a short name and a version.
                match &self.short_name {
                    Some(short) if parent == Name::Dif => {
                        let version = self.version.as_deref().unwrap_or_default();
                        let id =
                            if version.is_empty() { short.clone() } else { format!("{short}_{version}") };
                        draft.set_id(&id);
                    }
                    _ => draft.set_id(text),
                }
            }
            Name::ShortName if parent == Name::EntryId => fill(&mut self.short_name, text, 512),
            Name::Version if parent == Name::EntryId => fill(&mut self.version, text, 64),
            Name::Title => draft.set_title(text),
            Name::Summary | Name::Abstract => draft.set_abstract(text),
            Name::Keyword | Name::Topic => draft.add_keyword(text),
            Name::ParameterPart if parent == Name::Parameters => {
                if !text.trim().is_empty() && self.parameters.len() < 8 {
                    self.parameters.push(text.trim().to_owned());
                }
            }
            Name::Parameters => draft.add_keyword(&self.parameters.join(" > ")),
            Name::Language => draft.set_language(text),
            Name::Modified => draft.set_modified(text),
            Name::Created => fill(&mut self.created, text, 64),
            Name::West => draft.place.edge(Edge::West, text),
            Name::South => draft.place.edge(Edge::South, text),
            Name::East => draft.place.edge(Edge::East, text),
            Name::North => draft.place.edge(Edge::North, text),
            Name::Box => draft.place.close(),
            Name::Begin => text.trim().clone_into(&mut self.begin),
            Name::End => text.trim().clone_into(&mut self.end),
            Name::Period => {
                let (begin, end) = (std::mem::take(&mut self.begin), std::mem::take(&mut self.end));
                if begin.len() <= 64 && end.len() <= 64 {
                    draft.add_interval(&begin, &end);
                }
            }
            Name::LongName if path.contains(&Name::Center) => draft.set_provider(text),
            Name::First => text.trim().clone_into(&mut self.first_name),
            Name::Last => {
                let name = format!("{} {text}", self.first_name);
                fill(&mut self.person.person, &name, 512);
            }
            Name::Mail => fill(&mut self.person.email, text, 256),
            Name::Phone => fill(&mut self.person.phone, text, 64),
            Name::Personnel => {
                self.first_name.clear();
                draft.set_contact(std::mem::take(&mut self.person));
            }
            Name::Constraints => draft.add_licence(text),
            Name::DataType => {}
            _ => self.end_of_link(name, path, text),
        }
    }
}

impl Dif {
    fn end_of_link(&mut self, name: Name, path: &[Name], text: &str) {
        let related = path.contains(&Name::RelatedUrl);
        match name {
            Name::Url if related => {
                if self.urls.len() < 50 {
                    self.urls.push(text.trim().to_owned());
                }
            }
            Name::Url if !path.contains(&Name::Personnel) => self.draft.add_plain_link(text),
            Name::UrlType if related => fill(&mut self.link_kind, text, 128),
            Name::UrlSubtype if related => {
                if let Some(kind) = &mut self.link_kind
                    && !text.trim().is_empty()
                    && text.len() <= 128
                {
                    kind.push_str(" > ");
                    kind.push_str(text.trim());
                }
            }
            Name::UrlDescription | Name::Title_ if related => fill(&mut self.link.name, text, 200),
            Name::MimeType if related => fill(&mut self.link.format, text, 128),
            Name::RelatedUrl => {
                let link = std::mem::take(&mut self.link);
                for url in std::mem::take(&mut self.urls) {
                    let protocol = self.link_kind.clone();
                    self.draft.add_link(RecordLink { url, protocol, ..link.clone() });
                }
            }
            _ => {}
        }
    }

    fn settle(mut self, complete: bool) -> ReadRecord {
        let record = &mut self.draft.record;
        record.modified = record.modified.take().or(self.created);
        record.type_.get_or_insert_with(|| "dataset".to_owned());
        self.draft.finish(complete)
    }
}
