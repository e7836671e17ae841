use std::fmt::Display;

/// The variable that allows skipping tests. CI never sets it.
const ALLOW_SKIPS: &str = "GEOTRAWL_ALLOW_SKIPS";

/// Returns whether tests may be skipped if their tools are missing: `GEOTRAWL_ALLOW_SKIPS=1`.
pub fn skips_are_allowed() -> bool {
    std::env::var_os(ALLOW_SKIPS).is_some_and(|value| value == "1")
}

/// Returns the tool that a test needs, or `None` if the test is to be skipped.
///
/// `install` tells how to get it, as an imperative: "run `make apps`".
///
/// # Panics
/// Panics if the tool is missing and skips are not allowed.
#[track_caller]
pub fn require_tool<T, E: Display>(tool: &str, found: Result<T, E>, install: &str) -> Option<T> {
    let error = match found {
        Ok(found) => return Some(found),
        Err(error) => error,
    };
    assert!(
        skips_are_allowed(),
        "this test needs {tool}: {error}\n{install}, or set {ALLOW_SKIPS}=1 to skip tests whose tools are missing"
    );
    println!("SKIPPED: no {tool}: {error}");
    None
}
