import { type ChosenColumn, COLUMN_IDS, type ColumnId } from './column-ids.ts';
import { COLUMNS } from './columns.ts';

/** Width of the checkboxes before the first column. */
export const PICK_PX = 38;
/** The place column gets this width before another column is added. */
const PLACE_PX = 190;

const ALWAYS: readonly ColumnId[] = ['unit', 'driver', 'place', 'speed', 'since', 'age', 'today', 'alerts'];
/** Added one after the other if there is room, the most wanted first. */
const WITH_ROOM: readonly ColumnId[] = [
  'ignition',
  'fuel',
  'temperature',
  'idled',
  'inside',
  'vehicle',
  'odometer',
  'plate',
  'tags',
  'hours',
  'gps',
  'gsm',
  'documents',
  'tracker',
  'status',
  'folder',
  'days',
  'vin',
  'imei',
  'protocol',
  'driven',
  'stops',
  'topspeed',
  'inuse',
  'tracked',
  'doubts',
  'began',
];

const widthOf = (id: ColumnId): number => (id === 'place' ? PLACE_PX : COLUMNS[id].width);

/** The default columns: as many as fit a table of this width in px. */
export function defaultColumns(tablePx: number): readonly ChosenColumn[] {
  const shown = new Set(ALWAYS);
  let room = tablePx - PICK_PX - ALWAYS.reduce((sum, id) => sum + widthOf(id), 0);
  for (const id of WITH_ROOM) {
    room -= widthOf(id);
    if (room < 0) break;
    shown.add(id);
  }
  return COLUMN_IDS.filter(id => shown.has(id)).map(id => ({ id }));
}
