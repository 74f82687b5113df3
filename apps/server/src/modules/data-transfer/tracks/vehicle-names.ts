import type { Context } from '../../../context.ts';

export interface NamedVehicle {
  readonly id: number;
  readonly name: string;
}

/** Vehicles by what files call them: as chosen, or by IMEI, VIN, plate, tracker ID or name. A name of two vehicles is nobody's. */
export class VehicleNames {
  readonly #byName = new Map<string, NamedVehicle | null>();

  static async read(
    db: Context['db'],
    accountId: number,
    chosen: Readonly<Record<string, string>>,
  ): Promise<VehicleNames> {
    const vehicles = await db.asAccount(accountId, trx =>
      trx.selectFrom('vehicle').select(['id', 'name', 'imei', 'plate', 'vin', 'tracker_id']).execute(),
    );
    const names = new VehicleNames();
    for (const column of ['imei', 'tracker_id', 'vin', 'plate', 'name'] as const) {
      const found = new Map<string, NamedVehicle | null>();
      for (const vehicle of vehicles) {
        const name = plain(vehicle[column] ?? '');
        if (name !== '') found.set(name, found.has(name) ? null : { id: vehicle.id, name: vehicle.name });
      }
      for (const [name, vehicle] of found) if (!names.#byName.has(name)) names.#byName.set(name, vehicle);
    }
    const byId = new Map(vehicles.map(({ id, name }) => [String(id), { id, name }]));
    for (const [name, id] of Object.entries(chosen)) names.#byName.set(plain(name), byId.get(id) ?? null);
    return names;
  }

  of(name: string): NamedVehicle | null {
    return this.#byName.get(plain(name)) ?? null;
  }
}

const plain = (name: string): string => name.trim().replace(/\s+/g, ' ').toLowerCase();
