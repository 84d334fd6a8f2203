/** What looking at a router comes to: changes, what is missing, and what is worth knowing. */
import type { RouterSettings } from '../../domain/ports.ts';
import type { RouterNeeds, SecureLine } from '../../domain/provisioning.ts';
import type { Row } from '../link.ts';
import { isOurs } from '../rows.ts';
import type { Command } from './commands.ts';
import type { RouterSurvey } from './survey.ts';

export interface Change {
  what: string;
  why: string;
  /** Carried out in this order; none after one that is refused. */
  commands: readonly Command[];
}

export interface Draft {
  changes: Change[];
  missing: string[];
  notes: string[];
  secureLine: SecureLine | null;
}

/** The input of each part of the plan; its result goes into the draft. */
export interface PlanContext {
  needs: RouterNeeds;
  found: RouterSurvey;
  settings: RouterSettings;
  /** The appliance stands on the network of a hotspot. */
  isOnHotspot: boolean;
  draft: Draft;
}

/** Rows of ours that nothing needs. */
export function removals(menu: string, rows: readonly Row[], kept: ReadonlySet<Row>): Change[] {
  return rows
    .filter(row => isMarked(row) && !kept.has(row))
    .map(row => ({
      what: `Remove Lango's own entry "${row['comment']}".`,
      why: 'What it was made for has gone, or it has been changed since.',
      commands: [{ menu, verb: 'remove', id: row['.id'] ?? '' }],
    }));
}

export function isMarked(row: Row): boolean {
  return isOurs(row['comment'] ?? '');
}
