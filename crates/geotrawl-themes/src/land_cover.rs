//! The twelve land-cover classes, and the substring rule that they are compared with.

use crate::vocabulary::ThemeVocabulary;
use serde::{Deserialize, Serialize};

/// A land-cover class. The order is that of precedence: of several
/// classes in a text, the first one wins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LandCoverClass {
    LandCover,
    Cropland,
    Forest,
    Grassland,
    Shrubland,
    Wetland,
    Water,
    Tundra,
    Impervious,
    Barren,
    Snow,
    Vegetation,
}

impl LandCoverClass {
    /// All classes in order of precedence.
    pub const ALL: [Self; 12] = [
        Self::LandCover,
        Self::Cropland,
        Self::Forest,
        Self::Grassland,
        Self::Shrubland,
        Self::Wetland,
        Self::Water,
        Self::Tundra,
        Self::Impervious,
        Self::Barren,
        Self::Snow,
        Self::Vegetation,
    ];

    /// Returns the id of the term in the vocabulary `land-cover`.
    pub fn id(self) -> &'static str {
        match self {
            Self::LandCover => "land-cover",
            Self::Cropland => "cropland",
            Self::Forest => "forest",
            Self::Grassland => "grassland",
            Self::Shrubland => "shrubland",
            Self::Wetland => "wetland",
            Self::Water => "water",
            Self::Tundra => "tundra",
            Self::Impervious => "impervious",
            Self::Barren => "barren",
            Self::Snow => "snow",
            Self::Vegetation => "vegetation",
        }
    }

    /// Returns the class of a term id.
    pub fn from_id(id: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|class| class.id() == id)
    }
}

/// Returns all classes by the rule of the paper: a keyword occurs anywhere in the text, even inside
/// of words. Only for comparison, since it finds `ice` in `service`.
pub fn naive_land_cover_classes(vocabulary: &ThemeVocabulary, text: &str) -> Vec<LandCoverClass> {
    let text = text.to_lowercase();
    let holds = |class: &LandCoverClass| {
        let term = vocabulary.term(class.id());
        term.is_some_and(|term| term.keywords.iter().any(|keyword| text.contains(keyword.as_str())))
    };
    LandCoverClass::ALL.into_iter().filter(holds).collect()
}

/// Returns the class by the rule of the paper, see [`naive_land_cover_classes`].
pub fn naive_land_cover(text: &str) -> Option<LandCoverClass> {
    let vocabulary =
        crate::Themes::builtin().vocabularies().iter().find(|vocabulary| vocabulary.id == "land-cover")?;
    naive_land_cover_classes(vocabulary, text).first().copied()
}
