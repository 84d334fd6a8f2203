/**
 * What the sandbox payment service remembers: checkouts and their refunds, in memory and, when it is given
 * a file, in JSON lines, so that killing the process loses no payment. The oldest are forgotten beyond a limit.
 */
import { randomBytes } from 'node:crypto';
import { appendFileSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';

export type Outcome = 'completed' | 'failed' | 'cancelled';

export interface SandboxRefund {
  id: string;
  idempotencyKey: string;
  /** Minor units. */
  minor: number;
  status: 'PENDING' | 'COMPLETED';
}

export interface SandboxCheckout {
  orderReference: string;
  paymentReference: string;
  /** Minor units. */
  minor: number;
  currency: string;
  phone: string;
  description: string;
  returnUrl: string;
  webhookUrl: string;
  status: 'PENDING' | 'COMPLETED' | 'FAILED' | 'CANCELLED';
  transactionId: string | null;
  refunds: SandboxRefund[];
}

export type NewCheckout = Omit<SandboxCheckout, 'paymentReference' | 'status' | 'transactionId' | 'refunds'>;

const LINES_PER_CHECKOUT = 8;

export class Checkouts {
  readonly #byOrder = new Map<string, SandboxCheckout>();
  readonly #byReference = new Map<string, SandboxCheckout>();
  readonly #limit: number;
  readonly #file: string | null;
  #lines = 0;

  /** @param limit checkouts kept @param file JSON lines to remember them in; null: memory only */
  constructor(limit: number, file: string | null) {
    this.#limit = limit;
    this.#file = file;
    if (file !== null && existsSync(file)) {
      for (const line of readFileSync(file, 'utf8').split('\n')) this.#restore(line);
      this.#compact();
    }
  }

  get size(): number {
    return this.#byOrder.size;
  }

  byOrder(orderReference: string): SandboxCheckout | undefined {
    return this.#byOrder.get(orderReference);
  }

  byReference(paymentReference: string): SandboxCheckout | undefined {
    return this.#byReference.get(paymentReference);
  }

  add(checkout: NewCheckout): SandboxCheckout {
    const added: SandboxCheckout = {
      ...checkout,
      paymentReference: `SBX${randomId(8)}`,
      status: 'PENDING',
      transactionId: null,
      refunds: [],
    };
    this.#keep(added);
    this.#save(added);
    return added;
  }

  /** A payment that succeeded stays so; after a failure or a cancellation the payer may try again. */
  decide(checkout: SandboxCheckout, outcome: Outcome): void {
    if (checkout.status === 'COMPLETED') return;
    checkout.status = outcome.toUpperCase() as SandboxCheckout['status'];
    checkout.transactionId = outcome === 'completed' ? `SBXT${randomId(8)}` : null;
    this.#save(checkout);
  }

  addRefund(checkout: SandboxCheckout, refund: Omit<SandboxRefund, 'id'>): SandboxRefund {
    const added = { ...refund, id: `SBXR${randomId(8)}` };
    checkout.refunds.push(added);
    this.#save(checkout);
    return added;
  }

  finishRefund(checkout: SandboxCheckout, refund: SandboxRefund): void {
    refund.status = 'COMPLETED';
    this.#save(checkout);
  }

  #keep(checkout: SandboxCheckout): void {
    this.#byOrder.set(checkout.orderReference, checkout);
    this.#byReference.set(checkout.paymentReference, checkout);
    if (this.#byOrder.size <= this.#limit) return;
    const [oldest] = this.#byOrder.values();
    if (oldest === undefined) return;
    this.#byOrder.delete(oldest.orderReference);
    this.#byReference.delete(oldest.paymentReference);
  }

  #save(checkout: SandboxCheckout): void {
    if (this.#file === null) return;
    appendFileSync(this.#file, `${JSON.stringify(checkout)}\n`, { mode: 0o600 });
    this.#lines += 1;
    if (this.#lines > this.#limit * LINES_PER_CHECKOUT) this.#compact();
  }

  #restore(line: string): void {
    try {
      this.#keep(JSON.parse(line) as SandboxCheckout);
    } catch {
      // The last line of a killed process may be half a line.
    }
  }

  /** A help and no duty: a disk without room leaves the file as it is. */
  #compact(): void {
    if (this.#file === null) return;
    const text = [...this.#byOrder.values()].map(checkout => `${JSON.stringify(checkout)}\n`).join('');
    const unfinished = `${this.#file}.new`;
    try {
      writeFileSync(unfinished, text, { mode: 0o600 });
      renameSync(unfinished, this.#file);
    } catch {
      rmSync(unfinished, { force: true });
    }
    this.#lines = this.#byOrder.size;
  }
}

export function randomId(bytes: number): string {
  return randomBytes(bytes).toString('hex').toUpperCase();
}
