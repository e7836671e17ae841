//! Signatures of library calls: how to recognise a call, and where its URL is.

/// Path to a value in the arguments of a call.
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

/// What a call uses its URL for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AddressUse {
    /// A service of this kind.
    Is(&'static str),
    /// Image tiles; the template tells the service.
    Tiles,
    /// Vector tiles: a template, a tile archive, or a description of tiles.
    VectorTiles,
    /// An ArcGIS service; the URL tells which.
    Arcgis,
    /// A data file, unless the URL is a request to a service.
    File,
    /// A document to parse: a style, a configuration.
    Document,
    /// An item of an ArcGIS portal, by its id.
    Item,
    /// Loaded data; the URL decides.
    Loaded,
    /// Like `Loaded`, if the first argument is an HTTP method.
    Opened,
    /// An image; counts if the URL is a map request.
    Picture,
    /// A map is created; there is no URL.
    Map,
    /// A source that has a built-in URL, or needs none.
    Bare,
}

impl AddressUse {
    /// Returns whether such a call means that the code makes maps.
    pub const fn makes_maps(self) -> bool {
        !matches!(self, Self::Loaded | Self::Opened)
    }

    /// Returns whether an unknown URL is a loss.
    pub const fn needs_address(self) -> bool {
        matches!(
            self,
            Self::Is(_) | Self::Tiles | Self::VectorTiles | Self::Arcgis | Self::Document | Self::Item
        )
    }
}

/// Signature of a call.
#[derive(Debug, Clone, Copy)]
pub struct CallSignature {
    /// End of the call's name, as many parts as are needed to be certain.
    pub tail: &'static [&'static str],
    /// Where the URL is; the first path with a value counts.
    pub url: &'static [ArgumentPath],
    pub uses: AddressUse,
    /// Members that name layers, in any object among the arguments and in its parameters.
    pub layers: &'static [&'static str],
    /// Where the title is.
    pub title: &'static [ArgumentPath],
}

impl CallSignature {
    /// Creates a signature without layers and title.
    pub const fn new(tail: &'static [&'static str], url: &'static [ArgumentPath], uses: AddressUse) -> Self {
        Self { tail, url, uses, layers: &[], title: &[] }
    }

    /// Creates the signature of a call that creates a map.
    pub const fn map_constructor(tail: &'static [&'static str]) -> Self {
        Self::new(tail, &[], AddressUse::Map)
    }

    /// Sets the members that name layers.
    pub const fn layers(self, layers: &'static [&'static str]) -> Self {
        Self { layers, ..self }
    }

    /// Sets where the title is.
    pub const fn title(self, title: &'static [ArgumentPath]) -> Self {
        Self { title, ..self }
    }

    /// Returns whether a name ends like this signature.
    pub fn matches_name<T: AsRef<str>>(&self, name: &[T]) -> bool {
        name.len() >= self.tail.len()
            && name.iter().rev().zip(self.tail.iter().rev()).all(|(a, b)| a.as_ref() == *b)
    }
}

/// Signatures of a library.
#[derive(Debug)]
pub struct LibrarySignatures {
    /// Prefix of rule names: `openlayers:TileWMS`.
    pub library: &'static str,
    /// First parts of names that belong to this library.
    pub roots: &'static [&'static str],
    pub signs: &'static [CallSignature],
}

/// The first argument, as text or as an object with `url`.
pub const FIRST: &[ArgumentPath] = &[ArgumentPath::Arg(0), ArgumentPath::In(0, "url")];
/// The second argument.
pub const SECOND: &[ArgumentPath] = &[ArgumentPath::Arg(1), ArgumentPath::In(1, "url")];
/// `{url}` or `{urls}` in the first argument.
pub const OPTIONS: &[ArgumentPath] = &[ArgumentPath::In(0, "url"), ArgumentPath::In(0, "urls")];
/// Members that name WMS layers.
pub const WMS_LAYERS: &[&str] = &["LAYERS", "layers", "Layers", "layer", "LAYER"];
/// Members that name WMTS layers.
pub const WMTS_LAYERS: &[&str] = &["layer", "LAYER", "Layer", "layers"];
/// Members that name feature types.
#[rustfmt::skip]
pub const FEATURE_TYPES: &[&str] = &[
    "typename", "typeName", "typeNames", "typeNS", "TYPENAME", "TYPENAMES", "TypeName", "featureType",
    "featureTypes", "typenames", "collectionId", "collection", "layers",
];
