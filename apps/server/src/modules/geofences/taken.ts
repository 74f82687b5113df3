import { DatabaseError } from 'pg';
import { fieldProblem } from '../../app-error.ts';

const UNIQUE_VIOLATION = '23505';

/** Runs a write; a name that is taken is a problem of the field `name`. */
export async function named<T>(
  index: string,
  problem: 'geofence-name-taken' | 'geofence-group-name-taken' | 'rule-name-taken',
  write: () => Promise<T>,
): Promise<T> {
  try {
    return await write();
  } catch (error) {
    const isTaken = error instanceof DatabaseError && error.code === UNIQUE_VIOLATION && error.constraint === index;
    throw isTaken ? fieldProblem('name', problem) : error;
  }
}
