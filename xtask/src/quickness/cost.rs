//! What ranking costs: nanoseconds for a link, a page and a lesson, and the memory of a model that is full.

use super::graph::Graph;
use geotrawl_rank::{Lesson, Link, Ordering, Origin, Page, Topic};
use rustix::time::{ClockId, clock_gettime};
use std::hint::black_box;

/// Links, pages and lessons are timed so often.
const TIMES: usize = 400_000;
/// Distinct hosts in the memory of the full model: more than it remembers.
const HOSTS: usize = 400_000;

pub fn tell(graph: &Graph) -> anyhow::Result<()> {
    for name in ["learned", "atf", "cosine", "hints", "polarhub", "fifo"] {
        let ordering = geotrawl_rank::ordering(name, &Topic::default(), None)?;
        super::replay::replay(graph, &*ordering, 5_000);
        let pages: Vec<(Page<'_>, Origin)> = graph
            .nodes
            .iter()
            .map(|node| Page {
                url: &node.url,
                title: &node.title,
                language: node.language.as_deref(),
                terms: &node.terms,
                words: node.words,
                shows: node.shows,
                depth: 2,
                distance: 1,
            })
            .map(|page| (page, ordering.origin(&page)))
            .collect();
        let links = graph.nodes.iter().zip(&pages).flat_map(|(node, (_, origin))| {
            node.links.iter().map(|edge| Link {
                url: &graph.nodes[edge.to as usize].url,
                words: &edge.words,
                way: &edge.way,
                depth: 3,
                width: 1,
                origin: *origin,
            })
        });
        let links: Vec<Link<'_>> = links.take(TIMES).collect();
        let weigh = nanoseconds(links.len(), |at| {
            black_box(ordering.weigh(&links[at]));
        });
        let origin = nanoseconds(pages.len(), |at| {
            black_box(ordering.origin(&pages[at].0));
        });
        let learn = nanoseconds(links.len(), |at| {
            ordering.learn(&Lesson { link: links[at], page: None, gained: u32::from(at % 50 == 0) });
        });
        println!("{name:<9} weigh {weigh:5.0} ns   origin {origin:5.0} ns   learn {learn:5.0} ns");
    }
    Ok(())
}

fn nanoseconds(times: usize, mut work: impl FnMut(usize)) -> f64 {
    // Processor time: the machine may be busy with other things.
    let clock = || {
        let now = clock_gettime(ClockId::ThreadCPUTime);
        now.tv_sec as f64 * 1e9 + now.tv_nsec as f64
    };
    let started = clock();
    for at in 0..times {
        work(at);
    }
    (clock() - started) / times.max(1) as f64
}

/// Fills a model beyond what it remembers.
pub fn full() -> anyhow::Result<()> {
    let before = resident()?;
    let ordering = geotrawl_rank::ordering("learned", &Topic::default(), None)?;
    teach(&*ordering);
    let (after, saved) = (resident()?, ordering.save().len());
    println!("learned, full: {:.1} MB in memory, {:.2} MB saved", (after - before) / 1e6, saved as f64 / 1e6);
    Ok(())
}

fn teach(ordering: &dyn Ordering) {
    for number in 0..HOSTS {
        let url = format!(
            "http://host{number}.town{}.example/part{}/sub/page{number}.html",
            number / 3,
            number % 7
        );
        let words = format!("word{number} about{number}");
        let link =
            Link { url: &url, words: &words, way: "href", depth: 3, width: 1, origin: Origin::default() };
        ordering.learn(&Lesson { link, page: None, gained: u32::from(number % 9 == 0) });
    }
}

/// Bytes of this process in memory.
fn resident() -> anyhow::Result<f64> {
    let pages = std::fs::read_to_string("/proc/self/statm")?;
    let pages: f64 = pages.split_ascii_whitespace().nth(1).unwrap_or("0").parse()?;
    Ok(pages * 4096.0)
}
