//! Single conditions.

use super::Conditions;
use crate::IndexError;
use crate::bits::Bits;
use crate::boxes::{Area, Asked, Spot};
use crate::compile::Compiled;
use crate::filter::{Comparison, Filter, Property};
use crate::ingest::{LONGEST_SORTED, shorten, tag_value};
use crate::moments;
use crate::pattern::{self, Pattern};
use crate::query::{By, Query, Relation};
use crate::rows::{Row, language_name};
use crate::schema::column;
use geotrawl_model::Bbox;
use geotrawl_text::fold;
use std::cmp::Ordering;
use tantivy::postings::TermInfo;
use tantivy::query::EnableScoring;
use tantivy::schema::{Field, IndexRecordOption};
use tantivy::{DocSet as _, InvertedIndexReader, TERMINATED, Term};

/// Whether a property is compared by its words, in the dictionary.
pub(super) fn by_words(property: Property) -> bool {
    matches!(property, Property::Any | Property::Abstract)
}

/// Where the values of a property stand.
enum Where {
    /// Among the values of a facet.
    Facet(usize),
    /// In the row.
    Row(fn(&Row) -> &str),
    /// Among the tags, with this name.
    Tag(&'static str),
    /// In the dictionary of words: those of the abstract, or of all parts.
    Words,
    Number,
    Moment(fn(&Row) -> i64),
    /// The time that the data cover.
    Span,
}

fn place_of(property: Property) -> Where {
    match property {
        Property::Kind => Where::Facet(0),
        Property::Theme => Where::Facet(1),
        Property::Country => Where::Facet(2),
        Property::Provider => Where::Facet(3),
        Property::Status => Where::Facet(4),
        Property::Licence => Where::Facet(6),
        Property::Crs => Where::Facet(7),
        Property::Language => Where::Facet(8),
        Property::Id => Where::Row(|row| &row.id),
        Property::Title => Where::Row(|row| &row.title),
        Property::Host => Where::Row(|row| &row.host),
        Property::Keyword => Where::Tag("subject:"),
        Property::Url => Where::Tag("address:"),
        Property::Any | Property::Abstract => Where::Words,
        Property::Score => Where::Number,
        Property::Created => Where::Moment(|row| row.born),
        Property::Modified => Where::Moment(|row| row.good),
        Property::Time => Where::Span,
    }
}

impl Comparison {
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

impl Conditions<'_> {
    pub(super) fn leaf(&mut self, filter: &Filter) -> Result<Bits, IndexError> {
        match filter {
            Filter::Words(words) => self.words(words),
            Filter::Like { property, pattern } => self.like(*property, pattern),
            Filter::Compare { property, comparison: Comparison::NotEqual, value } => {
                let mut known = self.known(*property)?;
                known.remove(&self.compare(*property, Comparison::Equal, value)?);
                Ok(known)
            }
            Filter::Compare { property, comparison, value } => self.compare(*property, *comparison, value),
            Filter::Known(property) => self.known(*property),
            Filter::Place { relation, bbox } => {
                let asked = asked(bbox)?;
                Ok(self.of_spots(|spot| spot.lies(&asked, *relation)))
            }
            Filter::Apart { bbox } => {
                let asked = asked(bbox)?;
                Ok(self.of_spots(|spot| spot.area().is_some() && !spot.lies(&asked, Relation::Overlaps)))
            }
            Filter::Time { property, from, until } => {
                let read = |text: &Option<String>| text.as_deref().map(span).transpose();
                let from = read(from)?.map_or(i64::MIN, |(first, _)| first);
                let until = read(until)?.map_or(i64::MAX, |(_, last)| last);
                match place_of(*property) {
                    Where::Span => self.of_spans(|first, last| first <= until && last >= from),
                    Where::Moment(moment) => Ok(self.of_rows(|row| (from..=until).contains(&moment(row)))),
                    _ => Err(IndexError::Query(format!("{property:?} is no time."))),
                }
            }
            Filter::Ids(ids) => Ok(self.of_ids(ids)),
            // Joined and cut elsewhere.
            Filter::All(_) | Filter::Any(_) | Filter::Not(_) => Ok(self.nothing()),
        }
    }

    fn words(&self, text: &str) -> Result<Bits, IndexError> {
        let node = crate::parse::parse(text).map_err(IndexError::Query)?;
        if node.is_none() {
            return Ok(self.everything().clone());
        }
        let failing = self.index.engine.fails("searching words");
        let query = Query { by: By::Services, ..Query::default() };
        let compiled = self.index.compiled(self.snapshot, node.as_ref(), &query).map_err(&failing)?;
        self.of_documents(|segment, reader| {
            let half = &self.snapshot.services;
            match &compiled {
                Compiled::Plan(plan) => plan.matches(half, segment, None),
                Compiled::Query(query) => {
                    let weight = query.weight(EnableScoring::disabled_from_searcher(&half.searcher))?;
                    let mut scorer = weight.scorer(reader, 1.0)?;
                    let mut set = Bits::none(reader.max_doc());
                    let mut document = scorer.doc();
                    while document != TERMINATED {
                        set.add(&[document]);
                        document = scorer.advance();
                    }
                    Ok(set)
                }
            }
        })
    }

    fn like(&self, property: Property, text: &str) -> Result<Bits, IndexError> {
        let pattern = Pattern::of(text);
        match place_of(property) {
            Where::Words => self.like_words(property, text),
            Where::Facet(facet) => Ok(self.of_values(facet, |value| pattern.matches(&fold(value)))),
            Where::Row(value) => Ok(self.of_rows(|row| {
                let value = value(row);
                !value.is_empty() && pattern.matches(&fold(value))
            })),
            Where::Tag(name) => self.of_tags(name, &Pattern::of(&text.replace(char::is_whitespace, "\\_"))),
            Where::Number => {
                Ok(self.of_rows(|row| row.score.is_some_and(|score| pattern.matches(&score.to_string()))))
            }
            Where::Moment(moment) => Ok(self.of_rows(|row| {
                jiff::Timestamp::from_second(moment(row))
                    .is_ok_and(|moment| pattern.matches(&fold(&moment.to_string())))
            })),
            Where::Span => Err(IndexError::Query("A time is compared, not matched by a pattern.".to_owned())),
        }
    }

    fn compare(&self, property: Property, comparison: Comparison, value: &str) -> Result<Bits, IndexError> {
        let value = value.trim();
        match place_of(property) {
            Where::Words if comparison == Comparison::Equal => self.like_words(property, &escaped(value)),
            Where::Words => {
                Err(IndexError::Query(format!("{property:?} has no order; it is compared with = or LIKE.")))
            }
            Where::Facet(facet) => {
                let wanted = if property == Property::Language {
                    language_name(value)
                } else {
                    fold(value).into_owned()
                };
                Ok(self.of_values(facet, |value| comparison.holds(fold(value).as_ref().cmp(&wanted))))
            }
            Where::Row(_) if property == Property::Id && comparison == Comparison::Equal => {
                Ok(self.of_ids(&[value.to_owned()]))
            }
            Where::Row(of) => {
                let wanted = fold(value);
                let wanted = shorten(&wanted, LONGEST_SORTED);
                Ok(self.of_rows(|row| {
                    let value = of(row);
                    !value.is_empty() && comparison.holds(fold(value).as_ref().cmp(wanted))
                }))
            }
            Where::Tag(name) if comparison == Comparison::Equal => {
                self.of_tags(name, &Pattern::of(&escaped(&tag_value(value))))
            }
            Where::Tag(name) => {
                let wanted = tag_value(value);
                self.of_terms(self.index.engine.fields.tag, name, |tag| comparison.holds(tag.cmp(&wanted)))
            }
            Where::Number => {
                let Some(wanted) = value.parse::<f64>().ok().filter(|number| number.is_finite()) else {
                    return Err(IndexError::Query(format!("“{value}” is no number.")));
                };
                let holds = |score: u8| comparison.holds(f64::from(score).total_cmp(&wanted));
                Ok(self.of_rows(|row| row.score.is_some_and(holds)))
            }
            Where::Moment(moment) => {
                let asked = span(value)?;
                Ok(self.of_rows(|row| lies(moment(row), moment(row), comparison, asked)))
            }
            Where::Span => {
                let asked = span(value)?;
                self.of_spans(|first, last| lies(first, last, comparison, asked))
            }
        }
    }

    fn known(&self, property: Property) -> Result<Bits, IndexError> {
        match place_of(property) {
            Where::Facet(facet) => Ok(self.of_values(facet, |value| !value.is_empty())),
            Where::Row(value) => Ok(self.of_rows(|row| !value(row).is_empty())),
            Where::Tag(name) => self.of_terms(self.index.engine.fields.tag, name, |_| true),
            Where::Words if property == Property::Abstract => self.of_tags("has:", &Pattern::of("abstract")),
            Where::Words | Where::Moment(_) => Ok(self.everything().clone()),
            Where::Number => Ok(self.of_rows(|row| row.score.is_some())),
            Where::Span => self.of_spans(|_, _| true),
        }
    }

    fn of_ids(&self, ids: &[String]) -> Bits {
        let mut set = self.nothing();
        for slot in ids.iter().filter_map(|id| self.snapshot.rows.slot(id)) {
            set.add(&[slot as u32]);
        }
        set
    }

    /// Texts whose words are like those of a pattern.
    fn like_words(&self, property: Property, text: &str) -> Result<Bits, IndexError> {
        let fields = self.index.engine.fields;
        let mut all = self.known(property)?;
        for word in pattern::words(text) {
            let marks: &[&str] = match property {
                Property::Abstract => &["a:"],
                _ => &["t:", "a:", "k:", "l:", "p:", "s:", "u:"],
            };
            let mut any = if property == Property::Abstract {
                self.nothing()
            } else {
                // Also what two words are together: `LandUse` is found by `landuse`.
                self.of_pattern(fields.tag, "joined:", &word)?
            };
            if word.beginning().is_empty() {
                any.join(&self.of_parts(marks, &word)?);
            } else {
                for mark in marks {
                    any.join(&self.of_pattern(fields.part, mark, &word)?);
                }
            }
            all.cut(&any);
        }
        Ok(all)
    }

    /// Records that have a word of these parts that is like this one, whatever it begins with.
    fn of_parts(&self, marks: &[&str], word: &Pattern) -> Result<Bits, IndexError> {
        let field = self.index.engine.fields.part;
        let core = word.core();
        self.of_documents(|segment, reader| {
            let index = reader.inverted_index(field)?;
            let lines = self.snapshot.services.tables[segment].lines(&index)?;
            let mut set = Bits::none(reader.max_doc());
            let mut from = 1;
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

    fn of_tags(&self, name: &str, pattern: &Pattern) -> Result<Bits, IndexError> {
        self.of_pattern(self.index.engine.fields.tag, name, pattern)
    }

    /// Records that have a term like this one.
    fn of_pattern(&self, field: Field, mark: &str, pattern: &Pattern) -> Result<Bits, IndexError> {
        self.of_terms_from(field, mark, &pattern.beginning(), |term| pattern.matches(term))
    }

    fn of_terms(&self, field: Field, mark: &str, wanted: impl Fn(&str) -> bool) -> Result<Bits, IndexError> {
        self.of_terms_from(field, mark, "", wanted)
    }

    /// Records that have one of the terms that begin with a mark and a text, and are wanted.
    fn of_terms_from(
        &self,
        field: Field,
        mark: &str,
        beginning: &str,
        wanted: impl Fn(&str) -> bool,
    ) -> Result<Bits, IndexError> {
        let from = format!("{mark}{beginning}");
        self.of_documents(|_, reader| {
            let index = reader.inverted_index(field)?;
            let mut set = Bits::none(reader.max_doc());
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

    /// Records of documents that are still there.
    fn of_documents(
        &self,
        documents: impl Fn(usize, &tantivy::SegmentReader) -> tantivy::Result<Bits>,
    ) -> Result<Bits, IndexError> {
        let half = &self.snapshot.services;
        let mut set = self.nothing();
        for (segment, reader) in half.searcher.segment_readers().iter().enumerate() {
            let found =
                documents(segment, reader).map_err(self.index.engine.fails("looking up conditions"))?;
            let (table, alive) = (&half.tables[segment], reader.alive_bitset());
            found.each(|document| {
                if alive.is_none_or(|alive| alive.is_alive(document)) {
                    set.add(&[table.runs[table.run_of[document as usize] as usize].slot]);
                }
            });
        }
        Ok(set)
    }

    fn of_spots(&self, holds: impl Fn(Spot) -> bool) -> Bits {
        let half = &self.snapshot.services;
        let mut set = self.nothing();
        for (table, reader) in half.tables.iter().zip(half.searcher.segment_readers()) {
            let alive = reader.alive_bitset();
            for (document, spot) in (0_u32..).zip(&table.spots) {
                if holds(*spot) && alive.is_none_or(|alive| alive.is_alive(document)) {
                    set.add(&[table.runs[table.run_of[document as usize] as usize].slot]);
                }
            }
        }
        set
    }

    fn of_spans(&self, holds: impl Fn(i64, i64) -> bool) -> Result<Bits, IndexError> {
        self.of_documents(|_, reader| {
            let fast = reader.fast_fields();
            let (from, to) = (fast.i64(column::FROM)?, fast.i64(column::TO)?);
            let mut set = Bits::none(reader.max_doc());
            for document in 0..reader.max_doc() {
                let span = from.first(document).zip(to.first(document));
                if span.is_some_and(|(first, last)| holds(first, last)) {
                    set.add(&[document]);
                }
            }
            Ok(set)
        })
    }

    fn of_rows(&self, holds: impl Fn(&Row) -> bool) -> Bits {
        let mut set = self.nothing();
        for (slot, row) in self.snapshot.rows.slots() {
            if holds(row) {
                set.add(&[slot as u32]);
            }
        }
        set
    }

    /// Records that have one of the values of a facet that will do.
    fn of_values(&self, facet: usize, will_do: impl Fn(&str) -> bool) -> Bits {
        let rows = &self.snapshot.rows;
        let will_do: Vec<bool> = rows.values[facet].names().map(will_do).collect();
        let mut set = self.nothing();
        for slot in 0..rows.slots_end() {
            let has = rows.facts(u64::from(slot)).is_some_and(|facts| {
                let mut values = facts.values(facet).iter();
                values.any(|value| will_do.get(*value as usize).copied().unwrap_or(false))
            });
            if has {
                set.add(&[slot]);
            }
        }
        set
    }
}

/// Documents of a term.
fn add_documents(index: &InvertedIndexReader, term: &TermInfo, to: &mut Bits) -> std::io::Result<()> {
    let mut blocks = index.read_block_postings_from_terminfo(term, IndexRecordOption::Basic)?;
    while !blocks.docs().is_empty() {
        to.add(blocks.docs());
        blocks.advance();
    }
    Ok(())
}

/// A text as a pattern that means only it.
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

fn asked(bbox: &Bbox) -> Result<Asked, IndexError> {
    Area::of(bbox).map(Asked::of).ok_or_else(|| {
        IndexError::Query(
            "A box of the filter is not west, south, east, north in degrees, with south below north."
                .to_owned(),
        )
    })
}

fn span(text: &str) -> Result<(i64, i64), IndexError> {
    moments::moment(text).ok_or_else(|| {
        IndexError::Query(format!("“{text}” is no date; write it like 2024-05-31 or 2024-05-31T12:00:00Z."))
    })
}

/// How a span lies to the one asked for: a day is equal to every moment of it.
fn lies(first: i64, last: i64, comparison: Comparison, (from, to): (i64, i64)) -> bool {
    match comparison {
        Comparison::Equal => first <= to && last >= from,
        Comparison::NotEqual => first > to || last < from,
        Comparison::Less => first < from,
        Comparison::AtMost => first <= to,
        Comparison::More => last > to,
        Comparison::AtLeast => last >= from,
    }
}
