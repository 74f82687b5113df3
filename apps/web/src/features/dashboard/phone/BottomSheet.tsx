import { IconChevronDown, IconChevronUp } from '@tabler/icons-react';
import { type PointerEvent, type ReactNode, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../../../ui/IconButton.tsx';
import styles from './BottomSheet.module.css';
import { SHEET_STOPS, type SheetStop, sheetHeight, stopAfterDrag } from './sheet-stops.ts';

interface Props {
  readonly stop: SheetStop;
  readonly onStop: (stop: SheetStop) => void;
  readonly pageHeight: number;
  readonly label: string;
  readonly children: ReactNode;
}

interface Drag {
  readonly startY: number;
  readonly startHeight: number;
  readonly lastY: number;
  readonly lastMs: number;
  /** Upward, in pixels per millisecond. */
  readonly speed: number;
}

const DRAG_PX = 4;

/** A sheet over the map with three stops. Its head can be dragged, and it has buttons. */
export function BottomSheet({ stop, onStop, pageHeight, label, children }: Props) {
  const { t } = useTranslation('dashboard');
  const drag = useRef<Drag | null>(null);
  const [draggedTo, setDraggedTo] = useState<number | null>(null);
  const height = draggedTo ?? sheetHeight(stop, pageHeight);
  const at = SHEET_STOPS.indexOf(stop);

  function begin(event: PointerEvent<HTMLDivElement>): void {
    drag.current = {
      startY: event.clientY,
      startHeight: height,
      lastY: event.clientY,
      lastMs: event.timeStamp,
      speed: 0,
    };
  }
  function move(event: PointerEvent<HTMLDivElement>): void {
    const { current } = drag;
    if (!current) return;
    // A press that doesn't move is a click on the button below the finger.
    if (draggedTo === null && Math.abs(event.clientY - current.startY) < DRAG_PX) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    const elapsed = Math.max(1, event.timeStamp - current.lastMs);
    drag.current = {
      ...current,
      lastY: event.clientY,
      lastMs: event.timeStamp,
      speed: (current.lastY - event.clientY) / elapsed,
    };
    setDraggedTo(Math.max(60, Math.min(pageHeight, current.startHeight + current.startY - event.clientY)));
  }
  function end(): void {
    const { current } = drag;
    drag.current = null;
    if (!current || draggedTo === null) return;
    setDraggedTo(null);
    onStop(stopAfterDrag(draggedTo, current.speed, stop, pageHeight));
  }

  const next = SHEET_STOPS[at + 1] ?? 'half';
  const Chevron = stop === 'full' ? IconChevronDown : IconChevronUp;
  const folded = stop === 'peek' ? 'half' : 'peek';
  return (
    <section
      className={styles.sheet}
      style={{ height }}
      aria-label={label}
      data-dragged={draggedTo !== null || undefined}
      // Open the sheet when the keyboard reaches its contents. It must not move under a finger, or the press would end
      // on something else.
      onFocusCapture={({ target }) => {
        const isByKeyboard = target instanceof Element && target.matches(':focus-visible:not([data-sheet-control])');
        if (stop === 'peek' && isByKeyboard) onStop('half');
      }}
    >
      <div className={styles.head} onPointerDown={begin} onPointerMove={move} onPointerUp={end} onPointerCancel={end}>
        <button
          type="button"
          className={styles.grip}
          data-sheet-control
          aria-label={t(`sheet.${folded}`)}
          onClick={() => onStop(folded)}
        />
      </div>
      <IconButton
        label={t(`sheet.${next}`)}
        tooltip="none"
        className={styles.stop}
        data-sheet-control
        onClick={() => onStop(next)}
      >
        <Chevron size={22} stroke={1.75} aria-hidden />
      </IconButton>
      <div className={styles.body}>{children}</div>
    </section>
  );
}
