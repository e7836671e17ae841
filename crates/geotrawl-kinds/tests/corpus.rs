//! Every file of the public corpus: what it is, what it holds, and that nothing else is claimed. The corpus
//! is not part of the project: the test says so when it is not there.

use geotrawl_kinds::corpus::{ABSENT, Exceptions, Label, Report, check, folder};

#[test]
fn every_label_of_the_corpus_is_met_and_nothing_else_is_claimed() {
    let Some(corpus) = folder(env!("CARGO_MANIFEST_DIR")) else {
        println!("{ABSENT}");
        return;
    };
    let exceptions = Exceptions::parse(include_str!("corpus-exceptions.json")).expect("exceptions");
    let manifest = std::fs::read_to_string(corpus.join("manifest.jsonl")).expect("manifest");
    let mut report = Report::default();
    for line in manifest.lines() {
        let label = Label::parse(line).expect("a row");
        let bytes = std::fs::read(corpus.join(&label.file)).expect("a corpus file");
        report.add(&check(&label, &bytes, &exceptions));
    }
    println!("{report}");
    for failure in report.failures() {
        println!("{failure}");
    }
    let missed = report.missed();
    assert!(missed.is_empty(), "{}\n{}", missed.join("\n"), report.failures().join("\n"));
}
