/**
 * A router that has lost everything, as after a reset, with 2,000 paid phones on its Wi-Fi: how long until all are online
 * again where each command takes it 2 ms, one after another; and what is sent for it. The appliance and the router share
 * one process and core here.
 */
import { systemClock } from '../../../src/domain/time.ts';
import { startReconciled } from '../../../test/support/reconciled.ts';
import { type Figure, figure } from '../figures.ts';

const ROUNDS = 3;
const PEOPLE = 2_000;
const COMMAND_MS = 2;

export async function run(): Promise<Figure[]> {
  const seconds: number[] = [];
  const commands: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    await using house = await startReconciled({
      people: PEOPLE,
      hours: 24,
      clock: systemClock,
      router: { commandMs: COMMAND_MS },
    });
    for (const mac of house.macs) house.router.join({ mac });
    const started = performance.now();
    await house.reconciler.reconcileAll();
    seconds.push((performance.now() - started) / 1_000);
    commands.push(house.commands().length / PEOPLE);
    const online = house.router.activeSessions().length;
    if (online !== PEOPLE) throw new Error(`${online} of ${PEOPLE} are online`);
  }
  return [
    figure(`${PEOPLE} phones online again at ${COMMAND_MS} ms a command`, seconds, { most: 10 }, 's'),
    figure('commands for each of them', commands, { most: 5 }),
  ];
}
