-- The tables. Everything that belongs to a repository carries its place: the number that the server gives each (organisation, repository), and the key by
-- which rows are divided among partitions or among the nodes of a distributed edition. Indexes never span two places, so an answer about one place cannot
-- depend on the rows of another.

CREATE TABLE memorybank.schema_version (version integer NOT NULL);

CREATE TABLE memorybank.repository (
    place bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    organisation text COLLATE "C" NOT NULL CHECK (organisation ~ '^[a-z0-9][a-z0-9._-]{0,63}$'),
    repository text COLLATE "C" NOT NULL CHECK (repository ~ '^[a-z0-9][a-z0-9._-]{0,63}$'),
    UNIQUE (organisation, repository)
);

-- Who may do what: a login has a role in a team, a team has access to repositories. 'reader' reads, 'writer' also pushes, 'lead' also withdraws rows of others.
CREATE TABLE memorybank.member (
    organisation text COLLATE "C" NOT NULL,
    team text COLLATE "C" NOT NULL,
    login text COLLATE "C" NOT NULL,
    role text NOT NULL CHECK (role IN ('reader', 'writer', 'lead')),
    PRIMARY KEY (login, organisation, team)
);
CREATE TABLE memorybank.granted (
    organisation text COLLATE "C" NOT NULL,
    team text COLLATE "C" NOT NULL,
    place bigint NOT NULL REFERENCES memorybank.repository ON DELETE CASCADE,
    may_write boolean NOT NULL,
    PRIMARY KEY (organisation, team, place)
);
CREATE TABLE memorybank.revoked (origin text COLLATE "C" PRIMARY KEY, at timestamptz NOT NULL DEFAULT now());

-- Counters of a place. arrival orders its rows for pulls; whoever pushes to a place holds this row, so a lower number is never committed after a higher one.
CREATE TABLE memorybank.corpus (
    place bigint PRIMARY KEY REFERENCES memorybank.repository ON DELETE CASCADE,
    arrival bigint NOT NULL DEFAULT 0,
    documents bigint NOT NULL DEFAULT 0,
    length bigint NOT NULL DEFAULT 0
);

-- One row for each number that a machine used. Only the latest row of a memory has content; the others keep the fingerprint by which a replay is recognised.
CREATE TABLE memorybank.memory (
    place bigint NOT NULL,
    origin text COLLATE "C" NOT NULL,
    sequence bigint NOT NULL CHECK (sequence > 0),
    arrival bigint NOT NULL,
    kind text COLLATE "C" NOT NULL CHECK (kind IN ('note', 'archived', 'learned', 'episode', 'withdrawn')),
    key text COLLATE "C" NOT NULL CHECK (key <> '' AND octet_length(key) <= 200),
    is_current boolean NOT NULL,
    fingerprint bytea NOT NULL,
    digest text COLLATE "C" NOT NULL CHECK (octet_length(digest) <= 64),
    path text COLLATE "C" NOT NULL CHECK (octet_length(path) <= 4000),
    title text COLLATE "C" NOT NULL CHECK (octet_length(title) <= 4000),
    text text COLLATE "C" NOT NULL CHECK (octet_length(text) <= 1048576),
    tags text[] COLLATE "C" NOT NULL CHECK (cardinality(tags) <= 100),
    created bigint NOT NULL,
    modified bigint NOT NULL,
    length integer NOT NULL,
    words tsvector,
    model text COLLATE "C" NOT NULL CHECK (octet_length(model) <= 200),
    dimension integer NOT NULL,
    PRIMARY KEY (place, origin, sequence)
) PARTITION BY LIST (place);
CREATE INDEX memory_key ON memorybank.memory (place, origin, key) WHERE is_current;
CREATE INDEX memory_arrival ON memorybank.memory (place, arrival) WHERE is_current;
-- A search reads the list of what is not sorted into the index yet, so it is kept short.
CREATE INDEX memory_words ON memorybank.memory USING gin (words) WITH (gin_pending_list_limit = 512);

-- The vectors of the passages of the memories that hold. model: its name and the dimension of the vectors. kind and modified are those of the memory, for
-- filters.
CREATE TABLE memorybank.passage (
    place bigint NOT NULL,
    origin text COLLATE "C" NOT NULL,
    sequence bigint NOT NULL,
    number smallint NOT NULL,
    kind text COLLATE "C" NOT NULL,
    modified bigint NOT NULL,
    model text COLLATE "C" NOT NULL,
    vector {vector}.halfvec NOT NULL CHECK ({vector}.l2_norm(vector) > 0),
    PRIMARY KEY (place, origin, sequence, number)
) PARTITION BY LIST (place);
ALTER TABLE memorybank.passage ALTER COLUMN vector SET STORAGE PLAIN;

-- In how many memories of a place a token occurs. A search adds up the places that its caller may read, and no others.
CREATE TABLE memorybank.frequency (
    place bigint NOT NULL REFERENCES memorybank.repository ON DELETE CASCADE,
    token text COLLATE "C" NOT NULL,
    documents integer NOT NULL,
    PRIMARY KEY (place, token)
) WITH (fillfactor = 80);
