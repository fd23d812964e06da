-- What administrators do. They do not read memories by these functions: who wants to is made a member of a team.

CREATE OR REPLACE FUNCTION memorybank.add_repository(organisation text, repository text)
RETURNS bigint LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET row_security = on AS $$
DECLARE
    made bigint;
    parent text;
BEGIN
    INSERT INTO memorybank.repository AS r (organisation, repository) VALUES (add_repository.organisation, add_repository.repository)
    ON CONFLICT DO NOTHING RETURNING r.place INTO made;
    IF made IS NULL THEN
        SELECT r.place INTO made FROM memorybank.repository r
        WHERE r.organisation = add_repository.organisation AND r.repository = add_repository.repository;
        RETURN made;
    END IF;
    FOREACH parent IN ARRAY ARRAY['memory', 'passage'] LOOP
        -- Attached afterwards, because that waits for nobody who reads the other places.
        EXECUTE format('CREATE TABLE memorybank.%1$I (LIKE memorybank.%2$I INCLUDING DEFAULTS INCLUDING CONSTRAINTS INCLUDING STORAGE)',
            parent || '_' || made, parent);
        EXECUTE format('ALTER TABLE memorybank.%I ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY', parent || '_' || made);
        EXECUTE format('ALTER TABLE memorybank.%I ATTACH PARTITION memorybank.%I FOR VALUES IN (%s)', parent, parent || '_' || made, made);
    END LOOP;
    EXECUTE format('ALTER TABLE memorybank.%I SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 50)', 'memory_' || made);
    INSERT INTO memorybank.corpus (place) VALUES (made);
    RETURN made;
END $$;

-- role: NULL removes the login from the team.
CREATE OR REPLACE FUNCTION memorybank.set_member(organisation text, team text, login text, role text)
RETURNS void LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    DELETE FROM memorybank.member m
    WHERE m.organisation = set_member.organisation AND m.team = set_member.team AND m.login = set_member.login;
    INSERT INTO memorybank.member (organisation, team, login, role)
    SELECT set_member.organisation, set_member.team, set_member.login, set_member.role WHERE set_member.role IS NOT NULL;
$$;

-- access: 'read', 'write', or NULL to take it back.
CREATE OR REPLACE FUNCTION memorybank.set_access(organisation text, team text, repository text, access text)
RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    at bigint;
BEGIN
    SELECT r.place INTO at FROM memorybank.repository r WHERE r.organisation = set_access.organisation AND r.repository = set_access.repository;
    IF at IS NULL OR access NOT IN ('read', 'write') THEN
        RAISE EXCEPTION 'no such repository or access' USING ERRCODE = 'MB003';
    END IF;
    DELETE FROM memorybank.granted g WHERE g.organisation = set_access.organisation AND g.team = set_access.team AND g.place = at;
    INSERT INTO memorybank.granted (organisation, team, place, may_write)
    SELECT set_access.organisation, set_access.team, at, access = 'write' WHERE access IS NOT NULL;
END $$;

-- Build the HNSW indexes of the repositories that have at least this many passages of a model; return how many were built. Smaller ones are compared one
-- by one.
CREATE OR REPLACE FUNCTION memorybank.index_meaning(at_least bigint)
RETURNS integer LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    one record;
    built integer := 0;
    name text;
BEGIN
    FOR one IN
        SELECT r.place, m.model FROM memorybank.repository r CROSS JOIN LATERAL memorybank.models_of(r.place) AS m WHERE m.passages >= at_least ORDER BY 1, 2
    LOOP
        name := format('passage_%s_%s', one.place, substr(encode(sha256(convert_to(one.model, 'UTF8')), 'hex'), 1, 8));
        IF to_regclass('memorybank.' || name) IS NULL THEN
            EXECUTE format('CREATE INDEX %I ON memorybank.%I USING hnsw ((vector::{vector}.halfvec(%s)) {vector}.halfvec_cosine_ops) WHERE model = %L',
                name, 'passage_' || one.place, substring(one.model FROM ':(\d+)$'), one.model);
            built := built + 1;
        END IF;
    END LOOP;
    RETURN built;
END $$;

GRANT EXECUTE ON FUNCTION memorybank.add_repository, memorybank.set_member, memorybank.set_access, memorybank.index_meaning, memorybank.version
    TO memorybank_administrator;
