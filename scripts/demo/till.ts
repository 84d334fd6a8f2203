/** The counter: who sells for cash at which hour, and the shifts of the last days. */
import { closeShift, expectedMinor, explainShift, moveCash, openShift } from '../../src/domain/shifts.ts';
import { addDays, addSeconds, type Day, type Instant, startOfDay } from '../../src/domain/time.ts';
import type { Colleague } from './cafe.ts';
import { known, type Scene, type Stage } from './stage.ts';

export interface Shift {
  who: Colleague;
  from: Instant;
  to: Instant;
  /** False: it still runs. */
  isClosed: boolean;
}

const CLOSED_SHIFTS = 12;
const HOURS = [
  { who: 'daudi', from: 8, to: 15 },
  { who: 'zawadi', from: 15, to: 22.5 },
] as const;
const FLOAT_MINOR = 20_000_00;

/** One shift, counted from the last closed one, was short. */
const SHORT_SHIFT = 3;
const SHORT_MINOR = 500_00;
const SHORT_NOTE = 'I think I gave change for 1,000 twice when the queue was long.';

/** Twelve closed ones and the one that is open now, oldest first. */
export function shiftsOf(today: Day, zone: string, now: Instant): Shift[] {
  const begun: Shift[] = [];
  for (let ago = CLOSED_SHIFTS; ago >= 0; ago -= 1) {
    const midnight = startOfDay(addDays(today, -ago), zone);
    for (const { who, from, to } of HOURS) {
      const shift = { who, from: addSeconds(midnight, from * 3_600), to: addSeconds(midnight, to * 3_600 - 300) };
      if (shift.from < now) begun.push({ ...shift, isClosed: true });
    }
  }
  const last = begun.slice(-CLOSED_SHIFTS - 1);
  return last.map((shift, place) => (place === CLOSED_SHIFTS ? { ...shift, isClosed: false } : shift));
}

/** Put into the drawer or taken out of it in the middle of a shift: the first of the day, and the second. */
const MOVED = [
  { amountMinor: 5_000_00, reason: 'Small change from the bank' },
  { amountMinor: -10_000_00, reason: 'Brought to the safe' },
] as const;

export function shiftScenes(shifts: readonly Shift[]): Scene[] {
  return shifts.flatMap(({ who, from, to, isClosed }, place) => {
    const begin = (stage: Stage) => void openShift(stage.staff(from, who), { openingFloatMinor: FLOAT_MINOR });
    const middle = addSeconds(from, 2 * 3_600);
    const move = (stage: Stage) => {
      const { amountMinor, reason } = MOVED[who === 'daudi' ? 0 : 1];
      moveCash(stage.staff(middle, who), { amountMinor, reason });
    };
    const isShort = place === CLOSED_SHIFTS - SHORT_SHIFT;
    const end = (stage: Stage) => {
      const tx = stage.staff(to, who);
      const shift = tx.shifts.openOf(known(stage.admins, who));
      if (shift === null) throw new Error(`${who} has no open shift.`);
      closeShift(tx, { countedMinor: expectedMinor(shift) - (isShort ? SHORT_MINOR : 0), note: '' });
      const adminId = shift.adminId;
      if (isShort) explainShift(stage.staff(addSeconds(to, 90), who), { shiftId: shift.id, adminId, note: SHORT_NOTE });
    };
    const scenes = [
      { at: from, play: begin },
      { at: middle, play: move },
      { at: to, play: end },
    ];
    return isClosed ? scenes : scenes.slice(0, 2);
  });
}

/** Who stands at the counter; null: nobody. Before there were shifts, the staff sold, and in the evening the owner. */
export function sellerAt(at: Instant, shifts: readonly Shift[]): Colleague | null {
  const [first] = shifts;
  if (first === undefined || at < first.from) return at.slice(11, 13) > '16' ? 'mariam' : 'baraka';
  return shifts.find(({ from, to, isClosed }) => at > from && (at < to || !isClosed))?.who ?? null;
}
