import { IconDownload } from '@tabler/icons-react';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { download } from '../../base/download.ts';
import { Button } from '../../ui/Button.tsx';
import { Chip } from '../../ui/Chip.tsx';
import { Plate } from '../../ui/Plate.tsx';
import { Segments } from '../../ui/Segments.tsx';
import { CommandChip } from '../CommandChip.tsx';
import { useCommandStore } from '../command-store.ts';
import type { CommandVehicle } from '../vehicle.ts';
import styles from './ResultTable.module.css';
import { resultRow, resultsCsv } from './results.ts';
import type { Result } from './use-run.ts';

const FILTERS = ['all', 'failed', 'under', 'worked'] as const;
type Filter = (typeof FILTERS)[number];
const ROW_PX = 34;

interface Props {
  readonly vehicles: readonly CommandVehicle[];
  readonly results: ReadonlyMap<string, Result>;
  readonly focused: string;
  readonly onFocus: (id: string) => void;
}

/** The outcome for many vehicles, one row each. Choosing a row shows its steps. */
export function ResultTable({ vehicles, results, focused, onFocus }: Props) {
  const { t } = useTranslation('commands');
  const commands = useCommandStore(state => state.commands);
  const [filter, setFilter] = useState<Filter>('all');
  const scroller = useRef<HTMLDivElement>(null);
  const rows = vehicles.map(vehicle => resultRow(vehicle, results.get(vehicle.id), commands));
  const shown = rows.filter(({ group }) => filter === 'all' || group === filter);
  const { getVirtualItems, getTotalSize } = useVirtualizer({
    count: shown.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    overscan: 6,
  });
  return (
    <>
      <div className={styles.filters}>
        <Segments
          label={t('result.state')}
          chosen={filter}
          onChoose={setFilter}
          segments={FILTERS.map(id => ({
            id,
            label: t(`result.${id}`, {
              count: id === 'all' ? rows.length : rows.filter(({ group }) => group === id).length,
            }),
          }))}
        />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard. */}
      <section ref={scroller} className={styles.scroller} aria-label={t('result.table')} tabIndex={0}>
        <ul style={{ height: getTotalSize() }}>
          {getVirtualItems().map(({ index, start }) => {
            const row = shown[index];
            if (!row) return null;
            const { vehicle, result, command } = row;
            return (
              <li key={vehicle.id} style={{ translate: `0 ${start}px` }}>
                <button type="button" aria-pressed={vehicle.id === focused} onClick={() => onFocus(vehicle.id)}>
                  <Plate>{vehicle.deviceName}</Plate>
                  {command && <CommandChip command={command} />}
                  {result && 'error' in result && <Chip tone="critical">{t('notSent')}</Chip>}
                </button>
              </li>
            );
          })}
        </ul>
      </section>
      <div className={styles.export}>
        <Button
          icon={<IconDownload size={17} stroke={1.75} aria-hidden />}
          disabled={shown.length === 0}
          onClick={() => download(new Blob([resultsCsv(shown, Date.now(), t)], { type: 'text/csv' }), 'command.csv')}
        >
          {t('result.download')}
        </Button>
      </div>
    </>
  );
}
