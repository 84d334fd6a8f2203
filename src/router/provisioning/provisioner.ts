/** Sets a RouterOS router up, over a connection of its own that lasts for one question. */
import type { RouterSettings } from '../../domain/ports.ts';
import type { RouterNeeds, RouterPlan, RouterProvisioner, RouterStep } from '../../domain/provisioning.ts';
import { type Clock, systemClock } from '../../domain/time.ts';
import { silenceMs } from '../connection.ts';
import { notConfigured, type RouterTrap, trapOf } from '../faults.ts';
import { type Caller, RouterLink } from '../link.ts';
import { apiWords, consoleLine } from './commands.ts';
import { type Change, type Draft, draftPlan } from './plan.ts';
import { survey } from './survey.ts';

export interface ProvisionerOptions {
  /** As they stand by now; null: no router is configured. */
  settings: () => RouterSettings | null;
  needs: () => RouterNeeds;
  clock?: Clock;
  /** How long one call may take in all; the interface promises an answer within 10 s. */
  deadlineMs?: number;
}

export function createProvisioner(options: ProvisionerOptions): RouterProvisioner {
  const { settings: currentSettings, needs: currentNeeds, clock = systemClock, deadlineMs = 9_000 } = options;

  const withRouter = async <T>(work: (router: { draft: () => Promise<Draft>; make: Make }) => Promise<T>) => {
    const settings = currentSettings();
    if (settings === null) throw notConfigured();
    const until = clock.monotonic() + deadlineMs;
    const link = new RouterLink(settings, { clock, silenceMs: silenceMs(deadlineMs) });
    try {
      await link.open(until);
      return await work({
        async draft() {
          const needs = currentNeeds();
          return draftPlan(needs, await survey(link, needs.hotspot, settings.username, until), settings.username);
        },
        make: change => make(link, change, settings.username, until),
      });
    } finally {
      link.close();
    }
  };

  return {
    plan: () => withRouter(async ({ draft }) => planOf(await draft())),
    apply: tell =>
      withRouter(async ({ draft, make: makeChange }) => {
        for (const change of (await draft()).changes) tell({ ...stepOf(change), refusal: await makeChange(change) });
        return planOf(await draft());
      }),
  };
}

type Make = (change: Change) => Promise<string | null>;

/** @returns why the router refused it; null: done */
async function make(caller: Caller, change: Change, account: string, until: number): Promise<string | null> {
  try {
    for (const command of change.commands) await caller.call(apiWords(command), () => null, until);
    return null;
  } catch (error) {
    const trap = trapOf(error);
    if (trap === null) throw error;
    return refusal(trap, account);
  }
}

function refusal({ message }: RouterTrap, account: string): string {
  const words = `The router says: ${message}.`;
  if (!/not enough permissions/.test(message)) return words;
  return `${words} Add the policy "write" to the group of the account "${account}" on the router.`;
}

function planOf({ changes, missing, notes }: Draft): RouterPlan {
  return { steps: changes.map(stepOf), missing, notes };
}

function stepOf({ what, why, commands }: Change): RouterStep {
  return { what, why, command: commands.map(consoleLine).join('; ') };
}
