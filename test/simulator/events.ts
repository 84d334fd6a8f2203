/** What the router tells those who watch it. Times are milliseconds since the epoch on the simulator's clock. */

export type LoginMethod = 'admin' | 'mac-cookie' | 'http-pap';

/** Why a session ended, as RouterOS puts it into `$cause`. */
export type LogoutCause =
  | 'admin reset'
  | 'user request'
  | 'session timeout'
  | 'uptime limit reached'
  | 'keepalive timeout'
  | 'nas reboot';

export interface PersonEvent {
  user: string;
  mac: string;
  address: string;
  /** What the device calls itself; empty when it says nothing. */
  name: string;
  at: number;
}

export interface LoginEvent extends PersonEvent {
  by: LoginMethod;
  /** When the router itself will end the session; null: never. */
  endsAt: number | null;
}

export interface LogoutEvent extends PersonEvent {
  cause: LogoutCause;
  uptimeSeconds: number;
}

export interface CommandEvent {
  command: string;
  /** Without passwords. */
  attributes: Record<string, string>;
  queries: readonly string[];
  tag: string | undefined;
  /** What the router said no with; null when it did as told. */
  trap: string | null;
  at: number;
}

export type RouterEvents = {
  login: [LoginEvent];
  logout: [LogoutEvent];
  reboot: [{ at: number }];
  command: [CommandEvent];
};
