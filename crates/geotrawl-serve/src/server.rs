//! Listening, and the order of the layers around every request.
