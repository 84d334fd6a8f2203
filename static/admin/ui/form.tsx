/**
 * Forms: the fields are the browser's own, read when the form is sent; what the server says of a field shows at that
 * field, and the first one that needs attention gets the focus.
 */
import { type ComponentChildren, createContext } from 'preact';
import { useContext, useEffect, useId, useRef, useState } from 'preact/hooks';
import { ApiError, sayProblems } from '../lib/api.ts';
import { asApiError } from '../lib/data.ts';
import { business, currencyDecimals } from '../lib/format.ts';
import { readNumber, writeNumber } from '../lib/numbers.ts';
import { Button } from './button.tsx';
import { Notice } from './notice.tsx';

/** Texts as typed, trimmed, and numbers as the API reads them; a box that is not ticked is absent. */
export type Values = Readonly<Record<string, string>>;

/** What is wrong with fields, by their names. */
type Problems = Readonly<Record<string, readonly string[]>>;
export const FieldProblems = createContext<Problems>({});

/** An amount of money; a whole number; any number. */
type NumberKind = 'amount' | 'whole' | 'decimal';

function decimalsOf(kind: NumberKind): number {
  if (kind === 'amount') return currencyDecimals();
  return kind === 'whole' ? 0 : Number.POSITIVE_INFINITY;
}

/** What a field holds as the API reads it. */
function valueOf(form: HTMLFormElement, name: string, typed: string): string {
  const field = form.elements.namedItem(name);
  const kind = field instanceof HTMLElement ? (field.dataset['number'] as NumberKind | undefined) : undefined;
  if (kind === undefined) return typed;
  const text = kind === 'amount' ? typed.replace(business.get().currency, '').trim() : typed;
  return readNumber(text, decimalsOf(kind), navigator.language);
}

/** To the API an empty field is one that is left as it is. @throws ApiError that names each that is needed */
function refuseEmpty(form: HTMLFormElement): void {
  const empty = [...form.querySelectorAll<HTMLInputElement>('[required]')].filter(field => field.value.trim() === '');
  if (empty.length === 0) return;
  throw new ApiError('', -1, { details: Object.fromEntries(empty.map(({ name }) => [name, ['Fill this in.']])) });
}

interface FormProps {
  onSubmit: (values: Values) => Promise<unknown>;
  /** What the button says: the act itself. */
  submit: string;
  kind?: 'primary' | 'danger';
  onCancel?: (() => void) | undefined;
  /** Fields side by side where there is room. */
  columns?: boolean;
  children: ComponentChildren;
}

export function Form({ onSubmit, submit, kind = 'primary', onCancel, columns = false, children }: FormProps) {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<ApiError | null>(null);
  const form = useRef<HTMLFormElement>(null);

  useEffect(() => {
    const first = form.current?.querySelector<HTMLElement>('[aria-invalid="true"]');
    (first ?? form.current?.querySelector<HTMLElement>('[role="alert"]'))?.focus();
  }, [error]);

  async function send(event: SubmitEvent) {
    event.preventDefault();
    if (busy || form.current === null) return;
    const shown = form.current;
    const entries = [...new FormData(shown)].map(([name, value]) => [
      name,
      typeof value === 'string' ? valueOf(shown, name, value.trim()) : '',
    ]);
    setBusy(true);
    setError(null);
    try {
      refuseEmpty(shown);
      await onSubmit(Object.fromEntries(entries) as Values);
    } catch (problem) {
      setError(asApiError(problem));
    }
    setBusy(false);
  }

  const shown = new Set([...(form.current?.elements ?? [])].map(element => (element as HTMLInputElement).name));
  const elsewhere = Object.entries(error?.details ?? {}).filter(([name]) => !shown.has(name));
  const hasFieldProblems = Object.keys(error?.details ?? {}).length > elsewhere.length;
  return (
    <form ref={form} class={columns ? 'form columns' : 'form'} onSubmit={send} noValidate>
      <FieldProblems.Provider value={error?.details ?? {}}>{children}</FieldProblems.Provider>
      {error !== null && !(hasFieldProblems && elsewhere.length === 0) && (
        <Notice tone="bad">
          {elsewhere.length === 0 ? error.message : sayProblems(Object.fromEntries(elsewhere))}
        </Notice>
      )}
      <div class="form-actions">
        <Button type="submit" kind={kind} busy={busy}>
          {submit}
        </Button>
        {onCancel !== undefined && (
          <Button kind="quiet" onClick={onCancel}>
            Cancel
          </Button>
        )}
      </div>
    </form>
  );
}

export interface FieldProps {
  name: string;
  label: string;
  hint?: ComponentChildren;
  type?: 'text' | 'password' | 'email' | 'date' | 'datetime-local' | 'tel' | 'search' | 'color';
  value?: string | number | null | undefined;
  placeholder?: string;
  required?: boolean;
  autoFocus?: boolean;
  autoComplete?: string;
  inputMode?: 'numeric';
  /** Which is read as people write it, and sent as the API reads it. */
  number?: NumberKind;
  /** Set where typing itself does something, as a search. */
  onInput?: (value: string) => void;
  /** Also in capitals and evenly spaced: codes, addresses. */
  code?: boolean;
}

export function Field(props: FieldProps) {
  const { name, label, hint, value, number, required = false, onInput, code = false, ...input } = props;
  const isNumber = number !== undefined && value !== undefined && value !== null && value !== '';
  return (
    <Labelled name={name} label={label} hint={hint} optional={!required && onInput === undefined}>
      {described => (
        <input
          {...described}
          // Which attributes go with which type is the callers' affair.
          {...(input as object)}
          {...(code ? { class: 'code', autoCapitalize: 'off', spellcheck: false } : {})}
          {...(number === undefined ? {} : { inputMode: number === 'whole' ? 'numeric' : 'decimal' })}
          data-number={number}
          name={name}
          defaultValue={isNumber ? writeNumber(value, navigator.language) : (value ?? '')}
          required={required}
          onInput={event => onInput?.(event.currentTarget.value)}
        />
      )}
    </Labelled>
  );
}

/** An amount in the business's currency. */
export const Amount = ({ label, ...field }: Omit<FieldProps, 'number'>) => (
  <Field {...field} label={`${label}, in ${business.get().currency}`} number="amount" />
);

export interface SelectProps {
  name: string;
  label: string;
  hint?: ComponentChildren;
  value?: string | number | undefined;
  options: readonly (readonly [value: string | number, label: string])[];
  onChange?: (value: string) => void;
}

export function Select({ name, label, hint, value, options, onChange }: SelectProps) {
  return (
    <Labelled name={name} label={label} hint={hint}>
      {described => (
        <select {...described} name={name} onChange={event => onChange?.(event.currentTarget.value)}>
          {options.map(([option, text]) => (
            <option key={option} value={option} selected={String(option) === String(value ?? '')}>
              {text}
            </option>
          ))}
        </select>
      )}
    </Labelled>
  );
}

export function TextArea({ name, label, hint, value }: Pick<FieldProps, 'name' | 'label' | 'hint' | 'value'>) {
  return (
    <Labelled name={name} label={label} hint={hint} optional>
      {described => <textarea {...described} name={name} rows={3} defaultValue={String(value ?? '')} />}
    </Labelled>
  );
}

interface CheckProps {
  name: string;
  label: string;
  hint?: string;
  checked: boolean;
}

export function Check({ name, label, hint, checked }: CheckProps) {
  const id = useId();
  const { attributes, notes } = useNotes(id, name, hint);
  return (
    <div class="check">
      <input {...attributes} type="checkbox" id={id} name={name} defaultChecked={checked} />
      <label for={id}>{label}</label>
      {notes}
    </div>
  );
}

interface LabelledProps {
  name: string;
  label: string;
  hint?: ComponentChildren;
  optional?: boolean;
  children: (described: Record<string, string | boolean>) => ComponentChildren;
}

function Labelled({ name, label, hint, optional = false, children }: LabelledProps) {
  const id = useId();
  const { attributes, notes } = useNotes(id, name, hint);
  return (
    <div class="field">
      <label for={id}>
        {label}
        {optional && <span class="optional"> optional</span>}
      </label>
      {children({ id, ...attributes })}
      {notes}
    </div>
  );
}

/** What is said of a field below it, and how the field points there. */
function useNotes(id: string, name: string, hint: ComponentChildren) {
  const problems = useContext(FieldProblems)[name] ?? [];
  const said = [hint !== undefined && `${id}-hint`, problems.length > 0 && `${id}-problem`].filter(Boolean).join(' ');
  return {
    attributes: {
      ...(said === '' ? {} : { 'aria-describedby': said }),
      ...(problems.length > 0 ? { 'aria-invalid': 'true' as const } : {}),
    },
    notes: (
      <>
        {problems.length > 0 && (
          <p class="problem" id={`${id}-problem`}>
            {problems.join(' ')}
          </p>
        )}
        {hint !== undefined && (
          <p class="hint" id={`${id}-hint`}>
            {hint}
          </p>
        )}
      </>
    ),
  };
}
