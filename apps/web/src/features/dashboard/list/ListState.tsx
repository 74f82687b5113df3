import { VEHICLE_STATUSES } from '@milepost/geo';
import { IconPlus } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { copyText } from '../../../base/copy-text.ts';
import { describeError } from '../../../base/describe-error.ts';
import { RetryButton } from '../../../base/RetryButton.tsx';
import { Skeleton } from '../../../base/Skeleton.tsx';
import { listOf } from '../../../format/locale.ts';
import { useMeasureSystem } from '../../../format/use-measure-system.ts';
import { useConnection } from '../../../live/connection.ts';
import { usePositions, usePositionsView } from '../../../live/view.ts';
import { parseSearch } from '../../../search-tokens/search-text.ts';
import { Button } from '../../../ui/Button.tsx';
import { EmptyRoad } from '../../../ui/EmptyRoad.tsx';
import { clearFilters, search, toggleStatus, useDashboard } from '../state/dashboard-state.ts';
import type { FleetList } from './fleet-list.ts';
import styles from './ListState.module.css';

interface Props {
  readonly list: FleetList;
  readonly onAdd: ((imei?: string) => void) | null;
}

/** Shown instead of rows: loading, failed, no vehicles yet, or no match. */
export function ListState({ list, onAdd }: Props) {
  const positions = usePositions();
  const error = useConnection(state => state.error);
  if (list.total > 0) return <NoResults list={list} />;
  if (positions.loaded) return <Empty onAdd={onAdd} />;
  return error ? <Failed error={error} /> : <Skeleton bones={12} className={styles.skeleton} />;
}

function NoResults({ list }: { readonly list: FleetList }) {
  const { t } = useTranslation(['dashboard', 'vehicle']);
  const query = useDashboard(state => state.query);
  const statuses = useDashboard(state => state.statuses);
  const hasFilters = useDashboard(state => state.tokens.length > 0);
  const hasQuery = query.trim() !== '';
  const { tokens: typed, words: names } = parseSearch(query, useMeasureSystem());
  // Typed filters are not names.
  const hasNames = names.length > 0;
  // Name what excludes every vehicle. Blame the statuses only if search and filters match something.
  const byStatus = list.found > 0;
  const words = VEHICLE_STATUSES.filter(status => statuses.has(status)).map(status =>
    t(`vehicle:status.${status}`).toLowerCase(),
  );
  const or = listOf(words, 'disjunction');
  return (
    <div className={styles.state}>
      <h2>{t('noResults.title')}</h2>
      <p>
        {byStatus
          ? t('noResults.status', { found: list.found, statuses: or })
          : hasNames
            ? t(hasFilters || typed.length > 0 ? 'noResults.both' : 'noResults.search', { query: names.join(' ') })
            : t('noResults.filters')}
      </p>
      <div className={styles.actions}>
        {byStatus && <Button onClick={() => statuses.forEach(toggleStatus)}>{t('noResults.clearStatus')}</Button>}
        {!byStatus && hasQuery && <Button onClick={() => search('')}>{t('noResults.clearSearch')}</Button>}
        {!byStatus && (hasFilters || statuses.size > 0) && (
          <Button onClick={clearFilters}>{t('list.clearFilters')}</Button>
        )}
      </div>
    </div>
  );
}

function Empty({ onAdd }: Pick<Props, 'onAdd'>) {
  const { t } = useTranslation(['dashboard', 'vehicle']);
  return (
    <div className={styles.state}>
      <EmptyRoad />
      <h2>{t('empty.title')}</h2>
      <p>{t(onAdd ? 'empty.text' : 'empty.readOnly')}</p>
      {onAdd && (
        <div className={styles.actions}>
          <Button variant="primary" icon={<IconPlus size={16} stroke={1.75} aria-hidden />} onClick={() => onAdd()}>
            {t('empty.action')}
          </Button>
        </div>
      )}
    </div>
  );
}

function Failed({ error }: { readonly error: unknown }) {
  const { t } = useTranslation(['dashboard', 'vehicle']);
  const { catchUp } = usePositionsView();
  const { message, reference } = describeError(error);
  return (
    <div className={styles.state} role="alert">
      <h2>{t('error.title')}</h2>
      <p>{message}</p>
      <div className={styles.actions}>
        <RetryButton error={error} onRetry={catchUp} variant="primary" />
        <Button
          onClick={() => {
            const details = [new Date().toISOString(), message, reference].filter(Boolean).join('\n');
            void copyText(details, t('error.copied'));
          }}
        >
          {t('error.copy')}
        </Button>
      </div>
    </div>
  );
}
