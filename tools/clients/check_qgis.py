"""Opens exports in QGIS: layers with their styles, connections, layer definitions."""

import http.cookiejar
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import urllib.parse
import urllib.request
import zipfile

import tools

SYSTEM = "/usr/bin/python3"

# QGIS is only available in the system's Python.
try:
    from qgis.core import QgsApplication
except ImportError:
    there = subprocess.run([SYSTEM, "-c", "import qgis.core"], capture_output=True).returncode == 0 if os.path.exists(SYSTEM) else False
    if not there or os.environ.get("CHECK_QGIS_AGAIN"):
        print(tools.skip("QGIS", "run `make clients`"))
        sys.exit(0)
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    environment |= {"QT_QPA_PLATFORM": "offscreen", "CHECK_QGIS_AGAIN": "1"}
    sys.exit(subprocess.run([SYSTEM, *sys.argv], env=environment).returncode)

from qgis.core import QgsLayerDefinition, QgsProject, QgsVectorLayer  # noqa: E402
from qgis.PyQt.QtXml import QDomDocument  # noqa: E402

BASE, DATA, BINARY = sys.argv[1:4]
# A user that the test has added.
KEEPER = ("keeper", "violet-harbour-92-lantern")


def run(*arguments):
    return subprocess.run([BINARY, "--data", DATA, *map(str, arguments)], capture_output=True, text=True, check=True).stdout


def warned():
    said = []
    QgsApplication.messageLog().messageReceived.connect(lambda text, tag, level: said.append(f"{tag}: {text}") if level > 0 else None)
    return said


def check_geopackage(path, records):
    layers = {}
    for table in ("services", "layers", "hosts"):
        layer = QgsVectorLayer(f"{path}|layername={table}", table, "ogr")
        assert layer.isValid(), table
        assert layer.crs().authid() == "EPSG:4326"
        # The symbols come from the style in the file, not from a random default.
        assert layer.renderer().type() == "categorizedSymbol", (table, layer.renderer().type())
        assert len(layer.renderer().categories()) == 5
        for category in layer.renderer().categories():
            assert category.symbol().symbolLayer(0).layerType() in ("SimpleFill", "SimpleMarker")
        assert layer.dataProvider().hasSpatialIndex() == 2, table
        layers[table] = layer
    assert layers["services"].featureCount() == len(records)
    number, ids, names, _descriptions, _error = layers["services"].listStylesInDatabase()
    assert {"Quality", "Kind"} <= set(names[:number]), names
    for identity in ids[:number]:
        qml, error = layers["services"].getStyleFromDatabase(identity)
        assert qml and not error
    with_place = sum(1 for feature in layers["hosts"].getFeatures() if feature.hasGeometry())
    return with_place


def check_connections(path):
    """Reads every file with the parser and the names of the QGIS dialog."""
    roots = {
        "wms-wmts.xml": ("qgsWMSConnections", "wms"),
        "wfs-ogcapi-features.xml": ("qgsWFSConnections", "wfs"),
        "wcs.xml": ("qgsWCSConnections", "wcs"),
        "xyz-tiles.xml": ("qgsXYZTilesConnections", "xyztiles"),
        "vector-tiles.xml": ("qgsVectorTileConnections", "vectortile"),
        "arcgis-rest.xml": ("qgsARCGISFEATURESERVERConnections", "arcgisfeatureserver"),
    }
    count = 0
    with zipfile.ZipFile(path) as archive:
        for name in archive.namelist():
            if name == "README.txt":
                continue
            document = QDomDocument()
            parsed, message, line, _column = document.setContent(archive.read(name))
            assert parsed, f"{name}: {message} in line {line}"
            root, element = roots[name]
            assert document.documentElement().tagName() == root, name
            names = set()
            child = document.documentElement().firstChildElement()
            while not child.isNull():
                assert child.tagName() == element and child.attribute("url").startswith("http"), name
                assert child.attribute("name") not in names, "QGIS keeps one connection of a name"
                names.add(child.attribute("name"))
                child = child.nextSiblingElement()
            count += len(names)
    return count


def check_definition(folder, record):
    """Loads a layer definition into a project: every layer has its provider."""
    path = folder / "layers.qlr"
    path.write_text(record["qlr"])
    project = QgsProject()
    # QGIS cannot reach the servers: layers are created but need not be valid.
    loaded, error = QgsLayerDefinition.loadLayerDefinition(str(path), project, project.layerTreeRoot())
    assert loaded and not error, error
    tree = project.layerTreeRoot().findLayers()
    assert len(tree) == record["wanted"], (record["kind"], len(tree), record["wanted"])
    assert len(QgsLayerDefinition.loadLayerDefinitionLayers(str(path))) == record["wanted"]
    return len(tree)


def definitions(records):
    """Requests layer definitions from the API as a logged-in user."""
    opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar()))
    body = json.dumps({"name": KEEPER[0], "password": KEEPER[1]}).encode()
    opener.open(urllib.request.Request(f"{BASE}/api/v1/session", data=body, headers={"content-type": "application/json"})).close()
    told = []
    for kind in ("wms", "wfs", "ogcapi-features", "arcgis-mapserver", "arcgis-featureserver", "xyz", "geojson", "cog", "geotiff", "kml"):
        one = next((record for record in records if record["kind"] == kind and (record.get("datasets") or kind not in ("wms", "wfs"))), None)
        if one is None:
            continue
        with opener.open(f"{BASE}/api/v1/records/{one['id']}/qgis") as answer:
            text = answer.read().decode()
        told.append({"kind": kind, "qlr": text, "wanted": max(1, min(200, len(one.get("datasets", []))))})
        layer = next(iter(one.get("datasets", [])), None)
        if layer and layer["name"]:
            query = urllib.parse.urlencode({"layer": layer["name"]})
            with opener.open(f"{BASE}/api/v1/records/{one['id']}/qgis?{query}") as answer:
                told.append({"kind": kind, "qlr": answer.read().decode(), "wanted": 1})
    return told


QgsApplication.setPrefixPath("/usr", True)
application = QgsApplication([], False)
application.initQgis()
try:
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        records = [json.loads(line) for line in run("export").splitlines()]
        said = warned()
        # The test servers run on this machine; the table locates it in Berlin.
        (folder / "places.csv").write_text("network,country,city,lat,lon\n127.0.0.0/8,DE,Berlin,52.5,13.4\n")
        (folder / "config.toml").write_text(f'[serve]\nplace_table = "{folder}/places.csv"\n')
        run("--config", folder / "config.toml", "export", "--format", "gpkg", "-o", folder / "all.gpkg")
        hosts = check_geopackage(folder / "all.gpkg", records)
        assert hosts > 0, "hosts have no place"
        assert not said, said
        run("export", "--format", "qgis", "-o", folder / "all.zip")
        connections = check_connections(folder / "all.zip")
        wanted = definitions(records)
        layers = sum(check_definition(folder, one) for one in wanted)
        print(f"QGIS: {len(records)} styled footprints, {hosts} hosts with a place, {connections} connections, {layers} layers of {len(wanted)} definitions")
finally:
    application.exitQgis()
