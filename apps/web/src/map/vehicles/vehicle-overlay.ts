import type { GeoJSONFeatureDiff, GeoJSONSource, GeoJSONSourceDiff, Map as MapLibreMap, PointLike } from 'maplibre-gl';
import type { Ink } from '../images/ink.ts';
import { Glide, type Pose } from '../scene/glide.ts';
import { mercatorX, mercatorY, worldPixels } from '../scene/mercator.ts';
import { type Box, isInside, type MapNode, type MapVehicle, mapNodes } from '../scene/nodes.ts';
import { SLOTS } from '../style/slots.ts';
import { type Emphasis, type FeatureProperties, featureOf, pointOf, poseOf, propertiesOf } from './vehicle-features.ts';
import { OTHERS, othersOpacity, PICKABLE, PLATES_LAYER, VEHICLE_SOURCE, vehicleLayers } from './vehicle-layers.ts';

/** Plates are shown from this zoom on, or when fewer vehicles than this are in view. */
const PLATES_FROM_ZOOM = 9;
const PLATES_BELOW_COUNT = 60;
/**
 * What lies beyond each edge is drawn too, as a share of the view, so the map can be dragged that far without a redraw.
 */
const MARGIN = 0.35;
/** Changes are collected for this long, since a large fleet changes all the time. */
const SETTLE_MS = 120;
const SETTLE_LARGE_MS = 500;
const LARGE_FLEET = 1000;
/** How often gliding markers move. At a truck's few pixels per second this looks smooth. */
const FRAME_MS = 33;
/** How far a click may miss. */
const REACH_PX = 5;

interface Drawn {
  readonly node: MapNode;
  readonly pose: Pose;
  readonly properties: FeatureProperties;
}

/**
 * Vehicles and clusters on the map. MapLibre gets only what is in view, as changes to what it has, so the cost depends
 * on the screen and not on the size of the fleet.
 */
export class VehicleOverlay {
  readonly #map: MapLibreMap;
  readonly #ink: Ink;
  readonly #vehicles = new Map<string, MapVehicle>();
  readonly #drawn = new Map<string, Drawn>();
  readonly #glide = new Glide();
  #emphasis: Emphasis = { current: null, selected: new Set() };
  #mayGlide = true;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #frame = 0;
  #lastFrameMs = 0;
  #platesShown = true;
  #watch: { readonly id: string; readonly listener: (pose: Pose) => void } | null = null;

  constructor(map: MapLibreMap, ink: Ink) {
    this.#map = map;
    this.#ink = ink;
  }

  /** Adds source and layers to the loaded style. Call it again after a new style has loaded. */
  attach(): void {
    this.#drawn.clear();
    this.#platesShown = true;
    this.#map.addSource(VEHICLE_SOURCE, { type: 'geojson', data: { type: 'FeatureCollection', features: [] } });
    for (const layer of vehicleLayers(this.#ink)) this.#map.addLayer(layer, SLOTS.vehicles);
    this.#dimOthers();
    this.#map.on('move', this.#onMove);
    this.#map.on('moveend', this.#redraw);
    this.#redraw();
  }

  detach(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
    this.#map.off('move', this.#onMove);
    this.#map.off('moveend', this.#redraw);
    // The map may have been removed by now, or have another style without our layers.
    if (!this.#source()) return;
    for (const { id } of vehicleLayers(this.#ink)) this.#map.removeLayer(id);
    this.#map.removeSource(VEHICLE_SOURCE);
  }

  /** Null removes a vehicle from the map. */
  set(id: string, vehicle: MapVehicle | null): void {
    if (vehicle) this.#vehicles.set(id, vehicle);
    else this.#vehicles.delete(id);
    this.#redrawSoon();
  }

  emphasise(emphasis: Emphasis): void {
    this.#emphasis = emphasis;
    this.#dimOthers();
    this.#redraw();
  }

  /** With `prefers-reduced-motion`, markers jump. */
  allowGliding(allowed: boolean): void {
    this.#mayGlide = allowed;
  }

  vehicle(id: string): MapVehicle | undefined {
    return this.#vehicles.get(id);
  }

  /** Where a vehicle is drawn now; between two reports, a point on the way. */
  drawnPose(id: string): Pose | undefined {
    return this.#drawn.get(id)?.pose;
  }

  /** Calls `listener` for each pose in which this vehicle is drawn. Watches one vehicle at a time. */
  onMove(id: string, listener: (pose: Pose) => void): () => void {
    const watch = { id, listener };
    this.#watch = watch;
    return () => {
      if (this.#watch === watch) this.#watch = null;
    };
  }

  /** Vehicles in the visible part of the map, clustered or not, from west to east. */
  inView(): MapVehicle[] {
    const box = this.#box(0);
    return [...this.#vehicles.values()].filter(vehicle => isInside(vehicle, box)).sort((a, b) => a.lon - b.lon);
  }

  /** The vehicles and clusters that are drawn at a point of the screen. */
  at(x: number, y: number): MapNode[] {
    const reach: [PointLike, PointLike] = [
      [x - REACH_PX, y - REACH_PX],
      [x + REACH_PX, y + REACH_PX],
    ];
    if (!this.#source()) return [];
    const features = this.#map.queryRenderedFeatures(reach, { layers: [...PICKABLE] });
    const ids = new Set(features.map(({ properties }) => String(properties.id)));
    return [...ids].flatMap(id => this.#drawn.get(id)?.node ?? []);
  }

  #source(): GeoJSONSource | undefined {
    return this.#map.style ? this.#map.getSource<GeoJSONSource>(VEHICLE_SOURCE) : undefined;
  }

  #redrawSoon(): void {
    const wait = this.#vehicles.size > LARGE_FLEET ? SETTLE_LARGE_MS : SETTLE_MS;
    this.#timer ??= setTimeout(this.#redraw, wait);
  }

  readonly #onMove = (): void => this.#redrawSoon();

  readonly #redraw = (): void => {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const source = this.#source();
    if (!source) return;
    const zoom = this.#map.getZoom();
    const nodes = mapNodes([...this.#vehicles.values()], zoom, this.#box(MARGIN), this.#emphasis.current);
    const diff = this.#differences(nodes);
    if (diff) void source.updateData(diff);
    this.#showPlates(zoom >= PLATES_FROM_ZOOM || nodes.length < PLATES_BELOW_COUNT);
    if (!this.#glide.isIdle) this.#requestFrame();
  };

  #differences(nodes: readonly MapNode[]): GeoJSONSourceDiff | null {
    const nowMs = performance.now();
    const add = [];
    const update: GeoJSONFeatureDiff[] = [];
    const gone = new Set(this.#drawn.keys());
    for (const node of nodes) {
      gone.delete(node.id);
      const before = this.#drawn.get(node.id);
      const properties = propertiesOf(node, this.#emphasis, this.#ink);
      const goal = poseOf(node);
      if (!before) {
        this.#drawn.set(node.id, { node, pose: goal, properties });
        add.push(featureOf(node.id, goal, properties));
        continue;
      }
      const pose = this.#poseTowards(node, before, goal, nowMs);
      this.#drawn.set(node.id, { node, pose, properties });
      const change = changeOf(node.id, before, pose, properties);
      if (change) update.push(change);
    }
    for (const id of gone) {
      this.#drawn.delete(id);
      this.#glide.stop(id);
    }
    if (add.length === 0 && update.length === 0 && gone.size === 0) return null;
    return { add, update, remove: [...gone] };
  }

  /** Where to draw a marker now: at the start of its glide if it may glide, otherwise at its goal. */
  #poseTowards(node: MapNode, before: Drawn, goal: Pose, nowMs: number): Pose {
    const isNews = !samePose(goal, poseOf(before.node));
    if (!isNews) return before.pose;
    const from = before.pose;
    const mayGlide = this.#mayGlide && node.kind === 'vehicle';
    if (mayGlide && this.#glide.start(node.id, from, goal, this.#pixels(from, goal), nowMs)) return from;
    this.#glide.stop(node.id);
    this.#tell(node.id, goal);
    return goal;
  }

  #pixels(from: Pose, to: Pose): number {
    const world = worldPixels(this.#map.getZoom());
    return world * Math.hypot(mercatorX(to.lon) - mercatorX(from.lon), mercatorY(to.lat) - mercatorY(from.lat));
  }

  #tell(id: string, pose: Pose): void {
    if (this.#watch?.id === id) this.#watch.listener(pose);
  }

  #requestFrame(): void {
    if (this.#frame === 0) this.#frame = requestAnimationFrame(this.#advance);
  }

  readonly #advance = (nowMs: number): void => {
    this.#frame = 0;
    if (nowMs - this.#lastFrameMs >= FRAME_MS) {
      this.#lastFrameMs = nowMs;
      const update: GeoJSONFeatureDiff[] = [];
      for (const [id, pose] of this.#glide.advance(nowMs)) {
        const drawn = this.#drawn.get(id);
        if (!drawn) continue;
        this.#drawn.set(id, { ...drawn, pose });
        this.#tell(id, pose);
        update.push(moveTo(id, pose, drawn.pose));
      }
      if (update.length > 0) void this.#source()?.updateData({ update });
    }
    if (!this.#glide.isIdle) this.#requestFrame();
  };

  #dimOthers(): void {
    if (!this.#source()) return;
    const opacity = othersOpacity(this.#emphasis.current !== null);
    for (const layer of OTHERS) {
      for (const part of ['icon-opacity', 'text-opacity'] as const) this.#map.setPaintProperty(layer, part, opacity);
    }
  }

  #showPlates(shown: boolean): void {
    if (shown === this.#platesShown) return;
    this.#platesShown = shown;
    this.#map.setLayoutProperty(PLATES_LAYER, 'visibility', shown ? 'visible' : 'none');
  }

  #box(margin: number): Box {
    const bounds = this.#map.getBounds();
    const width = (bounds.getEast() - bounds.getWest()) * margin;
    const height = (bounds.getNorth() - bounds.getSouth()) * margin;
    return [bounds.getWest() - width, bounds.getSouth() - height, bounds.getEast() + width, bounds.getNorth() + height];
  }
}

const samePose = (a: Pose, b: Pose): boolean => a.lat === b.lat && a.lon === b.lon && a.turn === b.turn;

const moveTo = (id: string, pose: Pose, before: Pose): GeoJSONFeatureDiff => ({
  id,
  newGeometry: pointOf(pose),
  ...(pose.turn === before.turn ? {} : { addOrUpdateProperties: [{ key: 'turn', value: pose.turn }] }),
});

/** The update MapLibre needs for an existing marker; null if nothing changed. */
function changeOf(id: string, before: Drawn, pose: Pose, properties: FeatureProperties): GeoJSONFeatureDiff | null {
  const set = Object.entries(properties).filter(([key, value]) => before.properties[key] !== value);
  const removed = Object.keys(before.properties).filter(key => !(key in properties));
  const moved = !samePose(pose, before.pose);
  if (set.length === 0 && removed.length === 0 && !moved) return null;
  if (moved) set.push(['turn', pose.turn as never]);
  return {
    id,
    ...(moved ? { newGeometry: pointOf(pose) } : {}),
    ...(set.length > 0 ? { addOrUpdateProperties: set.map(([key, value]) => ({ key, value })) } : {}),
    ...(removed.length > 0 ? { removeProperties: removed } : {}),
  };
}
