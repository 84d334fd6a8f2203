/** A page beside the demo for who tries it: every phone, the switches, and what is told to phones and by the router. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { fromEpochMs, localClock } from '../../src/domain/time.ts';
import { escapeHtml } from '../../src/sandbox/pages.ts';
import { BRANDING, type Person, STAFF } from './cafe.ts';
import type { Demo } from './demo.ts';
import type { Phone } from './phones.ts';

export interface DemoPage {
  url: string;
  smsUrl: string;
  /** From now on it shows that demo. */
  show(demo: Demo): void;
  stop(): void;
}

const MOST_MESSAGES = 10;

/** Before the demo itself, which sends its messages here. */
export async function startPage(): Promise<DemoPage> {
  const messages: { to: string; text: string }[] = [];
  let shown: Demo | null = null;

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method === 'POST' && request.url === '/sms') {
      messages.unshift(JSON.parse(await text(request)) as (typeof messages)[number]);
      messages.splice(MOST_MESSAGES);
      return void response.end();
    }
    if (shown === null) return void response.writeHead(503).end();
    const pressed =
      request.method === 'POST' ? shown.switches.find(({ name }) => request.url === `/${name}`) : undefined;
    if (pressed === undefined) {
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
      return void response.end(pageOf(shown, messages));
    }
    await pressed.set(!pressed.isOn);
    response.writeHead(303, { location: '/' }).end();
  }

  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => response.writeHead(500).end(String(error)));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: `${url}/`,
    smsUrl: `${url}/sms`,
    show: demo => void (shown = demo),
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** What the router's page sends a phone's browser to. */
export function portalOf({ app }: Demo, { mac, address }: Person): string {
  const query = new URLSearchParams({ mac, ip: address, 'link-orig': 'http://example.com/' });
  return `${app.url}/?${query.toString()}`;
}

const STYLE = `
  body { font: 16px/1.5 system-ui, sans-serif; max-width: 46rem; margin: 0 auto; padding: 1rem; color: #1c1917; }
  form { display: grid; grid-template-columns: 9rem 1fr; gap: 0 1rem; align-items: center; margin: .5rem 0; }
  button { font: inherit; padding: .4rem; border: 1px solid #78716c; border-radius: .4rem; background: #fff; }
  button[aria-pressed=true] { background: #9a3412; border-color: #9a3412; color: #fff; }
  table { border-collapse: collapse; width: 100%; } td { padding: .2rem .6rem .2rem 0; } code { font-size: 1.05em; }
`;

function pageOf(demo: Demo, messages: readonly { to: string; text: string }[]): string {
  const { app, router, phones, switches, codes, password } = demo;
  const zone = app.context.policy.timeZone;
  const ends = new Map(router.activeSessions().map(({ mac, endsAt }) => [mac, endsAt]));
  const state = (phone: Phone) => {
    if (!phone.isHere) return 'away';
    const end = ends.get(phone.mac);
    return end == null ? 'at the gate' : `online until ${localClock(fromEpochMs(end), zone)}`;
  };
  const rows = phones.all.map(
    phone =>
      `<tr><td><a href="${escapeHtml(portalOf(demo, phone))}">${escapeHtml(phone.name)}</a><td>${phone.phone}<td>${state(phone)}`,
  );
  const buttons = switches.map(
    ({ name, label, hint, isOn }) =>
      `<form method="post" action="/${name}"><button aria-pressed="${isOn}">${label}</button>${hint}</form>`,
  );
  const staff = Object.entries(STAFF).map(([name, { role }]) => `<code>${name}</code> ${role}`);
  const told = messages.map(message => `<tr><td>${message.to}<td>${escapeHtml(message.text)}`);
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta http-equiv="refresh" content="5"><title>The demo of Lango</title><style>${STYLE}</style>
<h1>${BRANDING.businessName}, the demo</h1>
<h2>What goes wrong</h2>${buttons.join('')}
<h2>Phones</h2><table>${rows.join('')}</table>
<h2>Staff</h2><p><a href="${app.url}/api/admin/">Admin site</a>: ${staff.join(', ')}; password <code>${password}</code></p>
<h2>Vouchers</h2><p>${codes.map(code => `<code>${code}</code>`).join(' ')}</p>
<h2>Messages to phones</h2><table>${told.join('')}</table></html>`;
}
