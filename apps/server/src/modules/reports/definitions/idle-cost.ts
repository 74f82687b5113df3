import { LITRES_PER_GALLON } from '@milepost/units';
import { sql } from 'kysely';
import { duration, vehicleColumn } from '../columns.ts';
import { type Asked, defineReport, VEHICLE_GROUPINGS } from '../report.ts';
import { type VehiclePeriod, vehiclePeriods } from '../vehicle-periods.ts';
import { type Words, words } from '../words.ts';

interface IdleCost extends VehiclePeriod {
  /** Liters; null: `note` says why nothing can be said. */
  readonly litres: number | null;
  readonly note: Words;
}

/** Fuel that an idling engine burns, in ml an hour. Heavy: U.S. Department of Energy, "Idle Reduction", 0.8 gal/h. */
const HEAVY_ML = 3000;
/** Light: the same, 0.2 to 0.5 gal/h. */
const LIGHT_ML = 1300;

const HEAVY: ReadonlySet<string> = new Set(['box-truck', 'truck', 'tractor', 'bus', 'machine']);
const LIGHT: ReadonlySet<string> = new Set(['car', 'van']);
const WITHOUT_FUEL: ReadonlySet<string> = new Set(['electric', 'hydrogen', 'none']);

const NO_DATA = words('No data', 'Sin datos', 'Aucune donnée');
const NO_IGNITION = words(
  'The tracker doesn’t report the ignition: idling is not known',
  'El rastreador no informa el encendido: no se conoce el ralentí',
  'Le traceur ne transmet pas le contact : le ralenti est inconnu',
);
const NO_TYPE = words(
  'No rate for this kind of vehicle: set its type under Vehicles',
  'Sin consumo para este tipo de vehículo: indique su tipo en Vehículos',
  'Pas de consommation pour ce type de véhicule : indiquez son type sous Véhicules',
);
const NO_FUEL = words(
  'It burns no fuel while it stands',
  'No consume combustible al estar detenido',
  'Ne consomme rien à l’arrêt',
);
const NO_RATE = words('No fuel per hour entered', 'Sin consumo por hora', 'Aucune consommation par heure saisie');
const ESTIMATE = words(
  'Estimate: idle time times fuel per hour',
  'Estimación: tiempo en ralentí por consumo por hora',
  'Estimation : temps de ralenti multiplié par la consommation par heure',
);

/** What idling costs: an estimate by kind of vehicle, where trackers report the ignition; otherwise the row says why not. */
export const idleCost = defineReport<IdleCost>({
  key: 'idle-cost',
  section: 'fleet',
  title: words('Idle cost', 'Costo del ralentí', 'Coût du ralenti'),
  text: words(
    'Fuel that each vehicle burned while idling, and what it cost: an estimate with your fuel per hour and price',
    'Combustible que cada vehículo consumió en ralentí y cuánto costó: una estimación con su consumo por hora y precio',
    'Carburant brûlé au ralenti par chaque véhicule, et son coût : une estimation avec votre consommation par heure et votre prix',
  ),
  isOfPositions: true,
  groupings: VEHICLE_GROUPINGS,
  opensBy: null,
  options: [
    { key: 'fuelPrice', title: words('Fuel price', 'Precio del combustible', 'Prix du carburant'), value: 0 },
    { key: 'idleHeavyMl', title: words('Idle, heavy', 'Ralentí, pesados', 'Ralenti, lourds'), value: HEAVY_ML },
    { key: 'idleLightMl', title: words('Idle, light', 'Ralentí, livianos', 'Ralenti, légers'), value: LIGHT_ML },
  ],
  columns: [
    vehicleColumn,
    duration('idling', words('Idle', 'Ralentí', 'Ralenti'), ({ sums }) => sums.idlingS),
    {
      key: 'litres',
      title: words('Fuel (L)', 'Combustible (L)', 'Carburant (L)'),
      type: 'number',
      of: ({ litres }) => litres,
      total: 'sum',
    },
    {
      key: 'gallons',
      title: words('Fuel (gal)', 'Combustible (gal)', 'Carburant (gal)'),
      type: 'number',
      of: ({ litres }) => litres && litres / LITRES_PER_GALLON,
      total: 'sum',
    },
    {
      key: 'cost',
      title: words('Cost (estimate)', 'Costo (estimado)', 'Coût (estimé)'),
      type: 'money',
      of: ({ litres }, asked) => costOf(litres, asked),
      total: 'sum',
    },
    {
      key: 'how',
      title: words('How it is known', 'Cómo se sabe', 'Comment on le sait'),
      type: 'text',
      of: ({ note }, { language }) => note[language],
    },
  ],
  read: async function* (asked) {
    const kinds = await kindsOf(asked);
    for await (const batch of vehiclePeriods(asked)) {
      yield batch.map(item => ({ ...item, ...burned(item, kinds.get(item.vehicle.id), asked) }));
    }
  },
});

const costOf = (litres: number | null, { option }: Asked): number | null => {
  const price = option('fuelPrice') / 1000;
  return litres === null || price === 0 ? null : litres * price;
};

interface Kind {
  readonly type: string | null;
  readonly fuel_type: string | null;
}

async function kindsOf({ session, sources, vehicles }: Asked): Promise<ReadonlyMap<number, Kind>> {
  const rows = await sources.db.asAccount(session.accountId, trx =>
    trx
      .selectFrom('vehicle')
      .select(['id', 'type', 'fuel_type'])
      .where(sql<boolean>`id = any (${vehicles.map(({ id }) => id)})`)
      .execute(),
  );
  return new Map(rows.map(row => [row.id, row]));
}

function burned(
  { days, sums, vehicle }: VehiclePeriod,
  kind: Kind | undefined,
  { option, sources }: Asked,
): Pick<IdleCost, 'litres' | 'note'> {
  const unknown = (note: Words) => ({ litres: null, note });
  if (days === 0) return unknown(NO_DATA);
  if (kind?.fuel_type && WITHOUT_FUEL.has(kind.fuel_type)) return unknown(NO_FUEL);
  // Without the ignition, a vehicle that stands counts as stopped.
  const newest = sources.parts.live.of(vehicle.id)?.newest ?? null;
  if (sums.idlingS === 0 && (newest?.ignition ?? null) === null) return unknown(NO_IGNITION);
  const type = kind?.type ?? '';
  if (!HEAVY.has(type) && !LIGHT.has(type)) return unknown(NO_TYPE);
  const rate = option(HEAVY.has(type) ? 'idleHeavyMl' : 'idleLightMl');
  if (rate === 0) return unknown(NO_RATE);
  return { litres: (sums.idlingS / 3600) * (rate / 1000), note: ESTIMATE };
}
