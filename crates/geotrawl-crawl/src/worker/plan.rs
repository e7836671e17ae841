//! Converts the settings of a task into options of a crawl. This is the only place that does.

use crate::options::{CrawlOptions, parse_ranking_name};
use crate::seeds::search::MetaSearchRequest;
use geotrawl_model::focus::IndicativeTerm;
use geotrawl_model::task::{JobKind, JobSpec};

/// Returns the crawl options of a task; `defaults` are those of the operator.
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
        // Like the command `harvest`: reads the whole catalogue and the links of its records, or
        // only the changes if it was read before. The links may lead anywhere.
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

/// Returns the search request of a task; `terms` are indicative words of its earlier runs.
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
