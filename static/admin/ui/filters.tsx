/** The filters over a list. Each is kept in the address under its name. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { Loaded } from '../lib/data.ts';
import { useFilter, useRoute } from '../lib/route.ts';
import { Button } from './button.tsx';
import { Field, FieldProblems, type FieldProps, Select, type SelectProps } from './form.tsx';

interface FiltersProps {
  /** What is filtered. */
  of: Pick<Loaded<unknown>, 'error'>;
  /** What the API calls each filter, in the order in which they stand; what it says of one shows at it. */
  names: Readonly<Record<string, string>>;
  children: ComponentChildren;
}

/** On a phone all but the first are folded away, unless the API objects; how many of these are set is told. */
export function Filters({ of: { error }, names, children }: FiltersProps) {
  const [isOpen, setOpen] = useState(false);
  const { query } = useRoute();
  const [, ...others] = Object.keys(names);
  const set = others.filter(name => query.get(name)).length;
  const problems = Object.entries(names).map(([name, parameter]) => [name, error?.details[parameter] ?? []] as const);
  const isFolded = others.length > 1 && !isOpen && problems.every(([, messages]) => messages.length === 0);
  const more = set === 0 ? 'More filters' : `More filters, ${set} set`;
  return (
    <div class={isFolded ? 'filters folded' : 'filters'} role="search">
      <FieldProblems.Provider value={Object.fromEntries(problems)}>{children}</FieldProblems.Provider>
      {others.length > 1 && (
        <Button expanded={!isFolded} onClick={() => setOpen(!isOpen)}>
          {isFolded ? more : 'Fewer filters'}
        </Button>
      )}
    </div>
  );
}

type SearchProps = Pick<FieldProps, 'name' | 'label' | 'placeholder' | 'code'>;

export function SearchFilter(props: SearchProps) {
  const [value, set] = useFilter(props.name);
  return <Field {...props} type="search" value={value} onInput={set} autoComplete="off" />;
}

export function SelectFilter(props: Pick<SelectProps, 'name' | 'label' | 'options'>) {
  const [value, set] = useFilter(props.name);
  return <Select {...props} value={value} onChange={set} />;
}

/** @param unset the day that counts while none is chosen */
export function DayFilter({ name, label, unset = '' }: { name: string; label: string; unset?: string }) {
  const [value, set] = useFilter(name);
  return <Field name={name} label={label} type="date" value={value || unset} onInput={set} />;
}
