#!/usr/bin/env bash
# rotate-notes.sh [size_based|time_based|importance_based|manual] [DRY_RUN: true|false]
exec memorybank rotate --type "${1:-manual}" $([[ ${2:-false} == true ]] && echo --dry-run)
