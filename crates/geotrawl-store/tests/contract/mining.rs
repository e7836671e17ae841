use crate::Backend;
use geotrawl_model::web_archive::{ArchiveId, ArchiveTotals};
use geotrawl_testkit::builders::test_time;

fn archive(name: &str) -> ArchiveId {
    ArchiveId { name: name.into(), length: Some(7), version: "monday".into() }
}

const TOTALS: ArchiveTotals = ArchiveTotals { records: 3, bytes: 900, shown: 2, damaged: 1 };

pub fn an_archive_is_read_once_unless_it_changes<B: Backend>() {
    let place = B::new();
    let store = place.open();
    assert!(!store.is_mined("task", &archive("a")).unwrap());
    store.mark_mined("task", &archive("a"), &TOTALS, test_time(1)).unwrap();
    store.mark_mined("task", &archive("b"), &TOTALS, test_time(2)).unwrap();
    drop(store);
    let store = place.open();
    assert!(store.is_mined("task", &archive("a")).unwrap());
    assert!(!store.is_mined("other task", &archive("a")).unwrap());
    for changed in [
        ArchiveId { length: Some(8), ..archive("a") },
        ArchiveId { length: None, ..archive("a") },
        ArchiveId { version: "tuesday".into(), ..archive("a") },
    ] {
        assert!(!store.is_mined("task", &changed).unwrap(), "{changed:?}");
        store.mark_mined("task", &changed, &TOTALS, test_time(3)).unwrap();
        assert!(store.is_mined("task", &changed).unwrap(), "{changed:?}");
    }
    let mined = store.list_mined_archives("task").unwrap();
    let names: Vec<&str> = mined.iter().map(|mined| mined.id.name.as_str()).collect();
    assert_eq!(names, ["a", "b"], "a changed archive must replace the old one");
    assert_eq!((mined[1].finished, mined[1].totals), (test_time(2), TOTALS));
    assert!(store.list_mined_archives("other task").unwrap().is_empty());
}

pub fn what_was_listed_is_not_new<B: Backend>() {
    let place = B::new();
    let store = place.open();
    let key = |n: u8| [n; 16];
    assert_eq!(store.mark_listed("task", &[key(1), key(2), key(1)]).unwrap(), [true, true, false]);
    drop(store);
    let store = place.open();
    assert_eq!(store.mark_listed("task", &[key(2), key(3)]).unwrap(), [false, true]);
    assert_eq!(store.mark_listed("other task", &[key(2)]).unwrap(), [true]);
    assert!(store.mark_listed("task", &[]).unwrap().is_empty());
}

pub fn what_is_forgotten_is_read_anew<B: Backend>() {
    let place = B::new();
    let store = place.open();
    store.mark_mined("task", &archive("a"), &TOTALS, test_time(1)).unwrap();
    store.mark_mined("other task", &archive("a"), &TOTALS, test_time(1)).unwrap();
    store.mark_listed("task", &[[1; 16]]).unwrap();
    store.forget_mined("task").unwrap();
    assert!(!store.is_mined("task", &archive("a")).unwrap());
    assert!(store.is_mined("other task", &archive("a")).unwrap());
    assert_eq!(store.mark_listed("task", &[[1; 16]]).unwrap(), [true]);
}
