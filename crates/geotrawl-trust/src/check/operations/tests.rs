//! The list of operations must match the list of kinds.

use super::*;
use geotrawl_kinds::kinds::by_id;

#[test]
fn operations_are_sorted_and_belong_to_kinds() {
    for pair in OPERATIONS.windows(2) {
        assert!(pair[0].kind() < pair[1].kind(), "{} before {}", pair[0].kind(), pair[1].kind());
    }
    for operation in OPERATIONS {
        assert!(by_id(operation.kind()).is_some(), "{} is no kind", operation.kind());
    }
}
