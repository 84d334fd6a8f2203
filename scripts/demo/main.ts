/** `scripts/run`: a café's hotspot on this machine. Nothing of it outlives the program. */
import { inspect } from 'node:util';
import { print, UsageError } from '../../src/commands/command.ts';
import { stopSignal } from '../../src/commands/serve.ts';
import { readConfig } from '../../src/config.ts';
import { fromEpochMs, localClock } from '../../src/domain/time.ts';
import { BRANDING, STAFF } from './cafe.ts';
import { type Demo, ROUTER_ACCOUNT, startDemo } from './demo.ts';
import { portalOf, startPage } from './page.ts';

async function main(args: readonly string[]): Promise<void> {
  const [option, ...others] = args;
  if (others.length > 0 || (option !== undefined && option !== '--empty')) {
    throw new UsageError(['scripts/run takes --empty, for a box as it comes, or nothing.']);
  }
  const isEmpty = option === '--empty';
  const { port } = readConfig({ LANGO_PORT: process.env['LANGO_PORT'] });
  const stopped = stopSignal();
  const page = await startPage();
  const demo = await startDemo({ port, isEmpty, smsUrl: page.smsUrl });
  page.show(demo);
  try {
    watch(demo);
    print(isEmpty ? welcomeToBox(demo, page.url) : welcome(demo, page.url));
    await stopped;
  } finally {
    await demo.stop();
    page.stop();
  }
}

/** Says, live, what the router sees. */
function watch({ router, app }: Demo): void {
  const time = (at: number) => localClock(fromEpochMs(at), app.context.policy.timeZone).slice(11);
  router.on('login', ({ mac, name, endsAt }) => {
    print(`  router: ${mac} (${name}) online${endsAt === null ? '' : ` until ${time(endsAt)}`}`);
  });
  router.on('logout', ({ mac, name, cause, at }) =>
    print(`  router: ${mac} (${name}) offline at ${time(at)}: ${cause}`),
  );
}

/** Those with a part of their own: two at the gate, and one whose time is about to end. */
const phonesOf = (demo: Demo) =>
  demo.phones.all.slice(0, 3).map(phone => `  ${phone.name.padEnd(8)} ${portalOf(demo, phone)}`);

function welcome(demo: Demo, page: string): string {
  return [
    `${BRANDING.businessName} is open on this machine. Open a phone’s portal in a browser:`,
    ...phonesOf(demo),
    '',
    `All fifteen phones, and what may go wrong (the router off, the provider down, a slow uplink, a clock that jumps):`,
    `  ${page}`,
    '',
    `Admin site  ${demo.app.url}/api/admin/   password ${demo.password}`,
    ...Object.entries(STAFF).map(([name, { role }]) => `  ${name.padEnd(8)} ${role}`),
    '',
    'Vouchers for an hour, should you rather not pay:',
    ...demo.codes.map(code => `  ${code}`),
    '',
    'What the router sees (Ctrl-C ends the demo):',
  ].join('\n');
}

function welcomeToBox(demo: Demo, page: string): string {
  const { username, password } = ROUTER_ACCOUNT;
  return [
    'A box as it comes is on. Set it up in a browser:',
    `  ${demo.app.url}/api/admin/   code ${demo.setupCode}`,
    '',
    `Its router  127.0.0.1, port ${demo.router.port}   user name ${username}   password ${password}`,
    '',
    'Phones that wait for it:',
    ...phonesOf(demo),
    '',
    `What may go wrong: ${page}`,
    '',
    'What the router sees (Ctrl-C ends the demo):',
  ].join('\n');
}

main(process.argv.slice(2)).then(
  () => process.exit(0),
  (error: unknown) => {
    const isUsage = error instanceof UsageError;
    process.stderr.write(`${isUsage ? error.message : inspect(error)}\n`);
    process.exit(isUsage ? 2 : 1);
  },
);
