//! Writes records in the formats that people's tools read.
