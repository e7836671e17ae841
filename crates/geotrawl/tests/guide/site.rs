//! A small site with what the simulated web lacks: a CSW whose records have links.

use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};

/// Name of its host.
pub const HOST: &str = "geodata.example.org";

/// Records: title, protocol and address of their link.
const RECORDS: [(&str, &str, &str); 3] = [
    ("Rivers and streams", "OGC:WMS", "http://maps.grimsford-museum.test/ows/rivers"),
    ("Flood zones", "OGC:WFS", "http://maps.grimsford-museum.test/floodzones/wfs"),
    ("Forest inventory", "KML", "http://maps.grimsford-museum.test/download/forests-0.kml"),
];

/// Starts serving; the thread ends with the process.
pub fn start() -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = listener.local_addr().expect("its address");
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            std::thread::spawn(move || answer(stream));
        }
    });
    address
}

/// Answers one request. Clients that go away early do not matter.
fn answer(mut stream: TcpStream) {
    let mut lines = BufReader::new(&stream).lines();
    let Some(Ok(request)) = lines.next() else { return };
    while lines.next().is_some_and(|line| line.is_ok_and(|line| !line.is_empty())) {}
    let target = request.split(' ').nth(1).unwrap_or_default().to_ascii_lowercase();
    let is_csw = target.starts_with("/csw");
    let (status, body) = if is_csw && target.contains("request=getcapabilities") {
        ("200 OK", CAPABILITIES.to_owned())
    } else if is_csw && target.contains("request=getrecords") {
        ("200 OK", list_records())
    } else {
        ("404 Not Found", String::new())
    };
    let head = format!(
        "HTTP/1.1 {status}\r\nContent-Type: application/xml\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
        body.len()
    );
    drop(stream.write_all((head + &body).as_bytes()));
}

const CAPABILITIES: &str = r#"<?xml version="1.0"?>
<csw:Capabilities version="2.0.2" xmlns:csw="http://www.opengis.net/cat/csw/2.0.2" xmlns:ows="http://www.opengis.net/ows">
  <ows:ServiceIdentification><ows:Title>Geodata catalogue</ows:Title><ows:ServiceType>CSW</ows:ServiceType></ows:ServiceIdentification>
</csw:Capabilities>
"#;

fn list_records() -> String {
    let count = RECORDS.len();
    let mut records = String::new();
    for (index, (title, protocol, url)) in RECORDS.iter().enumerate() {
        let _ = writeln!(
            records,
            "<csw:Record><dc:identifier>record-{index}</dc:identifier><dc:title>{title}</dc:title>\
             <dc:type>dataset</dc:type><dct:modified>2026-01-0{}</dct:modified>\
             <dct:references scheme=\"{protocol}\">{url}</dct:references></csw:Record>",
            index + 1
        );
    }
    format!(
        "<?xml version=\"1.0\"?>\n<csw:GetRecordsResponse version=\"2.0.2\" \
         xmlns:csw=\"http://www.opengis.net/cat/csw/2.0.2\" xmlns:dc=\"http://purl.org/dc/elements/1.1/\" \
         xmlns:dct=\"http://purl.org/dc/terms/\">\n<csw:SearchStatus timestamp=\"2026-01-01T00:00:00Z\"/>\n\
         <csw:SearchResults numberOfRecordsMatched=\"{count}\" numberOfRecordsReturned=\"{count}\" nextRecord=\"0\" \
         elementSet=\"full\">\n{records}</csw:SearchResults>\n</csw:GetRecordsResponse>\n"
    )
}
