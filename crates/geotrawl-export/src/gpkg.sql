CREATE TABLE gpkg_spatial_ref_sys (
  srs_name TEXT NOT NULL,
  srs_id INTEGER PRIMARY KEY,
  organization TEXT NOT NULL,
  organization_coordsys_id INTEGER NOT NULL,
  definition TEXT NOT NULL,
  description TEXT
);
INSERT INTO gpkg_spatial_ref_sys VALUES
  ('Undefined cartesian', -1, 'NONE', -1, 'undefined', NULL),
  ('Undefined geographic', 0, 'NONE', 0, 'undefined', NULL),
  ('WGS 84', 4326, 'EPSG', 4326, 'GEOGCS["WGS 84",DATUM["WGS_1984",SPHEROID["WGS 84",6378137,298.257223563,AUTHORITY["EPSG","7030"]],AUTHORITY["EPSG","6326"]],PRIMEM["Greenwich",0,AUTHORITY["EPSG","8901"]],UNIT["degree",0.0174532925199433,AUTHORITY["EPSG","9122"]],AUTHORITY["EPSG","4326"]]', NULL);
CREATE TABLE gpkg_contents (
  table_name TEXT NOT NULL PRIMARY KEY,
  data_type TEXT NOT NULL,
  identifier TEXT UNIQUE,
  description TEXT DEFAULT '',
  last_change DATETIME NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')),
  min_x DOUBLE,
  min_y DOUBLE,
  max_x DOUBLE,
  max_y DOUBLE,
  srs_id INTEGER REFERENCES gpkg_spatial_ref_sys (srs_id)
);
CREATE TABLE gpkg_geometry_columns (
  table_name TEXT NOT NULL REFERENCES gpkg_contents (table_name),
  column_name TEXT NOT NULL,
  geometry_type_name TEXT NOT NULL,
  srs_id INTEGER NOT NULL REFERENCES gpkg_spatial_ref_sys (srs_id),
  z TINYINT NOT NULL,
  m TINYINT NOT NULL,
  PRIMARY KEY (table_name, column_name),
  UNIQUE (table_name)
);
CREATE TABLE gpkg_extensions (
  table_name TEXT,
  column_name TEXT,
  extension_name TEXT NOT NULL,
  definition TEXT NOT NULL,
  scope TEXT NOT NULL,
  UNIQUE (table_name, column_name, extension_name)
);
CREATE TABLE services (
  fid INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
  geom MULTIPOLYGON,
  id TEXT, kind TEXT, url TEXT, title TEXT, abstract TEXT, provider TEXT, keywords TEXT, licence TEXT, status TEXT,
  reason TEXT, score INTEGER, provisional BOOLEAN, layers INTEGER, host TEXT, country TEXT, software TEXT,
  checked DATETIME, first_seen DATETIME, last_seen DATETIME
);
CREATE TABLE layers (
  fid INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
  geom MULTIPOLYGON,
  service TEXT, kind TEXT, url TEXT, name TEXT, title TEXT, abstract TEXT, keywords TEXT, time TEXT, score INTEGER
);
CREATE TABLE hosts (
  fid INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
  geom POINT,
  name TEXT UNIQUE, ip TEXT, country TEXT, city TEXT, precision TEXT, services INTEGER, best_score INTEGER
);
-- Styles as QGIS keeps them beside the data.
CREATE TABLE layer_styles (
  id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
  f_table_catalog TEXT(256),
  f_table_schema TEXT(256),
  f_table_name TEXT(256),
  f_geometry_column TEXT(256),
  styleName TEXT(30),
  styleQML TEXT,
  styleSLD TEXT,
  useAsDefault BOOLEAN,
  description TEXT,
  owner TEXT(30),
  ui TEXT(30),
  update_time DATETIME DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))
);
INSERT INTO gpkg_contents (table_name, data_type, identifier, description, srs_id) VALUES
  ('services', 'features', 'services', 'Geospatial services and files', 4326),
  ('layers', 'features', 'layers', 'What the services offer', 4326),
  ('hosts', 'features', 'hosts', 'Where the services stand', 4326),
  ('layer_styles', 'attributes', 'layer_styles', 'Styles for QGIS', NULL);
INSERT INTO gpkg_geometry_columns VALUES
  ('services', 'geom', 'MULTIPOLYGON', 4326, 0, 0),
  ('layers', 'geom', 'MULTIPOLYGON', 4326, 0, 0),
  ('hosts', 'geom', 'POINT', 4326, 0, 0);
CREATE VIRTUAL TABLE rtree_services_geom USING rtree(id, minx, maxx, miny, maxy);
CREATE VIRTUAL TABLE rtree_layers_geom USING rtree(id, minx, maxx, miny, maxy);
CREATE VIRTUAL TABLE rtree_hosts_geom USING rtree(id, minx, maxx, miny, maxy);
INSERT INTO gpkg_extensions VALUES
  ('services', 'geom', 'gpkg_rtree_index', 'http://www.geopackage.org/spec120/#extension_rtree', 'write-only'),
  ('layers', 'geom', 'gpkg_rtree_index', 'http://www.geopackage.org/spec120/#extension_rtree', 'write-only'),
  ('hosts', 'geom', 'gpkg_rtree_index', 'http://www.geopackage.org/spec120/#extension_rtree', 'write-only');
