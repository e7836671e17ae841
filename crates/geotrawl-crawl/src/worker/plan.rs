//! From what a person asks for to a crawl: the one place where a task's words become options.

use crate::options::{CrawlOptions, parse_ranking_name};
use crate::seeds::search::MetaSearchRequest;
use geotrawl_model::focus::IndicativeTerm;
use geotrawl_model::task::{JobKind, JobSpec};

/// The options of a task; `defaults` are the operator's.
pub fn crawl_options(spec: &JobSpec, defaults: &CrawlOptions) -> Result<CrawlOptions, String> {
    let shared = CrawlOptions {
        kinds: spec.kinds.clone(),
        bbox: spec.area,
        render: spec.render,
        max_pages: spec.max_pages,
        ordering: parse_ranking_name(&spec.ordering).map_err(|error| format!("The ordering {error}"))?,
        scope: spec.scope.parse().map_err(|error| format!("The scope {error}"))?,
        ..defaults.clone()
    };
    Ok(match spec.kind {
        JobKind::Crawl => CrawlOptions {
            depth: spec.depth,
            width: spec.width,
            links_per_page: spec.links_per_page,
            languages: spec.languages.clone(),
            max_seconds: spec.max_minutes.map(|minutes| u64::from(minutes) * 60),
            patience: spec.patience,
            keywords: spec.keywords.clone(),
            max_per_host: spec.max_per_host.unwrap_or(defaults.max_per_host),
            ..shared
        },
        // As the command `harvest` does: the whole catalogue and what its records lead to, and of one that was
        // read before what has changed. What records lead to may be anywhere.
        JobKind::Harvest => CrawlOptions {
            depth: 0,
            max_per_host: spec.max_per_host.unwrap_or(u64::MAX),
            harvest_pages: u32::MAX,
            prove_records: true,
            incremental: true,
            scope: defaults.scope,
            ..shared
        },
    })
}

/// What search engines are asked for a task; `terms` are words that its earlier runs have found telling.
pub fn search_request(spec: &JobSpec, terms: Vec<IndicativeTerm>) -> MetaSearchRequest {
    MetaSearchRequest {
        keywords: spec.keywords.clone(),
        engines: spec.engines.clone(),
        languages: spec.languages.clone(),
        terms: terms.into_iter().map(|term| (term.term, term.gained)).collect(),
        ..MetaSearchRequest::with_width(spec.width)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::CrawlScope;

    #[test]
    fn a_crawl_and_a_harvest_are_what_the_commands_make() {
        let spec = JobSpec { depth: 4, width: Some(3), ordering: "fifo".into(), ..JobSpec::default() };
        let options_of = |spec: &JobSpec| crawl_options(spec, &CrawlOptions::default()).unwrap();
        let crawl = options_of(&spec);
        assert_eq!((crawl.depth, crawl.width, crawl.scope), (4, Some(3), CrawlScope::Domain));
        assert_eq!((crawl.ordering.as_str(), crawl.max_per_host), ("fifo", 10_000));
        let harvest = options_of(&JobSpec { kind: JobKind::Harvest, ..spec.clone() });
        assert_eq!((harvest.depth, harvest.harvest_pages, harvest.incremental), (0, u32::MAX, true));
        assert_eq!((harvest.scope, harvest.max_per_host), (CrawlScope::Any, u64::MAX));
        let odd = crawl_options(&JobSpec { scope: "moon".into(), ..spec }, &CrawlOptions::default());
        assert!(odd.unwrap_err().contains("moon"));
        let odd = crawl_options(
            &JobSpec { ordering: "best".into(), ..JobSpec::default() },
            &CrawlOptions::default(),
        );
        assert!(odd.unwrap_err().contains("best"));
    }
}
