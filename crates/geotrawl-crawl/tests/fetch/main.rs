//! The client against a server that misbehaves in every way that servers do. All on loopback.

mod server;

mod basics;
