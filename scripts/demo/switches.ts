/** What goes wrong in places like this, to be switched on and off while one looks at what Lango does. */
import type { SandboxService } from '../../src/sandbox/service.ts';
import type { RouterSimulator } from '../../test/simulator/router.ts';
import type { DemoClock } from './clock.ts';
import type { Phones } from './phones.ts';

export interface Switch {
  name: 'router' | 'provider' | 'uplink' | 'clock';
  label: string;
  /** What to look at meanwhile. */
  hint: string;
  isOn: boolean;
  set(isOn: boolean): Promise<void>;
}

const SLOW_UPLINK_MS = 6_000;
const JUMP_SECONDS = 2 * 86_400;

interface Parts {
  router: RouterSimulator;
  phones: Phones;
  sandbox: SandboxService;
  clock: DemoClock;
}

export function switchesOf({ router, phones, sandbox, clock }: Parts): Switch[] {
  return [
    switchOf('router', 'Router off', 'Everybody is offline until it is back; nobody loses time.', async isOn => {
      if (!isOn) await router.startListening();
      phones.setWifi(!isOn);
      if (!isOn) return;
      router.reboot();
      await router.stopListening();
    }),
    switchOf('provider', 'Provider down', 'Phone money fails; vouchers and cash go on.', async isOn => {
      sandbox.faults.down = isOn;
    }),
    switchOf('uplink', 'Slow uplink', `The provider takes ${SLOW_UPLINK_MS / 1_000} s to answer.`, async isOn => {
      sandbox.faults.delayMs = isOn ? SLOW_UPLINK_MS : 0;
    }),
    switchOf(
      'clock',
      'Clock jump',
      'The machine says that it is the day after tomorrow; nobody is cut off.',
      async isOn => {
        clock.jumpedSeconds = isOn ? JUMP_SECONDS : 0;
      },
    ),
  ];
}

function switchOf(name: Switch['name'], label: string, hint: string, act: (isOn: boolean) => Promise<void>): Switch {
  return {
    name,
    label,
    hint,
    isOn: false,
    async set(isOn) {
      if (isOn === this.isOn) return;
      this.isOn = isOn;
      await act(isOn);
    },
  };
}
