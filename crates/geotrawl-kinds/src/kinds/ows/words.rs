//! Texts without information: defaults of server software, and the many spellings of "none".

/// Spellings of "no fees", "no constraints" and the like, in lower case, without punctuation.
const NONE: &[&str] = &[
    "",
    "0",
    "aucun",
    "aucune",
    "aucuns",
    "aucuns frais",
    "aucune contrainte",
    "brak",
    "brak opłat",
    "ei mitään",
    "ei rajoituksia",
    "fees",
    "free of charge",
    "geen",
    "geen beperkingen",
    "geen kosten",
    "inga",
    "inga avgifter",
    "ingen",
    "keine",
    "keine angabe",
    "keine angaben",
    "keine beschränkungen",
    "keine einschränkungen",
    "keine gebühren",
    "keine kosten",
    "kostenlos",
    "n a",
    "na",
    "nein",
    "nenhuma",
    "nenhum",
    "nessuna",
    "nessuno",
    "nije primjenjivo",
    "nincs",
    "ninguna",
    "ninguno",
    "no",
    "no access constraints",
    "no constraints",
    "no fee",
    "no fees",
    "no limitations",
    "no restrictions",
    "none",
    "none specified",
    "none stated",
    "not applicable",
    "not specified",
    "null",
    "puudub",
    "puuduvad",
    "sin coste",
    "sin restricciones",
    "tbd",
    "undefined",
    "unknown",
    "unset",
    "žádná",
    "žádné",
];

/// Default contact data of GeoServer and others.
const BOILERPLATE: &[&str] = &[
    "claudius ptolomaeus",
    "claudius ptolomaeus gmail com",
    "claudius.ptolomaeus@gmail.com",
    "the ancient geographes inc",
    "the ancient geographers inc",
    "the ancient geographers",
    "chief geographer",
    "alexandria",
    "egypt",
    "unknown",
    "none",
    "null",
    "your name",
    "your organization",
    "your organisation",
    "organization",
    "organization name",
    "unknown organization",
    "lastname, firstname",
    "position title",
    "your.email@example.com",
    "you@example.com",
    "you@yourdomain.org",
    "your@mail.com",
    "email@example.com",
    "+xx-xxx-xxx-xxxx",
    "+xx-xxx-xxx-xxxx ext. xxxx",
    "xxx",
    "todo",
    "tbd",
    "n/a",
    "-",
];

/// Returns whether a text about fees or constraints says that there are none.
pub fn says_none(text: &str) -> bool {
    if text.len() > 64 {
        return false;
    }
    let mut plain = String::with_capacity(text.len());
    for word in text.split(|c: char| !c.is_alphanumeric()).filter(|w| !w.is_empty()) {
        if !plain.is_empty() {
            plain.push(' ');
        }
        plain.extend(word.chars().flat_map(char::to_lowercase));
    }
    NONE.contains(&plain.as_str())
}

/// Returns whether a contact field holds a default of the software.
pub fn is_boilerplate(text: &str) -> bool {
    text.len() <= 64 && BOILERPLATE.contains(&text.trim().to_lowercase().as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn none_is_known_in_its_spellings() {
        for none in
            ["NONE", "none", "None.", "(none)", "keine", "Keine Gebühren", "n/a", "-", "NO FEES!", "aucun"]
        {
            assert!(says_none(none), "{none}");
        }
        for some in ["CC BY 4.0", "10 EUR", "Keine Weitergabe an Dritte", "no commercial use"] {
            assert!(!says_none(some), "{some}");
        }
    }

    #[test]
    fn default_contacts_are_known() {
        assert!(is_boilerplate("Claudius Ptolomaeus"));
        assert!(is_boilerplate("claudius.ptolomaeus@gmail.com"));
        assert!(!is_boilerplate("Bundesamt für Landestopografie"));
    }
}
