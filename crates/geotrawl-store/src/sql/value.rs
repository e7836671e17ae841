//! Borrowed parameter and column values.

use super::{Result, SqlError};
use geotrawl_model::Status;
use jiff::Timestamp;
use std::borrow::Cow;

/// A value of a column or a parameter.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Value<'v> {
    Null,
    Integer(i64),
    Real(f64),
    Text(&'v str),
    Blob(&'v [u8]),
}

/// Type of a parameter. PostgreSQL needs it to prepare a statement even if the value is NULL.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Integer,
    Real,
    Text,
    Blob,
}

impl<'v> Value<'v> {
    fn kind_name(&self) -> &'static str {
        match self {
            Self::Null => "nothing",
            Self::Integer(_) => "an integer",
            Self::Real(_) => "a number",
            Self::Text(_) => "a text",
            Self::Blob(_) => "bytes",
        }
    }

    /// Returns the text, or a type error.
    pub fn as_str(&self) -> Result<&'v str> {
        match self {
            Self::Text(text) => Ok(text),
            other => Err(other.type_error("a text")),
        }
    }

    /// Returns the bytes, or a type error.
    pub fn as_blob(&self) -> Result<&'v [u8]> {
        match self {
            Self::Blob(bytes) => Ok(bytes),
            other => Err(other.type_error("bytes")),
        }
    }

    fn type_error(&self, wanted: &'static str) -> SqlError {
        SqlError::Type { column: 0, wanted, found: self.kind_name() }
    }
}

/// Types that can be bound to a parameter.
pub(crate) trait Bind {
    /// Returns the parameter type.
    fn kind(&self) -> Kind;
    /// Returns the value to bind.
    fn value(&self) -> Value<'_>;
}

/// Types that can be read from a column.
pub(crate) trait FromValue: Sized {
    /// Name of the type in error messages.
    const NAME: &'static str;
    /// Converts a value; `None` if it has another type.
    fn from_value(value: Value<'_>) -> Option<Self>;
}

macro_rules! integers {
    ($($type:ty)*) => { $(
        impl Bind for $type {
            fn kind(&self) -> Kind {
                Kind::Integer
            }
            fn value(&self) -> Value<'_> {
                Value::Integer(i64::from(*self))
            }
        }
        impl FromValue for $type {
            const NAME: &'static str = concat!("an integer that fits ", stringify!($type));
            fn from_value(value: Value<'_>) -> Option<Self> {
                match value {
                    Value::Integer(number) => number.try_into().ok(),
                    _ => None,
                }
            }
        }
    )* };
}
integers! { i64 i32 u32 i16 u16 u8 }

/// Timestamps are stored as microseconds since 1970.
impl Bind for Timestamp {
    fn kind(&self) -> Kind {
        Kind::Integer
    }
    fn value(&self) -> Value<'_> {
        Value::Integer(self.as_microsecond())
    }
}

impl FromValue for Timestamp {
    const NAME: &'static str = "a timestamp";
    fn from_value(value: Value<'_>) -> Option<Self> {
        // We never write numbers outside the calendar; if one appears, it becomes the epoch.
        i64::from_value(value).map(|micros| Self::from_microsecond(micros).unwrap_or_default())
    }
}

/// Counts and sizes saturate: larger values become the maximum of `i64`, negative ones read as 0.
impl Bind for u64 {
    fn kind(&self) -> Kind {
        Kind::Integer
    }
    fn value(&self) -> Value<'_> {
        Value::Integer(i64::try_from(*self).unwrap_or(i64::MAX))
    }
}

impl FromValue for u64 {
    const NAME: &'static str = "a count";
    fn from_value(value: Value<'_>) -> Option<Self> {
        i64::from_value(value).map(|number| number.max(0).cast_unsigned())
    }
}

impl Bind for bool {
    fn kind(&self) -> Kind {
        Kind::Integer
    }
    fn value(&self) -> Value<'_> {
        Value::Integer(i64::from(*self))
    }
}

impl FromValue for bool {
    const NAME: &'static str = "a flag";
    fn from_value(value: Value<'_>) -> Option<Self> {
        match value {
            Value::Integer(number) => Some(number != 0),
            _ => None,
        }
    }
}

impl Bind for f64 {
    fn kind(&self) -> Kind {
        Kind::Real
    }
    fn value(&self) -> Value<'_> {
        Value::Real(*self)
    }
}

impl FromValue for f64 {
    const NAME: &'static str = "a number";
    fn from_value(value: Value<'_>) -> Option<Self> {
        match value {
            Value::Real(number) => Some(number),
            Value::Integer(number) => Some(number as f64),
            _ => None,
        }
    }
}

macro_rules! texts {
    ($($type:ty)*) => { $(
        impl Bind for $type {
            fn kind(&self) -> Kind {
                Kind::Text
            }
            fn value(&self) -> Value<'_> {
                Value::Text(self)
            }
        }
    )* };
}
texts! { str String Cow<'_, str> }

impl Bind for Status {
    fn kind(&self) -> Kind {
        Kind::Text
    }
    fn value(&self) -> Value<'_> {
        Value::Text(self.as_str())
    }
}

impl FromValue for Cow<'static, str> {
    const NAME: &'static str = String::NAME;
    fn from_value(value: Value<'_>) -> Option<Self> {
        String::from_value(value).map(Cow::Owned)
    }
}

impl FromValue for String {
    const NAME: &'static str = "a text";
    fn from_value(value: Value<'_>) -> Option<Self> {
        match value {
            Value::Text(text) => Some(text.to_owned()),
            _ => None,
        }
    }
}

impl Bind for [u8] {
    fn kind(&self) -> Kind {
        Kind::Blob
    }
    fn value(&self) -> Value<'_> {
        Value::Blob(self)
    }
}

impl<const N: usize> Bind for [u8; N] {
    fn kind(&self) -> Kind {
        Kind::Blob
    }
    fn value(&self) -> Value<'_> {
        Value::Blob(self)
    }
}

impl Bind for Vec<u8> {
    fn kind(&self) -> Kind {
        Kind::Blob
    }
    fn value(&self) -> Value<'_> {
        Value::Blob(self)
    }
}

impl FromValue for Vec<u8> {
    const NAME: &'static str = "bytes";
    fn from_value(value: Value<'_>) -> Option<Self> {
        match value {
            Value::Blob(bytes) => Some(bytes.to_owned()),
            _ => None,
        }
    }
}

impl<const N: usize> FromValue for [u8; N] {
    const NAME: &'static str = "a fixed number of bytes";
    fn from_value(value: Value<'_>) -> Option<Self> {
        match value {
            Value::Blob(bytes) => bytes.try_into().ok(),
            _ => None,
        }
    }
}

impl<T: Bind + ?Sized> Bind for &T {
    fn kind(&self) -> Kind {
        (**self).kind()
    }
    fn value(&self) -> Value<'_> {
        (**self).value()
    }
}

/// The parameter type of a `None` value.
pub(crate) trait Absent {
    /// The parameter type.
    const KIND: Kind;
}

macro_rules! absent {
    ($($kind:ident: $($type:ty)*;)*) => { $($(
        impl Absent for $type {
            const KIND: Kind = Kind::$kind;
        }
    )*)* };
}
absent! {
    Integer: i64 i32 u64 u32 i16 u16 u8 bool Timestamp;
    Real: f64;
    Text: str String Cow<'_, str>;
    Blob: [u8] Vec<u8>;
}

impl<const N: usize> Absent for [u8; N] {
    const KIND: Kind = Kind::Blob;
}

impl<T: Absent + ?Sized> Absent for &T {
    const KIND: Kind = T::KIND;
}

impl<T: Bind + Absent> Bind for Option<T> {
    fn kind(&self) -> Kind {
        T::KIND
    }
    fn value(&self) -> Value<'_> {
        self.as_ref().map_or(Value::Null, Bind::value)
    }
}

impl<T: FromValue> FromValue for Option<T> {
    const NAME: &'static str = T::NAME;
    fn from_value(value: Value<'_>) -> Option<Self> {
        match value {
            Value::Null => Some(None),
            value => T::from_value(value).map(Some),
        }
    }
}

/// Reads a column.
pub(super) fn read_value<T: FromValue>(value: Value<'_>, column: usize) -> Result<T> {
    T::from_value(value).ok_or(SqlError::Type { column, wanted: T::NAME, found: value.kind_name() })
}
