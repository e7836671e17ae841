//! geotrawl-crawl
