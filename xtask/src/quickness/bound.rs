//! What could be reached by somebody who knows where everything is: always the nearest gain.

use super::graph::Graph;
use super::replay::Replay;
use std::collections::{HashSet, VecDeque};

/// Goes to the page with the most gain per page on the way, again and again; then reads the rest.
pub fn bound(graph: &Graph) -> Replay {
    let mut walk = Walk {
        graph,
        away: vec![u32::MAX; graph.nodes.len()],
        from: vec![u32::MAX; graph.nodes.len()],
        met: vec![false; graph.hosts.len()],
        known: HashSet::new(),
        replay: Replay { services: graph.services, ..Replay::default() },
    };
    for &seed in &graph.seeds {
        walk.relax(seed, 1, u32::MAX);
    }
    let paying: Vec<u32> =
        (0..graph.nodes.len() as u32).filter(|&node| !graph.nodes[node as usize].proves.is_empty()).collect();
    loop {
        let mut best: Option<(f64, u32)> = None;
        for &node in &paying {
            let away = walk.away[node as usize];
            if away == 0 || away == u32::MAX {
                continue;
            }
            let gain = graph.nodes[node as usize].proves.iter().filter(|r| !walk.known.contains(r)).count();
            let worth = gain as f64 / f64::from(away);
            if gain > 0 && best.is_none_or(|(most, _)| worth > most) {
                best = Some((worth, node));
            }
        }
        let Some((_, target)) = best else { break };
        let mut way = vec![target];
        while let Some(&last) = way.last()
            && walk.away[last as usize] > 1
            && walk.from[last as usize] != u32::MAX
        {
            way.push(walk.from[last as usize]);
        }
        for node in way.into_iter().rev() {
            walk.visit(node);
        }
    }
    let rest: Vec<u32> =
        (0..graph.nodes.len() as u32).filter(|&node| walk.away[node as usize] != 0).collect();
    for node in rest {
        walk.visit(node);
    }
    walk.replay
}

struct Walk<'g> {
    graph: &'g Graph,
    /// Pages to read until this one is read; 0 when it was.
    away: Vec<u32>,
    from: Vec<u32>,
    met: Vec<bool>,
    known: HashSet<u32>,
    replay: Replay,
}

impl Walk<'_> {
    fn relax(&mut self, node: u32, away: u32, from: u32) {
        let mut open = VecDeque::from([(node, away, from)]);
        while let Some((node, away, from)) = open.pop_front() {
            if self.away[node as usize] <= away {
                continue;
            }
            self.away[node as usize] = away;
            self.from[node as usize] = from;
            let links = &self.graph.nodes[node as usize].links;
            open.extend(links.iter().map(|edge| (edge.to, away + 1, node)));
        }
    }

    fn visit(&mut self, node: u32) {
        if self.away[node as usize] == 0 {
            return;
        }
        self.away[node as usize] = 0;
        let page = &self.graph.nodes[node as usize];
        self.known.extend(&page.proves);
        let host = &self.graph.hosts[page.host as usize];
        if !std::mem::replace(&mut self.met[page.host as usize], true) {
            self.known.extend(&host.proves);
            for edge in &host.links {
                self.relax(edge.to, 1, node);
            }
        }
        for edge in &page.links {
            self.relax(edge.to, 1, node);
        }
        self.replay.found.push(self.known.len() as u32);
        self.replay.geospatial.push(host.geospatial);
    }
}
