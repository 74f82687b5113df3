import { TEXTS } from '../../notifications/texts/texts.ts';
import { count, driverColumn, moment, vehicleColumn } from '../columns.ts';
import { type Readings, readingsOf } from '../readings.ts';
import { defineReport, momentOf, type ReportItem, TRIP_GROUPINGS } from '../report.ts';
import { words } from '../words.ts';

interface HarshEvent extends ReportItem {
  readonly reading: Readings;
}

/** What trackers report of harsh driving. */
const HARSH: ReadonlySet<string> = new Set(['harshAcceleration', 'harshBraking', 'harshCornering']);
/** Around the event, so that its way is seen. */
const AROUND_MS = 30_000;

const only = (event: string) => (item: HarshEvent) => Number(item.reading.event === event);

/** Each time that a tracker reported harsh driving, whether or not an alert came of it. */
export const harshEvents = defineReport<HarshEvent>({
  key: 'harsh-events',
  section: 'driving',
  title: words('Harsh driving', 'Conducción brusca', 'Conduite brusque'),
  text: words(
    'Each harsh acceleration, braking and cornering that trackers reported',
    'Cada aceleración, frenazo y giro brusco que reportaron los rastreadores',
    'Chaque accélération, freinage et virage brusques signalés par les traceurs',
  ),
  isOfPositions: true,
  groupings: TRIP_GROUPINGS,
  columns: [
    vehicleColumn,
    driverColumn,
    moment('time', words('Time', 'Hora', 'Heure'), ({ reading }) => reading.timeMs),
    {
      key: 'what',
      title: words('What', 'Qué', 'Quoi'),
      type: 'text',
      of: ({ reading }, { language }) => TEXTS[language].event[reading.event ?? ''] ?? reading.event,
    },
    {
      key: 'speed',
      title: words('Speed', 'Velocidad', 'Vitesse'),
      type: 'speed',
      of: ({ reading }) => reading.speed,
    },
    {
      key: 'place',
      title: words('Place', 'Lugar', 'Lieu'),
      type: 'place',
      of: ({ reading }, { sources }) => (reading.isBelieved ? sources.placeOf(reading) : null),
    },
    count('accelerations', words('Acceleration', 'Aceleraciones', 'Accélérations'), only('harshAcceleration')),
    count('brakings', words('Braking', 'Frenazos', 'Freinages'), only('harshBraking')),
    count('cornerings', words('Cornering', 'Giros', 'Virages'), only('harshCornering')),
  ],
  read: async function* (asked) {
    const { calendar, sources } = asked;
    for (const vehicle of asked.vehicles) {
      for await (const page of readingsOf(asked, vehicle)) {
        yield page
          .filter(({ event }) => event !== null && HARSH.has(event))
          .map(reading => ({
            id: `${vehicle.id}-${reading.timeMs}`,
            vehicle,
            reading,
            day: calendar.dayOf(reading.timeMs),
            drivers: sources.driversOf(vehicle, momentOf(reading), reading.rfid === null ? [] : [reading.rfid]),
            evidence: { fromMs: reading.timeMs - AROUND_MS, toMs: reading.timeMs + AROUND_MS },
          }));
      }
    }
  },
});
