PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE meta (
  key   TEXT PRIMARY KEY,
  value ANY
) WITHOUT ROWID;
INSERT INTO meta VALUES('next_item',133);
INSERT INTO meta VALUES('seen_key',X'a9510a7d57b6ad76e94c434045428468');
CREATE TABLE task (
  id      INTEGER PRIMARY KEY,
  name    TEXT NOT NULL UNIQUE,
  created INTEGER NOT NULL
);
INSERT INTO task VALUES(1,'harvest',1790000000000000);
CREATE TABLE run (
  id        INTEGER PRIMARY KEY AUTOINCREMENT,
  task      INTEGER NOT NULL,
  spec      TEXT NOT NULL,
  state     TEXT NOT NULL,
  started   INTEGER NOT NULL,
  changed   INTEGER NOT NULL,
  pages     INTEGER NOT NULL DEFAULT 0,
  probes    INTEGER NOT NULL DEFAULT 0,
  failures  INTEGER NOT NULL DEFAULT 0,
  skipped   INTEGER NOT NULL DEFAULT 0,
  bytes     INTEGER NOT NULL DEFAULT 0,
  resources INTEGER NOT NULL DEFAULT 0,
  known     INTEGER NOT NULL DEFAULT 0,
  pending   INTEGER NOT NULL DEFAULT 0,
  hosts     INTEGER NOT NULL DEFAULT 0
);
INSERT INTO run VALUES(1,1,'{"name":"harvest","seeds":[],"options":{"depth":2}}','running',1790000000000000,1790000000000000,3,3,0,0,7000,2,132,126,9);
CREATE TABLE host (
  id   INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE
);
INSERT INTO host VALUES(1,'https://portal.example.org');
INSERT INTO host VALUES(2,'http://other0.example.net');
INSERT INTO host VALUES(3,'http://other1.example.net');
INSERT INTO host VALUES(4,'http://other2.example.net');
INSERT INTO host VALUES(5,'http://other3.example.net');
INSERT INTO host VALUES(6,'http://geo.example.org');
INSERT INTO host VALUES(7,'http://old.example.org');
INSERT INTO host VALUES(8,'https://www.geo.example.org');
INSERT INTO host VALUES(9,'http://late.example.net');
CREATE TABLE host_run (
  run           INTEGER NOT NULL,
  host          INTEGER NOT NULL,
  pending       INTEGER NOT NULL,
  done          INTEGER NOT NULL,
  last_page     INTEGER,
  inbox         INTEGER,
  inbox_length  INTEGER NOT NULL,
  best_priority INTEGER,
  PRIMARY KEY (run, host)
) WITHOUT ROWID;
INSERT INTO host_run VALUES(1,1,119,2,2,NULL,0,100);
INSERT INTO host_run VALUES(1,2,1,0,NULL,NULL,0,100);
INSERT INTO host_run VALUES(1,3,1,0,NULL,NULL,0,100);
INSERT INTO host_run VALUES(1,4,1,0,NULL,NULL,0,100);
INSERT INTO host_run VALUES(1,5,1,0,NULL,NULL,0,100);
INSERT INTO host_run VALUES(1,6,1,2,130,NULL,0,100);
INSERT INTO host_run VALUES(1,7,0,1,127,NULL,0,NULL);
INSERT INTO host_run VALUES(1,8,0,1,129,NULL,0,NULL);
INSERT INTO host_run VALUES(1,9,2,0,NULL,132,2,100);
CREATE TABLE queue (
  run      INTEGER NOT NULL,
  host     INTEGER NOT NULL,
  priority INTEGER NOT NULL,
  id       INTEGER NOT NULL,
  path     TEXT NOT NULL,
  intent   TEXT NOT NULL,
  depth    INTEGER NOT NULL,
  parent   INTEGER,
  way      TEXT NOT NULL,
  words    TEXT NOT NULL,
  hops     INTEGER NOT NULL,
  attempts INTEGER NOT NULL,
  PRIMARY KEY (run, host, priority, id)
) WITHOUT ROWID;
INSERT INTO queue VALUES(1,1,100,4,'/map/2','page',1,1,'href','Map 2',0,0);
INSERT INTO queue VALUES(1,1,100,5,'/map/3','page',1,1,'href','Map 3',0,0);
INSERT INTO queue VALUES(1,1,100,6,'/map/4','page',1,1,'href','Map 4',0,0);
INSERT INTO queue VALUES(1,1,100,7,'/map/5','page',1,1,'href','Map 5',0,0);
INSERT INTO queue VALUES(1,1,100,8,'/map/6','page',1,1,'href','Map 6',0,0);
INSERT INTO queue VALUES(1,1,100,9,'/map/7','page',1,1,'href','Map 7',0,0);
INSERT INTO queue VALUES(1,1,100,10,'/map/8','page',1,1,'href','Map 8',0,0);
INSERT INTO queue VALUES(1,1,100,11,'/map/9','page',1,1,'href','Map 9',0,0);
INSERT INTO queue VALUES(1,1,100,12,'/map/10','page',1,1,'href','Map 10',0,0);
INSERT INTO queue VALUES(1,1,100,13,'/map/11','page',1,1,'href','Map 11',0,0);
INSERT INTO queue VALUES(1,1,100,14,'/map/12','page',1,1,'href','Map 12',0,0);
INSERT INTO queue VALUES(1,1,100,15,'/map/13','page',1,1,'href','Map 13',0,0);
INSERT INTO queue VALUES(1,1,100,16,'/map/14','page',1,1,'href','Map 14',0,0);
INSERT INTO queue VALUES(1,1,100,17,'/map/15','page',1,1,'href','Map 15',0,0);
INSERT INTO queue VALUES(1,1,100,18,'/map/16','page',1,1,'href','Map 16',0,0);
INSERT INTO queue VALUES(1,1,100,19,'/map/17','page',1,1,'href','Map 17',0,0);
INSERT INTO queue VALUES(1,1,100,20,'/map/18','page',1,1,'href','Map 18',0,0);
INSERT INTO queue VALUES(1,1,100,21,'/map/19','page',1,1,'href','Map 19',0,0);
INSERT INTO queue VALUES(1,1,100,22,'/map/20','page',1,1,'href','Map 20',0,0);
INSERT INTO queue VALUES(1,1,100,23,'/map/21','page',1,1,'href','Map 21',0,0);
INSERT INTO queue VALUES(1,1,100,24,'/map/22','page',1,1,'href','Map 22',0,0);
INSERT INTO queue VALUES(1,1,100,25,'/map/23','page',1,1,'href','Map 23',0,0);
INSERT INTO queue VALUES(1,1,100,26,'/map/24','page',1,1,'href','Map 24',0,0);
INSERT INTO queue VALUES(1,1,100,27,'/map/25','page',1,1,'href','Map 25',0,0);
INSERT INTO queue VALUES(1,1,100,28,'/map/26','page',1,1,'href','Map 26',0,0);
INSERT INTO queue VALUES(1,1,100,29,'/map/27','page',1,1,'href','Map 27',0,0);
INSERT INTO queue VALUES(1,1,100,30,'/map/28','page',1,1,'href','Map 28',0,0);
INSERT INTO queue VALUES(1,1,100,31,'/map/29','page',1,1,'href','Map 29',0,0);
INSERT INTO queue VALUES(1,1,100,32,'/map/30','page',1,1,'href','Map 30',0,0);
INSERT INTO queue VALUES(1,1,100,33,'/map/31','page',1,1,'href','Map 31',0,0);
INSERT INTO queue VALUES(1,1,100,34,'/map/32','page',1,1,'href','Map 32',0,0);
INSERT INTO queue VALUES(1,1,100,35,'/map/33','page',1,1,'href','Map 33',0,0);
INSERT INTO queue VALUES(1,1,100,36,'/map/34','page',1,1,'href','Map 34',0,0);
INSERT INTO queue VALUES(1,1,100,37,'/map/35','page',1,1,'href','Map 35',0,0);
INSERT INTO queue VALUES(1,1,100,38,'/map/36','page',1,1,'href','Map 36',0,0);
INSERT INTO queue VALUES(1,1,100,39,'/map/37','page',1,1,'href','Map 37',0,0);
INSERT INTO queue VALUES(1,1,100,40,'/map/38','page',1,1,'href','Map 38',0,0);
INSERT INTO queue VALUES(1,1,100,41,'/map/39','page',1,1,'href','Map 39',0,0);
INSERT INTO queue VALUES(1,1,100,42,'/map/40','page',1,1,'href','Map 40',0,0);
INSERT INTO queue VALUES(1,1,100,43,'/map/41','page',1,1,'href','Map 41',0,0);
INSERT INTO queue VALUES(1,1,100,44,'/map/42','page',1,1,'href','Map 42',0,0);
INSERT INTO queue VALUES(1,1,100,45,'/map/43','page',1,1,'href','Map 43',0,0);
INSERT INTO queue VALUES(1,1,100,46,'/map/44','page',1,1,'href','Map 44',0,0);
INSERT INTO queue VALUES(1,1,100,47,'/map/45','page',1,1,'href','Map 45',0,0);
INSERT INTO queue VALUES(1,1,100,48,'/map/46','page',1,1,'href','Map 46',0,0);
INSERT INTO queue VALUES(1,1,100,49,'/map/47','page',1,1,'href','Map 47',0,0);
INSERT INTO queue VALUES(1,1,100,50,'/map/48','page',1,1,'href','Map 48',0,0);
INSERT INTO queue VALUES(1,1,100,51,'/map/49','page',1,1,'href','Map 49',0,0);
INSERT INTO queue VALUES(1,1,100,52,'/map/50','page',1,1,'href','Map 50',0,0);
INSERT INTO queue VALUES(1,1,100,53,'/map/51','page',1,1,'href','Map 51',0,0);
INSERT INTO queue VALUES(1,1,100,54,'/map/52','page',1,1,'href','Map 52',0,0);
INSERT INTO queue VALUES(1,1,100,55,'/map/53','page',1,1,'href','Map 53',0,0);
INSERT INTO queue VALUES(1,1,100,56,'/map/54','page',1,1,'href','Map 54',0,0);
INSERT INTO queue VALUES(1,1,100,57,'/map/55','page',1,1,'href','Map 55',0,0);
INSERT INTO queue VALUES(1,1,100,58,'/map/56','page',1,1,'href','Map 56',0,0);
INSERT INTO queue VALUES(1,1,100,59,'/map/57','page',1,1,'href','Map 57',0,0);
INSERT INTO queue VALUES(1,1,100,60,'/map/58','page',1,1,'href','Map 58',0,0);
INSERT INTO queue VALUES(1,1,100,61,'/map/59','page',1,1,'href','Map 59',0,0);
INSERT INTO queue VALUES(1,1,100,62,'/map/60','page',1,1,'href','Map 60',0,0);
INSERT INTO queue VALUES(1,1,100,63,'/map/61','page',1,1,'href','Map 61',0,0);
INSERT INTO queue VALUES(1,1,100,64,'/map/62','page',1,1,'href','Map 62',0,0);
INSERT INTO queue VALUES(1,1,100,65,'/map/63','page',1,1,'href','Map 63',0,0);
INSERT INTO queue VALUES(1,1,100,66,'/map/64','page',1,1,'href','Map 64',0,0);
INSERT INTO queue VALUES(1,1,100,67,'/map/65','page',1,1,'href','Map 65',0,0);
INSERT INTO queue VALUES(1,1,100,68,'/map/66','page',1,1,'href','Map 66',0,0);
INSERT INTO queue VALUES(1,1,100,69,'/map/67','page',1,1,'href','Map 67',0,0);
INSERT INTO queue VALUES(1,1,100,70,'/map/68','page',1,1,'href','Map 68',0,0);
INSERT INTO queue VALUES(1,1,100,71,'/map/69','page',1,1,'href','Map 69',0,0);
INSERT INTO queue VALUES(1,1,100,72,'/map/70','page',1,1,'href','Map 70',0,0);
INSERT INTO queue VALUES(1,1,100,73,'/map/71','page',1,1,'href','Map 71',0,0);
INSERT INTO queue VALUES(1,1,100,74,'/map/72','page',1,1,'href','Map 72',0,0);
INSERT INTO queue VALUES(1,1,100,75,'/map/73','page',1,1,'href','Map 73',0,0);
INSERT INTO queue VALUES(1,1,100,76,'/map/74','page',1,1,'href','Map 74',0,0);
INSERT INTO queue VALUES(1,1,100,77,'/map/75','page',1,1,'href','Map 75',0,0);
INSERT INTO queue VALUES(1,1,100,78,'/map/76','page',1,1,'href','Map 76',0,0);
INSERT INTO queue VALUES(1,1,100,79,'/map/77','page',1,1,'href','Map 77',0,0);
INSERT INTO queue VALUES(1,1,100,80,'/map/78','page',1,1,'href','Map 78',0,0);
INSERT INTO queue VALUES(1,1,100,81,'/map/79','page',1,1,'href','Map 79',0,0);
INSERT INTO queue VALUES(1,1,100,82,'/map/80','page',1,1,'href','Map 80',0,0);
INSERT INTO queue VALUES(1,1,100,83,'/map/81','page',1,1,'href','Map 81',0,0);
INSERT INTO queue VALUES(1,1,100,84,'/map/82','page',1,1,'href','Map 82',0,0);
INSERT INTO queue VALUES(1,1,100,85,'/map/83','page',1,1,'href','Map 83',0,0);
INSERT INTO queue VALUES(1,1,100,86,'/map/84','page',1,1,'href','Map 84',0,0);
INSERT INTO queue VALUES(1,1,100,87,'/map/85','page',1,1,'href','Map 85',0,0);
INSERT INTO queue VALUES(1,1,100,88,'/map/86','page',1,1,'href','Map 86',0,0);
INSERT INTO queue VALUES(1,1,100,89,'/map/87','page',1,1,'href','Map 87',0,0);
INSERT INTO queue VALUES(1,1,100,90,'/map/88','page',1,1,'href','Map 88',0,0);
INSERT INTO queue VALUES(1,1,100,91,'/map/89','page',1,1,'href','Map 89',0,0);
INSERT INTO queue VALUES(1,1,100,92,'/map/90','page',1,1,'href','Map 90',0,0);
INSERT INTO queue VALUES(1,1,100,93,'/map/91','page',1,1,'href','Map 91',0,0);
INSERT INTO queue VALUES(1,1,100,94,'/map/92','page',1,1,'href','Map 92',0,0);
INSERT INTO queue VALUES(1,1,100,95,'/map/93','page',1,1,'href','Map 93',0,0);
INSERT INTO queue VALUES(1,1,100,96,'/map/94','page',1,1,'href','Map 94',0,0);
INSERT INTO queue VALUES(1,1,100,97,'/map/95','page',1,1,'href','Map 95',0,0);
INSERT INTO queue VALUES(1,1,100,98,'/map/96','page',1,1,'href','Map 96',0,0);
INSERT INTO queue VALUES(1,1,100,99,'/map/97','page',1,1,'href','Map 97',0,0);
INSERT INTO queue VALUES(1,1,100,100,'/map/98','page',1,1,'href','Map 98',0,0);
INSERT INTO queue VALUES(1,1,100,101,'/map/99','page',1,1,'href','Map 99',0,0);
INSERT INTO queue VALUES(1,1,100,102,'/map/100','page',1,1,'href','Map 100',0,0);
INSERT INTO queue VALUES(1,1,100,103,'/map/101','page',1,1,'href','Map 101',0,0);
INSERT INTO queue VALUES(1,1,100,104,'/map/102','page',1,1,'href','Map 102',0,0);
INSERT INTO queue VALUES(1,1,100,105,'/map/103','page',1,1,'href','Map 103',0,0);
INSERT INTO queue VALUES(1,1,100,106,'/map/104','page',1,1,'href','Map 104',0,0);
INSERT INTO queue VALUES(1,1,100,107,'/map/105','page',1,1,'href','Map 105',0,0);
INSERT INTO queue VALUES(1,1,100,108,'/map/106','page',1,1,'href','Map 106',0,0);
INSERT INTO queue VALUES(1,1,100,109,'/map/107','page',1,1,'href','Map 107',0,0);
INSERT INTO queue VALUES(1,1,100,110,'/map/108','page',1,1,'href','Map 108',0,0);
INSERT INTO queue VALUES(1,1,100,111,'/map/109','page',1,1,'href','Map 109',0,0);
INSERT INTO queue VALUES(1,1,100,112,'/map/110','page',1,1,'href','Map 110',0,0);
INSERT INTO queue VALUES(1,1,100,113,'/map/111','page',1,1,'href','Map 111',0,0);
INSERT INTO queue VALUES(1,1,100,114,'/map/112','page',1,1,'href','Map 112',0,0);
INSERT INTO queue VALUES(1,1,100,115,'/map/113','page',1,1,'href','Map 113',0,0);
INSERT INTO queue VALUES(1,1,100,116,'/map/114','page',1,1,'href','Map 114',0,0);
INSERT INTO queue VALUES(1,1,100,117,'/map/115','page',1,1,'href','Map 115',0,0);
INSERT INTO queue VALUES(1,1,100,118,'/map/116','page',1,1,'href','Map 116',0,0);
INSERT INTO queue VALUES(1,1,100,119,'/map/117','page',1,1,'href','Map 117',0,0);
INSERT INTO queue VALUES(1,1,100,120,'/map/118','page',1,1,'href','Map 118',0,0);
INSERT INTO queue VALUES(1,1,100,121,'/map/119','page',1,1,'href','Map 119',0,0);
INSERT INTO queue VALUES(1,1,1100,3,'/map/1','page',1,1,'href','Map 1',0,1);
INSERT INTO queue VALUES(1,2,100,122,'/','page',1,1,'href','',0,0);
INSERT INTO queue VALUES(1,3,100,123,'/','page',1,1,'href','',0,0);
INSERT INTO queue VALUES(1,4,100,124,'/','page',1,1,'href','',0,0);
INSERT INTO queue VALUES(1,5,100,125,'/','page',1,1,'href','',0,0);
INSERT INTO queue VALUES(1,6,100,128,'/wms','page',0,127,'redirect','',1,0);
CREATE TABLE inbox (
  id       INTEGER PRIMARY KEY,
  run      INTEGER NOT NULL,
  host     INTEGER NOT NULL,
  next     INTEGER,
  priority INTEGER NOT NULL,
  path     TEXT NOT NULL,
  intent   TEXT NOT NULL,
  depth    INTEGER NOT NULL,
  parent   INTEGER,
  way      TEXT NOT NULL,
  words    TEXT NOT NULL,
  hops     INTEGER NOT NULL
);
INSERT INTO inbox VALUES(131,1,9,NULL,100,'/1','page',0,NULL,'href','',0);
INSERT INTO inbox VALUES(132,1,9,131,100,'/2','page',0,NULL,'href','',0);
CREATE TABLE page (
  id          INTEGER PRIMARY KEY,
  run         INTEGER NOT NULL,
  host        INTEGER NOT NULL,
  previous    INTEGER,
  path        TEXT NOT NULL,
  intent      TEXT NOT NULL,
  depth       INTEGER NOT NULL,
  parent      INTEGER,
  way         TEXT NOT NULL,
  words       TEXT NOT NULL,
  hops        INTEGER NOT NULL,
  attempts    INTEGER NOT NULL,
  at          INTEGER NOT NULL,
  class       TEXT NOT NULL,
  reason      TEXT NOT NULL,
  status      INTEGER,
  ip          TEXT,
  bytes       INTEGER NOT NULL,
  millis      INTEGER NOT NULL,
  requests    INTEGER NOT NULL,
  title       TEXT,
  language    TEXT,
  simhash     INTEGER,
  redirect_to TEXT,
  found       INTEGER NOT NULL
);
INSERT INTO page VALUES(1,1,1,NULL,'/','page',0,NULL,'seed','',0,0,1790000001000000,'ok','',200,NULL,1000,0,1,'Portal','en',-6,NULL,0);
INSERT INTO page VALUES(2,1,1,1,'/map/0','page',1,1,'href','Map 0',0,0,1790000002000000,'ok','',200,NULL,1000,0,1,NULL,NULL,NULL,NULL,0);
INSERT INTO page VALUES(126,1,6,NULL,'/wms','ows:wms',1,2,'text','',0,0,1790000003000000,'ok','',200,NULL,1000,0,1,NULL,NULL,NULL,NULL,1);
INSERT INTO page VALUES(127,1,7,NULL,'/wms','page',0,NULL,'href','',0,0,1790000004000000,'redirect','',301,NULL,1000,0,1,NULL,NULL,NULL,'http://geo.example.org/wms',0);
INSERT INTO page VALUES(129,1,8,NULL,'/wms','ows:wms',0,NULL,'href','',0,0,1790000005000000,'ok','',200,NULL,1000,0,1,NULL,NULL,NULL,NULL,1);
INSERT INTO page VALUES(130,1,6,126,'/wfs','ows:wms',0,NULL,'href','',0,0,1790000006000000,'ok','',200,NULL,1000,0,1,NULL,NULL,NULL,NULL,1);
CREATE TABLE robots (
  host       INTEGER PRIMARY KEY,
  fetched_at TEXT NOT NULL,
  verdict    TEXT NOT NULL
);
INSERT INTO robots VALUES(1,'2026-09-21T14:13:23Z','{"rules":"User-agent: *\nDisallow: /x\n"}');
CREATE TABLE seen_log (
  seq  INTEGER PRIMARY KEY,
  run  INTEGER NOT NULL,
  keys BLOB NOT NULL
);
INSERT INTO seen_log VALUES(1,1,X'0081916f9a76d861ff9868f37753c919');
INSERT INTO seen_log VALUES(2,1,X'435ce0cb993af29252050405cfaebf3d');
INSERT INTO seen_log VALUES(3,1,X'7117ac296ef9bbe2192e47b562ef947d');
INSERT INTO seen_log VALUES(4,1,X'21a202f66975fe7a5ed5c9c651e72a73');
INSERT INTO seen_log VALUES(5,1,X'f4ab889ff3523160a296b932bf1a0868');
INSERT INTO seen_log VALUES(6,1,X'2789d790d415d018d99a3260125ddf17885e83d5687d6a29510f2676b21a2457');
CREATE TABLE seen_segment (
  id    INTEGER PRIMARY KEY AUTOINCREMENT,
  run   INTEGER NOT NULL,
  level INTEGER NOT NULL,
  keys  INTEGER NOT NULL,
  live  INTEGER NOT NULL
);
INSERT INTO seen_segment VALUES(1,1,0,125,1);
CREATE TABLE seen_block (
  id   INTEGER PRIMARY KEY,
  keys BLOB NOT NULL
);
INSERT INTO seen_block VALUES(16777216,X'0046cea5c7ee2cea91732ef3d8a219b4007e38768fea3427e7bd49457e8788b803f93158a596abc203b89eb83c1a03360477090a014373e685f849ca9158cff905c10c8e8a4200788d09d0723b82124a072a139da68563072f33db1aba348d67079875d37a30ade8f40804733018b1330a0b6e95ae8bba0651eb4fa2032f01950a0d9fdb590ab6393e92a047dc5701af0a39a894a2aa0d058bcc0b724ea746250b87398241a27e8576aa375970cb74540e238b55730d8f93217f48f0452ddbae0f2437a23dc57937131e88e28357d59414821ea894cfb8cf61de5980d9b5466314b2412ec0e046e05f13189aa8fac414153c5340147e6c13139f149357a6a5b815b92b2141a574b606f9aca9ae05c539161936942c508042a5dec8616a1f4fb4163666ad2ec9f66cb2a3df2fc09a617816ac9d2d009f7a529c56482ee587311d182434cd59dcc9016745471c0668091f18e10936c040f08b7876b729e5ed9d2f192f9c3e0379d86131761b28deea12aa1bf9ec564c47724852f7857ef92af61e1f0a85514eda0f9a7a18243763bfa84b205ed04c65b31a6ce45d7fa2b9b4a17e23977208a24907951ef88149826bd5c025e4e5a025f41ac134e2faae220b31bc26418be8b1aed4300070ed9d0afbf28b27cd32eca932001a6e75fd52252f9c352a43bd60e5c7b45f877bff6df502fee82c62589c5b3d7572999afd14da4014732e4630ca26626e07d1b13cf4e23ce69f2ebee9518fd67c5ee56df97dc754f06f320bdf7b36addfddeb7e111c8f72eafb35ff8513c33df922766aec1f8aa7417b36ee43c92a15f9c20d5ec2f6f2efab9f394e1831001a7313180f5c47205f1fec3ac50bad78671de950a1cb2374272f653da35b2bba1f6b36d070951276d741ca3ef5b96995c1a22543d3cb08a06ef0514377ac863d51f2109914993733f4a65349de2ca22620844ae9be0c90f6da1f2b4a3e10fd608c8e9512b18d5a67aef9204c1d1e6ba5d400a40d8d9d662fadf0094d27e97c0835a3a3cceb78683eebda844df42d4c3eeb6c4152137c14164994cc4e0a73c2527caaf48e142a9598124fcc4ea2b452d55a47c7b83495d86429cad95f8e1bebb124c75aff92a1cc7214812364ca0d0a8641c336f95179fcad85d6ec652dce727209e2008972fbae026a665a65ae91a96674eb088b6da7499b77763b68052e7bdf4a81e70ba876ef4473deb969eee550a696fa50ad303d3d7c7afc9b6b56fd660e104a722ee7e40e5ebc02916c33a047cab626f637a175f0e6cef3f86cba3f8462b20718cacb3db25957b3da6d2fb572a877980a14bb6ebe6a8765ea6fdcdd5cde47a6526ea0f965936845c870e4d1df6651dd133bdeb30effd9d2fd76def830edbeafc2cc5c913e29d9c0e676e8b7f22d2f0d043f750d6442f7fbc678e38d9c2021cb72638fb0b0f0cbdabb79a14808fae95f5475e524b0cea038047cb11fce505b16b14d24e8fe46ea74947f00a3c042421725d780e5baf8e76caf8498788fafa1434e4bb0cf03568448f984e8222d77ea38fef7fa8efb8dbf1308859bb74b18802b8092b6f1660b64dc77866eb41698a0f68b712f33b057027ebd870091615e606f9fe6e4f819bb2a19ef874e879843af3b033f42b01c1b4ae7b48d7d7e9a75d4edcf4a21ea0ae1971a428d927b52332d54f1cb6aec08ad7201918dc75d818d36dbc7fd108c9dc1e830708e7bb796b6e17b7526e09f47465129df924c4534ec73cbaa35e43e49f58f5a339280553a2e364348056bdf58ecff405d94296274a37ff30e0aa09d4a770e511394527c1770fdb67a2d60cf933a3335c896b543e2493f96f9519605461419990896ba9deddbf0cfbe64a6bda4b523229498cba478193b7b61f5d119c5591df66799617e7ce5e4afd21391ff04b75210e699675947d433ce444c642ac03fa6ebb0a7556ec2436a62111367c471e7303ca1a898246edfb3f68c8a80e98850103372a8d4449bf04ce4c98188023062559613aad1368013469f55c5293fb49c110e92ab012b49d075083e6161b40b25bc0e73ab82cc61a28ae361590b39ed59553ac4ac05bf23150a44b444247566f8dd0df2af55b60711b8aea4086d2808822cf57bafbe351ed21334168d29045ad5ea7351b024a671a6cd1da8c642830b325851c1b0376a821539bfae622678a30e967139b106a079bf3e9d0268a10474d5722408b35a49daa7994fcfbc128061e1276153b43ad2c96ccfa046af5fa0dc47af2591b86b942bdbf2955ed2b989fb78a0c85fc2cbcb6bfd49b83d91e6fde5b66f2301c3801e5e8fd3029e7c33491ab85a0f78c7c28b0462fd0ee318e4664dcce20f92c8b5f1ddd34e8952bbd4216beb4b1b55ce0ad7082d85f80d6b0a82c5eda11ab5ce15469ff743a0cee449be0b369e9a90ce473d9f94fae341513ec020ab200a70cfc96a11d715d8edee142f14412ece25d399947fe6333c2e7a452b6bf6498f25d496234faf21edb9808e05a38983c010d52f8aa29adc121d66d1419fbdb7dec9d6b2825772886bff4aef52083a4c657edb60f3f4d1be0aedf020eab4aaa817f2dcc3cb69955c90d2ebc044d6d8718c6cdd8e84b00bb273ce896c1686f3926017e03644ea065cb4b23e0d8b3cd3ea1ceae4cc28d03f7e97bd6f100f79e7ef1f4ee8ca66ba73dbec5b020a69571b0ed72fe93589faeb901b7a1720b9d2c057e759e9379c816374197c29d5ac0e8132a4f3eb8cfb9adb2dd5e0d97a8613661b798df05880098605c390c346da91e19c0e12f369439759a1c73b4b4f059fb45e8ae6fa8117f534b499218d0eae8940cdd2fc');
CREATE TABLE resource (
  id            INTEGER PRIMARY KEY,
  public_id     TEXT NOT NULL UNIQUE,
  kind          TEXT NOT NULL,
  identity      TEXT NOT NULL,
  url           TEXT NOT NULL,
  preference    TEXT NOT NULL,
  domain        TEXT NOT NULL,
  fingerprint   BLOB,
  title         TEXT,
  status        TEXT NOT NULL,
  reason        TEXT NOT NULL,
  host          TEXT NOT NULL,
  ip            TEXT,
  west          REAL,
  south         REAL,
  east          REAL,
  north         REAL,
  dataset_count INTEGER NOT NULL,
  first_seen    INTEGER NOT NULL,
  last_seen     INTEGER NOT NULL,
  last_ok       INTEGER,
  run           INTEGER NOT NULL,
  content_from  TEXT NOT NULL,
  content_hash  BLOB NOT NULL,
  datasets_hash BLOB NOT NULL,
  body          TEXT NOT NULL,
  UNIQUE (kind, identity)
);
INSERT INTO resource VALUES(1,'t4pmwdgmjwa9xt8f','wms','geo.example.org/wms','https://www.geo.example.org/wms','000000000000031https://www.geo.example.org/wms','example.org',X'8bc005b8f30b035962240f654f5626c6327705aaa12fb74183fd55907a6856db','Service of 2','alive','','www.geo.example.org','192.0.2.1',NULL,NULL,NULL,NULL,2,1790000003000000,1790000005000000,1790000005000000,1,'https://www.geo.example.org/wms',X'ce8d0a1d425b86553ecaa15af474f06726737dc08b0824bcb65e93e8db64fcd9',X'8283c03666098a202edb048a8e6ad3ff9181ef71d125683e83a4ceb499967d63','{"resource":{"kind":"wms","url":"https://www.geo.example.org/wms","title":"Service of 2","dataset_count":2}}');
INSERT INTO resource VALUES(2,'0dqzahd7gfx1rcyp','wfs','geo.example.org/wfs','http://geo.example.org/wfs','100000000000026http://geo.example.org/wfs','example.org',NULL,'Service of 0','alive','','geo.example.org','192.0.2.1',NULL,NULL,NULL,NULL,0,1790000006000000,1790000006000000,1790000006000000,1,'http://geo.example.org/wfs',X'a3991b07675d260158984b481431b9760a49f31fcf241ac6d36f6025ed8804d1',X'4f53cda18c2baa0c0354bb5f9a3ecbe5ed12ab4d8e11ba873c2f11161202b945','{"resource":{"kind":"wfs","url":"http://geo.example.org/wfs","title":"Service of 0","dataset_count":0}}');
CREATE TABLE door (
  url      TEXT NOT NULL,
  kind     TEXT NOT NULL,
  resource INTEGER NOT NULL,
  PRIMARY KEY (url, kind)
) WITHOUT ROWID;
INSERT INTO door VALUES('http://geo.example.org/wms','wms',1);
INSERT INTO door VALUES('https://www.geo.example.org/wms','wms',1);
INSERT INTO door VALUES('http://geo.example.org/wfs','wfs',2);
CREATE TABLE redirect (
  to_url   TEXT NOT NULL,
  from_url TEXT NOT NULL,
  shown    INTEGER NOT NULL,
  PRIMARY KEY (to_url, from_url)
) WITHOUT ROWID;
INSERT INTO redirect VALUES('http://geo.example.org/wms','http://old.example.org/wms',1);
CREATE TABLE dataset (
  resource INTEGER NOT NULL,
  ordinal  INTEGER NOT NULL,
  name     TEXT NOT NULL,
  title    TEXT,
  west     REAL,
  south    REAL,
  east     REAL,
  north    REAL,
  crs      INTEGER,
  body     TEXT NOT NULL,
  PRIMARY KEY (resource, ordinal)
) WITHOUT ROWID;
INSERT INTO dataset VALUES(1,0,'roads','Layer roads',-10.0,35.499999999999999999,4.25,44.0,NULL,'{"name":"roads","title":"Layer roads","bbox":[-10.0,35.5,4.25,44.0]}');
INSERT INTO dataset VALUES(1,1,'rivers','Layer rivers',-10.0,35.499999999999999999,4.25,44.0,NULL,'{"name":"rivers","title":"Layer rivers","bbox":[-10.0,35.5,4.25,44.0]}');
CREATE TABLE provenance (
  resource INTEGER NOT NULL,
  run      INTEGER NOT NULL,
  item     INTEGER NOT NULL,
  way      TEXT NOT NULL,
  depth    INTEGER NOT NULL,
  PRIMARY KEY (resource, run, item)
) WITHOUT ROWID;
INSERT INTO provenance VALUES(1,1,126,'text',1);
INSERT INTO provenance VALUES(1,1,129,'href',0);
INSERT INTO provenance VALUES(2,1,130,'href',0);
CREATE TABLE evidence (
  id       INTEGER PRIMARY KEY,
  resource INTEGER NOT NULL,
  run      INTEGER NOT NULL,
  item     INTEGER NOT NULL,
  body     TEXT NOT NULL
);
INSERT INTO evidence VALUES(1,1,1,126,'{"request":"http://geo.example.org/wms?SERVICE=wms&REQUEST=GetCapabilities","at":"2026-09-21T14:13:20Z","status":200,"bytes":5000,"millis":0,"hash":"00","rule":"root element"}');
INSERT INTO evidence VALUES(2,1,1,129,'{"request":"https://www.geo.example.org/wms?SERVICE=wms&REQUEST=GetCapabilities","at":"2026-09-21T14:13:20Z","status":200,"bytes":5000,"millis":0,"hash":"00","rule":"root element"}');
INSERT INTO evidence VALUES(3,2,1,130,'{"request":"http://geo.example.org/wfs?SERVICE=wfs&REQUEST=GetCapabilities","at":"2026-09-21T14:13:20Z","status":200,"bytes":5000,"millis":0,"hash":"00","rule":"root element"}');
CREATE TABLE event (
  seq  INTEGER PRIMARY KEY AUTOINCREMENT,
  at   INTEGER NOT NULL,
  run  INTEGER,
  type TEXT NOT NULL,
  body TEXT NOT NULL
);
INSERT INTO event VALUES(1,1790000000000000,1,'run','{"run":1,"state":"running"}');
INSERT INTO event VALUES(2,1790000003000000,1,'resource-born','{"id":"t4pmwdgmjwa9xt8f","kind":"wms","status":"alive","title":"Service of 2","url":"http://geo.example.org/wms"}');
INSERT INTO event VALUES(3,1790000005000000,1,'resource-changed','{"id":"t4pmwdgmjwa9xt8f","kind":"wms","status":"alive","title":"Service of 2","url":"https://www.geo.example.org/wms"}');
INSERT INTO event VALUES(4,1790000006000000,1,'resource-born','{"id":"0dqzahd7gfx1rcyp","kind":"wfs","status":"alive","title":"Service of 0","url":"http://geo.example.org/wfs"}');
DELETE FROM sqlite_sequence;
INSERT INTO sqlite_sequence VALUES('run',1);
INSERT INTO sqlite_sequence VALUES('event',4);
INSERT INTO sqlite_sequence VALUES('seen_segment',1);
CREATE INDEX run_of_task ON run (task, id);
CREATE INDEX host_with_work ON host_run (run, best_priority, host) WHERE best_priority IS NOT NULL;
CREATE INDEX seen_log_of_run ON seen_log (run);
CREATE UNIQUE INDEX resource_url ON resource (kind, url);
CREATE INDEX resource_group ON resource (kind, domain, fingerprint, preference) WHERE fingerprint IS NOT NULL;
CREATE INDEX resource_identity ON resource (identity);
CREATE INDEX door_of_resource ON door (resource);
CREATE INDEX redirect_from ON redirect (from_url);
CREATE INDEX evidence_of_resource ON evidence (resource, run, id);
COMMIT;
