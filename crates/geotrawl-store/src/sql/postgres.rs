//! A connection to PostgreSQL that any thread can use, one at a time.
//!
//! The driver is asynchronous and runs on the store's own runtime. Calls here block by parking the
//! thread, which also works inside other runtimes.

use super::value::{Kind, Value};
use super::{Params, Result, SqlError, translate};
use futures_util::future::try_join_all;
use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::error::Error as StdError;
use tokio_postgres::error::SqlState;
use tokio_postgres::types::{FromSql, IsNull, ToSql, Type, private::BytesMut, to_sql_checked};
use tokio_postgres::{Row, Statement};

/// Maximum number of cached prepared statements. The store has a few hundred distinct ones.
const STATEMENTS: usize = 1_000;
/// Executions sent in one pipeline.
const AT_ONCE: usize = 256;

/// A part of the store in which only one transaction at a time may read and then write. Code that
/// needs two locks must take them in this order, otherwise transactions can deadlock.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum LockDomain {
    /// Records, events, changes, tasks and checks: tables that followers read in sequence order.
    Catalogue = 1,
    Accounts = 2,
    Collections = 3,
    Mining = 4,
    Searches = 5,
    /// Schema migrations.
    Schema = 6,
    /// Live data of runs: written often, and no reader depends on its order.
    Live = 7,
    Seeds = 8,
}

/// One connection with its prepared statements.
pub(crate) struct PgClient {
    client: tokio_postgres::Client,
    statements: RefCell<HashMap<String, Statement>>,
    in_transaction: Cell<bool>,
    /// The connection must not be reused.
    spoiled: Cell<bool>,
    /// Keeps advisory locks of different schemas apart.
    lock_class: i32,
}

impl PgClient {
    /// Wraps a connection to the store in this schema.
    pub fn new(client: tokio_postgres::Client, schema: &str) -> Self {
        // FNV-1a, because every process that uses the schema must compute the same number.
        let hash = schema
            .bytes()
            .fold(0x811c_9dc5_u32, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193));
        Self {
            client,
            statements: RefCell::default(),
            in_transaction: Cell::new(false),
            spoiled: Cell::new(false),
            lock_class: hash as i32,
        }
    }

    /// Returns the driver's client, for arrays, COPY and pipelines. Await its futures with
    /// [`Self::wait_for`].
    pub fn raw(&self) -> &tokio_postgres::Client {
        &self.client
    }

    /// Blocks until the driver answers.
    pub fn wait_for<T>(
        &self,
        answer: impl Future<Output = std::result::Result<T, tokio_postgres::Error>>,
    ) -> Result<T> {
        pollster::block_on(answer).map_err(|error| self.convert_error(error))
    }

    /// Prepares a statement in PostgreSQL's own syntax (`$1`), once per connection. The server
    /// infers the types of parameters beyond `types`.
    pub fn prepare_native(&self, sql: &str, types: &[Type]) -> Result<Statement> {
        if let Some(known) = self.statements.borrow().get(sql) {
            return Ok(known.clone());
        }
        let statement = self.wait_for(self.client.prepare_typed(sql, types))?;
        self.remember_statement(sql, &statement);
        Ok(statement)
    }

    /// Runs several statements without parameters.
    pub fn execute_batch(&self, sql: &str) -> Result<()> {
        self.wait_for(self.client.batch_execute(sql))
    }

    /// Begins a transaction with this command.
    pub fn begin(&self, how: &str) -> Result<()> {
        self.execute_batch(how)?;
        self.in_transaction.set(true);
        Ok(())
    }

    /// Commits the transaction. If the connection breaks here, the outcome is unknown.
    pub fn commit(&self) -> Result<()> {
        // Cleared first, so that dropping the transaction does not roll back.
        self.in_transaction.set(false);
        self.execute_batch("COMMIT")
    }

    /// Rolls back the transaction, if one is open.
    pub fn rollback(&self) {
        if self.in_transaction.replace(false) && self.execute_batch("ROLLBACK").is_err() {
            self.spoiled.set(true);
        }
    }

    /// Waits for the lock of this part of the store and holds it until the transaction ends.
    pub fn lock_domain(&self, domain: LockDomain) -> Result<()> {
        let statement =
            self.prepare_native("SELECT pg_advisory_xact_lock($1, $2)", &[Type::INT4, Type::INT4])?;
        self.wait_for(self.client.query(&statement, &[&self.lock_class, &(domain as i32)])).map(drop)
    }

    /// Tries to take the lock for filling the whole store, held until the connection closes.
    /// Returns `false` if another process holds it.
    pub fn try_session_lock(&self) -> Result<bool> {
        let statement = self.prepare_native("SELECT pg_try_advisory_lock($1, 0)", &[Type::INT4])?;
        let rows = self.wait_for(self.client.query(&statement, &[&self.lock_class]))?;
        Ok(rows.first().is_some_and(|row| row.try_get(0).unwrap_or(false)))
    }

    /// Wakes followers of the catalogue when the transaction commits.
    pub fn notify(&self) -> Result<()> {
        let statement = self.prepare_native("SELECT pg_notify('geotrawl_change', current_schema())", &[])?;
        self.wait_for(self.client.query(&statement, &[])).map(drop)
    }

    /// Returns whether the connection can be reused.
    pub fn is_reusable(&self) -> bool {
        !self.client.is_closed() && !self.in_transaction.get() && !self.spoiled.get()
    }

    /// Creates a statement in the common dialect.
    pub(super) fn statement(&self, sql: &str) -> PgStatement<'_> {
        let state = match self.statements.borrow().get(sql) {
            Some(known) => StatementState::Prepared(known.clone()),
            None => StatementState::Text(sql.to_owned()),
        };
        PgStatement { client: self, state, waiting: Vec::new() }
    }

    fn remember_statement(&self, sql: &str, statement: &Statement) {
        let mut statements = self.statements.borrow_mut();
        if statements.len() >= STATEMENTS {
            // Only guards against unbounded growth; the store has a few hundred distinct
            // statements.
            statements.clear();
        }
        statements.insert(sql.to_owned(), statement.clone());
    }

    /// Converts a driver error and marks the connection unusable if necessary.
    pub fn convert_error(&self, error: tokio_postgres::Error) -> SqlError {
        let error = SqlError::from(error);
        // "Cached plan must not change result type": a newer version has altered a table since
        // these statements were prepared.
        if error.is_unavailable() || error.sql_state() == Some(&SqlState::FEATURE_NOT_SUPPORTED) {
            self.spoiled.set(true);
        }
        error
    }
}

/// A statement on a PostgreSQL connection.
pub(crate) struct PgStatement<'c> {
    client: &'c PgClient,
    state: StatementState,
    /// Values of executions that have not been sent yet.
    waiting: Vec<Vec<OwnedValue>>,
}

/// An owned parameter value, for executions that are sent later.
enum OwnedValue {
    Null,
    Integer(i64),
    Real(f64),
    Text(String),
    Blob(Vec<u8>),
}

impl OwnedValue {
    fn of(value: Value<'_>) -> Self {
        match value {
            Value::Null => Self::Null,
            Value::Integer(number) => Self::Integer(number),
            Value::Real(number) => Self::Real(number),
            Value::Text(text) => Self::Text(text.to_owned()),
            Value::Blob(bytes) => Self::Blob(bytes.to_owned()),
        }
    }

    fn value(&self) -> Value<'_> {
        match self {
            Self::Null => Value::Null,
            Self::Integer(number) => Value::Integer(*number),
            Self::Real(number) => Value::Real(*number),
            Self::Text(text) => Value::Text(text),
            Self::Blob(bytes) => Value::Blob(bytes),
        }
    }
}

enum StatementState {
    Text(String),
    Prepared(Statement),
}

impl PgStatement<'_> {
    fn ready<'p, P: Params>(&mut self, params: &'p P) -> Result<(Statement, Vec<Value<'p>>)> {
        let mut values = Vec::with_capacity(16);
        let mut types = Vec::new();
        let unprepared = matches!(self.state, StatementState::Text(_));
        params.each(|value, kind| {
            values.push(value);
            if unprepared {
                types.push(kind.postgres());
            }
            Ok(())
        })?;
        let statement = match &self.state {
            StatementState::Prepared(statement) => statement.clone(),
            StatementState::Text(sql) => {
                let client = self.client;
                let statement =
                    client.wait_for(client.client.prepare_typed(&translate::to_postgres(sql), &types))?;
                client.remember_statement(sql, &statement);
                self.state = StatementState::Prepared(statement.clone());
                statement
            }
        };
        let wanted = statement.params().len();
        if wanted != values.len() {
            return Err(SqlError::Parameters { wanted, given: values.len() });
        }
        Ok((statement, values))
    }

    pub(super) fn execute(&mut self, params: &impl Params) -> Result<usize> {
        let (statement, values) = self.ready(params)?;
        let touched = self.client.wait_for(self.client.client.execute_raw(&statement, &values))?;
        Ok(usize::try_from(touched).unwrap_or(usize::MAX))
    }

    /// Queues an execution with these values; it is sent together with others.
    pub(super) fn queue_execution(&mut self, params: &impl Params, touched: &mut Vec<usize>) -> Result<()> {
        let (_, values) = self.ready(params)?;
        self.waiting.push(values.into_iter().map(OwnedValue::of).collect());
        if self.waiting.len() >= AT_ONCE { self.flush_queued(touched) } else { Ok(()) }
    }

    /// Sends the queued executions and waits for their answers, which arrive in order.
    pub(super) fn flush_queued(&mut self, touched: &mut Vec<usize>) -> Result<()> {
        let waiting = std::mem::take(&mut self.waiting);
        let StatementState::Prepared(statement) = &self.state else { return Ok(()) };
        let all = waiting.iter().map(|values| {
            let values: Vec<Value<'_>> = values.iter().map(OwnedValue::value).collect();
            self.client.client.execute_raw(statement, values)
        });
        let counts = self.client.wait_for(try_join_all(all))?;
        touched.extend(counts.into_iter().map(|count| usize::try_from(count).unwrap_or(usize::MAX)));
        Ok(())
    }

    pub(super) fn query(&mut self, params: &impl Params) -> Result<Vec<Row>> {
        let (statement, values) = self.ready(params)?;
        let values: Vec<&(dyn ToSql + Sync)> =
            values.iter().map(|value| value as &(dyn ToSql + Sync)).collect();
        self.client.wait_for(self.client.client.query(&statement, &values))
    }
}

impl Kind {
    fn postgres(self) -> Type {
        match self {
            Self::Integer => Type::INT8,
            Self::Real => Type::FLOAT8,
            Self::Text => Type::TEXT,
            Self::Blob => Type::BYTEA,
        }
    }
}

/// Replaces NUL characters, which PostgreSQL cannot store but which occur in text from the web.
pub(crate) fn replace_nul(text: &str) -> Cow<'_, str> {
    if text.contains('\0') { Cow::Owned(text.replace('\0', "\u{fffd}")) } else { Cow::Borrowed(text) }
}

type BoxedResult<T> = std::result::Result<T, Box<dyn StdError + Sync + Send>>;

impl ToSql for Value<'_> {
    fn to_sql(&self, ty: &Type, out: &mut BytesMut) -> BoxedResult<IsNull> {
        match *self {
            Value::Null => Ok(IsNull::Yes),
            Value::Integer(number) => match *ty {
                Type::INT8 => number.to_sql(ty, out),
                Type::INT4 => i32::try_from(number)?.to_sql(ty, out),
                Type::INT2 => i16::try_from(number)?.to_sql(ty, out),
                Type::BOOL => (number != 0).to_sql(ty, out),
                Type::FLOAT8 => (number as f64).to_sql(ty, out),
                _ => Err(format!("cannot bind an integer to a parameter of type {ty}").into()),
            },
            Value::Real(number) if *ty == Type::FLOAT8 => number.to_sql(ty, out),
            Value::Text(text) if <&str as ToSql>::accepts(ty) => replace_nul(text).as_ref().to_sql(ty, out),
            Value::Blob(bytes) if *ty == Type::BYTEA => bytes.to_sql(ty, out),
            other => Err(format!("cannot bind {other:?} to a parameter of type {ty}").into()),
        }
    }

    fn accepts(_: &Type) -> bool {
        true
    }

    to_sql_checked!();
}

impl<'v> FromSql<'v> for Value<'v> {
    fn from_sql(ty: &Type, raw: &'v [u8]) -> BoxedResult<Self> {
        Ok(match *ty {
            Type::INT8 => Self::Integer(i64::from_sql(ty, raw)?),
            Type::INT4 => Self::Integer(i32::from_sql(ty, raw)?.into()),
            Type::INT2 => Self::Integer(i16::from_sql(ty, raw)?.into()),
            Type::BOOL => Self::Integer(bool::from_sql(ty, raw)?.into()),
            Type::FLOAT8 => Self::Real(f64::from_sql(ty, raw)?),
            Type::FLOAT4 => Self::Real(f32::from_sql(ty, raw)?.into()),
            Type::NUMERIC => numeric(raw)?,
            Type::BYTEA | Type::UUID => Self::Blob(raw),
            _ if <&str as FromSql>::accepts(ty) => Self::Text(<&str>::from_sql(ty, raw)?),
            _ => return Err(format!("cannot read a column of type {ty}").into()),
        })
    }

    fn from_sql_null(_: &Type) -> BoxedResult<Self> {
        Ok(Self::Null)
    }

    fn accepts(_: &Type) -> bool {
        true
    }
}

/// Decodes NUMERIC, the type of sums over integers: an integer if it fits, otherwise a float.
fn numeric(raw: &[u8]) -> BoxedResult<Value<'static>> {
    const NEGATIVE: u16 = 0x4000;
    const SPECIAL: u16 = 0xC000;
    let words: Vec<u16> = raw.chunks_exact(2).map(|pair| u16::from_be_bytes([pair[0], pair[1]])).collect();
    let [_, weight, sign, _, digits @ ..] = words.as_slice() else {
        return Err("a numeric value is truncated".into());
    };
    if *sign & SPECIAL == SPECIAL {
        return Ok(Value::Real(f64::NAN));
    }
    let weight = i32::from(weight.cast_signed());
    let (mut whole, mut number) = (Some(0_i64), 0.0_f64);
    for (place, digit) in digits.iter().enumerate() {
        number += f64::from(*digit) * 10_000_f64.powi(weight - place as i32);
        if place as i32 <= weight {
            whole = whole.and_then(|sum| sum.checked_mul(10_000)?.checked_add(i64::from(*digit)));
        } else if *digit != 0 {
            whole = None;
        }
    }
    // Trailing zero digits are not transmitted.
    for _ in digits.len() as i32..=weight.min(8) {
        whole = whole.and_then(|sum| sum.checked_mul(10_000));
    }
    let negative = *sign & NEGATIVE != 0;
    Ok(match whole.filter(|_| weight <= 8) {
        Some(whole) => Value::Integer(if negative { -whole } else { whole }),
        None => Value::Real(if negative { -number } else { number }),
    })
}

/// Reads a column of a row.
pub(super) fn read_column(row: &Row, at: usize) -> Result<Value<'_>> {
    Ok(row.try_get(at)?)
}
