"""Queries the catalogue with OWSLib over CSW 2.0.2 and 3.0; validates the responses against the published schemas with lxml.

Usage: python check_csw.py BASE_URL DATA_DIR BINARY

The schemas are those that pycsw ships, in its own environment beside the other clients.
"""

import shutil
import subprocess
import sys
import urllib.error
import urllib.parse
import urllib.request
import warnings
from pathlib import Path

from lxml import etree
from owslib import fes, fes2
from owslib.catalogue.csw2 import CatalogueServiceWeb as Csw2
from owslib.catalogue.csw3 import CatalogueServiceWeb as Csw3
from owslib.iso import MD_Metadata

GMD = "http://www.isotc211.org/2005/gmd"
base = sys.argv[1].rstrip("/")
url = f"{base}/csw"


def fetch(query, body=None, media="application/xml"):
    """Returns body and status of a response, whatever the status is."""
    headers = {"Content-Type": media} if body is not None else {}
    request = urllib.request.Request(f"{url}?{query}" if query else url, data=body, headers=headers)
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            return answer.read(), answer.status
    except urllib.error.HTTPError as error:
        return error.read(), error.code


def schemas():
    """Returns the folder of the package that ships the schemas."""
    return next(Path(sys.prefix).glob("harvester/lib/python*/site-packages/pycsw"))


class Local(etree.Resolver):
    """Resolves schemas from the package; fetches nothing."""

    def __init__(self, root):
        self.roots = [root / "core/schemas", root / "plugins/profiles/apiso/schemas"]

    def resolve(self, address, _public, context):
        if not address.startswith("http"):
            return None
        for prefix, folder in [("http://schemas.opengis.net/", "ogc/"), ("http://www.w3.org/", "w3c/")]:
            for root in self.roots:
                place = root / (folder + address.removeprefix(prefix))
                if address.startswith(prefix) and place.is_file():
                    return self.resolve_filename(str(place), context)
        return self.resolve_string("<xs:schema xmlns:xs='http://www.w3.org/2001/XMLSchema'/>", context)


def schema_of(root, path):
    parser = etree.XMLParser(no_network=True)
    parser.resolvers.add(Local(root))
    return etree.XMLSchema(etree.parse(str(root / path), parser))


def check_paging(csw, ask, count):
    """Reads all records page by page, each once."""
    seen, start = [], 1
    while start:
        ask(csw, start)
        assert csw.results["matches"] == count, (csw.results, count)
        seen.extend(csw.records)
        start = csw.results["nextrecord"]
    assert len(seen) == len(set(seen)) == count, (len(seen), len(set(seen)), count)
    return seen


def check_2():
    csw = Csw2(url, timeout=60)
    assert csw.version == "2.0.2" and csw.identification.type == "CSW", csw.identification.type
    names = {operation.name for operation in csw.operations}
    assert names == {"GetCapabilities", "DescribeRecord", "GetDomain", "GetRecords", "GetRecordById"}, names
    csw.getrecords2(maxrecords=0)
    total = csw.results["matches"]
    assert total > 20, total
    ask = lambda csw, start: csw.getrecords2(maxrecords=20, startposition=start, esn="full")
    ids = check_paging(csw, ask, total)
    ask(csw, 1)
    some = next(record for record in csw.records.values() if record.bbox and record.references)
    assert some.title and some.identifier and some.type in ("service", "dataset")
    west, south, east, north = (float(some.bbox.minx), float(some.bbox.miny), float(some.bbox.maxx), float(some.bbox.maxy))
    assert -180 <= west <= east <= 180 and -90 <= south <= north <= 90, (west, south, east, north)

    def found(*constraints):
        csw.getrecords2(constraints=list(constraints), maxrecords=500, esn="brief")
        return set(csw.records)

    like = fes.PropertyIsLike("csw:AnyText", "%wms%")
    kind = fes.PropertyIsEqualTo("kind", "wms")
    box = fes.BBox([south, west, north, east], crs="urn:ogc:def:crs:EPSG::4326")
    plain = fes.BBox([west, south, east, north])
    every = found()
    assert every == set(ids)
    assert some.identifier in found(box) and found(box) == found(plain)
    both = found([like, box])
    assert both == found(like) & found(box) and found(like), len(both)
    either = found(fes.Or([like, box]))
    assert either == found(like) | found(box)
    assert found(fes.Not([kind])) == every - found(kind) and found(kind)
    assert found(fes.PropertyIsEqualTo("dc:identifier", some.identifier)) == {some.identifier}
    assert found(fes.PropertyIsEqualTo("dc:type", "service")) | found(fes.PropertyIsEqualTo("dc:type", "dataset")) == every
    assert found(fes.PropertyIsGreaterThan("dct:modified", "2001-01-01")) == every
    assert found(fes.PropertyIsNull("dct:abstract")) | found(fes.Not([fes.PropertyIsNull("dct:abstract")])) == every
    csw.getrecords2(cql="csw:AnyText LIKE '%wms%'", maxrecords=500, esn="brief")
    assert set(csw.records) == found(like)
    order = fes.SortBy([fes.SortProperty("dc:title", "DESC")])
    csw.getrecords2(sortby=order, maxrecords=500, esn="brief")
    titles = [record.title for record in csw.records.values()]
    assert len(titles) == total and titles[0] != titles[-1]

    csw.getrecordbyid(id=[some.identifier, ids[0]], esn="full")
    assert some.identifier in csw.records and csw.records[some.identifier].title == some.title
    csw.getrecords2(outputschema=GMD, maxrecords=500, esn="full")
    assert set(csw.records) == every
    for identifier, record in csw.records.items():
        assert isinstance(record, MD_Metadata) and record.identifier == identifier
        assert record.identification[0].title and record.distribution.online
        protocols = [link.protocol for link in record.distribution.online]
        assert len(protocols) == len(set(protocols)), protocols
    iso = csw.records[some.identifier]
    assert iso.identification[0].title == some.title
    csw.getdomain("kind", "property")
    assert "wms" in csw.results["values"], csw.results
    csw.getdomain("GetRecords.resultType")
    assert csw.results["values"] == ["hits", "results", "validate"], csw.results
    csw.describerecord()
    return total, some


def check_3(total, some):
    csw = Csw3(url, timeout=60)
    assert csw.version == "3.0.0" and csw.identification.title
    ask = lambda csw, start: csw.getrecords(maxrecords=30, startposition=start, esn="summary")
    every = set(check_paging(csw, ask, total))

    def found(*constraints):
        csw.getrecords(constraints=list(constraints), maxrecords=500, esn="brief")
        return set(csw.records)

    like = fes2.PropertyIsLike("csw30:AnyText", "%wms%")
    box = fes2.BBox([float(some.bbox.miny), float(some.bbox.minx), float(some.bbox.maxy), float(some.bbox.maxx)], crs="urn:ogc:def:crs:EPSG::4326")
    assert found([like, box]) == found(like) & found(box) and some.identifier in found(box)
    assert found(fes2.Or([like, box])) == found(like) | found(box)
    assert found(fes2.Not([like])) == every - found(like)
    csw.getdomain("kind", "property")
    assert "wms" in csw.results["values"], csw.results
    csw.getrecordbyid(id=[some.identifier])
    root = csw._exml.getroot()
    assert root.tag == "{http://www.opengis.net/cat/csw/3.0}Record", root.tag
    assert root.findtext("{http://purl.org/dc/elements/1.1/}identifier") == some.identifier
    quick = "service=CSW&version=3.0.0&request=GetRecords&typeNames=csw30:Record&q=wms&elementSetName=brief&maxRecords=5"
    body, status = fetch(quick)
    assert status == 200 and int(etree.fromstring(body)[1].get("numberOfRecordsMatched")) > 0
    _, status = fetch("service=CSW&version=3.0.0&request=GetRecordById&id=nothing")
    assert status == 404, status


def check_refusals():
    for query, code, locator in [
        ("service=CSW&version=2.0.2&request=GetRecords", "MissingParameterValue", "typeNames"),
        ("service=CSW&version=2.0.2&request=Nothing", "OperationNotSupported", "request"),
        ("service=CSW&request=GetCapabilities&acceptVersions=0.1", "VersionNegotiationFailed", None),
        ("service=CSW&version=3.0.0&request=GetRecords&bbox=no", "InvalidParameterValue", "bbox"),
    ]:
        body, status = fetch(query)
        exception = etree.fromstring(body)[0]
        assert (exception.get("exceptionCode"), exception.get("locator")) == (code, locator), body
        assert status in (400, 501), status
    bomb = b"<!DOCTYPE a [<!ENTITY b 'bb'><!ENTITY c '&b;&b;'>]><a>&c;</a>"
    deep = b"<a>" * 100_000
    for body in [bomb, deep, b"", b"\xff\xfe", b"<a/>"]:
        answer, status = fetch("", body)
        assert status == 400 and etree.fromstring(answer).tag.endswith("ExceptionReport"), (status, answer[:200])
    soap = (
        "<soap:Envelope xmlns:soap='http://www.w3.org/2003/05/soap-envelope'><soap:Body>"
        "<csw:GetRecordById xmlns:csw='http://www.opengis.net/cat/csw/2.0.2' service='CSW' version='2.0.2'><csw:Id>x</csw:Id>"
        "</csw:GetRecordById></soap:Body></soap:Envelope>"
    )
    answer, status = fetch("", soap.encode(), "application/soap+xml")
    assert status == 200 and etree.fromstring(answer)[0][0].tag.endswith("GetRecordByIdResponse"), answer


def check_schemas():
    """Validates the responses and returns their number."""
    root = schemas()
    asked = "service=CSW&version=2.0.2&request="
    answers = {
        "capabilities": f"{asked}GetCapabilities",
        "brief": f"{asked}GetRecords&typeNames=csw:Record&resultType=results&maxRecords=500&elementSetName=brief",
        "summary": f"{asked}GetRecords&typeNames=csw:Record&resultType=results&maxRecords=500&elementSetName=summary",
        "full": f"{asked}GetRecords&typeNames=csw:Record&resultType=results&maxRecords=500&elementSetName=full",
        "hits": f"{asked}GetRecords&typeNames=csw:Record&resultType=hits",
        "validate": f"{asked}GetRecords&typeNames=csw:Record&resultType=validate",
        "describe": f"{asked}DescribeRecord",
        "domain": f"{asked}GetDomain&PropertyName=dc:type,dct:modified",
        "iso": f"{asked}GetRecords&typeNames=csw:Record&resultType=results&maxRecords=500&elementSetName=full&outputSchema={GMD}",
    }
    read = {name: etree.fromstring(fetch(query)[0]) for name, query in answers.items()}
    of_csw = schema_of(root, "core/schemas/ogc/csw/2.0.2/CSW-discovery.xsd")
    checked = 1
    for name, tree in read.items():
        if name != "iso":
            of_csw.assertValid(tree)
            checked += 1
    of_report = schema_of(root, "core/schemas/ogc/ows/1.0.0/owsExceptionReport.xsd")
    of_report.assertValid(etree.fromstring(fetch(f"{asked}Nothing")[0]))
    of_iso = schema_of(root, "plugins/profiles/apiso/schemas/ogc/csw/2.0.2/profiles/apiso/1.0.0/apiso.xsd")
    for record in read["iso"].iter("{%s}MD_Metadata" % GMD):
        of_iso.assertValid(etree.fromstring(etree.tostring(record)))
        checked += 1
    asked = "service=CSW&version=3.0.0&request="
    of_csw = schema_of(root, "core/schemas/ogc/cat/csw/3.0/cswAll.xsd")
    results = f"{asked}GetRecords&typeNames=csw30:Record&maxRecords=500&elementSetName="
    identifier = read["brief"].findtext(".//{http://purl.org/dc/elements/1.1/}identifier")
    for query in [
        f"{asked}GetCapabilities",
        f"{results}brief",
        f"{results}summary",
        f"{results}full",
        f"{asked}GetDomain&ValueReference=dc:type",
        f"{asked}GetRecordById&elementSetName=full&id={identifier}",
        f"{asked}Nothing",
    ]:
        of_csw.assertValid(etree.fromstring(fetch(query)[0]))
        checked += 1
    return f"{checked} documents valid by schema"


def check_guide():
    """Runs every command of the guide's page against this server."""
    page = (Path(__file__).parent / "../../docs/guide/csw.md").read_text()
    ran = 0
    for language in ("python", "sh"):
        for block in page.split(f"```{language}\n")[1:]:
            block = block.split("```")[0].replace("http://localhost:8080", base)
            if language == "python":
                exec(compile(block, "csw.md", "exec"), {"print": lambda *_: None})
                ran += 1
            elif shutil.which("curl"):
                for command in block.replace("\\\n", " ").strip().splitlines():
                    said = subprocess.run(["sh", "-c", command.replace("curl ", "curl -sSf ", 1)], capture_output=True)
                    assert said.returncode == 0 and etree.fromstring(said.stdout) is not None, (command, said)
                    ran += 1
    return ran


warnings.simplefilter("error")
total, some = check_2()
check_3(total, some)
check_refusals()
print(f"OWSLib reads {total} records by CSW 2.0.2 and 3.0; {check_schemas()}; {check_guide()} commands of the guide run")
