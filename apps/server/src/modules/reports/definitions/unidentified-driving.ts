import { createUnidentifiedDrives, type UnidentifiedDrive } from '../../logbook/desk/unidentified-drives.ts';
import { distance, duration, moment, text, vehicleColumn } from '../columns.ts';
import { defineReport, type ReportItem } from '../report.ts';
import { words } from '../words.ts';

interface DriveItem extends ReportItem {
  readonly drive: UnidentifiedDrive;
  readonly takenBy: string | null;
}

const M_PER_MILE = 1609.344;

/** Driving while nobody was signed in, and who has taken it. */
export const unidentifiedDriving = defineReport<DriveItem>({
  key: 'unidentified-driving',
  section: 'hours',
  title: words('Unidentified driving', 'Conducción sin identificar', 'Conduite non identifiée'),
  text: words(
    'When vehicles were driven while nobody was signed in, and who took it',
    'Cuándo se condujo sin que nadie hubiera iniciado sesión, y quién lo asumió',
    'Quand des véhicules ont roulé sans conducteur connecté, et qui l’a pris',
  ),
  needs: 'logbook.read',
  isOfPositions: false,
  groupings: ['vehicle', 'folder', 'day', 'week', 'month'],
  columns: [
    vehicleColumn,
    moment('start', words('Start', 'Inicio', 'Début'), ({ drive }) => drive.from),
    moment('end', words('End', 'Fin', 'Fin'), ({ drive }) => drive.to),
    duration('length', words('Duration', 'Duración', 'Durée'), ({ drive: { from, to } }) =>
      to === null ? null : (to - from) / 1000,
    ),
    distance('distance', words('Distance', 'Distancia', 'Distance'), ({ drive }) =>
      drive.miles === null ? null : drive.miles * M_PER_MILE,
    ),
    text('from', words('From', 'Desde', 'De'), ({ drive }) => drive.fromPlace),
    text('to', words('To', 'Hasta', 'À'), ({ drive }) => drive.toPlace),
    text('takenBy', words('Taken by', 'Asumida por', 'Prise par'), ({ takenBy }) => takenBy),
    text('note', words('Remark', 'Observación', 'Remarque'), ({ drive }) => drive.note || null),
  ],
  read: async function* ({ calendar, from, nowMs, session, sources, to, vehicles }) {
    const byId = new Map(vehicles.map(vehicle => [vehicle.id, vehicle]));
    const [start, end] = [calendar.startOf(from), calendar.startOf(to + 1)];
    const { drives, names } = await sources.db.asAccount(session.accountId, async trx => ({
      drives: await createUnidentifiedDrives().of(trx, session.accountId, [...byId.keys()], nowMs),
      names: new Map(
        (await trx.selectFrom('driver').select(['id', 'name']).execute()).map(({ id, name }) => [id, name]),
      ),
    }));
    yield drives
      .filter(drive => drive.from >= start && drive.from < end)
      .toReversed()
      .map(
        (drive): DriveItem => ({
          id: drive.record,
          vehicle: byId.get(drive.vehicleId) ?? null,
          day: calendar.dayOf(drive.from),
          evidence: { fromMs: drive.from, toMs: drive.to ?? nowMs },
          drive,
          takenBy: drive.takenBy === null ? null : (names.get(drive.takenBy) ?? null),
        }),
      );
  },
});
