import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { Button } from './button.tsx';

interface DialogProps {
  title: string;
  onClose: () => void;
  /** From the side, as the phone's menu. */
  drawer?: boolean;
  children: ComponentChildren;
}

/** The browser's own modal: it holds the focus, closes on Escape, and gives the focus back. */
export function Dialog({ title, onClose, drawer = false, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const element = dialog.current;
    const before = document.activeElement;
    element?.showModal();
    // A dialog that leaves the document with its page never closes by itself, and would keep the focus.
    return () => {
      element?.close();
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      class={drawer ? 'drawer' : undefined}
      aria-labelledby={id}
      onCancel={event => {
        event.preventDefault();
        onClose();
      }}
      onMouseDown={event => event.target === dialog.current && onClose()}
    >
      <div class="dialog-body">
        <header>
          <h2 id={id}>{title}</h2>
          <Button kind="quiet" small icon="close" label="Close" onClick={onClose}>
            {''}
          </Button>
        </header>
        {children}
      </div>
    </dialog>
  );
}
