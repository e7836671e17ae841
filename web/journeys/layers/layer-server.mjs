// A server with one layer of every kind that the map draws, modelled on real servers. It has two host names: one allows
// cross-origin requests, the other does not and has other titles, because otherwise both would be aliases of one
// service.

import { createServer } from 'node:http';
import { strToU8, zipSync } from 'fflate';
import { cog, mvt, pmtiles, png } from './encode-formats.mjs';

export const corsHost = 'open.layers.test';
export const noCorsHost = 'shut.layers.test';

const xml = 'application/xml';
const json = 'application/json';
const geojson = 'application/geo+json';
const tile = png(256, 256, [214, 39, 40]);
const vector = mvt('areas');
// Location of all layers: the centre of a world map.
const [west, south, east, north] = [-20, 10, 30, 60];
const ring = [[west, south], [east, south], [east, north], [west, north], [west, south]];
const area = { type: 'Feature', id: 1, properties: { name: 'Area' }, geometry: { type: 'Polygon', coordinates: [ring] } };
const collection = { type: 'FeatureCollection', features: [area] };
const coordinates = ring.map((point) => point.join(',')).join(' ');
const kml = `<?xml version="1.0"?><kml xmlns="http://www.opengis.net/kml/2.2"><Document><name>Areas in KML</name><Placemark><name>Area</name><Style><PolyStyle><color>c00000ff</color></PolyStyle></Style><Polygon><outerBoundaryIs><LinearRing><coordinates>${coordinates}</coordinates></LinearRing></outerBoundaryIs></Polygon></Placemark></Document></kml>`;
const track = Array.from({ length: 11 }, (_, n) => [n % 2 ? east : west, south + n * 5]);
const gpx = `<?xml version="1.0"?><gpx version="1.1" creator="journey" xmlns="http://www.topografix.com/GPX/1/1"><metadata><name>Tracks</name></metadata><trk><name>To and fro</name><trkseg>${track.map(([x, y]) => `<trkpt lon="${x}" lat="${y}"/>`).join('')}</trkseg></trk></gpx>`;
const topology = { type: 'Topology', arcs: [ring], objects: { areas: { type: 'GeometryCollection', geometries: [{ type: 'Polygon', arcs: [[0]] }] } } };
const box = `<ows:WGS84BoundingBox><ows:LowerCorner>${west} ${south}</ows:LowerCorner><ows:UpperCorner>${east} ${north}</ows:UpperCorner></ows:WGS84BoundingBox>`;
const ows = 'xmlns:ows="http://www.opengis.net/ows/1.1" xmlns:xlink="http://www.w3.org/1999/xlink"';
const metres = 20037508.342789244;

const wms = (base) => `<?xml version="1.0"?><WMS_Capabilities version="1.3.0" xmlns="http://www.opengis.net/wms" xmlns:xlink="http://www.w3.org/1999/xlink"><Service><Name>WMS</Name><Title>Areas as maps</Title><OnlineResource xlink:href="${base}/wms"/></Service><Capability><Request><GetCapabilities><Format>text/xml</Format><DCPType><HTTP><Get><OnlineResource xlink:href="${base}/wms?"/></Get></HTTP></DCPType></GetCapabilities><GetMap><Format>image/png</Format><DCPType><HTTP><Get><OnlineResource xlink:href="${base}/wms?"/></Get></HTTP></DCPType></GetMap></Request><Exception><Format>XML</Format></Exception><Layer><Title>All</Title><CRS>EPSG:25832</CRS><Layer><Name>areas</Name><Title>Areas</Title><CRS>EPSG:25832</CRS><EX_GeographicBoundingBox><westBoundLongitude>2</westBoundLongitude><eastBoundLongitude>16</eastBoundLongitude><southBoundLatitude>44</southBoundLatitude><northBoundLatitude>56</northBoundLatitude></EX_GeographicBoundingBox><BoundingBox CRS="EPSG:25832" minx="0" miny="4880000" maxx="980000" maxy="6210000"/></Layer></Layer></Capability></WMS_Capabilities>`;
const wmts = (base) => `<?xml version="1.0"?><Capabilities xmlns="http://www.opengis.net/wmts/1.0" ${ows} version="1.0.0"><ows:ServiceIdentification><ows:Title>Areas as tiles</ows:Title><ows:ServiceType>OGC WMTS</ows:ServiceType><ows:ServiceTypeVersion>1.0.0</ows:ServiceTypeVersion></ows:ServiceIdentification><Contents><Layer><ows:Title>Areas</ows:Title>${box}<ows:Identifier>areas</ows:Identifier><Style isDefault="true"><ows:Identifier>default</ows:Identifier></Style><Format>image/png</Format><TileMatrixSetLink><TileMatrixSet>web</TileMatrixSet></TileMatrixSetLink><ResourceURL format="image/png" resourceType="tile" template="${base}/wmts/areas/default/{TileMatrixSet}/{TileMatrix}/{TileRow}/{TileCol}.png"/></Layer><TileMatrixSet><ows:Identifier>web</ows:Identifier><ows:SupportedCRS>urn:ogc:def:crs:EPSG::3857</ows:SupportedCRS>${[0, 1, 2, 3, 4, 5].map((z) => `<TileMatrix><ows:Identifier>${z}</ows:Identifier><ScaleDenominator>${559082264.0287178 / 2 ** z}</ScaleDenominator><TopLeftCorner>${-metres} ${metres}</TopLeftCorner><TileWidth>256</TileWidth><TileHeight>256</TileHeight><MatrixWidth>${2 ** z}</MatrixWidth><MatrixHeight>${2 ** z}</MatrixHeight></TileMatrix>`).join('')}</TileMatrixSet></Contents></Capabilities>`;
const tms = (base) => `<?xml version="1.0"?><TileMap version="1.0.0" tilemapservice="${base}/tms/1.0.0"><Title>Areas as a tile map</Title><Abstract/><SRS>EPSG:3857</SRS><BoundingBox minx="${-metres}" miny="${-metres}" maxx="${metres}" maxy="${metres}"/><Origin x="${-metres}" y="${-metres}"/><TileFormat width="256" height="256" mime-type="image/png" extension="png"/><TileSets profile="global-mercator">${[0, 1, 2, 3].map((z) => `<TileSet href="${z}" units-per-pixel="${(2 * metres) / 256 / 2 ** z}" order="${z}"/>`).join('')}</TileSets></TileMap>`;
const wfs = (base) => `<?xml version="1.0"?><wfs:WFS_Capabilities version="2.0.0" xmlns:wfs="http://www.opengis.net/wfs/2.0" ${ows}><ows:ServiceIdentification><ows:Title>Areas as features</ows:Title><ows:ServiceType>WFS</ows:ServiceType><ows:ServiceTypeVersion>2.0.0</ows:ServiceTypeVersion></ows:ServiceIdentification><ows:OperationsMetadata><ows:Operation name="GetFeature"><ows:DCP><ows:HTTP><ows:Get xlink:href="${base}/wfs?"/></ows:HTTP></ows:DCP><ows:Parameter name="outputFormat"><ows:AllowedValues><ows:Value>application/gml+xml; version=3.2</ows:Value></ows:AllowedValues></ows:Parameter></ows:Operation></ows:OperationsMetadata><wfs:FeatureTypeList><wfs:FeatureType><wfs:Name>app:areas</wfs:Name><wfs:Title>Areas</wfs:Title><wfs:DefaultCRS>urn:ogc:def:crs:EPSG::4326</wfs:DefaultCRS>${box}</wfs:FeatureType></wfs:FeatureTypeList></wfs:WFS_Capabilities>`;
const oldWfs = (base) => `<?xml version="1.0"?><WFS_Capabilities version="1.0.0" xmlns="http://www.opengis.net/wfs"><Service><Name>WFS</Name><Title>Areas of an old server</Title><OnlineResource>${base}/oldwfs</OnlineResource></Service><Capability><Request><GetFeature><ResultFormat><GML2/></ResultFormat><DCPType><HTTP><Get onlineResource="${base}/oldwfs?"/></HTTP></DCPType></GetFeature></Request></Capability><FeatureTypeList><FeatureType><Name>old_areas</Name><Title>Areas</Title><SRS>EPSG:4326</SRS><LatLongBoundingBox minx="${west}" miny="${south}" maxx="${east}" maxy="${north}"/></FeatureType></FeatureTypeList></WFS_Capabilities>`;
const oldGml = `<?xml version="1.0"?><wfs:FeatureCollection xmlns:wfs="http://www.opengis.net/wfs" xmlns:gml="http://www.opengis.net/gml" xmlns:app="http://layers.test/app"><gml:featureMember><app:old_areas fid="areas.1"><app:shape><gml:Polygon srsName="http://www.opengis.net/gml/srs/epsg.xml#4326"><gml:outerBoundaryIs><gml:LinearRing><gml:coordinates decimal="." cs="," ts=" ">${coordinates}</gml:coordinates></gml:LinearRing></gml:outerBoundaryIs></gml:Polygon></app:shape></app:old_areas></gml:featureMember></wfs:FeatureCollection>`;
const gml = `<?xml version="1.0"?><wfs:FeatureCollection xmlns:wfs="http://www.opengis.net/wfs/2.0" xmlns:gml="http://www.opengis.net/gml/3.2" xmlns:app="http://layers.test/app" numberMatched="1" numberReturned="1" timeStamp="2026-01-01T00:00:00Z"><wfs:member><app:areas gml:id="areas.1"><app:name>Area</app:name><app:shape><gml:Polygon srsName="urn:ogc:def:crs:EPSG::4326" gml:id="p1"><gml:exterior><gml:LinearRing><gml:posList>${ring.map(([x, y]) => `${y} ${x}`).join(' ')}</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></app:shape></app:areas></wfs:member></wfs:FeatureCollection>`;

const rel = (name) => `http://www.opengis.net/def/rel/ogc/1.0/${name}`;
const link = (href, name, type = json, more = {}) => ({ href, rel: name, type, ...more });
const conforms = { conformsTo: ['ogcapi-common-1/1.0/conf/core', 'ogcapi-features-1/1.0/conf/core', 'ogcapi-features-1/1.0/conf/geojson', 'ogcapi-tiles-1/1.0/conf/core', 'ogcapi-tiles-1/1.0/conf/tileset', 'ogcapi-tiles-1/1.0/conf/tilesets-list'].map((part) => `http://www.opengis.net/spec/${part}`) };
const extent = { spatial: { bbox: [[west, south, east, north]], crs: 'http://www.opengis.net/def/crs/OGC/1.3/CRS84' } };
// One collection has vector tiles whose matrix set is only named, the other map tiles in degrees with a full description.
const collections = (base) => [
  { id: 'areas', title: 'Areas', extent, itemType: 'feature', links: [link(`${base}/ogc/collections/areas/items`, 'items', geojson), link(`${base}/ogc/collections/areas/tiles`, rel('tilesets-vector'))] },
  { id: 'relief', title: 'Relief', extent, links: [link(`${base}/ogc/collections/relief/map/tiles`, rel('tilesets-map'))] },
];
const tilesets = {
  areas: (base) => ({
    tilesets: [{ title: 'Areas', dataType: 'vector', crs: 'http://www.opengis.net/def/crs/EPSG/0/3857', tileMatrixSetURI: 'http://www.opengis.net/def/tilematrixset/OGC/1.0/WebMercatorQuad', links: [link(`${base}/ogc/collections/areas/tiles/WebMercatorQuad`, 'self'), link('http://www.opengis.net/def/tilematrixset/OGC/1.0/WebMercatorQuad', rel('tiling-scheme'))] }],
  }),
  areasSet: (base) => ({ dataType: 'vector', crs: 'http://www.opengis.net/def/crs/EPSG/0/3857', links: [link(`${base}/ogc/collections/areas/tiles/{tileMatrixSetId}/{tileMatrix}/{tileRow}/{tileCol}?f=mvt`, 'item', 'application/vnd.mapbox-vector-tile', { templated: true })] }),
  relief: (base) => ({
    tilesets: [{ title: 'Relief', dataType: 'map', crs: 'http://www.opengis.net/def/crs/EPSG/0/4326', tileMatrixSetId: 'Degrees', links: [link(`${base}/ogc/collections/relief/map/tiles/Degrees/{tileMatrix}/{tileRow}/{tileCol}`, 'item', 'image/png', { templated: true }), link(`${base}/ogc/tileMatrixSets/Degrees`, rel('tiling-scheme'))] }],
  }),
  degrees: { id: 'Degrees', crs: 'http://www.opengis.net/def/crs/EPSG/0/4326', orderedAxes: ['Lat', 'Lon'], tileMatrices: [0, 1, 2, 3].map((z) => ({ id: `L${z}`, scaleDenominator: 279541132.0143589 / 2 ** z, cellSize: 0.703125 / 2 ** z, pointOfOrigin: [90, -180], tileWidth: 256, tileHeight: 256, matrixWidth: 2 ** (z + 1), matrixHeight: 2 ** z })) },
};
const esriExtent = { xmin: west, ymin: south, xmax: east, ymax: north, spatialReference: { wkid: 4326, latestWkid: 4326 } };
const esriLayer = { id: 0, name: 'Areas', type: 'Feature Layer', geometryType: 'esriGeometryPolygon', extent: esriExtent, capabilities: 'Query', fields: [{ name: 'OBJECTID', type: 'esriFieldTypeOID', alias: 'OBJECTID' }], maxRecordCount: 1000, currentVersion: 11.1, objectIdField: 'OBJECTID' };
const esri = { currentVersion: 11.1, serviceDescription: 'Areas', spatialReference: { wkid: 4326 }, initialExtent: esriExtent, fullExtent: esriExtent };
const arcgis = {
  '/arcgis/rest/services': { currentVersion: 11.1, folders: [], services: [{ name: 'land', type: 'MapServer' }, { name: 'land', type: 'FeatureServer' }, { name: 'height', type: 'ImageServer' }, { name: 'base', type: 'VectorTileServer' }] },
  '/arcgis/rest/services/land/MapServer': { ...esri, mapName: 'Areas', layers: [{ id: 0, name: 'Areas', parentLayerId: -1, subLayerIds: null, type: 'Feature Layer' }], tables: [], singleFusedMapCache: false, supportedImageFormatTypes: 'PNG32,PNG', capabilities: 'Map,Query,Data' },
  '/arcgis/rest/services/land/FeatureServer': { ...esri, layers: [{ id: 0, name: 'Areas', type: 'Feature Layer', geometryType: 'esriGeometryPolygon' }], tables: [], capabilities: 'Query', maxRecordCount: 1000 },
  '/arcgis/rest/services/land/MapServer/0': esriLayer,
  '/arcgis/rest/services/land/FeatureServer/0': esriLayer,
  '/arcgis/rest/services/land/FeatureServer/0/query': { objectIdFieldName: 'OBJECTID', geometryType: 'esriGeometryPolygon', spatialReference: { wkid: 4326 }, fields: esriLayer.fields, features: [{ attributes: { OBJECTID: 1 }, geometry: { rings: [ring.toReversed()] } }] },
  '/arcgis/rest/services/height/ImageServer': { currentVersion: 11.1, name: 'Relief', description: 'Relief', extent: esriExtent, spatialReference: { wkid: 4326 }, pixelSizeX: 0.1, pixelSizeY: 0.1, bandCount: 1, pixelType: 'U8', serviceDataType: 'esriImageServiceDataTypeGeneric', capabilities: 'Image,Metadata' },
  '/arcgis/rest/services/base/VectorTileServer': { currentVersion: 11.1, name: 'Area base', type: 'indexedVector', capabilities: 'TilesOnly', defaultStyles: 'resources/styles', tiles: ['tile/{z}/{y}/{x}.pbf'], maxzoom: 4, tileInfo: { rows: 512, cols: 512, format: 'pbf', origin: { x: -metres, y: metres }, spatialReference: { wkid: 102100, latestWkid: 3857 }, lods: [0, 1, 2, 3, 4].map((level) => ({ level, resolution: 78271.51696402048 / 2 ** level, scale: 295828763.7957775 / 2 ** level })) }, fullExtent: { xmin: -metres, ymin: -metres, xmax: metres, ymax: metres, spatialReference: { wkid: 102100 } } },
};

const files = {
  '/files/areas.kml': ['application/vnd.google-earth.kml+xml', kml],
  '/files/areas.kmz': ['application/vnd.google-earth.kmz', Buffer.from(zipSync({ 'doc.kml': strToU8(kml.replace('in KML', 'in KMZ')) }))],
  '/files/areas.geojson': [geojson, JSON.stringify(collection)],
  '/files/areas.topojson': [json, JSON.stringify(topology)],
  '/files/tracks.gpx': ['application/gpx+xml', gpx],
  '/files/relief.tif': ['image/tiff', cog([west, north], 0.1)],
  '/files/areas.pmtiles': ['application/octet-stream', pmtiles(vector, 'Areas in PMTiles')],
};

const page = (base) => `<!DOCTYPE html><html lang="en"><head><title>Every kind of layer</title><link rel="stylesheet" href="leaflet.css"></head><body>
<ul>${['/wms?SERVICE=WMS&amp;REQUEST=GetCapabilities', '/wmts/1.0.0/WMTSCapabilities.xml', '/tms/1.0.0/areas/tilemapresource.xml', '/raster.json', '/vector.json', '/wfs?SERVICE=WFS&amp;REQUEST=GetCapabilities', '/oldwfs?SERVICE=WFS&amp;REQUEST=GetCapabilities', '/ogc/', '/arcgis/rest/services', ...Object.keys(files)].map((path) => `<li><a href="${path}">${path}</a></li>`).join('')}</ul>
<script>var map = L.map('map'); L.tileLayer('${base}/xyz/{z}/{x}/{y}.png').addTo(map);</script></body></html>`;
const tilejson = (base, more) => JSON.stringify({ tilejson: '3.0.0', minzoom: 0, maxzoom: 4, bounds: [-180, -85, 180, 85], ...more(base) });

/** Returns type and body of a path; the query selects between operations. */
function answer(base, path, query) {
  const data = (value) => [json, JSON.stringify(value)];
  const asks = (name) => new RegExp(`[?&]request=${name}\\b`, 'i').test(query);
  const collectionOf = (id) => collections(base).find((one) => one.id === id);
  if (path === '/') return ['text/html', page(base)];
  if (path in files) return files[path];
  if (/^\/(wmts\/areas|tms\/1\.0\.0\/areas\/\d|xyz\/|raster\/|ogc\/collections\/relief\/map\/tiles\/Degrees\/L\d)/.test(path)) return ['image/png', tile];
  if (/\/(MapServer\/export|ImageServer\/exportImage)$/.test(path)) return ['image/png', tile];
  if (/^\/(vector\/|ogc\/collections\/areas\/tiles\/WebMercatorQuad\/|arcgis\/rest\/services\/base\/VectorTileServer\/tile\/)\d/.test(path)) return ['application/vnd.mapbox-vector-tile', vector];
  if (path in arcgis) return data(arcgis[path]);
  switch (path) {
    case '/wms':
      return asks('GetMap') || asks('GetLegendGraphic') ? ['image/png', tile] : [xml, wms(base)];
    case '/wfs':
      return [xml, asks('GetFeature') ? gml : wfs(base)];
    case '/oldwfs':
      return [xml, asks('GetFeature') ? oldGml : oldWfs(base)];
    case '/wmts/1.0.0/WMTSCapabilities.xml':
      return [xml, wmts(base)];
    case '/tms/1.0.0/areas/tilemapresource.xml':
      return [xml, tms(base)];
    case '/raster.json':
      return [json, tilejson(base, (at) => ({ name: 'Areas as pictures', tiles: [`${at}/raster/{z}/{x}/{y}.png`] }))];
    case '/vector.json':
      return [json, tilejson(base, (at) => ({ name: 'Areas as vector tiles', tiles: [`${at}/vector/{z}/{x}/{y}.pbf`], vector_layers: [{ id: 'areas', fields: {} }] }))];
    case '/ogc':
    case '/ogc/':
      return data({ title: 'Areas by OGC API', links: [link(`${base}/ogc/`, 'self'), link(`${base}/ogc/conformance`, 'conformance'), link(`${base}/ogc/collections`, 'data')] });
    case '/ogc/conformance':
      return data(conforms);
    case '/ogc/collections':
      return data({ collections: collections(base), links: [link(`${base}/ogc/collections`, 'self')] });
    case '/ogc/collections/areas':
    case '/ogc/collections/relief':
      return data(collectionOf(path.split('/').at(-1)));
    case '/ogc/collections/areas/items':
      return [geojson, JSON.stringify({ ...collection, numberMatched: 1, numberReturned: 1, links: [] })];
    case '/ogc/collections/areas/tiles':
      return data(tilesets.areas(base));
    case '/ogc/collections/areas/tiles/WebMercatorQuad':
      return data(tilesets.areasSet(base));
    case '/ogc/collections/relief/map/tiles':
      return data(tilesets.relief(base));
    case '/ogc/tileMatrixSets/Degrees':
      return data(tilesets.degrees);
    default:
      return null;
  }
}

/** Starts the server on a free local port. */
export async function startLayerServer() {
  const server = createServer((request, response) => {
    const host = (request.headers.host ?? '').split(':')[0];
    const [path, query = ''] = decodeURI(request.url).split(/(?=\?)/);
    const found = answer(`http://${host}`, path, query);
    if (host === corsHost) {
      response.setHeader('access-control-allow-origin', '*');
      response.setHeader('access-control-allow-headers', 'range');
      response.setHeader('access-control-expose-headers', 'content-range, content-length, etag');
    }
    if (request.method === 'OPTIONS') return response.writeHead(204).end();
    if (!found) return response.writeHead(404, { 'content-type': 'text/plain' }).end('not here');
    const body = Buffer.from(host === noCorsHost && typeof found[1] === 'string' ? found[1].replaceAll('Area', 'Zone').replaceAll('Relief', 'Slopes') : found[1]);
    const range = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '');
    if (!range) return response.writeHead(200, { 'content-type': found[0], 'content-length': body.length, 'accept-ranges': 'bytes' }).end(request.method === 'HEAD' ? undefined : body);
    const from = Number(range[1]);
    const part = body.subarray(from, range[2] ? Number(range[2]) + 1 : undefined);
    if (!part.length) return response.writeHead(416, { 'content-range': `bytes */${body.length}` }).end();
    response.writeHead(206, { 'content-type': found[0], 'content-length': part.length, 'content-range': `bytes ${from}-${from + part.length - 1}/${body.length}` }).end(part);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}
