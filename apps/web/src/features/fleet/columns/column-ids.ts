/** Every column, in the order of the chooser. */
export const COLUMN_IDS = [
  'unit',
  'status',
  'driver',
  'duty',
  'place',
  'inside',
  'speed',
  'since',
  'age',
  'ignition',
  'fuel',
  'temperature',
  'gsm',
  'gps',
  'odometer',
  'today',
  'idled',
  'driven',
  'inuse',
  'stops',
  'topspeed',
  'tracked',
  'doubts',
  'began',
  'hours',
  'task',
  'alerts',
  'folder',
  'tags',
  'vehicle',
  'plate',
  'vin',
  'tracker',
  'protocol',
  'imei',
  'documents',
  'days',
] as const;
export type ColumnId = (typeof COLUMN_IDS)[number];

/** Names the row, so it is always shown and always first. */
export const FIRST_COLUMN: ColumnId = 'unit';

export const MIN_WIDTH_PX = 48;
export const MAX_WIDTH_PX = 600;

/** A shown column and its width. */
export interface ChosenColumn {
  readonly id: ColumnId;
  readonly width?: number;
}

/** Adds this column, if missing, where a user would have added it. */
export const withColumn = (columns: readonly ChosenColumn[], id: ColumnId): readonly ChosenColumn[] =>
  columns.some(column => column.id === id) ? columns : toggledColumn(columns, id);

/** Adds or removes a column. An added column goes to its place in the chooser's order, after the columns before it. */
export function toggledColumn(columns: readonly ChosenColumn[], id: ColumnId): readonly ChosenColumn[] {
  if (columns.some(column => column.id === id)) return columns.filter(column => column.id !== id);
  const before = new Set<ColumnId>(COLUMN_IDS.slice(0, COLUMN_IDS.indexOf(id)));
  const at = columns.findLastIndex(column => before.has(column.id)) + 1;
  return columns.toSpliced(at, 0, { id });
}

/** Moves a column to the position of another one; the first column stays first. */
export function movedColumn(columns: readonly ChosenColumn[], id: ColumnId, to: number): readonly ChosenColumn[] {
  const from = columns.findIndex(column => column.id === id);
  const column = columns[from];
  if (!column || id === FIRST_COLUMN) return columns;
  const at = Math.max(1, Math.min(columns.length - 1, to));
  return columns.toSpliced(from, 1).toSpliced(at, 0, column);
}

export const resizedColumn = (columns: readonly ChosenColumn[], id: ColumnId, width: number): readonly ChosenColumn[] =>
  columns.map(column =>
    column.id === id ? { id, width: Math.round(Math.max(MIN_WIDTH_PX, Math.min(MAX_WIDTH_PX, width))) } : column,
  );
