import type { RuleFix } from '@milepost/geo';
import { celsius, percent, volts } from '@milepost/units';
import { driverCard } from '../../tracks/driver-card.ts';
import type { PositionRow } from '../../tracks/stored-position.ts';
import { toFenceFix } from '../geofences/visits/followed-day.ts';

type Row = Parameters<typeof toFenceFix>[0] &
  Partial<Pick<PositionRow, 'fuel' | 'temperature' | 'attributes' | 'rfid'>> & { readonly protocol?: string | null };

/** A fix as rules see it; what was not read is not known. */
export function toRuleFix(row: Row): RuleFix {
  const attributes = row.attributes as Readonly<Record<string, unknown>> | null | undefined;
  const [supply, battery] = [numberOf(attributes?.externalVoltage), numberOf(attributes?.batteryLevel)];
  return {
    ...toFenceFix(row),
    temperature: row.temperature == null ? null : celsius(row.temperature),
    fuel: row.fuel == null ? null : percent(row.fuel),
    supply: supply === null ? null : volts(supply),
    battery: battery === null ? null : percent(battery),
    card: row.protocol && row.rfid ? driverCard({ protocol: row.protocol, rfid: row.rfid }) : null,
  };
}

const numberOf = (value: unknown): number | null =>
  typeof value === 'number' && Number.isFinite(value) ? value : null;
