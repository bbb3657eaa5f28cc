#!/bin/sh
# Plays one tournament in shards with GNU parallel, on this machine or on several over ssh, and merges them.
#
#   gnu-parallel.sh SHARDS HOSTS OUT WORDS...
#
#   gnu-parallel.sh 16 : hauk --depths 1,3,5 --noise 0,0.1,0.2,0.3 --pairs 16000
#   gnu-parallel.sh 64 node1,node2,8/node3 hauk --depths 1,3,5 --pairs 64000
#
# HOSTS are those of parallel's --sshlogin: `:` is this machine, `8/node3` means eight jobs at a time there; without a
# number, as many as it has cores. WORDS are those of `alea-tournament run`, without --out, --shard and --concurrency: a
# job plays one game at a time. Every host needs alea-tournament and the engines in its PATH.
#
# After a failure of any kind, the same command again: jobs that were done are not run again, and those that were not go
# on where they stopped. The results are in OUT/part1, OUT/part2, ..., and in the end in OUT/whole.
set -eu
if [ $# -lt 4 ]; then
    sed -n '2,/^set/s/^# \{0,1\}//p' "$0" >&2
    exit 2
fi
shards=$1 hosts=$2 out=$3
shift 3
tool=${ALEA_TOURNAMENT:-alea-tournament}

mkdir -p "$out"
set -- "$tool" run "$@" --concurrency 1 --shard "auto/$shards" --out "$out/part{}"
if [ "$hosts" != : ]; then
    set -- --return "$out/part{}" "$@"
fi
seq "$shards" |
    parallel --quote --sshlogin "$hosts" --joblog "$out/joblog" --resume-failed "$@" >/dev/null

if [ -e "$out/whole" ]; then
    exec "$tool" report "$out/whole"
fi
set -- # The parts, whatever their number.
for shard in $(seq "$shards"); do
    set -- "$@" "$out/part$shard"
done
exec "$tool" merge "$@" --out "$out/whole"
