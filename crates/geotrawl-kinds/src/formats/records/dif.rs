//! Directory Interchange Format 9 and 10.

use super::ReadRecord;
use super::draft::{Draft, fill};
use super::place::Edge;
use super::walk::{Visitor, walk};
use crate::formats::xml::Reader;
use geotrawl_model::{Contact, RecordLink};

/// The elements that matter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Tag {
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
    type Tag = Tag;

    fn name(local: &[u8]) -> Tag {
        match local {
            b"DIF" => Tag::Dif,
            b"Entry_ID" => Tag::EntryId,
            b"Short_Name" => Tag::ShortName,
            b"Version" => Tag::Version,
            b"Entry_Title" => Tag::Title,
            b"Summary" => Tag::Summary,
            b"Abstract" => Tag::Abstract,
            b"Keyword" | b"Ancillary_Keyword" => Tag::Keyword,
            b"Parameters" | b"Science_Keywords" => Tag::Parameters,
            b"Category" | b"Topic" | b"Term" | b"Variable" | b"Variable_Level_1" | b"Variable_Level_2"
            | b"Variable_Level_3" | b"Detailed_Variable" => Tag::ParameterPart,
            b"ISO_Topic_Category" => Tag::Topic,
            b"Data_Set_Language" | b"Dataset_Language" => Tag::Language,
            b"Last_DIF_Revision_Date" | b"Metadata_Last_Revision" | b"Data_Last_Revision" => Tag::Modified,
            b"DIF_Creation_Date" | b"Metadata_Creation" => Tag::Created,
            b"Spatial_Coverage" | b"Bounding_Rectangle" => Tag::Box,
            b"Westernmost_Longitude" => Tag::West,
            b"Southernmost_Latitude" => Tag::South,
            b"Easternmost_Longitude" => Tag::East,
            b"Northernmost_Latitude" => Tag::North,
            b"Start_Date" | b"Beginning_Date_Time" => Tag::Begin,
            b"Stop_Date" | b"Ending_Date_Time" => Tag::End,
            b"Single_Date_Time" => Tag::Begin,
            b"Temporal_Coverage" => Tag::Period,
            b"Data_Center" | b"Organization" => Tag::Center,
            b"Long_Name" => Tag::LongName,
            b"Personnel" => Tag::Personnel,
            b"First_Name" => Tag::First,
            b"Last_Name" => Tag::Last,
            b"Email" => Tag::Mail,
            b"Phone" | b"Number" => Tag::Phone,
            b"Use_Constraints" | b"Access_Constraints" => Tag::Constraints,
            b"Related_URL" => Tag::RelatedUrl,
            b"URL" | b"Online_Resource" | b"Data_Center_URL" => Tag::Url,
            b"Type" => Tag::UrlType,
            b"Subtype" => Tag::UrlSubtype,
            b"Description" => Tag::UrlDescription,
            b"Title" => Tag::Title_,
            b"Mime_Type" => Tag::MimeType,
            b"Collection_Data_Type" => Tag::DataType,
            _ => Tag::Other,
        }
    }

    fn is_prose(name: Tag) -> bool {
        matches!(name, Tag::Abstract | Tag::Constraints)
    }

    fn start(&mut self, name: Tag, _path: &[Tag], _element: &Reader<'_>) {
        match name {
            Tag::RelatedUrl => {
                self.link = RecordLink::default();
                self.link_kind = None;
                self.urls.clear();
            }
            Tag::Parameters => self.parameters.clear(),
            _ => {}
        }
    }

    fn end(&mut self, name: Tag, path: &[Tag], text: &str) {
        let draft = &mut self.draft;
        let parent = path.last().copied().unwrap_or(Tag::Other);
        match name {
            Tag::EntryId => {
                // DIF 10 nests a short name and a version.
                match &self.short_name {
                    Some(short) if parent == Tag::Dif => {
                        let version = self.version.as_deref().unwrap_or_default();
                        let id =
                            if version.is_empty() { short.clone() } else { format!("{short}_{version}") };
                        draft.set_id(&id);
                    }
                    _ => draft.set_id(text),
                }
            }
            Tag::ShortName if parent == Tag::EntryId => fill(&mut self.short_name, text, 512),
            Tag::Version if parent == Tag::EntryId => fill(&mut self.version, text, 64),
            Tag::Title => draft.set_title(text),
            Tag::Summary | Tag::Abstract => draft.set_abstract(text),
            Tag::Keyword | Tag::Topic => draft.add_keyword(text),
            Tag::ParameterPart if parent == Tag::Parameters => {
                if !text.trim().is_empty() && self.parameters.len() < 8 {
                    self.parameters.push(text.trim().to_owned());
                }
            }
            Tag::Parameters => draft.add_keyword(&self.parameters.join(" > ")),
            Tag::Language => draft.set_language(text),
            Tag::Modified => draft.set_modified(text),
            Tag::Created => fill(&mut self.created, text, 64),
            Tag::West => draft.place.edge(Edge::West, text),
            Tag::South => draft.place.edge(Edge::South, text),
            Tag::East => draft.place.edge(Edge::East, text),
            Tag::North => draft.place.edge(Edge::North, text),
            Tag::Box => draft.place.close(),
            Tag::Begin => text.trim().clone_into(&mut self.begin),
            Tag::End => text.trim().clone_into(&mut self.end),
            Tag::Period => {
                let (begin, end) = (std::mem::take(&mut self.begin), std::mem::take(&mut self.end));
                if begin.len() <= 64 && end.len() <= 64 {
                    draft.add_interval(&begin, &end);
                }
            }
            Tag::LongName if path.contains(&Tag::Center) => draft.set_provider(text),
            Tag::First => text.trim().clone_into(&mut self.first_name),
            Tag::Last => {
                let name = format!("{} {text}", self.first_name);
                fill(&mut self.person.person, &name, 512);
            }
            Tag::Mail => fill(&mut self.person.email, text, 256),
            Tag::Phone => fill(&mut self.person.phone, text, 64),
            Tag::Personnel => {
                self.first_name.clear();
                draft.set_contact(std::mem::take(&mut self.person));
            }
            Tag::Constraints => draft.add_licence(text),
            Tag::DataType => {}
            _ => self.end_of_link(name, path, text),
        }
    }
}

impl Dif {
    fn end_of_link(&mut self, name: Tag, path: &[Tag], text: &str) {
        let related = path.contains(&Tag::RelatedUrl);
        match name {
            Tag::Url if related && self.urls.len() < 50 => {
                self.urls.push(text.trim().to_owned());
            }
            Tag::Url if !path.contains(&Tag::Personnel) => self.draft.add_plain_link(text),
            Tag::UrlType if related => fill(&mut self.link_kind, text, 128),
            Tag::UrlSubtype if related => {
                if let Some(kind) = &mut self.link_kind
                    && !text.trim().is_empty()
                    && text.len() <= 128
                {
                    kind.push_str(" > ");
                    kind.push_str(text.trim());
                }
            }
            Tag::UrlDescription | Tag::Title_ if related => fill(&mut self.link.name, text, 200),
            Tag::MimeType if related => fill(&mut self.link.format, text, 128),
            Tag::RelatedUrl => {
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
