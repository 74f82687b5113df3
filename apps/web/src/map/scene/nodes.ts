import { VEHICLE_STATUSES, type VehicleStatus } from '@milepost/geo';
import { isDirectional, type ShapeName } from '../../ui/status-shapes.ts';
import { clusterPoints } from './cluster.ts';
import { latOf, lonOf, mercatorX, mercatorY, worldPixels } from './mercator.ts';

/** The vehicle data that the map draws. */
export interface MapVehicle {
  readonly id: string;
  readonly lat: number;
  readonly lon: number;
  readonly shape: ShapeName;
  readonly status: VehicleStatus;
  readonly course: number | null;
  readonly label: string;
  /** Shown beside the label of a vehicle whose position is old; null if the position is fresh. */
  readonly age: string | null;
}

/** West, south, east, north. */
export type Box = readonly [number, number, number, number];

export interface VehicleNode {
  readonly kind: 'vehicle';
  readonly id: string;
  readonly lat: number;
  readonly lon: number;
  readonly vehicle: MapVehicle;
  /** Degrees by which the shape is rotated. */
  readonly turn: number;
}

export interface ClusterNode {
  readonly kind: 'cluster';
  readonly id: string;
  readonly lat: number;
  readonly lon: number;
  readonly members: readonly MapVehicle[];
  /** The number of vehicles with each status, in the order of `VEHICLE_STATUSES`. */
  readonly counts: readonly number[];
}

export type MapNode = VehicleNode | ClusterNode;

/** Markers closer than this would overlap, so they become a cluster. */
const CLUSTER_RADIUS_PX = 30;
/** From this zoom on, vehicles aren't clustered. Those at one place fan out when clicked. */
const CLUSTER_MAX_ZOOM = 16.5;

/**
 * What to draw at a zoom inside a box: single vehicles and clusters. The current vehicle is never part of a cluster.
 * Clusters are made from all vehicles, not just those in the box, so they don't change while the map is dragged.
 */
export function mapNodes(vehicles: readonly MapVehicle[], zoom: number, box: Box, currentId: string | null): MapNode[] {
  const nodes: MapNode[] = [];
  const free: MapVehicle[] = [];
  for (const vehicle of vehicles) {
    if (vehicle.id === currentId) nodes.push(vehicleNode(vehicle));
    else free.push(vehicle);
  }
  if (zoom >= CLUSTER_MAX_ZOOM) {
    for (const vehicle of free) if (isInside(vehicle, box)) nodes.push(vehicleNode(vehicle));
    return nodes;
  }

  const x = Float64Array.from(free, ({ lon }) => mercatorX(lon));
  const y = Float64Array.from(free, ({ lat }) => mercatorY(lat));
  // The radius changes every half step of zoom, so clusters don't change on every frame while zooming.
  const radius = CLUSTER_RADIUS_PX / worldPixels(Math.floor(zoom * 2) / 2);
  for (const group of clusterPoints({ x, y, count: free.length }, radius)) {
    const members = group.flatMap(i => free[i] ?? []);
    const [first] = members;
    if (!first) continue;
    const node = members.length === 1 ? vehicleNode(first) : clusterNode(members, group, x, y);
    if (isInside(node, box)) nodes.push(node);
  }
  return nodes;
}

const vehicleNode = (vehicle: MapVehicle): VehicleNode => ({
  kind: 'vehicle',
  id: vehicle.id,
  lat: vehicle.lat,
  lon: vehicle.lon,
  vehicle,
  turn: isDirectional(vehicle.shape) ? (vehicle.course ?? 0) : 0,
});

function clusterNode(
  members: readonly MapVehicle[],
  group: readonly number[],
  x: Float64Array,
  y: Float64Array,
): ClusterNode {
  const counts = VEHICLE_STATUSES.map(() => 0);
  let [sumX, sumY] = [0, 0];
  for (const [i, vehicle] of members.entries()) {
    const status = VEHICLE_STATUSES.indexOf(vehicle.status);
    counts[status] = (counts[status] ?? 0) + 1;
    sumX += x[group[i] ?? 0] ?? 0;
    sumY += y[group[i] ?? 0] ?? 0;
  }
  return {
    kind: 'cluster',
    id: `cluster-${members[0]?.id}`,
    lon: lonOf(sumX / members.length),
    lat: latOf(sumY / members.length),
    members,
    counts,
  };
}

/** A box may extend past 180°, so the longitude is also compared one turn to the east and to the west. */
export function isInside({ lat, lon }: { readonly lat: number; readonly lon: number }, box: Box): boolean {
  const [west, south, east, north] = box;
  if (lat < south || lat > north) return false;
  return [lon, lon + 360, lon - 360].some(each => each >= west && each <= east);
}
