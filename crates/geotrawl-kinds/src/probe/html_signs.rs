//! Detects login forms and firewall pages.

use memchr::memmem;

/// Number of bytes of a page that are searched.
const LOOK: usize = 256 * 1024;

/// Markers of firewalls and bot checks, in lower case.
const FIREWALLS: &[&str] = &[
    "cf-chl",
    "cf-browser-verification",
    "challenge-platform",
    "attention required! | cloudflare",
    "_incapsula_resource",
    "incapsula incident",
    "request unsuccessful. incapsula",
    "the requested url was rejected. please consult with your administrator",
    "errors.edgesuite.net",
    "captcha-delivery.com",
    "px-captcha",
    "awswafintegration",
    "gokuprops",
    "sucuri website firewall",
    "ddos protection by",
    "checking your browser before accessing",
    "bunkerweb",
    "this request was blocked by our security service",
    "web application firewall",
    "fortigate application control",
    "fortiguard intrusion prevention",
    "barracuda networks, inc. all rights reserved",
];

/// Markers of login pages, in lower case.
const LOGINS: &[&str] = &[
    "type=\"password\"",
    "type='password'",
    "type=password",
    "samlrequest",
    "/oauth2/authorize",
    "/oauth/authorize",
    "/oauth2/v2.0/authorize",
    "login.microsoftonline.com",
    "j_security_check",
    "openid-connect/auth",
];

/// Returns whether a page comes from a firewall.
pub fn is_firewall(page: &[u8]) -> bool {
    has_any(page, FIREWALLS)
}

/// Returns whether a page asks for a login.
pub fn is_login(page: &[u8]) -> bool {
    has_any(page, LOGINS)
}

fn has_any(page: &[u8], marks: &[&str]) -> bool {
    let lower = page[..page.len().min(LOOK)].to_ascii_lowercase();
    marks.iter().any(|mark| memmem::find(&lower, mark.as_bytes()).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn login_forms_and_firewalls_are_known() {
        assert!(is_login(b"<form><INPUT name=p TYPE=\"PASSWORD\"></form>"));
        assert!(!is_login(b"<p>Your password is safe with us</p>"));
        assert!(is_firewall(b"<title>Attention Required! | Cloudflare</title>"));
        assert!(is_firewall(b"The requested URL was rejected. Please consult with your administrator."));
        assert!(!is_firewall(b"<h1>Map services</h1>"));
    }
}
