/** The filters over a list. Each is kept in the address under its name. */
import type { ComponentChildren } from 'preact';
import type { Loaded } from '../lib/data.ts';
import { useFilter } from '../lib/route.ts';
import { Field, FieldProblems, type FieldProps, Select, type SelectProps } from './form.tsx';

interface FiltersProps {
  /** What is filtered. */
  of: Pick<Loaded<unknown>, 'error'>;
  /** What the API calls each filter; what it says of one shows at it. */
  names: Readonly<Record<string, string>>;
  children: ComponentChildren;
}

export function Filters({ of: { error }, names, children }: FiltersProps) {
  const problems = Object.entries(names).map(([name, parameter]) => [name, error?.details[parameter] ?? []]);
  return (
    <div class="filters" role="search">
      <FieldProblems.Provider value={Object.fromEntries(problems)}>{children}</FieldProblems.Provider>
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
