-- Version 2: whether any record of a kind is dead is asked for every new record.

CREATE INDEX resource_dead ON resource (kind) WHERE status = 'dead';
