/**
 * Forms: the fields are the browser's own, read when the form is sent; what the server says of a field shows at that
 * field, and the first one that needs attention gets the focus.
 */
import { type ComponentChildren, createContext } from 'preact';
import { useContext, useEffect, useId, useRef, useState } from 'preact/hooks';
import type { ApiError } from '../lib/api.ts';
import { asApiError } from '../lib/data.ts';
import { Button } from './button.tsx';
import { Notice } from './notice.tsx';

/** Texts as typed, trimmed; a box that is not ticked is absent. */
export type Values = Readonly<Record<string, string>>;

/** What is no number goes to the server as it is: the refusal then names the field. */
export function numeric(text = ''): number | string {
  const value = Number(text.replaceAll(',', ''));
  return text === '' || Number.isNaN(value) ? text : value;
}

type Problems = Readonly<Record<string, readonly string[]>>;
const FormProblems = createContext<Problems>({});

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
    const entries = [...new FormData(form.current)].map(([name, value]) => [
      name,
      typeof value === 'string' ? value.trim() : '',
    ]);
    setBusy(true);
    setError(null);
    try {
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
      <FormProblems.Provider value={error?.details ?? {}}>{children}</FormProblems.Provider>
      {error !== null && !(hasFieldProblems && elsewhere.length === 0) && (
        <Notice tone="bad">
          {elsewhere.length === 0 ? error.message : elsewhere.flatMap(([, messages]) => messages).join(' ')}
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
  inputMode?: 'numeric' | 'decimal' | 'tel';
  /** Set where typing itself does something, as a search. */
  onInput?: (value: string) => void;
  /** Also in capitals and evenly spaced: codes, addresses. */
  code?: boolean;
}

export function Field({ name, label, hint, value, required = false, onInput, code = false, ...input }: FieldProps) {
  return (
    <Labelled name={name} label={label} hint={hint} optional={!required && onInput === undefined}>
      {described => (
        <input
          {...described}
          // Which attributes go with which type is the callers' affair.
          {...(input as object)}
          {...(code ? { class: 'code', autoCapitalize: 'off', spellcheck: false } : {})}
          name={name}
          defaultValue={value ?? ''}
          required={required}
          onInput={event => onInput?.(event.currentTarget.value)}
        />
      )}
    </Labelled>
  );
}

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
  return (
    <div class="check">
      <input type="checkbox" id={id} name={name} defaultChecked={checked} aria-describedby={hint && `${id}-hint`} />
      <label for={id}>{label}</label>
      {hint !== undefined && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
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
  const problems = useContext(FormProblems)[name] ?? [];
  const notes = [hint !== undefined && `${id}-hint`, problems.length > 0 && `${id}-problem`].filter(Boolean).join(' ');
  return (
    <div class="field">
      <label for={id}>
        {label}
        {optional && <span class="optional"> optional</span>}
      </label>
      {children({
        id,
        ...(notes === '' ? {} : { 'aria-describedby': notes }),
        ...(problems.length > 0 ? { 'aria-invalid': 'true' } : {}),
      })}
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
    </div>
  );
}
