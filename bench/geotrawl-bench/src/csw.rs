//! `csw`: the built program serves a catalogue of generated records and answers CSW requests over
//! HTTP, one after another.

use crate::monitor::fill_store;
use crate::served::ServedProgram;
use anyhow::{Context, Result, bail, ensure};
use clap::Args;
use geotrawl_store::EmbeddedStore;
use geotrawl_testkit::documents::GeneratedCatalogue;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

#[derive(Debug, Args)]
pub struct CswOptions {
    /// Number of records
    #[arg(long, value_name = "N", default_value_t = 100_000)]
    records: usize,
    /// Number of requests of each type
    #[arg(long, value_name = "N", default_value_t = 200)]
    queries: usize,
    /// Program to measure
    #[arg(long, value_name = "FILE", default_value = "target/release/geotrawl")]
    binary: PathBuf,
    /// Keep the catalogue in this folder, and use the one already there instead of creating it
    #[arg(long, value_name = "FOLDER")]
    keep: Option<PathBuf>,
    /// Fail if a target is missed
    #[arg(long)]
    strict: bool,
}

/// Returns a request by its number.
type QuestionFn<'a> = Box<dyn Fn(usize) -> String + 'a>;

/// Target for the 99th percentile of every type of request, in milliseconds.
const P99: f64 = 60.0;

/// Dublin Core and ISO 19139 as output schemas.
const DC: &str = "http://www.opengis.net/cat/csw/2.0.2";
const ISO: &str = "http://www.isotc211.org/2005/gmd";

/// The server with one open connection.
struct CswServer {
    _process: ServedProgram,
    stream: BufReader<TcpStream>,
}

impl CswServer {
    fn start(binary: &Path, data: &Path) -> Result<Self> {
        let config = data.join("bench.toml");
        std::fs::write(&config, "[serve]\nguest_rate = 1000000\n")?;
        let arguments = ["--config".to_owned(), config.display().to_string()];
        let process = ServedProgram::start(binary, data, &arguments, &["--role", "web"])?;
        let stream = BufReader::new(TcpStream::connect(process.address)?);
        Ok(Self { _process: process, stream })
    }

    /// Returns the answer to a document.
    fn post(&mut self, body: &str) -> Result<String> {
        let request = format!(
            "POST /csw HTTP/1.1\r\nhost: bench\r\ncontent-type: application/xml\r\ncontent-length: {}\r\n\r\n{body}",
            body.len()
        );
        self.stream.get_mut().write_all(request.as_bytes())?;
        let (mut length, mut line) = (0, String::new());
        loop {
            line.clear();
            self.stream.read_line(&mut line)?;
            if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
                length = value.trim().parse()?;
            }
            if line.trim().is_empty() {
                break;
            }
        }
        let mut answer = vec![0; length];
        self.stream.read_exact(&mut answer)?;
        Ok(String::from_utf8(answer)?)
    }

    fn matched(&mut self, body: &str) -> Result<u64> {
        let answer = self.post(body)?;
        let (_, after) = answer.split_once("numberOfRecordsMatched=\"").context(answer.clone())?;
        Ok(after.split('"').next().unwrap_or_default().parse()?)
    }
}

fn ask(start: usize, most: usize, schema: &str, filter: &str) -> String {
    let constraint = if filter.is_empty() {
        String::new()
    } else {
        format!("<csw:Constraint version=\"1.1.0\"><ogc:Filter>{filter}</ogc:Filter></csw:Constraint>")
    };
    format!(
        "<csw:GetRecords xmlns:csw=\"http://www.opengis.net/cat/csw/2.0.2\" xmlns:ogc=\"http://www.opengis.net/ogc\" \
         xmlns:gml=\"http://www.opengis.net/gml\" service=\"CSW\" version=\"2.0.2\" resultType=\"results\" \
         startPosition=\"{start}\" maxRecords=\"{most}\" outputSchema=\"{schema}\"><csw:Query typeNames=\"csw:Record\">\
         <csw:ElementSetName>full</csw:ElementSetName>{constraint}</csw:Query></csw:GetRecords>"
    )
}

/// Measures every type of request.
pub fn run(root: &Path, options: &CswOptions) -> Result<()> {
    std::fs::create_dir_all(root.join("target/bench"))?;
    let scratch = tempfile::tempdir_in(root.join("target/bench"))?;
    let data = options.keep.clone().unwrap_or_else(|| scratch.path().to_path_buf());
    let catalogue = GeneratedCatalogue::new(options.records, options.records * 3);
    if !data.join("geotrawl.db").exists() {
        create_store(&data, &catalogue, options.records)?;
    }
    let mut server = CswServer::start(&root.join(&options.binary), &data)?;
    wait_for_index(&mut server, options.records as u64)?;
    let mut unmet = Vec::new();
    for (name, question) in &questions(&catalogue, options.records) {
        if !measure(&mut server, name, question, options.queries)? {
            unmet.push(*name);
        }
    }
    if options.strict && !unmet.is_empty() {
        bail!("p99 of {P99} ms not met: {}", unmet.join("; "));
    }
    Ok(())
}

fn create_store(data: &Path, catalogue: &GeneratedCatalogue, records: usize) -> Result<()> {
    std::fs::create_dir_all(data)?;
    println!("csw: creating {records} records ...");
    let store = EmbeddedStore::open(data)?;
    fill_store(&store, records, &|number| {
        let mut resource = catalogue.document(number).record.resource;
        // No two addresses are alike.
        resource.url = format!("{}/{number}", resource.url);
        resource
    })
}

/// Waits until the index, which follows the catalogue after the start, has all records.
fn wait_for_index(server: &mut CswServer, records: u64) -> Result<()> {
    let started = Instant::now();
    loop {
        let indexed = server.matched(&ask(1, 1, DC, ""))?;
        if indexed >= records {
            println!("csw: {indexed} records answered after {:.0} s", started.elapsed().as_secs_f64());
            return Ok(());
        }
        ensure!(started.elapsed() < Duration::from_mins(30), "the index is stuck at {indexed} records");
        std::thread::sleep(Duration::from_millis(500));
    }
}

/// Returns the types of requests, each with its name.
fn questions(catalogue: &GeneratedCatalogue, records: usize) -> Vec<(&'static str, QuestionFn<'_>)> {
    let like = |number: usize| {
        let (words, _) = catalogue.search_query(number);
        format!(
            "<ogc:PropertyIsLike wildCard=\"%\" singleChar=\"_\" escapeChar=\"\\\"><ogc:PropertyName>csw:AnyText\
             </ogc:PropertyName><ogc:Literal>%{}%</ogc:Literal></ogc:PropertyIsLike>",
            words.split(' ').next().unwrap_or_default()
        )
    };
    let inside = |number: usize| {
        let (_, bbox) = catalogue.search_query(number);
        format!(
            "<ogc:BBOX><ogc:PropertyName>ows:BoundingBox</ogc:PropertyName><gml:Envelope \
             srsName=\"urn:ogc:def:crs:EPSG::4326\"><gml:lowerCorner>{} {}</gml:lowerCorner><gml:upperCorner>{} {}\
             </gml:upperCorner></gml:Envelope></ogc:BBOX>",
            bbox.south, bbox.west, bbox.north, bbox.east
        )
    };
    let deep = move |number: usize| 1 + number * 7_919 % records;
    vec![
        ("harvest in pages of 10, at any offset", Box::new(move |n| ask(deep(n), 10, DC, ""))),
        ("a word", Box::new(move |n| ask(1, 10, DC, &like(n)))),
        (
            "one word and a box",
            Box::new(move |n| ask(1, 10, DC, &format!("<ogc:And>{}{}</ogc:And>", like(n), inside(n)))),
        ),
        ("a box", Box::new(move |n| ask(1, 10, DC, &inside(n)))),
        ("ISO 19139 in pages of 10", Box::new(move |n| ask(deep(n), 10, ISO, ""))),
    ]
}

/// Sends requests of one type, prints their times, and returns whether the target is met.
fn measure(server: &mut CswServer, name: &str, question: &QuestionFn<'_>, queries: usize) -> Result<bool> {
    for number in 0..5 {
        server.matched(&question(queries + number))?;
    }
    let (mut times, mut found) = (Vec::new(), 0);
    for number in 0..queries {
        let body = question(number);
        let start = Instant::now();
        found += server.matched(&body)?;
        times.push(start.elapsed().as_secs_f64() * 1e3);
    }
    times.sort_by(f64::total_cmp);
    let at = |share: f64| times[((times.len() as f64 * share) as usize).min(times.len() - 1)];
    let met = at(0.99) < P99;
    println!(
        "  {} {name}: p50 {:.1} ms, p99 {:.1} ms, worst {:.1} ms; {} found on average",
        if met { "met  " } else { "UNMET" },
        at(0.5),
        at(0.99),
        at(1.0),
        found / queries.max(1) as u64
    );
    Ok(met)
}
