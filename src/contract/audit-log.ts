/** Who changed what, when, from where. */
import * as v from 'valibot';

import { endpoint, paged } from './endpoint.ts';
import * as field from './fields.ts';
import * as value from './values.ts';

export const AuditEntry = v.object({
  id: value.id,
  at: value.instant,
  admin_id: v.nullable(value.id),
  admin: value.string,
  ip: v.nullable(value.string),
  action: value.string,
  subject: value.string,
  subject_id: v.nullable(value.id),
  before: v.unknown(),
  after: v.unknown(),
  /** Who did what to whom, for people. */
  sentence: value.string,
});
export type AuditEntry = v.InferOutput<typeof AuditEntry>;

export const readAuditLog = endpoint({
  method: 'GET',
  path: '/admin/audit-log/',
  summary: 'Who changed what, when, from where; newest first',
  auth: 'owner',
  query: v.object({
    ...field.pages,
    admin_id: field.filter(field.idText),
    action: field.filter(field.text(100)),
    subject: field.filter(field.text(100)),
    subject_id: field.filter(field.idText),
    date_from: field.filter(field.day),
    date_to: field.filter(field.day),
  }),
  reply: paged('entries', AuditEntry, {}),
});
