import { VEHICLE_STATUSES, type VehicleStatus } from '@milepost/geo';
import { metres } from '@milepost/units';
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { formatCount } from '../../../format/locale.ts';
import { distanceFigure, joined } from '../../../format/measure.ts';
import { useMeasureSystem } from '../../../format/use-measure-system.ts';
import { Checkbox } from '../../../ui/Checkbox.tsx';
import { StatusGlyph } from '../../../ui/StatusGlyph.tsx';
import { shapeOf } from '../../../ui/status-shapes.ts';
import type { FleetGroup, Totals } from '../rows/fleet-rows.ts';
import type { Grouping } from '../state/fleet-url.ts';
import styles from './GroupHead.module.css';

interface Props {
  readonly group: FleetGroup;
  readonly grouping: Grouping;
  /** Keys of the collapsed groups. */
  readonly closed: ReadonlySet<string>;
  readonly onClosed: (closed: ReadonlySet<string>) => void;
  /** Selected vehicles of the whole fleet. */
  readonly selected: ReadonlySet<string>;
  readonly onSelect: (imeis: ReadonlySet<string>) => void;
}

/** A group's name, number of vehicles, and statuses. Its checkbox selects all of them. */
export function GroupHead({ group, grouping, closed, onClosed, selected, onSelect }: Props) {
  const { t } = useTranslation(['fleet', 'registry']);
  const name = useGroupName(grouping)(group.name);
  const open = !closed.has(group.key);
  const imeis = new Set(group.imeis);
  const count = imeis.intersection(selected).size;
  const Arrow = open ? IconChevronDown : IconChevronRight;
  return (
    <div className={styles.head}>
      <Checkbox
        aria-label={t('registry:select', { name })}
        checked={count > 0 && count === imeis.size}
        mixed={count > 0 && count < imeis.size}
        onChange={event => onSelect(event.currentTarget.checked ? selected.union(imeis) : selected.difference(imeis))}
      />
      <button
        type="button"
        aria-expanded={open}
        onClick={() => onClosed(closed.symmetricDifference(new Set([group.key])))}
      >
        <Arrow size={15} stroke={1.75} aria-hidden />
        {grouping === 'status' && group.name !== null && (
          <StatusGlyph shape={shapeOf(group.name as VehicleStatus)} size={13} course={90} />
        )}
        <b>{name}</b> · {formatCount(group.totals.vehicles)}
      </button>
      {grouping !== 'status' && <StatusCounts totals={group.totals} />}
      <Distance totals={group.totals} />
    </div>
  );
}

/** Returns the name of a group as shown. */
export function useGroupName(grouping: Grouping): (name: string | null) => string {
  const { t } = useTranslation(['fleet', 'vehicle']);
  return name => {
    if (name === null) return grouping === 'none' || grouping === 'status' ? '' : t(`group.without.${grouping}`);
    return grouping === 'status' ? t(`vehicle:status.${name as VehicleStatus}`) : name;
  };
}

function StatusCounts({ totals }: { readonly totals: Totals }) {
  const { t } = useTranslation('vehicle');
  return (
    <ul className={styles.counts}>
      {VEHICLE_STATUSES.filter(status => totals.counts[status] > 0).map(status => (
        <li key={status} aria-label={`${t(`status.${status}`)}: ${totals.counts[status]}`}>
          <StatusGlyph shape={shapeOf(status)} size={11} course={90} />
          {formatCount(totals.counts[status])}
        </li>
      ))}
    </ul>
  );
}

function Distance({ totals }: { readonly totals: Totals }) {
  const system = useMeasureSystem();
  if (totals.sums === null) return null;
  return <span className={styles.distance}>{joined(distanceFigure(metres(totals.sums.distanceM), system))}</span>;
}
