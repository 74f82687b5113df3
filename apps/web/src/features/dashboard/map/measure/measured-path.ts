import { distanceMetres } from '@milepost/geo';
import { degrees, type Metres, metres } from '@milepost/units';
import type { Spot } from '../../../../map/camera.ts';

/** The points of a measured path, in the order they were set. */
export type MeasuredPath = readonly Spot[];

export const withPoint = (path: MeasuredPath, spot: Spot): MeasuredPath => [...path, spot];
export const withoutLast = (path: MeasuredPath): MeasuredPath => path.slice(0, -1);

const point = ({ lat, lon }: Spot) => ({ lat: degrees(lat), lon: degrees(lon) });

/** Straight-line distance in meters. */
export const between = (from: Spot, to: Spot): Metres => distanceMetres(point(from), point(to));

/** The lengths of the path's legs, in order. */
export const legsOf = (path: MeasuredPath): Metres[] => path.slice(1).map((spot, i) => between(path[i] ?? spot, spot));

export const lengthOf = (path: MeasuredPath): Metres => metres(legsOf(path).reduce((sum, leg) => sum + leg, 0));
