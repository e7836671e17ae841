use crate::Backend;
use geotrawl_testkit::builders::{TestCrawl, service};

pub fn a_record_is_read_in_parts<B: Backend>() {
    let place = B::new();
    let store = place.open();
    let mut crawl = TestCrawl::open(&*store, "a");
    let layers = ["roads", "Road_signs", "rails", "100%"];
    crawl.add_resource("http://m.example/wms", service("wms", "http://m.example/wms", &layers));
    let whole = store.explain("http://m.example/wms").unwrap().resources.remove(0).record;

    let head = store.find_record_head(&whole.id).unwrap().unwrap();
    assert_eq!((head.resource.datasets.len(), head.resource.dataset_count), (0, 4));
    assert_eq!((head.resource.title, head.provenance), (whole.resource.title, whole.provenance));

    let names = |words: &str, offset, limit| {
        let (found, total) = store.list_datasets(&whole.id, words, offset, limit).unwrap().unwrap();
        (found.into_iter().map(|layer| layer.name).collect::<Vec<_>>(), total)
    };
    let of = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect::<Vec<_>>();
    assert_eq!(names("", 0, 10), (of(&layers), 4));
    assert_eq!(names("", 1, 2), (of(&["Road_signs", "rails"]), 4));
    assert_eq!(names("ROAD", 0, 10), (of(&["roads", "Road_signs"]), 2), "without case");
    assert_eq!(names("road sign", 0, 10), (of(&["Road_signs"]), 1), "every word");
    assert_eq!(names("%", 0, 10), (of(&["100%"]), 1), "signs of patterns are signs");
    assert_eq!(names("_", 0, 10), (of(&["Road_signs"]), 1));
    assert_eq!(names("Layer", 3, 10), (of(&["100%"]), 4), "titles count");
    assert_eq!(names("", 9, 10), (Vec::new(), 4));
}

pub fn what_is_not_there_is_none<B: Backend>() {
    let place = B::new();
    let store = place.open();
    assert!(store.find_record_head("nonsense").unwrap().is_none());
    assert!(store.list_datasets("nonsense", "", 0, 10).unwrap().is_none());
}
