/** Passwords and codes, as every form that asks for one has them. */
import { Field } from './form.tsx';

interface PasswordProps {
  name?: string;
  label?: string;
  autoFocus?: boolean;
}

export function Password({ name = 'password', label = 'Password', autoFocus = false }: PasswordProps) {
  return (
    <Field name={name} label={label} type="password" required autoFocus={autoFocus} autoComplete="current-password" />
  );
}

interface NewPasswordProps extends Omit<PasswordProps, 'name'> {
  /** What else there is to know about it. */
  note?: string;
}

export function NewPassword({ label = 'Password', note = '', autoFocus = false }: NewPasswordProps) {
  return (
    <Field
      name="password"
      label={label}
      type="password"
      hint={`10 characters or more. ${note}`}
      required
      autoFocus={autoFocus}
      autoComplete="new-password"
    />
  );
}

interface CodeProps {
  name?: string;
  label: string;
  hint?: string;
  autoFocus?: boolean;
}

/** Of the second factor, where a recovery code does as well. */
export function OneTimeCode({ name = 'code', label, autoFocus = false }: CodeProps) {
  return (
    <Field
      name={name}
      label={label}
      hint="6 digits. Lost your phone? Type one of your recovery codes."
      required
      autoFocus={autoFocus}
      autoComplete="one-time-code"
      code
    />
  );
}
