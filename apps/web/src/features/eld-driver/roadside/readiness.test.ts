import type { MyDuty } from '@milepost/contract';
import { describe, expect, it } from 'vitest';
import { readinessOf } from './readiness.ts';

const DUTY = {
  driver: { licenceNumber: 'T64118207' },
  carrier: { usdotNumber: '9990417' },
  vehicle: { id: '4' },
  row: { faults: [] as string[] },
  days: [{ proposals: 0, formErrors: [] }],
  toCertify: [] as string[],
  unclaimed: [] as unknown[],
  dutyLog: { ruleset: 'US_PROPERTY_70_8' },
};
const PHONE = { waiting: 0, hasPin: true, hasRehearsed: true };
const of = (duty: object = {}, phone: object = {}) =>
  readinessOf({ ...DUTY, ...duty } as unknown as MyDuty, { ...PHONE, ...phone });

describe('[N15] the readiness lamp', () => {
  it('is green when there is nothing to do', () => {
    expect(of()).toEqual({ lamp: 'ready', reasons: [] });
  });

  it.each([
    [{ toCertify: ['2026-11-25'] }, 'uncertified'],
    [{ row: { faults: ['P'] } }, 'malfunction'],
    [{ carrier: { usdotNumber: null } }, 'usdot'],
    [{ driver: { licenceNumber: null } }, 'licence'],
    [{ days: [{ proposals: 0, formErrors: [{ code: 'x', text: 'y' }] }] }, 'form'],
  ])('is red where an officer can cite it: %j', (duty, kind) => {
    expect(of(duty)).toMatchObject({ lamp: 'notReady', reasons: [{ kind }] });
  });

  it.each([
    [{ row: { faults: ['2'] } }, {}, 'diagnostic'],
    [{ unclaimed: [{}] }, {}, 'unclaimed'],
    [{ vehicle: null }, {}, 'noVehicle'],
    [{ days: [{ proposals: 1, formErrors: [] }] }, {}, 'changes'],
    [{}, { waiting: 3 }, 'waiting'],
    [{}, { hasPin: false }, 'pin'],
    [{}, { hasRehearsed: false }, 'rehearsal'],
  ])('is amber where it only costs time: %j %j', (duty, phone, kind) => {
    expect(of(duty, phone)).toMatchObject({ lamp: 'almost', reasons: [{ kind }] });
  });

  it('counts what the form lacks on the days that an officer may see, and changes on all', () => {
    const missing = { code: 'x', text: 'y' };
    const incomplete = { date: '2026-11-25', proposals: 1, formErrors: [missing, missing] };
    const days = [{ date: '2026-11-26', proposals: 0, formErrors: [] }, incomplete];
    expect(of({ days, officerDays: 1 }).reasons).toEqual([{ kind: 'changes', count: 1 }]);
    expect(of({ days, officerDays: 2 }).reasons).toEqual([
      { kind: 'form', count: 1, date: '2026-11-25' },
      { kind: 'changes', count: 1 },
    ]);
  });

  it('asks no USDOT number of a carrier in Canada', () => {
    expect(of({ carrier: { usdotNumber: null }, dutyLog: { ruleset: 'CA_SOUTH_CYCLE1_70_7' } }).lamp).toBe('ready');
  });
});
