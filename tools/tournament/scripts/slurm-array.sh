#!/bin/sh
# Plays one tournament as a Slurm job array, a shard a task, each on as many cores as a task has.
#
#   sbatch --array=1-16 slurm-array.sh OUT WORDS...
#   alea-tournament merge OUT/part* --out OUT/whole
#
#   sbatch --array=1-16 slurm-array.sh hauk --depths 1,3,5 --noise 0,0.1,0.2,0.3 --pairs 16000
#
# WORDS are those of `alea-tournament run`, without --out, --shard and --concurrency. OUT is on a disk that all nodes
# share; alea-tournament and the engines are in the PATH. A minute before a task's time is up it is told to stop, and
# saves what it has; a task that is queued again goes on where it stopped. Single tasks of an array of 16 again:
#
#   SHARDS=16 sbatch --array=3,7 slurm-array.sh OUT WORDS...
#
#SBATCH --job-name=alea-tournament
#SBATCH --array=1-16
#SBATCH --cpus-per-task=4
#SBATCH --time=24:00:00
#SBATCH --signal=B:INT@60
#SBATCH --requeue
set -eu
out=$1
shift
# An array of all shards says itself how many there are; for a part of it, SHARDS does.
shard=auto
if [ -n "${SHARDS:-}" ]; then
    shard=$SLURM_ARRAY_TASK_ID/$SHARDS
fi
exec alea-tournament run "$@" --concurrency "${SLURM_CPUS_PER_TASK:-1}" \
    --shard "$shard" --out "$out/part$SLURM_ARRAY_TASK_ID"
