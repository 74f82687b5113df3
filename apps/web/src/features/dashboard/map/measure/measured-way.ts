import { distanceMetres } from '@milepost/geo';
import { degrees, type Metres, metres } from '@milepost/units';
import type { Spot } from '../../../../map/camera.ts';

/** A way that is measured: its points in the order in which they were set. */
export type MeasuredWay = readonly Spot[];

export const withPoint = (way: MeasuredWay, spot: Spot): MeasuredWay => [...way, spot];
export const withoutLast = (way: MeasuredWay): MeasuredWay => way.slice(0, -1);

const point = ({ lat, lon }: Spot) => ({ lat: degrees(lat), lon: degrees(lon) });

/** As the crow flies, in metres. */
export const between = (from: Spot, to: Spot): Metres => distanceMetres(point(from), point(to));

/** The lengths of its legs, in order. */
export const legsOf = (way: MeasuredWay): Metres[] => way.slice(1).map((spot, i) => between(way[i] ?? spot, spot));

export const lengthOf = (way: MeasuredWay): Metres => metres(legsOf(way).reduce((sum, leg) => sum + leg, 0));
