//! The tables of an SQLite file.

#![no_main]

use geotrawl_kinds::files::SparseFile;
use geotrawl_kinds::formats::sqlite::Database;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let file = SparseFile::from_bytes(data.to_vec());
    let Some(database) = Database::open(&file) else { return };
    for table in database.tables() {
        let _ = database.rows(&table, 1000);
    }
});
