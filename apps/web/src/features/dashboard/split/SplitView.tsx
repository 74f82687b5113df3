import { IconArrowLeft } from '@tabler/icons-react';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useBaseMap } from '../../../base/base-map.ts';
import { Button } from '../../../ui/Button.tsx';
import { compare, useDashboard } from '../state/dashboard-state.ts';
import { compared } from './compared.ts';
import { FollowPane } from './FollowPane.tsx';
import styles from './SplitView.module.css';

/** Replaces the map: up to four selected vehicles, each followed on its own map. */
export function Component() {
  const { t } = useTranslation('dashboardMap');
  const selected = useDashboard(state => state.selected);
  const current = useDashboard(state => state.current);
  const shown = useMemo(() => compared(selected, current), [selected, current]);
  const map = useBaseMap();
  return (
    <section className={styles.split} aria-label={t('compare.label')}>
      <header className={styles.bar}>
        <h2>
          {shown.length < selected.length
            ? t('compare.title', { shown: shown.length, total: selected.length })
            : t('compare.titleAll', { shown: shown.length })}
        </h2>
        <Button icon={<IconArrowLeft size={16} stroke={1.75} aria-hidden />} onClick={() => compare(false)}>
          {t('compare.back')}
        </Button>
      </header>
      {map && (
        <div className={styles.panes} data-count={shown.length}>
          {shown.map(imei => (
            <FollowPane key={imei} imei={imei} others={shown} settings={map} />
          ))}
        </div>
      )}
    </section>
  );
}
