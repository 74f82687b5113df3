import { paths } from '../../paths.ts';
import { COLORINGS, type ColoringId } from './coloring-ids.ts';

/** Speeds as multiples of real time. */
export const SPEEDS = [1, 10, 60, 300, 600] as const;
export type Speed = (typeof SPEEDS)[number];
export const DEFAULT_SPEED: Speed = 60;

export const MAX_VEHICLES = 50;
export const MAX_DAYS = 7;
/** A week with a daylight saving change can be one hour longer. */
const MAX_MS = (MAX_DAYS * 24 + 1) * 3_600_000;

export interface Range {
  readonly fromMs: number;
  readonly toMs: number;
}

/** Whether the range runs forward and is no longer than a replay can be. */
export const isShown = ({ fromMs, toMs }: Range): boolean => toMs > fromMs && toMs - fromMs <= MAX_MS;

/** The page's state as in its address. */
export interface Address {
  readonly vehicles: readonly string[];
  /** Null if the address has none, or one that can't be shown. */
  readonly range: Range | null;
  readonly atMs: number | null;
  readonly speed: Speed;
  /** What the tracks' colors mean. */
  readonly color: ColoringId;
  /** The field that the chart shows. */
  readonly chart: string;
  /** Trails are faint where they are long ago. */
  readonly ghosts: boolean;
  /** Opens the evidence pack right away; never written into the address. */
  readonly pack: boolean;
}

export const SPEED_CHART = 'speed';

export function readAddress(parameters: URLSearchParams): Address {
  const [from, to, at] = ['from', 'to', 'at'].map(name => Date.parse(parameters.get(name) ?? '')) as [
    number,
    number,
    number,
  ];
  const isRange = isShown({ fromMs: from, toMs: to });
  const ids = (parameters.get('vehicles') ?? '').split(',').filter(id => /^\d+$/.test(id));
  const speed = Number(parameters.get('speed'));
  const color = parameters.get('color');
  return {
    vehicles: [...new Set(ids)].slice(0, MAX_VEHICLES),
    range: isRange ? { fromMs: from, toMs: to } : null,
    atMs: isRange && at >= from && at <= to ? at : null,
    speed: SPEEDS.find(each => each === speed) ?? DEFAULT_SPEED,
    color: COLORINGS.find(each => each === color) ?? 'vehicle',
    chart: (parameters.get('chart') ?? '').slice(0, 64) || SPEED_CHART,
    ghosts: parameters.get('trails') === 'ghost',
    pack: parameters.get('pack') === '1',
  };
}

/** The address of what is on screen; it shows the same to everyone who opens it. */
export function pathOf({ vehicles, range, atMs, speed, color, chart, ghosts }: Omit<Address, 'pack'>): string {
  const path = paths.replay({
    vehicles,
    ...range,
    ...(atMs !== null && { atMs }),
    ...(speed !== DEFAULT_SPEED && { speed }),
  });
  const more = [
    color !== 'vehicle' && `color=${color}`,
    chart !== SPEED_CHART && `chart=${encodeURIComponent(chart)}`,
    ghosts && 'trails=ghost',
  ].filter(Boolean);
  return more.length === 0 ? path : `${path}${path.includes('?') ? '&' : '?'}${more.join('&')}`;
}
