//! OAI-PMH resumption tokens: broken ones, and ones with arbitrary content and a valid checksum.

#![no_main]

use geotrawl_standards::oai::token::Token;
use geotrawl_standards::oai::{
    Asked, Format, Head, ISO19139, Item, ListAsk, Page, Position, Repository, Set, Source, answer,
};
use libfuzzer_sys::fuzz_target;
use std::time::Duration;

/// Catalogue that returns one record at any position.
struct OneRecord;

impl Source for OneRecord {
    fn name(&self) -> &'static str {
        "live"
    }
    fn formats(&self) -> Vec<Format> {
        vec![ISO19139]
    }
    fn sets(&self) -> Asked<Vec<Set>> {
        Ok(Vec::new())
    }
    fn has_set(&self, _spec: &str) -> Asked<bool> {
        Ok(true)
    }
    fn earliest(&self) -> Asked<Option<jiff::Timestamp>> {
        Ok(None)
    }
    fn list(&self, ask: &ListAsk) -> Asked<Page> {
        let item = Item { head: Head::default(), metadata: Some("<a/>".to_owned()) };
        let next = (ask.after.laps < 3)
            .then(|| Position { after: ask.after.after.saturating_add(1), ..ask.after });
        Ok(Page { items: vec![item], next, size: Some(1) })
    }
    fn get(&self, _identifier: &str, _format: Option<&str>) -> Asked<Option<Item>> {
        Ok(None)
    }
}

fn ask(verb: &str, token: &str) {
    let repository = Repository {
        name: "Maps".to_owned(),
        base_url: "https://maps.example/oai".to_owned(),
        email: "ops@maps.example".to_owned(),
        sources: vec![&OneRecord],
        now: jiff::Timestamp::UNIX_EPOCH + Duration::from_secs(1_790_000_000),
        records_at_once: 1,
        heads_at_once: 1,
    };
    let arguments = [("verb", verb), ("resumptionToken", token)]
        .map(|(name, value)| (name.to_owned(), value.to_owned()));
    answer(&repository, &arguments).expect("the source never fails");
}

fuzz_target!(|data: &[u8]| {
    let text = String::from_utf8_lossy(data);
    ask("ListRecords", &text);
    // Token fields, completed with a matching checksum.
    let mut fields = text.split('|');
    let mut next = || fields.next().unwrap_or_default().to_owned();
    let optional = |text: String| (!text.is_empty()).then_some(text);
    let token = Token {
        list: next(),
        source: next(),
        format: next(),
        set: optional(next()),
        from: optional(next()),
        until: optional(next()),
        position: Position {
            after: next().parse().unwrap_or_default(),
            bound: next().parse().unwrap_or_default(),
            laps: next().parse().unwrap_or_default(),
        },
        cursor: next().parse().unwrap_or_default(),
        size: next().parse().ok(),
    };
    let written = token.encode();
    if written.len() <= 2_048 {
        assert_eq!(Token::decode(&written), Some(token));
    }
    ask("ListRecords", &written);
    ask("ListIdentifiers", &written);
});
