"""Harvests the catalogue into a pycsw instance, which must have the same number of records.

Usage: python check_pycsw.py BASE_URL DATA_DIR BINARY

CSW it harvests itself. OAI-PMH it serves but does not harvest: Sickle brings the records, and pycsw reads and keeps
each of them (those of ISO 19139; it knows no `oai_dc`).
"""

import subprocess
import sys
import tempfile
from pathlib import Path

import sickle

INSIDE = r"""
import pathlib
import sys
from lxml import etree
from owslib.csw import CatalogueServiceWeb
from pycsw.core import admin, config, metadata, repository, util

address, folder = sys.argv[1:3]
folder = pathlib.Path(folder)
context = config.StaticContext()
context.url = address


def catalogue(name):
    database = f"sqlite:///{folder}/{name}.db"
    admin.setup_db(database, "records", str(folder), create_sfsql_tables=False)
    return repository.Repository(database, context, table="records")


def keep(mine, records):
    for record in records:
        mine.insert(record, "harvest", util.get_today_and_now())


def kept(mine):
    rows = list(mine.session.query(mine.dataset))
    assert len({row.identifier for row in rows}) == len(rows)
    return rows


source = CatalogueServiceWeb(address, timeout=60)
source.getrecords2(maxrecords=0)
there = source.results["matches"]
by_csw = catalogue("csw")
keep(by_csw, metadata.parse_record(context, address, by_csw, "http://www.opengis.net/cat/csw/2.0.2", "urn:source", pagesize=25))
# The catalogue itself is one more record.
rows = kept(by_csw)
assert len(rows) - 1 == there, (len(rows), there)
services = sum(row.type == "service" for row in rows) - 1
boxes = sum(row.wkt_geometry is not None for row in rows)
assert services > 0 and boxes > 0, (services, boxes)
said = f"pycsw harvests {there} records by CSW: {services} services, {boxes} with a box"
by_oai = catalogue("oai")
files = sorted((folder / "records").iterdir())
for file in files:
    keep(by_oai, metadata.parse_record(context, etree.fromstring(file.read_bytes()), by_oai))
rows = kept(by_oai)
assert len(rows) == len(files) >= there and all(row.title for row in rows), (len(rows), len(files), there)
said += f"; keeps all {len(rows)} of OAI-PMH"
print(said)
"""

base = sys.argv[1].rstrip("/")
with tempfile.TemporaryDirectory() as place:
    folder = Path(place)
    (folder / "records").mkdir()
    records = sickle.Sickle(f"{base}/oai").ListRecords(metadataPrefix="iso19139", ignore_deleted=True)
    for number, one in enumerate(records):
        (folder / f"records/{number:06}.xml").write_bytes(sickle.models.etree.tostring(one.xml.find("{*}metadata")[0]))
    python = Path(sys.prefix) / "harvester/bin/python"
    said = subprocess.run([str(python), "-W", "ignore", "-c", INSIDE, f"{base}/csw", place], capture_output=True, text=True, timeout=600)
if said.returncode != 0:
    sys.exit(f"pycsw: {said.stdout[-2000:]}\n{said.stderr[-4000:]}")
print(said.stdout.strip().splitlines()[-1])
