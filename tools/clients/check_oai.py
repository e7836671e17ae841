"""Checks OAI-PMH with Sickle: every verb, whole lists with resumption, sets, dates, deletions; validates all responses."""

import gzip
import json
import pathlib
import signal
import subprocess
import sys
import tempfile
import urllib.parse
import urllib.request
import warnings

from lxml import etree
from sickle import Sickle
from sickle import oaiexceptions as oai

warnings.simplefilter("error")
BASE, DATA, BINARY = sys.argv[1:4]
SCHEMAS = pathlib.Path(__file__).parent / "schemas"
PROTOCOL = etree.XMLSchema(etree.parse(str(SCHEMAS / "oai-pmh.xsd")))
DUBLIN_CORE = etree.XMLSchema(etree.parse(str(SCHEMAS / "oai-dc.xsd")))
MANY = 10_500


def run(*arguments, data=DATA):
    done = subprocess.run([BINARY, "--data", str(data), *arguments], capture_output=True, text=True, check=True)
    return done.stdout


class Checked(Sickle):
    """A Sickle client that validates every response against the schema."""

    answers = 0

    def harvest(self, **arguments):
        response = super().harvest(**arguments)
        PROTOCOL.assertValid(response.xml)
        Checked.answers += 1
        return response


def raw(base, method="GET", **arguments):
    query = urllib.parse.urlencode(arguments)
    if method == "GET":
        request = urllib.request.Request(f"{base}/oai?{query}")
    else:
        request = urllib.request.Request(f"{base}/oai", data=query.encode())
    with urllib.request.urlopen(request) as response:
        assert response.status == 200 and response.headers["content-type"].startswith("text/xml")
        tree = etree.fromstring(response.read())
    PROTOCOL.assertValid(tree)
    return tree


def refused(exception, call, *arguments, **named):
    try:
        answer = call(*arguments, **named)
        if hasattr(answer, "__iter__"):
            list(answer)
    except exception:
        return
    raise AssertionError(f"{exception.__name__} was expected")


def check_catalogue(base, records):
    sickle = Checked(f"{base}/oai", max_retries=3)
    identify = sickle.Identify()
    assert identify.protocolVersion == "2.0" and identify.deletedRecord == "persistent"
    assert identify.granularity == "YYYY-MM-DDThh:mm:ssZ" and identify.baseURL.endswith("/oai")
    formats = {one.metadataPrefix for one in sickle.ListMetadataFormats()}
    assert "oai_dc" in formats, formats

    live, deleted, stamps, by_set = {}, set(), [], {}
    for record in sickle.ListRecords(metadataPrefix="oai_dc"):
        header = record.header
        stamps.append(header.datestamp)
        if record.deleted:
            deleted.add(header.identifier)
            assert record.xml.find(".//{*}metadata") is None
            continue
        live[header.identifier] = record
        for spec in header.setSpecs:
            by_set.setdefault(spec, set()).add(header.identifier)
    wanted = {f"urn:geotrawl:{record['id']}" for record in records}
    assert set(live) == wanted, f"{len(live)} are given, {len(wanted)} are there"
    for record in list(live.values())[:300]:
        DUBLIN_CORE.assertValid(etree.fromstring(etree.tostring(record.xml.find(".//{*}metadata")[0])))
    heads = list(sickle.ListIdentifiers(metadataPrefix="oai_dc"))
    assert {head.identifier for head in heads if not head.deleted} == wanted
    assert {head.identifier for head in heads if head.deleted} == deleted

    # The same records in every other format.
    for prefix in formats - {"oai_dc"}:
        try:
            given = [one.identifier for one in sickle.ListIdentifiers(metadataPrefix=prefix, ignore_deleted=True)]
        except oai.NoRecordsMatch:
            continue
        if any(one.startswith("urn:geotrawl:") for one in given):
            assert wanted <= set(given), prefix
            one = sickle.GetRecord(identifier=sorted(wanted)[0], metadataPrefix=prefix)
            assert one.xml.find(".//{*}metadata")[0] is not None

    # Sets, and one record of each.
    sets = {one.setSpec for one in sickle.ListSets()}
    assert {f"kind.{record['kind']}" for record in records} <= sets
    for spec in sorted(by_set)[:40]:
        given = {one.identifier for one in sickle.ListIdentifiers(metadataPrefix="oai_dc", set=spec, ignore_deleted=True)}
        assert given == by_set[spec], spec
        assert spec in sets, spec
    identifier = sorted(wanted)[0]
    one = sickle.GetRecord(identifier=identifier, metadataPrefix="oai_dc")
    assert one.header.identifier == identifier and one.metadata["title"]
    for gone in sorted(deleted)[:3]:
        assert sickle.GetRecord(identifier=gone, metadataPrefix="oai_dc").deleted
    assert {f.metadataPrefix for f in sickle.ListMetadataFormats(identifier=identifier)} <= formats

    # By date: records up to and from a moment are all records (in this order even while the catalogue changes).
    stamps.sort()
    middle = stamps[len(stamps) // 2]
    early = {one.identifier for one in sickle.ListIdentifiers(metadataPrefix="oai_dc", until=middle)}
    late = {one.identifier for one in sickle.ListIdentifiers(**{"metadataPrefix": "oai_dc", "from": middle})}
    assert early | late >= wanted and early and late

    # Errors.
    refused(oai.CannotDisseminateFormat, sickle.ListRecords, metadataPrefix="marc21")
    refused(oai.IdDoesNotExist, sickle.GetRecord, identifier="urn:geotrawl:none", metadataPrefix="oai_dc")
    refused(oai.NoRecordsMatch, sickle.ListRecords, **{"metadataPrefix": "oai_dc", "from": "2999-01-01"})
    refused(oai.NoRecordsMatch, sickle.ListRecords, metadataPrefix="oai_dc", set="kind.none")
    refused(oai.BadArgument, sickle.ListRecords, **{"metadataPrefix": "oai_dc", "from": "soon"})
    refused(oai.BadResumptionToken, sickle.ListRecords, resumptionToken="AAAA")
    for method in ("GET", "POST"):
        assert raw(base, method, verb="Nonsense").find(".//{*}error").get("code") == "badVerb"
        assert raw(base, method, verb="Identify").find(".//{*}Identify") is not None
    return len(live), len(deleted), len(sets)


def foreign(number):
    """Returns a record as another instance would export it, with titles as hostile servers write them."""
    kind = ("wms", "wfs", "wcs")[number % 3]
    return {
        "id": f"x{number}", "kind": kind, "url": f"http://b.h{number}.example/{kind}", "aliases": [],
        "title": f"Map {number} \u0001\u000b\ufffe <b>&amp;]]> \U0001f5fa", "abstract": "a\u0000b", "keywords": ["water", "\u001f"],
        "bbox": [-10, 35, 5, 44], "datasets": [{"name": f"l{n}"} for n in range(3)], "dataset_count": 3, "status": "alive",
        "host": {"name": f"h{number}.example"}, "first_seen": "2026-01-01T00:00:00Z", "last_seen": "2026-01-02T00:00:00Z",
        "provenance": [], "themes": [{"scheme": "iso", "term": "inland waters", "evidence": "water"}],
    }


def serve(data):
    """Starts a server on a separate catalogue."""
    config = pathlib.Path(data) / "config.toml"
    config.write_text("[serve]\nguest_rate = 1000000\n")
    command = [BINARY, "--data", str(data), "--config", str(config), "serve", "--listen", "127.0.0.1:0", "--role", "web"]
    server = subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
    for line in server.stderr:
        if "answers on http://" in line:
            return server, line.strip().split("answers on ")[1].split()[0]
    raise AssertionError("the server did not start")


def stop(server):
    server.send_signal(signal.SIGTERM)
    server.communicate()


def check_many():
    """Reads ten thousand records with resumption; restarts the server and changes the catalogue in between."""
    with tempfile.TemporaryDirectory() as folder:
        data, finds = pathlib.Path(folder) / "data", pathlib.Path(folder) / "finds.jsonl.gz"
        with gzip.open(finds, "wt", compresslevel=1) as out:
            for number in range(MANY):
                out.write(json.dumps(foreign(number)) + "\n")
        run("import", str(finds), "--source", "https://other.example/", data=data)
        server, base = serve(data)
        try:
            sickle = Checked(f"{base}/oai")
            records = sickle.ListRecords(metadataPrefix="oai_dc")
            assert int(records.resumption_token.complete_list_size) == MANY
            # The token stays valid across a restart and changes of the catalogue.
            seen = [next(records).header.identifier for _ in range(1_400)]
            token = records.resumption_token
            assert int(token.cursor) + 200 == len(seen)
            stop(server)
            # A changed record, a new one, and a better alias of a known one, which becomes its address.
            changed = [foreign(0) | {"title": "Changed", "last_seen": "2026-01-03T00:00:00Z"}, foreign(MANY)]
            changed.append(foreign(3) | {"url": "http://a.h3.example/wms"})
            more = pathlib.Path(folder) / "more.jsonl"
            more.write_text("".join(json.dumps(one) + "\n" for one in changed))
            run("import", str(more), "--source", "https://other.example/", data=data)
            server, base = serve(data)
            sickle = Checked(f"{base}/oai")
            rest = list(sickle.ListRecords(resumptionToken=token.token))
            gone = [record.header.identifier for record in rest if record.deleted]
            rest = [record.header.identifier for record in rest]
            whole = set(seen) | set(rest)
            assert len(whole) == MANY + 2, f"{len(whole)} of {MANY + 2}"
            assert len(seen) + len(rest) == MANY + 4, "what changed after it was given is given again"
            assert len(gone) == 1 and sickle.GetRecord(identifier=gone[0], metadataPrefix="oai_dc").deleted
            given = list(sickle.ListRecords(metadataPrefix="oai_dc", set="kind.wms", ignore_deleted=True))
            assert gone[0] not in {record.header.identifier for record in given}
            # Dates are exact here, because nothing changes.
            stamps = [one.datestamp for one in sickle.ListIdentifiers(metadataPrefix="oai_dc")]
            assert stamps == sorted(stamps)
            middle = stamps[len(stamps) // 2]
            late = [one.datestamp for one in sickle.ListIdentifiers(**{"metadataPrefix": "oai_dc", "from": middle})]
            assert late == [stamp for stamp in stamps if stamp >= middle]
            early = [one.datestamp for one in sickle.ListIdentifiers(metadataPrefix="oai_dc", until=middle)]
            assert early == [stamp for stamp in stamps if stamp <= middle]
            days = {"from": stamps[0][:10], "until": stamps[-1][:10]}
            assert len(list(sickle.ListIdentifiers(metadataPrefix="oai_dc", **days))) == len(stamps)
            heads = {one.identifier for one in sickle.ListIdentifiers(metadataPrefix="oai_dc", set="kind.wfs")}
            assert len(heads) == len([n for n in range(MANY + 1) if n % 3 == 1])
            themes = list(sickle.ListIdentifiers(metadataPrefix="oai_dc", set="theme.iso.inland~20waters"))
            assert len(themes) == MANY + 2 and sum(one.deleted for one in themes) == 1
        finally:
            stop(server)


records = [json.loads(line) for line in run("export", "--format", "jsonl").splitlines()]
live, deleted, sets = check_catalogue(BASE, records)
check_many()
print(f"Sickle: {live} records, {deleted} deleted, {sets} sets; {MANY} more over a restart; {Checked.answers} answers valid")
