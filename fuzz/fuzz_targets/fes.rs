//! An XML request with a filter in Filter Encoding 1.1 or 2.0.

#![no_main]

use geotrawl_standards::fes;
use geotrawl_standards::tree::Node;
use libfuzzer_sys::fuzz_target;

fn read_filters(node: &Node) {
    if node.name == "Filter" {
        let _ = fes::read(node);
    }
    node.children.iter().for_each(read_filters);
}

fuzz_target!(|data: &[u8]| {
    if let Ok(root) = Node::read(data) {
        let _ = fes::read(&root);
        read_filters(&root);
    }
});
