import { VEHICLE_STATUSES, type VehicleStatus } from '@milepost/geo';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type RefObject, useMemo, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { formatCount } from '../../../format/locale.ts';
import { StatusGlyph } from '../../../ui/StatusGlyph.tsx';
import { shapeOf } from '../../../ui/status-shapes.ts';
import { FleetCard } from '../cards/FleetCard.tsx';
import type { FleetFacts } from '../facts.ts';
import type { FleetRows } from '../rows/fleet-rows.ts';
import styles from './FleetBoard.module.css';

interface Props {
  /** Must be grouped by status. */
  readonly rows: FleetRows;
  readonly facts: FleetFacts;
  readonly selected: ReadonlySet<string>;
  readonly onSelect: (imeis: ReadonlySet<string>) => void;
  readonly onCommand: ((imeis: readonly string[]) => void) | null;
  readonly attention: RefObject<HTMLElement | null>;
}

/** One column for each status that at least one vehicle has. */
export function FleetBoard({ rows, attention, ...rest }: Props) {
  const { t } = useTranslation('fleet');
  const byStatus = useMemo(() => new Map(rows.groups.map(group => [group.key, group.imeis])), [rows]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard.
    <section ref={attention} className={styles.board} aria-label={t('layout.board')} tabIndex={0}>
      {VEHICLE_STATUSES.filter(status => byStatus.has(status)).map(status => (
        <Column key={status} status={status} imeis={byStatus.get(status) ?? []} {...rest} />
      ))}
    </section>
  );
}

const CARD_PX = 84;
const GAP_PX = 8;

interface ColumnProps extends Omit<Props, 'rows' | 'attention'> {
  readonly status: VehicleStatus;
  readonly imeis: readonly string[];
}

function Column({ status, imeis, facts, selected, onSelect, onCommand }: ColumnProps) {
  const { t } = useTranslation('vehicle');
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: imeis.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => CARD_PX + GAP_PX,
    getItemKey: index => imeis[index] ?? index,
    overscan: 4,
  });
  const word = t(`status.${status}`);
  return (
    <section className={styles.column} aria-label={word}>
      <h2>
        <StatusGlyph shape={shapeOf(status)} course={90} />
        {word} · {formatCount(imeis.length)}
      </h2>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard. */}
      <div ref={scroller} className={styles.cards} tabIndex={0}>
        <ul style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map(({ index, start, key }) => {
            const imei = imeis[index];
            if (imei === undefined) return null;
            return (
              <li key={key} style={{ transform: `translateY(${start}px)`, height: CARD_PX }}>
                <FleetCard
                  imei={imei}
                  facts={facts}
                  selected={selected.has(imei)}
                  onSelect={(one, on) =>
                    onSelect(on ? selected.union(new Set([one])) : selected.difference(new Set([one])))
                  }
                  onCommand={onCommand}
                />
              </li>
            );
          })}
        </ul>
      </div>
    </section>
  );
}
