import type { StoredPosition } from '../../../tracks/stored-position.ts';
import { count, duration, moment, shareOf, vehicleColumn } from '../columns.ts';
import { defineReport } from '../report.ts';
import { type VehiclePeriod, vehiclePeriods } from '../vehicle-periods.ts';
import { words } from '../words.ts';

interface Health extends VehiclePeriod {
  readonly newest: StoredPosition | null;
  readonly knownS: number;
}

/** A number that trackers send beside the position; null if this one doesn't. */
const attribute =
  (name: string) =>
  ({ newest }: Health): number | null => {
    const value = newest?.attributes?.[name];
    return typeof value === 'number' ? Math.round(value * 10) / 10 : null;
  };

/** Whether each tracker reports, how well, and with which battery. */
export const deviceHealth = defineReport<Health>({
  key: 'device-health',
  section: 'fleet',
  title: words('Device health', 'Estado de los dispositivos', 'État des appareils'),
  text: words(
    'Last report, gaps, unreliable positions, network and battery of each tracker',
    'Último reporte, huecos, posiciones poco fiables, red y batería de cada rastreador',
    'Dernier message, lacunes, positions peu fiables, réseau et batterie de chaque traceur',
  ),
  isOfPositions: true,
  groupings: ['vehicle', 'folder'],
  opensBy: null,
  chart: 'gap',
  columns: [
    vehicleColumn,
    moment('last', words('Last report', 'Último reporte', 'Dernier message'), ({ newest }) => newest?.fixAt ?? null),
    duration('known', words('Time with data', 'Tiempo con datos', 'Temps avec données'), ({ knownS }) => knownS),
    duration('gap', words('Gaps', 'Huecos', 'Lacunes'), ({ gapS }) => gapS),
    shareOf(
      'knownShare',
      words('Time known', 'Tiempo conocido', 'Temps connu'),
      ({ gapS, knownS }) => [knownS, knownS + gapS],
      ['known', ['known', 'gap']],
    ),
    count('positions', words('Positions', 'Posiciones', 'Positions'), ({ sums }) => sums.fixes),
    count('leftOut', words('Unreliable', 'Poco fiables', 'Peu fiables'), ({ sums }) => sums.leftOut),
    shareOf(
      'leftOutShare',
      words('Unreliable share', 'Parte poco fiable', 'Part peu fiable'),
      ({ sums }) => [sums.leftOut, sums.fixes + sums.leftOut],
      ['leftOut', ['positions', 'leftOut']],
    ),
    {
      key: 'satellites',
      title: words('Satellites now', 'Satélites ahora', 'Satellites'),
      type: 'number',
      of: ({ newest }) => newest?.satellites ?? null,
    },
    {
      key: 'gsm',
      title: words('Network now (0–31)', 'Red ahora (0–31)', 'Réseau (0–31)'),
      type: 'number',
      of: ({ newest }) => newest?.gsm ?? null,
    },
    {
      key: 'battery',
      title: words('Battery now (%)', 'Batería ahora (%)', 'Batterie (%)'),
      type: 'number',
      of: attribute('batteryLevel'),
    },
    {
      key: 'supply',
      title: words('Supply now (V)', 'Alimentación ahora (V)', 'Alimentation (V)'),
      type: 'number',
      of: attribute('externalVoltage'),
    },
  ],
  read: async function* (asked) {
    const { live } = asked.sources.parts;
    for await (const items of vehiclePeriods(asked)) {
      yield items.map(item => ({
        ...item,
        // Whoever sees a vehicle in part sees none of what it sends now.
        newest: asked.seesPosition ? null : (live.of(item.vehicle.id)?.newest ?? null),
        knownS: item.sums.movingS + item.sums.idlingS + item.sums.stoppedS,
      }));
    }
  },
});
