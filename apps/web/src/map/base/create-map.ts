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
 * MapLibre looks for its worker beside its own file, which a bundler moves elsewhere; it must be told. A worker lives by
 * the policy that came with its script, and browsers keep that for good: other hosts are another address.
 */
function tellWorker(map: BaseMap): void {
  const url = new URL(workerUrl, location.href);
  if ('hosts' in map) url.search = new URLSearchParams({ maps: map.hosts.join(' ') }).toString();
  setWorkerUrl(url.href);
}

/** Streets are drawn from z14 tiles; closer than this they only get wider. */
const MAX_ZOOM = 18.5;

/** A map with north up, in the colours of the theme. Throws where the browser has no WebGL. */
export function createMap(
  container: HTMLElement,
  style: StyleSpecification,
  label: string,
  base: BaseMap,
): MapLibreMap {
  tellWorker(base);
  const map = new MapLibreMap({
    container,
    style,
    center: [0, 25],
    zoom: 1.4,
    maxZoom: MAX_ZOOM,
    attributionControl: false,
    transformRequest: url => ({
      url,
      // Public map servers ask for the site's name, also on a page that tells it to nobody else.
      referrerPolicy: 'strict-origin-when-cross-origin',
      ...(url.startsWith(`${location.origin}/api/`) ? { headers: authorization() } : {}),
    }),
    dragRotate: false,
    pitchWithRotate: false,
    touchPitch: false,
    // The base map's labels come and go with a short fade; markers are never faded.
    fadeDuration: 120,
    locale: { 'Map.Title': label },
  });
  map.touchZoomRotate.disableRotation();
  map.keyboard.disableRotation();
  provideImages(map, token => themeInk()(token));
  return map;
}
