use super::*;
use proptest::prelude::*;
use std::collections::BTreeSet;

/// One line of numbers.
#[derive(Debug, Clone, PartialEq)]
struct MetricSample {
    name: String,
    labels: Vec<(String, String)>,
    value: f64,
}

/// Parses the format strictly: each family is declared once, before its samples, and its samples
/// are contiguous.
fn parse(text: &str) -> Result<(BTreeMap<String, String>, Vec<MetricSample>), String> {
    if !text.is_empty() && !text.ends_with('\n') {
        return Err("no line end at the end".into());
    }
    let (mut families, mut samples) = (BTreeMap::new(), Vec::new());
    let (mut helped, mut current) = (BTreeSet::new(), String::new());
    let mut seen = BTreeSet::new();
    for line in text.split_terminator('\n') {
        if let Some(help) = line.strip_prefix("# HELP ") {
            let name = help.split(' ').next().unwrap_or_default().to_owned();
            if !helped.insert(name.clone()) {
                return Err(format!("{name} is told twice"));
            }
            current = name;
        } else if let Some(kind) = line.strip_prefix("# TYPE ") {
            let (name, kind) = kind.split_once(' ').ok_or("no type")?;
            if name != current || !["counter", "gauge", "histogram"].contains(&kind) {
                return Err(format!("type of {name}: {kind}"));
            }
            families.insert(name.to_owned(), kind.to_owned());
        } else {
            let sample = sample(line)?;
            let is_part = families.get(&current).is_some_and(|kind| kind == "histogram")
                && ["_bucket", "_sum", "_count"].iter().any(|end| sample.name == format!("{current}{end}"));
            if sample.name != current && !is_part {
                return Err(format!("{} stands in {current}", sample.name));
            }
            if !seen.insert((sample.name.clone(), sample.labels.clone())) {
                return Err(format!("{line} twice"));
            }
            samples.push(sample);
        }
    }
    Ok((families, samples))
}

fn is_name(text: &str) -> bool {
    let mut chars = text.chars();
    chars.next().is_some_and(|c| c.is_ascii_alphabetic() || c == '_')
        && chars.all(|c| c.is_ascii_alphanumeric() || c == '_')
}

fn sample(line: &str) -> Result<MetricSample, String> {
    let end = line.find(['{', ' ']).ok_or("no value")?;
    let (name, mut rest) = line.split_at(end);
    let mut labels = Vec::new();
    if let Some(inside) = rest.strip_prefix('{') {
        rest = inside;
        loop {
            let (label, after) = rest.split_once("=\"").ok_or_else(|| format!("no label in {line:?}"))?;
            if !is_name(label) {
                return Err(format!("{label} is no label"));
            }
            let (mut value, mut chars) = (String::new(), after.char_indices());
            let end = loop {
                match chars.next().ok_or("an open label")? {
                    (at, '"') => break at,
                    (_, '\\') => value.push(match chars.next().ok_or("an open escape")?.1 {
                        'n' => '\n',
                        c @ ('\\' | '"') => c,
                        c => return Err(format!("\\{c}")),
                    }),
                    (_, c) => value.push(c),
                }
            };
            labels.push((label.to_owned(), value));
            rest = &after[end + 1..];
            match rest.split_at(1) {
                (",", more) => rest = more,
                ("}", more) => {
                    rest = more;
                    break;
                }
                _ => return Err(format!("after a label: {rest:?}")),
            }
        }
    }
    let value = rest.strip_prefix(' ').ok_or("no space before the value")?;
    let value = if value == "+Inf" {
        f64::INFINITY
    } else {
        value.parse().map_err(|error| format!("{error}: {line:?}"))?
    };
    if is_name(name) {
        Ok(MetricSample { name: name.into(), labels, value })
    } else {
        Err(format!("{name} is no name"))
    }
}

fn full() -> MetricsSnapshot {
    let mut check_seconds = DurationHistogram::new(CHECK_SECONDS);
    for value in [0.05, 0.1, 0.3, 99.0, f64::NAN, -1.0] {
        check_seconds.observe(value);
    }
    check_seconds.observe_many(1.0, 10);
    MetricsSnapshot {
        version: "0.1.0".into(),
        records: vec![("alive".into(), "wms".into(), 12), ("dead".into(), "wfs".into(), 3)],
        enrolled: 15,
        due: 2,
        overdue: 1,
        checks: BTreeMap::from([("alive".into(), 100), ("dead".into(), 5)]),
        check_seconds: Some(check_seconds),
        tasks: BTreeMap::from([("running".into(), 1)]),
        served: [0, 10, 2, 3, 1],
        event_subscribers: 4,
        index_lag: 1 << 40,
        resident_bytes: Some(123),
        worker: Some(WorkerFigures {
            hosts_on_loan: 8,
            commits: 9,
            left_out: 10,
            lost_loans: 11,
            store_away_seconds: 1.5,
            store_is_away: true,
        }),
    }
}

#[test]
fn a_worker_alone_tells_its_figures() {
    let figures = full().worker.unwrap();
    let (families, samples) = parse(&render_worker_metrics(&figures)).unwrap();
    assert_eq!(families["geotrawl_worker_lost_loans_total"], "counter");
    let value = |name: &str| samples.iter().find(|sample| sample.name == name).map(|sample| sample.value);
    assert_eq!(value("geotrawl_worker_hosts_on_loan"), Some(8.0));
    assert_eq!(value("geotrawl_worker_store_unavailable_seconds_total"), Some(1.5));
    assert_eq!(value("geotrawl_worker_store_up"), Some(0.0));
}

#[test]
fn all_numbers_are_told() {
    let (families, samples) = parse(&render_metrics(&full())).unwrap();
    let value = |name: &str, labels: &[(&str, &str)]| {
        let labels: Vec<_> = labels.iter().map(|(a, b)| ((*a).to_owned(), (*b).to_owned())).collect();
        samples
            .iter()
            .find(|sample| sample.name == name && sample.labels == labels)
            .map(|sample| sample.value)
    };
    assert_eq!(value("geotrawl_build_info", &[("version", "0.1.0")]), Some(1.0));
    assert_eq!(value("geotrawl_records", &[("status", "alive"), ("kind", "wms")]), Some(12.0));
    assert_eq!(value("geotrawl_checks_overdue", &[]), Some(1.0));
    assert_eq!(value("geotrawl_checks_total", &[("verdict", "dead")]), Some(5.0));
    assert_eq!(value("geotrawl_tasks", &[("state", "running")]), Some(1.0));
    assert_eq!(value("geotrawl_http_responses_total", &[("class", "2xx")]), Some(10.0));
    assert_eq!(value("geotrawl_index_lag_changes", &[]), Some(1_099_511_627_776.0));
    assert_eq!(value("process_resident_memory_bytes", &[]), Some(123.0));
    let bucket = |le| value("geotrawl_check_duration_seconds_bucket", &[("le", le)]);
    for (le, count) in [("0.1", 2.0), ("0.25", 2.0), ("0.5", 3.0), ("1", 13.0), ("60", 13.0), ("+Inf", 14.0)]
    {
        assert_eq!(bucket(le), Some(count), "{le}");
    }
    assert_eq!(value("geotrawl_check_duration_seconds_count", &[]), Some(14.0));
    assert!((value("geotrawl_check_duration_seconds_sum", &[]).unwrap() - 109.45).abs() < 1e-9);
    for (name, kind) in &families {
        assert_eq!(name.ends_with("_total"), kind == "counter", "{name} is a {kind}");
    }
}

#[test]
fn what_is_not_known_is_left_out() {
    let text = render_metrics(&MetricsSnapshot::default());
    let (families, _) = parse(&text).unwrap();
    for name in ["geotrawl_check_duration_seconds", "process_resident_memory_bytes"] {
        assert!(!families.contains_key(name), "{text}");
    }
}

#[test]
fn answers_are_counted_by_class() {
    let served = ResponseCounter::default();
    for status in [200, 204, 301, 404, 500, 503, 0, 99, 600, 999, u16::MAX] {
        served.count_response(status);
    }
    assert_eq!(served.snapshot(), [0, 2, 1, 1, 2]);
}

#[test]
fn memory_is_read_where_the_system_tells_it() {
    assert_eq!(resident("Name:\tx\nVmRSS:\t   1234 kB\nThreads:\t1\n"), Some(1_263_616));
    assert_eq!(resident("Name:\tx\n"), None);
    assert_eq!(resident("VmRSS:\t99999999999999999999 kB\n"), None);
}

proptest! {
    #[test]
    fn any_label_survives(label in "(.|[\"\\\\\n{},=]){0,30}", other in ".{0,10}", count: u64) {
        let metrics = MetricsSnapshot {
            version: other.clone(),
            records: vec![(label.clone(), other.clone(), count)],
            tasks: BTreeMap::from([(label.clone(), count)]),
            ..full()
        };
        let (_, samples) = parse(&render_metrics(&metrics)).unwrap();
        let found = samples.iter().find(|sample| sample.name == "geotrawl_records").unwrap();
        prop_assert_eq!(&found.labels, &[("status".to_owned(), label), ("kind".to_owned(), other)]);
    }
}
