# Sourced by the scripts beside it: goes to the repository, and installs what a fresh Debian machine lacks.
# Everything here is quick when there is nothing to do.

cd "$(dirname "${BASH_SOURCE[0]}")/../.."

# Runs a command that talks a lot; shows the end of what it said only when it fails, without addresses.
quietly() {
  local log
  log=$(mktemp)
  if ! "$@" >"$log" 2>&1; then
    tail -n 40 "$log" | sed -E 's#[a-z]+://[^ ]+#(address)#g' >&2
    echo "Failed: $*" >&2
    rm -f "$log"
    return 1
  fi
  rm -f "$log"
}

as_root() {
  if [ "$(id -u)" -eq 0 ]; then "$@"; else sudo "$@"; fi
}

# debian_packages NAME...: installs those that are missing.
debian_packages() {
  local name missing=()
  for name in "$@"; do
    [ "$(dpkg-query -W -f='${db:Status-Status}' "$name" 2>/dev/null)" = installed ] || missing+=("$name")
  done
  [ ${#missing[@]} -eq 0 ] && return
  echo "Installing Debian packages: ${missing[*]}"
  quietly as_root apt-get update
  quietly as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "${missing[@]}"
}

# npm packages as the lockfile has them, among them the Node that everything else runs on. npm writes the
# hidden lockfile whenever it installs, so that one is the older only when something changed since.
npm_packages() {
  if [ ! -e node_modules/.package-lock.json ] || [ package-lock.json -nt node_modules/.package-lock.json ]; then
    echo 'Installing npm packages'
    quietly npm ci --ignore-scripts
    touch node_modules/.package-lock.json
  fi
  export PATH="$PWD/node_modules/.bin:$PATH"
}
