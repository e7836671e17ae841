//! Why a URL is requested.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

/// Why a URL is requested. Stored as text, so that kinds can be added without a migration.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Intent {
    /// An ordinary page: its links are followed, and it may turn out to be a service or a file.
    #[default]
    Page,
    /// Listed in `robots.txt` or at a conventional location as a sitemap.
    Sitemap,
    /// A service endpoint whose capabilities are requested for this kind (`ows:wms`). With
    /// `siblings`, other service types on the same endpoint are probed as well (`ows:wms+`).
    Ows { kind: String, siblings: bool },
    /// Looks like a data file; identified by its first bytes and a few ranges (`file`).
    File,
    /// Looks like a service with its own probe sequence (`ask:stac-api`), defined by its kind.
    Ask { kind: String },
    /// One page of a catalogue (`harvest:csw 3 <state>`). `page` counts from the first one. `state`
    /// is what the connector needs to request the page, and distinguishes it from the other pages.
    Harvest { connector: String, page: u32, state: String },
    /// Never requested: represents a record imported from another catalogue (`import`).
    Import,
}

impl Intent {
    /// Returns the key under which requests are deduplicated. It leaves out `siblings`, because the
    /// request is the same, and the page number of a catalogue, so that a server that keeps
    /// returning the same page ends the harvest.
    pub fn request_key(&self) -> String {
        match self {
            Self::Ows { kind, .. } => format!("ows:{kind}"),
            Self::Harvest { connector, state, .. } => format!("harvest:{connector} {state}"),
            _ => self.to_string(),
        }
    }

    /// Returns the stored text, without allocating for intents that are a single word.
    pub fn as_text(&self) -> Cow<'static, str> {
        self.word().map_or_else(|| Cow::Owned(self.to_string()), Cow::Borrowed)
    }

    fn word(&self) -> Option<&'static str> {
        match self {
            Self::Page => Some("page"),
            Self::Sitemap => Some("sitemap"),
            Self::File => Some("file"),
            Self::Import => Some("import"),
            Self::Ows { .. } | Self::Ask { .. } | Self::Harvest { .. } => None,
        }
    }

    /// Returns whether this is a probe. Probes precede pages and do not count towards the depth.
    pub fn is_probe(&self) -> bool {
        !matches!(self, Self::Page | Self::Sitemap | Self::Import)
    }
}

impl fmt::Display for Intent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ows { kind, siblings } => write!(f, "ows:{kind}{}", if *siblings { "+" } else { "" }),
            Self::Ask { kind } => write!(f, "ask:{kind}"),
            Self::Harvest { connector, page, state } => write!(f, "harvest:{connector} {page} {state}"),
            plain => f.write_str(plain.word().unwrap_or_default()),
        }
    }
}

/// Error for a text that names no [`Intent`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("\"{0}\" is not an intent")]
pub struct UnknownIntentError(String);

impl FromStr for Intent {
    type Err = UnknownIntentError;

    /// Parses what [`fmt::Display`] writes.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let intent = match text {
            "page" => Some(Self::Page),
            "sitemap" => Some(Self::Sitemap),
            "file" => Some(Self::File),
            "import" => Some(Self::Import),
            _ => match text.split_once(':') {
                Some(("ows", kind)) => Some(Self::Ows {
                    kind: kind.trim_end_matches('+').to_owned(),
                    siblings: kind.ends_with('+'),
                }),
                Some(("ask", kind)) => Some(Self::Ask { kind: kind.to_owned() }),
                Some(("harvest", rest)) => parse_harvest(rest),
                _ => None,
            },
        };
        intent.ok_or_else(|| UnknownIntentError(text.to_owned()))
    }
}

/// Parses `csw 3 <state>`, where the state may be empty and may contain spaces.
fn parse_harvest(text: &str) -> Option<Intent> {
    let (connector, rest) = text.split_once(' ')?;
    let (page, state) = rest.split_once(' ').unwrap_or((rest, ""));
    Some(Intent::Harvest {
        connector: connector.to_owned(),
        page: page.parse().ok()?,
        state: state.to_owned(),
    })
}

/// How a URL appeared in a document. Stored and exported as text (`href`, `text`, `iframe`, ...).
pub type DiscoveryMethod = Cow<'static, str>;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intents_are_read_as_they_are_written() {
        for text in
            ["page", "sitemap", "file", "import", "ows:wms", "ows:wms+", "ask:xyz", "harvest:csw 3 a b"]
        {
            assert_eq!(text.parse::<Intent>().unwrap().to_string(), text);
        }
        assert_eq!("harvest:csw 3".parse::<Intent>().unwrap().to_string(), "harvest:csw 3 ");
    }

    #[test]
    fn an_unknown_word_is_an_error_that_names_it() {
        for text in ["", "pages", "harvest:csw", "harvest:csw first x", "owl:wms"] {
            assert_eq!(text.parse::<Intent>(), Err(UnknownIntentError(text.to_owned())));
        }
        assert_eq!(UnknownIntentError("pages".to_owned()).to_string(), "\"pages\" is not an intent");
    }
}
