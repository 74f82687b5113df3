import { type RefObject, useEffectEvent, useLayoutEffect } from 'react';

/**
 * Opens and closes a dialog. It also closes the dialog before it is removed from the page: otherwise the browser
 * wouldn't return the focus.
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
