import { type ReactElement, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import styles from './Popover.module.css';

interface TriggerProps {
  readonly id: string;
  readonly popoverTarget: string;
  readonly 'aria-haspopup': 'dialog';
  readonly 'aria-expanded': boolean;
}

interface Props {
  readonly trigger: (props: TriggerProps) => ReactElement;
  readonly label: string;
  /** The preferred side of the button, if there is room. */
  readonly side?: 'below' | 'beside' | 'above';
  /** Open from the first moment on. */
  readonly opens?: boolean;
  readonly children: ReactNode;
}

const GAP_PX = 6;
const EDGE_PX = 8;

/**
 * A panel of text that opens at its button. It uses the browser's popover: it closes on Esc and on a click elsewhere,
 * covers everything else and returns the focus. For options to choose from, use `Menu`.
 */
export function Popover({ trigger, label, side = 'below', opens = false, children }: Props) {
  const id = useId();
  const panel = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState(false);

  function place(): void {
    const button = document.getElementById(id)?.getBoundingClientRect();
    const element = panel.current;
    if (!button || !element) return;
    const { clientWidth, clientHeight } = document.documentElement;
    const { offsetWidth: width, offsetHeight: height } = element;
    const beside = side === 'beside' && button.right + GAP_PX + width < clientWidth - EDGE_PX;
    const left = beside ? button.right + GAP_PX : button.right - width;
    const below = button.bottom + GAP_PX;
    const above = button.top - GAP_PX - height;
    const top = beside ? button.top : side === 'above' || below + height > clientHeight - EDGE_PX ? above : below;
    element.style.left = `${clamp(left, clientWidth - width)}px`;
    element.style.top = `${clamp(top, clientHeight - height)}px`;
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: only when it appears.
  useEffect(() => {
    if (!opens) return;
    document.getElementById(id)?.scrollIntoView({ block: 'nearest' });
    panel.current?.showPopover();
  }, []);

  return (
    <>
      {trigger({ id, popoverTarget: `${id}-panel`, 'aria-haspopup': 'dialog', 'aria-expanded': open })}
      <div
        id={`${id}-panel`}
        ref={panel}
        popover="auto"
        role="dialog"
        aria-label={label}
        tabIndex={-1}
        className={styles.panel}
        onToggle={event => {
          const shown = event.newState === 'open';
          setOpen(shown);
          if (!shown) return;
          place();
          panel.current?.focus();
        }}
      >
        {open && <Placed onDrawn={place}>{children}</Placed>}
      </div>
    </>
  );
}

/** The content renders only while the panel is open. `onDrawn` is called once it is there and its size is known. */
function Placed({ onDrawn, children }: { readonly onDrawn: () => void; readonly children: ReactNode }) {
  return <div ref={element => (element ? onDrawn() : undefined)}>{children}</div>;
}

const clamp = (value: number, most: number): number => Math.max(EDGE_PX, Math.min(value, most - EDGE_PX));
