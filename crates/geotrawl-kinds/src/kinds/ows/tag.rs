//! Known element names as small integers: comparing names is most of the work of a reader.

/// Declares the tags and the lookup by local name. Several spellings may map to one tag.
macro_rules! tags {
    ($($(#[$doc:meta])* $tag:ident = $($name:literal)|+;)+) => {
        /// A known element name, regardless of its prefix.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum Tag {
            /// Root element of the document.
            Root,
            /// Any other element.
            Other,
            /// Markup inside prose.
            InProse,
            $($(#[$doc])* $tag,)+
        }

        impl Tag {
            /// Returns the tag of a local name.
            #[inline]
            pub fn of(local: &[u8]) -> Self {
                match local {
                    $($($name)|+ => Self::$tag,)+
                    _ => Self::Other,
                }
            }
        }
    };
}

tags! {
    Abstract = b"Abstract" | b"description" | b"abstract";
    AccessConstraints = b"AccessConstraints" | b"accessConstraints";
    BeginPosition = b"beginPosition" | b"begin";
    BoundedBy = b"boundedBy";
    BoundingBox = b"BoundingBox";
    Capability = b"Capability";
    ContactInformation = b"ContactInformation";
    ContactMail = b"ContactElectronicMailAddress" | b"ElectronicMailAddress" | b"electronicMailAddress";
    ContactOrganization = b"ContactOrganization" | b"organisationName" | b"organizationName";
    ContactPerson = b"ContactPerson" | b"IndividualName" | b"individualName";
    ContactPhone = b"ContactVoiceTelephone" | b"Voice" | b"voice";
    ContentMetadata = b"ContentMetadata";
    Contents = b"Contents";
    CoverageBrief = b"CoverageOfferingBrief";
    CoverageId = b"CoverageId";
    CoverageSummary = b"CoverageSummary";
    Crs = b"CRS" | b"SRS" | b"DefaultSRS" | b"OtherSRS" | b"DefaultCRS" | b"OtherCRS" | b"SupportedCRS"
        | b"requestResponseCRSs" | b"crsSupported" | b"SupportedSRS";
    DatasetSeries = b"DatasetSeriesSummary";
    DatasetSeriesId = b"DatasetSeriesId";
    Dimension = b"Dimension";
    EastBound = b"eastBoundLongitude";
    EndPosition = b"endPosition" | b"end";
    Envelope = b"Envelope" | b"EnvelopeWithTimePeriod";
    EventTime = b"eventTime";
    Extent = b"Extent";
    FeatureType = b"FeatureType";
    FeatureTypeList = b"FeatureTypeList";
    Fees = b"Fees" | b"fees";
    Format = b"Format" | b"OutputFormat" | b"SupportedFormat" | b"formatSupported" | b"responseFormat";
    Get = b"Get";
    GeographicBox = b"EX_GeographicBoundingBox";
    GetFeature = b"GetFeature";
    GetMap = b"GetMap" | b"Map";
    Identifier = b"Identifier" | b"identifier";
    Keyword = b"Keyword" | b"keyword";
    KeywordList = b"KeywordList" | b"Keywords" | b"keywords";
    Language = b"Language" | b"language";
    Languages = b"Languages" | b"SupportedLanguages" | b"DefaultLanguage" | b"SupportedLanguage";
    LatLonBox = b"LatLonBoundingBox" | b"LatLongBoundingBox";
    Layer = b"Layer";
    Layers = b"Layers";
    LonLatEnvelope = b"lonLatEnvelope" | b"LonLatEnvelope";
    LowerCorner = b"LowerCorner" | b"lowerCorner";
    Metadata = b"Metadata" | b"MetadataURL" | b"MetadataUrl" | b"MetadataLink" | b"metadataLink";
    Name = b"Name" | b"name";
    NorthBound = b"northBoundLatitude";
    ObservedArea = b"observedArea";
    ObservedProperty = b"observedProperty" | b"observableProperty";
    Offering = b"ObservationOffering";
    OfferingList = b"ObservationOfferingList";
    OnlineResource = b"OnlineResource" | b"onlineResource";
    Operation = b"Operation";
    OperationsMetadata = b"OperationsMetadata";
    Parameter = b"Parameter";
    PhenomenonTime = b"phenomenonTime";
    Pos = b"pos";
    Procedure = b"procedure";
    Process = b"Process" | b"ProcessSummary" | b"ProcessBrief";
    ProcessOfferings = b"ProcessOfferings";
    Profile = b"Profile";
    ProviderName = b"ProviderName";
    ProviderSite = b"ProviderSite";
    Request = b"Request";
    ResourceUrl = b"ResourceURL";
    ResponsibleParty = b"responsibleParty";
    ResultTime = b"resultTime";
    Service = b"Service";
    ServiceContact = b"ServiceContact";
    ServiceIdentification = b"ServiceIdentification";
    ServiceMetadata = b"ServiceMetadata";
    ServiceProvider = b"ServiceProvider";
    ServiceTypeVersion = b"ServiceTypeVersion";
    SouthBound = b"southBoundLatitude";
    Style = b"Style";
    Theme = b"Theme";
    TileMatrix = b"TileMatrix";
    TileMatrixSet = b"TileMatrixSet";
    TileMatrixSetLink = b"TileMatrixSetLink";
    TileSet = b"TileSet";
    TimePeriod = b"TimePeriod" | b"timePeriod";
    TimePosition = b"timePosition";
    Title = b"Title" | b"label" | b"title";
    UpperCorner = b"UpperCorner" | b"upperCorner";
    Value = b"Value";
    WestBound = b"westBoundLongitude";
    Wgs84Box = b"WGS84BoundingBox";
}

impl Tag {
    /// Returns whether the element contains text for people, in which HTML may occur.
    #[inline]
    pub fn is_prose(self) -> bool {
        matches!(
            self,
            Self::Abstract
                | Self::Title
                | Self::Fees
                | Self::AccessConstraints
                | Self::Keyword
                | Self::InProse
        )
    }
}

#[cfg(test)]
mod tests {
    use super::Tag;

    #[test]
    fn spellings_of_one_thing_are_one_tag() {
        assert_eq!(Tag::of(b"Layer"), Tag::Layer);
        assert_eq!(Tag::of(b"individualName"), Tag::of(b"ContactPerson"));
        assert_eq!(Tag::of(b"MatrixWidth"), Tag::Other);
        assert_eq!(Tag::of(b""), Tag::Other);
    }
}
