"""Wrapper text: the parts of the shell script around a job; POSIX, and nothing else is needed at a node.

Names begin with ``ech_``: a variable that a job inherits must not be changed.
"""

FIRST_LINE = r"""#!/bin/sh
# A job of Echelon: it claims itself, runs, and records its end.
ech_signaled=
trap 'ech_signaled=1' TERM
"""

LEADER = r"""
ech_stat() { # set ech_state, ech_parent, ech_group, ech_session and ech_born of process $1
    ech_line=
    while IFS= read -r ech_part; do ech_line="$ech_line $ech_part"; done < "/proc/$1/stat" || return 1
    # The name, in parentheses, may hold blanks, parentheses and ends of lines.
    set -- ${ech_line##*) }
    [ $# -gt 19 ] || return 1
    ech_state=$1 ech_parent=$2 ech_group=$3 ech_session=$4 ech_born=${20}
}
ech_stat $$ && [ "$ech_group" = $$ ] && [ "$ech_session" = $$ ] || {
    echo "Echelon: this starts as the leader of a session on Linux" >&2
    exit 71
}
cd /
"""

CLAIM = r"""
ech_job=%(base)s/jobs/%(tag)s
ech_claim=%(base)s/claims/%(tag)s
ech_exit=%(base)s/exits/%(tag)s
[ "$ech_signaled" ] && exit 143
# The owner can write to a claim of a job, not to one of the service.
if ! (umask 077 && mkdir -- "$ech_claim") 2> /dev/null; then
    # A TERM may have ended it after its work was done.
    [ "$ech_signaled" ] && exit 143
    [ -d "$ech_claim" ] && exit %(unclaimed)s
    echo "Echelon: cannot make the claim $ech_claim" >&2
    exit %(cannot_claim)s
fi
"""

TIME = r"""
ech_time() {
    # A TERM to all may end it.
    ech_now=$(date +%%s.%%N) || ech_now=$(date +%%s.%%N) || ech_now=0
    # Not every date knows %%N.
    case $ech_now in *[!0-9.]*) ech_now=$(date +%%s) ;; esac
}
ech_time
ech_started=$ech_now
"""

GUARD = r"""
ech_signal() { # send $1 to all processes of the payload; return whether there were any
    ech_found=1
    ech_payload=none
    # Without the wrapper, its numbers may have become those of others.
    ech_stat "$ech_guard" && [ "$ech_parent" = $$ ] || exit
    [ -s "$ech_job/payload" ] && read -r ech_payload ech_part < "$ech_job/payload"
    for ech_file in /proc/[0-9]*/stat; do
        ech_pid=${ech_file#/proc/}
        ech_pid=${ech_pid%%/stat}
        ech_stat "$ech_pid" 2> /dev/null || continue
        [ "$ech_session" = "$ech_payload" ] || [ "$ech_parent" = $$ ] || continue
        [ "$ech_pid" = "$ech_guard" ] || [ "$ech_state" = Z ] && continue
        kill -s "$1" "$ech_pid" 2> /dev/null && ech_found=0
    done
    return $ech_found
}
ech_pause() {
    sleep "$1" &
    wait $!
}
ech_stop() {
    trap '' TERM
    [ -z "$!" ] || kill -s KILL $! 2> /dev/null
    ech_signal TERM
    ech_pause %(grace)s
    while ech_signal KILL; do ech_pause 1; done
    exit
}
ech_watch() {
    # What a signal asks for is done by its trap: it may come just before a wait.
    trap ech_stop TERM
    trap '[ -z "$!" ] || kill -s KILL $! 2> /dev/null; wait; exit' USR1
    read -r ech_guard ech_part < /proc/self/stat
    echo > "$ech_job/guarded"
    until ech_pause %(limit)s; do :; done
    echo > "$ech_job/limit"
    ech_stop
}
[ -d "$ech_job" ] || (umask 077 && mkdir -p -- "$ech_job")
ech_watch &
ech_guard=$!
"""

IS_GUARDED = r"""
# Before it has its trap a TERM ends the guard; the payload then does not start.
until [ "$ech_signaled" ] || [ -e "$ech_job/guarded" ]; do :; done
"""

PAYLOAD = r"""
ech_code=143
[ "$ech_signaled" ] || {
    (
%(place)s
        exec %(payload)s
    )
    ech_code=$?
}
# A cluster sends TERM to one process after the other, and this one may be the last.
[ "$ech_code" = 143 ] && [ -z "$ech_signaled" ] && sleep 1
"""

GUARDED_PAYLOAD = r"""
ech_code=143
[ "$ech_signaled" ] || {
    (
        ech_stat self && read -r ech_pid ech_part < /proc/self/stat
        echo "$ech_pid $ech_born" > "$ech_job/payload"
%(place)s
        exec setsid %(payload)s
    )
    ech_code=$?
}
"""

SCRIPT = r"""        # The script keeps its own first line.
        ech_mask=$(umask)
        umask 077
        mkdir -p -- "$ech_job" && printf '%%s' %(script)s > "$ech_job/script" || exit %(no_place)s
        umask "$ech_mask"
        chmod 700 "$ech_job/script" || exit %(no_place)s
"""

PAUSES = (1, 5, 20, 0)
"""Seconds after each attempt of a job to write its record."""

RECORD = r"""
trap '' TERM
ech_time
ech_cause=end
if [ -e "$ech_job/limit" ]; then
    ech_cause=limit
elif [ "$ech_signaled" ]; then
    ech_cause=stopped
    # A cluster that enforces the limit itself leaves no mark.
    [ $((${ech_now%%.*} - ${ech_started%%.*})) -ge %(limit)s ] && ech_cause=limit
fi
ech_word="$ech_code 0"
if [ "$ech_code" -gt 256 ]; then
    ech_word="- $((ech_code - 256))"
elif [ "$ech_code" -gt 128 ] && [ "$ech_code" -le 192 ]; then
    ech_word="- $((ech_code - 128))"
fi
# A full disk may have room again soon.
for ech_pause in %(pauses)s; do
    (umask 077 && echo "$ech_word $ech_started $ech_now $ech_cause" > "$ech_exit.new") 2> /dev/null &&
        mv -f -- "$ech_exit.new" "$ech_exit" && break
    sleep $ech_pause
done
"""

LEAVE_NOTHING = r"""
# What it leaves behind would hold processors that are said to be free.
[ -s "$ech_job/payload" ] && read -r ech_pid ech_born < "$ech_job/payload" &&
    kill -s KILL -- "-$ech_pid" 2> /dev/null
kill -s USR1 "$ech_guard" 2> /dev/null
wait "$ech_guard"
"""

LEAVE = r"""exit "$ech_code"
"""
