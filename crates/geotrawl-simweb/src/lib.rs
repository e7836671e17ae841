//! geotrawl-simweb
