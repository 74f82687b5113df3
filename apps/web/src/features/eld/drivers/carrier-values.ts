import type { Carrier, Terminal } from '@milepost/contract';

/** Values of the form's fields; an empty text means none. */
export interface CarrierValues {
  readonly name: string;
  readonly usdotNumber: string;
  readonly ruleSet: string;
  readonly personalUse: boolean;
  readonly personalUseLimitKm: string;
  readonly yardMoves: boolean;
  readonly vehicleChoice: string;
  readonly terminals: readonly Terminal[];
}

export const carrierValues = (carrier: Carrier): CarrierValues => ({
  name: carrier.name ?? '',
  usdotNumber: carrier.usdotNumber ?? '',
  ruleSet: carrier.ruleSet,
  personalUse: carrier.personalUse,
  personalUseLimitKm: carrier.personalUseLimitKm === null ? '' : String(carrier.personalUseLimitKm),
  yardMoves: carrier.yardMoves,
  vehicleChoice: carrier.vehicleChoice,
  terminals: carrier.terminals,
});

/**
 * The body to send, which the contract's schema then checks. A limit that is not a number stays text, so that the
 * schema rejects it.
 */
export const carrierOf = (values: CarrierValues) => {
  const limit = values.personalUseLimitKm.trim().replace(',', '.');
  return {
    ...values,
    usdotNumber: values.usdotNumber.trim() || null,
    personalUseLimitKm:
      limit === '' || !values.personalUse ? null : Number.isNaN(Number(limit)) ? limit : Number(limit),
  };
};
