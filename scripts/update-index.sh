#!/usr/bin/env bash
# update-index.sh full|incremental|selective [FILES...]
exec memorybank index --mode "${1:?full, incremental or selective}" -- "${@:2}"
