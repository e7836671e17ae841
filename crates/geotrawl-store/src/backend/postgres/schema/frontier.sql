-- The frontier: what is to be fetched, what was, and who may ask which host.
--
-- `shard` is a fixed hash of the host's name (256 of them, see frontier/shard.rs) and the first column of
-- every key, so that the tables can be spread over many servers by it. Ids of hosts and items end in their
-- shard (id = number * 256 + shard): whoever has an id knows where its row is.

CREATE SEQUENCE host_number;
-- Every value stands for a block of item numbers (see frontier/numbers.rs).
CREATE SEQUENCE item_block;

-- Loans: `owner` has the host until `expires`; `token` grows with every loan; nobody may ask the host before
-- `rest_until`. All times are the database's.
CREATE TABLE host (
  shard      integer NOT NULL,
  id         bigint NOT NULL,
  name       text COLLATE "C" NOT NULL,
  owner      uuid,
  token      bigint NOT NULL DEFAULT 0,
  expires    timestamptz,
  rest_until timestamptz,
  PRIMARY KEY (shard, id),
  UNIQUE (shard, name)
) WITH (fillfactor = 80);

-- best_priority is NULL when nothing is pending, so that the index holds only hosts with work and is
-- touched only when the head of a host changes.
CREATE TABLE host_run (
  shard         integer NOT NULL,
  run           bigint NOT NULL,
  host          bigint NOT NULL,
  pending       bigint NOT NULL,
  done          bigint NOT NULL,
  last_page     bigint,
  best_priority bigint,
  PRIMARY KEY (shard, run, host)
) WITH (fillfactor = 70);
CREATE INDEX host_with_work ON host_run (shard, run, best_priority, host) WHERE best_priority IS NOT NULL;

-- Pending items, in the order of crawling.
CREATE TABLE queue (
  shard    integer NOT NULL,
  run      bigint NOT NULL,
  host     bigint NOT NULL,
  priority bigint NOT NULL,
  id       bigint NOT NULL,
  path     text COLLATE "C" NOT NULL,
  intent   text COLLATE "C" NOT NULL,
  depth    bigint NOT NULL,
  parent   bigint,
  way      text COLLATE "C" NOT NULL,
  words    text COLLATE "C" NOT NULL,
  hops     bigint NOT NULL,
  attempts bigint NOT NULL,
  width    bigint NOT NULL,
  origin   bigint NOT NULL,
  distance bigint NOT NULL,
  PRIMARY KEY (shard, run, host, priority, id)
);

-- Known links. The first bits of a key are of its host (see frontier/seen.rs), so that the links of a page
-- are neighbours in the index.
CREATE TABLE seen (
  run   bigint NOT NULL,
  key   uuid NOT NULL,
  shard integer NOT NULL,
  PRIMARY KEY (shard, run, key)
);

-- Finished items. `previous` chains the pages of one host in one run, newest first, from
-- host_run.last_page: a history without an index to maintain.
CREATE TABLE page (
  shard       integer NOT NULL,
  id          bigint NOT NULL,
  run         bigint NOT NULL,
  host        bigint NOT NULL,
  previous    bigint,
  path        text COLLATE "C" NOT NULL,
  intent      text COLLATE "C" NOT NULL,
  depth       bigint NOT NULL,
  parent      bigint,
  way         text COLLATE "C" NOT NULL,
  words       text COLLATE "C" NOT NULL,
  hops        bigint NOT NULL,
  attempts    bigint NOT NULL,
  at          bigint NOT NULL,
  class       text COLLATE "C" NOT NULL,
  reason      text COLLATE "C" NOT NULL,
  status      bigint,
  ip          text COLLATE "C",
  bytes       bigint NOT NULL,
  millis      bigint NOT NULL,
  requests    bigint NOT NULL,
  title       text COLLATE "C",
  language    text COLLATE "C",
  simhash     bigint,
  redirect_to text COLLATE "C",
  found       bigint NOT NULL,
  width       bigint NOT NULL,
  origin      bigint NOT NULL,
  distance    bigint NOT NULL,
  PRIMARY KEY (shard, id)
);

-- Processes that work on this store, as long as they say so.
CREATE TABLE process (
  owner   uuid PRIMARY KEY,
  expires timestamptz NOT NULL
);

-- Pages that a process may still read of the budget of a run.
CREATE TABLE claim (
  run   bigint NOT NULL,
  owner uuid NOT NULL,
  pages bigint NOT NULL,
  PRIMARY KEY (run, owner)
);
