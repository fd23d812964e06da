-- The policies. Their owner is subject to them (FORCE); the tables of administration have none, so nobody but the functions of their owner reads them.

DO $$
DECLARE
    protected text;
BEGIN
    FOREACH protected IN ARRAY ARRAY['memory', 'passage', 'frequency', 'corpus'] LOOP
        EXECUTE format('ALTER TABLE memorybank.%I ENABLE ROW LEVEL SECURITY', protected);
        EXECUTE format('ALTER TABLE memorybank.%I FORCE ROW LEVEL SECURITY', protected);
        EXECUTE format(
            'CREATE POLICY reading ON memorybank.%I FOR SELECT TO memorybank_owner USING (place = ANY ((SELECT memorybank.places(''read''))::bigint[]))', protected
        );
    END LOOP;
    FOREACH protected IN ARRAY ARRAY['memory', 'passage'] LOOP
        EXECUTE format(
            'CREATE POLICY adding ON memorybank.%I FOR INSERT TO memorybank_owner
                WITH CHECK (place = ANY ((SELECT memorybank.places(''write''))::bigint[]) AND memorybank.owns(origin) AND NOT memorybank.is_revoked(origin))', protected
        );
        EXECUTE format(
            'CREATE POLICY emptying ON memorybank.%I FOR UPDATE TO memorybank_owner
                USING (memorybank.owns(origin) OR place = ANY ((SELECT memorybank.places(''lead''))::bigint[]))', protected
        );
        EXECUTE format(
            'CREATE POLICY deleting ON memorybank.%I FOR DELETE TO memorybank_owner
                USING (memorybank.owns(origin) OR place = ANY ((SELECT memorybank.places(''lead''))::bigint[]))', protected
        );
        -- Candidates are found by a role of its own, because PostgreSQL uses no index for @@ or <=> below a policy. It may read no text: memories are read
        -- by their keys, through the policies above.
        EXECUTE format('CREATE POLICY finding ON memorybank.%I FOR SELECT TO memorybank_searcher USING (true)', protected);
    END LOOP;
    FOREACH protected IN ARRAY ARRAY['frequency', 'corpus'] LOOP
        EXECUTE format(
            'CREATE POLICY counting ON memorybank.%I FOR ALL TO memorybank_owner
                USING (place = ANY ((SELECT memorybank.places(''read''))::bigint[])) WITH CHECK (place = ANY ((SELECT memorybank.places(''read''))::bigint[]))', protected
        );
    END LOOP;
    CREATE POLICY beginning ON memorybank.corpus FOR INSERT TO memorybank_owner WITH CHECK (arrival = 0 AND documents = 0 AND length = 0);
    FOREACH protected IN ARRAY ARRAY['repository', 'member', 'granted', 'revoked', 'schema_version'] LOOP
        EXECUTE format('ALTER TABLE memorybank.%I ENABLE ROW LEVEL SECURITY', protected); -- without a policy: for nobody but the functions of their owner
    END LOOP;
END $$;

GRANT SELECT (place, origin, sequence, is_current, kind, modified, length, words, digest) ON memorybank.memory TO memorybank_searcher;
GRANT SELECT ON memorybank.passage TO memorybank_searcher;
