//! Answers that a crawler must survive.

use crate::reply::Reply;
use crate::request::Request;

/// One hostile case.
pub(crate) struct Case {
    pub name: &'static str,
    pub expect: &'static str,
    answer: fn(&Request<'_>) -> Reply,
}

impl Case {
    pub(crate) fn answer(&self, request: &Request<'_>) -> Reply {
        (self.answer)(request)
    }
}
