import type { TrackerEvent } from '../events.ts';
import { FMB_GEOFENCES } from './elements.ts';
import { TRUCK_GEOFENCES } from './truck-elements.ts';

/** The event for each value of the element that caused a report; `any` if every value means the same. */
type Meaning = readonly (TrackerEvent | null)[] | { readonly any: TrackerEvent };

const ZONE: Meaning = ['geofenceExit', 'geofenceEnter', 'overspeedEnd', 'overspeed'];
const DRIVER: Meaning = [null, 'driverIdentified', 'driverIdentified'];

const SHARED: readonly (readonly [number, Meaning])[] = [
  [239, ['ignitionOff', 'ignitionOn']],
  [240, ['movementStop', 'movementStart']],
  [250, ['tripStop', 'tripStart']],
  [175, ['geofenceExit', 'geofenceEnter']],
  [246, [null, 'towing']],
  [247, { any: 'crash' }],
  [249, ['jammingEnd', 'jamming']],
  [253, [null, 'harshAcceleration', 'harshBraking', 'harshCornering']],
  [255, { any: 'overspeed' }],
  [78, [null, 'driverIdentified']],
  [207, [null, 'driverIdentified']],
];

const FMB_MEANINGS = new Map<number, Meaning>([
  ...SHARED,
  ...FMB_GEOFENCES.map((id): [number, Meaning] => [id, ZONE]),
  [251, ['idlingEnd', 'idling']],
  [252, ['powerRestored', 'powerCut']],
  [248, DRIVER],
  [200, { any: 'sleep' }],
  [236, [null, 'sos']],
  [242, [null, 'fall']],
  [1412, [null, 'fall']],
  [257, { any: 'crash' }],
  [310, ['movementStart', 'movementStop']],
  [318, ['jammingEnd', 'jamming', 'jamming']],
  [389, { any: 'button' }],
  [390, ['powerOn', 'powerOff']],
  [520, [null, 'tamper']],
  [116, [null, 'charging']],
]);

const TRUCK_MEANINGS = new Map<number, Meaning>([
  ...SHARED,
  ...TRUCK_GEOFENCES.map((id): [number, Meaning] => [id, ZONE]),
  [243, ['idlingEnd', 'idling']],
  [248, ['overspeedEnd', 'overspeed']],
  [251, DRIVER],
  [252, DRIVER],
]);

const INPUTS = new Set([1, 2, 3, 4, 262]);
/** "Panic", Codec 8, Priority. */
const PANIC = 2;
/** AVL 389: the high four bits are the button, 1 is the alarm button. */
const BUTTON_CLICK = 389;
const ALARM_BUTTON = 1;

/**
 * The event of a record. A digital input that is on and has the priority "panic" is the emergency button, because that
 * is how one is wired.
 */
export function eventOf(truck: boolean, id: number, value: number, priority: number): TrackerEvent | null {
  if (id === BUTTON_CLICK && !truck && value >> 4 === ALARM_BUTTON) return 'sos';
  const meaning = (truck ? TRUCK_MEANINGS : FMB_MEANINGS).get(id);
  if (meaning === undefined) return priority === PANIC && INPUTS.has(id) && value === 1 ? 'sos' : null;
  return 'any' in meaning ? meaning.any : (meaning[value] ?? null);
}
