/** `lango router …`: what the router lacks, how it gets it, and how it is rid of it again. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type Config, readConfig } from '../config.ts';
import type { RouterSettings } from '../domain/ports.ts';
import {
  isReady,
  lacksOf,
  notesOf,
  type RouterNeeds,
  type RouterPlan,
  type RouterProvisioner,
  routerNeeds,
} from '../domain/provisioning.ts';
import { type Router, routersOf } from '../domain/routers.ts';
import { capabilitiesOf } from '../payment/index.ts';
import { createProvisioner } from '../router/provisioning/provisioner.ts';
import { provisioningScript } from '../router/provisioning/script.ts';
import { openForReading } from '../store/database.ts';
import { holdFolder } from '../store/folder.ts';
import { routerRepository } from '../store/routers.ts';
import { settingRepository } from '../store/settings.ts';
import { booksFile } from './books.ts';
import { print, UsageError } from './command.ts';
import { routerNamed, routerOption } from './router-named.ts';
import { runProve } from './router-prove.ts';

/** Nobody waits for it behind a browser, so a slow router gets more time than the appliance gives it. */
const DEADLINE_MS = 60_000;
const ACTIONS = { check, plan, apply } as const;
const USAGE = [
  'Say what to do:',
  'lango router check|plan|apply|script|remove [--router NAME_OR_ID] [--interface NAME]',
  'lango router prove [--router NAME_OR_ID] [MAC]',
];

export async function run(args: readonly string[]): Promise<void> {
  const { action, wanted, chosenInterface, phone } = argumentsOf(args);
  const config = readConfig(process.env);
  const router = routerNamed(knownRouters(config), wanted);
  const { settings } = router;
  const walledGarden = capabilitiesOf(config.payment).walledGarden;
  const needs = routerNeeds(config.baseUrl, walledGarden, settings, chosenInterface);
  if (action === 'script') return printScript(needs, settings);

  if (settings === null) throw new UsageError(['LANGO_ROUTER_HOST is missing: there is no router to look at.']);
  const provisioner = createProvisioner({ settings: () => settings, needs: () => needs, deadlineMs: DEADLINE_MS });
  const option = routerOption(router);
  if (action === 'prove') await runProve(settings, option, phone);
  else if (action === 'remove') await withFolder(config, () => remove(provisioner));
  else await ACTIONS[action]({ provisioner, option, isByVariables: settings === config.router });
}

/** A router that is looked at. */
interface Asked {
  provisioner: RouterProvisioner;
  /** That names it. */
  option: string;
  /** The environment says how to reach it. */
  isByVariables: boolean;
}

interface Arguments {
  action: keyof typeof ACTIONS | 'script' | 'remove' | 'prove';
  /** Name or number of a router; null: the default one. */
  wanted: string | null;
  /** For a hotspot where there is none. */
  chosenInterface: string | null;
  /** Of the phone that takes part. */
  phone: string | null;
}

function argumentsOf([action = '', ...rest]: readonly string[]): Arguments {
  const isProof = action === 'prove';
  const isKnown = isProof || action === 'script' || action === 'remove' || Object.hasOwn(ACTIONS, action);
  const { router = null, interface: chosenInterface = null, phones } = optionsIn(rest);
  const [phone = null] = phones;
  if (!isKnown || phones.length > (isProof ? 1 : 0) || (isProof && chosenInterface !== null)) {
    throw new UsageError(USAGE);
  }
  return { action: action as Arguments['action'], wanted: router, chosenInterface, phone };
}

function optionsIn(args: readonly string[]) {
  const options = { router: { type: 'string' }, interface: { type: 'string' } } as const;
  try {
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
    return { ...values, phones: positionals };
  } catch {
    throw new UsageError(USAGE);
  }
}

async function check(asked: Asked): Promise<void> {
  report(await asked.provisioner.plan(), asked);
}

async function plan({ provisioner, isByVariables }: Asked): Promise<void> {
  const found = await provisioner.plan();
  const { steps, missing } = found;
  if (steps.length === 0) print('There is nothing that Lango would change.');
  for (const { what, why, command } of steps) print(`# ${what} ${why}\n${command}\n`);
  printList('To be done by you:', missing);
  printList('Worth knowing:', notesOf(found, isByVariables));
}

async function apply(asked: Asked): Promise<void> {
  report(await carryOut(asked.provisioner.apply, 'There was nothing to change.'), asked);
}

/** A running appliance would put everybody back within seconds. @throws LangoError STORAGE_UNAVAILABLE it runs */
async function withFolder({ dataDir }: Config, work: () => Promise<void>): Promise<void> {
  const folder = resolve(dataDir);
  const hold = existsSync(folder) ? holdFolder(folder) : null;
  try {
    await work();
  } finally {
    hold?.release();
  }
}

async function remove(provisioner: RouterProvisioner): Promise<void> {
  const { steps, missing, notes } = await carryOut(provisioner.remove, 'The router holds nothing of Lango.');
  const left = [...missing, ...steps.map(({ what }) => what)];
  printList('What is left of Lango:', left);
  printList('To be done by you:', notes);
  if (left.length > 0) process.exitCode = 1;
}

async function carryOut(change: RouterProvisioner['apply'], nothing: string): Promise<RouterPlan> {
  let changes = 0;
  const left = await change(({ what, refusal }) => {
    changes += 1;
    print(refusal === null ? `Done: ${what}` : `Refused: ${what} ${refusal}`);
  });
  if (changes === 0) print(nothing);
  return left;
}

/** Says what is missing, and ends the program with 1 when anything is. */
function report(found: RouterPlan, { option, isByVariables }: Asked): void {
  const { steps } = found;
  if (isReady(found)) print('The router has everything that Lango needs.');
  else {
    printList('The router is not ready for Lango:', lacksOf(found));
    if (steps.length > 0)
      print(`\`lango router plan${option}\` shows the commands, \`lango router apply${option}\` runs them.`);
    process.exitCode = 1;
  }
  printList('Worth knowing:', notesOf(found, isByVariables));
}

function printScript({ portal, portalProblem, ...needs }: RouterNeeds, settings: RouterSettings | null): void {
  if (portal === null) throw new UsageError([portalProblem ?? '']);
  process.stdout.write(provisioningScript({ ...needs, portal, portalProblem }, settings));
}

function knownRouters(config: Config): Router[] {
  const file = booksFile(config);
  if (!existsSync(file)) return routersOf(null, config.router);
  const db = openForReading(file);
  try {
    return routersOf({ settings: settingRepository(db), routers: routerRepository(db) }, config.router);
  } finally {
    db.close();
  }
}

function printList(title: string, sentences: readonly string[]): void {
  if (sentences.length > 0) print([title, ...sentences.map(sentence => `- ${sentence}`)].join('\n'));
}
