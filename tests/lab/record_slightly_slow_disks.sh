#!/bin/bash
# Runs inside a lab guest with 12 disks. Records labelled `zpool iostat` streams of pools with one disk that
# is a little slow: dm-delay below ZFS for disks of 8 ms, null_blk with a completion timer for those of
# microseconds. A pool is made once and watched under several workloads and faults.
#   record_slightly_slow_disks.sh OUTDIR POOL SCENARIO...      POOL: layout,base (ms, or us for n-*)
#   SCENARIO: NAME,WORKLOAD,FAULT,DISK,FROM_SECOND,SAMPLES    FAULT: none, slowN (N ms more), smr
export LC_ALL=C PATH=/usr/sbin:/usr/bin:/sbin:/bin
OUT=$1; LAYOUT=${2%,*}; BASE=${2#*,}; shift 2; mkdir -p "$OUT"; modprobe dm-delay
W=/dev/disk/by-id/wwn-0x5000c500a00000
dev() { readlink -f "$(printf '%s%02x' $W "$1")"; }
table() { echo "0 $(blockdev --getsz "$(dev "$1")") delay $(dev "$1") 0 $2 $(dev "$1") 0 $3"; }
delay() { dmsetup suspend --noflush disk$1; table "$1" "$2" "$3" | dmsetup load disk$1; dmsetup resume disk$1; }
null() { # NUMBER NANOSECONDS: a disk in memory whose answers take so long
  local d=/sys/kernel/config/nullb/nullb$1; mkdir $d
  echo 1 >$d/memory_backed; echo 512 >$d/size; echo 4096 >$d/blocksize; echo 2 >$d/irqmode; echo $2 >$d/completion_nsec; echo 1 >$d/power
}
clean() {
  local d i
  pkill -x fio; sleep 1; zpool destroy -f p 2>/dev/null; udevadm settle
  for i in 0 1 2 3 4 5 6 7 8 9 10 11; do [ -e /dev/mapper/disk$i ] && dmsetup remove --retry -f disk$i; done
  for d in /sys/kernel/config/nullb/nullb*; do [ -d $d ] && { echo 0 >$d/power; rmdir $d; }; done; udevadm settle
}
make() { # of the slow one among null_blk: SLOWDISK MORE_US
  clean; local m=/dev/mapper/disk n=/dev/nullb i
  case $LAYOUT in n-*|hybrid-*) modprobe null_blk nr_devices=0; mountpoint -q /sys/kernel/config || mount -t configfs none /sys/kernel/config; for i in 0 1 2 3 4 5; do
      null $i $(( (BASE + ( "$i" == "${1:--1}" ? ${2:-0} : 0 )) * 1000 )); done ;; esac
  case $LAYOUT in n-*) ;; *) for i in 0 1 2 3 4 5 6 7 8 9 10 11; do wipefs -aq "$(dev $i)"
      local b=$BASE; case $LAYOUT in hybrid-*) b=7;; esac; table $i $b $b | dmsetup create disk$i; done ;; esac
  udevadm settle
  local z="zpool create -f -o ashift=12 p"
  case $LAYOUT in
    mirrors) $z mirror ${m}0 ${m}1 mirror ${m}2 ${m}3 mirror ${m}4 ${m}5 ;;
    pair)    $z mirror ${m}6 ${m}7 ;;
    raidz2)  $z raidz2 ${m}{0,1,2,3,4,5} ;;
    wide)    $z raidz3 ${m}{0,1,2,3,4,5,6,7,8,9,10,11} ;;
    draid)   $z draid2:4d:9c:1s ${m}{0,1,2,3,4,5,6,7,8} ;;
    single)  $z ${m}{0,1,2,3} ;;
    raidz1)  $z raidz1 ${m}{0,1,2,3} ;;
    n-mirrors) $z mirror ${n}0 ${n}1 mirror ${n}2 ${n}3 mirror ${n}4 ${n}5 ;;
    n-raidz2) $z raidz2 ${n}{0,1,2,3,4,5} ;;
    hybrid-mirrors) $z mirror ${n}0 ${m}0 mirror ${n}1 ${m}1 mirror ${n}2 ${m}2 ;;
    hybrid-vdevs) $z mirror ${n}0 ${n}1 mirror ${n}2 ${n}3 mirror ${m}4 ${m}5 mirror ${m}6 ${m}7 ;;
  esac
  zpool list p >/dev/null || { echo "== $LAYOUT FAILED"; return 1; }
  zfs set recordsize=16K compression=off primarycache=metadata atime=off p
  dd if=/dev/urandom of=/p/data bs=1M count=120 conv=fsync 2>/dev/null; sync
}
load() { # WORKLOAD SECONDS
  local c="--name=x --filename=/p/data --size=110M --time_based --runtime=$2 --ioengine=psync --bs=16k --output=/dev/null"
  case $1 in
    randread) fio $c --rw=randread --numjobs=3 --rate_iops=40 ;;
    randwrite) fio $c --rw=randwrite --numjobs=2 --rate_iops=40 ;;
    heavy) fio $c --rw=randwrite --numjobs=4 --rate_iops=100 ;;
    mixed) fio $c --rw=randrw --rwmixread=70 --numjobs=3 --rate_iops=30 ;;
    sync) fio $c --rw=randwrite --sync=1 --numjobs=2 --rate_iops=15 ;;
    bursty) for n in 1 2 3 4 5 6 7 8 9; do fio ${c/--runtime=$2/--runtime=4} --rw=randrw --numjobs=2 --rate_iops=60; sleep 6; done ;;
    scrub) (while zpool wait -t scrub p; do zpool scrub p; done) & local K=$!; fio $c --rw=randread --numjobs=1 --rate_iops=20; kill $K; zpool scrub -s p ;;
    light) fio $c --rw=randread --numjobs=1 --rate_iops=20 ;;
    idle) sleep $2 ;;
  esac
}
run() { # NAME WORKLOAD FAULT DISK FROM SAMPLES
  local d=$OUT/$1 workload=$2 fault=$3 disk=$4 from=$5 samples=$6 at=null name=disk$4; mkdir -p $d
  case $LAYOUT in n-*) name=nullb$4; if [ $fault != none ]; then make $disk ${fault#slow} || return; from=0; fi ;; esac
  case $from,$LAYOUT,$fault in 0,n-*|*,none) ;; 0,*) delay $disk $((BASE + ${fault#slow})) $((BASE + ${fault#slow})) ;; esac
  load $workload $((samples + 5)) & local L=$!; sleep 3
  (zpool iostat -Hpvlqy p 1 $samples | awk '{print systime() "\t" $0; fflush()}' >$d/iostat.tsv) & local S=$!
  if [ $from != 0 ]; then sleep $from; at=$(date +%s.%N); case $fault in
    none) at=null ;;
    smr) while kill -0 $S 2>/dev/null; do delay $disk $BASE $((BASE + 150)); sleep 14; delay $disk $BASE $BASE; sleep 6; done ;;
    slow*) local b=$BASE; case $LAYOUT in hybrid-*) b=7;; esac; delay $disk $((b + ${fault#slow})) $((b + ${fault#slow})) ;;
  esac; fi
  wait $S; kill $L 2>/dev/null; pkill -x fio; wait $L 2>/dev/null
  [ $fault = none ] && { name=; at=null; }
  printf '{"layout":"%s","base":%s,"unit":"%s","workload":"%s","fault":"%s","disk":"%s","from_sample":%s,"from_at":%s,"samples":%s}\n' \
    $LAYOUT $BASE "$(case $LAYOUT in n-*) echo us;; *) echo ms;; esac)" $workload $fault "$name" $from $at $samples >$d/label.json
  case $LAYOUT,$fault in n-*) ;; *,none) ;; *) local b=$BASE; case $LAYOUT in hybrid-*) b=7;; esac; delay $disk $b $b ;; esac
  gzip -9nf $d/iostat.tsv; echo "== $1 done ($(cut -d' ' -f1 /proc/uptime)s)"
}
make || make || exit 1
for s in "$@"; do run ${s//,/ }; done
clean
