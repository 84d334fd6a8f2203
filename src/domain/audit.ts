/** Who changed what, when, from where. Every admin write leaves one row. */
import type { Instant } from './time.ts';

/** The admin behind a request. */
export interface Actor {
  /** null: the configured token, or the appliance itself. */
  adminId: number | null;
  name: string;
  ip: string | null;
}

export interface AuditEntry {
  action: string;
  /** The noun that changed: `user`, `bundle`, `voucher_batch` … */
  subject: string;
  subjectId: number | null;
  before: unknown;
  after: unknown;
  actor: Actor;
  now: Instant;
}

export interface AuditRow extends AuditEntry {
  id: number;
}

export interface AuditWrites {
  append(entry: AuditEntry): void;
}
