//! Formats of the archive: WARC, MPEG-21 DIDL, what a page says about itself, how alike two versions are.
