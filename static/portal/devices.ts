/** No room for this phone: the registered devices, one of which makes way for it. */
import type { Device } from '../../src/contract/devices.ts';
import { mac } from './address.ts';
import { call, type Problem } from './api.ts';
import { type ConnectResult, connect, refused } from './connect.ts';
import { notify, whileBusy } from './form.ts';
import { byId, element, show } from './page.ts';
import { askForProof } from './proof.ts';
import { count, explain, fill, moment, text } from './words.ts';

type NoRoom = Extract<ConnectResult, { kind: 'no-room' }>;

/** @param found where a successful swap leads */
export async function showDevices(result: NoRoom, found: (result: ConnectResult) => void): Promise<void> {
  const list = byId('device-list');
  list.textContent = '';
  byId('proof-form').hidden = true;
  notify('devices-notice', null);
  show('devices', 'barred', text.devicesTitle, count(result.maxDevices, text.devicesLead));
  const reply = await call<Device[]>(`devices/${encodeURIComponent(result.phone)}/`);
  if (!reply.ok) return notify('devices-notice', explain(reply.problem));
  list.append(named(text.thisPhone, '', mac() || ''));
  for (const device of reply.body) list.append(row(device, result, found));
}

/** A device as people tell theirs apart: by name, by when it was used, by the end of its MAC. */
function named(name: string, used: string, address: string): HTMLElement {
  const item = element('li');
  const end = address && fill('{end}', { end: `•••${address.slice(-6)}` });
  item.append(element('b', '', name), element('small', '', used), element('small', '', end));
  return item;
}

function row(device: Device, result: NoRoom, found: (result: ConnectResult) => void): HTMLElement {
  // What nobody has named has a number for a name, in English.
  const name = device.device_name.replace(/^Device \d+$/, '') || text.anotherPhone;
  const item = named(name, fill(text.lastSeen, { time: moment(device.last_seen) }), device.mac_address);
  const button = element('button', 'primary', text.useThisPhone);
  button.type = 'button';
  button.setAttribute('aria-label', `${text.useThisPhone}: ${name}`);
  button.addEventListener('click', () => whileBusy(button, text.checking, () => choose(device, result, found)));
  item.append(button);
  return item;
}

async function choose(device: Device, { phone, proof }: NoRoom, found: (result: ConnectResult) => void): Promise<void> {
  notify('devices-notice', null);
  const result = await swap(device, phone, proof);
  if (result.kind === 'unproven') return askForProof(result, given => swap(device, phone, given));
  if (result.kind === 'unanswered') return notify('devices-notice', refusal(result.problem));
  found(result);
}

async function swap(device: Device, phone: string, proof?: string): Promise<ConnectResult> {
  const removed = await call('devices/remove/', { phone_number: phone, mac_address: device.mac_address, proof });
  // Somebody else may have taken it off in the meantime: then there is room just the same.
  if (!removed.ok && removed.problem.status !== 404) return refused(phone, removed.problem);
  return connect(phone, proof);
}

function refusal(problem: Problem) {
  return problem.status === 0 || problem.status === 429 ? explain(problem) : text.swapFailed;
}
