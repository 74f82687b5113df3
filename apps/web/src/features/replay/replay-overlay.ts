import type { Feature } from 'geojson';
import type { GeoJSONSource, Map as MapLibreMap } from 'maplibre-gl';
import type { Ink } from '../../map/images/ink.ts';
import { markerImageId } from '../../map/images/map-images.ts';
import { SLOTS } from '../../map/style/slots.ts';
import { featureOf } from '../../map/vehicles/vehicle-features.ts';
import { VEHICLE_SOURCE, vehicleLayers } from '../../map/vehicles/vehicle-layers.ts';
import type { ShapeName } from '../../ui/status-shapes.ts';
import type { Coloring } from './coloring.ts';
import { indexAt, type LonLat, lineUntil, type Moment, momentAt, piecesOf } from './past.ts';
import { colorOf, type Drawn, featuresOf, HEADS, type ReplayedVehicle, TRACKS, trackLayers } from './replay-tracks.ts';

/** The map's worker can take about one change per this time, and it looks smooth. */
const FRAME_MS = 33;
/** With ghost trails, what is longer ago is faint. */
const FRESH_MS = 30 * 60_000;

const SHAPES: Readonly<Record<Moment['kind'], ShapeName>> = {
  moving: 'moving',
  idling: 'idling',
  stopped: 'stopped',
  gap: 'outdated-moving',
  private: 'outdated-moving',
};

/**
 * Tracks and vehicles of a replay. The map gets each track once; then each piece only switches to past. So a frame
 * costs one marker and one short line per vehicle, however long the tracks are.
 */
export class ReplayOverlay {
  readonly #map: MapLibreMap;
  readonly #ink: Ink;
  #vehicles: Drawn[] = [];
  #coloring: Coloring | null = null;
  #ghosts = false;
  #nextId = 1;
  #focus: string | null = null;
  #atMs = 0;
  #drawnMs = Number.NaN;
  #lastFrame = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(map: MapLibreMap, ink: Ink) {
    this.#map = map;
    this.#ink = ink;
  }

  /** Adds sources and layers to the loaded style. Call it again after a style change. */
  attach(): void {
    for (const source of [TRACKS, HEADS, VEHICLE_SOURCE]) {
      this.#map.addSource(source, { type: 'geojson', data: { type: 'FeatureCollection', features: [] } });
    }
    for (const layer of trackLayers(this.#ink)) this.#map.addLayer(layer, SLOTS.trails);
    for (const layer of vehicleLayers(this.#ink)) this.#map.addLayer(layer, SLOTS.vehicles);
    this.#drawTracks();
  }

  detach(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (!this.#source(TRACKS)) return;
    for (const { id } of [...trackLayers(this.#ink), ...vehicleLayers(this.#ink)]) this.#map.removeLayer(id);
    for (const source of [TRACKS, HEADS, VEHICLE_SOURCE]) this.#map.removeSource(source);
  }

  setVehicles(vehicles: readonly ReplayedVehicle[]): void {
    const known = new Map(this.#vehicles.map(drawn => [drawn.vehicle, drawn]));
    this.#vehicles = vehicles.map(vehicle => known.get(vehicle) ?? this.#begin(vehicle));
    const gone = [...known.values()].filter(drawn => !this.#vehicles.includes(drawn));
    const come = this.#vehicles.filter(({ vehicle }) => !known.has(vehicle));
    for (const drawn of gone) this.#showPast(drawn, 0, 0);
    // Send only the changes; the map's worker keeps the rest.
    void this.#source(TRACKS)?.updateData({
      remove: gone.flatMap(drawn => featuresOf(drawn, this.#ink, this.#coloring).flatMap(({ id }) => id ?? [])),
      add: come.flatMap(drawn => featuresOf(drawn, this.#ink, this.#coloring)),
    });
    this.#draw(true);
  }

  #begin(vehicle: ReplayedVehicle): Drawn {
    const { track } = vehicle.past;
    const coloring = this.#coloring;
    const pieces = piecesOf(track, coloring ? point => coloring.of(vehicle, point) : undefined);
    const firstId = this.#nextId;
    // An ID for each piece and each report, some of which came late or are doubtful.
    this.#nextId += pieces.length + track.timeMs.length + track.doubtedMs.length;
    return { vehicle, pieces, firstId, startsMs: pieces.map(({ fromMs }) => fromMs), past: 0, ghost: 0 };
  }

  /** Sets what the tracks' colors show; null: each vehicle has its own color. */
  setColoring(coloring: Coloring | null): void {
    if (coloring === this.#coloring) return;
    this.#coloring = coloring;
    this.#vehicles = this.#vehicles.map(({ vehicle }) => this.#begin(vehicle));
    this.#drawTracks();
  }

  /** Whether what is long ago is faint. */
  setGhosts(ghosts: boolean): void {
    this.#ghosts = ghosts;
    this.#draw(true);
  }

  /** Highlights a vehicle. */
  setFocus(vehicleId: string | null): void {
    this.#focus = vehicleId;
    this.#draw(true);
  }

  /** Draws this moment, right away or as soon as the map can take it. */
  setTime(atMs: number): void {
    this.#atMs = atMs;
    if (this.#timer !== undefined) return;
    const waitMs = this.#lastFrame + FRAME_MS - performance.now();
    if (waitMs <= 1) this.#draw();
    else {
      this.#timer = setTimeout(() => {
        this.#timer = undefined;
        this.#draw();
      }, waitMs);
    }
  }

  /** The vehicle whose marker is at this pixel. */
  at(x: number, y: number): string | null {
    if (!this.#source(VEHICLE_SOURCE)) return null;
    const reach = 6;
    const layers = ['vehicle-current', 'vehicle-markers', 'vehicle-plates'];
    const [found] = this.#map.queryRenderedFeatures(
      [
        [x - reach, y - reach],
        [x + reach, y + reach],
      ],
      { layers },
    );
    const id: unknown = found?.properties.id;
    return typeof id === 'string' ? id : null;
  }

  #drawTracks(): void {
    const source = this.#source(TRACKS);
    if (!source) return;
    this.#map.removeFeatureState({ source: TRACKS });
    for (const drawn of this.#vehicles) Object.assign(drawn, { past: 0, ghost: 0 });
    void source.setData({
      type: 'FeatureCollection',
      features: this.#vehicles.flatMap(each => featuresOf(each, this.#ink, this.#coloring)),
    });
    this.#draw(true);
  }

  #draw(isChanged = false): void {
    if (!this.#source(TRACKS) || (this.#drawnMs === this.#atMs && !isChanged)) return;
    this.#drawnMs = this.#atMs;
    this.#lastFrame = performance.now();
    const atMs = this.#atMs;
    const heads: Feature[] = [];
    const markers: Feature[] = [];
    for (const drawn of this.#vehicles) {
      const { name, past } = drawn.vehicle;
      const moment = momentAt(past, atMs);
      const nth = indexAt(drawn.startsMs, atMs);
      const piece = drawn.pieces[nth];
      const isOver = piece !== undefined && piece.toMs <= atMs;
      const old = this.#ghosts ? indexAt(drawn.startsMs, atMs - FRESH_MS) : 0;
      this.#showPast(drawn, nth + (isOver ? 1 : 0), Math.max(0, old));
      if (!moment) continue;
      if (piece?.kind === 'track' && !isOver) {
        const line: LonLat[] = [...lineUntil(piece, atMs), [moment.lon, moment.lat]];
        heads.push({
          type: 'Feature',
          properties: { color: this.#ink(colorOf(drawn, piece, this.#coloring)) },
          geometry: { type: 'LineString', coordinates: line },
        });
      }
      const { vehicleId } = past;
      const shape = SHAPES[moment.kind];
      markers.push(
        featureOf(
          vehicleId,
          { lat: moment.lat, lon: moment.lon, turn: shape.endsWith('moving') ? (moment.course ?? 0) : 0 },
          {
            kind: 'vehicle',
            image: markerImageId(shape),
            label: name,
            ...(vehicleId === this.#focus && { current: true }),
          },
        ),
      );
    }
    void this.#source(HEADS)?.setData({ type: 'FeatureCollection', features: heads });
    void this.#source(VEHICLE_SOURCE)?.setData({ type: 'FeatureCollection', features: markers });
  }

  /** Its first pieces are past, and the first of those long ago. */
  #showPast(drawn: Drawn, past: number, ghost: number): void {
    for (const [state, count] of [
      ['past', past],
      ['ghost', ghost],
    ] as const) {
      const [less, more] = [Math.min(drawn[state], count), Math.max(drawn[state], count)];
      for (let i = less; i < more; i++) {
        this.#map.setFeatureState({ source: TRACKS, id: drawn.firstId + i }, { [state]: count === more });
      }
      drawn[state] = count;
    }
  }

  #source(id: string): GeoJSONSource | undefined {
    return this.#map.style ? this.#map.getSource<GeoJSONSource>(id) : undefined;
  }
}
