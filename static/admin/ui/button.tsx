import type { ComponentChildren } from 'preact';
import { Icon, type IconName } from './icon.tsx';

export interface Look {
  /** `quiet` by default is for what is seldom done; one `primary` a view. */
  kind?: 'primary' | 'plain' | 'quiet' | 'danger';
  icon?: IconName;
  small?: boolean;
  children: ComponentChildren;
}

const classes = ({ kind = 'plain', small = false }: Look) => `button ${kind}${small ? ' small' : ''}`;

interface ButtonProps extends Look {
  onClick?: () => void;
  type?: 'button' | 'submit';
  /** Work is under way: it shows, and a second press does nothing. */
  busy?: boolean;
  disabled?: boolean;
  label?: string | undefined;
  /** What it folds and unfolds is open. */
  expanded?: boolean;
}

export function Button(props: ButtonProps) {
  const { onClick, type = 'button', busy = false, disabled = false, icon, label, expanded, children } = props;
  return (
    <button
      type={type}
      class={classes(props)}
      disabled={disabled}
      aria-busy={busy}
      aria-label={label}
      aria-expanded={expanded}
      onClick={busy ? undefined : onClick}
    >
      {icon !== undefined && <Icon name={icon} />}
      <span>{children}</span>
    </button>
  );
}

export function LinkButton(props: Look & { href: string }) {
  return (
    <a class={classes(props)} href={props.href}>
      {props.icon !== undefined && <Icon name={props.icon} />}
      <span>{props.children}</span>
    </a>
  );
}
