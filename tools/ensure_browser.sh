#!/usr/bin/env bash
# Makes sure that the browser tests have a Chromium and a font with Chinese characters; installs them where it may.
# Set CHROMIUM=/path/to/browser to use a browser that is not on PATH.
set -euo pipefail

has_browser() {
    if [ -n "${CHROMIUM:-}" ]; then
        [ -x "$CHROMIUM" ]
        return
    fi
    local name
    for name in chromium chromium-browser google-chrome; do
        if command -v "$name" >/dev/null 2>&1; then return 0; fi
    done
    return 1
}

has_chinese_font() {
    # macOS has no fc-list, and always has such a font.
    [ "$(uname -s)" = Darwin ] || [ -n "$(fc-list :lang=zh 2>/dev/null)" ]
}

missing() {
    has_browser || echo "a Chromium browser (chromium, chromium-browser or google-chrome on PATH, or CHROMIUM=/path/to/it)"
    has_chinese_font || echo "a font with Chinese characters (for example Noto Sans CJK; checked with: fc-list :lang=zh)"
}

if [ -z "$(missing)" ]; then exit 0; fi

as_root=()
if [ "$(id -u)" -ne 0 ]; then as_root=(sudo -n); fi

if command -v apt-get >/dev/null 2>&1 && "${as_root[@]}" true 2>/dev/null; then
    echo "The browser tests need:"
    missing | sed 's/^/  - /'
    echo "Installing chromium, fonts-noto-cjk and fontconfig with apt-get ..."
    "${as_root[@]}" apt-get update -qq
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
        -o DPkg::Lock::Timeout=300 chromium fonts-noto-cjk fontconfig >/dev/null
fi

if [ -n "$(missing)" ]; then
    {
        echo "The browser tests cannot run on this machine. Missing:"
        missing | sed 's/^/  - /'
        echo "Install what is missing and run the command again. On Debian and Ubuntu, as root:"
        echo "  apt-get update && apt-get install chromium fonts-noto-cjk fontconfig"
    } >&2
    exit 1
fi
