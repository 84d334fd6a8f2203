import type { ComponentChildren } from 'preact';
import { Icon, type IconName } from './icon.tsx';

/** Where a list has nothing: why, and what brings the first entry. */
export function Empty({ icon, title, children }: { icon: IconName; title: string; children?: ComponentChildren }) {
  return (
    <div class="empty">
      <Icon name={icon} />
      <p class="empty-title">{title}</p>
      {children}
    </div>
  );
}
