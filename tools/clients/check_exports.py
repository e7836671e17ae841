"""Reads every format of `export` with the programs that users read it with; a warning is a failure."""

import csv
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import warnings

import geopandas
import openpyxl
import pyarrow.parquet

BASE, DATA, BINARY = sys.argv[1:4]
warnings.simplefilter("error")


def run(*arguments, data=DATA, code=0):
    done = subprocess.run([BINARY, "--data", str(data), *map(str, arguments)], capture_output=True, text=True)
    assert done.returncode == code, f"{arguments}: {done.returncode} {done.stderr}"
    return done


def export(form, path, *arguments):
    run("export", "--format", form, "-o", path, *arguments)
    return path


def check_gdal(path, layers):
    """Reads a file with GDAL: counts all layers, expects nothing on stderr."""
    if not shutil.which("ogrinfo"):
        return 0
    done = subprocess.run(["ogrinfo", "-ro", "-al", "-so", str(path)], capture_output=True, text=True, check=True)
    assert done.stderr == "", done.stderr
    assert "Warning" not in done.stdout and "ERROR" not in done.stdout, done.stdout
    counts = {}
    for line in done.stdout.splitlines():
        if line.startswith("Layer name: "):
            name = line.split(": ", 1)[1]
        elif line.startswith("Feature Count: "):
            counts[name] = int(line.split(": ")[1])
    for name, count in layers.items():
        assert counts.get(name) == count, (path, name, counts)
    return 1


def check_hostile(folder):
    """Checks that hostile titles produce no invalid file and no formula."""
    hostile = ["=HYPERLINK(\"http://x\")", "+1", "-1+1", "@SUM(A1)", "\t=1", "\u0000\u0001\u000b\ufffe]]>", "'", "\U0001f5fa" * 20000, "<b>&"]
    finds, data = folder / "hostile.jsonl", folder / "hostile"
    with open(finds, "w") as out:
        for number, title in enumerate(hostile):
            out.write(json.dumps({
                "id": str(number), "kind": ("wms", "xyz")[number % 2], "url": f"http://h{number}.example/x", "aliases": [], "title": title, "abstract": title,
                "keywords": [title], "provider": title, "bbox": [[170, -20, -170, 10], [0, 0, 0, 0]][number % 2], "datasets": [{"name": title, "title": title}],
                "status": "alive", "host": {"name": f"h{number}.example"}, "first_seen": "2026-01-01T00:00:00Z",
                "last_seen": "2026-01-01T00:00:00Z", "provenance": []}) + "\n")
    run("import", finds, data=data)
    for form, name in (("xlsx", "h.xlsx"), ("gpkg", "h.gpkg"), ("geojson", "h.geojson"), ("geoparquet", "h.parquet"), ("csv", "h.csv"), ("terria", "h.json"), ("qgis", "h.zip")):
        run("export", "--format", form, "-o", folder / name, data=data)
    book = openpyxl.load_workbook(folder / "h.xlsx")
    for sheet in book:
        for row in sheet.iter_rows():
            assert all(cell.data_type != "f" for cell in row)
    assert len(geopandas.read_parquet(folder / "h.parquet")) == len(hostile)
    assert len(geopandas.read_file(folder / "h.geojson")) == len(hostile)
    check_gdal(folder / "h.gpkg", {"services": len(hostile), "layers": len(hostile), "hosts": len(hostile)})
    with open(folder / "h.csv", newline="") as text:
        for row in csv.reader(text):
            assert not any(field.startswith(("=", "@", "-1+", "\t")) for field in row), row
    json.loads((folder / "h.json").read_text())


def check_dump(folder, records):
    """Imports a dump into an empty catalogue and exports it again."""
    one, two, three = folder / "one", folder / "two", folder / "three"
    run("export", "--format", "dump", "-o", one)
    manifest = json.loads((one / "manifest.json").read_text())
    assert manifest["records"] == len(records) and manifest["schema_version"] == 1
    other = folder / "other"
    told = json.loads(run("--json", "import", one, data=other).stdout)
    assert told["new"] == len(records) and told["refused"] == 0, told
    run("export", "--format", "dump", "-o", two, data=other)
    again = json.loads((two / "manifest.json").read_text())
    assert again["kinds"] == manifest["kinds"] and again["records"] == manifest["records"]
    run("export", "--format", "dump", "-o", three, "--since", one)
    diff = json.loads((three / "manifest.json").read_text())["diff"]
    assert [diff[part]["records"] for part in ("added", "changed", "removed")] == [0, 0, 0], diff
    only = folder / "only"
    run("export", "--format", "dump", "-o", only, "--since", one, "--kind", records[0]["kind"])
    kept = len([record for record in records if record["kind"] == records[0]["kind"]])
    assert json.loads((only / "manifest.json").read_text())["diff"]["removed"]["records"] == len(records) - kept
    # Importing into the original catalogue changes nothing: everything is known in more detail.
    assert json.loads(run("--json", "import", one, data=other).stdout)["new"] == 0
    part = one / manifest["files"][0]["name"]
    part.write_bytes(part.read_bytes()[:-1])
    assert "checksum" in run("import", one, data=other, code=2).stderr


with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    records = [json.loads(line) for line in run("export").stdout.splitlines()]
    layers = sum(len(record.get("datasets", [])) for record in records)
    hosts = len({record["host"]["name"] for record in records})
    gpkg, geojson = export("gpkg", folder / "all.gpkg"), export("geojson", folder / "all.geojson")
    seen = check_gdal(gpkg, {"services": len(records), "layers": layers, "hosts": hosts})
    seen += check_gdal(geojson, {"all": len(records)})
    frame = geopandas.read_parquet(export("geoparquet", folder / "all.parquet"))
    assert len(frame) == len(records) and set(frame["id"]) == {record["id"] for record in records}
    assert frame.crs is not None and frame.geometry.notna().sum() == sum("bbox" in record for record in records)
    geo = json.loads(pyarrow.parquet.read_metadata(folder / "all.parquet").metadata[b"geo"])
    column = geo["columns"][geo["primary_column"]]
    assert [round(side, 6) for side in column["bbox"]] == [round(side, 6) for side in frame.total_bounds], column
    assert set(frame.geometry.dropna().geom_type) <= set(column["geometry_types"])
    for layer, count in (("services", len(records)), ("layers", layers), ("hosts", hosts)):
        assert len(geopandas.read_file(gpkg, layer=layer)) == count
    book = openpyxl.load_workbook(export("xlsx", folder / "all.xlsx"))
    assert book.sheetnames == ["Services", "Layers"]
    assert book["Services"].max_row == len(records) + 1 and book["Layers"].max_row == layers + 1
    with open(export("csv", folder / "all.csv"), newline="") as text:
        assert [row["id"] for row in csv.DictReader(text)] == [record["id"] for record in records]
    terria = json.loads(export("terria", folder / "all.json").read_text())
    members = terria["catalog"][0]["members"]
    assert members and len({member["id"] for member in members}) == len(members)
    # Exports a part: by kind, by task, by words and area.
    kind = next(record["kind"] for record in records if "bbox" in record and record["status"] == "alive")
    some = [json.loads(line) for line in run("export", "--kind", kind).stdout.splitlines()]
    assert [one["id"] for one in some] == [one["id"] for one in records if one["kind"] == kind]
    assert run("export", "--task", "nobody").stdout == ""
    found = run("export", "--bbox", "-180,-90,180,90", "--kind", kind).stdout.splitlines()
    assert 0 < len(found) <= len(some)
    check_hostile(folder)
    check_dump(folder, records)
    print(f"{len(records)} records and {layers} layers in every format; GDAL read {seen} files; a dump went there and back")
