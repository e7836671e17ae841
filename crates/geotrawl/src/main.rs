//! geotrawl
fn main() {}
