/** The menus under `/system` that describe the machine. */
import { isAtLeast, type RouterKnobs } from './knobs.ts';
import { type Menu, viewMenu } from './menu.ts';
import { Table } from './table.ts';
import { formatDuration, oneOf, text, yesNo } from './values.ts';

/** What the menus ask of the router: milliseconds, on the simulator's clock. */
export interface Machine {
  readonly knobs: RouterKnobs;
  now(): number;
  readonly bootedAt: number;
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const TOTAL_MEMORY = 268_435_456;

export function identityTable(name: string): Table {
  const table = new Table({ single: true, properties: { name: { write: text } } });
  table.install({ name });
  return table;
}

export function resourceMenu(machine: Machine): Menu {
  const uptime = () => (machine.now() - machine.bootedAt) / 1_000;
  return record({
    uptime: () => formatDuration(uptime()),
    version: () => `${machine.knobs.version} (stable)`,
    'build-time': () => '2024-09-20 13:00:27',
    // Drifts a little, as a living machine's numbers do.
    'free-memory': () => String(TOTAL_MEMORY / 2 - (Math.floor(uptime() / 60) % 16) * 65_536),
    'total-memory': () => String(TOTAL_MEMORY),
    cpu: () => 'ARM64',
    'cpu-count': () => '4',
    'cpu-frequency': () => '864',
    'cpu-load': () => String(3 + (Math.floor(uptime() / 10) % 9)),
    'free-hdd-space': () => '88080384',
    'total-hdd-space': () => '134217728',
    'architecture-name': () => 'arm64',
    'board-name': () => (machine.knobs.routerboard ? 'hAP ax^2' : 'CHR'),
    platform: () => 'MikroTik',
  });
}

export function routerboardMenu(machine: Machine): Menu {
  return record({
    routerboard: () => 'true',
    'board-name': () => 'hAP ax^2',
    model: () => 'C52iG-5HaxD2HaxD',
    'serial-number': () => 'HEX0SIMULATE',
    'firmware-type': () => 'ipq6000',
    'factory-firmware': () => '7.5',
    'current-firmware': () => machine.knobs.version,
    'upgrade-firmware': () => machine.knobs.version,
  });
}

export function clockMenu(machine: Machine): Menu {
  const date = () => new Date(machine.knobs.clockAt1970 ? machine.now() - machine.bootedAt : machine.now());
  return record({
    time: () => date().toISOString().slice(11, 19),
    date: () => {
      const [year, month, day] = date().toISOString().slice(0, 10).split('-');
      return isAtLeast(machine.knobs.version, '7.10')
        ? `${year}-${month}-${day}`
        : `${MONTHS[Number(month) - 1]}/${day}/${year}`;
    },
    'time-zone-autodetect': () => 'true',
    'time-zone-name': () => 'UTC',
    'gmt-offset': () => '+00:00',
    'dst-active': () => 'false',
  });
}

/** The time client of RouterOS 7, switched off as it comes. */
export function timeClientTable(): Table {
  const table = new Table({
    single: true,
    properties: {
      enabled: { write: yesNo },
      mode: { write: oneOf('unicast', 'broadcast', 'multicast', 'manycast') },
      servers: { write: text },
      vrf: { write: text },
      'freq-drift': {},
      status: { read: row => (row['enabled'] === 'true' ? 'synchronized' : 'stopped') },
    },
  });
  table.install({ enabled: 'false', mode: 'unicast', servers: '', vrf: 'main', 'freq-drift': '0 PPM' });
  return table;
}

function record(readers: Record<string, () => string>): Menu {
  const self = {};
  return viewMenu<object>(readers, { items: () => [self], find: () => undefined, single: true });
}
