/** Bits of the status word, JT/T 808-2013 Table 25. */

export const STATUS = { ignition: 1, positioned: 1 << 1, south: 1 << 2, west: 1 << 3 } as const;

/** Reported by name if set. */
export const STATUS_BITS: readonly (readonly [bit: number, name: string])[] = [
  [4, 'outOfService'],
  [10, 'fuelCut'],
  [11, 'powerCircuitCut'],
  [12, 'doorLocked'],
  [13, 'door1Open'],
  [14, 'door2Open'],
  [15, 'door3Open'],
  [16, 'door4Open'],
  [17, 'door5Open'],
];
const DOORS = [13, 14, 15, 16, 17];
/** "Load", bits 8–9: empty, half, reserved, full. */
const LOADS = [null, 'half', null, 'full'] as const;

export function statusNotes(word: number, notes: Record<string, string | number | boolean>): void {
  for (const [bit, name] of STATUS_BITS) if ((word >>> bit) & 1) notes[name] = true;
  if (DOORS.some(bit => (word >>> bit) & 1)) notes.doorOpen = true;
  const load = LOADS[(word >>> 8) & 3];
  if (load) notes.load = load;
}
