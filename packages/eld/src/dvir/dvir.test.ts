import { describe, expect, it } from 'vitest';
import { VEHICLE } from '../testing/entries.ts';
import {
  advanceDvir,
  type Dvir,
  type DvirReport,
  type DvirStep,
  dvirSchema,
  mayBeDriven,
  openDvir,
  type Signature,
} from './dvir.ts';

const signed = (by: string, hour: number): Signature => ({ by, name: 'Ana Rivera', at: Date.UTC(2026, 1, 3, hour) });
const report = (defects: DvirReport['defects']): DvirReport => ({
  id: '00000000-0000-4000-8000-000000000001',
  vehicle: VEHICLE,
  trailers: '53017',
  defects,
  reportedBy: signed('driver-12', 22),
});
const brakes = {
  part: 'service-brakes',
  unit: 'vehicle',
  what: 'Air leak at the left chamber',
  affectsSafety: true,
} as const;
const light = {
  part: 'lights-and-reflectors',
  unit: '53017',
  what: 'Marker light broken',
  affectsSafety: true,
} as const;

function after(dvir: Dvir, ...steps: [DvirStep, number][]): Dvir {
  return steps.reduce((state, [step, hour]) => {
    const next = advanceDvir(state, step, signed(`someone-${hour}`, hour));
    if (typeof next === 'string') throw new Error(next);
    return next;
  }, dvir);
}

describe('an inspection report', () => {
  it('goes from defect to repair to the next driver’s review, with a signature for each step', () => {
    const dvir = openDvir(report([brakes]));
    expect(dvirSchema.safeParse(dvir.report).success).toBe(true);
    expect(mayBeDriven(dvir, [])).toBe(false);
    const repaired = after(dvir, ['certify-repaired', 23]);
    expect(repaired).toMatchObject({ state: 'repaired', certifiedBy: { by: 'someone-23' }, reviewedBy: null });
    expect(mayBeDriven(repaired, [])).toBe(true);
    expect(after(repaired, ['review', 30])).toMatchObject({ state: 'reviewed', reviewedBy: { by: 'someone-30' } });
  });

  it.each<[DvirStep[], DvirStep, string]>([
    [[], 'review', 'certification-missing'],
    [['certify-repaired'], 'certify-not-needed', 'done-already'],
    [['certify-not-needed', 'review'], 'review', 'done-already'],
  ])('after %j refuses %s', (steps, step, refusal) => {
    const dvir = after(openDvir(report([brakes])), ...steps.map((one): [DvirStep, number] => [one, 23]));
    expect(advanceDvir(dvir, step, signed('x', 24))).toBe(refusal);
  });

  it('refuses a signature dated before the step it follows', () => {
    expect(advanceDvir(openDvir(report([brakes])), 'certify-repaired', signed('x', 21))).toBe('signed-before');
  });

  it('without defects is only reviewed', () => {
    const clean = openDvir(report([]));
    expect(mayBeDriven(clean, [])).toBe(true);
    expect(advanceDvir(clean, 'certify-repaired', signed('x', 23))).toBe('nothing-to-certify');
    expect(after(clean, ['review', 23]).state).toBe('reviewed');
  });

  it('does not stop the truck for an uncoupled trailer, nor for a defect that does not affect safety', () => {
    const dvir = openDvir(report([light]));
    expect([mayBeDriven(dvir, ['53017']), mayBeDriven(dvir, [])]).toEqual([false, true]);
    expect(mayBeDriven(openDvir(report([{ ...brakes, affectsSafety: false }])), [])).toBe(true);
  });
});
