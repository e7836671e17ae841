"""pycsw harvests the catalogue into one of its own, with as many records as there are.

Usage: python check_pycsw.py BASE_URL DATA_DIR BINARY

The pycsw is that of the laboratory of servers (GEOTRAWL_LAB names its folder) or one beside the other clients.
"""

import importlib.util
import os
import subprocess
import sys
import tempfile
from pathlib import Path

INSIDE = r"""
import sys
from owslib.csw import CatalogueServiceWeb
from pycsw.core import admin, config, metadata, repository, util

address, folder = sys.argv[1:3]
context = config.StaticContext()
context.url = address
database = f"sqlite:///{folder}/records.db"
admin.setup_db(database, "records", folder, create_sfsql_tables=False)
mine = repository.Repository(database, context, table="records")
source = CatalogueServiceWeb(address, timeout=60)
source.getrecords2(maxrecords=0)
there = source.results["matches"]
harvested = metadata.parse_record(context, address, mine, "http://www.opengis.net/cat/csw/2.0.2", "urn:source", pagesize=25)
for record in harvested:
    mine.insert(record, "harvest", util.get_today_and_now())
# The catalogue itself is one more.
kept = mine.session.query(mine.dataset).count() - 1
identifiers = {record.identifier for record in mine.session.query(mine.dataset)}
assert kept == there == len(identifiers) - 1, (kept, there, len(identifiers))
services = mine.session.query(mine.dataset).filter_by(type="service").count() - 1
boxes = sum(record.wkt_geometry is not None for record in mine.session.query(mine.dataset))
assert services > 0 and boxes > 0, (services, boxes)
print(f"pycsw harvests {kept} records of {there}: {services} services, {boxes} with a box")
"""


def python():
    lab = os.environ.get("GEOTRAWL_LAB")
    if lab and (Path(lab) / "venv/pycsw2/bin/python").exists():
        return str(Path(lab) / "venv/pycsw2/bin/python")
    return sys.executable if importlib.util.find_spec("pycsw") else None


found = python()
if found is None:
    print("skipped: there is no pycsw (GEOTRAWL_LAB names the folder of a laboratory)")
    sys.exit(0)
with tempfile.TemporaryDirectory() as folder:
    command = [found, "-W", "ignore", "-c", INSIDE, sys.argv[1].rstrip("/") + "/csw", folder]
    said = subprocess.run(command, capture_output=True, text=True, timeout=600)
if said.returncode != 0:
    sys.exit(f"pycsw: {said.stdout[-2000:]}\n{said.stderr[-4000:]}")
print(said.stdout.strip().splitlines()[-1])
