//! Checks every file of the public corpus: what it is, what it contains, and that nothing else is
//! claimed. The corpus is not part of the project; without it, the test reports that it was
//! skipped.

use geotrawl_kinds::corpus::{
    ABSENT, CorpusReport, LabelExceptions, ManifestLabel, check_file, corpus_folder,
};

#[test]
fn every_label_of_the_corpus_is_met_and_nothing_else_is_claimed() {
    let Some(corpus) = corpus_folder(env!("CARGO_MANIFEST_DIR")) else {
        println!("{ABSENT}");
        return;
    };
    let exceptions = LabelExceptions::parse(include_str!("corpus-exceptions.json")).expect("exceptions");
    let manifest = std::fs::read_to_string(corpus.join("manifest.jsonl")).expect("manifest");
    let mut report = CorpusReport::default();
    for line in manifest.lines() {
        let label = ManifestLabel::parse(line).expect("a row");
        let bytes = std::fs::read(corpus.join(&label.file)).expect("a corpus file");
        report.add_file(&check_file(&label, &bytes, &exceptions));
    }
    println!("{report}");
    for failure in report.failures() {
        println!("{failure}");
    }
    let missed = report.missed_thresholds();
    assert!(missed.is_empty(), "{}\n{}", missed.join("\n"), report.failures().join("\n"));
}
