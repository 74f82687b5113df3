import { DatabaseError } from 'pg';
import { type AppError, fieldProblem } from '../../app-error.ts';

const UNIQUE_VIOLATION = '23505';

/**
 * Problem codes for the database's unique indexes. An IMEI or tracker ID may belong to another account, so the
 * problem says no more.
 */
export function takenProblem(error: unknown, name: string): unknown {
  if (!(error instanceof DatabaseError) || error.code !== UNIQUE_VIOLATION) return error;
  if (error.constraint === 'vehicle_imei_key') return imeiTaken();
  if (error.constraint === 'vehicle_tracker_id') return trackerIdTaken();
  if (error.constraint === 'vehicle_name') return nameTaken(name);
  return error;
}

export const imeiTaken = (): AppError => fieldProblem('imei', 'imei-taken');
export const trackerIdTaken = (): AppError => fieldProblem('trackerId', 'tracker-id-taken');
export const nameTaken = (name: string): AppError => fieldProblem('deviceName', 'name-taken', { name });
