//! Command line of `crawl`.

use super::values;
use clap::Args;

/// Arguments of `crawl`.
#[derive(Debug, Args)]
pub struct CrawlArgs {
    /// Addresses to start from: pages, sites, services or files
    #[arg(required_unless_present_any = ["seeds_from", "engines"], value_name = "SEED")]
    pub seeds: Vec<String>,
    /// Start from a list stored by `geotrawl seeds import` (repeatable)
    #[arg(long = "seeds", value_name = "LIST", id = "seeds_from")]
    pub lists: Vec<String>,
    /// Maximum number of links between a seed and a page; resources that those pages link to are
    /// still verified [default: 2]
    #[arg(long, value_name = "N")]
    pub depth: Option<u32>,
    /// Stop after reading N pages
    #[arg(long, value_name = "N")]
    pub max_pages: Option<u64>,
    /// Maximum number of requests per host [default: 10000]
    #[arg(long, value_name = "N")]
    pub max_per_host: Option<u64>,
    /// Which links to follow: host, domain or any [default: any]
    #[arg(long, value_name = "SCOPE")]
    pub scope: Option<geotrawl_crawl::options::CrawlScope>,
    /// With a narrower scope, still verify services and files outside of it
    #[arg(long)]
    pub prove_outside: bool,
    /// Read only pages whose path starts with PATH (repeatable; does not apply to seeds)
    #[arg(long, value_name = "PATH")]
    pub path_prefix: Vec<String>,
    /// Find only these kinds, e.g. wms,wfs,kml (repeatable)
    #[arg(long = "kind", visible_alias = "kinds", value_name = "KIND,...", value_delimiter = ',', value_parser = values::KindParser)]
    #[arg(hide_possible_values = true)]
    pub kinds: Vec<String>,
    /// Keep only resources that intersect this box or have no known extent: west,south,east,north,
    /// or a place name
    #[arg(long, value_name = "W,S,E,N|PLACE", allow_hyphen_values = true, value_parser = values::bbox)]
    pub bbox: Option<geotrawl_model::Bbox>,
    /// Open groups of ten seeds one after another, at most N groups, each when the one before is
    /// exhausted [default: all seeds at once]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub width: Option<u32>,
    /// Follow at most N links per page
    #[arg(long, value_name = "N")]
    pub links_per_page: Option<u32>,
    /// Follow only pages in these languages (ISO 639-1), e.g. de,fr
    #[arg(long, value_delimiter = ',', value_name = "CODE,...")]
    pub languages: Vec<String>,
    /// Stop after N seconds
    #[arg(long, value_name = "N")]
    pub max_seconds: Option<u64>,
    /// Give up on a group of seeds or a branch of a site after N pages in a row without a new find;
    /// 0 = never
    #[arg(long, value_name = "N")]
    pub patience: Option<u32>,
    /// Subjects of the crawl, e.g. "flood zones, land cover"
    #[arg(long, value_delimiter = ',', value_name = "WORDS,...")]
    pub keywords: Vec<String>,
    /// Query these configured search engines for seeds, with the keywords (see `geotrawl seeds
    /// engines`)
    #[arg(long, value_delimiter = ',', value_name = "NAME,...", requires = "keywords")]
    pub engines: Vec<String>,
    // The help is a function because it lists the available rankings.
    #[arg(long, value_name = "NAME", help = orderings(), value_parser = geotrawl_crawl::options::parse_ranking_name)]
    pub ordering: Option<String>,
    /// Do not analyze the scripts of map applications
    #[arg(long)]
    pub no_scripts: bool,
    /// Render map applications in a browser (Chromium) when their code reveals nothing
    #[arg(long, conflicts_with = "no_scripts")]
    pub render: bool,
    /// Name of the task; reuse it to resume an interrupted task [default: derived from seeds and
    /// options]
    #[arg(long, value_name = "NAME")]
    pub task: Option<String>,
    /// Accepted for compatibility; has no effect
    #[arg(long, hide = true)]
    pub no_check: bool,
}

fn orderings() -> String {
    let names: Vec<&str> = geotrawl_rank::ORDERINGS.iter().map(|choice| choice.name).collect();
    let default = geotrawl_crawl::options::default_ranking();
    format!("Order in which pages are read: {} [default: {default}]", names.join(", "))
}
