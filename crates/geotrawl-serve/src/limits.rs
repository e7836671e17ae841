//! How much one caller may ask: requests a minute, bytes of a body, time of an answer.
