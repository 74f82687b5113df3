import type { Feature, Point } from 'geojson';
import { formatCount } from '../../format/locale.ts';
import { ringOf } from '../images/cluster-image.ts';
import type { Ink } from '../images/ink.ts';
import { clusterImageId, markerImageId } from '../images/map-images.ts';
import type { Pose } from '../scene/glide.ts';
import type { MapNode } from '../scene/nodes.ts';

export type FeatureProperties = Readonly<Record<string, string | boolean>>;

/** Which vehicles to highlight. */
export interface Emphasis {
  readonly current: string | null;
  readonly selected: ReadonlySet<string>;
}

/** A node's appearance, without its pose. */
export function propertiesOf(node: MapNode, { current, selected }: Emphasis, ink: Ink): FeatureProperties {
  if (node.kind === 'cluster') {
    return {
      kind: 'cluster',
      image: clusterImageId(ringOf(node.counts)),
      label: formatCount(node.members.length),
    };
  }
  const { shape, label, age } = node.vehicle;
  const isCurrent = node.id === current;
  return {
    kind: 'vehicle',
    image: markerImageId(shape),
    label,
    ...(age === null ? {} : { age, ageColor: ink(isCurrent ? '--surface' : '--warning') }),
    ...(isCurrent ? { current: true } : selected.has(node.id) ? { selected: true } : {}),
  };
}

export const poseOf = (node: MapNode): Pose => ({
  lat: node.lat,
  lon: node.lon,
  turn: node.kind === 'vehicle' ? node.turn : 0,
});

export const pointOf = ({ lon, lat }: Pose): Point => ({ type: 'Point', coordinates: [lon, lat] });

export const featureOf = (id: string, pose: Pose, properties: FeatureProperties): Feature<Point> => ({
  type: 'Feature',
  id,
  geometry: pointOf(pose),
  properties: { ...properties, id, turn: pose.turn },
});
