/** The filters over a list. Each is kept in the address under its name. */
import type { ComponentChildren } from 'preact';
import { useFilter } from '../lib/route.ts';
import { Field, type FieldProps, Select, type SelectProps } from './form.tsx';

export function Filters({ children }: { children: ComponentChildren }) {
  return (
    <div class="filters" role="search">
      {children}
    </div>
  );
}

type SearchProps = Pick<FieldProps, 'name' | 'label' | 'inputMode' | 'placeholder' | 'code'>;

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
