import { createContext, type ReactNode, use } from 'react';
import { createPortal } from 'react-dom';

/** Places in the shell that the current page can fill: the skip links and the header's search field. */
const SHELL_SLOTS = ['skip-links', 'search'] as const;
export type ShellSlotName = (typeof SHELL_SLOTS)[number];

export const ShellSlotContext = createContext<Readonly<Partial<Record<ShellSlotName, HTMLElement | null>>>>({});

export function ShellSlot({ name, children }: { readonly name: ShellSlotName; readonly children: ReactNode }) {
  const place = use(ShellSlotContext)[name];
  return place ? createPortal(children, place) : null;
}
