import type { GeofenceShape, GeoPoint } from '@milepost/contract';
import { ellipsoidDistance } from '@milepost/geo';
import type { Map as MapLibreMap, MapMouseEvent } from 'maplibre-gl';
import { useEffect, useRef } from 'react';
import {
  type GeoJSONStoreFeatures,
  type HexColor,
  TerraDraw,
  TerraDrawCircleMode,
  TerraDrawLineStringMode,
  TerraDrawPolygonMode,
  TerraDrawRectangleMode,
  TerraDrawSelectMode,
} from 'terra-draw';
import { TerraDrawMapLibreGLAdapter } from 'terra-draw-maplibre-gl-adapter';
import { FENCE_TOKENS } from '../../geofences/fence-overlay.ts';
import {
  boundsOf,
  CIRCLE_POINTS,
  geometryOf,
  pointsOf,
  ringAt,
  rounded,
  toLatLon,
  withHolesMoved,
  withRing,
} from '../../geofences/shapes.ts';
import { useMap } from '../../map/map-context.ts';
import { themeInk } from '../../map/theme-ink.ts';
import { changeShape, choosePoint, chooseTool, useDraft } from './draft.ts';

/** The drawing library's modes by our kinds of shapes. */
const MODES = {
  circle: 'circle',
  polygon: 'polygon',
  rectangle: 'rectangle',
  corridor: 'linestring',
  hole: 'polygon',
} as const;
const NEW_WIDTH_M = 200;
/** Radius of a new circle, as a share of the map. */
const NEW_CIRCLE = 1 / 8;
const SNAP_PX = 14;
/** Of the library's sources and layers. */
const PREFIX = 'geofence';

/** A circle has four handles, although its outline has many more points. */
const HANDLE_EVERY = CIRCLE_POINTS / 4;
const handle =
  (size: number) =>
  ({ properties }: GeoJSONStoreFeatures): number =>
    useDraft.getState().shape?.kind === 'circle' && Number(properties.index) % HANDLE_EVERY !== 0 ? 0 : size;

/** Shows the open geofence's shape, which can be drawn and changed with the mouse or a finger. */
export function Component({ others }: { readonly others: readonly GeofenceShape[] }) {
  const { map, styleEpoch } = useMap();
  const { shape, tool, mayEdit, color, isRestricted } = useDraft();
  const draw = useRef<TerraDraw | null>(null);
  /** The shape that the library has. Setting it again would interrupt what the user is doing. */
  const known = useRef<GeofenceShape | null>(null);
  /** The library's feature of each ring: it has no polygons with holes. */
  const features = useRef<readonly GeoJSONStoreFeatures['id'][]>([]);
  const snapTargets = useRef<readonly GeoPoint[]>([]);
  snapTargets.current = others.flatMap(pointsOf);
  const token = isRestricted ? '--critical' : FENCE_TOKENS[color];

  // biome-ignore lint/correctness/useExhaustiveDependencies: after a style change, the library's layers are gone.
  useEffect(() => {
    const ink = themeInk();
    const line = ink(token) as HexColor;
    const paper = ink('--m-halo') as HexColor;
    const outline = { fillColor: line, fillOpacity: fill, outlineColor: line, outlineWidth: 2.4 } as const;
    const toCustom = (event: { readonly containerX: number; readonly containerY: number }) => {
      if (!useDraft.getState().snaps) return undefined;
      return snapTargets.current.find(point => {
        const { x, y } = map.project([...point]);
        return Math.hypot(x - event.containerX, y - event.containerY) <= SNAP_PX;
      });
    };
    const coordinates = {
      ...{ draggable: true, midpoints: { draggable: true }, deletable: true, snappable: { toCustom } },
    } as const;
    const editor = new TerraDraw({
      adapter: new TerraDrawMapLibreGLAdapter({ map, coordinatePrecision: 6, prefixId: PREFIX }),
      modes: [
        new TerraDrawPolygonMode({ styles: outline, snapping: { toCustom } }),
        new TerraDrawCircleMode({ styles: outline }),
        new TerraDrawRectangleMode({ styles: outline }),
        new TerraDrawLineStringMode({
          styles: { lineStringColor: line, lineStringWidth: 2.4 },
          snapping: { toCustom },
        }),
        new TerraDrawSelectMode({
          // The page handles the keys for deleting and leaving.
          keyEvents: null,
          allowManualDeselection: false,
          flags: {
            polygon: { feature: { draggable: true, coordinates } },
            linestring: { feature: { draggable: true, coordinates } },
            rectangle: { feature: { draggable: true, coordinates: { resizable: 'opposite' } } },
            circle: { feature: { draggable: true, coordinates: { resizable: 'center-fixed' } } },
          },
          styles: {
            selectedPolygonColor: line,
            selectedPolygonFillOpacity: fill,
            selectedPolygonOutlineColor: line,
            selectedPolygonOutlineWidth: 2.4,
            selectedLineStringColor: line,
            selectedLineStringWidth: 2.4,
            selectionPointColor: paper,
            selectionPointOutlineColor: line,
            selectionPointOutlineWidth: handle(2),
            selectionPointWidth: handle(5),
            midPointColor: paper,
            midPointOutlineColor: line,
            midPointOutlineWidth: 1,
            midPointWidth: 3,
          },
        }),
      ],
    });
    editor.on('finish', (id, { action }) => {
      const feature = editor.getSnapshotFeature(id);
      const { shape: before, tool } = useDraft.getState();
      const ring = action === 'draw' ? (tool === 'hole' ? 'new' : null) : features.current.indexOf(id);
      const one = feature ? shapeOf(feature, before, ring) : null;
      if (!one) return;
      // An outline takes its holes along.
      const drawn = action === 'dragFeature' && ring === 0 ? withHolesMoved(one, before) : one;
      known.current = action === 'draw' || drawn !== one ? null : drawn;
      changeShape(drawn);
      if (ring === 'new') {
        choosePoint(before ? pointsOf(before).length : 0);
        chooseTool('select');
        return;
      }
      const changed = pointsOf(drawn).findIndex((point, i) => String(point) !== String(before && pointsOf(before)[i]));
      if (changed >= 0) choosePoint(action === 'draw' ? 0 : changed);
      chooseTool('select');
    });
    editor.start();
    draw.current = editor;
    known.current = null;
    return () => {
      draw.current = null;
      // A removed map has removed its layers, too.
      if (map.style) stop(editor, map);
    };
  }, [map, styleEpoch, token]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new editor is still empty.
  useEffect(() => {
    const editor = draw.current;
    if (!editor) return;
    if (tool !== 'select') {
      editor.clear();
      known.current = null;
      editor.setMode(tool === 'circle' ? 'select' : MODES[tool]);
      return;
    }
    if (shape !== null && shape === known.current) return;
    editor.setMode('select');
    editor.clear();
    known.current = shape;
    if (shape === null) return;
    const made = featuresOf(shape).map(feature => ({ ...feature, id: editor.getFeatureId() }) as GeoJSONStoreFeatures);
    const added = editor.addFeatures(made);
    features.current = made.map(({ id }) => id);
    const chosen = ringAt(shape, useDraft.getState().point).ring;
    const id = features.current[chosen];
    if (added[chosen]?.valid && mayEdit && id !== undefined) editor.selectFeature(id);
  }, [shape, tool, mayEdit, styleEpoch, token]);

  const ring = useDraft(state => (state.shape ? ringAt(state.shape, state.point).ring : 0));
  // The keyboard steps from point to point, through all rings.
  // biome-ignore lint/correctness/useExhaustiveDependencies: when the chosen point is in another ring.
  useEffect(() => {
    const editor = draw.current;
    const id = features.current[ring];
    if (!editor || !mayEdit || tool !== 'select' || id === undefined || !editor.hasFeature(id)) return;
    if (editor.getSnapshotFeature(id)?.properties.selected !== true) editor.selectFeature(id);
  }, [ring]);

  // One click or tap places a circle; its radius is in the form.
  useEffect(() => {
    if (tool !== 'circle') return;
    const place = ({ lngLat }: MapMouseEvent): void => {
      const bounds = map.getBounds();
      const across = ellipsoidDistance(
        toLatLon([bounds.getWest(), lngLat.lat]),
        toLatLon([bounds.getEast(), lngLat.lat]),
      );
      const radiusM = Math.round(Math.min(200_000, Math.max(20, across * NEW_CIRCLE)));
      changeShape({ kind: 'circle', center: rounded([lngLat.lng, lngLat.lat]), radiusM });
      choosePoint(0);
      chooseTool('select');
    };
    map.on('click', place);
    map.getCanvas().style.cursor = 'crosshair';
    return () => {
      map.off('click', place);
      map.getCanvas().style.cursor = '';
    };
  }, [map, tool]);

  return null;
}

/** Another style, as of another color scheme, has none of the library's sources: it stops listening, then misses them. */
function stop(editor: TerraDraw, map: MapLibreMap): void {
  const isWhole = map.getSource(`${PREFIX}-polygon`) !== undefined;
  try {
    editor.stop();
  } catch (error) {
    if (isWhole) throw error;
  }
}

/** A feature for each ring of a polygon, one for any other shape. */
function featuresOf(shape: GeofenceShape) {
  const rings: readonly GeofenceShape[] =
    shape.kind === 'polygon' ? shape.rings.map(ring => ({ kind: 'polygon', rings: [ring] })) : [shape];
  return rings.map(ring => featureOf(ring, rings.length > 1));
}

function featureOf(shape: GeofenceShape, isRing: boolean) {
  const geometry = geometryOf(shape);
  const round = (value: unknown): unknown =>
    typeof value === 'number' ? Math.round(value * 1e6) / 1e6 : (value as unknown[]).map(round);
  return {
    type: 'Feature',
    properties: { mode: MODES[shape.kind], isRing },
    geometry: { ...geometry, coordinates: 'coordinates' in geometry ? round(geometry.coordinates) : [] },
  };
}

/** The area between rings is filled by the map's own layer. */
const fill = ({ properties }: GeoJSONStoreFeatures): number => (properties.isRing === true ? 0 : 0.16);

/**
 * The drawn shape, or the polygon with one ring drawn anew. Values that a drawing can't have, such as a width, come from
 * the previous shape.
 */
function shapeOf(
  { geometry, properties }: GeoJSONStoreFeatures,
  before: GeofenceShape | null,
  ring: number | 'new' | null,
): GeofenceShape | null {
  if (geometry.type === 'LineString') {
    const widthM = before?.kind === 'corridor' ? before.widthM : NEW_WIDTH_M;
    return { kind: 'corridor', line: geometry.coordinates.map(wrapped), widthM };
  }
  if (geometry.type !== 'Polygon') return null;
  const rings = geometry.coordinates.map(ring => ring.slice(0, -1).map(wrapped));
  const outline = rings[0] ?? [];
  if (properties.mode === 'rectangle') {
    const [lons, lats] = [outline.map(([lon]) => lon), outline.map(([, lat]) => lat)];
    return { kind: 'rectangle', bounds: [Math.min(...lons), Math.min(...lats), Math.max(...lons), Math.max(...lats)] };
  }
  if (properties.mode !== 'circle') {
    if (before?.kind !== 'polygon' || ring === null || ring === -1) return { kind: 'polygon', rings };
    return withRing(before, ring === 'new' ? before.rings.length : ring, outline);
  }
  const [west, south, east, north] = boundsOf({ kind: 'polygon', rings });
  const center = rounded([(west + east) / 2, (south + north) / 2]);
  const radius = ellipsoidDistance(toLatLon(center), toLatLon([center[0], north]));
  return { kind: 'circle', center, radiusM: Math.round(Math.min(200_000, Math.max(20, radius))) };
}

const wrapped = ([lon = 0, lat = 0]: readonly number[]): GeoPoint => rounded([lon - 360 * Math.round(lon / 360), lat]);
