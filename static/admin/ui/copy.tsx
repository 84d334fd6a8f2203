import { Button } from './button.tsx';
import { showToast } from './toast.tsx';

interface CopyProps {
  text: string;
  /** What is copied, for screen readers and for the note that it was. */
  what: string;
  children: string;
}

export function Copy({ text, what, children }: CopyProps) {
  const copy = async () =>
    showToast(
      (await copied(text)) ? `Copied: ${what}.` : 'This browser does not copy. Mark the text and copy it by hand.',
    );
  return (
    <Button small label={`Copy ${what}`} onClick={copy}>
      {children}
    </Button>
  );
}

/** The site mostly comes over plain HTTP, where browsers keep the clipboard's own interface to themselves. */
async function copied(text: string): Promise<boolean> {
  if (navigator.clipboard !== undefined) {
    return navigator.clipboard.writeText(text).then(
      () => true,
      () => false,
    );
  }
  const carrier = document.createElement('textarea');
  carrier.value = text;
  carrier.className = 'unseen';
  const focused = document.activeElement;
  document.body.append(carrier);
  carrier.select();
  const isDone = document.execCommand('copy');
  carrier.remove();
  if (focused instanceof HTMLElement) focused.focus();
  return isDone;
}
