//! Validates collections.

use crate::task_rules::next_schedule_time;
use geotrawl_model::collection::CollectionSpec;
use jiff::Timestamp;
use url::Url;

/// Maximum number of queries, pages and engines of a collection.
pub const MOST_NAMED: usize = 200;

/// Maximum depth of a collection.
pub const MOST_DEPTH: u32 = 5;

/// Checks whether a collection is valid. The error names the invalid member and what is wrong with
/// it.
pub fn check_collection(
    spec: &CollectionSpec,
    now: Timestamp,
) -> std::result::Result<(), (&'static str, String)> {
    let fail = |member: &'static str, message: &str| Err((member, message.to_owned()));
    let line = |text: &str, most: usize| text.chars().count() <= most && !text.chars().any(char::is_control);
    if spec.title.trim().is_empty() || !line(&spec.title, 200) {
        return fail("title", "the title must be one line of 1 to 200 characters");
    }
    if spec.description.chars().count() > 10_000 {
        return fail("description", "must have at most 10000 characters");
    }
    let lists = [
        ("queries", &spec.queries),
        ("engines", &spec.engines),
        ("pages", &spec.pages),
        ("about", &spec.about),
    ];
    for (member, values) in lists {
        if values.len() > MOST_NAMED {
            return fail(member, "must have at most 200 entries");
        }
        if values.iter().any(|value| value.trim().is_empty() || !line(value, 2_000)) {
            return fail(member, "each entry must be one line of 1 to 2000 characters");
        }
    }
    for (member, values) in [("pages", &spec.pages), ("about", &spec.about)] {
        for value in values {
            match Url::parse(value) {
                Ok(url)
                    if matches!(url.scheme(), "http" | "https")
                        && url.host_str().is_some()
                        && url.username().is_empty()
                        && url.password().is_none() => {}
                _ => {
                    return fail(
                        member,
                        "addresses must begin with http:// or https:// and carry no password",
                    );
                }
            }
        }
    }
    if spec.pages.is_empty() && spec.engines.is_empty() {
        return fail(
            "pages",
            "add at least one page or search engine; otherwise there would be nothing to archive",
        );
    }
    if !(1..=100).contains(&spec.top) {
        return fail("top", "must be between 1 and 100");
    }
    if spec.depth > MOST_DEPTH {
        return fail("depth", "must be at most 5");
    }
    if !["host", "domain", "any"].contains(&spec.scope.as_str()) {
        return fail("scope", "must be one of host, domain, any");
    }
    for (member, value) in [("likeness", spec.likeness), ("aboutness", spec.aboutness)] {
        if !(0.0..=1.0).contains(&value) {
            return fail(member, "must be a number between 0 and 1");
        }
    }
    if !(1..=100_000).contains(&spec.max_pages) {
        return fail("max_pages", "must be between 1 and 100000");
    }
    if spec.max_requisites > 1_000_000 {
        return fail("max_requisites", "must be at most 1000000");
    }
    if !(1_024..=256 << 20).contains(&spec.max_bytes) {
        return fail("max_bytes", "must be between 1 KiB and 256 MiB");
    }
    if !(spec.max_bytes..=1 << 40).contains(&spec.max_run_bytes) {
        return fail("max_run_bytes", "must be between max_bytes and 1 TiB");
    }
    match &spec.schedule {
        Some(text) => next_schedule_time(text, now).map(|_| ()).or_else(|message| fail("schedule", &message)),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_kept_is_named() {
        let now = "2026-11-16T06:15:10Z".parse().unwrap();
        let good = CollectionSpec {
            title: "Clouds".into(),
            pages: vec!["http://a.example/".into()],
            ..Default::default()
        };
        assert_eq!(check_collection(&good, now), Ok(()));
        let fault = |change: &dyn Fn(&mut CollectionSpec)| {
            let mut spec = good.clone();
            change(&mut spec);
            check_collection(&spec, now).unwrap_err().0
        };
        assert_eq!(fault(&|spec| spec.title.clear()), "title");
        assert_eq!(fault(&|spec| spec.pages = vec!["ftp://a.example/".into()]), "pages");
        assert_eq!(fault(&|spec| spec.about = vec!["http://u:p@a.example/".into()]), "about");
        assert_eq!(fault(&|spec| spec.pages.clear()), "pages");
        assert_eq!(fault(&|spec| spec.depth = 9), "depth");
        assert_eq!(fault(&|spec| spec.scope = "moon".into()), "scope");
        assert_eq!(fault(&|spec| spec.likeness = f64::NAN), "likeness");
        assert_eq!(fault(&|spec| spec.max_bytes = 0), "max_bytes");
        assert_eq!(fault(&|spec| spec.max_run_bytes = 2_000), "max_run_bytes");
        assert_eq!(fault(&|spec| spec.schedule = Some("often".into())), "schedule");
    }
}
