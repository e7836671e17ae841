//! A signature: how a library's call is told, and where the address stands in it.

/// Where something stands in a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ArgumentPath {
    /// An argument: a text, a list of texts, or a function that returns one.
    Arg(u8),
    /// A member of an argument that is an object.
    In(u8, &'static str),
    /// A member of a member: `new WebMap({portalItem: {id}})`.
    Deep(u8, &'static str, &'static str),
    /// A member of each object of a list: `new GeoTIFF({sources: [{url}]})`. An empty first name: the argument
    /// is the list itself.
    Each(u8, &'static str, &'static str),
}

/// What a call uses its address for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AddressUse {
    /// A service of this kind.
    Is(&'static str),
    /// Pictures by tile; the template says which service makes them.
    Tiles,
    /// Vector tiles: a template, an archive of tiles, or a description of them.
    VectorTiles,
    /// A service of ArcGIS; the address says which.
    Arcgis,
    /// A file of data, unless the address is a request to a service.
    File,
    /// A document that says more: a style, a configuration.
    Document,
    /// An item of an ArcGIS portal, by its id.
    Item,
    /// Something that is loaded: the address decides.
    Loaded,
    /// Like `Loaded`, when the first argument is a method of HTTP.
    Opened,
    /// A picture: counts when the address is a request for a map.
    Picture,
    /// A map is made; there is no address.
    Map,
    /// A source that brings its own address, or needs none.
    Bare,
}

impl AddressUse {
    /// Whether such a call means that the code makes maps.
    pub const fn makes_maps(self) -> bool {
        !matches!(self, Self::Loaded | Self::Opened)
    }

    /// Whether it is a loss when the address is not known.
    pub const fn needs_address(self) -> bool {
        matches!(
            self,
            Self::Is(_) | Self::Tiles | Self::VectorTiles | Self::Arcgis | Self::Document | Self::Item
        )
    }
}

/// One row of a table.
#[derive(Debug, Clone, Copy)]
pub struct CallSignature {
    /// The end of the call's name, as much of it as makes it sure.
    pub tail: &'static [&'static str],
    /// Where the address stands; the first place that has one counts.
    pub url: &'static [ArgumentPath],
    pub uses: AddressUse,
    /// Names of members that name layers, in any object among the arguments and in its parameters.
    pub layers: &'static [&'static str],
    /// Where a title stands.
    pub title: &'static [ArgumentPath],
}

impl CallSignature {
    /// A row without layers and title.
    pub const fn new(tail: &'static [&'static str], url: &'static [ArgumentPath], uses: AddressUse) -> Self {
        Self { tail, url, uses, layers: &[], title: &[] }
    }

    /// A map is made by this call.
    pub const fn map_constructor(tail: &'static [&'static str]) -> Self {
        Self::new(tail, &[], AddressUse::Map)
    }

    /// Names of members that name layers.
    pub const fn layers(self, layers: &'static [&'static str]) -> Self {
        Self { layers, ..self }
    }

    /// Where a title stands.
    pub const fn title(self, title: &'static [ArgumentPath]) -> Self {
        Self { title, ..self }
    }

    /// Whether a name ends as this row says.
    pub fn matches_name<T: AsRef<str>>(&self, name: &[T]) -> bool {
        name.len() >= self.tail.len()
            && name.iter().rev().zip(self.tail.iter().rev()).all(|(a, b)| a.as_ref() == *b)
    }
}

/// The signatures of one library.
#[derive(Debug)]
pub struct LibrarySignatures {
    /// Begins the names of rules: `openlayers:TileWMS`.
    pub library: &'static str,
    /// First parts of names that are this library's.
    pub roots: &'static [&'static str],
    pub signs: &'static [CallSignature],
}

/// First argument, as text or as an object with `url`.
pub const FIRST: &[ArgumentPath] = &[ArgumentPath::Arg(0), ArgumentPath::In(0, "url")];
/// Second argument.
pub const SECOND: &[ArgumentPath] = &[ArgumentPath::Arg(1), ArgumentPath::In(1, "url")];
/// `{url}` or `{urls}` in the first argument.
pub const OPTIONS: &[ArgumentPath] = &[ArgumentPath::In(0, "url"), ArgumentPath::In(0, "urls")];
/// How WMS layers are named.
pub const WMS_LAYERS: &[&str] = &["LAYERS", "layers", "Layers", "layer", "LAYER"];
/// How WMTS layers are named.
pub const WMTS_LAYERS: &[&str] = &["layer", "LAYER", "Layer", "layers"];
/// How feature types are named.
#[rustfmt::skip]
pub const FEATURE_TYPES: &[&str] = &[
    "typename", "typeName", "typeNames", "typeNS", "TYPENAME", "TYPENAMES", "TypeName", "featureType",
    "featureTypes", "typenames", "collectionId", "collection", "layers",
];
