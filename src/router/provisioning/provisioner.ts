/** Sets a RouterOS router up, over a connection of its own that lasts for one question. */
import type { RouterSettings } from '../../domain/ports.ts';
import type {
  RouterChange,
  RouterNeeds,
  RouterPlan,
  RouterProvisioner,
  RouterStep,
} from '../../domain/provisioning.ts';
import { type Clock, systemClock } from '../../domain/time.ts';
import { silenceMs } from '../connection.ts';
import { notConfigured, type RouterTrap, trapOf } from '../faults.ts';
import { type Caller, RouterLink, type Row } from '../link.ts';
import { parseBoolean } from '../words.ts';
import { apiWords, type Command, consoleLine } from './commands.ts';
import type { Change, Draft } from './draft.ts';
import { draftPlan } from './plan.ts';
import { draftRemoval, findOurs } from './removal.ts';
import { survey } from './survey.ts';
import { isUndoScript, UNDO_MENU } from './undo.ts';

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

  const withRouter = async <T>(work: (router: Router) => Promise<T>) => {
    const settings = currentSettings();
    if (settings === null) throw notConfigured();
    const until = clock.monotonic() + deadlineMs;
    const link = new RouterLink(settings, { clock, silenceMs: () => silenceMs(deadlineMs) });
    try {
      await link.open(until);
      const look = () => survey(link, currentNeeds(), settings.username, until);
      return await work({
        plan: async () => draftPlan(currentNeeds(), await look(), settings),
        removal: async () => draftRemoval(await look(), await findOurs(link, until), settings),
        make: change => make(link, change, settings.username, until),
      });
    } finally {
      link.close();
    }
  };

  /** What was made may show what else there is to do, such as the page of a hotspot that has just been set up. */
  const carryOut = async (draft: () => Promise<Draft>, makeChange: Make, tell: (change: RouterChange) => void) => {
    const tried = new Set<string>();
    for (;;) {
      const left = await draft();
      const next = left.changes.filter(({ what }) => !tried.has(what));
      if (next.length === 0) return planOf(left);
      for (const change of next) {
        tried.add(change.what);
        tell({ ...stepOf(change), refusal: await makeChange(change) });
      }
    }
  };

  return {
    plan: () => withRouter(async ({ plan }) => planOf(await plan())),
    apply: tell => withRouter(({ plan, make: makeChange }) => carryOut(plan, makeChange, tell)),
    remove: tell => withRouter(({ removal, make: makeChange }) => carryOut(removal, makeChange, tell)),
  };
}

interface Router {
  plan: () => Promise<Draft>;
  removal: () => Promise<Draft>;
  make: Make;
}

type Make = (change: Change) => Promise<string | null>;

/** @returns why the router refused it; null: done */
async function make(caller: Caller, change: Change, account: string, until: number): Promise<string | null> {
  /** The undo script that was added for the command that runs; removed if that is refused. */
  let undoScriptId: string | undefined;
  const run = (words: string[]) => caller.call(words, row => row['ret'], until);
  try {
    for (const command of change.commands) {
      for (const id of await idsOf(caller, command, until)) {
        const [added] = await run(apiWords(command, id));
        undoScriptId = isUndoScript(command) ? added : undefined;
      }
    }
    return null;
  } catch (error) {
    const trap = trapOf(error);
    if (trap === null) throw error;
    if (undoScriptId !== undefined) await run([`${UNDO_MENU}/remove`, `=.id=${undoScriptId}`]).catch(() => {});
    return refusal(trap, account);
  }
}

/** Never a live connection, which stands among the services under their names. */
async function idsOf(caller: Caller, { menu, id, find }: Command, until: number): Promise<(string | undefined)[]> {
  if (find === undefined) return [id];
  const words = [`${menu}/print`, '=.proplist=.id,dynamic,connection', `?${find[0]}=${find[1]}`];
  const rows = await caller.call(words, (row: Row) => row, until);
  return rows.filter(row => !parseBoolean(row['dynamic']) && !parseBoolean(row['connection'])).map(row => row['.id']);
}

function refusal({ message }: RouterTrap, account: string): string {
  const words = `The router says: ${message}.`;
  if (!/not enough permissions/.test(message)) return words;
  return `${words} Add the policy "write" to the group of the account "${account}" on the router.`;
}

function planOf({ changes, ...rest }: Draft): RouterPlan {
  return { steps: changes.map(stepOf), ...rest };
}

function stepOf({ what, why, commands }: Change): RouterStep {
  return { what, why, command: commands.map(command => consoleLine(command)).join('; ') };
}
