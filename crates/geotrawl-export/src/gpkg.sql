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
CREATE TABLE services (
  fid INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
  geom GEOMETRY,
  id TEXT, kind TEXT, url TEXT, title TEXT, abstract TEXT, provider TEXT, keywords TEXT, licence TEXT, status TEXT,
  reason TEXT, score INTEGER, layers INTEGER, host TEXT, country TEXT, first_seen DATETIME, last_seen DATETIME
);
CREATE TABLE layers (
  fid INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
  geom GEOMETRY,
  service TEXT, kind TEXT, url TEXT, name TEXT, title TEXT, abstract TEXT, keywords TEXT, time TEXT
);
INSERT INTO gpkg_contents (table_name, data_type, identifier, description, srs_id) VALUES
  ('services', 'features', 'services', 'Geospatial services and files', 4326),
  ('layers', 'features', 'layers', 'What the services offer', 4326);
INSERT INTO gpkg_geometry_columns VALUES ('services', 'geom', 'GEOMETRY', 4326, 0, 0), ('layers', 'geom', 'GEOMETRY', 4326, 0, 0);
