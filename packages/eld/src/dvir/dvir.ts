import { z } from 'zod';
import {
  entryIdSchema,
  instantSchema,
  line,
  powerUnitSchema,
  recordedVinSchema,
  trailersSchema,
} from '../event/fields.ts';

/** Driver vehicle inspection report (49 CFR 396.11, 396.13). */

/** The parts that a report must cover at least (396.11(a)(1)). */
export const INSPECTED_PARTS = [
  'service-brakes',
  'parking-brake',
  'steering',
  'lights-and-reflectors',
  'tires',
  'horn',
  'wipers',
  'mirrors',
  'coupling',
  'wheels-and-rims',
  'emergency-equipment',
  'other',
] as const;
export type InspectedPart = (typeof INSPECTED_PARTS)[number];

const signature = z.strictObject({ by: z.string().min(1).max(64), name: line(1, 80, 'A name'), at: instantSchema });
export type Signature = z.infer<typeof signature>;

const defect = z.strictObject({
  part: z.enum(INSPECTED_PARTS),
  /** `vehicle`, or the trailer’s number. */
  unit: line(1, 10, 'A unit'),
  what: line(3, 300, 'A description'),
  /** Likely to affect safety or to cause a breakdown: must be repaired before the next trip (396.11(a)(3)). */
  affectsSafety: z.boolean(),
});
export type Defect = z.infer<typeof defect>;

/** The report as the driver signs it. One without defects is allowed, but not required (396.11(a)(2)). */
export const dvirSchema = z.strictObject({
  id: entryIdSchema,
  vehicle: z.strictObject({ powerUnit: powerUnitSchema, vin: recordedVinSchema }),
  trailers: trailersSchema,
  defects: z.array(defect).max(100),
  reportedBy: signature,
});
export type DvirReport = z.infer<typeof dvirSchema>;

/** `reported` → `repaired` or `repair-not-needed` → `reviewed`: three signatures by three people, none ever changed. */
export const DVIR_STATES = ['reported', 'repaired', 'repair-not-needed', 'reviewed'] as const;
export type DvirState = (typeof DVIR_STATES)[number];

export interface Dvir {
  readonly report: DvirReport;
  readonly state: DvirState;
  readonly certifiedBy: Signature | null;
  readonly reviewedBy: Signature | null;
}

export type DvirStep = 'certify-repaired' | 'certify-not-needed' | 'review';
export type DvirRefusal = 'done-already' | 'certification-missing' | 'signed-before' | 'nothing-to-certify';

type Cell = DvirState | DvirRefusal;
const NEXT: Readonly<Record<DvirState, Readonly<Record<DvirStep, Cell>>>> = {
  reported: {
    'certify-repaired': 'repaired',
    'certify-not-needed': 'repair-not-needed',
    review: 'certification-missing',
  },
  repaired: { 'certify-repaired': 'done-already', 'certify-not-needed': 'done-already', review: 'reviewed' },
  'repair-not-needed': { 'certify-repaired': 'done-already', 'certify-not-needed': 'done-already', review: 'reviewed' },
  reviewed: { 'certify-repaired': 'done-already', 'certify-not-needed': 'done-already', review: 'done-already' },
};

export const openDvir = (report: DvirReport): Dvir => ({
  report,
  state: 'reported',
  certifiedBy: null,
  reviewedBy: null,
});

/** The next state with its signature, or the reason for refusing the step. */
export function advanceDvir(dvir: Dvir, step: DvirStep, signedBy: Signature): Dvir | DvirRefusal {
  const last = dvir.reviewedBy ?? dvir.certifiedBy ?? dvir.report.reportedBy;
  if (signedBy.at < last.at) return 'signed-before';
  const isClean = dvir.report.defects.length === 0;
  if (isClean && step !== 'review') return 'nothing-to-certify';
  // Without defects there is nothing to certify: the next driver reviews the report as it is.
  const next = isClean && dvir.state === 'reported' ? 'reviewed' : NEXT[dvir.state][step];
  if (!isState(next)) return next;
  return next === 'reviewed'
    ? { ...dvir, state: next, reviewedBy: signedBy }
    : { ...dvir, state: next, certifiedBy: signedBy };
}

const isState = (cell: Cell): cell is DvirState => DVIR_STATES.some(state => state === cell);

/** The trailers of a list that a driver typed, by the numbers that defects name. */
export const trailersOf = (list: string): string[] =>
  list.split(/[\s,]+/).flatMap(one => (one === '' ? [] : [one.slice(0, 10)]));

/**
 * Whether the last report allows the vehicle to be driven (396.11(a)(3), 396.13). Defects of a trailer that is no
 * longer coupled do not count.
 */
export function mayBeDriven({ report, state }: Dvir, coupledTrailers: readonly string[]): boolean {
  if (state !== 'reported') return true;
  return !report.defects.some(
    ({ affectsSafety, unit }) => affectsSafety && (unit === 'vehicle' || coupledTrailers.includes(unit)),
  );
}
