//! `bench csw`: a catalogue of generated records, served by the built program and asked by CSW over HTTP, one question
//! after the other.

use super::monitor::fill;
use super::search::generate::Generated;
use anyhow::{Context, Result, bail, ensure};
use clap::Args;
use geotrawl_store::EmbeddedStore;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

#[derive(Debug, Args)]
pub struct Csw {
    /// Records
    #[arg(long, value_name = "N", default_value_t = 100_000)]
    records: usize,
    /// Questions of each sort
    #[arg(long, value_name = "N", default_value_t = 200)]
    queries: usize,
    /// The program that answers
    #[arg(long, value_name = "FILE", default_value = "target/release/geotrawl")]
    binary: PathBuf,
    /// Keep the catalogue in this folder, and ask what is there instead of making it
    #[arg(long, value_name = "FOLDER")]
    keep: Option<PathBuf>,
    /// A bar that is not met fails the command
    #[arg(long)]
    strict: bool,
}

/// A request by its number.
type Question<'a> = Box<dyn Fn(usize) -> String + 'a>;

/// The bar of every sort of question, in milliseconds.
const P99: f64 = 60.0;

struct Server {
    child: Child,
    stream: BufReader<TcpStream>,
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Server {
    fn start(binary: &Path, data: &Path) -> Result<Self> {
        let config = data.join("bench.toml");
        std::fs::write(&config, "[serve]\nguest_rate = 1000000\n")?;
        let mut child = Command::new(binary)
            .arg("--data")
            .arg(data)
            .arg("--config")
            .arg(config)
            .args(["serve", "--listen", "127.0.0.1:0", "--role", "web"])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .with_context(|| format!("{} does not start; build it", binary.display()))?;
        let mut said = BufReader::new(child.stderr.take().context("no words")?);
        let mut line = String::new();
        let address = loop {
            line.clear();
            ensure!(said.read_line(&mut line)? > 0, "it ended before it answered");
            if let Some((_, address)) = line.trim().split_once("answers on http://") {
                break address.to_owned();
            }
        };
        std::thread::spawn(move || std::io::copy(&mut said, &mut std::io::sink()));
        Ok(Self { child, stream: BufReader::new(TcpStream::connect(address)?) })
    }

    /// The answer on the one connection, which stays open.
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

pub fn run(root: &Path, options: &Csw) -> Result<()> {
    std::fs::create_dir_all(root.join("target/bench"))?;
    let scratch = tempfile::tempdir_in(root.join("target/bench"))?;
    let data = options.keep.clone().unwrap_or_else(|| scratch.path().to_path_buf());
    let catalogue = Generated::new(options.records, options.records * 3);
    if !data.join("geotrawl.db").exists() {
        std::fs::create_dir_all(&data)?;
        println!("csw: making {} records ...", options.records);
        let store = EmbeddedStore::open(&data)?;
        fill(&store, options.records, &|number| {
            let mut resource = catalogue.document(number).record.resource;
            // No two alike.
            resource.url = format!("{}/{number}", resource.url);
            resource
        })?;
        drop(store);
    }
    let binary =
        if options.binary.is_absolute() { options.binary.clone() } else { root.join(&options.binary) };
    let started = Instant::now();
    let mut server = Server::start(&binary, &data)?;
    let dc = "http://www.opengis.net/cat/csw/2.0.2";
    // The index follows the catalogue after the start.
    let whole = loop {
        let there = server.matched(&ask(1, 1, dc, ""))?;
        if there >= options.records as u64 {
            break there;
        }
        ensure!(started.elapsed() < Duration::from_mins(30), "the index does not come to its end: {there}");
        std::thread::sleep(Duration::from_millis(500));
    };
    println!("csw: {whole} records answered after {:.0} s", started.elapsed().as_secs_f64());

    let like = |word: &str| {
        format!(
            "<ogc:PropertyIsLike wildCard=\"%\" singleChar=\"_\" escapeChar=\"\\\"><ogc:PropertyName>csw:AnyText\
             </ogc:PropertyName><ogc:Literal>%{word}%</ogc:Literal></ogc:PropertyIsLike>"
        )
    };
    let place = |number: usize| {
        let (_, bbox) = catalogue.question(number);
        format!(
            "<ogc:BBOX><ogc:PropertyName>ows:BoundingBox</ogc:PropertyName><gml:Envelope \
             srsName=\"urn:ogc:def:crs:EPSG::4326\"><gml:lowerCorner>{} {}</gml:lowerCorner><gml:upperCorner>{} {}\
             </gml:upperCorner></gml:Envelope></ogc:BBOX>",
            bbox.south, bbox.west, bbox.north, bbox.east
        )
    };
    let word = |number: usize| {
        let (words, _) = catalogue.question(number);
        words.split(' ').next().unwrap_or_default().to_owned()
    };
    let deep = |number: usize| 1 + number * 7_919 % options.records;
    let sorts: Vec<(&str, Question)> = vec![
        ("harvest by pages of 10, at any depth", Box::new(|n| ask(deep(n), 10, dc, ""))),
        ("a word", Box::new(|n| ask(1, 10, dc, &like(&word(n))))),
        (
            "a word and a box",
            Box::new(|n| ask(1, 10, dc, &format!("<ogc:And>{}{}</ogc:And>", like(&word(n)), place(n)))),
        ),
        ("a box", Box::new(|n| ask(1, 10, dc, &place(n)))),
        ("ISO 19139 by pages of 10", Box::new(|n| ask(deep(n), 10, "http://www.isotc211.org/2005/gmd", ""))),
    ];
    let mut unmet = Vec::new();
    for (name, question) in &sorts {
        for number in 0..5 {
            server.matched(&question(options.queries + number))?;
        }
        let (mut times, mut found) = (Vec::new(), 0);
        for number in 0..options.queries {
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
            found / options.queries.max(1) as u64
        );
        if !met {
            unmet.push(*name);
        }
    }
    if options.strict && !unmet.is_empty() {
        bail!("p99 of {P99} ms not met: {}", unmet.join("; "));
    }
    Ok(())
}
