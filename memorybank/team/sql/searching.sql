-- Candidates by words and by meaning. Each inner function is of memorybank_searcher, who may read tokens and vectors of every place and therefore receives
-- its places from the outer function, never from a caller; the outer one reads the memories themselves, through the policies.

-- The statement that finds candidates by words. Its parameters: $1 query, $2 its units, $3 their weights, $4 mean length, $5 kinds, $6 since, $7 until,
-- $8 number of candidates, $9 single tokens among the units, $10 their weights.
-- First every match is weighed by ts_rank, which reads a few bytes of it; then the best 200 by BM25 with the occurrences counted.
CREATE OR REPLACE FUNCTION memorybank.words_statement(at bigint[])
RETURNS text LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp AS $$
    SELECT format($q$
        WITH matched AS MATERIALIZED (
            SELECT m.place, m.origin, m.sequence, m.digest, m.modified, m.length, m.words
            FROM memorybank.memory m
            WHERE m.place = ANY (%L) AND m.words @@ $1 AND ($5 IS NULL OR m.kind = ANY ($5)) AND m.modified >= $6 AND m.modified < $7
            LIMIT 20000
        ), rough AS (
            SELECT c.place, c.digest, c.length, c.words, c.origin, c.sequence, r.score,
                row_number() OVER (PARTITION BY c.place, c.digest ORDER BY c.modified DESC, c.origin, c.sequence DESC) AS copy,
                array_agg(c.origin) OVER (PARTITION BY c.place, c.digest ORDER BY c.origin ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) AS origins
            FROM matched c
            CROSS JOIN LATERAL (
                SELECT sum(u.weight * 2.2 * t.found / (t.found + 0.6 + 0.6 * c.length / $4)) AS score
                FROM unnest($2, $3) AS u(unit, weight) CROSS JOIN LATERAL (SELECT ts_rank('{1,1,1,1}', c.words, u.unit) * 1.64493406685 AS found) AS t
            ) AS r
        ), best AS (
            SELECT * FROM rough WHERE copy = 1 ORDER BY score DESC NULLS LAST, place, origin, sequence LIMIT greatest(200, $8)
        )
        SELECT b.place, b.origin, b.sequence, b.origins, coalesce(e.score, 0) + CASE WHEN cardinality($9) = cardinality($2) THEN 0 ELSE b.score END
        FROM best b
        CROSS JOIN LATERAL (
            SELECT sum(w.weight * 2.2 * t.found / (t.found + 0.6 + 0.6 * b.length / $4)) AS score
            FROM unnest(b.words) AS l(lexeme, positions, labels)
            JOIN unnest($9, $10) AS w(token, weight) ON w.token = l.lexeme
            CROSS JOIN LATERAL (SELECT coalesce(sum(CASE x WHEN 'A' THEN 2.0 WHEN 'B' THEN 1.5 ELSE 1.0 END), 1.0)::float8 AS found FROM unnest(l.labels) AS x) AS t
        ) AS e
        ORDER BY 5 DESC, 1, 2, 3 LIMIT $8
    $q$, at::text)
$$;

CREATE OR REPLACE FUNCTION memorybank.word_candidates(at bigint[], query tsquery, units tsquery[], weights float8[], average float8, kinds text[], since bigint,
    until bigint, most integer, tokens text[], token_weights float8[])
RETURNS TABLE (place bigint, origin text, sequence bigint, origins text[], score float8)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET row_security = on AS $$
BEGIN
    RETURN QUERY EXECUTE memorybank.words_statement(at)
        USING query, units, weights, average, kinds, since, until, most, tokens, token_weights;
END $$;

-- The statement that finds the passages of one place that are nearest to a vector, $1. $2 kinds, $3 since, $4 until, $5 number of passages. It can use the
-- HNSW index of that place and model; without one it compares all of them.
CREATE OR REPLACE FUNCTION memorybank.meaning_statement(at bigint, model text, dimension integer)
RETURNS text LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp AS $$
    SELECT format($q$
        SELECT p.origin, p.sequence, p.number, 1 - (p.vector::{vector}.halfvec(%1$s) OPERATOR({vector}.<=>) $1::{vector}.halfvec(%1$s)) AS likeness
        FROM memorybank.passage p
        WHERE p.place = %2$s AND p.model = %3$L AND ($2 IS NULL OR p.kind = ANY ($2)) AND p.modified >= $3 AND p.modified < $4
        ORDER BY p.vector::{vector}.halfvec(%1$s) OPERATOR({vector}.<=>) $1::{vector}.halfvec(%1$s) LIMIT $5
    $q$, dimension, at, model || ':' || dimension)
$$;

-- The same without an order: likeness of some passages of a place, for their mean and deviation.
CREATE OR REPLACE FUNCTION memorybank.sample_statement(at bigint, model text, dimension integer)
RETURNS text LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp AS $$
    SELECT format($q$
        SELECT 1 - (p.vector OPERATOR({vector}.<=>) $1::{vector}.halfvec)
        FROM memorybank.passage p WHERE p.place = %1$s AND p.model = %2$L LIMIT $2
    $q$, at, model || ':' || dimension)
$$;

CREATE OR REPLACE FUNCTION memorybank.meaning_candidates(at bigint[], model text, dimension integer, vector text, kinds text[], since bigint, until bigint,
    most integer)
RETURNS TABLE (place bigint, origin text, sequence bigint, number smallint, likeness float8)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET row_security = on AS $$
DECLARE
    one bigint;
BEGIN
    PERFORM set_config('hnsw.ef_search', '100', true), set_config('hnsw.iterative_scan', 'strict_order', true);
    FOREACH one IN ARRAY at LOOP
        RETURN QUERY EXECUTE 'SELECT $6::bigint, c.* FROM (' || memorybank.meaning_statement(one, model, dimension) || ') AS c'
            USING vector, kinds, since, until, most, one;
    END LOOP;
END $$;

CREATE OR REPLACE FUNCTION memorybank.likeness_sample(at bigint[], model text, dimension integer, vector text)
RETURNS SETOF float8 LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET row_security = on AS $$
DECLARE
    one bigint;
BEGIN
    FOREACH one IN ARRAY at LOOP
        RETURN QUERY EXECUTE memorybank.sample_statement(one, model, dimension) USING vector, greatest(20, 4000 / cardinality(at));
    END LOOP;
END $$;

CREATE OR REPLACE FUNCTION memorybank.models_of(at bigint)
RETURNS TABLE (model text, passages bigint) LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET row_security = on AS $$
    SELECT p.model, count(*) FROM memorybank.passage p WHERE p.place = at GROUP BY p.model
$$;

GRANT EXECUTE ON FUNCTION memorybank.word_candidates, memorybank.meaning_candidates, memorybank.likeness_sample, memorybank.models_of TO memorybank_owner;
