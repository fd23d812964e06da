-- What a machine pushes, pulls and withdraws. Errors have codes of class MB, and messages that are the same whether something does not exist or is not for
-- the caller.

CREATE OR REPLACE FUNCTION memorybank.refuse() RETURNS void LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    RAISE EXCEPTION 'this login may not do that' USING ERRCODE = 'MB001';
END $$;

-- What makes two rows the same: their content, not when it was read, nor what was computed from it.
CREATE OR REPLACE FUNCTION memorybank.fingerprint(data jsonb) RETURNS bytea LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp AS $$
    SELECT sha256(convert_to((data - ARRAY['sequence', 'created', 'modified', 'length', 'words', 'model', 'dimension', 'vectors'])::text, 'UTF8'))
$$;

-- Count the tokens of memories that appear (sign 1) or vanish (-1). Locked in the order of tokens, so that two pushes never wait for each other.
CREATE OR REPLACE FUNCTION memorybank.count_tokens(at_place bigint, which bigint[], of_origin text, sign integer)
RETURNS void LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET row_security = on AS $$
    INSERT INTO memorybank.frequency AS f (place, token, documents)
    SELECT at_place, u.token, sign * count(*)
    FROM memorybank.memory m CROSS JOIN LATERAL unnest(tsvector_to_array(m.words)) AS u(token)
    WHERE m.place = at_place AND m.origin = of_origin AND m.sequence = ANY (which) AND m.words IS NOT NULL
    GROUP BY u.token ORDER BY u.token COLLATE "C"
    ON CONFLICT (place, token) DO UPDATE SET documents = f.documents + excluded.documents;
    UPDATE memorybank.corpus c SET documents = c.documents + sign * s.documents, length = c.length + sign * s.length
    FROM (SELECT count(*) AS documents, coalesce(sum(length), 0) AS length FROM memorybank.memory m
          WHERE m.place = at_place AND m.origin = of_origin AND m.sequence = ANY (which) AND m.words IS NOT NULL) AS s
    WHERE c.place = at_place;
$$;

-- Delete the content of rows. forget: also what could confirm a guess of it.
CREATE OR REPLACE FUNCTION memorybank.empty_rows(at_place bigint, of_origin text, which bigint[], forget boolean)
RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET row_security = on AS $$
BEGIN
    PERFORM memorybank.count_tokens(at_place, which, of_origin, -1);
    DELETE FROM memorybank.passage p WHERE p.place = at_place AND p.origin = of_origin AND p.sequence = ANY (which);
    UPDATE memorybank.memory m
    SET is_current = false, words = NULL, path = '', title = '', text = '', tags = '{}', digest = '', length = 0, created = 0, model = '', dimension = 0,
        fingerprint = CASE WHEN forget THEN '' ELSE m.fingerprint END
    WHERE m.place = at_place AND m.origin = of_origin AND m.sequence = ANY (which);
    DELETE FROM memorybank.frequency f WHERE f.place = at_place AND f.documents <= 0;
END $$;

CREATE OR REPLACE FUNCTION memorybank.push_to(at_place bigint, pushed jsonb)
RETURNS integer LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET row_security = on AS $$
DECLARE
    last bigint;
    added bigint[];
    old bigint[];
    dead bigint[];
    of_origin text := pushed -> 0 ->> 'origin';
BEGIN
    SELECT c.arrival INTO last FROM memorybank.corpus c WHERE c.place = at_place FOR UPDATE;
    IF EXISTS (
        SELECT FROM jsonb_array_elements(pushed) AS e(data)
        JOIN memorybank.memory m ON m.place = at_place AND m.origin = of_origin AND m.sequence = (e.data ->> 'sequence')::bigint
        WHERE m.fingerprint <> '' AND m.fingerprint <> memorybank.fingerprint(e.data)
    ) OR (
        SELECT count(DISTINCT (e.data ->> 'sequence', memorybank.fingerprint(e.data))) <> count(DISTINCT e.data ->> 'sequence')
        FROM jsonb_array_elements(pushed) AS e(data)
    ) THEN
        RAISE EXCEPTION 'a row with this number and another content exists' USING ERRCODE = 'MB002';
    END IF;
    WITH fresh AS (
        SELECT DISTINCT ON ((e.data ->> 'sequence')::bigint) (e.data ->> 'sequence')::bigint AS sequence, e.data ->> 'key' AS key, e.data
        FROM jsonb_array_elements(pushed) AS e(data)
        WHERE NOT EXISTS (
            SELECT FROM memorybank.memory m WHERE m.place = at_place AND m.origin = of_origin AND m.sequence = (e.data ->> 'sequence')::bigint
        )
    ), ranked AS (
        SELECT f.*, row_number() OVER (ORDER BY f.sequence) AS turn,
            f.sequence = max(f.sequence) OVER (PARTITION BY f.key) AND NOT EXISTS (
                SELECT FROM memorybank.memory m WHERE m.place = at_place AND m.origin = of_origin AND m.key = f.key AND m.is_current AND m.sequence > f.sequence
            ) AS holds
        FROM fresh f
    ), inserted AS (
        INSERT INTO memorybank.memory (place, origin, sequence, arrival, kind, key, is_current, fingerprint, digest, path, title, text, tags, created, modified,
            length, words, model, dimension)
        SELECT at_place, of_origin, r.sequence, last + r.turn, d.kind, r.key, r.holds, memorybank.fingerprint(r.data),
            CASE WHEN w.written THEN d.digest ELSE '' END, CASE WHEN w.written THEN d.path ELSE '' END, CASE WHEN w.written THEN d.title ELSE '' END,
            CASE WHEN w.written THEN d.text ELSE '' END, CASE WHEN w.written THEN d.tags ELSE '{}' END, CASE WHEN w.written THEN d.created ELSE 0 END,
            d.modified, CASE WHEN w.written THEN d.length ELSE 0 END, CASE WHEN w.written THEN d.words::tsvector END,
            CASE WHEN w.written THEN d.model ELSE '' END, CASE WHEN w.written THEN d.dimension ELSE 0 END
        FROM ranked r
        CROSS JOIN LATERAL jsonb_to_record(r.data) AS d(kind text, digest text, path text, title text, text text, tags text[], created bigint, modified bigint,
            length integer, words text, model text, dimension integer)
        CROSS JOIN LATERAL (SELECT r.holds AND d.kind <> 'withdrawn' AS written) AS w
        RETURNING memory.sequence
    )
    SELECT array_agg(i.sequence) INTO added FROM inserted i;
    IF added IS NULL THEN
        RETURN 0;
    END IF;
    INSERT INTO memorybank.passage (place, origin, sequence, number, kind, modified, model, vector)
    SELECT at_place, of_origin, m.sequence, v.number, m.kind, m.modified, m.model || ':' || m.dimension, v.vector::{vector}.halfvec
    FROM jsonb_array_elements(pushed) AS e(data)
    JOIN memorybank.memory m ON m.place = at_place AND m.origin = of_origin AND m.sequence = (e.data ->> 'sequence')::bigint
    CROSS JOIN LATERAL jsonb_array_elements_text(e.data -> 'vectors') WITH ORDINALITY AS v(vector, number)
    WHERE m.sequence = ANY (added) AND m.words IS NOT NULL AND v.number <= 32 AND {vector}.vector_dims(v.vector::{vector}.halfvec) = m.dimension
    ON CONFLICT DO NOTHING;
    PERFORM memorybank.count_tokens(at_place, added, of_origin, 1);
    UPDATE memorybank.corpus c SET arrival = last + cardinality(added) WHERE c.place = at_place;
    -- What these rows replace loses its content; what they withdraw, or was withdrawn before, loses its fingerprint, too.
    SELECT array_agg(m.sequence) FILTER (WHERE m.is_current), array_agg(m.sequence) FILTER (WHERE n.kind = 'withdrawn') INTO old, dead
    FROM memorybank.memory n
    JOIN memorybank.memory m ON m.place = at_place AND m.origin = of_origin AND m.key = n.key AND m.sequence < n.sequence
    WHERE n.place = at_place AND n.origin = of_origin AND n.is_current AND n.key IN (SELECT e.data ->> 'key' FROM jsonb_array_elements(pushed) AS e(data));
    IF old IS NOT NULL THEN
        PERFORM memorybank.empty_rows(at_place, of_origin, old, false);
    END IF;
    IF dead IS NOT NULL THEN
        UPDATE memorybank.memory m SET fingerprint = '' WHERE m.place = at_place AND m.origin = of_origin AND m.sequence = ANY (dead) AND m.fingerprint <> '';
    END IF;
    RETURN cardinality(added);
END $$;

-- Add rows of one machine to one repository; return how many were new.
CREATE OR REPLACE FUNCTION memorybank.push(organisation text, repository text, pushed jsonb)
RETURNS integer LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET row_security = on AS $$
DECLARE
    open bigint[] := memorybank.places('write', ARRAY[push.repository], NULL, push.organisation);
BEGIN
    IF jsonb_typeof(pushed) IS DISTINCT FROM 'array' OR jsonb_array_length(pushed) = 0 OR cardinality(open) <> 1 OR EXISTS (
        SELECT FROM jsonb_array_elements(pushed) AS e(data)
        WHERE e.data ->> 'origin' IS DISTINCT FROM pushed -> 0 ->> 'origin' OR NOT coalesce(memorybank.owns(e.data ->> 'origin'), false)
    ) OR memorybank.is_revoked(pushed -> 0 ->> 'origin') THEN
        PERFORM memorybank.refuse();
    END IF;
    RETURN memorybank.push_to(open[1], pushed);
END $$;

-- Return what holds in repositories and arrived after a cursor, as far as the caller may read it. own: a machine whose memories are left out.
CREATE OR REPLACE FUNCTION memorybank.rows_after(organisation text, repositories text[], since jsonb, own text, most integer)
RETURNS TABLE (repository text, arrival bigint, origin text, sequence bigint, kind text, key text, path text, digest text, title text, text text, tags text[],
    created bigint, modified bigint, model text, dimension integer, vectors text[])
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET row_security = on AS $$
DECLARE
    left_over integer := least(most, 5000);
    one record;
    found bigint;
BEGIN
    FOR one IN
        SELECT r.place, r.repository AS name FROM memorybank.repository r
        WHERE r.place = ANY (memorybank.places('read', repositories, NULL, rows_after.organisation)) ORDER BY r.repository
    LOOP
        RETURN QUERY
            SELECT one.name, m.arrival, m.origin, m.sequence, m.kind, m.key, m.path, m.digest, m.title, m.text, m.tags, m.created, m.modified, m.model,
                m.dimension,
                ARRAY(SELECT p.vector::text FROM memorybank.passage p
                      WHERE p.place = one.place AND p.origin = m.origin AND p.sequence = m.sequence ORDER BY p.number)
            FROM memorybank.memory m
            WHERE m.place = one.place AND m.is_current AND m.arrival > coalesce((since ->> one.name)::bigint, 0)
              AND (m.origin <> own OR m.kind = 'withdrawn')
            ORDER BY m.arrival LIMIT left_over;
        GET DIAGNOSTICS found = ROW_COUNT;
        left_over := left_over - found;
        EXIT WHEN left_over <= 0;
    END LOOP;
END $$;

-- Turn rows into tombstones that everybody pulls. Only for rows of the caller's own machines and in the places that he leads.
CREATE OR REPLACE FUNCTION memorybank.withdraw_rows(at_place bigint, of_origin text, of_key text)
RETURNS integer LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET row_security = on AS $$
DECLARE
    last bigint;
    which bigint[];
    every bigint[];
BEGIN
    SELECT c.arrival INTO last FROM memorybank.corpus c WHERE c.place = at_place FOR UPDATE;
    SELECT array_agg(m.sequence ORDER BY m.sequence) FILTER (WHERE m.is_current AND m.kind <> 'withdrawn'), array_agg(m.sequence) INTO which, every
    FROM memorybank.memory m WHERE m.place = at_place AND m.origin = of_origin AND (of_key IS NULL OR m.key = of_key);
    IF which IS NULL THEN
        RETURN 0;
    END IF;
    PERFORM memorybank.empty_rows(at_place, of_origin, which, true);
    UPDATE memorybank.memory m SET fingerprint = '' WHERE m.place = at_place AND m.origin = of_origin AND m.sequence = ANY (every) AND m.fingerprint <> '';
    UPDATE memorybank.memory m SET is_current = true, kind = 'withdrawn', arrival = last + array_position(which, m.sequence)
    WHERE m.place = at_place AND m.origin = of_origin AND m.sequence = ANY (which);
    UPDATE memorybank.corpus c SET arrival = last + cardinality(which) WHERE c.place = at_place;
    RETURN cardinality(which);
END $$;

CREATE OR REPLACE FUNCTION memorybank.withdraw(organisation text, repository text, origin text, key text)
RETURNS integer LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET row_security = on AS $$
DECLARE
    open bigint[] := memorybank.places(
        CASE WHEN memorybank.owns(withdraw.origin) THEN 'write' ELSE 'lead' END, ARRAY[withdraw.repository], NULL, withdraw.organisation
    );
BEGIN
    IF cardinality(open) <> 1 OR key IS NULL THEN
        PERFORM memorybank.refuse();
    END IF;
    RETURN memorybank.withdraw_rows(open[1], withdraw.origin, withdraw.key);
END $$;

-- Refuse all later pushes of a machine, and withdraw what it shares: of one's own machine in every repository that one reads, of another in those that one leads.
CREATE OR REPLACE FUNCTION memorybank.revoke(organisation text, origin text)
RETURNS integer LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET row_security = on AS $$
DECLARE
    open bigint[] := memorybank.places(CASE WHEN memorybank.owns(revoke.origin) THEN 'read' ELSE 'lead' END, NULL, NULL, revoke.organisation);
    gone integer := 0;
    one bigint;
BEGIN
    IF NOT memorybank.owns(revoke.origin) AND NOT EXISTS (
        SELECT FROM memorybank.memory m WHERE m.place = ANY (open) AND m.origin = revoke.origin
    ) THEN
        PERFORM memorybank.refuse();
    END IF;
    INSERT INTO memorybank.revoked VALUES (revoke.origin) ON CONFLICT DO NOTHING;
    FOREACH one IN ARRAY open LOOP
        gone := gone + memorybank.withdraw_rows(one, revoke.origin, NULL);
    END LOOP;
    RETURN gone;
END $$;

-- Every machine of the repositories that the caller reads.
CREATE OR REPLACE FUNCTION memorybank.origins(organisation text)
RETURNS TABLE (origin text, repository text, shared bigint, last bigint, is_revoked boolean)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET row_security = on AS $$
DECLARE
    one record;
BEGIN
    FOR one IN
        SELECT r.place, r.repository AS name FROM memorybank.repository r
        WHERE r.place = ANY (memorybank.places('read', NULL, NULL, origins.organisation)) ORDER BY r.repository
    LOOP
        RETURN QUERY
            SELECT m.origin, one.name, count(*) FILTER (WHERE m.is_current AND m.kind <> 'withdrawn'), max(m.sequence), memorybank.is_revoked(m.origin)
            FROM memorybank.memory m WHERE m.place = one.place GROUP BY m.origin ORDER BY m.origin;
    END LOOP;
END $$;

CREATE OR REPLACE FUNCTION memorybank.repositories(organisation text)
RETURNS TABLE (repository text, access text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET row_security = on AS $$
    SELECT r.repository, CASE WHEN r.place = ANY (memorybank.places('write', NULL, NULL, repositories.organisation)) THEN 'write' ELSE 'read' END
    FROM memorybank.repository r WHERE r.place = ANY (memorybank.places('read', NULL, NULL, repositories.organisation)) ORDER BY r.repository
$$;

CREATE OR REPLACE FUNCTION memorybank.version()
RETURNS integer LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$ SELECT version FROM memorybank.schema_version $$;

GRANT EXECUTE ON FUNCTION memorybank.push, memorybank.rows_after, memorybank.withdraw, memorybank.revoke, memorybank.origins, memorybank.repositories,
    memorybank.version TO memorybank_member;
