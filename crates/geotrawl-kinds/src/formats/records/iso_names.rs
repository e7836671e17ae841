//! Elements of ISO 19115 by local name. 19139 and 19115-3 differ in a few.

/// Element of a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IsoTag {
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
    /// `name`, which occurs in many places.
    NameOf,
    Mail,
    Phone,
    ReferenceSystem,
    Identification,
    /// Citation that is a direct child of an identification.
    Citation,
    Title,
    Identifier,
    Abstract,
    Keyword,
    Topic,
    /// Citation of a thesaurus.
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
    /// `title` of the reference in a constraint (19115-3).
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
    /// Elements that contain the value of their parent.
    Value,
    /// Code list values, as attribute or text.
    CodeValue,
    /// Elements without meaning between a property and its value.
    Wrapper,
    Other,
}

/// Returns the tag of an element.
pub fn tag_for_name(local: &[u8]) -> IsoTag {
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
        | b"Real" => IsoTag::Value,
        b"MD_TopicCategoryCode" => IsoTag::Value,
        b"PT_FreeText" | b"textGroup" => IsoTag::Wrapper,
        b"MD_Metadata" | b"MI_Metadata" => IsoTag::Metadata,
        b"fileIdentifier" => IsoTag::FileIdentifier,
        b"metadataIdentifier" => IsoTag::MetadataIdentifier,
        b"code" => IsoTag::Code,
        b"codeSpace" => IsoTag::CodeSpace,
        b"language" => IsoTag::Language,
        b"defaultLocale" => IsoTag::DefaultLocale,
        b"hierarchyLevel" => IsoTag::HierarchyLevel,
        b"metadataScope" => IsoTag::MetadataScope,
        b"dateStamp" => IsoTag::DateStamp,
        b"dateInfo" => IsoTag::DateInfo,
        b"CI_Date" => IsoTag::DateEntry,
        b"date" => IsoTag::Date,
        b"dateType" => IsoTag::DateType,
        b"contact" => IsoTag::Contact,
        b"pointOfContact" => IsoTag::PointOfContact,
        b"CI_ResponsibleParty" | b"CI_Responsibility" => IsoTag::Party,
        b"CI_Organisation" => IsoTag::Organisation,
        b"CI_Individual" => IsoTag::Individual,
        b"organisationName" => IsoTag::OrganisationName,
        b"individualName" => IsoTag::IndividualName,
        b"name" => IsoTag::NameOf,
        b"electronicMailAddress" => IsoTag::Mail,
        b"voice" | b"number" => IsoTag::Phone,
        b"referenceSystemInfo" => IsoTag::ReferenceSystem,
        b"identificationInfo" => IsoTag::Identification,
        b"citation" => IsoTag::Citation,
        b"title" => IsoTag::Title,
        b"identifier" => IsoTag::Identifier,
        b"abstract" => IsoTag::Abstract,
        b"keyword" => IsoTag::Keyword,
        b"topicCategory" => IsoTag::Topic,
        b"thesaurusName" => IsoTag::Thesaurus,
        b"EX_GeographicBoundingBox" => IsoTag::GeographicBox,
        b"westBoundLongitude" => IsoTag::West,
        b"southBoundLatitude" => IsoTag::South,
        b"eastBoundLongitude" => IsoTag::East,
        b"northBoundLatitude" => IsoTag::North,
        b"temporalElement" => IsoTag::TemporalElement,
        b"TimePeriod" => IsoTag::Period,
        b"beginPosition" | b"begin" => IsoTag::Begin,
        b"endPosition" | b"end" => IsoTag::End,
        b"timePosition" => IsoTag::Instant,
        b"resourceConstraints" => IsoTag::Constraints,
        b"useLimitation" => IsoTag::UseLimitation,
        b"useConstraints" => IsoTag::UseConstraints,
        b"accessConstraints" => IsoTag::AccessConstraints,
        b"otherConstraints" => IsoTag::OtherConstraints,
        b"reference" => IsoTag::Reference,
        b"distributionInfo" => IsoTag::Distribution,
        b"distributionFormat" | b"distributorFormat" => IsoTag::DistributionFormat,
        b"CI_OnlineResource" => IsoTag::OnlineResource,
        b"linkage" => IsoTag::Linkage,
        b"protocol" => IsoTag::Protocol,
        b"function" => IsoTag::Function,
        b"description" => IsoTag::Description,
        b"containsOperations" | b"connectPoint" => IsoTag::Operation,
        b"serviceType" => IsoTag::ServiceType,
        b"coupledResource" | b"operatesOn" => IsoTag::CoupledResource,
        b"graphicOverview" => IsoTag::Overview,
        b"dataQualityInfo" | b"resourceLineage" | b"aggregationInfo" | b"associatedResource" => {
            IsoTag::DataQuality
        }
        b"MD_ScopeCode"
        | b"LanguageCode"
        | b"CI_DateTypeCode"
        | b"MD_RestrictionCode"
        | b"CI_OnLineFunctionCode" => IsoTag::CodeValue,
        _ => IsoTag::Other,
    }
}
