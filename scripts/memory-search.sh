#!/usr/bin/env bash
# memory-search.sh QUERY [content|keyword|importance|recent] [LIMIT] [json|markdown|summary]
exec memorybank search --type "${2:-content}" --limit "${3:-10}" --format "${4:-json}" -- "${1:?QUERY is missing}"
