//! Order-independent checksums, which compare two tables without holding them in memory.

use super::tables::{IdTarget, TableSpec};
use crate::sql::{Value, replace_nul};
use siphasher::sip128::SipHasher13;
use std::hash::Hasher;

/// Checksum of the rows of a table.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct TableChecksum {
    pub rows: u64,
    /// Wrapping sum of the hashes of all rows.
    pub sum: u128,
}

impl TableChecksum {
    /// Adds a row, with ids in PostgreSQL's form.
    pub fn add_row(&mut self, row: &[Value<'_>], ids: &[(usize, IdTarget)]) {
        let mut hasher = SipHasher13::new();
        for (at, value) in row.iter().enumerate() {
            // A deleted page has no host any more, so its shard cannot be recomputed from a file.
            let is_page = ids.contains(&(at, IdTarget::Page));
            hash_value(&mut hasher, *value, is_page);
        }
        self.add_key(siphasher::sip128::Hasher128::finish128(&hasher).as_u128());
    }

    /// Adds a row that is already a hash.
    pub fn add_key(&mut self, key: u128) {
        self.rows += 1;
        self.sum = self.sum.wrapping_add(key);
    }

    /// Returns the sum in hexadecimal.
    pub fn to_hex(self) -> String {
        format!("{:032x}", self.sum)
    }
}

/// Hashes a value so that differences between the engines do not count: PostgreSQL stores no NUL
/// characters, SQLite neither NaN nor negative zero.
fn hash_value(hasher: &mut SipHasher13, value: Value<'_>, is_page: bool) {
    match value {
        Value::Null => hasher.write_u8(0),
        Value::Integer(number) => {
            hasher.write_u8(1);
            hasher.write_i64(if is_page { number >> super::SHARD_BITS } else { number });
        }
        Value::Real(number) if number.is_nan() => hasher.write_u8(0),
        Value::Real(number) => {
            hasher.write_u8(2);
            hasher.write_u64((number + 0.0).to_bits());
        }
        Value::Text(text) => {
            let text = replace_nul(text);
            hasher.write_u8(3);
            hasher.write_usize(text.len());
            hasher.write(text.as_bytes());
        }
        Value::Blob(bytes) => {
            hasher.write_u8(4);
            hasher.write_usize(bytes.len());
            hasher.write(bytes);
        }
    }
}

/// Comparison of one table on both sides.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct TableComparison {
    pub table: &'static str,
    /// Number of rows in the source.
    pub from: u64,
    /// Number of rows in the target.
    pub to: u64,
    /// Checksums over all values, in hexadecimal.
    pub from_sum: String,
    pub to_sum: String,
}

impl TableComparison {
    pub(super) fn new(table: &'static str, from: TableChecksum, to: TableChecksum) -> Self {
        Self { table, from: from.rows, to: to.rows, from_sum: from.to_hex(), to_sum: to.to_hex() }
    }

    /// Returns whether both sides hold the same rows.
    pub fn is_same(&self) -> bool {
        self.from == self.to && self.from_sum == self.to_sum
    }
}

impl TableSpec {
    /// Computes the checksum of the rows that `read` passes on.
    pub fn compute_checksum<E>(
        &self,
        read: impl FnOnce(&mut dyn FnMut(&[Value<'_>]) -> Result<(), E>) -> Result<(), E>,
    ) -> Result<TableChecksum, E> {
        let (mut sum, ids) = (TableChecksum::default(), self.id_positions());
        read(&mut |row| {
            sum.add_row(row, &ids);
            Ok(())
        })?;
        Ok(sum)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(rows: &[&[Value<'_>]], ids: &[(usize, IdTarget)]) -> TableChecksum {
        let mut sum = TableChecksum::default();
        for row in rows {
            sum.add_row(row, ids);
        }
        sum
    }

    #[test]
    fn the_order_of_rows_does_not_matter_and_everything_else_does() {
        let (one, other) = ([Value::Integer(1), Value::Text("a")], [Value::Integer(2), Value::Text("b")]);
        let whole = of(&[&one, &other], &[]);
        assert_eq!(whole, of(&[&other, &one], &[]));
        assert_ne!(whole, of(&[&one, &one], &[]));
        for changed in [
            [Value::Integer(1), Value::Text("")],
            [Value::Integer(1), Value::Null],
            [Value::Integer(1), Value::Blob(b"a")],
            [Value::Real(1.0), Value::Text("a")],
            [Value::Null, Value::Text("a")],
        ] {
            assert_ne!(whole, of(&[&changed, &other], &[]), "{changed:?}");
        }
        // Boundaries between values count.
        assert_ne!(
            of(&[&[Value::Text("ab"), Value::Text("c")]], &[]),
            of(&[&[Value::Text("a"), Value::Text("bc")]], &[])
        );
    }

    #[test]
    fn what_an_engine_cannot_keep_is_no_difference() {
        let same = |one: Value<'_>, other: Value<'_>| assert_eq!(of(&[&[one]], &[]), of(&[&[other]], &[]));
        same(Value::Text("a\0b"), Value::Text("a\u{fffd}b"));
        same(Value::Real(-0.0), Value::Real(0.0));
        same(Value::Real(f64::NAN), Value::Null);
        let page = [(0, IdTarget::Page)];
        assert_eq!(of(&[&[Value::Integer(256 + 7)]], &page), of(&[&[Value::Integer(256)]], &page));
        assert_ne!(of(&[&[Value::Integer(256 + 7)]], &page), of(&[&[Value::Integer(512)]], &page));
        let own = [(0, IdTarget::Own)];
        assert_ne!(of(&[&[Value::Integer(256 + 7)]], &own), of(&[&[Value::Integer(256)]], &own));
    }
}
