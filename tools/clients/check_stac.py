"""Checks the STAC API with pystac-client; validates every document against the schemas of pystac, without the network."""

import sys
import warnings

import pystac
from pystac.validation import RegisteredValidator
from pystac.validation.stac_validator import JsonSchemaSTACValidator
from pystac_client import Client

warnings.simplefilter("error")
BASE = sys.argv[1].rstrip("/")


class Offline(JsonSchemaSTACValidator):
    """Fails for schemas that are not shipped instead of fetching them."""

    def _get_schema(self, schema_uri):
        assert schema_uri in self.schema_cache, f"{schema_uri} is not shipped with pystac"
        return super()._get_schema(schema_uri)


RegisteredValidator.set_validator(Offline())

client = Client.open(f"{BASE}/stac")
client.validate()
collections = list(client.get_collections())
assert len(collections) >= 5, collections
for collection in collections:
    collection.validate()

search = client.search(limit=25)
found = list(search.items())
assert len(found) == search.matched() > 10, (len(found), search.matched())
assert len({item.id for item in found}) == len(found)
for item in found:
    item.validate()
    assert item.assets["endpoint"].href.startswith("http")
    assert item.collection_id in {collection.id for collection in collections}

# The same with GET, by collections, and from each collection's items.
assert {item.id for item in client.search(method="GET", limit=40).items()} == {item.id for item in found}
by_collection = {}
for collection in collections:
    expected = {item.id for item in found if item.collection_id == collection.id}
    for method in ("GET", "POST"):
        got = {item.id for item in client.search(method=method, collections=[collection.id], limit=100).items()}
        assert got == expected, (collection.id, method, len(got), len(expected))
    assert {item.id for item in collection.get_items()} == expected
    by_collection[collection.id] = len(expected)

# One item, by its id and by its address.
one = found[0]
assert [item.id for item in client.search(ids=[one.id]).items()] == [one.id]
again = pystac.Item.from_file(one.get_self_href())
assert again.to_dict()["properties"] == one.to_dict()["properties"]

# Location and time.
west, south, east, north = one.bbox
inside = {item.id for item in client.search(bbox=[west, south, east, north], limit=100).items()}
assert one.id in inside
ring = [[west, south], [east, south], [east, north], [west, north], [west, south]]
if west <= east:
    area = {"type": "Polygon", "coordinates": [ring]}
    assert {item.id for item in client.search(intersects=area, limit=100).items()} == inside
assert client.search(datetime="1500-01-01/2100-01-01").matched() == len(found)
assert client.search(datetime="1400-01-01/1400-12-31").matched() == 0
moment = one.datetime or one.common_metadata.start_datetime
assert one.id in {item.id for item in client.search(datetime=moment, limit=100).items()}

# Filters.
kind = one.properties["geotrawl:kind"]
condition = {"op": "=", "args": [{"property": "kind"}, kind]}
expected = {item.id for item in found if item.properties["geotrawl:kind"] == kind}
assert {item.id for item in client.search(filter=condition, limit=100).items()} == expected
got = client.search(method="GET", filter=f"kind = '{kind}'", filter_lang="cql2-text", limit=100).items()
assert {item.id for item in got} == expected
print(f"{len(found)} items valid, {len(collections)} collections valid: {by_collection}")
