"""Reads DCAT-AP with rdflib: all pages in every format, the same triples in each, and the rules of DCAT-AP."""

import sys
import urllib.request

from rdflib import DCAT, DCTERMS, RDF, Graph, Namespace, URIRef

BASE = sys.argv[1].rstrip("/")
HYDRA = Namespace("http://www.w3.org/ns/hydra/core#")
FORMS = {"ttl": ("turtle", "text/turtle"), "rdf": ("xml", "application/rdf+xml"), "jsonld": ("json-ld", "application/ld+json")}


def read(address, accept=None):
    request = urllib.request.Request(address, headers={"Accept": accept} if accept else {})
    with urllib.request.urlopen(request) as answer:
        return answer.headers["content-type"].split(";")[0], answer.read()


def walk(ending, parser, media):
    whole, address, pages = Graph(), f"{BASE}/dcat.{ending}?limit=30", 0
    while address:
        got, text = read(address)
        assert got == media, got
        page = Graph()
        page.parse(data=text, format=parser)
        pages += 1
        view = next(page.subjects(RDF.type, HYDRA.PartialCollectionView))
        address = next(page.objects(view, HYDRA.next), None)
        total = int(next(page.objects(view, HYDRA.totalItems)))
        # Skip the description of pages, whose addresses differ between formats.
        page.remove((view, None, None))
        whole += page
    return whole, pages, total


graphs = {ending: walk(ending, parser, media) for ending, (parser, media) in FORMS.items()}
first, pages, total = graphs["ttl"]
for ending, (graph, _, _) in graphs.items():
    assert set(graph) == set(first), (ending, len(graph), len(first), list(set(graph) ^ set(first))[:5])

catalogue = URIRef(f"{BASE}/dcat#catalogue")
assert (catalogue, RDF.type, DCAT.Catalog) in first
services, datasets = set(first.objects(catalogue, DCAT.service)), set(first.objects(catalogue, DCAT.dataset))
assert len(services) + len(datasets) == total, (len(services), len(datasets), total)
for needed in (DCTERMS.title, DCTERMS.description, DCTERMS.publisher):
    assert next(first.objects(catalogue, needed), None) is not None, needed
for service in services:
    assert (service, RDF.type, DCAT.DataService) in first, service
    for needed in (DCTERMS.title, DCAT.endpointURL):
        assert next(first.objects(service, needed), None) is not None, (service, needed)
for dataset in set(first.subjects(RDF.type, DCAT.Dataset)):
    for needed in (DCTERMS.title, DCTERMS.description, DCAT.distribution):
        assert next(first.objects(dataset, needed), None) is not None, (dataset, needed)
for distribution in set(first.subjects(RDF.type, DCAT.Distribution)):
    assert next(first.objects(distribution, DCAT.accessURL), None) is not None, distribution
# Every reference has a target.
for relation in (DCTERMS.spatial, DCTERMS.temporal, DCAT.contactPoint, DCAT.servesDataset, DCAT.distribution, DCTERMS.publisher):
    for thing in set(first.objects(None, relation)):
        assert (thing, RDF.type, None) in first, (relation, thing)

# By Accept header, and a single record by its address.
for parser, media in FORMS.values():
    got, _ = read(f"{BASE}/dcat", accept=media)
    assert got == media
    one = Graph()
    one.parse(data=read(str(next(iter(services))), accept=media)[1], format=parser)
    assert (next(iter(services)), RDF.type, DCAT.DataService) in one
print(f"{len(first)} triples on {pages} pages, the same in three forms: {len(services)} services, {len(datasets)} files")
