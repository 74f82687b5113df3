import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { VehicleEntry } from '../../../live/vehicle-entry.ts';
import { useVehicle } from '../../../live/view.ts';
import { paths } from '../../../paths.ts';
import { Checkbox } from '../../../ui/Checkbox.tsx';
import hidden from '../../../ui/hidden.module.css';
import { Plate } from '../../../ui/Plate.tsx';
import { StatusGlyph } from '../../../ui/StatusGlyph.tsx';
import { courseOf, shapeOfEntry } from '../../../vehicles/vehicle-shape.ts';
import { Cell } from '../columns/Cell.tsx';
import type { ChosenColumn } from '../columns/column-ids.ts';
import { COLUMNS } from '../columns/columns.ts';
import type { FleetFacts } from '../facts.ts';
import styles from './FleetTable.module.css';

interface Props {
  readonly imei: string;
  readonly rowKey: string;
  /** Index in the whole table; only a window of it is rendered. */
  readonly rowIndex: number;
  readonly columns: readonly ChosenColumn[];
  readonly facts: FleetFacts;
  readonly selected: boolean;
}

/** One vehicle. It renders when its vehicle changes, without the other rows. */
export const FleetRow = memo(function FleetRow({ imei, rowKey, rowIndex, columns, facts, selected }: Props) {
  const { t } = useTranslation(['fleet', 'registry']);
  const entry = useVehicle(imei);
  if (!entry) return null;
  return (
    <tr
      data-row={rowKey}
      data-status={entry.now.status}
      data-selected={selected || undefined}
      aria-rowindex={rowIndex}
      className={styles.row}
    >
      <td>
        <Checkbox
          data-pick
          aria-label={t('registry:select', { name: entry.vehicle.deviceName })}
          checked={selected}
          onChange={() => {}}
        />
      </td>
      {columns.map(({ id }, at) =>
        at === 0 ? (
          <th key={id} scope="row">
            <Unit entry={entry} />
          </th>
        ) : (
          <td key={id} data-align={COLUMNS[id].align}>
            <Cell column={id} entry={entry} facts={facts} />
          </td>
        ),
      )}
    </tr>
  );
});

/** Status shape and plate: the vehicle's status and name. Links to the vehicle on the map. */
export function Unit({ entry }: { readonly entry: VehicleEntry }) {
  const { t } = useTranslation('vehicle');
  return (
    <Link to={paths.vehicleOnMap(entry.vehicle.imei)} className={styles.unit} data-open>
      <span className={styles.glyph}>
        <StatusGlyph shape={shapeOfEntry(entry)} course={courseOf(entry)} />
      </span>
      <Plate>{entry.vehicle.deviceName}</Plate>
      <span className={hidden.hidden}>, {t(`status.${entry.now.status}`).toLowerCase()}</span>
    </Link>
  );
}
