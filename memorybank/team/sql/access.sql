-- Who may see what. Logins own nothing and have no privilege on a table: they execute the functions that are granted at the end of the other files. These run
-- as memorybank_owner, to whom the policies below apply, too (FORCE), and the policies ask session_user, which neither SET ROLE nor a function changes.

CREATE OR REPLACE FUNCTION memorybank.places(wanted text, asked text[] DEFAULT NULL, in_team text DEFAULT NULL, in_organisation text DEFAULT NULL)
RETURNS bigint[] LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    SELECT coalesce(array_agg(DISTINCT open.place ORDER BY open.place), '{}')
    FROM (
        SELECT r.place, r.organisation, r.repository, m.team,
            CASE wanted
                WHEN 'read' THEN true
                WHEN 'write' THEN m.role = 'lead' OR (m.role = 'writer' AND g.may_write)
                WHEN 'lead' THEN m.role = 'lead'
                ELSE false
            END AS is_open
        FROM memorybank.member m
        JOIN memorybank.repository r USING (organisation)
        LEFT JOIN memorybank.granted g ON g.organisation = m.organisation AND g.team = m.team AND g.place = r.place
        -- Every member reads what concerns the whole organisation; who writes there has to be granted.
        WHERE m.login = session_user AND (g.place IS NOT NULL OR (r.repository = 'organisation' AND wanted = 'read'))
    ) AS open
    WHERE open.is_open
      AND (asked IS NULL OR open.repository = ANY (asked))
      AND (in_team IS NULL OR open.team = in_team)
      AND (in_organisation IS NULL OR open.organisation = in_organisation)
$$;

CREATE OR REPLACE FUNCTION memorybank.owns(origin text)
RETURNS boolean LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    SELECT origin = session_user || '.' || right(origin, 8) AND right(origin, 8) ~ '^[0-9a-f]{8}$'
$$;

CREATE OR REPLACE FUNCTION memorybank.is_revoked(wanted text)
RETURNS boolean LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    SELECT EXISTS (SELECT FROM memorybank.revoked r WHERE r.origin = wanted)
$$;
