import type { BoardRow } from '@milepost/contract';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate } from 'react-router';
import { isSoon, isViolating } from '../../../logbook/attention.ts';
import { paths } from '../../../paths.ts';
import { RegistryState } from '../../../registry/RegistryState.tsx';
import { RegistryTable } from '../../../registry/RegistryTable.tsx';
import type { Registry } from '../../../registry/use-registry.ts';
import { buttonLook } from '../../../ui/Button.tsx';
import styles from './Board.module.css';
import { useBoardColumns } from './board-columns.tsx';
import { byLeastTime, isFound, isShown, SHOWN } from './board-order.ts';
import { TightestCell } from './cells.tsx';
import { sharedLimits } from './shared-limits.ts';

interface Props {
  /** Undefined until loaded. */
  readonly rows: readonly BoardRow[] | undefined;
  readonly error: Error | null;
  readonly onRetry: () => void;
  readonly registry: Registry;
  /** Rounded to the minute, because the order depends on it. */
  readonly nowMs: number;
}

/** All drivers with their clocks, least time first. The most urgent row is highlighted. */
export function Board({ rows, error, onRetry, registry, nowMs }: Props) {
  const { t } = useTranslation('eld');
  const navigate = useNavigate();
  const { filters, query, sort } = registry;
  const wanted = SHOWN.find(one => one === filters.show?.[0]);
  const shown = useMemo(
    () =>
      byLeastTime(
        (rows ?? []).filter(row => isShown(row, wanted, nowMs) && isFound(row, query)),
        nowMs,
      ),
    [rows, wanted, query, nowMs],
  );
  const [first] = shown;
  const urgent = sort === null && first && (isViolating(first, nowMs) || isSoon(first, nowMs)) ? first.driverId : null;
  const columns = useBoardColumns(urgent, sharedLimits(rows ?? []));
  if (shown.length === 0) {
    return (
      <RegistryState
        total={rows?.length}
        error={error}
        onRetry={onRetry}
        onClear={registry.clear}
        empty={{
          title: t('board.empty.title'),
          text: t('board.empty.text'),
          action: (
            <Link to={paths.eldDrivers()} className={buttonLook({ variant: 'primary' })}>
              {t('board.empty.action')}
            </Link>
          ),
        }}
      />
    );
  }
  return (
    <div className={styles.board}>
      <RegistryTable
        label={t('tabs.live')}
        rows={shown}
        columns={columns}
        idOf={row => row.driverId}
        nameOf={row => row.name}
        sort={sort}
        onSort={registry.sortBy}
        open={null}
        onOpen={id => void navigate(paths.eldLog(id))}
        card={row => <TightestCell row={row} />}
      />
    </div>
  );
}
