import type { LogDay } from '@milepost/contract';
import { duration, moment, text } from '../columns.ts';
import { LOG_GROUPINGS, type LogDayItem, logDayColumn, logDayItems, logDriverColumn } from '../log-items.ts';
import { defineReport } from '../report.ts';
import { words } from '../words.ts';

interface UseItem extends LogDayItem {
  readonly segment: LogDay['segments'][number];
  readonly note: string | null;
}

const PERSONAL = words('Personal use', 'Uso personal', 'Usage personnel');
const YARD = words('Yard move', 'Movimiento en patio', 'Manœuvre de cour');

/** Personal use of vehicles, and moves in the yard. */
export const personalUse = defineReport<UseItem>({
  key: 'personal-use',
  section: 'hours',
  title: words(
    'Personal use and yard moves',
    'Uso personal y movimientos en patio',
    'Usage personnel et manœuvres de cour',
  ),
  text: words(
    'When drivers used vehicles off duty, or moved them in the yard',
    'Cuándo los conductores usaron vehículos fuera de servicio, o los movieron en el patio',
    'Quand des conducteurs ont utilisé des véhicules hors service, ou manœuvré dans la cour',
  ),
  needs: 'logbook.read',
  isOfPositions: false,
  groupings: LOG_GROUPINGS,
  columns: [
    logDriverColumn,
    logDayColumn,
    {
      key: 'kind',
      title: words('What', 'Qué', 'Quoi'),
      type: 'text',
      of: ({ segment }, { language }) => (segment.status === 'PC' ? PERSONAL : YARD)[language],
    },
    moment('start', words('Start', 'Inicio', 'Début'), ({ segment }) => segment.from),
    moment('end', words('End', 'Fin', 'Fin'), ({ segment }) => segment.to),
    duration(
      'length',
      words('Duration', 'Duración', 'Durée'),
      ({ segment }) => (Date.parse(segment.to) - Date.parse(segment.from)) / 1000,
    ),
    text('vehicles', words('Vehicles', 'Vehículos', 'Véhicules'), ({ log }) => log.vehicles.join(', ') || null),
    text('note', words('Note', 'Nota', 'Note'), ({ note }) => note),
  ],
  read: async function* (asked) {
    for await (const days of logDayItems(asked)) {
      yield days.flatMap(item =>
        item.log.segments
          .filter(({ status }) => status === 'PC' || status === 'YM')
          .map(segment => ({
            ...item,
            id: `${item.id}-${segment.from}`,
            segment,
            note: item.log.records.find(({ id }) => id === segment.record)?.note || null,
          })),
      );
    }
  },
});
