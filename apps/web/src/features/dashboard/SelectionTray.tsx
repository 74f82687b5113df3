import { IconArrowsMaximize, IconColumns2, IconX } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useVehicle } from '../../live/view.ts';
import { Plate } from '../../ui/Plate.tsx';
import styles from './SelectionTray.module.css';
import { clearSelection, compare, setCurrentVehicle, unselectVehicle, useDashboard } from './state/dashboard-state.ts';

/** More wouldn't fit beside the card; the rest is shown as a number. */
const SHOWN = 5;

/** The selected vehicles, always in reach [R4.17]. */
export function SelectionTray({ onFit }: { readonly onFit: (imeis: readonly string[]) => void }) {
  const { t } = useTranslation('dashboard');
  const selected = useDashboard(state => state.selected);
  const current = useDashboard(state => state.current);
  // The current vehicle comes first.
  const others = selected.filter(imei => imei !== current);
  const shown = (others.length < selected.length && current !== null ? [current, ...others] : others).slice(0, SHOWN);
  return (
    <section className={styles.tray} aria-label={t('tray.label')}>
      <span className={styles.title}>{t('tray.selected', { count: selected.length })}</span>
      <ul className={styles.chips}>
        {shown.map(imei => (
          <Chip key={imei} imei={imei} isCurrent={imei === current} />
        ))}
        {selected.length > shown.length && <li>{t('tray.more', { count: selected.length - shown.length })}</li>}
      </ul>
      <span className={styles.line} />
      <button type="button" className={styles.action} onClick={() => onFit(selected)}>
        <IconArrowsMaximize size={14} stroke={1.75} aria-hidden />
        {t('tray.fit')}
      </button>
      {selected.length > 1 && (
        <button type="button" className={styles.action} onClick={() => compare(true)}>
          <IconColumns2 size={14} stroke={1.75} aria-hidden />
          {t('tray.compare')}
        </button>
      )}
      <button type="button" className={styles.action} onClick={clearSelection}>
        {t('tray.clear')}
      </button>
    </section>
  );
}

function Chip({ imei, isCurrent }: { readonly imei: string; readonly isCurrent: boolean }) {
  const { t } = useTranslation('dashboard');
  const name = useVehicle(imei)?.vehicle.deviceName;
  if (name === undefined) return null;
  return (
    <li className={styles.chip} data-current={isCurrent || undefined}>
      <button
        type="button"
        className={styles.pick}
        aria-label={isCurrent ? undefined : t('tray.makeCurrent', { name })}
        aria-current={isCurrent || undefined}
        onClick={() => setCurrentVehicle(imei)}
      >
        <Plate>{name}</Plate> {isCurrent && <span>{t('tray.current')}</span>}
      </button>
      <button
        type="button"
        className={styles.remove}
        aria-label={t('tray.remove', { name })}
        onClick={() => unselectVehicle(imei)}
      >
        <IconX size={13} stroke={1.75} aria-hidden />
      </button>
    </li>
  );
}
