"""Checks OpenSearch with lxml: the description, every template with empty and with full parameters, every page."""

import json
import re
import sys
import urllib.parse
import urllib.request

from lxml import etree

BASE = sys.argv[1].rstrip("/")
NS = {
    "os": "http://a9.com/-/spec/opensearch/1.1/",
    "atom": "http://www.w3.org/2005/Atom",
    "georss": "http://www.georss.org/georss",
    "dc": "http://purl.org/dc/elements/1.1/",
    "owc": "http://www.opengis.net/owc/1.0",
}


def read(address):
    with urllib.request.urlopen(address) as answer:
        return answer.headers["content-type"].split(";")[0], answer.read()


def filled(template, values):
    def one(match):
        name = match.group(1)
        if not name.endswith("?") and name not in values:
            raise AssertionError(f"{name} must be filled in")
        return urllib.parse.quote(str(values.get(name.rstrip("?"), "")), safe="")

    return re.sub(r"\{([^}]+)\}", one, template)


media, text = read(f"{BASE}/opensearch")
assert media == "application/opensearchdescription+xml", media
description = etree.fromstring(text)
assert description.tag == f"{{{NS['os']}}}OpenSearchDescription"
assert len(description.findtext("os:ShortName", namespaces=NS)) <= 16
assert len(description.findtext("os:LongName", namespaces=NS)) <= 48
assert description.nsmap["geo"] == "http://a9.com/-/opensearch/extensions/geo/1.0/"
assert description.nsmap["time"] == "http://a9.com/-/opensearch/extensions/time/1.0/"
urls = description.findall("os:Url", namespaces=NS)
assert {"results", "suggestions", "self"} <= {url.get("rel") for url in urls}

everything = {
    "searchTerms": "",
    "geo:box": "-180,-90,180,90",
    "geo:relation": "intersects",
    "count": 5,
    "startIndex": 1,
    "startPage": 1,
}
followed, totals = 0, {}
for url in urls:
    template = url.get("template")
    for values in ({"searchTerms": ""}, everything, {"searchTerms": "data map", "time:start": "1900-01-01"},
                   {"searchTerms": "", "geo:geometry": "POLYGON((-180 -90,180 -90,180 90,-180 90,-180 -90))"},
                   {"searchTerms": "", "geo:lat": 50, "geo:lon": 10, "geo:radius": 1000000}):
        media, text = read(filled(template, values))
        followed += 1
        if url.get("rel") == "results":
            assert media == url.get("type") or {media, url.get("type")} == {"application/geo+json", "application/json"}
        if media == "application/atom+xml":
            feed = etree.fromstring(text)
            totals.setdefault(str(values), set()).add(int(feed.findtext("os:totalResults", namespaces=NS)))
        elif media == "application/geo+json":
            totals.setdefault(str(values), set()).add(json.loads(text)["totalResults"])
        elif url.get("rel") == "suggestions":
            words, suggestions = json.loads(text)
            assert isinstance(suggestions, list)
assert all(len(counts) == 1 for counts in totals.values()), totals

# All pages, following the links of the Atom feed.
atom = next(url.get("template") for url in urls if url.get("type") == "application/atom+xml")
address, ids, boxes, offerings = filled(atom, {"count": 20}), [], 0, 0
while address:
    feed = etree.fromstring(read(address)[1])
    total = int(feed.findtext("os:totalResults", namespaces=NS))
    first = int(feed.findtext("os:startIndex", namespaces=NS))
    assert first == len(ids) + 1, (first, len(ids))
    for entry in feed.findall("atom:entry", namespaces=NS):
        for needed in ("atom:id", "atom:title", "atom:updated", "dc:identifier"):
            assert entry.findtext(needed, namespaces=NS), needed
        ids.append(entry.findtext("atom:id", namespaces=NS))
        box = entry.findtext("georss:box", namespaces=NS)
        if box:
            south, west, north, east = map(float, box.split())
            assert south <= north
            boxes += 1
        offerings += len(entry.findall("owc:offering", namespaces=NS))
    following = feed.xpath("atom:link[@rel='next']/@href", namespaces=NS)
    address = following[0] if following else None
assert len(ids) == len(set(ids)) == total, (len(ids), len(set(ids)), total)
media, text = read(ids[0])
assert media == "application/geo+json"
known = json.loads(text)["id"]
_, text = read(filled(atom, {"geo:uid": known}))
assert etree.fromstring(text).findtext("os:totalResults", namespaces=NS) == "1"

# The feed for status checkers.
address, services = f"{BASE}/feeds/status.atom?limit=50", 0
while address:
    feed = etree.fromstring(read(address)[1])
    for entry in feed.findall("atom:entry", namespaces=NS):
        assert entry.findtext("atom:serviceType", namespaces=NS) and entry.findtext("atom:serviceUrl", namespaces=NS)
        services += 1
    following = feed.xpath("atom:link[@rel='next']/@href", namespaces=NS)
    address = following[0] if following else None
assert services > 0

# Sitemaps, and what search engines read.
site = {"s": "http://www.sitemaps.org/schemas/sitemap/0.9"}
pages = etree.fromstring(read(f"{BASE}/sitemap.xml")[1]).findall("s:sitemap/s:loc", namespaces=site)
addresses = [loc.text for page in pages for loc in etree.fromstring(read(page.text)[1]).findall("s:url/s:loc", namespaces=site)]
assert len(addresses) == len(set(addresses)) == total, (len(addresses), total)
page = urllib.request.urlopen(addresses[0]).read().decode()
if "<html" in page:
    block = re.search(r'<script type="application/ld\+json">(.*?)</script>', page, re.S).group(1)
    assert json.loads(block)["@graph"][0]["@type"] == "Dataset"
assert f"Sitemap: {BASE}/sitemap.xml" in read(f"{BASE}/robots.txt")[1].decode()
print(f"{followed} templates followed, {total} records, {boxes} boxes, {offerings} offerings, {services} services with a status")
