import type { GeofenceShape } from '@milepost/contract';
import { shapeProblem } from '@milepost/geo';
import { invalidField } from '../../app-error.ts';
import { toFenceShape } from '../../watching/fence-shape.ts';

/** The problem of the field `shape` if it encloses nothing, or not one thing; points are counted from 1. */
export function refuseImpossibleShape(shape: GeofenceShape): void {
  const problem = shapeProblem(toFenceShape(shape));
  if (problem === null) return;
  const point = problem.point + 1;
  switch (problem.code) {
    case 'too-few-points':
      throw invalidField('shape', 'too-few-points', { min: shape.kind === 'corridor' ? 2 : 3 });
    case 'no-area':
    case 'around-pole':
      throw invalidField('shape', problem.code);
    case 'crosses-itself':
    case 'rings-cross':
    case 'hole-outside':
      throw invalidField('shape', problem.code, { point });
  }
}
