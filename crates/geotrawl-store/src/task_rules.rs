//! Validates tasks and schedules.

use geotrawl_kinds::kinds::KINDS;
use geotrawl_model::task::JobSpec;
use geotrawl_rank::ORDERINGS;
use jiff::Timestamp;
use jiff::tz::Offset;
use std::str::FromStr;
use url::Url;

/// Returns the first time after `now` that matches a cron expression (five fields, UTC), or what is
/// wrong with it.
pub fn next_schedule_time(text: &str, now: Timestamp) -> std::result::Result<Timestamp, String> {
    const HOW: &str = "write minute, hour, day of month, month and day of week, as in \"30 4 * * 1\" for every \
                       Monday at 4:30 UTC";
    if text.len() > 200 || text.split_whitespace().count() != 5 {
        return Err(format!("a schedule must have five fields: {HOW}"));
    }
    let cron = croner::Cron::from_str(text.trim())
        .map_err(|error| format!("not a valid schedule ({error}): {HOW}"))?;
    let next = cron
        .find_next_occurrence(&Offset::UTC.to_datetime(now), false)
        .map_err(|_never| "this schedule never matches any time".to_owned())?;
    Offset::UTC.to_timestamp(next).map_err(|_far| "the next time of this schedule is out of range".to_owned())
}

/// Maximum number of seeds of a task.
pub const MOST_SEEDS: usize = 1_000;

/// Maximum number of keywords of a task.
pub const MOST_KEYWORDS: usize = 50;

/// Maximum depth of a task.
pub const MOST_DEPTH: u32 = 50;

/// Maximum of all other numbers of a task.
pub const MOST_COUNT: u64 = 1_000_000_000;

/// Checks whether a task is valid. The error names the invalid member and what is wrong with it.
pub fn check_job_spec(spec: &JobSpec, now: Timestamp) -> std::result::Result<(), (&'static str, String)> {
    let fail = |member: &'static str, message: String| Err((member, message));
    let unclean = |text: &str| text.chars().any(char::is_control);
    if spec.title.chars().count() > 200 || unclean(&spec.title) {
        return fail("title", "the title must be one line of at most 200 characters".into());
    }
    if spec.keywords.len() > MOST_KEYWORDS {
        return fail("keywords", format!("a task can have at most {MOST_KEYWORDS} keywords"));
    }
    if spec.keywords.iter().any(|word| word.trim().is_empty() || word.chars().count() > 100 || unclean(word))
    {
        return fail("keywords", "a keyword must have 1 to 100 characters".into());
    }
    if spec.seeds.is_empty() && spec.lists.is_empty() && spec.engines.is_empty() {
        return fail("seeds", "add at least one address, list or search engine to start from".into());
    }
    if !spec.engines.is_empty() && spec.keywords.is_empty() {
        return fail("keywords", "search engines require at least one keyword".into());
    }
    if spec.engines.len() > 20 || spec.engines.iter().any(|name| name.is_empty() || name.chars().count() > 60)
    {
        return fail("engines", "a task can use at most 20 search engines, by name".into());
    }
    let is_language = |code: &String| code.len() == 2 && code.bytes().all(|byte| byte.is_ascii_lowercase());
    if spec.languages.len() > 50 || !spec.languages.iter().all(is_language) {
        return fail("languages", "languages must be two-letter codes (ISO 639-1), e.g. de".into());
    }
    if spec.max_minutes.is_some_and(|minutes| minutes == 0 || minutes > 60 * 24 * 366) {
        return fail("max_minutes", "a task can run between 1 minute and one year".into());
    }
    if spec.patience.is_some_and(|pages| u64::from(pages) > MOST_COUNT) {
        return fail("patience", format!("must be a number between 0 and {MOST_COUNT}"));
    }
    if spec.seeds.len() > MOST_SEEDS {
        return fail("seeds", format!("a task can have at most {MOST_SEEDS} seeds; import more as a list"));
    }
    for seed in &spec.seeds {
        check_seed(seed).or_else(|message| fail("seeds", message))?;
    }
    if spec.lists.len() > 50 || spec.lists.iter().any(|list| list.is_empty() || list.chars().count() > 200) {
        return fail("lists", "a task can have at most 50 lists, by name".into());
    }
    if spec.depth > MOST_DEPTH {
        return fail("depth", format!("the depth must be at most {MOST_DEPTH}"));
    }
    for (member, number) in [("width", spec.width), ("links_per_page", spec.links_per_page)] {
        if number.is_some_and(|number| number == 0 || u64::from(number) > MOST_COUNT) {
            return fail(member, "must be at least 1; omit it for no limit".into());
        }
    }
    for (member, number) in [("max_pages", spec.max_pages), ("max_per_host", spec.max_per_host)] {
        if number.is_some_and(|number| !(1..=MOST_COUNT).contains(&number)) {
            return fail(member, format!("must be a number between 1 and {MOST_COUNT}"));
        }
    }
    if !["host", "domain", "any"].contains(&spec.scope.as_str()) {
        return fail("scope", "must be one of host, domain, any".into());
    }
    if !ORDERINGS.iter().any(|choice| choice.name == spec.ordering) {
        let names: Vec<_> = ORDERINGS.iter().map(|choice| choice.name).collect();
        return fail("ordering", format!("must be one of {}", names.join(", ")));
    }
    if let Some(kind) = spec.kinds.iter().find(|kind| !KINDS.iter().any(|known| known.profile().id == **kind))
    {
        let kind: String = kind.chars().take(60).collect();
        return fail("kinds", format!("'{kind}' is not a kind"));
    }
    if spec.kinds.len() > KINDS.len() {
        return fail("kinds", "a kind is listed twice".into());
    }
    if let Some(area) = spec.area {
        let lon = |degrees: f64| (-180.0..=180.0).contains(&degrees);
        let lat = |degrees: f64| (-90.0..=90.0).contains(&degrees);
        if !(lon(area.west)
            && lon(area.east)
            && lat(area.south)
            && lat(area.north)
            && area.south <= area.north)
        {
            return fail(
                "area",
                "must be west, south, east, north in degrees, with south not above north".into(),
            );
        }
    }
    match &spec.schedule {
        Some(text) => next_schedule_time(text, now).map(|_| ()).or_else(|message| fail("schedule", message)),
        None => Ok(()),
    }
}

fn check_seed(seed: &str) -> std::result::Result<(), String> {
    let shown: String = seed.chars().take(200).collect();
    if seed.len() > 4_000 {
        return Err(format!("'{shown}...' is too long for an address"));
    }
    let with_scheme = if seed.contains("://") { seed.to_owned() } else { format!("http://{seed}") };
    match Url::parse(&with_scheme) {
        Ok(url) if !matches!(url.scheme(), "http" | "https") => {
            Err(format!("'{shown}': only http and https addresses can be crawled"))
        }
        Ok(url) if url.host_str().is_none() => Err(format!("'{shown}' has no host name")),
        Ok(url) if !url.username().is_empty() || url.password().is_some() => Err(format!(
            "'{}' contains a user name or password, which seeds must not",
            url.host_str().unwrap_or_default()
        )),
        Ok(_) => Ok(()),
        Err(error) => Err(format!("'{shown}' is not a web address: {error}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use geotrawl_model::Bbox;

    fn at(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    #[test]
    fn schedules_are_five_fields_in_utc() {
        let now = at("2026-11-16T06:15:10Z");
        assert_eq!(next_schedule_time("30 4 * * 1", now).unwrap(), at("2026-11-23T04:30:00Z"));
        assert_eq!(next_schedule_time("*/15 * * * *", now).unwrap(), at("2026-11-16T06:30:00Z"));
        assert_eq!(
            next_schedule_time("15 6 * * *", at("2026-11-16T06:15:00Z")).unwrap(),
            at("2026-11-17T06:15:00Z")
        );
        for bad in ["", "* * * *", "* * * * * *", "61 * * * *", "a b c d e", "0 0 31 2 *", "@daily"] {
            let message = next_schedule_time(bad, now).unwrap_err();
            assert!(message.contains("schedule"), "{bad}: {message}");
        }
    }

    #[test]
    fn what_cannot_be_kept_is_named() {
        let now = at("2026-11-16T06:15:10Z");
        let good = JobSpec { seeds: vec!["https://example.org/".into()], ..JobSpec::default() };
        assert_eq!(check_job_spec(&good, now), Ok(()));
        let fault = |change: &dyn Fn(&mut JobSpec)| {
            let mut spec = good.clone();
            change(&mut spec);
            check_job_spec(&spec, now).unwrap_err().0
        };
        assert_eq!(fault(&|spec| spec.seeds.clear()), "seeds");
        assert_eq!(fault(&|spec| spec.seeds = vec!["ftp://example.org/".into()]), "seeds");
        assert_eq!(fault(&|spec| spec.seeds = vec!["http://a:b@example.org/".into()]), "seeds");
        assert_eq!(fault(&|spec| spec.seeds = vec!["http://a.example/".into(); 1001]), "seeds");
        assert_eq!(fault(&|spec| spec.depth = 51), "depth");
        assert_eq!(fault(&|spec| spec.scope = "moon".into()), "scope");
        assert_eq!(fault(&|spec| spec.kinds = vec!["nonsense".into()]), "kinds");
        assert_eq!(fault(&|spec| spec.schedule = Some("often".into())), "schedule");
        assert_eq!(fault(&|spec| spec.title = "x".repeat(201)), "title");
        let area = Bbox { west: 0.0, south: 10.0, east: 5.0, north: -10.0 };
        assert_eq!(fault(&|spec| spec.area = Some(area)), "area");
        assert_eq!(fault(&|spec| spec.max_pages = Some(0)), "max_pages");
    }
}
