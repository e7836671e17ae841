"""Checks OGC API Records with OWSLib: all records, one record, words, boxes, times, CQL2 in both encodings, errors."""

import json
import shutil
import subprocess
import sys
import urllib.error
import urllib.parse
import urllib.request

from owslib.ogcapi.records import Records

BASE = sys.argv[1].rstrip("/")


def read(path, **parameters):
    query = urllib.parse.urlencode(parameters)
    address = path if path.startswith("http") else f"{BASE}/records{path}"
    with urllib.request.urlopen(f"{address}?{query}" if query else address) as answer:
        return json.load(answer)


def items(**parameters):
    return read("/collections/catalogue/items", **parameters)


def count(**parameters):
    return items(limit=1, **parameters)["numberMatched"]


def refused(**parameters):
    try:
        items(**parameters)
    except urllib.error.HTTPError as error:
        assert error.code == 400, (parameters, error.code)
        assert error.headers["content-type"] == "application/problem+json"
        return json.load(error)["detail"]
    raise AssertionError(f"{parameters} is not refused")


records = Records(f"{BASE}/records")
assert records.api()["openapi"].startswith("3.0")
classes = records.conformance()["conformsTo"]
assert any(name.endswith("ogcapi-records-1/1.0/conf/record-core") for name in classes), classes
assert records.records() == ["catalogue"]
assert records.collection("catalogue")["itemType"] == "record"
names = records.collection_queryables("catalogue")["properties"]

# All records, page by page, each once.
seen, page = {}, items(limit=50, sortby="created")
total = page["numberMatched"]
assert total > 20, total
while True:
    assert page["numberReturned"] == len(page["features"])
    for feature in page["features"]:
        assert feature["id"] not in seen, feature["id"]
        seen[feature["id"]] = feature
    following = [link["href"] for link in page["links"] if link["rel"] == "next"]
    if not following:
        break
    page = read(following[0])
assert len(seen) == total, (len(seen), total)
assert total == records.collection("catalogue")["numberOfRecords"]
for feature in seen.values():
    assert feature["properties"]["title"] and feature["properties"]["type"] in ("service", "dataset")
    assert all({"rel", "href", "type"} <= set(link) for link in feature["links"]), feature["id"]

# One record, with OWSLib.
one = next(iter(seen.values()))
again = records.collection_item("catalogue", one["id"])
assert again["properties"] == one["properties"]
found = records.collection_items("catalogue", bbox=[-180, -90, 180, 90], limit=5)
boxed = [feature for feature in seen.values() if feature["geometry"]]
assert found["numberMatched"] == len(boxed), (found["numberMatched"], len(boxed))
assert count(ids=one["id"]) == 1
assert count(externalIds=one["properties"]["url"]) >= 1

# Types and kinds.
kinds = {}
for feature in seen.values():
    kinds[feature["properties"]["kind"]] = kinds.get(feature["properties"]["kind"], 0) + 1
most = max(kinds, key=kinds.get)
services = sum(feature["properties"]["type"] == "service" for feature in seen.values())
assert count(type="service") == services
assert count(type="service,dataset") == total
assert count(type=most) == count(kind=most) == kinds[most]

# CQL2: text and JSON return the same, and conditions are consistent with each other.
def cql(text):
    return count(filter=text)


assert cql(f"kind = '{most}'") == kinds[most]
assert cql(f"kind <> '{most}'") == total - kinds[most]
assert cql(f"NOT kind = '{most}'") == total - kinds[most]
assert cql(f"kind IN ('{most}', 'nothing')") == kinds[most]
assert cql("TRUE") == total and cql("FALSE") == 0
by_json = {"op": "=", "args": [{"property": "kind"}, most]}
assert count(filter=json.dumps(by_json), **{"filter-lang": "cql2-json"}) == kinds[most]
title = one["properties"]["title"].replace("'", "''")
assert cql(f"title = '{title}'") >= 1
assert cql(f"CASEI(title) = CASEI('{title.upper()}')") >= 1
assert cql("title LIKE '%'") + cql("title IS NULL") == total
assert cql("title IS NULL") + cql("title IS NOT NULL") == total
assert cql("score BETWEEN 0 AND 100") == cql("score IS NOT NULL")
west, south, east, north = boxed[0]["bbox"]
box = f"BBOX({west},{south},{east},{north})"
assert cql(f"S_INTERSECTS(geometry, {box})") == count(bbox=f"{west},{south},{east},{north}") >= 1
assert cql(f"S_INTERSECTS(geometry, {box})") + cql(f"S_DISJOINT(geometry, {box})") == len(boxed)
polygon = f"POLYGON(({west} {south},{east} {south},{east} {north},{west} {north},{west} {south}))"
assert cql(f"S_WITHIN(geometry, {polygon})") >= 1
assert cql(f"S_EQUALS(geometry, {polygon})") >= 1
assert cql("created >= TIMESTAMP('2000-01-01T00:00:00Z')") == total
assert cql("T_BEFORE(created, DATE('2000-01-01'))") == 0
assert cql("T_DURING(created, INTERVAL('2000-01-01', '..'))") == total
timed = [feature for feature in seen.values() if feature["time"]]
assert cql("datetime IS NOT NULL") >= len(timed)
for relation in ("T_INTERSECTS", "T_DISJOINT"):
    assert cql(f"{relation}(datetime, INTERVAL('1900-01-01', '2100-01-01'))") <= total
assert cql("T_BEFORE(datetime, DATE('2015-01-01'))") + cql("NOT T_BEFORE(datetime, DATE('2015-01-01'))") == total

# Sorting.
titles = [feature["properties"]["title"] for feature in items(sortby="title", limit=100)["features"]]
falling = [feature["properties"]["title"] for feature in items(sortby="-title", limit=100)["features"]]
if total <= 100:
    assert sorted(titles) == sorted(falling)
scores = [feature["properties"].get("score", -1) for feature in items(sortby="-score", limit=100)["features"]]
assert scores == sorted(scores, reverse=True), scores

# Errors.
for wrong in ({"colour": "red"}, {"bbox": "1,2"}, {"filter": "title ="}, {"filter": "colour = 'red'"}, {"limit": "0"}):
    assert refused(**wrong)

# GDAL, if installed, reads the same number of features.
if shutil.which("ogrinfo"):
    said = subprocess.run(["ogrinfo", "-so", f"OAPIF:{BASE}/records", "catalogue"], capture_output=True, text=True, check=True)
    assert f"Feature Count: {total}" in said.stdout, said.stdout + said.stderr

# People.
request = urllib.request.Request(f"{BASE}/records", headers={"Accept": "text/html"})
assert urllib.request.urlopen(request).headers["content-type"].startswith("text/html")
print(f"{total} records, {len(boxed)} with a box, {len(names)} queryables, {len(kinds)} kinds")
