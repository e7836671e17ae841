//! The plan of a web: hosts, pages, links and their content. Everything is planned at generation
//! and rendered on request.

pub(crate) mod depth;
mod files;
mod hosts;
mod links;
mod negatives;
mod reveals;
mod services;
mod titles;

use crate::charset::{CharsetDeclaration, PageCharset};
use crate::file::SparseFile;
use crate::lexicon::{LEXICONS, LanguageLexicon};
use crate::reveal::{RevealWay, ShownResource};
use crate::rng::SeededRng;
use crate::robots::{RobotsShape, RobotsSummary};
use crate::service::{PlannedEndpoint, PlannedService};
use crate::trap::Trap;
use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

pub(crate) use links::PageLinks;
pub(crate) use negatives::NegativeForm;

/// What kind of site a host is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum HostRole {
    Portal,
    /// Has services or files.
    Geo,
    /// Everything else: newspapers, blogs, companies, clubs.
    Other,
}

/// How a host publishes its sitemap.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SitemapShape {
    None,
    /// `/sitemap.xml`, announced nowhere.
    Conventional,
    /// `/sitemap.xml`, announced in robots.txt.
    Named,
    /// A sitemap index with two parts, one of them gzipped.
    Index,
    /// `/urls.txt`, announced in robots.txt.
    Text,
}

/// One host.
pub(crate) struct PlannedHost {
    pub name: String,
    /// The same host under another name: with or without `www.`.
    pub twin: Option<String>,
    pub role: HostRole,
    pub language: usize,
    pub charset: PageCharset,
    pub declared: CharsetDeclaration,
    pub title: String,
    pub organisation: String,
    pub gzip: bool,
    pub robots_shape: RobotsShape,
    pub robots: RobotsSummary,
    pub sitemap: SitemapShape,
    pub pages: Range<usize>,
    pub routes: HashMap<String, HostRoute>,
    pub traps: Vec<usize>,
    /// URLs that appear only in the sitemap.
    pub sitemap_urls: Vec<String>,
    /// Hosts of one cluster link to each other.
    pub cluster: usize,
}

impl PlannedHost {
    pub(crate) fn lexicon(&self) -> &'static LanguageLexicon {
        &LEXICONS[self.language]
    }

    pub(crate) fn url(&self, target: &str) -> String {
        format!("http://{}{target}", self.name)
    }
}

/// Content at a path.
#[derive(Debug, Clone)]
pub(crate) enum HostRoute {
    Page(usize),
    /// Endpoints that share a path and differ in their vendor parameter.
    Endpoints(Vec<usize>),
    File(usize),
    Negative(usize),
    /// A document that reveals a resource: feed, script, configuration, ...
    Document(usize),
    /// A redirect with this status that keeps the query.
    Moved(u16, String),
}

/// One HTML page.
pub(crate) struct PlannedPage {
    pub host: usize,
    /// Path, possibly with a query.
    pub target: String,
    pub title: String,
    pub blocks: u16,
    pub seed: u64,
    /// Has `nofollow` in its robots meta element.
    pub nofollow: bool,
    /// Only linked from the sitemap.
    pub orphan: bool,
}

/// One data file.
pub(crate) struct DataFile {
    pub kind: &'static str,
    pub host: usize,
    pub target: String,
    pub title: String,
    pub bbox: [f64; 4],
    pub content_type: &'static str,
    /// The content: in memory if small, else sparse.
    pub file: Arc<SparseFile>,
    pub ranges: bool,
    /// Whether its URL reveals what it is.
    pub hinted: bool,
    pub datasets: Option<usize>,
    pub names: Vec<String>,
}

/// A look-alike: something that is not a resource.
pub(crate) struct NegativePlace {
    pub form: &'static NegativeForm,
    pub host: usize,
    /// Path, possibly with a vendor parameter.
    pub target: String,
    /// URL as shown on pages.
    pub url: String,
    pub seed: u64,
}

/// What a discovery method shows: a service (all services of its endpoint) or a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum RevealSubject {
    Endpoint(usize),
    File(usize),
    Negative(usize),
}

/// A place where a subject is shown.
pub(crate) struct PlannedReveal {
    pub subject: RevealSubject,
    pub way: &'static RevealWay,
    /// The page that shows it, or that links to the document that does; for sitemaps the host's
    /// first page.
    pub page: usize,
    pub shown: ShownResource,
}

/// The complete plan.
pub(crate) struct WorldPlan {
    pub seed: u64,
    pub hosts: Vec<PlannedHost>,
    pub host_ids: HashMap<String, usize>,
    pub pages: Vec<PlannedPage>,
    pub links: PageLinks,
    pub endpoints: Vec<PlannedEndpoint>,
    pub services: Vec<PlannedService>,
    pub files: Vec<DataFile>,
    pub negatives: Vec<NegativePlace>,
    pub traps: Vec<Trap>,
    pub reveals: Vec<PlannedReveal>,
    /// Reveals per page, by index into `reveals`.
    pub page_reveals: HashMap<usize, Vec<usize>>,
    pub portals: usize,
    /// Links of a page besides those to other pages.
    pub extra_links: HashMap<usize, Vec<String>>,
}

/// Size of a web.
#[derive(Debug, Clone, Copy)]
pub(crate) struct WebSize {
    pub hosts: usize,
    pub pages: usize,
    /// Hosts have nearly the same size and behave well.
    pub even: bool,
}

impl WorldPlan {
    pub(crate) fn generate(seed: u64, size: WebSize) -> Self {
        let rng = SeededRng::new(seed);
        let mut world = Self {
            seed,
            hosts: Vec::new(),
            host_ids: HashMap::new(),
            pages: Vec::new(),
            links: PageLinks::default(),
            endpoints: Vec::new(),
            services: Vec::new(),
            files: Vec::new(),
            negatives: Vec::new(),
            traps: Vec::new(),
            reveals: Vec::new(),
            page_reveals: HashMap::new(),
            portals: 0,
            extra_links: HashMap::new(),
        };
        hosts::plan_hosts(&mut world, size, rng.fork(1));
        hosts::plan_pages(&mut world, size, rng.fork(2));
        services::plan_services(&mut world, size, rng.fork(3));
        files::plan_files(&mut world, size, rng.fork(4));
        if !size.even {
            negatives::plan_negatives(&mut world, rng.fork(5));
            crate::trap::plan_traps(&mut world, rng.fork(6));
        }
        reveals::plan_reveals(&mut world, rng.fork(7));
        titles::plan_titles(&mut world, rng.fork(9));
        world.links = links::plan_links(&world, rng.fork(8));
        world
    }

    pub(crate) fn page_url(&self, page: usize) -> String {
        let page = &self.pages[page];
        self.hosts[page.host].url(&page.target)
    }
}
