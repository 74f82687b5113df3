import { type ChosenColumn, COLUMN_IDS, type ColumnId } from './column-ids.ts';
import { COLUMNS } from './columns.ts';

/** Width of the checkboxes before the first column. */
export const PICK_PX = 38;

const ALWAYS: readonly ColumnId[] = ['unit', 'driver', 'place', 'speed', 'since', 'age', 'today', 'alerts'];
/** Added one after the other if there is room, the most wanted first. */
const WITH_ROOM: readonly ColumnId[] = [
  'hours',
  'task',
  'ignition',
  'fuel',
  'idled',
  'temperature',
  'inside',
  'vehicle',
  'odometer',
  'plate',
  'tags',
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
  'duty',
];

/** Columns that are empty in an account without logs or tasks, where nobody wants them. */
export interface Used {
  readonly logs: boolean;
  readonly tasks: boolean;
}
const isUsed = (id: ColumnId, { logs, tasks }: Used): boolean =>
  id === 'hours' || id === 'duty' ? logs : id !== 'task' || tasks;

/** The default columns: as many as fit a table of this width in px. */
export function defaultColumns(tablePx: number, used: Used): readonly ChosenColumn[] {
  const shown = new Set(ALWAYS);
  let room = tablePx - PICK_PX - ALWAYS.reduce((sum, id) => sum + COLUMNS[id].width, 0);
  for (const id of WITH_ROOM) {
    if (!isUsed(id, used)) continue;
    room -= COLUMNS[id].width;
    if (room < 0) break;
    shown.add(id);
  }
  return COLUMN_IDS.filter(id => shown.has(id)).map(id => ({ id }));
}
