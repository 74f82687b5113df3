import { problemTitle } from '@milepost/contract';
import { DatabaseError } from 'pg';
import { AppError } from '../../http/app-error.ts';

const UNIQUE_VIOLATION = '23505';

/** What the database's unique indexes refuse, in the contract's words. An IMEI or a
 * tracker's own number may be somebody else's: no more is said. */
export function takenProblem(error: unknown, name: string): unknown {
  if (!(error instanceof DatabaseError) || error.code !== UNIQUE_VIOLATION) return error;
  if (error.constraint === 'vehicle_imei_key') return imeiTaken();
  if (error.constraint === 'vehicle_tracker_id') return trackerIdTaken();
  if (error.constraint === 'vehicle_name') return nameTaken(name);
  return error;
}

export function imeiTaken(): AppError {
  const message = problemTitle('imei-taken');
  return new AppError('imei-taken', {}, [{ field: 'imei', code: 'imei-taken', message }]);
}

export function trackerIdTaken(): AppError {
  const message = problemTitle('tracker-id-taken');
  return new AppError('tracker-id-taken', {}, [{ field: 'trackerId', code: 'tracker-id-taken', message }]);
}

export function nameTaken(name: string): AppError {
  const message = problemTitle('name-taken', { name });
  return new AppError('name-taken', { name }, [{ field: 'deviceName', code: 'name-taken', message }]);
}
