/** What the main thread and the writer thread say to each other. */
import type { Actor } from '../domain/audit.ts';
import type { Commands } from '../domain/commands.ts';
import { type ErrorCode, LangoError, type LangoErrorOptions } from '../domain/errors.ts';
import type { Phone } from '../domain/phone.ts';
import type { Instant } from '../domain/time.ts';
import type { Policy } from '../domain/transaction.ts';

export interface WriterStart {
  file: string;
  policy: Policy;
}

export interface CommandRequest {
  name: keyof Commands;
  input: unknown;
  now: Instant;
  actor: Actor | null;
}

/**
 * `open`: opens the books, and brings them up to date; answered with an `OpenReport`.
 * `probe`: finds out whether the disk takes anything, without opening them; answered with a `ProbeReport`.
 * `optimize`: refreshes the statistics that plans are chosen by, where the tables have changed much.
 */
export type WriterTask = 'open' | 'probe' | 'optimize' | 'close';
export type WriterMessage = CommandRequest[] | WriterTask;

export type WriterReport = CommitReport | OpenReport | ProbeReport;

export interface OpenReport {
  /** Null: they are open. */
  failure: PackedError | null;
  /** It is the disk, which may do later what it does not now. */
  mayPass: boolean;
}

export interface ProbeReport {
  hasRoom: boolean;
}

/** What became of one transaction. */
export interface CommitReport {
  /** In the order of the commands. */
  replies: CommandReply[];
  /** Whose standing it changed. */
  changedStandings: Phone[];
}

export type CommandReply = { value: unknown } | { error: PackedError };

/** Errors lose their class between threads; this keeps their fields. */
export interface PackedError extends LangoErrorOptions {
  code: ErrorCode;
  message: string;
}

export function packError(error: unknown): PackedError {
  if (!(error instanceof LangoError)) {
    return { code: 'INTERNAL', message: 'Something went wrong inside the appliance.', cause: text(error) };
  }
  const { code, message, details, retryAfterSeconds, facts, cause } = error;
  return { code, message, details, retryAfterSeconds, facts, cause: cause === undefined ? undefined : text(cause) };
}

export const unpackError = (packed: PackedError): LangoError => new LangoError(packed.code, packed.message, packed);

function text(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
