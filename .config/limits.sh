#!/bin/sh
# Runs one test and stops it when it hangs. How long a test takes says nothing on a machine that others use too, so
# this looks at the time that its processes had a processor for: one that used CPU seconds goes round in circles, or
# is to be split; one that used none for IDLE seconds waits for something that will never come.
#
#   limits.sh CPU IDLE test …
cpu=$1
idle=$2
shift 2

# Elsewhere there is no such file, and nextest's own limit has to do. A soak lasts for as long as it was told to.
if [ ! -r /proc/self/stat ] || [ -n "$DURU_SOAK" ]; then exec "$@"; fi

"$@" &
test=$!
trap 'kill -TERM "$test" 2>/dev/null' TERM INT
hertz=$(getconf CLK_TCK)

# By all processes of the group that nextest makes for a test, the dead included.
used() {
    sed -n 's/^\([0-9]*\) (.*) /\1 /p' /proc/[0-9]*/stat 2>/dev/null |
        awk -v group="$$" '$4 == group { sum += $13 + $14 + $15 + $16 } END { print sum + 0 }'
}

watch() {
    trap - TERM INT
    last=0
    still=0
    while sleep 5; do
        now=$(used)
        # The watching itself is not much, but it is something.
        if [ $((now - last)) -gt $((hertz / 10)) ]; then still=0; else still=$((still + 5)); fi
        last=$now
        if [ "$now" -gt $((cpu * hertz)) ]; then kill -XCPU "$test"; fi
        if [ "$still" -ge "$idle" ]; then kill -ALRM "$test"; fi
    done
}

# Without the pipes that nextest reads: what is left of its sleep must not hold them open.
watch </dev/null >/dev/null 2>&1 &
watcher=$!
wait "$test"
status=$?
# A signal that was passed on ends the wait, not the test.
if [ "$status" -gt 128 ] && kill -0 "$test" 2>/dev/null; then
    wait "$test"
    status=$?
fi
kill -KILL "$watcher" 2>/dev/null
wait "$watcher" 2>/dev/null
# Of the signals 24 and 14, which the watcher sends.
case $status in
152) echo "limits: it used more than $cpu s of processor time: split it, or make it quicker" >&2 ;;
142) echo "limits: nothing has happened for $idle s: it hangs" >&2 ;;
esac
# DURU_TEST_TIMES=FILE: what each test used, to find those that are slow whoever else uses the machine.
if [ -n "$DURU_TEST_TIMES" ]; then
    # Not by a pipe: the shell behind one has children of its own.
    times >"$DURU_TEST_TIMES.$$"
    awk -v name="$NEXTEST_BINARY_ID $NEXTEST_TEST_NAME" 'NR == 2 {
        for (i = 1; i <= 2; i++) { split($i, part, /[ms]/); sum += part[1] * 60 + part[2] }
        printf "%8.1f s %s\n", sum, name
    }' "$DURU_TEST_TIMES.$$" >>"$DURU_TEST_TIMES"
    rm "$DURU_TEST_TIMES.$$"
fi
exit "$status"
