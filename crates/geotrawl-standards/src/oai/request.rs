//! Parses requests strictly according to the protocol.

use super::dates::{self, DateGranularity};
use super::token::ResumptionToken;
use jiff::Timestamp;

/// Longest value of an argument.
const LONGEST: usize = 4_096;

/// An error condition of the protocol, reported to the harvester.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ProtocolError {
    pub(super) code: &'static str,
    pub(super) message: String,
}

impl ProtocolError {
    pub(super) fn new(code: &'static str, message: impl Into<String>) -> Self {
        Self { code, message: message.into() }
    }

    fn argument(message: impl Into<String>) -> Self {
        Self::new("badArgument", message)
    }

    /// Whether the response must not repeat the arguments of the request.
    pub(super) fn hides_arguments(&self) -> bool {
        matches!(self.code, "badVerb" | "badArgument")
    }
}

/// The kind of list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ListKind {
    Records,
    Identifiers,
}

impl ListKind {
    pub(super) fn token_word(self) -> &'static str {
        match self {
            Self::Records => "records",
            Self::Identifiers => "identifiers",
        }
    }

    pub(super) fn verb(self) -> &'static str {
        match self {
            Self::Records => "ListRecords",
            Self::Identifiers => "ListIdentifiers",
        }
    }
}

/// A parsed request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum OaiRequest {
    Identify,
    Formats { identifier: Option<String> },
    Sets,
    Get { identifier: String, prefix: String },
    List(ListKind, Box<ListSelection>),
}

/// Selects records of a list, and where to continue.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct ListSelection {
    pub(super) prefix: String,
    pub(super) set: Option<String>,
    pub(super) from: Option<Timestamp>,
    pub(super) before: Option<Timestamp>,
    /// The dates as written by the client.
    pub(super) from_text: Option<String>,
    pub(super) until_text: Option<String>,
    pub(super) resumed: Option<ResumptionToken>,
}

/// Parses the arguments of a request.
pub(super) fn parse_request(arguments: &[(String, String)]) -> Result<OaiRequest, ProtocolError> {
    let verbs: Vec<&str> =
        arguments.iter().filter(|(name, _)| name == "verb").map(|(_, value)| value.as_str()).collect();
    let verb = match verbs[..] {
        [verb] => verb,
        [] => return Err(ProtocolError::new("badVerb", "The argument 'verb' is missing.")),
        _ => return Err(ProtocolError::new("badVerb", "The argument 'verb' is repeated.")),
    };
    let allowed: &[&str] = match verb {
        "Identify" => &[],
        "ListMetadataFormats" => &["identifier"],
        "ListSets" => &["resumptionToken"],
        "GetRecord" => &["identifier", "metadataPrefix"],
        "ListRecords" | "ListIdentifiers" => &["metadataPrefix", "from", "until", "set", "resumptionToken"],
        _ => {
            let known = "Identify, ListMetadataFormats, ListSets, ListIdentifiers, ListRecords and GetRecord";
            return Err(ProtocolError::new("badVerb", format!("Unknown verb; the verbs are {known}.")));
        }
    };
    let given = OaiArguments::of(arguments, verb, allowed)?;
    Ok(match verb {
        "Identify" => OaiRequest::Identify,
        "ListMetadataFormats" => OaiRequest::Formats { identifier: given.get("identifier") },
        "ListSets" if given.get("resumptionToken").is_some() => {
            return Err(ProtocolError::new(
                "badResumptionToken",
                "The list of sets is never split into parts.",
            ));
        }
        "ListSets" => OaiRequest::Sets,
        "GetRecord" => OaiRequest::Get {
            identifier: given.needed("identifier")?,
            prefix: prefix(given.needed("metadataPrefix")?)?,
        },
        "ListRecords" => OaiRequest::List(ListKind::Records, Box::new(given.selection(ListKind::Records)?)),
        _ => OaiRequest::List(ListKind::Identifiers, Box::new(given.selection(ListKind::Identifiers)?)),
    })
}

/// Arguments of a verb, without repetitions.
struct OaiArguments<'a> {
    verb: &'a str,
    pairs: Vec<(&'a str, &'a str)>,
}

impl<'a> OaiArguments<'a> {
    fn of(arguments: &'a [(String, String)], verb: &'a str, allowed: &[&str]) -> Result<Self, ProtocolError> {
        let mut pairs: Vec<(&str, &str)> = Vec::new();
        for (name, value) in arguments.iter().filter(|(name, _)| name != "verb") {
            if !allowed.contains(&name.as_str()) {
                let name: String = name.chars().take(60).collect();
                return Err(ProtocolError::argument(format!("{verb} has no argument '{name}'.")));
            }
            if pairs.iter().any(|(known, _)| known == name) {
                return Err(ProtocolError::argument(format!("The argument '{name}' is repeated.")));
            }
            if value.len() > LONGEST {
                return Err(ProtocolError::argument(format!("The argument '{name}' is too long.")));
            }
            pairs.push((name, value));
        }
        Ok(Self { verb, pairs })
    }

    fn get(&self, name: &str) -> Option<String> {
        self.pairs.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned())
    }

    fn needed(&self, name: &str) -> Result<String, ProtocolError> {
        self.get(name)
            .filter(|value| !value.is_empty())
            .ok_or_else(|| ProtocolError::argument(format!("{} requires the argument '{name}'.", self.verb)))
    }

    fn selection(&self, list: ListKind) -> Result<ListSelection, ProtocolError> {
        if let Some(text) = self.get("resumptionToken") {
            if self.pairs.len() > 1 {
                return Err(ProtocolError::argument(
                    "'resumptionToken' cannot be combined with other arguments.",
                ));
            }
            let refusal = || {
                ProtocolError::new(
                    "badResumptionToken",
                    "This token does not belong to this list or is damaged. Start the list again.",
                )
            };
            let token = ResumptionToken::decode(&text)
                .filter(|token| token.list == list.token_word())
                .ok_or_else(refusal)?;
            let mut selection =
                select(token.format.clone(), token.set.clone(), token.from.clone(), token.until.clone())
                    .map_err(|_inner| refusal())?;
            selection.resumed = Some(token);
            return Ok(selection);
        }
        let prefix = prefix(self.needed("metadataPrefix")?)?;
        select(prefix, self.get("set"), self.get("from"), self.get("until"))
    }
}

fn select(
    prefix: String,
    set: Option<String>,
    from: Option<String>,
    until: Option<String>,
) -> Result<ListSelection, ProtocolError> {
    if set.as_deref().is_some_and(|set| !is_set(set)) {
        return Err(ProtocolError::argument("'set' is not valid: use words separated by colons."));
    }
    let date = |name: &str, text: &Option<String>| match text {
        None => Ok(None),
        Some(text) => dates::parse_date(text).map(Some).ok_or_else(|| {
            ProtocolError::argument(format!(
                "'{name}' is not a date; use YYYY-MM-DD or YYYY-MM-DDThh:mm:ssZ."
            ))
        }),
    };
    let (first, last) = (date("from", &from)?, date("until", &until)?);
    if let (Some((first, one)), Some((last, other))) = (first, last) {
        if one != other {
            return Err(ProtocolError::argument("'from' and 'until' must have the same granularity."));
        }
        if first > last {
            return Err(ProtocolError::argument("'from' is later than 'until'."));
        }
    }
    let before =
        last.map(|(last, granularity): (Timestamp, DateGranularity)| dates::exclusive_end(last, granularity));
    Ok(ListSelection {
        prefix,
        set,
        from: first.map(|(first, _)| first),
        before,
        from_text: from,
        until_text: until,
        resumed: None,
    })
}

fn is_word(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.!~*'()".contains(&byte))
}

fn is_set(text: &str) -> bool {
    text.split(':').all(is_word)
}

fn prefix(text: String) -> Result<String, ProtocolError> {
    if is_word(&text) { Ok(text) } else { Err(ProtocolError::argument("'metadataPrefix' is not valid.")) }
}
