//! Item numbers, reserved from the database in blocks.

use super::DatabaseResult;
use super::session::Session;
use std::sync::Mutex;

/// Numbers in a block.
pub(crate) const BLOCK: i64 = 4096;

/// Item numbers reserved for this process.
#[derive(Default)]
pub(crate) struct ItemNumbers {
    /// Next number of the current block, and the end of the block.
    left: Mutex<(i64, i64)>,
}

impl ItemNumbers {
    /// Returns `count` increasing numbers. Numbers of a failed batch are lost, which does no harm.
    pub async fn take_numbers(&self, session: &Session, count: usize) -> DatabaseResult<Vec<i64>> {
        let mut numbers = self.take_from_block(count);
        let missing = (count - numbers.len()) as i64;
        if missing > 0 {
            let blocks = (missing + BLOCK - 1) / BLOCK;
            let rows = session
                .query_once("SELECT nextval('item_block') FROM generate_series(1, $1::bigint)", &[&blocks])
                .await?;
            let mut starts: Vec<i64> = Vec::with_capacity(rows.len());
            for row in rows {
                starts.push(row.try_get::<_, i64>(0)? * BLOCK);
            }
            let mut rest = (0, 0);
            for start in starts {
                let wanted = ((count - numbers.len()) as i64).min(BLOCK);
                numbers.extend(start..start + wanted);
                rest = (start + wanted, start + BLOCK);
            }
            // Keep the larger remainder: another thread may have stored one meanwhile.
            if let Ok(mut left) = self.left.lock()
                && left.1 - left.0 < rest.1 - rest.0
            {
                *left = rest;
            }
        }
        Ok(numbers)
    }

    fn take_from_block(&self, count: usize) -> Vec<i64> {
        let Ok(mut left) = self.left.lock() else { return Vec::new() };
        // A block that is too small is kept for smaller requests, so that returned numbers are
        // increasing.
        if left.1 - left.0 < count as i64 {
            return Vec::new();
        }
        let from = left.0;
        left.0 += count as i64;
        (from..left.0).collect()
    }
}
