"""Archives a site that changes, and reads the result with third-party programs: warcio and lxml.

Usage: check_archive.py BASE_URL DATA_DIR BINARY
The served catalogue is not used: a collection needs a site that changes, so this brings its own of both.
"""
import base64
import hashlib
import http.server
import json
import pathlib
import subprocess
import sys
import tempfile
import threading
import urllib.request

import sickle
from lxml import etree
from warcio.archiveiterator import ArchiveIterator

DIDL = "{urn:mpeg:mpeg21:2002:02-DIDL-NS}"
DII = "{urn:mpeg:mpeg21:2002:01-DII-NS}"
PAGES = {}


class Site(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        kind, body = PAGES.get(self.path, (None, b"gone"))
        self.send_response(200 if kind else 404)
        self.send_header("Content-Type", kind or "text/plain")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def words(start, count):
    return " ".join(f"word{n}" for n in range(start, start + count)).encode()


def harvest(binary, data, schema, parser):
    """Harvests the complex objects over OAI-PMH with Sickle: embedded content must equal referenced content."""
    command = [binary, "--data", str(data), "serve", "--listen", "127.0.0.1:0", "--role", "web"]
    server = subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
    try:
        base = next(line.split("answers on ", 1)[1].strip() for line in server.stderr if "answers on " in line)
        threading.Thread(target=server.stderr.read, daemon=True).start()
        oai = sickle.Sickle(f"{base}/oai")
        assert "TEST" in [one.setSpec for one in oai.ListSets()]
        assert "didl" in [one.metadataPrefix for one in oai.ListMetadataFormats()]
        records = list(oai.ListRecords(metadataPrefix="didl", set="TEST"))
        # Each run found something new, so each created an object. They are the same in every format.
        names = [record.header.identifier for record in records]
        assert len(names) == len(set(names)) == 2 and all(name.startswith("TEST:") for name in names), names
        assert {one.identifier for one in oai.ListIdentifiers(metadataPrefix="oai_dc", set="TEST")} == set(names)
        for record in records:
            assert record.header.setSpecs == ["TEST"]
            one = oai.GetRecord(identifier=record.header.identifier, metadataPrefix="didl")
            assert one.header.datestamp == record.header.datestamp
            metadata = etree.fromstring(one.raw.encode(), parser).find("{*}metadata")[0]
            schema.assertValid(etree.ElementTree(metadata))
            for item in metadata.findall(f"{DIDL}Container/{DIDL}Item"):
                reference, value = item.findall(f"{DIDL}Item")[1].findall(f"{DIDL}Component/{DIDL}Resource")
                with urllib.request.urlopen(reference.get("ref")) as answer:
                    assert answer.read() == base64.b64decode(value.text or ""), reference.get("ref")
        # Timestamps have a resolution of one second, and two short runs may end within the same second.
        stamps = [record.header.datestamp for record in records]
        later = oai.ListIdentifiers(metadataPrefix="didl", set="TEST", **{"from": max(stamps)})
        assert [one.datestamp for one in later] == [stamp for stamp in stamps if stamp == max(stamps)], stamps
        return len(records)
    finally:
        server.kill()
        server.wait()


def main():
    binary = sys.argv[3]
    site = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Site)
    threading.Thread(target=site.serve_forever, daemon=True).start()
    with tempfile.TemporaryDirectory() as place:
        data = pathlib.Path(place) / "data"

        def geotrawl(*arguments):
            pin = f"site.test=127.0.0.1:{site.server_port}"
            command = [binary, "--data", str(data), "--json", "-q", "--delay", "0", "--resolve", pin, *arguments]
            done = subprocess.run(command, capture_output=True, check=False)
            assert done.returncode == 0, (arguments, done.returncode, done.stderr.decode())
            return done.stdout

        def lines(*arguments):
            return [json.loads(line) for line in geotrawl(*arguments).splitlines()]

        PAGES["/"] = ("text/html; charset=utf-8", b"<title>T\xc3\xa4st</title><meta name=DC.creator content='A'>"
                      b"<link rel=stylesheet href=s.css><img src=i.png><a href=/two>2</a><p>" + words(0, 200))
        PAGES["/two"] = ("text/html", b"<title>Two</title><p>" + words(1000, 200))
        PAGES["/s.css"] = ("text/css", b"body{background:url(i.png)}")
        PAGES["/i.png"] = ("image/png", bytes(range(256)))
        geotrawl("archive", "new", "TEST", "--title", "A <test> & more", "--page", "http://site.test/")
        first = lines("archive", "run", "TEST")
        assert first[-1]["run"]["counts"]["new"] == 4, first
        PAGES["/two"] = ("text/html", b"<title>Two</title><p>edited " + words(1001, 199))
        PAGES["/i.png"] = ("image/png", bytes(range(255, -1, -1)))
        second = lines("archive", "run", "TEST")
        counts = second[-1]["run"]["counts"]
        assert (counts["new"], counts["modified"], counts["unchanged"]) == (1, 1, 2), counts
        history = lines("archive", "history", "TEST", "http://site.test/two")[0]
        assert [version["kind"] for version in history["versions"]] == ["new", "modified"]

        # Reads every record with warcio, which also verifies the digests.
        kinds, payloads = {}, {}
        for file in sorted((data / "archive" / "TEST").glob("*.warc.gz")):
            checked = subprocess.run([sys.executable, "-m", "warcio.cli", "check", "-v", str(file)],
                                     capture_output=True, text=True, check=False)
            assert checked.returncode == 0, checked.stdout + checked.stderr
            with open(file, "rb") as stream:
                for record in ArchiveIterator(stream, check_digests="raise"):
                    kinds[record.rec_type] = kinds.get(record.rec_type, 0) + 1
                    body = record.content_stream().read()
                    if record.rec_type == "response":
                        payloads.setdefault(record.rec_headers["WARC-Target-URI"], []).append(body)
        assert kinds["warcinfo"] == 2 and kinds["response"] == 6 and kinds["revisit"] == 2, kinds
        assert kinds["request"] == 8 and kinds["metadata"] == 4 and kinds["resource"] == 2, kinds

        schema = etree.RelaxNG(etree.parse(str(pathlib.Path(__file__).parent / "schemas" / "didl.rng")))
        parser = etree.XMLParser(huge_tree=True)
        object_file = pathlib.Path(place) / "object.xml"
        geotrawl("archive", "didl", "TEST", "-o", str(object_file))
        tree = etree.parse(str(object_file), parser)
        schema.assertValid(tree)
        items = tree.findall(f"{DIDL}Container/{DIDL}Item")
        assert len(items) == 4, len(items)
        for item in items:
            name = item.find(f"{DIDL}Descriptor/{DIDL}Statement/{DII}Identifier").text
            url = name.removeprefix("TEST:")
            inner = [part.find(f"{DIDL}Descriptor/{DIDL}Statement/{DII}Identifier").text
                     for part in item.findall(f"{DIDL}Item")]
            assert inner == [f"{name}#METADATA", f"{name}#DATA"], inner
            by_reference, by_value = item.findall(f"{DIDL}Item")[1].findall(f"{DIDL}Component/{DIDL}Resource")
            value = base64.b64decode(by_value.text or "")
            path = url.removeprefix("http://site.test")
            assert value == PAGES[path][1], url
            assert value == payloads[url][-1], url
            assert by_reference.get("ref").endswith(f"id_/{url}"), by_reference.get("ref")

        folder = pathlib.Path(place) / "copy"
        geotrawl("archive", "export", "TEST", "-o", str(folder))
        for file in ["index.html", "ranked.html", "object.didl.xml"]:
            assert (folder / file).exists(), file
        name = hashlib.sha256(b"http://site.test/two").hexdigest()[:20]
        assert b"edited" in (folder / "pages" / f"{name}.html").read_bytes()
        geotrawl("archive", "rollback", "TEST", "http://site.test/two", "--to", "1")
        shown = {item["url"]: item for item in lines("archive", "show", "TEST")}
        assert shown["http://site.test/two"]["version"]["number"] == 1
        assert shown["http://site.test/two"]["chosen"] is True
        harvested = harvest(binary, data, schema, parser)
    print(f"archive: {sum(kinds.values())} records, {len(items)} items, {harvested} objects harvested")


main()
