import 'maplibre-gl/dist/maplibre-gl.css';
import type { BaseMap } from '@milepost/contract';
import { addProtocol, Map as MapLibreMap, type StyleSpecification, setWorkerUrl } from 'maplibre-gl';
import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?url';
import { provideImages } from '../images/map-images.ts';
import { themeInk } from '../theme-ink.ts';
import { authorization } from './authorization.ts';
import { pmtiles } from './own-file.ts';

addProtocol('pmtiles', pmtiles.tile);

/**
 * MapLibre looks for its worker next to its own file, but the bundler moves the worker, so we set its address. The
 * browser caches a worker's content security policy with its script. A map with other hosts therefore needs another
 * address.
 */
function tellWorker(map: BaseMap): void {
  const url = new URL(workerUrl, location.href);
  if ('hosts' in map) url.search = new URLSearchParams({ maps: map.hosts.join(' ') }).toString();
  setWorkerUrl(url.href);
}

/** Streets are drawn from z14 tiles; closer than this they only get wider. */
const MAX_ZOOM = 18.5;

/** Creates a map with north up, in the colors of the theme. Throws if the browser has no WebGL. */
export function createMap(
  container: HTMLElement,
  style: StyleSpecification,
  { base, isStill, label }: { readonly base: BaseMap; readonly isStill: boolean; readonly label: string },
): MapLibreMap {
  tellWorker(base);
  const map = new MapLibreMap({
    container,
    style,
    center: [0, 25],
    zoom: 1.4,
    maxZoom: MAX_ZOOM,
    attributionControl: false,
    interactive: !isStill,
    transformRequest: url => ({
      url,
      // Public map servers require a referrer, so the map sends one although the rest of the page sends none.
      referrerPolicy: 'strict-origin-when-cross-origin',
      ...(url.startsWith(`${location.origin}/api/`) ? { headers: authorization() } : {}),
    }),
    dragRotate: false,
    pitchWithRotate: false,
    touchPitch: false,
    // Labels of the base map fade in and out briefly. Markers never fade.
    fadeDuration: 120,
    locale: { 'Map.Title': label },
  });
  map.touchZoomRotate.disableRotation();
  map.keyboard.disableRotation();
  provideImages(map, token => themeInk()(token));
  return map;
}
