//! Validation of user names and e-mail addresses.

/// Longest name, in characters.
const NAME_CHARACTERS: usize = 64;
/// Longest e-mail address, in bytes (RFC 5321).
const EMAIL_BYTES: usize = 254;
/// Names that the audit log uses for actions without a user.
const RESERVED: &[&str] = &["guest", "operator"];

/// Validates a user name and returns it trimmed.
pub fn check_name(name: &str) -> Result<String, String> {
    let name = name.trim();
    if name.is_empty() || name.chars().count() > NAME_CHARACTERS {
        return Err(format!("Names need 1 to {NAME_CHARACTERS} characters."));
    }
    if !name.chars().all(|c| c.is_alphanumeric() || "._-@+".contains(c)) {
        return Err("Names can only contain letters, digits and . _ - @ +".to_owned());
    }
    if RESERVED.contains(&name.to_lowercase().as_str()) {
        return Err("This name is reserved; choose another.".to_owned());
    }
    Ok(name.to_owned())
}

/// Validates an e-mail address and returns it trimmed; `None` for an empty one.
pub fn check_email(email: &str) -> Result<Option<String>, String> {
    let email = email.trim();
    if email.is_empty() {
        return Ok(None);
    }
    let shaped = email.split_once('@').is_some_and(|(user, host)| !user.is_empty() && !host.is_empty());
    if !shaped || email.len() > EMAIL_BYTES || email.chars().any(|c| c.is_control() || c.is_whitespace()) {
        return Err("This is not a valid e-mail address; use the form name@example.org.".to_owned());
    }
    Ok(Some(email.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_people_are_accepted_and_tricks_are_not() {
        for good in ["anna", "Jürgen", "a.b-c_d@example.org", " trimmed "] {
            assert!(check_name(good).is_ok(), "{good}");
        }
        for bad in ["", "  ", "a b", "a\u{202e}b", "a\nb", "<b>", "Guest", "operator", &"x".repeat(65)] {
            assert!(check_name(bad).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn addresses_need_two_sides() {
        assert_eq!(check_email(" "), Ok(None));
        assert_eq!(check_email("a@b"), Ok(Some("a@b".into())));
        for bad in ["a", "@b", "a@", "a b@c", "a@b\r\nBcc: x@y"] {
            assert!(check_email(bad).is_err(), "{bad:?}");
        }
    }
}
