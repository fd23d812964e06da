-- The functions of a search that logins call.

-- How many memories there are, their total length, and in how many each token, or any token with one of the beginnings, occurs: in the places that the caller
-- may read, and counted from their rows alone.
CREATE OR REPLACE FUNCTION memorybank.frequencies(organisation text, repositories text[], in_team text, tokens text[], beginnings text[])
RETURNS jsonb LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET row_security = on AS $$
DECLARE
    open bigint[] := memorybank.places('read', repositories, in_team, frequencies.organisation);
BEGIN
    RETURN (
        SELECT jsonb_build_object('documents', coalesce(sum(c.documents), 0), 'length', coalesce(sum(c.length), 0))
        FROM memorybank.corpus c WHERE c.place = ANY (open)
    ) || jsonb_build_object(
        'tokens', (
            SELECT coalesce(jsonb_object_agg(s.token, s.documents), '{}') FROM (
                SELECT f.token, sum(f.documents) AS documents FROM memorybank.frequency f
                WHERE f.place = ANY (open) AND f.token = ANY (tokens) GROUP BY f.token
            ) AS s
        ),
        'beginnings', (
            SELECT coalesce(jsonb_object_agg(b.beginning, (
                SELECT coalesce(sum(f.documents), 0) FROM memorybank.frequency f
                WHERE f.place = ANY (open) AND f.token >= b.beginning AND f.token < b.beginning || chr(1114111)
            )), '{}') FROM (SELECT DISTINCT u.beginning FROM unnest(beginnings) AS u(beginning)) AS b
        )
    );
END $$;

-- The tokens with a beginning, for words that nobody wrote.
CREATE OR REPLACE FUNCTION memorybank.vocabulary(organisation text, repositories text[], in_team text, beginning text)
RETURNS TABLE (token text, documents bigint)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET row_security = on AS $$
#variable_conflict use_column
DECLARE
    open bigint[] := memorybank.places('read', repositories, in_team, vocabulary.organisation);
BEGIN
    RETURN QUERY
        SELECT f.token, sum(f.documents) FROM memorybank.frequency f
        WHERE f.place = ANY (open) AND f.token >= vocabulary.beginning AND f.token < vocabulary.beginning || chr(1114111) AND vocabulary.beginning <> ''
        GROUP BY f.token ORDER BY 2 DESC, 1 LIMIT 20000;
END $$;

CREATE OR REPLACE FUNCTION memorybank.search_words(organisation text, repositories text[], in_team text, kinds text[], since bigint, until bigint,
    query text, units text[], weights float8[], average float8, tokens text[], token_weights float8[], most integer)
RETURNS TABLE (repository text, origin text, sequence bigint, kind text, key text, path text, digest text, title text, text text, tags text[], created bigint,
    modified bigint, model text, dimension integer, origins text[], score float8)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET row_security = on AS $$
    SELECT r.repository, m.origin, m.sequence, m.kind, m.key, m.path, m.digest, m.title, m.text, m.tags, m.created, m.modified, m.model, m.dimension,
        c.origins, c.score
    FROM memorybank.word_candidates(memorybank.places('read', search_words.repositories, in_team, search_words.organisation), query::tsquery, units::tsquery[],
        weights, average, kinds, since, until, least(most, 500), tokens, token_weights) AS c
    -- One look-up for each candidate: a join could read every partition, although the policies then show nothing of the others.
    CROSS JOIN LATERAL (
        SELECT * FROM memorybank.memory x WHERE x.place = c.place AND x.origin = c.origin AND x.sequence = c.sequence AND x.is_current OFFSET 0
    ) AS m
    JOIN memorybank.repository r ON r.place = c.place
    ORDER BY c.score DESC, r.repository, m.origin, m.sequence
$$;

CREATE OR REPLACE FUNCTION memorybank.search_meaning(organisation text, repositories text[], in_team text, kinds text[], since bigint, until bigint,
    embedder text, dimensions integer, vector text, most integer)
RETURNS TABLE (repository text, origin text, sequence bigint, kind text, key text, path text, digest text, title text, text text, tags text[], created bigint,
    modified bigint, model text, dimension integer, origins text[], likeness float8, passage smallint, mean float8, deviation float8)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET row_security = on AS $$
#variable_conflict use_column
DECLARE
    open bigint[] := memorybank.places('read', search_meaning.repositories, search_meaning.in_team, search_meaning.organisation);
    average float8;
    spread float8;
BEGIN
    SELECT avg(s.likeness), stddev_pop(s.likeness) INTO average, spread
    FROM memorybank.likeness_sample(open, search_meaning.embedder, search_meaning.dimensions, search_meaning.vector) AS s(likeness);
    RETURN QUERY
        WITH near AS (
            SELECT DISTINCT ON (c.place, c.origin, c.sequence) c.*
            FROM memorybank.meaning_candidates(open, search_meaning.embedder, search_meaning.dimensions, search_meaning.vector, search_meaning.kinds,
                search_meaning.since, search_meaning.until, least(search_meaning.most, 500) * 3) AS c
            ORDER BY c.place, c.origin, c.sequence, c.likeness DESC
        ), best AS (
            SELECT n.* FROM near n ORDER BY n.likeness DESC, n.place, n.origin, n.sequence LIMIT least(search_meaning.most, 500) * 3
        ), whole AS (
            SELECT m.*, b.likeness, b.number,
                row_number() OVER (PARTITION BY m.place, m.digest ORDER BY b.likeness DESC, m.modified DESC, m.origin) AS copy,
                array_agg(m.origin) OVER (PARTITION BY m.place, m.digest ORDER BY m.origin ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) AS origins
            FROM best b
            CROSS JOIN LATERAL (
                SELECT * FROM memorybank.memory x WHERE x.place = b.place AND x.origin = b.origin AND x.sequence = b.sequence AND x.is_current OFFSET 0
            ) AS m
        )
        SELECT r.repository, w.origin, w.sequence, w.kind, w.key, w.path, w.digest, w.title, w.text, w.tags, w.created, w.modified, w.model, w.dimension,
            w.origins, w.likeness, w.number, average, spread
        FROM whole w JOIN memorybank.repository r ON r.place = w.place
        WHERE w.copy = 1
        ORDER BY w.likeness DESC, r.repository, w.origin, w.sequence LIMIT search_meaning.most;
END $$;

GRANT EXECUTE ON FUNCTION memorybank.frequencies, memorybank.vocabulary, memorybank.search_words, memorybank.search_meaning TO memorybank_member;
