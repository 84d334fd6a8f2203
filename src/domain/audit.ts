/** Who changed what, when, from where. Every admin write leaves one row. */
import type { Instant } from './time.ts';
import type { StaffTx } from './transaction.ts';

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

export interface AuditFilter {
  adminId?: number | undefined;
  action?: string | undefined;
  subject?: string | undefined;
  subjectId?: number | undefined;
  /** Instants, the first included, the last not. */
  from?: Instant | undefined;
  to?: Instant | undefined;
}

export interface AuditReads {
  /** Newest first. */
  list(filter: AuditFilter, page: { limit: number; offset: number }): AuditRow[];
  count(filter: AuditFilter): number;
}

export interface AuditWrites extends AuditReads {
  append(entry: AuditEntry): void;
  /** Takes the person's number, name and note out of the entries about them. */
  forgetPerson(userId: number): void;
}

interface RecordAction {
  action: string;
  subject: string;
  subjectId?: number | undefined;
  /** What was done, for people; no secrets. */
  details: Record<string, unknown> | null;
}

/** Adds what an admin did outside the database to the audit log: a reboot, a session that was ended. */
export function recordAction(tx: StaffTx, { action, subject, subjectId, details }: RecordAction): void {
  tx.record(action, subject, subjectId ?? null, null, details);
}
