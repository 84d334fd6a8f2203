/** A person's devices. */
import * as v from 'valibot';

import { done, endpoint } from './endpoint.ts';
import * as field from './fields.ts';
import * as value from './values.ts';

export const Device = v.object({
  id: value.id,
  mac_address: value.mac,
  device_name: value.string,
  ip_address: value.string,
  first_connected: value.instant,
  last_seen: value.instant,
  is_active: value.boolean,
});
export type Device = v.InferOutput<typeof Device>;

const Person = v.object({ phone_number: field.phone });

export const listDevices = endpoint({
  method: 'GET',
  path: '/devices/:phone_number/',
  summary: "A person's devices",
  auth: 'none',
  params: Person,
  reply: v.array(Device),
});

export const removeDevice = endpoint({
  method: 'POST',
  path: '/devices/remove/',
  summary: 'Make room for another device; a request that comes from no device of the person needs a proof',
  auth: 'none',
  errors: 'action',
  body: v.object({
    phone_number: field.phone,
    mac_address: field.mac,
    proof: field.optional(field.proof),
  }),
  reply: done({ devices_remaining: value.integer }),
  refuses: [403, 404],
});

export const sendProofCode = endpoint({
  method: 'POST',
  path: '/devices/proof/',
  summary: 'Send a code to a number, as a proof that it is the own one; the reply does not tell whose number it is',
  auth: 'none',
  errors: 'action',
  body: Person,
  reply: done({}),
});
