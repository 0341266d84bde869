#!/bin/bash
# Walks real pools through the states that an administrator meets and records what the real commands print.
#
#   capture.sh OUTDIR [STATE...]
#
# Runs as root inside a lab guest with 16 spare disks of 4G; it destroys every pool there.  Each state is a
# folder; a file's name says its command and flags.  FILE.err holds stderr, FILE.rc a nonzero exit status.
# Disks are pulled and put back through the kernel's SCSI layer, as a hand at the shelf does.
# `suspended` leaves a pool and processes that nothing ends: it comes last.  So does
# `last-replica-pulled`, which runs only when it is named, in a guest of its own.

export LC_ALL=C.UTF-8 TZ=UTC PATH=/usr/sbin:/usr/bin:/sbin:/bin
OUT=$1
shift
WANTED=" $* "
BY_ID=/dev/disk/by-id/wwn-0x5000c500a00000
PARAMETERS=/sys/module/zfs/parameters
HANG_S=5 # a command that says nothing for so long on these idle guests hangs
DATASET_COLUMNS=name,type,used,avail,refer,mountpoint,usedbysnapshots,usedbydataset,usedbychildren
DATASET_COLUMNS+=,usedbyrefreservation,origin,clones,creation,createtxg,guid,written,logicalused,compressratio
DATASET_COLUMNS+=,compression,recordsize,volblocksize,dedup,copies,quota,refquota,reservation,refreservation
DATASET_COLUMNS+=,encryption,keystatus,mounted,canmount,userrefs,defer_destroy
POOL_COLUMNS=name,size,alloc,free,checkpoint,expandsz,frag,cap,dedup,health,altroot,guid,ashift
HAVE_JSON=
zpool status -j >/dev/null 2>&1 && HAVE_JSON=yes

# ---- recording -----------------------------------------------------------------------------------------------

rec() { # FILE COMMAND...: keep its stdout, and its stderr and status where there is something to keep
  local file=$S/$1 rc
  shift
  "$@" >"$file" 2>"$file.err" </dev/null
  rc=$?
  if [ $rc -ne 0 ]; then echo $rc >"$file.rc"; fi
  if [ ! -s "$file.err" ]; then rm -f "$file.err"; fi
}

folder() { S=$OUT/$1 && rm -rf "$S" && mkdir -p "$S"; }

quick() { # STATE: what the console reads of a pool
  folder "$1"
  rec zpool_status_v.txt zpool status -v
  rec zpool_status_vsitpP.txt zpool status -vsitpP
  rec zpool_status_sitpP.txt zpool status -sitpP
  rec zpool_status_vpP.txt zpool status -vpP
  rec zpool_status_gP.txt zpool status -gP
  rec zpool_list_Hpv.tsv zpool list -Hpv
  rec zpool_list_HpvP.tsv zpool list -HpvP
  rec zpool_list_Hp_cols.tsv zpool list -Hp -o $POOL_COLUMNS
  rec zpool_iostat_Hpvlq_since_boot.tsv zpool iostat -Hpvlq
  rec zfs_list_all.tsv zfs list -Hp -t all -o $DATASET_COLUMNS
  local pool
  zpool list -Ho name | while IFS= read -r pool; do
    rec "kstat_${pool}_state.txt" cat "/proc/spl/kstat/zfs/$pool/state"
  done
  if [ $HAVE_JSON ]; then
    rec zpool_status.json zpool status -j --json-int -vsit
    rec zpool_list.json zpool list -j --json-int -v
  fi
}

full() { # STATE: that, and what changed lately: two events of each class
  quick "$1"
  zpool events -v | awk -v RS= -v ORS='\n\n' '{class = $5} NR == 1 {class = $7} seen[class]++ < 2' >"$S/zpool_events_v.txt"
  rec zpool_events_H.tsv zpool events -H
  rec by_id.txt ls -l /dev/disk/by-id
}

once() { # what is read once a host, beside `full`
  local pool kstat
  rec zpool_get_all.tsv zpool get -Hp all
  rec zpool_import.txt zpool import
  rec lsblk.json lsblk -J -b -O
  rec diskstats.txt cat /proc/diskstats
  rec arcstats.txt cat /proc/spl/kstat/zfs/arcstats
  for pool in $(zpool list -Ho name); do
    rec "zpool_iostat_${pool}_wHp.tsv" zpool iostat -wHp "$pool"
    rec "zpool_iostat_${pool}_wHpv.tsv" zpool iostat -wHpv "$pool"
    rec "zpool_iostat_${pool}_rHpv.tsv" zpool iostat -rHpv "$pool"
    for kstat in /proc/spl/kstat/zfs/"$pool"/*; do rec "kstat_${pool}_${kstat##*/}.txt" cat "$kstat"; done
  done
  if [ $HAVE_JSON ]; then
    rec zfs_list.json zfs list -j --json-int -t all
    rec zpool_get_all.json zpool get -j --json-int all
    rec zpool_status_flat.json zpool status -j --json-int --json-flat-vdevs -vs
  fi
}

hangs() { # COMMAND...: does it answer? one line of hangs.tsv: outcome, seconds, command
  local out=$S/.answer pid rc=hangs started=$SECONDS
  "$@" >"$out" 2>&1 </dev/null &
  pid=$!
  while [ $((SECONDS - started)) -lt $HANG_S ] && kill -0 $pid 2>/dev/null; do sleep 0.2; done
  if ! kill -0 $pid 2>/dev/null; then
    wait $pid
    rc="exit $?"
  else
    kill -9 $pid
    sleep 1
    if kill -0 $pid 2>/dev/null; then rc="hangs, kill -9 does not help"; fi
  fi
  printf '%s\t%s\t%s\t%s\n' "$rc" $((SECONDS - started)) "$*" "$(head -c 300 "$out" | tr '\n\t' '| ')" >>"$S/hangs.tsv"
}

# ---- the shelf -----------------------------------------------------------------------------------------------

disk() { printf '%s%02x' $BY_ID "$1"; }                                # disk 3 -> its by-id path
disks() { local n; for n in "$@"; do disk "$n"; echo; done; }
kernel_name() { basename "$(readlink -f "$(disk "$1")")"; }
PULLED=
pull() {
  local n
  for n in "$@"; do echo 1 >"/sys/block/$(kernel_name "$n")/device/delete"; done
  PULLED+=" $*"
  udevadm settle
}
put_back() {
  local scan n
  for scan in /sys/class/scsi_host/*/scan; do echo '- - -' >"$scan"; done
  for n in $(seq 50); do [ -e "$(disk "$1")" ] && break; sleep 0.1; done
  udevadm settle
}
sectors() { blockdev --getsz "$(disk "$1")"; }
delayed() { # N MS: /dev/mapper/slowN, disk N with every I/O late by MS
  modprobe dm-delay
  echo "0 $(sectors "$1") delay $(disk "$1") 0 $2" | dmsetup create "slow$1"
}
hasten() { # N: /dev/mapper/slowN is late no more
  echo "0 $(sectors "$1") delay $(disk "$1") 0 0" | dmsetup load "slow$1"
  dmsetup suspend --noflush "slow$1"
  dmsetup resume "slow$1"
}
slow_again() { # N MS: /dev/mapper/slowN is late as at first
  echo "0 $(sectors "$1") delay $(disk "$1") 0 $2" | dmsetup load "slow$1"
  dmsetup suspend --noflush "slow$1"
  dmsetup resume "slow$1"
}
broken_middle() { # N START LENGTH: /dev/mapper/badN, disk N with unreadable sectors, its labels sound
  local end=$(($2 + $3))
  printf '%s\n' "0 $2 linear $(disk "$1") 0" "$2 $3 error" \
    "$end $(($(sectors "$1") - end)) linear $(disk "$1") $end" | dmsetup reload "bad$1"
  dmsetup suspend --noflush "bad$1"
  dmsetup resume "bad$1"
}
tune() { # PARAMETER VALUE: a module parameter, where this version has it
  if [ -e "$PARAMETERS/$1" ]; then echo "$2" >"$PARAMETERS/$1"; fi
}
fill() { dd if=/dev/urandom of="$1" bs=1M count="$2" conv=fsync 2>/dev/null; }
zed_off() { pkill -x zed; while pgrep -x zed >/dev/null; do sleep 0.2; done; }
zed_on() { pgrep -x zed >/dev/null || zed; }
unlabel() { # DISK...: nothing of a pool is left on them
  local n
  for n in "$@"; do
    (
      zpool labelclear -f "$(disk "$n")-part1"
      wipefs -aq "$(disk "$n")"
      sgdisk -Z "$(disk "$n")"
    ) >/dev/null 2>&1 &
  done
  wait
  udevadm settle
}
scrub_slowly() {
  tune zfs_scan_vdev_limit 131072
  tune zfs_vdev_scrub_max_active 1
  tune zfs_scan_suspend_progress 0
}
scrub_fast() {
  tune zfs_scan_vdev_limit 16777216
  tune zfs_vdev_scrub_max_active 3
  tune zfs_scan_suspend_progress 0
}
hold_scan_at() { # PERCENT: let the scan come so far, then stand still
  local n done
  for n in $(seq 300); do
    done=$(zpool status | grep -oE '[0-9]+\.[0-9]+% done' | head -1)
    [ "${done%%.*}" ] && [ "${done%%.*}" -ge "$1" ] && break
    sleep 0.1
  done
  tune zfs_scan_suspend_progress 1
  for n in $(seq 60); do # what the last txg has begun
    done=$(zpool status | grep -o '[0-9.]*% done')
    sleep 2
    [ "$done" = "$(zpool status | grep -o '[0-9.]*% done')" ] && break
  done
}
hold_rebuild_at() { # PERCENT N: let a rebuild come so far, then let /dev/mapper/slowN answer nothing
  local n done
  for n in $(seq 300); do
    done=$(zpool status | grep -oE '[0-9]+\.[0-9]+% done' | head -1)
    [ "${done%%.*}" ] && [ "${done%%.*}" -ge "$1" ] && break
    sleep 0.1
  done
  dmsetup suspend --noflush --nolockfs "slow$2"
  sleep 3 # what is under way to the other disks ends
}
wipe() {
  local n mapped pool
  scrub_fast
  tune zfs_removal_suspend_progress 0
  tune zio_slow_io_ms 30000
  [ "$PULLED" ] && put_back "${PULLED##* }"
  zpool list -Ho name 2>/dev/null | while IFS= read -r pool; do zpool destroy -f "$pool"; done
  udevadm settle
  for mapped in $(dmsetup ls 2>/dev/null | awk '/slow|bad|wwn/ {print $1}'); do dmsetup remove --retry -f "$mapped"; done
  # shellcheck disable=SC2086
  [ "$PULLED" ] && unlabel $PULLED
  PULLED=
  rm -rf /var/tmp/vdevs
  zed_on
  zpool events -c >/dev/null
}
create() { # POOL VDEVS: again when udev was not done with what a disk held before
  local left n
  for left in 3 2 1 0; do
    zpool create -f -o ashift=12 "$@" && return
    for n in "$@"; do case $n in $BY_ID*) unlabel "$((16#${n: -2}))" ;; esac; done
    sleep 2
  done
  exit 1
}
wanted() { # STATE...: whether one of them was asked for; all are when none was named
  local name
  [ "$WANTED" = "  " ] && { echo "== $1 ($(cut -d' ' -f1 /proc/uptime) s)"; return 0; }
  for name in "$@"; do case $WANTED in *" $name "*) echo "== $name"; return 0 ;; esac; done
  return 1
}

# ---- states --------------------------------------------------------------------------------------------------

every_class() { # a pool with every class of vdev, data in each, and I/O going on
  create tank mirror $(disks 0 1) mirror $(disks 2 3) special mirror $(disks 4 5) dedup $(disk 6) \
    log mirror $(disks 7 8) cache $(disk 9) spare $(disks 10 11)
  zfs create tank/home
  zfs create -o sync=always -o recordsize=16K tank/db
  zfs create -o dedup=on tank/images
  zfs create -V 256M tank/vm-disk0
  fill /tank/home/a 120
  fill /tank/db/ibdata 30
  fill /tank/images/gold.raw 40
  cp /tank/images/gold.raw /tank/images/copy.raw
  zfs snapshot -r tank@daily-1
  zpool sync tank
}
capture_every_class() {
  every_class
  full every-class
  once
  # shellcheck disable=SC2034
  fio --name=x --filename=/tank/db/ibdata --size=30M --time_based --runtime=14 --ioengine=psync --bs=16k \
    --rw=randrw --numjobs=2 --rate_iops=40 --output=/dev/null &
  sleep 3
  rec zpool_iostat_TuHpvlqy.tsv zpool iostat -T u -Hpvlqy tank 1 3
  rec zpool_iostat_TuHpvlqy_all.tsv zpool iostat -T u -Hpvlqy 1 2
  rec zpool_iostat_TuHpvlq.tsv zpool iostat -T u -Hpvlq tank 1 2
  wait
  rec zpool_status_T.txt zpool status -T u -vsitpP tank
}
capture_scrubs() {
  scrub_slowly
  zpool scrub tank
  hold_scan_at 20
  quick scrub-part-done
  zpool scrub -p tank
  quick scrub-paused
  zpool scrub tank
  zpool scrub -s tank
  quick scrub-cancelled
  scrub_fast
  zpool scrub -w tank
  quick scrub-clean
  if zpool scrub -e tank 2>/dev/null; then quick error-scrub; fi
}
capture_lost_helpers() { # a cache, a log leg and both spares are gone
  pull 7 9 10 11
  sync
  fill /tank/home/b 10
  sleep 3
  quick helpers-pulled
  zpool export tank
  zpool import -d /dev/disk/by-id tank
  quick helpers-missing
  put_back 11
  for n in 7 9 10; do zpool online tank "$(disk $n)" 2>/dev/null; done
}
capture_pulled() { # a disk of a mirror is gone, the spare steps in, then the machine restarts
  create tank mirror $(disks 0 1) mirror $(disks 2 3) spare $(disk 4)
  zfs create tank/home
  fill /tank/home/a 200
  scrub_slowly
  pull 1
  fill /tank/home/b 5
  hold_scan_at 10
  full disk-pulled
  scrub_fast
  zpool wait -t resilver tank
  quick disk-pulled-spare-in-use
  zpool export tank
  zpool import -d /dev/disk/by-id tank
  quick disk-pulled-imported
  zpool detach tank "$(disk 4)"
  fill /tank/home/c 60
  tune zfs_scan_suspend_progress 1
  put_back 1
  zpool online tank "$(disk 1)" 2>/dev/null
  sleep 2
  quick resilver-start
  scrub_fast
  zpool wait -t resilver tank
  quick resilver-clean
  zpool export tank
  pull 3 4
  zpool import -d /dev/disk/by-id tank
  quick was-path
}
capture_replacing() {
  create tank mirror $(disks 0 1) mirror $(disks 2 3) spare $(disk 4)
  fill /tank/a 300
  scrub_slowly
  zpool replace tank "$(disk 0)" "$(disk 5)"
  hold_scan_at 20
  quick replacing-part-done
  zpool replace tank "$(disk 2)" "$(disk 6)"
  sleep 2
  quick resilver-deferred
  zpool offline tank "$(disk 5)"
  quick replacing-new-offline
  zpool online tank "$(disk 5)"
  scrub_fast
  zpool wait -t replace tank
  quick replaced-both
  zpool offline -f tank "$(disk 3)"
  tune zfs_scan_suspend_progress 1
  zpool replace tank "$(disk 3)" "$(disk 4)" 2>/dev/null
  sleep 1
  zpool replace tank "$(disk 3)" "$(disk 7)"
  sleep 1
  quick replacing-inside-spare
  scrub_fast
  zpool wait -t resilver tank
  quick replaced-inside-spare
}
capture_rebuild() { # the sequential resilver has words of its own
  create tank "$(disk 0)"
  fill /tank/a 500
  delayed 1 40
  tune zfs_rebuild_vdev_limit 1048576
  zpool attach -s tank "$(disk 0)" /dev/mapper/slow1
  sleep 3
  quick rebuild-running
  tune zfs_rebuild_vdev_limit 67108864
  zpool wait -t resilver tank
  quick rebuild-done
}
damage() { # N MIB: what a disk of a pool has lost behind ZFS's back; its labels are sound
  dd if=/dev/urandom of="$(disk "$1")-part1" bs=1M seek=16 count="$2" conv=notrunc,fsync 2>/dev/null
}
capture_siblings() { # a sound disk that the resilver of another one repairs
  create tank raidz2 $(disks 0 1 2 3 4)
  fill /tank/a 150
  zed_off
  damage 1 8
  zpool offline -f tank "$(disk 0)"
  scrub_slowly
  zpool replace tank "$(disk 0)" "$(disk 5)"
  hold_scan_at 40
  full raidz-sibling-repaired
  scrub_fast
  zpool wait -t resilver tank
  quick raidz-sibling-repaired-done
}
capture_mirror_siblings() { # what a scrub repairs, and what the resilver of another disk does; new disks that had no label
  create tank mirror $(disks 0 1)
  fill /tank/a 400
  zed_off
  damage 1 8
  scrub_slowly
  zpool scrub tank
  hold_scan_at 10
  quick mirror-sibling-scrubbed
  wipe
  create tank mirror $(disks 0 1 2)
  fill /tank/a 400
  zed_off
  damage 1 8
  scrub_slowly
  zpool replace tank "$(disk 0)" "$(disk 14)"
  hold_scan_at 10
  quick mirror-sibling-repaired
}
capture_draid_resilver() { # to the distributed spare, block by block
  create tank draid2:4d:10c:1s $(disks 0 1 2 3 4 5 6 7 8 9)
  fill /tank/a 500
  zed_off
  zpool offline -f tank "$(disk 2)"
  scrub_slowly
  zpool replace tank "$(disk 2)" draid2-0-0
  hold_scan_at 10
  quick draid-spare-resilvering
}
capture_draid_rebuild() { # to its distributed spare, and stopped on the way
  local n
  for n in $(seq 0 9); do delayed "$n" 60; done
  # shellcheck disable=SC2046
  create tank draid2:4d:10c:1s $(printf '/dev/mapper/slow%s ' $(seq 0 9))
  fill /tank/a 400
  zed_off
  zpool offline -f tank slow2
  tune zfs_rebuild_vdev_limit 262144
  tune zfs_rebuild_max_segment 131072
  zpool replace -s tank slow2 draid2-0-0
  hold_rebuild_at 30 8
  full draid-spare-rebuilding
  dmsetup resume slow8
  tune zfs_rebuild_vdev_limit 67108864
  tune zfs_rebuild_max_segment 1048576
  for n in $(seq 0 9); do hasten "$n"; done
  scrub_slowly
  zpool wait -t resilver tank
  hold_scan_at 20
  quick draid-spare-rebuilt # the scrub that follows a rebuild
}
capture_draid_second_spare() { # the first spare is complete, then a second disk fails, and its spare is rebuilt
  local n
  for n in $(seq 0 9); do delayed "$n" 60; done
  # shellcheck disable=SC2046
  create tank draid2:4d:10c:2s $(printf '/dev/mapper/slow%s ' $(seq 0 9))
  fill /tank/a 400
  zed_off
  for n in $(seq 0 9); do hasten "$n"; done
  zpool offline -f tank slow2
  zpool replace -s -w tank slow2 draid2-0-0
  zpool wait -t scrub,resilver tank
  for n in $(seq 0 9); do slow_again "$n" 60; done
  zpool offline -f tank slow5
  tune zfs_rebuild_vdev_limit 262144
  tune zfs_rebuild_max_segment 131072
  zpool replace -s tank slow5 draid2-0-1
  hold_rebuild_at 30 8
  full draid-second-spare-rebuilding
  dmsetup resume slow8
  tune zfs_rebuild_vdev_limit 67108864
  tune zfs_rebuild_max_segment 1048576
}
capture_draid_second_spare_resilver() { # the same, block by block
  create tank draid2:4d:10c:2s $(disks 0 1 2 3 4 5 6 7 8 9)
  fill /tank/a 400
  zed_off
  zpool offline -f tank "$(disk 2)"
  zpool replace -w tank "$(disk 2)" draid2-0-0
  zpool offline -f tank "$(disk 5)"
  scrub_slowly
  zpool replace tank "$(disk 5)" draid2-0-1
  hold_scan_at 10
  quick draid-second-spare-resilvering
}
capture_replace_beside_spare() { # a complete spare stands in when the replacement of its disk begins
  create tank mirror $(disks 0 1) mirror $(disks 2 3) spare "$(disk 4)"
  fill /tank/a 300
  zed_off
  zpool offline -f tank "$(disk 3)"
  zpool replace -w tank "$(disk 3)" "$(disk 4)"
  unlabel 11
  scrub_slowly
  tune zfs_scan_suspend_progress 1
  zpool replace -f tank "$(disk 3)" "$(disk 11)"
  sleep 3
  quick replacing-beside-complete-spare
  tune zfs_scan_suspend_progress 0
  hold_scan_at 10
  quick replacing-beside-complete-spare-part-done
}
capture_behind_and_pulled() { # a disk of a raidz1 is back from an outage and lacks data, which the pulled one has
  create tank raidz1 $(disks 0 1 2)
  fill /tank/a 100
  zed_off
  zpool offline tank "$(disk 2)"
  fill /tank/b 100
  zpool sync
  scrub_slowly
  zpool online tank "$(disk 2)"
  hold_scan_at 10
  pull 1
  fill /tank/c 1
  zpool sync
  full raidz-behind-and-pulled
}
capture_removal() {
  create tank $(disks 0 1 2) log "$(disk 3)" mirror "$(disk 4)" "$(disk 5)"
  fill /tank/a 300
  zpool remove tank "$(disk 3)"
  quick log-removed
  tune zfs_removal_suspend_progress 1
  zpool remove tank "$(disk 1)"
  sleep 3
  quick removal-running
  zpool remove -s tank
  quick removal-cancelled
  tune zfs_removal_suspend_progress 0
  zpool remove -w tank "$(disk 1)"
  sync
  full indirect
  rec zpool_iostat_TuHpvlqy.tsv zpool iostat -T u -Hpvlqy tank 1 2
  rec zpool_iostat_tank_rHpv.tsv zpool iostat -rHpv tank
  zpool export tank
  zpool import -d /dev/disk/by-id tank
  quick indirect-imported
}
capture_expansion() {
  create tank raidz2 $(disks 0 1 2 3 4)
  fill /tank/a 200
  if [ ! -e $PARAMETERS/raidz_expand_max_reflow_bytes ]; then
    folder expansion-refused
    rec attach.txt zpool attach tank raidz2-0 "$(disk 5)"
    return
  fi
  tune raidz_expand_max_reflow_bytes 67108864
  zpool attach tank raidz2-0 "$(disk 5)"
  sleep 10
  quick expansion-half
  tune raidz_expand_max_reflow_bytes 0
  zpool wait -t raidz_expand tank
  quick expansion-done
}
capture_initialize() {
  create tank mirror $(disks 0 1) "$(disk 2)"
  zpool initialize tank
  sleep 2
  quick initialize-running
  zpool initialize -s tank "$(disk 0)"
  zpool initialize -c tank "$(disk 1)"
  quick initialize-suspended
  wipe
  mkdir -p /var/tmp/vdevs
  truncate -s 128M /var/tmp/vdevs/a /var/tmp/vdevs/b
  create tank mirror /var/tmp/vdevs/a /var/tmp/vdevs/b
  zpool initialize -w tank
  quick initialize-complete
}
capture_trim() {
  create tank mirror $(disks 0 1) "$(disk 2)"
  zpool trim -r 10M tank
  sleep 2
  quick trim-running
  zpool trim -s tank "$(disk 0)"
  zpool trim -c tank "$(disk 1)"
  quick trim-suspended
  wipe
  mkdir -p /var/tmp/vdevs
  truncate -s 128M /var/tmp/vdevs/a /var/tmp/vdevs/b
  create tank mirror /var/tmp/vdevs/a /var/tmp/vdevs/b
  zpool trim -w tank
  quick trim-complete
}
capture_checkpoint() {
  create tank $(disks 0 1)
  fill /tank/a 100
  zpool checkpoint tank
  rm /tank/a
  fill /tank/b 20
  sync
  quick checkpoint-kept
  zpool export tank
  zpool import -d /dev/disk/by-id --rewind-to-checkpoint -o readonly=on tank
  quick checkpoint-rewound-readonly
  zpool export tank
  zpool import -d /dev/disk/by-id -R /mnt/other tank
  zpool checkpoint -d -w tank
  quick altroot
}
spoil() { # DATASET FILE PARTITION: overwrite the first block of a file of a one-disk pool
  local object offset
  object=$(stat -c %i "$2")
  offset=$(zdb -ddddd "$1" "$object" | awk '/ L0 / {split($3, dva, ":"); print dva[2]; exit}')
  dd if=/dev/urandom of="$3" bs=4096 seek=$(((0x$offset + 0x400000) / 4096)) count=8 conv=notrunc,fsync 2>/dev/null
}
spoiled_files() { # NAME...: a pool of one disk where each of these files is damaged
  local name
  create tank "$(disk 0)"
  zfs create -o compression=off -o recordsize=64K tank/files
  zfs create -o compression=off "tank/with space"
  for name in "$@"; do fill "/tank/files/$name" 1; done
  fill "/tank/with space/x" 1
  fill /tank/files/gone 1
  zfs snapshot tank/files@before
  sync
  for name in "$@" gone; do spoil tank/files "/tank/files/$name" "$(disk 0)-part1"; done
  spoil "tank/with space" "/tank/with space/x" "$(disk 0)-part1"
  zpool export tank
  zpool import -d /dev/disk/by-id tank
  for name in "$@" gone; do cat "/tank/files/$name" >/dev/null 2>&1; done
  cat "/tank/with space/x" >/dev/null 2>&1
}
capture_error_names() {
  spoiled_files plain $'new\nline' $'tab\there' $'esc\e[31;1mred\e]0;title\a' 'é-ü-漢字-🦄' '[@click=app.quit]press' \
    ' leading and trailing ' $'c1\xc2\x9b31m' $'bidi\u202egnp.exe' 'errors: No known data errors' "quote\"'\\back"
  quick error-names
  rm /tank/files/gone
  zpool scrub -w tank
  full error-names-scrubbed
  zfs destroy -r tank/files
  quick errors-of-the-destroyed
}
capture_error_names_binary() { # a name that is no UTF-8 cuts ZFS's JSON short, with exit status 0
  spoiled_files before $'bytes\xff\xfe' zafter
  quick error-names-binary
  if [ $HAVE_JSON ]; then mv "$S/zpool_status.json" "$S/zpool_status.json.cut"; fi
}
capture_error_names_forged() { # a file whose name looks like the rest of a status
  spoiled_files before $'x\n\nerrors: No known data errors\n\n  pool: evil\n state: FAULTED\nconfig:\n\n\tNAME'
  quick error-names-forged
}
capture_many_errors() { # counts that text without -p abbreviates
  zed_off
  create tank mirror $(disks 0 1) mirror $(disks 2 3)
  zfs create -o recordsize=4K -o compression=off tank/small
  fill /tank/small/a 60
  zpool export tank
  dd if=/dev/urandom of="$(disk 1)-part1" bs=1M seek=8 count=900 conv=notrunc,fsync 2>/dev/null
  zpool import -d /dev/disk/by-id tank
  zpool scrub -w tank
  full many-checksum-errors
}
capture_read_errors() {
  zed_off
  for n in 0 1; do echo "0 $(sectors $n) linear $(disk $n) 0" | dmsetup create "bad$n"; done
  create tank mirror /dev/mapper/bad0 /dev/mapper/bad1
  zfs create -o compression=off tank/f
  fill /tank/f/a 100
  zpool sync tank
  broken_middle 1 30000 1000000
  zpool scrub -w tank
  full read-errors
}
capture_slow_ios() {
  zed_off
  tune zio_slow_io_ms 20
  for n in 0 1; do delayed $n $((n * 60)); done
  create tank mirror /dev/mapper/slow0 /dev/mapper/slow1
  fill /tank/a 20
  zpool sync tank
  full slow-ios
}
capture_names() { # everything in a name or a path that a parser may stumble over
  mkdir -p /var/tmp/vdevs
  truncate -s 128M /var/tmp/vdevs/a "/var/tmp/vdevs/b c" /var/tmp/vdevs/é /var/tmp/vdevs/d
  create -O mountpoint=/mnt/odd "my pool" mirror /var/tmp/vdevs/a "/var/tmp/vdevs/b c"
  create second.pool mirror /var/tmp/vdevs/é /var/tmp/vdevs/d
  zfs create -o mountpoint=$'/mnt/tab\tnew\nline' "my pool/white space"
  zfs create -o mountpoint='/mnt/é 漢字 🦄 [bold]' "my pool/unicode"
  zfs create -o com.example:note=$'esc\e[31m é 🦄 \u202e [red]x[/red]' "my pool/user-property"
  zpool set comment='[bold]a comment[/bold]' "my pool"
  quick names
  rec zfs_get_user.tsv zfs get -Hp -r com.example:note "my pool"
  if [ $HAVE_JSON ]; then
    rec zfs_list.json zfs list -j --json-int -t all
    rec zfs_get_user.json zfs get -j --json-int -r com.example:note "my pool"
  fi
}
capture_same_names() { # two vdevs of one name in one parent: only their paths tell them apart
  echo "0 $(sectors 1) linear $(disk 1) 0" | dmsetup create "$(basename "$(disk 0)")"
  create tank "$(disk 0)" "/dev/mapper/$(basename "$(disk 0)")"
  quick same-names
  if [ $HAVE_JSON ]; then
    rec zpool_status_P.json zpool status -j --json-int -vsitP
    rec zpool_list_P.json zpool list -j --json-int -vP
    rec zpool_status_flat.json zpool status -j --json-int --json-flat-vdevs -vs
  fi
}
capture_several() { # several pools at once, one of them degraded, one with nothing enabled, a shared spare
  create alpha mirror $(disks 0 1) spare "$(disk 8)"
  zpool create -f -d -o ashift=9 beta raidz1 $(disks 2 3 4) spare "$(disk 8)"
  create gamma "$(disk 5)"
  fill /alpha/a 20
  fill /beta/a 20
  zpool offline -f alpha "$(disk 1)"
  sleep 5
  zpool replace alpha "$(disk 1)" "$(disk 8)" 2>/dev/null
  zpool wait -t resilver alpha
  full several-pools
  rec zpool_status_one.txt zpool status -vsitpP beta
  rec zpool_iostat_two.tsv zpool iostat -T u -Hpvlqy alpha beta 1 2
  rec zpool_status_nosuch.txt zpool status -vsitpP nosuch
  rec zpool_iostat_nosuch.txt zpool iostat -T u -Hpvlqy nosuch 1 1
  rec zpool_list_nosuch.txt zpool list -Hpv nosuch
  if [ $HAVE_JSON ]; then
    rec zpool_status_one.json zpool status -j --json-int -vsit beta
    rec zpool_status_nosuch.json zpool status -j --json-int -vsit nosuch
  fi
}
capture_block_size() { # a vdev made for smaller sectors than its disk has
  modprobe scsi_debug dev_size_mb=256 sector_size=512 physblk_exp=3 || return
  udevadm settle
  local fake
  fake=$(lsscsi | awk '/scsi_debug/ {print $NF}')
  zpool create -f -o ashift=9 tank "$fake"
  quick block-size
  zpool destroy tank
  udevadm settle
  rmmod scsi_debug
}
capture_importable() { # what `zpool import` lists: exported, in use by another host, destroyed, short of devices
  unlabel $(seq 0 15)
  create exported mirror $(disks 0 1) log "$(disk 2)" cache "$(disk 3)" spare "$(disk 4)"
  create elsewhere raidz1 $(disks 5 6 7)
  create short mirror $(disks 8 9) mirror $(disks 10 11)
  create nolog mirror $(disks 12 13) log "$(disk 14)"
  zpool export exported
  zpool export short
  zpool export nolog
  zgenhostid -f 0badcafe
  zpool export elsewhere
  zpool import -o cachefile=none -d /dev/disk/by-id elsewhere
  sync
  zpool export -f elsewhere
  pull 9 10 11 14
  folder importable
  rec zpool_import.txt zpool import -d /dev/disk/by-id
  rec zpool_import_short.txt zpool import -d /dev/disk/by-id short
  rec zpool_import_nolog.txt zpool import -d /dev/disk/by-id nolog
  put_back 14
  zpool import -d /dev/disk/by-id exported
  zpool destroy exported
  rec zpool_import_D.txt zpool import -D -d /dev/disk/by-id
  rec zpool_import_plain.txt zpool import
}
capture_foreign() { # a pool that another host still has, as after a move without an export
  unlabel $(seq 0 15)
  create foreign mirror $(disks 0 1)
  fill /foreign/a 10
  zpool sync foreign
  local n
  for n in 0 1; do dd if="$(disk $n)" of="$(disk $((n + 2)))" bs=4M count=64 conv=fsync 2>/dev/null; done
  for n in 0 1; do # labels 2 and 3 are at the end of the partition
    dd if="$(disk $n)" of="$(disk $((n + 2)))" bs=1M skip=4070 seek=4070 conv=fsync 2>/dev/null
  done
  zpool export foreign
  for n in 0 1; do zpool labelclear -f "$(disk $n)-part1"; sgdisk -Z "$(disk $n)" >/dev/null; done
  partprobe 2>/dev/null
  for n in 2 3; do blockdev --rereadpt "$(disk $n)"; done
  udevadm settle
  printf '\x01\x02\x03\x04' >/etc/hostid # not the host that it says it belongs to
  rmmod_zfs && modprobe zfs
  folder foreign
  rec zpool_import.txt zpool import -d /dev/disk/by-id
  rec zpool_import_foreign.txt zpool import -d /dev/disk/by-id foreign
  rm -f /etc/hostid
}
capture_label_lost() { # a disk that answers, but whose labels are gone
  create tank raidz1 $(disks 0 1 2)
  fill /tank/a 10
  zpool export tank
  zpool labelclear -f "$(disk 1)-part1"
  dd if=/dev/zero of="$(disk 1)-part1" bs=1M count=4 conv=notrunc,fsync 2>/dev/null
  zpool import -d /dev/disk/by-id tank
  full label-lost
}
label() { # NAME DEVICE: what zdb reads of its labels
  rec "zdb_lu_$1.txt" zdb -l -u "$2"
}
capture_labels() { # of devices that serve, served, or never did; each pool's guid is in guids.tsv
  unlabel $(seq 0 15)
  create tank mirror $(disks 0 1) special mirror $(disks 2 3) log "$(disk 4)" cache "$(disk 5)" spare "$(disk 6)"
  create wide raidz1 $(disks 7 8 9)
  create out "$(disk 10)"
  create gone "$(disk 11)"
  fill /tank/a 10
  zpool offline tank "$(disk 1)"
  fill /tank/b 10
  zpool sync
  folder labels
  rec guids.tsv zpool get -Hpo name,value guid
  zpool export out
  zpool destroy gone
  udevadm settle
  label member "$(disk 0)-part1"
  label offline "$(disk 1)-part1"
  label special "$(disk 2)-part1"
  label log "$(disk 4)-part1"
  label cache "$(disk 5)-part1"
  label spare "$(disk 6)-part1"
  label raidz "$(disk 7)-part1"
  label exported "$(disk 10)-part1"
  label destroyed "$(disk 11)-part1"
  label whole_disk "$(disk 0)"
  label blank "$(disk 12)"
  label missing /dev/disk/by-id/wwn-0x0
  dd if=/dev/zero of="$(disk 10)-part1" bs=256K count=2 conv=notrunc,fsync 2>/dev/null
  label half_lost "$(disk 10)-part1"
  zpool labelclear -f "$(disk 11)-part1"
  label cleared "$(disk 11)-part1"
}
rmmod_zfs() {
  zed_off
  rmmod zfs 2>/dev/null || modprobe -r zfs
}
refused() { # a folder of how each command answers; the caller's prefix comes as arguments
  rec zpool_status_v.txt "$@" zpool status -v
  rec zpool_status_vsitpP.txt "$@" zpool status -vsitpP
  rec zpool_list_Hpv.tsv "$@" zpool list -Hpv
  rec zpool_list_Hp_cols.tsv "$@" zpool list -Hp -o $POOL_COLUMNS
  rec zpool_get_all.tsv "$@" zpool get -Hp all
  rec zpool_iostat_TuHpvlqy.tsv "$@" zpool iostat -T u -Hpvlqy 1 1
  rec zpool_events_v.txt "$@" zpool events -v
  rec zpool_events_f.txt timeout 2 "$@" zpool events -Hf
  rec zpool_import.txt "$@" zpool import
  rec zpool_scrub.txt "$@" zpool scrub tank
  rec zfs_list_all.tsv "$@" zfs list -Hp -t all -o $DATASET_COLUMNS
  rec zfs_version.txt "$@" zfs version
  rec lsmod.txt grep -w zfs /proc/modules
  if [ $HAVE_JSON ]; then
    rec zpool_status.json "$@" zpool status -j --json-int -vsit
    rec zpool_list.json "$@" zpool list -j --json-int -v
    rec zfs_list.json "$@" zfs list -j --json-int -t all
    rec zpool_version.json "$@" zpool version -j
  fi
}
capture_refusals() { # as a user without rights; without the device; without the module
  create tank mirror $(disks 0 1)
  zfs create tank/home
  folder not-root
  refused setpriv --reuid=nobody --regid=nogroup --clear-groups env
  rec kstat_tank_state.txt setpriv --reuid=nobody --regid=nogroup --clear-groups cat /proc/spl/kstat/zfs/tank/state
  chmod 600 /dev/zfs
  folder not-root-device-closed
  refused setpriv --reuid=nobody --regid=nogroup --clear-groups env
  chmod 666 /dev/zfs
  zpool export tank
  rmmod_zfs
  mv "/lib/modules/$(uname -r)" /lib/modules/away # zpool loads the module by itself where it finds it
  folder no-module
  refused env
  mv /lib/modules/away "/lib/modules/$(uname -r)"
  modprobe zfs
  zed_on
}
capture_last_replica_pulled() { # the only disk of a pool is pulled under writes: ZFS does not even suspend it
  create well mirror $(disks 0 1)
  create stuck "$(disk 3)"
  fill /stuck/a 20
  zpool sync
  folder last-replica-pulled
  pull 3
  (fill /stuck/b 20 &)
  sleep 8
  answers_of_a_stuck_pool
  put_back 3
  hangs zpool clear stuck
  rm -f "$S/.answer"
}
set_bad() { # N linear|error: what /dev/mapper/badN does from now on
  local sectors
  sectors=$(sectors "$1")
  case $2 in
    linear) dmsetup load "bad$1" --table "0 $sectors linear $(disk "$1") 0" ;;
    error) dmsetup load "bad$1" --table "0 $sectors error" ;;
  esac
  dmsetup suspend --noflush "bad$1"
  dmsetup resume "bad$1"
}
capture_suspended() { # the only disk of a pool fails every I/O; a second pool is well
  create well mirror $(disks 0 1)
  echo "0 $(sectors 3) linear $(disk 3) 0" | dmsetup create bad3
  create stuck /dev/mapper/bad3
  fill /stuck/a 20
  fill /well/a 20
  zpool sync
  folder suspended
  set_bad 3 error
  (fill /stuck/b 20 &)
  sleep 8
  zpool events -H | tail -n 20 >"$S/zpool_events_H.tsv"
  answers_of_a_stuck_pool
  set_bad 3 linear
  hangs zpool clear stuck
  sleep 8
  rec kstat_stuck_state_cleared.txt cat /proc/spl/kstat/zfs/stuck/state
  rec zpool_status_cleared.txt timeout -k 1 $HANG_S zpool status -vsitpP stuck
  rm -f "$S/.answer"
}
answers_of_a_stuck_pool() { # what answers, and what hangs, while the pool `stuck` is
  rec kstat_stuck_state.txt cat /proc/spl/kstat/zfs/stuck/state
  rec kstat_well_state.txt cat /proc/spl/kstat/zfs/well/state
  rec zpool_status_vsitpP.txt timeout -k 1 $HANG_S zpool status -vsitpP stuck
  if [ $HAVE_JSON ]; then rec zpool_status.json timeout -k 1 $HANG_S zpool status -j --json-int -vsit stuck; fi
  hangs zpool status well
  hangs zpool status -vsitpP well
  hangs zpool list -Hpv
  hangs zpool list -Hpv well
  hangs zpool list -Hpv stuck
  hangs zpool list -Hp -o name,health,guid
  hangs zpool status stuck
  hangs zpool status -vsitpP stuck
  hangs zpool status -gP stuck
  hangs zpool status -v
  hangs zpool get -Hp all well
  hangs zpool get -Hp all stuck
  hangs zpool iostat -T u -Hpvlqy well 1 1
  hangs zpool iostat -T u -Hpvlqy stuck 1 1
  hangs zpool iostat -T u -Hpvlqy 1 1
  hangs zpool iostat -wHpv stuck
  hangs zpool events -v stuck
  hangs zpool events -H
  hangs zpool import -d /dev/disk/by-id
  hangs zfs list -Hp -o name,used -r well
  hangs zfs list -Hp -o name,used -r stuck
  hangs zfs list -Hp -o name,used
  hangs zfs list -Hp -t all -o $DATASET_COLUMNS -r stuck
  hangs zfs version
  hangs cat /proc/spl/kstat/zfs/stuck/state
  hangs cat /proc/spl/kstat/zfs/stuck/iostats
  hangs cat /proc/spl/kstat/zfs/stuck/txgs
  hangs cat /proc/spl/kstat/zfs/arcstats
  hangs df /well
  hangs df /stuck
  hangs ls /stuck
  hangs sync -f /stuck
  hangs zpool status stuck
  hangs zpool status well
  if [ $HAVE_JSON ]; then hangs zpool status -j --json-int -vsit stuck; fi
  rec kstat_stuck_state_after.txt cat /proc/spl/kstat/zfs/stuck/state
}

settings() { # what the console reads of settings, and of what lives on datasets
  rec zfs_get_all.tsv zfs get -Hp all
  rec zpool_get_all.tsv zpool get -Hp all
  rec zpool_status_D.txt zpool status -D tank
  rec dedup_quota.tsv zpool get -Hp dedup_table_quota tank
  rec origins.tsv zfs list -Hp -t snapshot -o name,creation,used
  rec mounts.txt cat /proc/mounts
  rec zvol_links.txt ls -lR /dev/zvol
  rec open_files.nul find /proc -mindepth 1 -maxdepth 3 -regextype posix-extended -regex '/proc/[0-9]+(/fd)?' \
    -o -regex '/proc/[0-9]+/(cwd|root|exe|fd/[0-9]+)' -lname '/?*' '!' -lname /dev/null '!' -lname '/proc/*' \
    -printf '%p\0%l\0' -o -prune
  rm -f "$S/open_files.nul.err" "$S/open_files.nul.rc" # kernel threads have no program
}
sampled() { # MOUNTPOINT...: sizes of files, as the console samples them
  rec file_sizes.nul sh -c 'for place; do printf "\0=\0"; { find "$place" -xdev -name .zfs -prune -o -type f \
    -printf "%s %b %P\0" && printf "all\0"; } | head -z -n 2000; done; printf "\0.\0"' sample "$@"
}
holds_open() { # PROGRAM FILE: a process of this name that has the file open
  cp /bin/sleep "/var/tmp/$1"
  "/var/tmp/$1" 600 3<>"$2" &
  HOLDER=$!
}
lets_go() { kill "$HOLDER"; wait "$HOLDER"; } 2>/dev/null
zeros() { dd if=/dev/zero of="$1" bs=1M count="$2" conv=fsync 2>/dev/null; }
years_ago() { date -s "@$((1795220000 - $1 * 86400))" >/dev/null; } # DAYS before the captures' day
capture_settings() { # pools set soundly and oddly, with what lives on them; e2fsprogs' mkfs.ext4 or its image
  years_ago 500
  create tank mirror $(disks 0 1) mirror $(disks 2 3)
  zpool set autotrim=on tank
  zfs set compression=lz4 relatime=on xattr=sa tank
  zfs create -o recordsize=16K tank/pg
  mkdir -p /tank/pg/base/5
  fill /tank/pg/base/5/2619 8
  zfs create -o recordsize=1M tank/media
  fill /tank/media/film.mkv 40
  zfs create -V 256M -o volblocksize=16K tank/vm
  zfs create -o quota=4G tank/home
  fill /tank/home/a 20
  years_ago 1
  zfs snapshot -r tank@yesterday
  holds_open postgres /tank/pg/base/5/2619
  years_ago 0
  quick settings-sound
  settings
  sampled
  lets_go
  wipe

  years_ago 500
  create -o failmode=continue -o dedup_table_quota=40K tank raidz2 $(seq 0 7 | xargs -n1 | while read -r n; do disk "$n"; echo; done)
  zfs set compression=off relatime=off tank
  zfs create -o compression=gzip-9 tank/slow
  zfs create -o sync=disabled tank/unsafe
  zfs create -o checksum=off tank/unchecked
  zfs create -o copies=2 tank/twice
  zfs create -o xattr=dir -o acltype=posix tank/acls
  zfs create -o primarycache=none tank/uncached
  zfs create -o dedup=on tank/dedup
  fill /tank/dedup/a 40
  fill /tank/dedup/b 4
  zpool sync tank
  cp /tank/dedup/b /tank/dedup/c
  zfs create tank/pg
  mkdir -p /tank/pg/base/5
  fill /tank/pg/base/5/2619 8
  zfs create tank/media
  for n in 1 2 3; do zeros "/tank/media/film$n.mkv" 1400; done
  zfs create -o reservation=5G tank/kept
  zfs create -o quota=20M tank/nearly
  fill /tank/nearly/a 19
  zfs create -o quota=100G tank/beyond
  zfs create -s -V 64G -o volblocksize=8K tank/sparse
  zfs create -V 64M -o volblocksize=8K tank/mounted
  udevadm settle
  mkfs.ext4 -q /dev/zvol/tank/mounted 2>/dev/null ||
    dd if=/var/tmp/ext4.img of=/dev/zvol/tank/mounted bs=1M conv=fsync 2>/dev/null
  mkdir -p /srv/old
  mount /dev/zvol/tank/mounted /srv/old
  zfs create tank/images
  zeros /tank/images/gold 1200
  zfs snapshot tank/images@gold
  rm /tank/images/gold
  years_ago 200
  zfs clone tank/images@gold tank/cloned
  holds_open postgres /tank/pg/base/5/2619
  years_ago 0
  quick settings-odd
  settings
  sampled /tank/media
  lets_go
  umount /srv/old
}

rm -f /etc/zfs/zed.d/*led.sh /etc/zfs/zed.d/*slot_off.sh # many forks an event, and no LEDs here
pkill -HUP -x zed
wipe 2>/dev/null
if wanted version; then
  folder version
  rec zfs_version.txt zfs version
  rec uname.txt uname -a
  if [ $HAVE_JSON ]; then rec zpool_version.json zpool version -j; fi
fi
if wanted every-class scrubs lost-helpers; then
  capture_every_class
  capture_scrubs
  capture_lost_helpers
  wipe
fi
for state in pulled replacing rebuild siblings mirror_siblings draid_resilver draid_rebuild draid_second_spare \
  draid_second_spare_resilver replace_beside_spare behind_and_pulled removal expansion initialize trim checkpoint \
  error_names error_names_binary error_names_forged many_errors read_errors slow_ios names same_names several \
  block_size importable foreign label_lost labels refusals settings suspended; do
  if wanted ${state//_/-}; then
    "capture_$state"
    [ $state = suspended ] || wipe
  fi
done
case $WANTED in *" last-replica-pulled "*) wipe && capture_last_replica_pulled ;; esac
echo "== done ($(cut -d' ' -f1 /proc/uptime) s)"
