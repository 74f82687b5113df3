import type { Carrier, Terminal } from '@milepost/contract';
import type { MeasureSystem } from '../../../format/measure.ts';
import { kmPerUnit, typedNumber, typedText } from '../../../format/typed.ts';

/** Values of the form's fields; an empty text means none. */
export interface CarrierValues {
  readonly name: string;
  readonly usdotNumber: string;
  readonly ruleSet: string;
  readonly personalUse: boolean;
  /** In the reader's unit. */
  readonly personalUseLimitKm: string;
  readonly yardMoves: boolean;
  readonly vehicleChoice: string;
  readonly terminals: readonly Terminal[];
}

export const carrierValues = (carrier: Carrier, system: MeasureSystem): CarrierValues => ({
  name: carrier.name ?? '',
  usdotNumber: carrier.usdotNumber ?? '',
  ruleSet: carrier.ruleSet,
  personalUse: carrier.personalUse,
  personalUseLimitKm: typedText(carrier.personalUseLimitKm && carrier.personalUseLimitKm / kmPerUnit(system), 1),
  yardMoves: carrier.yardMoves,
  vehicleChoice: carrier.vehicleChoice,
  terminals: carrier.terminals,
});

/** The body to send, which the contract's schema then checks. */
export const carrierOf = (values: CarrierValues, system: MeasureSystem) => ({
  ...values,
  usdotNumber: values.usdotNumber.trim() || null,
  personalUseLimitKm:
    values.personalUseLimitKm.trim() === '' || !values.personalUse
      ? null
      : typedNumber(values.personalUseLimitKm) * kmPerUnit(system),
});
