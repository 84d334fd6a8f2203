/** The "I paid" desk, and the phones at the gate. See docs/rules.md: The desk. */
import { connectDevice, listGate, lookUp } from '../../contract/desk.ts';
import { diagnose } from '../../domain/diagnosis.ts';
import { createCodeReadLog, readerOf } from '../code-readers.ts';
import type { Context } from '../context.ts';
import { readGate } from '../gate.ts';
import type { Api } from '../route.ts';
import { deskCaseView, gatePhoneView } from '../views/desk.ts';
import { deviceView } from '../views/devices.ts';
import { factsOf, subjectsOf } from './desk-subjects.ts';

const MOST_CASES = 10;
/** More than a counter can look through. */
const MOST_AT_GATE = 100;

export function deskRoutes(api: Api, context: Context): void {
  const { commit, site, applyAccess } = context;
  const codeReads = createCodeReadLog(context);

  api.handle(lookUp, async ({ query, caller, actor }) => {
    const gate = await readGate(context);
    const subjects = subjectsOf(context, query.search, MOST_CASES + 1);
    const reader = readerOf(caller);
    // Also of a code that is masked: who knows the whole of it learns that it is good.
    for (const { voucher } of subjects.filter(subject => subject.voucher?.usedAt === null)) {
      codeReads.recordThrottled({ subject: 'voucher', subjectId: voucher?.id, codes: 1, actor });
    }
    return {
      success: true,
      cases: subjects
        .slice(0, MOST_CASES)
        .map(subject => deskCaseView(context, subject, diagnose(factsOf(context, subject, gate)), reader)),
      more: subjects.length > MOST_CASES,
    };
  });

  api.handle(listGate, async () => {
    const { isKnown, waiting } = await readGate(context);
    return {
      success: true,
      router_connected: isKnown,
      phones: waiting.slice(0, MOST_AT_GATE).map(host => gatePhoneView(context, host)),
      total: waiting.length,
    };
  });

  api.handle(connectDevice, async ({ body, actor }) => {
    const input = { phone: body.phone_number, mac: body.mac_address, onlineMacs: site.onlineMacs() };
    const { device, replaced } = await commit('connectDevice', input, actor);
    await applyAccess(device.userId);
    const online = site.isOnline(device.mac);
    const away = site.isConnected
      ? 'It goes online as soon as it is on the Wi-Fi.'
      : 'The router does not answer: it goes online when the router is back.';
    const madeWay = replaced === null ? '' : ` ${replaced.name} (${replaced.mac}) made way.`;
    return {
      success: true,
      message: `The phone has its place. ${online ? 'It is online.' : away}${madeWay}`,
      device: deviceView(device),
      online,
      replaced_mac_address: replaced?.mac ?? null,
    };
  });
}
