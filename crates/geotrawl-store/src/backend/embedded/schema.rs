//! Migrations: forward only, each in one transaction, counted by `user_version`.

use super::database_error::DatabaseResult;
use rusqlite::{Connection, TransactionBehavior};

/// `PRAGMA application_id` of our files ("GTRL"), which tells them from other SQLite files.
pub(super) const APPLICATION_ID: i32 = 0x4754_524c;

/// One SQL script per version. Released scripts are never edited; new ones are appended.
const MIGRATIONS: &[&str] = &[
    include_str!("schema/v1.sql"),
    include_str!("schema/v2.sql"),
    include_str!("schema/v3.sql"),
    include_str!("schema/v4.sql"),
    include_str!("schema/v5.sql"),
    include_str!("schema/v6.sql"),
    include_str!("schema/v7.sql"),
    include_str!("schema/v8.sql"),
    include_str!("schema/v9.sql"),
    include_str!("schema/v10.sql"),
    include_str!("schema/v11.sql"),
];

/// Schema version that this program writes.
pub(super) const CURRENT: u32 = MIGRATIONS.len() as u32;

/// Returns the schema version of the file; 0 if it is new.
pub(super) fn read_version(conn: &Connection) -> DatabaseResult<u32> {
    Ok(conn.query_row("PRAGMA user_version", [], |row| row.get(0))?)
}

/// Upgrades the file to [`CURRENT`].
pub(crate) fn migrate(conn: &mut Connection) -> DatabaseResult<()> {
    for (from, script) in MIGRATIONS.iter().enumerate().skip(read_version(conn)? as usize) {
        let tx = conn.transaction_with_behavior(TransactionBehavior::Immediate)?;
        tx.execute_batch(script)?;
        tx.pragma_update(None, "user_version", from as u32 + 1)?;
        tx.pragma_update(None, "application_id", APPLICATION_ID)?;
        tx.commit()?;
    }
    Ok(())
}
