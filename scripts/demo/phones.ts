/** Fifteen phones on the Wi-Fi of the demo: two at the gate, who stay, and thirteen who paid and come and go. */
import type { RouterSimulator } from '../../test/simulator/router.ts';
import { GATE, NEEMA, type Person } from './cafe.ts';
import { seededRandom } from './random.ts';

export interface Phone extends Person {
  /** False: out of reach. */
  isHere: boolean;
}

export interface Phones {
  all: readonly Phone[];
  /** The Wi-Fi itself is gone, or back. */
  setWifi(isThere: boolean): void;
  stop(): void;
}

const CUSTOMERS = 12;
const AWAY_AT_FIRST = 3;
/** One of them comes or goes so often. */
const CHANGE_MS = 20_000;

export function startPhones(router: RouterSimulator, customers: readonly Person[], seed: number): Phones {
  const guests = customers.slice(0, CUSTOMERS).map((person, place) => ({
    ...person,
    address: `10.5.50.${20 + place}`,
    isHere: place >= AWAY_AT_FIRST,
  }));
  const all: Phone[] = [...[...GATE, NEEMA].map(person => ({ ...person, isHere: true })), ...guests];
  const random = seededRandom(seed);
  let hasWifi = true;

  const join = ({ mac, address, device }: Phone) => void router.join({ mac, address, name: device });
  const setWifi = (isThere: boolean) => {
    hasWifi = isThere;
    for (const phone of all.filter(({ isHere }) => isHere)) if (isThere) join(phone);
  };
  const comeOrGo = () => {
    if (!hasWifi || guests.length === 0) return;
    const phone = random.pick(guests);
    phone.isHere = !phone.isHere;
    if (phone.isHere) join(phone);
    else router.leave(phone.mac);
  };
  setWifi(true);
  const changing = setInterval(comeOrGo, CHANGE_MS).unref();
  return { all, setWifi, stop: () => clearInterval(changing) };
}
