//! Host names, and URLs stored relative to their host.

use super::super::postgres::frontier::shard;
use super::database_error::DatabaseResult;
use crate::sql::{Conn, OptionalExtension, params, read_row};
use geotrawl_model::HostId;

/// Returns the id of a host, if it is known.
pub(crate) fn find_host(conn: Conn<'_>, name: &str) -> DatabaseResult<Option<HostId>> {
    let found = match conn {
        Conn::Lite(_) => conn.query_row("SELECT id FROM host WHERE name = ?1", [name], read_row),
        Conn::Pg(_) => conn
            .prepare_cached("SELECT id FROM host WHERE shard = ?1::int4 AND name = ?2")?
            .query_row(params![shard::of_name(name), name], read_row),
    };
    Ok(found.optional()?)
}

/// Returns the name of a host, or an empty string if there is no such host.
pub(crate) fn read_name(conn: Conn<'_>, id: HostId) -> DatabaseResult<String> {
    let sql = format!("SELECT h.name FROM host h WHERE {}", conn.id_condition("h", "?1"));
    Ok(conn.query_row(&sql, [id], read_row).optional()?.unwrap_or_default())
}

/// Returns the stored part of a URL: its path, or the whole URL if it does not begin with the host.
pub(crate) fn stored_path<'a>(host: &str, url: &'a str) -> &'a str {
    match url.strip_prefix(host) {
        Some(path) if path.starts_with('/') => path,
        _ => url,
    }
}

/// Restores the full URL.
pub(crate) fn full_url(host: &str, stored: &str) -> String {
    if stored.starts_with('/') { format!("{host}{stored}") } else { stored.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_url_survives_being_stored_relative_to_its_host() {
        for (host, url) in [
            ("https://example.org", "https://example.org/a?b=c"),
            ("https://example.org", "https://example.org/"),
            ("https://example.org", "https://example.org:8443/a"),
            ("https://example.org", "https://example.organisation/a"),
            ("https://example.org", "ftp://elsewhere/a"),
            ("https://example.org", "https://example.org"),
        ] {
            assert_eq!(full_url(host, stored_path(host, url)), url);
        }
    }
}
