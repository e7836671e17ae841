//! Directory Interchange Format 9 and 10.

use super::ParsedRecord;
use super::builder::{CatalogueRecordBuilder, set_if_empty};
use super::extent::BoxEdge;
use super::walk::{RecordVisitor, walk_record};
use crate::formats::xml::XmlReader;
use geotrawl_model::{Contact, RecordLink};

/// Elements that are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum DifTag {
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

/// Reads a DIF record.
pub fn read_dif(reader: &mut XmlReader<'_>) -> ParsedRecord {
    let mut record = DifVisitor::default();
    let complete = walk_record(reader, &mut record);
    record.settle(complete)
}

#[derive(Default)]
struct DifVisitor {
    draft: CatalogueRecordBuilder,
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

impl RecordVisitor for DifVisitor {
    type Tag = DifTag;

    fn tag_for_name(local: &[u8]) -> DifTag {
        match local {
            b"DIF" => DifTag::Dif,
            b"Entry_ID" => DifTag::EntryId,
            b"Short_Name" => DifTag::ShortName,
            b"Version" => DifTag::Version,
            b"Entry_Title" => DifTag::Title,
            b"Summary" => DifTag::Summary,
            b"Abstract" => DifTag::Abstract,
            b"Keyword" | b"Ancillary_Keyword" => DifTag::Keyword,
            b"Parameters" | b"Science_Keywords" => DifTag::Parameters,
            b"Category" | b"Topic" | b"Term" | b"Variable" | b"Variable_Level_1" | b"Variable_Level_2"
            | b"Variable_Level_3" | b"Detailed_Variable" => DifTag::ParameterPart,
            b"ISO_Topic_Category" => DifTag::Topic,
            b"Data_Set_Language" | b"Dataset_Language" => DifTag::Language,
            b"Last_DIF_Revision_Date" | b"Metadata_Last_Revision" | b"Data_Last_Revision" => DifTag::Modified,
            b"DIF_Creation_Date" | b"Metadata_Creation" => DifTag::Created,
            b"Spatial_Coverage" | b"Bounding_Rectangle" => DifTag::Box,
            b"Westernmost_Longitude" => DifTag::West,
            b"Southernmost_Latitude" => DifTag::South,
            b"Easternmost_Longitude" => DifTag::East,
            b"Northernmost_Latitude" => DifTag::North,
            b"Start_Date" | b"Beginning_Date_Time" => DifTag::Begin,
            b"Stop_Date" | b"Ending_Date_Time" => DifTag::End,
            b"Single_Date_Time" => DifTag::Begin,
            b"Temporal_Coverage" => DifTag::Period,
            b"Data_Center" | b"Organization" => DifTag::Center,
            b"Long_Name" => DifTag::LongName,
            b"Personnel" => DifTag::Personnel,
            b"First_Name" => DifTag::First,
            b"Last_Name" => DifTag::Last,
            b"Email" => DifTag::Mail,
            b"Phone" | b"Number" => DifTag::Phone,
            b"Use_Constraints" | b"Access_Constraints" => DifTag::Constraints,
            b"Related_URL" => DifTag::RelatedUrl,
            b"URL" | b"Online_Resource" | b"Data_Center_URL" => DifTag::Url,
            b"Type" => DifTag::UrlType,
            b"Subtype" => DifTag::UrlSubtype,
            b"Description" => DifTag::UrlDescription,
            b"Title" => DifTag::Title_,
            b"Mime_Type" => DifTag::MimeType,
            b"Collection_Data_Type" => DifTag::DataType,
            _ => DifTag::Other,
        }
    }

    fn is_prose(name: DifTag) -> bool {
        matches!(name, DifTag::Abstract | DifTag::Constraints)
    }

    fn start_element(&mut self, name: DifTag, _path: &[DifTag], _element: &XmlReader<'_>) {
        match name {
            DifTag::RelatedUrl => {
                self.link = RecordLink::default();
                self.link_kind = None;
                self.urls.clear();
            }
            DifTag::Parameters => self.parameters.clear(),
            _ => {}
        }
    }

    fn end_element(&mut self, name: DifTag, path: &[DifTag], text: &str) {
        let draft = &mut self.draft;
        let parent = path.last().copied().unwrap_or(DifTag::Other);
        match name {
            DifTag::EntryId => {
                // DIF 10 nests a short name and a version.
                match &self.short_name {
                    Some(short) if parent == DifTag::Dif => {
                        let version = self.version.as_deref().unwrap_or_default();
                        let id =
                            if version.is_empty() { short.clone() } else { format!("{short}_{version}") };
                        draft.set_id(&id);
                    }
                    _ => draft.set_id(text),
                }
            }
            DifTag::ShortName if parent == DifTag::EntryId => set_if_empty(&mut self.short_name, text, 512),
            DifTag::Version if parent == DifTag::EntryId => set_if_empty(&mut self.version, text, 64),
            DifTag::Title => draft.set_title(text),
            DifTag::Summary | DifTag::Abstract => draft.set_abstract(text),
            DifTag::Keyword | DifTag::Topic => draft.add_keyword(text),
            DifTag::ParameterPart if parent == DifTag::Parameters => {
                if !text.trim().is_empty() && self.parameters.len() < 8 {
                    self.parameters.push(text.trim().to_owned());
                }
            }
            DifTag::Parameters => draft.add_keyword(&self.parameters.join(" > ")),
            DifTag::Language => draft.set_language(text),
            DifTag::Modified => draft.set_modified(text),
            DifTag::Created => set_if_empty(&mut self.created, text, 64),
            DifTag::West => draft.place.set_edge(BoxEdge::West, text),
            DifTag::South => draft.place.set_edge(BoxEdge::South, text),
            DifTag::East => draft.place.set_edge(BoxEdge::East, text),
            DifTag::North => draft.place.set_edge(BoxEdge::North, text),
            DifTag::Box => draft.place.close_box(),
            DifTag::Begin => text.trim().clone_into(&mut self.begin),
            DifTag::End => text.trim().clone_into(&mut self.end),
            DifTag::Period => {
                let (begin, end) = (std::mem::take(&mut self.begin), std::mem::take(&mut self.end));
                if begin.len() <= 64 && end.len() <= 64 {
                    draft.add_interval(&begin, &end);
                }
            }
            DifTag::LongName if path.contains(&DifTag::Center) => draft.set_provider(text),
            DifTag::First => text.trim().clone_into(&mut self.first_name),
            DifTag::Last => {
                let name = format!("{} {text}", self.first_name);
                set_if_empty(&mut self.person.person, &name, 512);
            }
            DifTag::Mail => set_if_empty(&mut self.person.email, text, 256),
            DifTag::Phone => set_if_empty(&mut self.person.phone, text, 64),
            DifTag::Personnel => {
                self.first_name.clear();
                draft.set_contact(std::mem::take(&mut self.person));
            }
            DifTag::Constraints => draft.add_licence(text),
            DifTag::DataType => {}
            _ => self.end_of_link(name, path, text),
        }
    }
}

impl DifVisitor {
    fn end_of_link(&mut self, name: DifTag, path: &[DifTag], text: &str) {
        let related = path.contains(&DifTag::RelatedUrl);
        match name {
            DifTag::Url if related && self.urls.len() < 50 => {
                self.urls.push(text.trim().to_owned());
            }
            DifTag::Url if !path.contains(&DifTag::Personnel) => self.draft.add_plain_link(text),
            DifTag::UrlType if related => set_if_empty(&mut self.link_kind, text, 128),
            DifTag::UrlSubtype if related => {
                if let Some(kind) = &mut self.link_kind
                    && !text.trim().is_empty()
                    && text.len() <= 128
                {
                    kind.push_str(" > ");
                    kind.push_str(text.trim());
                }
            }
            DifTag::UrlDescription | DifTag::Title_ if related => {
                set_if_empty(&mut self.link.name, text, 200);
            }
            DifTag::MimeType if related => set_if_empty(&mut self.link.format, text, 128),
            DifTag::RelatedUrl => {
                let link = std::mem::take(&mut self.link);
                for url in std::mem::take(&mut self.urls) {
                    let protocol = self.link_kind.clone();
                    self.draft.add_link(RecordLink { url, protocol, ..link.clone() });
                }
            }
            _ => {}
        }
    }

    fn settle(mut self, complete: bool) -> ParsedRecord {
        let record = &mut self.draft.record;
        record.modified = record.modified.take().or(self.created);
        record.type_.get_or_insert_with(|| "dataset".to_owned());
        self.draft.finish(complete)
    }
}
