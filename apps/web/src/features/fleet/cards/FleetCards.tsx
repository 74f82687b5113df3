import { useVirtualizer } from '@tanstack/react-virtual';
import { useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { FleetFacts } from '../facts.ts';
import type { FleetRows } from '../rows/fleet-rows.ts';
import { GroupHead } from '../table/GroupHead.tsx';
import { tableItems } from '../table/table-items.ts';
import { FleetCard } from './FleetCard.tsx';
import styles from './FleetCards.module.css';

interface Props {
  readonly rows: FleetRows;
  readonly facts: FleetFacts;
  readonly selected: ReadonlySet<string>;
  readonly onSelect: (imeis: ReadonlySet<string>) => void;
  readonly onCommand: ((imeis: readonly string[]) => void) | null;
}

const CARD_PX = 116;
const HEAD_PX = 46;

/** The fleet on a phone: the page scrolls, and only the cards in view are rendered. */
export function FleetCards({ rows, facts, selected, onSelect, onCommand }: Props) {
  const { t } = useTranslation('fleet');
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set());
  const list = useRef<HTMLUListElement>(null);
  const [offset, setOffset] = useState(0);
  const items = useMemo(() => tableItems(rows, closed), [rows, closed]);

  // How far down the page the list starts.
  useLayoutEffect(() => {
    const page = document.getElementById('main');
    if (!page || !list.current) return;
    setOffset(list.current.getBoundingClientRect().top - page.getBoundingClientRect().top + page.scrollTop);
  }, []);

  const virtual = useVirtualizer({
    count: items.length,
    getScrollElement: () => document.getElementById('main'),
    estimateSize: index => (items[index]?.kind === 'group' ? HEAD_PX : CARD_PX),
    getItemKey: index => items[index]?.key ?? index,
    scrollMargin: offset,
    overscan: 4,
  });

  return (
    <ul ref={list} className={styles.list} aria-label={t('table')} style={{ height: virtual.getTotalSize() }}>
      {virtual.getVirtualItems().map(({ index, start, key }) => {
        const item = items[index];
        if (!item) return null;
        return (
          <li
            key={key}
            ref={virtual.measureElement}
            data-index={index}
            data-head={item.kind === 'group' || undefined}
            style={{ transform: `translateY(${start - offset}px)` }}
          >
            {item.kind === 'group' ? (
              <GroupHead
                group={item.group}
                grouping={rows.grouping}
                closed={closed}
                onClosed={setClosed}
                selected={selected}
                onSelect={onSelect}
              />
            ) : (
              <FleetCard
                imei={item.imei}
                facts={facts}
                showsInside
                selected={selected.has(item.imei)}
                onSelect={(imei, on) => {
                  const one = new Set([imei]);
                  onSelect(on ? selected.union(one) : selected.difference(one));
                }}
                onCommand={onCommand}
              />
            )}
          </li>
        );
      })}
    </ul>
  );
}
