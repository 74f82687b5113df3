import { carrierSchema, logSettingsSchema, problemOfIssue } from '@milepost/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { METRIC, US } from '../../../format/measure.ts';
import { carrierOf, carrierValues } from './carrier-values.ts';
import { settingsOf, valuesOf } from './settings-values.ts';
import { userNameFor } from './user-name.ts';

describe('[R2.15] the settings of a driver’s log', () => {
  it('go into the fields and come back as they were', () => {
    const allowance = fc.option(fc.boolean());
    const settings = fc.record({
      keepsLog: fc.boolean(),
      ruleSet: fc.option(fc.constantFrom('US_PROPERTY_70_8' as const, 'CA_SOUTH_CYCLE1_70_7' as const)),
      terminalId: fc.option(fc.stringMatching(/^[a-z0-9-]{1,20}$/)),
      personalUse: allowance,
      yardMoves: allowance,
      isExempt: fc.boolean(),
      exemptReason: fc.option(fc.stringMatching(/^[a-z]{3,20}$/)),
    });
    fc.assert(
      fc.property(settings, given => {
        expect(logSettingsSchema.parse(settingsOf(valuesOf(given)))).toEqual(given);
      }),
    );
  });

  it('begin with a user name that people recognize', () => {
    expect(['Tyrell Banks', 'Sofía Marín López', 'Cher', ' '].map(userNameFor)).toEqual([
      't.banks',
      's.lopez',
      'cher',
      '',
    ]);
  });
});

describe('what logs say about the carrier', () => {
  const carrier = carrierSchema.parse({
    name: 'Rockfish Freight Lines',
    usdotNumber: '1234567',
    terminals: [{ id: 'a', name: 'Staunton', timeZone: 'America/New_York', startOfDay: '00:00' }],
    ruleSet: 'US_PROPERTY_70_8',
    personalUse: true,
    yardMoves: false,
    personalUseLimitKm: 80,
    vehicleChoice: 'folders',
  });

  it('goes into the fields and comes back as it was; no limit where personal use is not allowed', () => {
    expect(carrierSchema.parse(carrierOf(carrierValues(carrier, METRIC), METRIC))).toEqual(carrier);
    expect(carrierValues(carrier, US).personalUseLimitKm).toBe('49.7');
    const without = { ...carrierValues(carrier, US), usdotNumber: ' ', personalUse: false };
    expect(carrierOf(without, US)).toMatchObject({ usdotNumber: null, personalUseLimitKm: null });
  });

  it('takes a decimal comma, and refuses a limit that is no number', () => {
    const typed = (personalUseLimitKm: string, system = METRIC) =>
      carrierOf({ ...carrierValues(carrier, system), personalUseLimitKm }, system);
    expect(typed('80,5').personalUseLimitKm).toBe(80.5);
    expect(typed('50', US).personalUseLimitKm).toBeCloseTo(80.4672, 6);
    const refused = carrierSchema.safeParse(typed('eighty')).error?.issues.map(problemOfIssue);
    expect(refused).toEqual([{ code: 'personal-use-limit', params: { minKm: 1, maxKm: 5000 } }]);
  });
});
