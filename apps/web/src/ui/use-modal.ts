import { type RefObject, useEffectEvent, useLayoutEffect } from 'react';

/**
 * Keeps a dialog open as long as it is wanted. It is closed before it is taken out of the page, too: the browser gives
 * the focus back to what opened it only from a dialog that is closed.
 */
export function useModal(
  dialog: RefObject<HTMLDialogElement | null>,
  open: boolean,
  onShown: (element: HTMLDialogElement) => void = () => {},
): void {
  const shown = useEffectEvent(onShown);
  useLayoutEffect(() => {
    const element = dialog.current;
    if (!open || !element) return;
    element.showModal();
    shown(element);
    return () => element.close();
  }, [dialog, open]);
}
