#!/bin/bash
# gnome-shot.sh - the real GNOME Shell, headless, with an MPRIS player in its session.
#
#   gnome-shot.sh OUT.png [options] -- PLAYER [ARG...]
#
# Starts a private system bus (mock logind), a private session bus, GNOME Shell (software rendering, virtual 1280x800
# monitor), gsd-media-keys, then PLAYER, all thrown away at the end. Opens the date menu, compares what the media widget
# shows with the player's own Metadata, writes OUT.png, clicks the widget's buttons with a virtual mouse and presses
# XF86Audio keys with a virtual keyboard, watching that the player obeys. PLAYER finds the bus at
# DBUS_SESSION_BUS_ADDRESS; its HOME and XDG_RUNTIME_DIR are temporary.
#
# Options:
#   --scene NAME      what is looked at: shown (default), titles, late, empty, notices (scene.py)
#   --name SUFFIX     bus name org.mpris.MediaPlayer2.SUFFIX (default: the first to appear)
#   --require-app     DesktopEntry must resolve to an installed .desktop file
#   --apps DIR        extra XDG data dir holding applications/*.desktop
#   --no-keys         leave out the media key and the button checks
#   --lock            lock the screen too and press the keys there; OUT-lock.png
#   --need-art        the cover must be shown (not the fallback icon)
#   --keep            keep the work dir (logs)
# Exit code: 0 all checks passed; 1 a check failed (widget missing, wrong text...); 2 the desktop did not start.
# The last line is 'N passed, N failed'. Debian 12 packages: scripts/install-deps desktop.
set -u
HERE=$(dirname "$(readlink -f "$0")")
if [ "${NYAN_INNER:-}" != 1 ]; then
  [ $# -ge 3 ] || { sed -n '2,25p' "$0"; exit 2; }
  OUT=$(readlink -f "$1"); shift
  KEEP=0; for a in "$@"; do [ "$a" = -- ] && break; [ "$a" = --keep ] && KEEP=1; done
  W=$(mktemp -d /tmp/gnome-shot.XXXXXX); mkdir -m 700 "$W/rt" "$W/home" "$W/home/.cache"
  export NYAN_INNER=1 NYAN_W=$W HOME=$W/home XDG_RUNTIME_DIR=$W/rt XDG_CACHE_HOME=$W/home/.cache
  unset WAYLAND_DISPLAY DISPLAY XDG_CONFIG_HOME XDG_DATA_HOME XDG_STATE_HOME
  export XDG_SESSION_TYPE=wayland XDG_CURRENT_DESKTOP=GNOME XDG_SESSION_DESKTOP=gnome GSETTINGS_BACKEND=memory
  export LIBGL_ALWAYS_SOFTWARE=1 NO_AT_BRIDGE=1 GNOME_KEYRING_CONTROL= LANG=C.UTF-8 LC_ALL=C.UTF-8
  # private system bus with just enough logind
  dbus-daemon --session --nofork --print-address=3 3>"$W/sysaddr" 2>"$W/sysbus.log" & SB=$!
  for _ in $(seq 200); do [ -s "$W/sysaddr" ] && break; sleep 0.1; done
  export DBUS_SYSTEM_BUS_ADDRESS=$(cat "$W/sysaddr")
  /usr/bin/python3 -m dbusmock --system --template logind >"$W/logind.log" 2>&1 & LM=$!
  /usr/bin/python3 "$HERE/mock_gdm.py" >"$W/gdm.log" 2>&1 & GM=$!
  # GNOME locks only where it finds systemd's seats folder
  [ -e /run/systemd/seats ] || mkdir -p /run/systemd/seats 2>/dev/null
  # the shell looks for both once, when it starts
  for name in org.freedesktop.login1 org.gnome.DisplayManager; do
    for _ in $(seq 200); do
      dbus-send --bus="$DBUS_SYSTEM_BUS_ADDRESS" --print-reply --dest=org.freedesktop.DBus / \
        org.freedesktop.DBus.NameHasOwner string:$name 2>/dev/null | grep -q 'boolean true' && break
      sleep 0.1
    done
  done
  timeout -k 5 300 dbus-run-session -- "$0" "$OUT" "$@" 2>"$W/session.log"; RC=$?
  kill $LM $GM $SB 2>/dev/null; wait $LM $GM $SB 2>/dev/null
  if [ $KEEP = 1 ]; then echo "logs: $W"; else rm -rf "$W"; fi
  exit $RC
fi

OUT=$1; shift; OPTS=(); APPS=
while [ $# -gt 0 ]; do
  case $1 in --) shift; break;; --apps) APPS=$2; shift 2;; --keep) shift;; *) OPTS+=("$1"); shift;; esac
done
export XDG_DATA_DIRS=${APPS:+$APPS:}${XDG_DATA_DIRS:-/usr/local/share:/usr/share}
PIDS=()
end() { kill "${PIDS[@]}" 2>/dev/null; wait 2>/dev/null; }
trap end EXIT
gnome-shell --headless --virtual-monitor 1280x800 --unsafe-mode --no-x11 --wayland-display nyan-wl >"$NYAN_W/shell.log" 2>&1 & PIDS+=($!)
/usr/bin/python3 "$HERE/gnome_drive.py" --work "$NYAN_W" --wait-shell || { echo "GNOME Shell did not start"; tail -20 "$NYAN_W/shell.log"; exit 2; }
WAYLAND_DISPLAY=nyan-wl /usr/libexec/gsd-media-keys --verbose >"$NYAN_W/gsd.log" 2>&1 & PIDS+=($!)
"$@" >"$NYAN_W/player.log" 2>&1 & PIDS+=($!)
/usr/bin/python3 "$HERE/gnome_drive.py" --out "$OUT" --work "$NYAN_W" "${OPTS[@]}"
