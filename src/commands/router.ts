/** `lango router …`: what the router lacks, how it gets it, and how it is rid of it again. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
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
import { capabilitiesOf } from '../payment/index.ts';
import { createProvisioner } from '../router/provisioning/provisioner.ts';
import { provisioningScript } from '../router/provisioning/script.ts';
import { openForReading } from '../store/database.ts';
import { holdFolder } from '../store/folder.ts';
import { settingRepository } from '../store/settings.ts';
import { booksFile } from './books.ts';
import { print, UsageError } from './command.ts';
import { runProve } from './router-prove.ts';

/** Nobody waits for it behind a browser, so a slow router gets more time than the appliance gives it. */
const DEADLINE_MS = 60_000;
const ACTIONS = { check, plan, apply } as const;
const USAGE =
  'Say what to do: lango router check|plan|apply|script|remove [--interface NAME], or lango router prove [MAC]';

export async function run(args: readonly string[]): Promise<void> {
  const { action, chosenInterface, phone } = argumentsOf(args);
  const config = readConfig(process.env);
  const settings = storedSettings(config) ?? config.router;
  const walledGarden = capabilitiesOf(config.payment).walledGarden;
  const needs = routerNeeds(config.baseUrl, walledGarden, settings, chosenInterface);
  if (action === 'script') return printScript(needs, settings);

  if (settings === null) throw new UsageError(['LANGO_ROUTER_HOST is missing: there is no router to look at.']);
  const provisioner = createProvisioner({ settings: () => settings, needs: () => needs, deadlineMs: DEADLINE_MS });
  if (action === 'prove') await runProve(settings, phone);
  else if (action === 'remove') await withFolder(config, () => remove(provisioner));
  else await ACTIONS[action](provisioner);
}

interface Arguments {
  action: keyof typeof ACTIONS | 'script' | 'remove' | 'prove';
  /** For a hotspot where there is none. */
  chosenInterface: string | null;
  /** Of the phone that takes part. */
  phone: string | null;
}

function argumentsOf([action = '', ...rest]: readonly string[]): Arguments {
  const [first = null, second = null] = rest;
  const isKnown = action === 'script' || action === 'remove' || Object.hasOwn(ACTIONS, action);
  const known = isKnown ? (action as Arguments['action']) : null;
  if (known !== null && rest.length === 0) return { action: known, chosenInterface: null, phone: null };
  if (known !== null && rest.length === 2 && first === '--interface') {
    return { action: known, chosenInterface: second, phone: null };
  }
  if (action === 'prove' && rest.length <= 1) return { action, chosenInterface: null, phone: first };
  throw new UsageError([USAGE]);
}

async function check(provisioner: RouterProvisioner): Promise<void> {
  report(await provisioner.plan());
}

async function plan(provisioner: RouterProvisioner): Promise<void> {
  const found = await provisioner.plan();
  const { steps, missing } = found;
  if (steps.length === 0) print('There is nothing that Lango would change.');
  for (const { what, why, command } of steps) print(`# ${what} ${why}\n${command}\n`);
  printList('To be done by you:', missing);
  printList('Worth knowing:', notesOf(found));
}

async function apply(provisioner: RouterProvisioner): Promise<void> {
  report(await carryOut(provisioner.apply, 'There was nothing to change.'));
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
function report(found: RouterPlan): void {
  const { steps } = found;
  if (isReady(found)) print('The router has everything that Lango needs.');
  else {
    printList('The router is not ready for Lango:', lacksOf(found));
    if (steps.length > 0) print('`lango router plan` shows the commands, `lango router apply` runs them.');
    process.exitCode = 1;
  }
  printList('Worth knowing:', notesOf(found));
}

function printScript({ portal, portalProblem, ...needs }: RouterNeeds, settings: RouterSettings | null): void {
  if (portal === null) throw new UsageError([portalProblem ?? '']);
  process.stdout.write(provisioningScript({ ...needs, portal, portalProblem }, settings));
}

/** What was entered in the admin pages wins over the environment. */
function storedSettings(config: Config): RouterSettings | null {
  const file = booksFile(config);
  if (!existsSync(file)) return null;
  const db = openForReading(file);
  try {
    return settingRepository(db).get('router');
  } finally {
    db.close();
  }
}

function printList(title: string, sentences: readonly string[]): void {
  if (sentences.length > 0) print([title, ...sentences.map(sentence => `- ${sentence}`)].join('\n'));
}
