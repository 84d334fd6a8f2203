/** Everything about the router that a test may change while it runs. */
export interface RouterKnobs {
  /**
   * `6.42`: challenge login; from `6.43` plain login; before `7.10` dates like `nov/21/2026`; from `7.18` `!empty`; from
   * `7.19` live connections among the services; from `7.24` their `address` is called `available-from`.
   */
  version: string;

  // The wire
  tagPosition: 'first' | 'last';
  /** False: no trap carries a category, as is often seen. */
  trapCategories: boolean;
  /** Bytes per TCP write, each flushed before the next; null: as they come. */
  fragmentBytes: number | null;
  /** Real milliseconds between a command taking effect and its reply. */
  replyDelayMs: number;
  /** Real milliseconds that the router works on each command, one after another, whichever connection they came by. */
  commandMs: number;

  // Faults. Those marked * strike only commands that begin with `faultPath`.
  /** Null: every command after login. */
  faultPath: string | null;
  /** * Commands are read, not carried out, never answered. Without a `faultPath`, logins too. */
  silent: boolean;
  /** * The command is carried out; after that many bytes of its reply the connection is reset. */
  resetAfterBytes: number | null;
  /** * The command is not carried out; `!fatal` with this text, then the connection closes. */
  fatal: string | null;
  /** Every account may only read. */
  readOnly: boolean;
  /** False: a CHR or x86, which have no `/system/routerboard`. */
  routerboard: boolean;
  /** What the board's maker allows; `home` forbids hotspots and scripts that fetch. Version 6 knows no such thing. */
  deviceMode: 'home' | 'advanced';
  /** A router whose clock was never set: it counts from 1970 since it booted. */
  clockAt1970: boolean;
  /** How long the port stays shut after `/system/reboot`, in real milliseconds. */
  rebootMs: number;

  // What nobody has proven on hardware yet
  /** Whether `uptime` of a user already counts the sessions that are open; almost surely it does not. */
  userUptime: 'live' | 'after-logout';
  /** Whether a changed `limit-uptime` moves the end of sessions that are open; limits are computed at login. */
  limitReachesSession: boolean;
  /** By which of a host's addresses `active/login` knows it; they differ only where the hotspot translates. */
  loginAddress: 'to-address' | 'address';
  apiLoginMakesCookie: boolean;
  /** Whether a login over the API runs the profile's `on-login`; all others do. */
  apiLoginRunsScript: boolean;
  /** What `$"` within a text of a script is: the beginning of a variable's name, or the end of the text. */
  quotedNames: 'within-text' | 'end-text';
}

export const DEFAULT_KNOBS: Readonly<RouterKnobs> = {
  version: '7.16',
  tagPosition: 'first',
  trapCategories: true,
  fragmentBytes: null,
  replyDelayMs: 0,
  commandMs: 0,
  faultPath: null,
  silent: false,
  resetAfterBytes: null,
  fatal: null,
  readOnly: false,
  routerboard: true,
  deviceMode: 'advanced',
  clockAt1970: false,
  rebootMs: 300,
  userUptime: 'after-logout',
  limitReachesSession: false,
  loginAddress: 'to-address',
  apiLoginMakesCookie: true,
  apiLoginRunsScript: true,
  quotedNames: 'end-text',
};

/** @returns whether `version` (`7.18beta2`, `7.16 (stable)`) is the wanted one or newer. */
export function isAtLeast(version: string, wanted: string): boolean {
  const [have, want] = [version, wanted].map(
    text =>
      /^(\d+)\.(\d+)(?:\.(\d+))?/
        .exec(text)
        ?.slice(1)
        .map(part => Number(part ?? 0)) ?? [0, 0, 0],
  );
  for (const place of [0, 1, 2]) {
    const difference = (have?.[place] ?? 0) - (want?.[place] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  return true;
}
