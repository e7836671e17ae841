"""Searches like the MetaSearch plug-in of QGIS, with the Python and the link types of an installed QGIS, and adds what
it finds as QGIS would.

Usage: python check_metasearch.py BASE_URL DATA_DIR BINARY
"""

import os
import subprocess
import sys
from pathlib import Path

import tools

SYSTEM_PYTHON = "/usr/bin/python3"
PLUGINS = Path("/usr/share/qgis/python/plugins")

INSIDE = r"""
import importlib.util, sys
base, site, plugins = sys.argv[1:4]
sys.path.append(site)
from qgis.core import QgsApplication, QgsDataSourceUri, QgsProviderRegistry
from owslib.csw import CatalogueServiceWeb
from owslib.fes import BBox, PropertyIsLike

spec = importlib.util.spec_from_file_location("link_types", f"{plugins}/MetaSearch/link_types.py")
link_types = importlib.util.module_from_spec(spec)
spec.loader.exec_module(link_types)
kinds = {
    "wms": link_types.WMSWMST_LINK_TYPES, "wfs": link_types.WFS_LINK_TYPES, "wcs": link_types.WCS_LINK_TYPES,
    "ams": link_types.AMS_LINK_TYPES, "afs": link_types.AFS_LINK_TYPES,
}

application = QgsApplication([], False)
application.initQgis()
providers = QgsProviderRegistry.instance().providerList()
assert "wms" in providers, providers
catalog = CatalogueServiceWeb(f"{base}/csw", timeout=60)
assert catalog.identification.title

# A plain word, as users type it; then with an area, by latitude and longitude.
catalog.getrecords2(constraints=[PropertyIsLike("csw:AnyText", "wms")], maxrecords=100, esn="full")
words = dict(catalog.records)
assert catalog.results["matches"] > 0 and words, catalog.results
box = BBox([-60, -170, 80, 170], crs="urn:ogc:def:crs:EPSG::4326")
catalog.getrecords2(constraints=[[box, PropertyIsLike("csw:AnyText", "wms")]], maxrecords=100, esn="full")
assert 0 < len(catalog.records) <= len(words)

added = {}
for record in words.values():
    # The columns of the result table.
    assert record.title and record.identifier and record.type
    by_kind = {}
    for link in record.uris + record.references:
        scheme = (link.get("scheme") or link.get("protocol") or "").upper()
        for kind, types in kinds.items():
            if scheme in [name.upper() for name in types]:
                by_kind.setdefault((kind, scheme), []).append(link["url"])
    for (kind, scheme), urls in by_kind.items():
        assert len(urls) == 1, (record.identifier, scheme, urls)
        added[kind] = added.get(kind, 0) + 1
        if kind == "wms":
            # The address that is passed to the WMS connection dialog.
            uri = QgsDataSourceUri()
            uri.setParam("url", urls[0])
            assert uri.param("url") == urls[0] and urls[0].startswith("http"), urls
assert added.get("wms", 0) > 0, added
shown = ", ".join(f"{count} {kind}" for kind, count in sorted(added.items()))
print(f"MetaSearch finds {len(words)} records by a word, {len(catalog.records)} of them in a box; it adds {shown}")
application.exitQgis()
"""

environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "PYTHONDONTWRITEBYTECODE": "1"}
present = Path(SYSTEM_PYTHON).exists() and (PLUGINS / "MetaSearch/link_types.py").exists()
if present:
    probe = subprocess.run([SYSTEM_PYTHON, "-c", "import qgis.core"], env=environment, capture_output=True)
    present = probe.returncode == 0
if not present:
    print(tools.skip("QGIS with MetaSearch", "run `make clients`"))
    sys.exit(0)
import owslib

site = str(Path(owslib.__file__).parent.parent)
command = [SYSTEM_PYTHON, "-c", INSIDE, sys.argv[1].rstrip("/"), site, str(PLUGINS)]
said = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300)
if said.returncode != 0:
    sys.exit(f"QGIS: {said.stdout}\n{said.stderr}")
print(said.stdout.strip().splitlines()[-1])
