import { IconMapPinFilled, IconX } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { type FoundPlace, forgetFound } from '../../../map/asked-view.ts';
import { Pinned } from '../../../map/Pinned.tsx';
import styles from './FoundMark.module.css';

/** Where an address is that was searched for. */
export function FoundMark({ found: { lat, lon, name } }: { readonly found: FoundPlace }) {
  const { t } = useTranslation('dashboardMap');
  return (
    <Pinned lat={lat} lon={lon}>
      <span className={styles.mark}>
        <span className={styles.name}>
          {name}
          <button type="button" aria-label={t('removeFound', { name })} onClick={forgetFound}>
            <IconX size={16} stroke={1.75} aria-hidden />
          </button>
        </span>
        <IconMapPinFilled size={30} aria-hidden />
      </span>
    </Pinned>
  );
}
