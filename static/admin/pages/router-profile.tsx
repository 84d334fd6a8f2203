/** Which of the router's profiles a bundle takes: chosen from a list, or typed where the router does not answer. */
import { useState } from 'preact/hooks';
import type { ReplyOf } from '../../../src/contract/endpoint.ts';
import type { routerProfiles } from '../../../src/contract/router.ts';
import { useApi } from '../lib/data.ts';
import { Field, Select } from '../ui/form.tsx';

const FIELD = { name: 'router_profile', label: 'Router profile' };

export function RouterProfile({ value }: { value: string }) {
  // What is typed before the router has answered stays.
  const [chosen, setChosen] = useState(value);
  const { data, error } = useApi<ReplyOf<typeof routerProfiles>>('/admin/router/profiles/');
  if (data === null) {
    const hint =
      error === null
        ? 'The router is being asked which ones it has.'
        : 'The router does not tell which ones it has: type the name. Empty: its default profile.';
    return <Field {...FIELD} value={value} hint={hint} onInput={setChosen} />;
  }
  const there = data.profiles.map(
    ({ name, rate_limit: speed }) => [name, speed ? `${name} · ${speed}` : name] as const,
  );
  const isGone = chosen !== '' && !there.some(([name]) => name === chosen);
  return (
    <Select
      {...FIELD}
      value={chosen}
      hint="For its own speed."
      options={[
        ['', 'The router’s default profile'],
        ...there,
        ...(isGone ? ([[chosen, `${chosen} · not on the router`]] as const) : []),
      ]}
    />
  );
}
