import { IconMap2, IconPolygon, IconTerminal2 } from '@tabler/icons-react';
import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate } from 'react-router';
import { useMeasureSystem } from '../../../format/use-measure-system.ts';
import { useClock, useVehicle } from '../../../live/view.ts';
import { paths } from '../../../paths.ts';
import { Checkbox } from '../../../ui/Checkbox.tsx';
import { IconButton } from '../../../ui/IconButton.tsx';
import { opensRow } from '../../../ui/opens-row.ts';
import { speedOf } from '../../../vehicles/shown.ts';
import { Cell } from '../columns/Cell.tsx';
import { COLUMNS } from '../columns/columns.ts';
import type { FleetFacts } from '../facts.ts';
import { Unit } from '../table/FleetRow.tsx';
import styles from './FleetCard.module.css';

interface Props {
  readonly imei: string;
  readonly facts: FleetFacts;
  readonly selected: boolean;
  readonly onSelect: (imei: string, on: boolean) => void;
  /** Whether to name the geofences that the vehicle is inside. */
  readonly showsInside?: boolean;
  /** Null if the user may not send commands. */
  readonly onCommand: ((imeis: readonly string[]) => void) | null;
}

/** One vehicle as a card, on a phone and on the board. It has buttons instead of swipe gestures. */
export const FleetCard = memo(function FleetCard({
  imei,
  facts,
  selected,
  showsInside = false,
  onSelect,
  onCommand,
}: Props) {
  const { t } = useTranslation(['fleet', 'registry']);
  const system = useMeasureSystem();
  const clock = useClock();
  const entry = useVehicle(imei);
  const navigate = useNavigate();
  if (!entry) return null;
  const { deviceName } = entry.vehicle;
  const isInside = showsInside && (facts.insideOf?.(entry.vehicle).length ?? 0) > 0;
  const underWay = entry.now.status === 'moving' && entry.report;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: keyboard users open it by its name, which is a link.
    <article
      className={styles.card}
      data-selected={selected || undefined}
      aria-label={deviceName}
      onClick={event => opensRow(event) && void navigate(paths.vehicleOnMap(imei))}
    >
      <div className={styles.line}>
        <Checkbox
          aria-label={t('registry:select', { name: deviceName })}
          checked={selected}
          onChange={event => onSelect(imei, event.currentTarget.checked)}
        />
        <Unit entry={entry} />
        <span className={styles.figure}>
          {underWay ? (
            <>
              <Cell column="speed" entry={entry} facts={facts} />{' '}
              {speedOf(entry, clock.now())?.tense === 'now' && <small>{COLUMNS.speed.head(t, system)}</small>}
            </>
          ) : (
            <Cell column="since" entry={entry} facts={facts} />
          )}
        </span>
      </div>
      <div className={styles.line}>
        <span className={styles.texts}>
          <Cell column="driver" entry={entry} facts={facts} />
          <Cell column="place" entry={entry} facts={facts} />
          {isInside && (
            <span className={styles.inside}>
              <IconPolygon size={16} stroke={1.75} aria-label={t('columns.inside')} role="img" />
              <Cell column="inside" entry={entry} facts={facts} />
            </span>
          )}
        </span>
        <Cell column="alerts" entry={entry} facts={facts} />
        <Cell column="age" entry={entry} facts={facts} />
        <Link
          to={paths.vehicleOnMap(imei)}
          className={styles.map}
          aria-label={t('card.map', { name: deviceName })}
          data-tooltip={t('bulk.map')}
          data-tooltip-side="top"
        >
          <IconMap2 size={18} stroke={1.75} aria-hidden />
        </Link>
        {onCommand && (
          <IconButton label={t('card.command', { name: deviceName })} tooltip="left" onClick={() => onCommand([imei])}>
            <IconTerminal2 size={18} stroke={1.75} aria-hidden />
          </IconButton>
        )}
      </div>
    </article>
  );
});
