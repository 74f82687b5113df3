import { readTrack, type TrackColumn } from '@milepost/contract';
import { call } from '../base/api.ts';
import type { Measures } from './measures.ts';
import type { Track } from './unpack.ts';
import type { ToUnpack, Unpacked } from './worker.ts';

let worker: Worker | null = null;
let lastId = 0;
const waiting = new Map<number, (unpacked: Unpacked) => void>();

function startWorker(): Worker {
  const started = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module', name: 'tracks' });
  started.onmessage = ({ data }: MessageEvent<Unpacked>) => {
    waiting.get(data.id)?.(data);
    waiting.delete(data.id);
  };
  // The worker's file couldn't be loaded. The next track tries again.
  started.onerror = () => {
    started.terminate();
    worker = null;
    for (const [id, answer] of waiting) answer({ id, problem: 'The worker could not be started' });
    waiting.clear();
  };
  return started;
}

const DRAWN = ['speed', 'late'] as const;
/** The columns that a replay needs. */
export const REPLAYED = [...DRAWN, 'course', 'ignition'] as const;

/** Reads a vehicle's track between two times, both included. */
export async function readVehicleTrack(
  vehicleId: string,
  fromMs: number,
  toMs: number,
  columns: readonly TrackColumn[] = DRAWN,
): Promise<Track> {
  const unpacked = await unpack(vehicleId, fromMs, toMs, columns, 'track');
  if (!('track' in unpacked)) throw new Error('The worker unpacked something else');
  return unpacked.track;
}

const MEASURED = [
  'altitude',
  'odometer',
  'fuel',
  'temperature',
  'hdop',
  'satellites',
  'gsm',
  'rfid',
  'attributes',
] as const;

/** Reads all measurements of a vehicle between two times, both included. */
export async function readVehicleMeasures(vehicleId: string, fromMs: number, toMs: number): Promise<Measures> {
  const unpacked = await unpack(vehicleId, fromMs, toMs, MEASURED, 'measures');
  if (!('measures' in unpacked)) throw new Error('The worker unpacked something else');
  return unpacked.measures;
}

async function unpack(
  vehicleId: string,
  fromMs: number,
  toMs: number,
  columns: readonly TrackColumn[],
  what: ToUnpack['what'],
): Promise<Exclude<Unpacked, { readonly problem: string }>> {
  const [from, to] = [new Date(fromMs).toISOString(), new Date(toMs).toISOString()];
  const blob = await call(readTrack, { params: { id: vehicleId }, query: { from, to, columns: columns.join(',') } });
  const file = await blob.arrayBuffer();
  worker ??= startWorker();
  const id = ++lastId;
  const unpacked = await new Promise<Unpacked>(resolve => {
    waiting.set(id, resolve);
    const order: ToUnpack = { id, file, what };
    worker?.postMessage(order, [file]);
  });
  if ('problem' in unpacked) throw new Error(unpacked.problem);
  return unpacked;
}
