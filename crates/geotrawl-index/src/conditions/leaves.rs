//! Evaluation of single conditions.

use super::FilterEvaluator;
use crate::IndexError;
use crate::bits::BitSet;
use crate::boxes::{DocumentBox, FixedPointBox, QueryBox};
use crate::compile::CompiledQuery;
use crate::filter::{ComparisonOperator, FilterExpression, FilterProperty};
use crate::ingest::{LONGEST_SORTED, fold_tag_value, truncate_text};
use crate::moments;
use crate::pattern::{self, LikePattern};
use crate::query::{SearchQuery, SearchTarget, SpatialRelation};
use crate::rows::{IndexRow, normalize_language};
use crate::schema::column;
use geotrawl_model::Bbox;
use geotrawl_text::fold;
use std::cmp::Ordering;
use tantivy::postings::TermInfo;
use tantivy::query::EnableScoring;
use tantivy::schema::{Field, IndexRecordOption};
use tantivy::{DocSet as _, InvertedIndexReader, TERMINATED, Term};

/// Returns whether a property is compared against the term dictionary.
pub(super) fn uses_term_dictionary(property: FilterProperty) -> bool {
    matches!(property, FilterProperty::Any | FilterProperty::Abstract)
}

/// Where the values of a property are stored.
enum PropertySource {
    /// In the values of a facet.
    Facet(usize),
    /// In the row of the record.
    Row(fn(&IndexRow) -> &str),
    /// In the tags with this prefix.
    Tag(&'static str),
    /// In the term dictionary: the words of the abstract, or of all parts.
    Words,
    Number,
    Moment(fn(&IndexRow) -> i64),
    /// In the columns of the temporal extent.
    Span,
}

fn place_of(property: FilterProperty) -> PropertySource {
    match property {
        FilterProperty::Kind => PropertySource::Facet(0),
        FilterProperty::Theme => PropertySource::Facet(1),
        FilterProperty::Country => PropertySource::Facet(2),
        FilterProperty::Provider => PropertySource::Facet(3),
        FilterProperty::Status => PropertySource::Facet(4),
        FilterProperty::Licence => PropertySource::Facet(6),
        FilterProperty::Crs => PropertySource::Facet(7),
        FilterProperty::Language => PropertySource::Facet(8),
        FilterProperty::Id => PropertySource::Row(|row| &row.id),
        FilterProperty::Title => PropertySource::Row(|row| &row.title),
        FilterProperty::Host => PropertySource::Row(|row| &row.host),
        FilterProperty::Keyword => PropertySource::Tag("subject:"),
        FilterProperty::Url => PropertySource::Tag("address:"),
        FilterProperty::Any | FilterProperty::Abstract => PropertySource::Words,
        FilterProperty::Score => PropertySource::Number,
        FilterProperty::Created => PropertySource::Moment(|row| row.born),
        FilterProperty::Modified => PropertySource::Moment(|row| row.good),
        FilterProperty::Time => PropertySource::Span,
    }
}

impl ComparisonOperator {
    fn holds(self, order: Ordering) -> bool {
        match self {
            Self::Equal => order.is_eq(),
            Self::NotEqual => order.is_ne(),
            Self::Less => order.is_lt(),
            Self::AtMost => order.is_le(),
            Self::More => order.is_gt(),
            Self::AtLeast => order.is_ge(),
        }
    }
}

impl FilterEvaluator<'_> {
    pub(super) fn evaluate_leaf(&mut self, filter: &FilterExpression) -> Result<BitSet, IndexError> {
        match filter {
            FilterExpression::Words(words) => self.words(words),
            FilterExpression::Like { property, pattern } => self.like(*property, pattern),
            FilterExpression::Compare { property, comparison: ComparisonOperator::NotEqual, value } => {
                let mut known = self.known(*property)?;
                known.subtract(&self.compare(*property, ComparisonOperator::Equal, value)?);
                Ok(known)
            }
            FilterExpression::Compare { property, comparison, value } => {
                self.compare(*property, *comparison, value)
            }
            FilterExpression::Known(property) => self.known(*property),
            FilterExpression::Place { relation, bbox } => {
                let asked = asked(bbox)?;
                Ok(self.of_spots(|spot| spot.matches_relation(&asked, *relation)))
            }
            FilterExpression::Apart { bbox } => {
                let asked = asked(bbox)?;
                Ok(self.of_spots(|spot| {
                    spot.to_box().is_some() && !spot.matches_relation(&asked, SpatialRelation::Overlaps)
                }))
            }
            FilterExpression::Time { property, from, until } => {
                let read = |text: &Option<String>| text.as_deref().map(span).transpose();
                let from = read(from)?.map_or(i64::MIN, |(first, _)| first);
                let until = read(until)?.map_or(i64::MAX, |(_, last)| last);
                match place_of(*property) {
                    PropertySource::Span => self.of_spans(|first, last| first <= until && last >= from),
                    PropertySource::Moment(moment) => {
                        Ok(self.of_rows(|row| (from..=until).contains(&moment(row))))
                    }
                    _ => Err(IndexError::Query(format!("{property:?} is not a time property."))),
                }
            }
            FilterExpression::Ids(ids) => Ok(self.of_ids(ids)),
            // Handled by the caller.
            FilterExpression::All(_) | FilterExpression::Any(_) | FilterExpression::Not(_) => {
                Ok(self.nothing())
            }
        }
    }

    fn words(&self, text: &str) -> Result<BitSet, IndexError> {
        let node = crate::parse::parse_query(text).map_err(IndexError::Query)?;
        if node.is_none() {
            return Ok(self.everything().clone());
        }
        let failing = self.index.engine.error_while("searching words");
        let query = SearchQuery { by: SearchTarget::Services, ..SearchQuery::default() };
        let compiled = self.index.compile_query(self.snapshot, node.as_ref(), &query).map_err(&failing)?;
        self.of_documents(|segment, reader| {
            let half = &self.snapshot.services;
            match &compiled {
                CompiledQuery::Plan(plan) => plan.matching_documents(half, segment, None),
                CompiledQuery::Query(query) => {
                    let weight = query.weight(EnableScoring::disabled_from_searcher(&half.searcher))?;
                    let mut scorer = weight.scorer(reader, 1.0)?;
                    let mut set = BitSet::empty(reader.max_doc());
                    let mut document = scorer.doc();
                    while document != TERMINATED {
                        set.insert_all(&[document]);
                        document = scorer.advance();
                    }
                    Ok(set)
                }
            }
        })
    }

    fn like(&self, property: FilterProperty, text: &str) -> Result<BitSet, IndexError> {
        let pattern = LikePattern::parse(text);
        match place_of(property) {
            PropertySource::Words => self.like_words(property, text),
            PropertySource::Facet(facet) => Ok(self.of_values(facet, |value| pattern.matches(&fold(value)))),
            PropertySource::Row(value) => Ok(self.of_rows(|row| {
                let value = value(row);
                !value.is_empty() && pattern.matches(&fold(value))
            })),
            PropertySource::Tag(name) => {
                self.of_tags(name, &LikePattern::parse(&text.replace(char::is_whitespace, "\\_")))
            }
            PropertySource::Number => {
                Ok(self.of_rows(|row| row.score.is_some_and(|score| pattern.matches(&score.to_string()))))
            }
            PropertySource::Moment(moment) => Ok(self.of_rows(|row| {
                jiff::Timestamp::from_second(moment(row))
                    .is_ok_and(|moment| pattern.matches(&fold(&moment.to_string())))
            })),
            PropertySource::Span => Err(IndexError::Query(
                "A time cannot be matched by a pattern; compare it instead.".to_owned(),
            )),
        }
    }

    fn compare(
        &self,
        property: FilterProperty,
        comparison: ComparisonOperator,
        value: &str,
    ) -> Result<BitSet, IndexError> {
        let value = value.trim();
        match place_of(property) {
            PropertySource::Words if comparison == ComparisonOperator::Equal => {
                self.like_words(property, &escaped(value))
            }
            PropertySource::Words => {
                Err(IndexError::Query(format!("{property:?} has no order; use = or LIKE.")))
            }
            PropertySource::Facet(facet) => {
                let wanted = if property == FilterProperty::Language {
                    normalize_language(value)
                } else {
                    fold(value).into_owned()
                };
                Ok(self.of_values(facet, |value| comparison.holds(fold(value).as_ref().cmp(&wanted))))
            }
            PropertySource::Row(_)
                if property == FilterProperty::Id && comparison == ComparisonOperator::Equal =>
            {
                Ok(self.of_ids(&[value.to_owned()]))
            }
            PropertySource::Row(of) => {
                let wanted = fold(value);
                let wanted = truncate_text(&wanted, LONGEST_SORTED);
                Ok(self.of_rows(|row| {
                    let value = of(row);
                    !value.is_empty() && comparison.holds(fold(value).as_ref().cmp(wanted))
                }))
            }
            PropertySource::Tag(name) if comparison == ComparisonOperator::Equal => {
                self.of_tags(name, &LikePattern::parse(&escaped(&fold_tag_value(value))))
            }
            PropertySource::Tag(name) => {
                let wanted = fold_tag_value(value);
                self.of_terms(self.index.engine.fields.tag, name, |tag| comparison.holds(tag.cmp(&wanted)))
            }
            PropertySource::Number => {
                let Some(wanted) = value.parse::<f64>().ok().filter(|number| number.is_finite()) else {
                    return Err(IndexError::Query(format!("“{value}” is not a number.")));
                };
                let holds = |score: u8| comparison.holds(f64::from(score).total_cmp(&wanted));
                Ok(self.of_rows(|row| row.score.is_some_and(holds)))
            }
            PropertySource::Moment(moment) => {
                let asked = span(value)?;
                Ok(self.of_rows(|row| lies(moment(row), moment(row), comparison, asked)))
            }
            PropertySource::Span => {
                let asked = span(value)?;
                self.of_spans(|first, last| lies(first, last, comparison, asked))
            }
        }
    }

    fn known(&self, property: FilterProperty) -> Result<BitSet, IndexError> {
        match place_of(property) {
            PropertySource::Facet(facet) => Ok(self.of_values(facet, |value| !value.is_empty())),
            PropertySource::Row(value) => Ok(self.of_rows(|row| !value(row).is_empty())),
            PropertySource::Tag(name) => self.of_terms(self.index.engine.fields.tag, name, |_| true),
            PropertySource::Words if property == FilterProperty::Abstract => {
                self.of_tags("has:", &LikePattern::parse("abstract"))
            }
            PropertySource::Words | PropertySource::Moment(_) => Ok(self.everything().clone()),
            PropertySource::Number => Ok(self.of_rows(|row| row.score.is_some())),
            PropertySource::Span => self.of_spans(|_, _| true),
        }
    }

    fn of_ids(&self, ids: &[String]) -> BitSet {
        let mut set = self.nothing();
        for slot in ids.iter().filter_map(|id| self.snapshot.rows.find_slot(id)) {
            set.insert_all(&[slot as u32]);
        }
        set
    }

    /// Returns the records whose text has all the words of a pattern.
    fn like_words(&self, property: FilterProperty, text: &str) -> Result<BitSet, IndexError> {
        let fields = self.index.engine.fields;
        let mut all = self.known(property)?;
        for word in pattern::word_patterns(text) {
            let marks: &[&str] = match property {
                FilterProperty::Abstract => &["a:"],
                _ => &["t:", "a:", "k:", "l:", "p:", "s:", "u:"],
            };
            let mut any = if property == FilterProperty::Abstract {
                self.nothing()
            } else {
                // Also match two words that are written as one: `LandUse` is found by `landuse`.
                self.of_pattern(fields.tag, "joined:", &word)?
            };
            if word.literal_prefix().is_empty() {
                any.union_with(&self.of_parts(marks, &word)?);
            } else {
                for mark in marks {
                    any.union_with(&self.of_pattern(fields.part, mark, &word)?);
                }
            }
            all.intersect_with(&any);
        }
        Ok(all)
    }

    /// Returns the records with a word in these parts that matches a pattern without a literal
    /// prefix.
    fn of_parts(&self, marks: &[&str], word: &LikePattern) -> Result<BitSet, IndexError> {
        let field = self.index.engine.fields.part;
        let core = word.longest_literal();
        self.of_documents(|segment, reader| {
            let index = reader.inverted_index(field)?;
            let lines = self.snapshot.services.tables[segment].term_lines(&index)?;
            let mut set = BitSet::empty(reader.max_doc());
            let mut from = 1;
            // The substring search jumps to candidate lines; only those are matched against the
            // pattern.
            while let Some(found) = lines.get(from..).and_then(|rest| rest.find(&core)) {
                let start = lines[..from + found].rfind('\n').map_or(0, |at| at + 1).max(from);
                let Some(end) = lines[start..].find('\n').map(|at| start + at) else { break };
                let line = &lines[start..end];
                from = end + 1;
                let wanted =
                    marks.iter().any(|mark| line.strip_prefix(mark).is_some_and(|own| word.matches(own)));
                if wanted && let Some(info) = index.get_term_info(&Term::from_field_text(field, line))? {
                    add_documents(&index, &info, &mut set)?;
                }
            }
            Ok(set)
        })
    }

    fn of_tags(&self, name: &str, pattern: &LikePattern) -> Result<BitSet, IndexError> {
        self.of_pattern(self.index.engine.fields.tag, name, pattern)
    }

    /// Returns the records with a term that matches the pattern.
    fn of_pattern(&self, field: Field, mark: &str, pattern: &LikePattern) -> Result<BitSet, IndexError> {
        self.of_terms_from(field, mark, &pattern.literal_prefix(), |term| pattern.matches(term))
    }

    fn of_terms(
        &self,
        field: Field,
        mark: &str,
        wanted: impl Fn(&str) -> bool,
    ) -> Result<BitSet, IndexError> {
        self.of_terms_from(field, mark, "", wanted)
    }

    /// Returns the records with a term that starts with `mark` and `beginning` and is accepted by
    /// `wanted`.
    fn of_terms_from(
        &self,
        field: Field,
        mark: &str,
        beginning: &str,
        wanted: impl Fn(&str) -> bool,
    ) -> Result<BitSet, IndexError> {
        let from = format!("{mark}{beginning}");
        self.of_documents(|_, reader| {
            let index = reader.inverted_index(field)?;
            let mut set = BitSet::empty(reader.max_doc());
            let mut terms = index.terms().range().ge(&from).into_stream()?;
            while terms.advance() {
                let Ok(term) = std::str::from_utf8(terms.key()) else { continue };
                if !term.starts_with(&from) {
                    break;
                }
                if !wanted(&term[mark.len()..]) {
                    continue;
                }
                add_documents(&index, terms.value(), &mut set)?;
            }
            Ok(set)
        })
    }

    /// Maps the matching documents that are still alive to records.
    fn of_documents(
        &self,
        documents: impl Fn(usize, &tantivy::SegmentReader) -> tantivy::Result<BitSet>,
    ) -> Result<BitSet, IndexError> {
        let half = &self.snapshot.services;
        let mut set = self.nothing();
        for (segment, reader) in half.searcher.segment_readers().iter().enumerate() {
            let found =
                documents(segment, reader).map_err(self.index.engine.error_while("looking up conditions"))?;
            let (table, alive) = (&half.tables[segment], reader.alive_bitset());
            found.for_each(|document| {
                if alive.is_none_or(|alive| alive.is_alive(document)) {
                    set.insert_all(&[table.runs[table.run_of[document as usize] as usize].slot]);
                }
            });
        }
        Ok(set)
    }

    fn of_spots(&self, holds: impl Fn(DocumentBox) -> bool) -> BitSet {
        let half = &self.snapshot.services;
        let mut set = self.nothing();
        for (table, reader) in half.tables.iter().zip(half.searcher.segment_readers()) {
            let alive = reader.alive_bitset();
            for (document, spot) in (0_u32..).zip(&table.spots) {
                if holds(*spot) && alive.is_none_or(|alive| alive.is_alive(document)) {
                    set.insert_all(&[table.runs[table.run_of[document as usize] as usize].slot]);
                }
            }
        }
        set
    }

    fn of_spans(&self, holds: impl Fn(i64, i64) -> bool) -> Result<BitSet, IndexError> {
        self.of_documents(|_, reader| {
            let fast = reader.fast_fields();
            let (from, to) = (fast.i64(column::FROM)?, fast.i64(column::TO)?);
            let mut set = BitSet::empty(reader.max_doc());
            for document in 0..reader.max_doc() {
                let span = from.first(document).zip(to.first(document));
                if span.is_some_and(|(first, last)| holds(first, last)) {
                    set.insert_all(&[document]);
                }
            }
            Ok(set)
        })
    }

    fn of_rows(&self, holds: impl Fn(&IndexRow) -> bool) -> BitSet {
        let mut set = self.nothing();
        for (slot, row) in self.snapshot.rows.occupied_slots() {
            if holds(row) {
                set.insert_all(&[slot as u32]);
            }
        }
        set
    }

    /// Returns the records with an accepted value of a facet.
    fn of_values(&self, facet: usize, will_do: impl Fn(&str) -> bool) -> BitSet {
        let rows = &self.snapshot.rows;
        let will_do: Vec<bool> = rows.values[facet].names().map(will_do).collect();
        let mut set = self.nothing();
        for slot in 0..rows.slots_end() {
            let has = rows.facts(u64::from(slot)).is_some_and(|facts| {
                let mut values = facts.values(facet).iter();
                values.any(|value| will_do.get(*value as usize).copied().unwrap_or(false))
            });
            if has {
                set.insert_all(&[slot]);
            }
        }
        set
    }
}

/// Adds the documents that contain a term.
fn add_documents(index: &InvertedIndexReader, term: &TermInfo, to: &mut BitSet) -> std::io::Result<()> {
    let mut blocks = index.read_block_postings_from_terminfo(term, IndexRecordOption::Basic)?;
    while !blocks.docs().is_empty() {
        to.insert_all(blocks.docs());
        blocks.advance();
    }
    Ok(())
}

/// Escapes a text so that the pattern matches it literally.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        if matches!(c, '%' | '_' | '\\') {
            escaped.push('\\');
        }
        escaped.push(c);
    }
    escaped
}

fn asked(bbox: &Bbox) -> Result<QueryBox, IndexError> {
    FixedPointBox::from_bbox(bbox).map(QueryBox::from_box).ok_or_else(|| {
        IndexError::Query(
            "A box in the filter must be west, south, east, north in degrees, with south below north."
                .to_owned(),
        )
    })
}

fn span(text: &str) -> Result<(i64, i64), IndexError> {
    moments::parse_time_range(text).ok_or_else(|| {
        IndexError::Query(format!("“{text}” is not a date; write it as 2024-05-31 or 2024-05-31T12:00:00Z."))
    })
}

/// Compares a time span with the requested one: a day equals every moment within it.
fn lies(first: i64, last: i64, comparison: ComparisonOperator, (from, to): (i64, i64)) -> bool {
    match comparison {
        ComparisonOperator::Equal => first <= to && last >= from,
        ComparisonOperator::NotEqual => first > to || last < from,
        ComparisonOperator::Less => first < from,
        ComparisonOperator::AtMost => first <= to,
        ComparisonOperator::More => last > to,
        ComparisonOperator::AtLeast => last >= from,
    }
}
