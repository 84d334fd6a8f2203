/** What the tests of staff's endpoints share: admins of each role, people with paid time, and a table of who may what. */
import assert from 'node:assert/strict';
import type { Role } from '../../src/domain/admins.ts';
import type { Bundle } from '../../src/domain/bundles.ts';
import type { Payment } from '../../src/domain/payments.ts';
import type { Answer, TestApp } from '../support/app.ts';
import { until } from '../support/app.ts';
import { ACTOR } from '../support/books.ts';

export const asha = '+255712345678';
export const juma = '+255754321987';
export const neema = '+255622000111';
export const phoneOfAsha = { mac: 'A4:83:E7:12:34:56', address: '10.5.50.11' };

export type Headers = Record<string, string>;
/** What a reply holds is what the test finds out. */
export type Json = Answer['body'];

/** Headers of an admin who has just logged in. */
export async function logIn(app: TestApp, role: Role, username = `${role}-of-the-day`): Promise<Headers> {
  const { commit, passwords } = app.context;
  const password = 'a long enough password';
  const account = { username, passwordHash: await passwords.hash(password), email: '', role, onlyFirst: false };
  await commit('createAdmin', account, ACTOR);
  const { status, body } = await app.post('/api/auth/login/', { username, password });
  assert.equal(status, 200);
  return { authorization: `Bearer ${body.token}` };
}

/** Of requests made at once, the order of the replies is chance. */
export const statuses = (replies: readonly Answer[]): number[] =>
  replies.map(reply => reply.status).toSorted((a, b) => a - b);

/** An order that is paid on the sandbox's page and settled. */
export async function paidOrder(app: TestApp, phone: string, bundle: Bundle, mac?: string): Promise<Payment> {
  const order = { phone, bundle, ...(mac === undefined ? {} : { mac }) };
  const { body } = await app.pay(order);
  const find = () => app.context.reads.payments.byOrderReference(body.order_reference);
  await until(() => find()?.status === 'completed');
  return find() as Payment;
}

/** The id of a person, who need not have done anything yet. */
export async function personWithTime(app: TestApp, phone: string, hours = 24): Promise<number> {
  const [code] = await app.issueVouchers({ hours });
  await app.redeem(code as string, phone);
  const user = (await app.get(`/api/admin/users/?phone_number=${encodeURIComponent(phone)}`, app.admin)).body.users[0];
  return user.id;
}

/** Which roles may call it; whoever may not is told so, and whoever is nobody as well. */
export async function assertRoles(
  app: TestApp,
  admins: Record<Role, Headers>,
  calls: readonly { method: string; path: string; least: Role; body?: unknown }[],
): Promise<void> {
  const order: Role[] = ['cashier', 'staff', 'owner'];
  for (const { method, path, least, body } of calls) {
    const nobody = await app.send(method, path, body);
    assert.equal(nobody.status, 403, `${method} ${path} without credentials`);
    assert.equal(typeof nobody.body.detail, 'string');
    for (const role of order) {
      const answer: Answer = await app.send(method, path, body, admins[role]);
      const may = order.indexOf(role) >= order.indexOf(least);
      assert.equal(answer.status === 403, !may, `${method} ${path} as ${role}: ${answer.status}`);
    }
  }
}
