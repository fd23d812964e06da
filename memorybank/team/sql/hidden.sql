-- What PostgreSQL shows to everybody about tables of others: the numbers of their rows and pages. Here nobody but the owner of the database and the members of
-- pg_monitor see them in this database. A server on which the installer may not change this keeps showing the size of each repository, but no content.

REVOKE SELECT ON pg_catalog.pg_class FROM PUBLIC;
GRANT SELECT ON pg_catalog.pg_class TO pg_monitor;
DO $$
DECLARE
    one record;
BEGIN
    EXECUTE (
        SELECT format('GRANT SELECT (%s) ON pg_catalog.pg_class TO PUBLIC', string_agg(quote_ident(attname), ', '))
        FROM pg_attribute WHERE attrelid = 'pg_catalog.pg_class'::regclass AND NOT attisdropped
          AND attname NOT IN ('reltuples', 'relpages', 'relallvisible', 'relallfrozen')
    );
    FOR one IN
        SELECT p.oid::regprocedure AS name FROM pg_proc p
        WHERE p.pronamespace = 'pg_catalog'::regnamespace AND p.pronargs BETWEEN 1 AND 2 AND p.proargtypes[0] IN ('oid'::regtype, 'regclass'::regtype)
          AND (p.proname LIKE 'pg\_stat\_get\_%' OR p.proname IN ('pg_relation_size', 'pg_table_size', 'pg_indexes_size', 'pg_total_relation_size',
              'pg_database_size', 'pg_tablespace_size'))
          AND p.proname NOT LIKE 'pg\_stat\_get\_backend%'
    LOOP
        EXECUTE format('REVOKE EXECUTE ON FUNCTION %s FROM PUBLIC', one.name);
        EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO pg_monitor', one.name);
    END LOOP;
    EXECUTE 'REVOKE EXECUTE ON FUNCTION pg_catalog.pg_database_size(name), pg_catalog.pg_tablespace_size(name) FROM PUBLIC';
    EXECUTE format('REVOKE TEMPORARY ON DATABASE %I FROM PUBLIC', current_database());
END $$;
