//! The web application, built into the binary.
