#!/bin/bash
# kde-shot.sh - the real KDE Plasma 5.27 media controller applet with an MPRIS player.
#
#   kde-shot.sh OUT.png [options] -- PLAYER [ARG...]
#
# Starts Xvfb, a private session bus, the accessibility bus, kglobalaccel, KWin, then PLAYER, then the applet
# (plasmawindowed org.kde.plasma.mediacontroller), all thrown away at the end. Reads the applet's labels through AT-SPI
# and compares them with the player's own Metadata, looks for the cover's pixels, writes OUT.png, clicks the buttons and
# the slider, presses XF86Audio keys. PLAYER finds the bus at DBUS_SESSION_BUS_ADDRESS; its HOME and XDG_RUNTIME_DIR
# are temporary.
#
# Options:
#   --scene NAME   what is looked at: shown (default), titles, late, empty, notices (scene.py)
#   --name SUFFIX  bus name org.mpris.MediaPlayer2.SUFFIX (default: the first to appear)
#   --apps DIR     extra XDG data dir holding applications/*.desktop
#   --need-art     the cover must be shown
#   --no-keys      leave out buttons, slider and media keys
#   --lock         also Plasma's lock screen (kscreenlocker_greet --testing); OUT-lock.png
#   --shell        also a whole plasmashell with the controller in the tray; OUT-shell.png
#   --keep         keep the work dir (logs)
# Exit code: 0 all checks passed; 1 a check failed; 2 the desktop did not start. The last line is 'N passed, N failed'.
# Debian 12 packages: scripts/install-deps desktop.
set -u
HERE=$(dirname "$(readlink -f "$0")")
if [ "${NYAN_INNER:-}" != 1 ]; then
  [ $# -ge 3 ] || { sed -n '2,25p' "$0"; exit 2; }
  OUT=$(readlink -f "$1"); shift
  KEEP=0; for a in "$@"; do [ "$a" = -- ] && break; [ "$a" = --keep ] && KEEP=1; done
  W=$(mktemp -d /tmp/kde-shot.XXXXXX); mkdir -m 700 "$W/rt" "$W/home" "$W/home/.cache" "$W/home/.config"
  export NYAN_INNER=1 NYAN_W=$W HOME=$W/home XDG_RUNTIME_DIR=$W/rt XDG_CACHE_HOME=$W/home/.cache XDG_CONFIG_HOME=$W/home/.config
  unset WAYLAND_DISPLAY XDG_DATA_HOME XDG_STATE_HOME
  export LANG=C.UTF-8 LC_ALL=C.UTF-8 XDG_SESSION_TYPE=x11 XDG_CURRENT_DESKTOP=KDE KDE_FULL_SESSION=true KDE_SESSION_VERSION=5
  export QT_QPA_PLATFORM=xcb QT_QUICK_BACKEND=software LIBGL_ALWAYS_SOFTWARE=1 QT_LINUX_ACCESSIBILITY_ALWAYS_ON=1 QT_ACCESSIBILITY=1
  dbus-daemon --session --nofork --print-address=3 3>"$W/sysaddr" 2>"$W/sysbus.log" & SB=$!
  Xvfb -displayfd 3 -screen 0 1280x800x24 -nolisten tcp -noreset 3>"$W/display" 2>"$W/xvfb.log" & X=$!
  for _ in $(seq 300); do [ -s "$W/display" ] && [ -s "$W/sysaddr" ] && break; sleep 0.1; done
  [ -s "$W/display" ] || { echo "Xvfb did not start"; kill $SB $X; exit 2; }
  export DISPLAY=:$(cat "$W/display") DBUS_SYSTEM_BUS_ADDRESS=$(cat "$W/sysaddr")
  timeout -k 5 420 dbus-run-session -- "$0" "$OUT" "$@" 2>"$W/session.log"; RC=$?
  kill $X $SB 2>/dev/null; wait $X $SB 2>/dev/null
  if [ $KEEP = 1 ]; then echo "logs: $W"; else rm -rf "$W"; fi
  exit $RC
fi

OUT=$1; shift; OPTS=(); APPS=; LOCK=0; SHELL_=0; SCENE=shown
while [ $# -gt 0 ]; do
  case $1 in
    --) shift; break;; --apps) APPS=$2; shift 2;; --keep) shift;;
    --lock) LOCK=1; shift;; --shell) SHELL_=1; shift;; --scene) SCENE=$2; OPTS+=("$1" "$2"); shift 2;; *) OPTS+=("$1"); shift;;
  esac
done
export XDG_DATA_DIRS=${APPS:+$APPS:}${XDG_DATA_DIRS:-/usr/local/share:/usr/share}
LIBEXEC=/usr/lib/$(uname -m)-linux-gnu/libexec
PIDS=()
end() { kill "${PIDS[@]}" 2>/dev/null; wait 2>/dev/null; }
trap end EXIT
bg() { local log=$1; shift; "$@" >"$NYAN_W/$log.log" 2>&1 & PIDS+=($!); }
drive() { /usr/bin/python3 "$HERE/kde_drive.py" --work "$NYAN_W" --stage "$@" "${OPTS[@]}"; }
plasmashell_() {
  bg kactivitymanagerd "$LIBEXEC/kactivitymanagerd"
  bg kded kded5
  bg plasmashell plasmashell --no-respawn
}
bg a11y /usr/libexec/at-spi-bus-launcher --launch-immediately --a11y=1
drive a11y || { echo "the accessibility bus did not start"; exit 2; }
bg kga kglobalaccel5
bg kwin kwin_x11
[ "$SCENE" != notices ] || plasmashell_
"$@" >"$NYAN_W/player.log" 2>&1 & PIDS+=($!)
drive player || { tail -5 "$NYAN_W/player.log"; drive sum; exit 1; }
if [ "$SCENE" = notices ]; then
  drive notices --out "$OUT"
else
  bg applet plasmawindowed org.kde.plasma.mediacontroller; APPLET=${PIDS[-1]}
  [ $LOCK = 0 ] && [ $SHELL_ = 0 ] && OPTS+=(--last)
  drive applet --out "$OUT" || exit 2
  if [ $LOCK = 1 ]; then
    kill $APPLET; wait $APPLET 2>/dev/null
    bg lock "$LIBEXEC/kscreenlocker_greet" --testing --immediateLock; L=${PIDS[-1]}
    drive lock --out "${OUT%.png}-lock.png"
    kill $L; wait $L 2>/dev/null
  fi
  if [ $SHELL_ = 1 ]; then
    plasmashell_
    drive shell --out "${OUT%.png}-shell.png"
  fi
fi
drive sum
