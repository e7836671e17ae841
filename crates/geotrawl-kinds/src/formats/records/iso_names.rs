//! The elements of ISO 19115 that matter, by local name: 19139 and 19115-3 differ in a few.

/// An element.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Name {
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
pub fn name(local: &[u8]) -> Name {
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
        | b"Real" => Name::Value,
        b"MD_TopicCategoryCode" => Name::Value,
        b"PT_FreeText" | b"textGroup" => Name::Wrapper,
        b"MD_Metadata" | b"MI_Metadata" => Name::Metadata,
        b"fileIdentifier" => Name::FileIdentifier,
        b"metadataIdentifier" => Name::MetadataIdentifier,
        b"code" => Name::Code,
        b"codeSpace" => Name::CodeSpace,
        b"language" => Name::Language,
        b"defaultLocale" => Name::DefaultLocale,
        b"hierarchyLevel" => Name::HierarchyLevel,
        b"metadataScope" => Name::MetadataScope,
        b"dateStamp" => Name::DateStamp,
        b"dateInfo" => Name::DateInfo,
        b"CI_Date" => Name::DateEntry,
        b"date" => Name::Date,
        b"dateType" => Name::DateType,
        b"contact" => Name::Contact,
        b"pointOfContact" => Name::PointOfContact,
        b"CI_ResponsibleParty" | b"CI_Responsibility" => Name::Party,
        b"CI_Organisation" => Name::Organisation,
        b"CI_Individual" => Name::Individual,
        b"organisationName" => Name::OrganisationName,
        b"individualName" => Name::IndividualName,
        b"name" => Name::NameOf,
        b"electronicMailAddress" => Name::Mail,
        b"voice" | b"number" => Name::Phone,
        b"referenceSystemInfo" => Name::ReferenceSystem,
        b"identificationInfo" => Name::Identification,
        b"citation" => Name::Citation,
        b"title" => Name::Title,
        b"identifier" => Name::Identifier,
        b"abstract" => Name::Abstract,
        b"keyword" => Name::Keyword,
        b"topicCategory" => Name::Topic,
        b"thesaurusName" => Name::Thesaurus,
        b"EX_GeographicBoundingBox" => Name::GeographicBox,
        b"westBoundLongitude" => Name::West,
        b"southBoundLatitude" => Name::South,
        b"eastBoundLongitude" => Name::East,
        b"northBoundLatitude" => Name::North,
        b"temporalElement" => Name::TemporalElement,
        b"TimePeriod" => Name::Period,
        b"beginPosition" | b"begin" => Name::Begin,
        b"endPosition" | b"end" => Name::End,
        b"timePosition" => Name::Instant,
        b"resourceConstraints" => Name::Constraints,
        b"useLimitation" => Name::UseLimitation,
        b"useConstraints" => Name::UseConstraints,
        b"accessConstraints" => Name::AccessConstraints,
        b"otherConstraints" => Name::OtherConstraints,
        b"reference" => Name::Reference,
        b"distributionInfo" => Name::Distribution,
        b"distributionFormat" | b"distributorFormat" => Name::DistributionFormat,
        b"CI_OnlineResource" => Name::OnlineResource,
        b"linkage" => Name::Linkage,
        b"protocol" => Name::Protocol,
        b"function" => Name::Function,
        b"description" => Name::Description,
        b"containsOperations" | b"connectPoint" => Name::Operation,
        b"serviceType" => Name::ServiceType,
        b"coupledResource" | b"operatesOn" => Name::CoupledResource,
        b"graphicOverview" => Name::Overview,
        b"dataQualityInfo" | b"resourceLineage" | b"aggregationInfo" | b"associatedResource" => {
            Name::DataQuality
        }
        b"MD_ScopeCode"
        | b"LanguageCode"
        | b"CI_DateTypeCode"
        | b"MD_RestrictionCode"
        | b"CI_OnLineFunctionCode" => Name::CodeValue,
        _ => Name::Other,
    }
}
