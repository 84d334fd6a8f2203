/** What an entry of the audit log tells: who did what to whom, in a sentence. */
import { AuditEntry } from '../../contract/audit-log.ts';
import type { AuditRow } from '../../domain/audit.ts';
import { type Money, readableAmount } from '../../domain/money.ts';
import { many } from '../../domain/plural.ts';
import { humanDuration } from '../../domain/time.ts';
import type { Context } from '../context.ts';
import { viewOf } from '../names.ts';

type Names = Pick<Context, 'reads' | 'policy'>;

const plain = viewOf(AuditEntry);

export const auditView = (row: AuditRow, names: Names): AuditEntry => ({
  ...plain(row),
  at: row.now,
  admin_id: row.actor.adminId,
  admin: row.actor.name,
  ip: row.actor.ip,
  sentence: `${row.actor.name} ${whatWasDone(row, names)}`,
});

type Details = Readonly<Record<string, unknown>>;

interface Told {
  id: number;
  subject: string;
  before: Details;
  after: Details;
  /** What was done is told by one of them; a creation has no `before`, a deletion no `after`. */
  of: Details;
  names: Names;
}

function whatWasDone(row: AuditRow, names: Names): string {
  const before = (row.before ?? {}) as Details;
  const after = (row.after ?? {}) as Details;
  const told = {
    id: row.subjectId ?? 0,
    subject: row.subject,
    before,
    after,
    of: row.after === null ? before : after,
    names,
  };
  const sentence = SENTENCES[row.action];
  if (sentence !== undefined) return sentence(told);
  // A new act is told by its name until it has words of its own.
  const [, act = row.action] = row.action.split('.');
  const subject = `${words(row.subject)}${row.subjectId === null ? '' : ` ${row.subjectId}`}`;
  return withDetails(`did “${words(act)}” to ${subject}`, told);
}

const SENTENCES: Readonly<Record<string, (told: Told) => string>> = {
  'bundle.create': ({ of, names }) => `added the bundle ${text(of['name'])} for ${shown('price', of['price'], names)}`,
  'bundle.update': told => {
    const { before, after } = told;
    const name = text(after['name']);
    const [was = 0, is = 0] = [before, after].map(({ price }) => (price as Money | undefined)?.minor);
    return edited(told, name, {
      name: `renamed ${text(before['name'])} to ${name}`,
      isActive: after['isActive'] === true ? `put ${name} on sale` : `took ${name} off sale`,
      price: `${is > was ? 'raised' : 'lowered'} the price of ${name} ${fromTo(told, 'price')}`,
    });
  },
  'bundle.delete': ({ before }) => `deleted the bundle ${text(before['name'])}`,
  'user.update': told => {
    const phone = person(told.id, told.names);
    return edited(told, phone, { isActive: `${told.after['isActive'] === true ? 'unblocked' : 'blocked'} ${phone}` });
  },
  'user.delete': ({ id }) => `deleted user ${id}, and their number with them`,
  'user.grant': ({ id, of, names }) => `${given(of['seconds'])} ${person(id, names)}${because(of)}`,
  'user.disconnect': ({ id, of, names }) => `disconnected ${person(id, names)}, ${sessions(of)}`,
  'user.force_logout': ({ of, names }) => `logged ${person(of['userId'], names)} out of the Wi-Fi, ${sessions(of)}`,
  'device.remove': ({ of, names }) => `removed the device ${device(of)} of ${person(of['userId'], names)}`,
  'device.rename': ({ before, after, names }) =>
    `named the device ${device(before)} of ${person(after['userId'], names)} ${text(after['name'])}`,
  'device.connect': ({ before, after, names }) =>
    `connected the device ${device(after)} of ${person(after['userId'], names)}${'mac' in before ? ` in place of ${device(before)}` : ''}`,
  'voucher.generate': ({ id, of, names }) =>
    `made ${many(Number(of['quantity']), 'voucher')}${of['kind'] === 'giveaway' ? ' to give away' : ''} for ${bundle(of['bundle_id'], names)}, batch ${id}`,
  'voucher.revoke': ({ of }) => `revoked a voucher of batch ${text(of['batch_id'])}${because(of)}`,
  'voucher.sell': ({ of, names }) =>
    `sold ${many(Number(of['quantity']), 'voucher')} for ${text(of['bundleName'])} at ${shown('price', of['price'], names)}`,
  'voucher.take_back': ({ id, of }) =>
    `took back ${many(Number(of['returned']), 'voucher')} of sale ${id}${because(of)}`,
  'voucher.look': ({ id, subject, of }) => {
    if (subject === 'voucher' && id !== 0) return `looked at the code of voucher ${id}`;
    return `looked at ${typeof of['codes'] === 'number' ? many(of['codes'], 'code') : `codes, ${text(of['codes'])}`}${id === 0 ? '' : ` of batch ${id}`}`;
  },
  'voucher_batch.revoke': ({ id, of }) =>
    `revoked ${many(Number(of['revoked']), 'voucher')} of batch ${id}${because(of)}`,
  'payment.sell': ({ of, names }) =>
    `sold ${text(of['bundleName'])} to ${person(of['userId'], names)} for ${shown('amount', of['amount'], names)} in cash, receipt ${text(of['receiptNumber'])}`,
  'payment.review': ({ id, after }) => `settled what was odd about payment ${id}: ${text(after['note'])}`,
  'payment.recheck': ({ id, of }) =>
    `asked the provider about payment ${id}${of['granted'] === true ? ', which gave access' : ''}`,
  'refund.create': ({ of, names }) =>
    `refunded ${shown('amount', of['amount'], names)} of payment ${text(of['paymentId'])}${because(of)}`,
  'credit.give': ({ of }) => `${given(of['seconds'])} ${many(Number(of['users']), 'person', 'people')}${because(of)}`,
  'shift.open': ({ of, names }) =>
    `opened a shift with ${shown('openingFloatMinor', of['openingFloatMinor'], names)} in the drawer`,
  'shift.cash': ({ of, names }) => {
    const minor = Number(of['amountMinor']);
    const sum = shown('amountMinor', Math.abs(minor), names);
    return `${minor < 0 ? `took ${sum} out of` : `put ${sum} into`} the drawer${because(of)}`;
  },
  'shift.explain': ({ id, after }) => `said why shift ${id} differs: ${text(after['note'])}`,
  'shift.close': ({ after, names }) =>
    `closed a shift with ${shown('countedMinor', after['countedMinor'], names)} in the drawer${because({ reason: after['note'] })}`,
  'admin.create': ({ of }) => `added the ${text(of['role'])} ${text(of['username'])}`,
  'admin.update': told => {
    const name = text(told.after['username']);
    return edited(told, name, {
      isActive: told.after['isActive'] === true ? `let ${name} log in again` : `stopped ${name}`,
    });
  },
  'admin.password': ({ id, names }) => `set a new password for ${admin(id, names)}`,
  'admin.totp_on': ({ id, names }) => `turned on the second factor of ${admin(id, names)}`,
  'admin.totp_off': ({ id, names }) => `turned off the second factor of ${admin(id, names)}`,
  'session.end': ({ before, names }) => `logged ${admin(before['adminId'], names)} out of a session`,
  'settings.branding': told => withDetails('changed what customers see', told),
  'settings.messages': told =>
    `${told.after['text'] === null ? 'went back to the built-in words of' : 'changed'} the message “${words(text(told.after['kind']))}” in ${LANGUAGES.of(text(told.after['language']) || 'en')}`,
  'settings.limits': told => withDetails('changed the limits', told),
  'settings.cashiers': told => withDetails('changed the rules for cashiers', told),
  'settings.devices': told => withDetails('changed the rules for devices', told),
  'router.add': ({ of }) => `added the router ${text(of['name'])}`,
  'router.remove': ({ of }) => `took the router ${text(of['name'])} off the list`,
  'router.configure': told =>
    withDetails(`changed how Lango reaches ${text(told.after['name']) || 'the router'}`, told),
  'router.apply_plan': ({ of }) =>
    `made ${many(Array.isArray(of['changes']) ? of['changes'].length : 0, 'change')} on the router`,
  'router.create_profile': ({ of }) => `added the router profile ${text(of['name'])}`,
  'router.disconnect_user': ({ of, names }) =>
    `disconnected ${typeof of['userId'] === 'number' ? person(of['userId'], names) : text(of['username'])}, ${sessions(of)}`,
  'router.disconnect_all': ({ of }) => `disconnected everyone, ${sessions(of)}`,
  'router.reboot': () => 'restarted the router',
  'clock.confirm': () => 'confirmed that the clock is right',
};

/** @param spoken what is told otherwise than as a value from this to that, by its field */
function edited(told: Told, name: string, spoken: Readonly<Record<string, string>>): string {
  const acts = Object.keys(spoken).flatMap(field => (differs(told, field) ? (spoken[field] ?? []) : []));
  const others = changed(told, Object.keys(spoken), ` of ${name}`);
  if (others !== '') acts.push(`changed ${others}`);
  return acts.length === 0 ? `saved ${name} as it was` : listed(acts);
}

const withDetails = (act: string, told: Told): string => [act, changed(told)].filter(Boolean).join(': ');

const differs = ({ before, after }: Told, name: string): boolean =>
  JSON.stringify(before[name] ?? null) !== JSON.stringify(after[name] ?? null);

/** What counts edits and time by itself. */
const BESIDES = ['version', 'paidUntil', 'lastSeen'];
const LABELS: Readonly<Record<string, string>> = {
  displayOrder: 'place in the list',
  durationSeconds: 'length',
  maxDevices: 'number of devices',
  logoUrl: 'logo',
};
const LONGEST = 60;
const LANGUAGES = new Intl.DisplayNames('en', { type: 'language' });

/** `the length of Day from 1 hour to 2 hours and the description`; empty where nothing differs. */
function changed(told: Told, spoken: readonly string[] = [], whose = ''): string {
  const parts = Object.keys(told.after)
    .filter(name => !BESIDES.includes(name) && !spoken.includes(name) && differs(told, name))
    .map((name, index) => `the ${LABELS[name] ?? words(name)}${index === 0 ? whose : ''} ${fromTo(told, name)}`.trim());
  return listed(parts);
}

/** Empty where the values are too long for a sentence. */
function fromTo({ before, after, names }: Told, name: string): string {
  const [from, to] = [before, after].map(values => shown(name, values[name], names));
  return [from, to].some(value => value === undefined || value.length > LONGEST) ? '' : `from ${from} to ${to}`;
}

/** As it is read: `1,500` for an amount, `2 hours` for seconds. Undefined where it is no plain value. */
function shown(name: string, value: unknown, { policy }: Names): string | undefined {
  if (value === null || value === undefined || value === '') return 'none';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'number') {
    if (name.endsWith('Minor')) return readableAmount({ minor: value, currency: policy.currency });
    return name.endsWith('Seconds') ? humanDuration(value) : value.toLocaleString('en');
  }
  if (typeof value === 'object') return 'minor' in value ? readableAmount(value as Money) : undefined;
  return text(value);
}

const text = (value: unknown): string =>
  typeof value === 'string' ? value : value === null || value === undefined ? '' : JSON.stringify(value);
/** `displayOrder`, `voucher_batch` → `display order`, `voucher batch` */
const words = (name: string): string =>
  name.replaceAll(/[_-]/g, ' ').replaceAll(/[A-Z]/g, letter => ` ${letter.toLowerCase()}`);
const listed = (parts: readonly string[]): string =>
  [parts.slice(0, -1).join(', '), parts.at(-1)].filter(Boolean).join(' and ');

const because = ({ reason }: Details): string => (text(reason) === '' ? '' : `: ${text(reason)}`);
const sessions = (of: Details): string => many(Number(of['sessions']), 'session');
const device = (of: Details): string => text(of['name']) || text(of['mac']);
const given = (seconds: unknown): string =>
  Number(seconds) < 0 ? `took ${humanDuration(-Number(seconds))} from` : `gave ${humanDuration(Number(seconds))} to`;

function person(id: unknown, { reads }: Names): string {
  const user = typeof id === 'number' ? reads.users.byId(id) : null;
  return user === null || user.phone.startsWith('deleted:') ? `user ${text(id)}`.trim() : user.phone;
}
const bundle = (id: unknown, { reads }: Names): string => reads.bundles.byId(Number(id))?.name ?? `bundle ${text(id)}`;
const admin = (id: unknown, { reads }: Names): string => reads.admins.byId(Number(id))?.username ?? `admin ${text(id)}`;
