//! A quick "surely not" in front of the tables of names, for lookups that nearly always fail: every link
//! of every page asks them.

/// Knows by length, first and last byte whether a table may hold a name, in any case.
pub(super) struct Filter([u64; 16]);

impl Filter {
    /// A filter that lets nothing through.
    pub(super) const fn new() -> Self {
        Self([0; 16])
    }

    /// Lets a name through.
    pub(super) const fn with(mut self, name: &str) -> Self {
        let slot = slot(name.as_bytes());
        self.0[slot / 64] |= 1 << (slot % 64);
        self
    }

    /// Lets all names of a table through.
    pub(super) const fn of(names: &[&str]) -> Self {
        Self::new().with_all(names)
    }

    /// Lets the names of another table through, too.
    pub(super) const fn with_all(mut self, names: &[&str]) -> Self {
        let mut at = 0;
        while at < names.len() {
            self = self.with(names[at]);
            at += 1;
        }
        self
    }

    /// `false` when the table surely does not hold the name.
    pub(super) fn may_hold(&self, name: &str) -> bool {
        let slot = slot(name.as_bytes());
        self.0.get(slot / 64).is_some_and(|word| word >> (slot % 64) & 1 == 1)
    }
}

const fn slot(name: &[u8]) -> usize {
    match name {
        [] => 0,
        [first, .., last] => {
            let (first, last) = ((*first | 0x20) as usize, (*last | 0x20) as usize);
            (first ^ last << 3 ^ name.len() << 6) & 1023
        }
        [only] => (*only | 0x20) as usize,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_pass_in_any_case_and_most_others_do_not() {
        let filter = Filter::of(&["login", "cart", "a"]);
        for name in ["login", "LOGIN", "Cart", "a", "A"] {
            assert!(filter.may_hold(name), "{name}");
        }
        let passed = (0..1000).filter(|n| filter.may_hold(&format!("word{n}"))).count();
        assert!(passed < 50, "{passed}");
    }
}
