import { type Ref, useImperativeHandle, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useMedia } from '../../../app/use-media.ts';
import { useDashboard } from '../state/dashboard-state.ts';
import { useWindow } from './use-window.ts';
import styles from './VehicleList.module.css';
import { VehicleRow } from './VehicleRow.tsx';

const ROW_PX = 46;
const PHONE_ROW_PX = 64;

export interface ListHandle {
  /** Moves the focus by so many rows from where it is, or from the current vehicle, or to the first. */
  move(step: number): void;
  /** The vehicle whose row has the focus. */
  focused(): string | null;
  /** Scrolls a vehicle's row into view. */
  reveal(imei: string): void;
}

/** The map's equivalent for everyone: each vehicle with its status, place and age, in a list of any length. */
export function VehicleList({ imeis, ref }: { readonly imeis: readonly string[]; readonly ref: Ref<ListHandle> }) {
  const { t } = useTranslation('dashboard');
  const scroller = useRef<HTMLDivElement>(null);
  const isPhone = useMedia('(max-width: 37.49em)');
  const rowPx = isPhone ? PHONE_ROW_PX : ROW_PX;
  const { first, last, scrollTo } = useWindow(scroller, imeis.length, rowPx);

  const focused = (): string | null => {
    const active = document.activeElement;
    return active instanceof HTMLElement && scroller.current?.contains(active) ? (active.dataset.imei ?? null) : null;
  };
  const focusRow = (imei: string): void => {
    const find = () => scroller.current?.querySelector<HTMLElement>(`[data-imei="${imei}"]`);
    const drawn = find();
    if (drawn) drawn.focus();
    // Far away: it is drawn once the list has been scrolled to it.
    else requestAnimationFrame(() => find()?.focus());
  };
  useImperativeHandle(ref, () => ({
    move(step) {
      const from = focused() ?? useDashboard.getState().current;
      const at = from === null ? -1 : imeis.indexOf(from);
      const to = at === -1 ? (step > 0 ? 0 : imeis.length - 1) : Math.max(0, Math.min(imeis.length - 1, at + step));
      const imei = imeis[to];
      if (imei === undefined) return;
      scrollTo(to);
      focusRow(imei);
    },
    focused,
    reveal(imei) {
      const index = imeis.indexOf(imei);
      if (index >= 0) scrollTo(index);
    },
  }));

  return (
    <div className={styles.scroller} ref={scroller}>
      <ul className={styles.list} style={{ height: imeis.length * rowPx }} aria-label={t('list.label')}>
        {imeis.slice(first, last).map((imei, i) => (
          <VehicleRow key={imei} imei={imei} position={first + i + 1} total={imeis.length} top={(first + i) * rowPx} />
        ))}
      </ul>
    </div>
  );
}
