//! The elements of ISO 19115 that matter, by local name: 19139 and 19115-3 differ in a few.

/// An element.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tag {
    /// `gmd:MD_Metadata`, `gmi:MI_Metadata`, `mdb:MD_Metadata`.
    Metadata,
    FileIdentifier,
    MetadataIdentifier,
    Code,
    CodeSpace,
    Language,
    DefaultLocale,
    HierarchyLevel,
    MetadataScope,
    DateStamp,
    DateInfo,
    /// `CI_Date`
    DateEntry,
    Date,
    DateType,
    Contact,
    PointOfContact,
    Party,
    Organisation,
    Individual,
    OrganisationName,
    IndividualName,
    /// `name` in its many places.
    NameOf,
    Mail,
    Phone,
    ReferenceSystem,
    Identification,
    /// The citation that is a direct child of an identification.
    Citation,
    Title,
    Identifier,
    Abstract,
    Keyword,
    Topic,
    /// The citation of a thesaurus.
    Thesaurus,
    GeographicBox,
    West,
    South,
    East,
    North,
    TemporalElement,
    Period,
    Begin,
    End,
    Instant,
    Constraints,
    UseLimitation,
    UseConstraints,
    AccessConstraints,
    OtherConstraints,
    /// `title` of a constraint's reference (19115-3).
    Reference,
    Distribution,
    DistributionFormat,
    OnlineResource,
    Linkage,
    Protocol,
    Function,
    Description,
    /// `containsOperations`, `connectPoint`
    Operation,
    ServiceType,
    CoupledResource,
    Overview,
    DataQuality,
    /// Elements that hold the value of their parent.
    Value,
    /// Code list values, in an attribute or as text.
    CodeValue,
    /// Elements between a property and its value that mean nothing.
    Wrapper,
    Other,
}

/// The name of an element.
pub fn name(local: &[u8]) -> Tag {
    match local {
        b"CharacterString"
        | b"Anchor"
        | b"URL"
        | b"Decimal"
        | b"DateTime"
        | b"Date"
        | b"Integer"
        | b"LocalisedCharacterString"
        | b"FileName"
        | b"LocalName"
        | b"ScopedName"
        | b"Real" => Tag::Value,
        b"MD_TopicCategoryCode" => Tag::Value,
        b"PT_FreeText" | b"textGroup" => Tag::Wrapper,
        b"MD_Metadata" | b"MI_Metadata" => Tag::Metadata,
        b"fileIdentifier" => Tag::FileIdentifier,
        b"metadataIdentifier" => Tag::MetadataIdentifier,
        b"code" => Tag::Code,
        b"codeSpace" => Tag::CodeSpace,
        b"language" => Tag::Language,
        b"defaultLocale" => Tag::DefaultLocale,
        b"hierarchyLevel" => Tag::HierarchyLevel,
        b"metadataScope" => Tag::MetadataScope,
        b"dateStamp" => Tag::DateStamp,
        b"dateInfo" => Tag::DateInfo,
        b"CI_Date" => Tag::DateEntry,
        b"date" => Tag::Date,
        b"dateType" => Tag::DateType,
        b"contact" => Tag::Contact,
        b"pointOfContact" => Tag::PointOfContact,
        b"CI_ResponsibleParty" | b"CI_Responsibility" => Tag::Party,
        b"CI_Organisation" => Tag::Organisation,
        b"CI_Individual" => Tag::Individual,
        b"organisationName" => Tag::OrganisationName,
        b"individualName" => Tag::IndividualName,
        b"name" => Tag::NameOf,
        b"electronicMailAddress" => Tag::Mail,
        b"voice" | b"number" => Tag::Phone,
        b"referenceSystemInfo" => Tag::ReferenceSystem,
        b"identificationInfo" => Tag::Identification,
        b"citation" => Tag::Citation,
        b"title" => Tag::Title,
        b"identifier" => Tag::Identifier,
        b"abstract" => Tag::Abstract,
        b"keyword" => Tag::Keyword,
        b"topicCategory" => Tag::Topic,
        b"thesaurusName" => Tag::Thesaurus,
        b"EX_GeographicBoundingBox" => Tag::GeographicBox,
        b"westBoundLongitude" => Tag::West,
        b"southBoundLatitude" => Tag::South,
        b"eastBoundLongitude" => Tag::East,
        b"northBoundLatitude" => Tag::North,
        b"temporalElement" => Tag::TemporalElement,
        b"TimePeriod" => Tag::Period,
        b"beginPosition" | b"begin" => Tag::Begin,
        b"endPosition" | b"end" => Tag::End,
        b"timePosition" => Tag::Instant,
        b"resourceConstraints" => Tag::Constraints,
        b"useLimitation" => Tag::UseLimitation,
        b"useConstraints" => Tag::UseConstraints,
        b"accessConstraints" => Tag::AccessConstraints,
        b"otherConstraints" => Tag::OtherConstraints,
        b"reference" => Tag::Reference,
        b"distributionInfo" => Tag::Distribution,
        b"distributionFormat" | b"distributorFormat" => Tag::DistributionFormat,
        b"CI_OnlineResource" => Tag::OnlineResource,
        b"linkage" => Tag::Linkage,
        b"protocol" => Tag::Protocol,
        b"function" => Tag::Function,
        b"description" => Tag::Description,
        b"containsOperations" | b"connectPoint" => Tag::Operation,
        b"serviceType" => Tag::ServiceType,
        b"coupledResource" | b"operatesOn" => Tag::CoupledResource,
        b"graphicOverview" => Tag::Overview,
        b"dataQualityInfo" | b"resourceLineage" | b"aggregationInfo" | b"associatedResource" => {
            Tag::DataQuality
        }
        b"MD_ScopeCode"
        | b"LanguageCode"
        | b"CI_DateTypeCode"
        | b"MD_RestrictionCode"
        | b"CI_OnLineFunctionCode" => Tag::CodeValue,
        _ => Tag::Other,
    }
}
