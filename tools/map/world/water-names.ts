import type { MapFeature } from '../layers.ts';

type WaterName = readonly [name: string, longitude: number, latitude: number, fromZoom: number];

/** Oceans and seas, each where there is room for its name. */
const SEAS: readonly WaterName[] = [
  ['Pacific Ocean', -150, 10, 1],
  ['Pacific Ocean', 170, -30, 2],
  ['Atlantic Ocean', -40, 25, 1],
  ['South Atlantic Ocean', -15, -25, 2],
  ['Indian Ocean', 78, -20, 1],
  ['Arctic Ocean', 0, 82, 1],
  ['Southern Ocean', 60, -62, 1],
  ['Gulf of Mexico', -90, 25, 3],
  ['Caribbean Sea', -75, 15, 3],
  ['Mediterranean Sea', 18, 34.8, 3],
  ['Black Sea', 34, 43.3, 4],
  ['Baltic Sea', 19.5, 57.2, 4],
  ['North Sea', 3, 56.5, 4],
  ['Norwegian Sea', 2, 67, 3],
  ['Barents Sea', 40, 74, 3],
  ['Hudson Bay', -86, 60, 3],
  ['Labrador Sea', -54, 58, 3],
  ['Gulf of Alaska', -145, 57.5, 3],
  ['Bering Sea', -178, 58, 3],
  ['Sea of Okhotsk', 149, 54, 3],
  ['Sea of Japan', 134.5, 39.5, 4],
  ['East China Sea', 125, 29, 4],
  ['South China Sea', 114, 13, 3],
  ['Philippine Sea', 133, 20, 3],
  ['Coral Sea', 155, -17, 3],
  ['Tasman Sea', 160, -38, 3],
  ['Bay of Bengal', 88, 14, 3],
  ['Arabian Sea', 64, 15, 3],
  ['Red Sea', 38, 20.5, 4],
  ['Persian Gulf', 51.5, 26.8, 5],
  ['Caspian Sea', 51, 41.5, 4],
  ['Bay of Biscay', -5, 45.5, 4],
  ['Celtic Sea', -8, 50, 5],
  ['Gulf of Guinea', 2, 1, 3],
  ['Mozambique Channel', 41, -18, 4],
  ['Sargasso Sea', -62, 29, 4],
  ['Gulf of California', -111.5, 27.5, 5],
  ['Great Australian Bight', 130, -34.5, 4],
];

const LAKE_NAMES_FROM = 4;
const LAKES: readonly (readonly [name: string, longitude: number, latitude: number])[] = [
  ['Lake Superior', -87.5, 47.7],
  ['Lake Michigan', -87, 43.6],
  ['Lake Huron', -82.3, 44.8],
  ['Lake Erie', -81.2, 42.2],
  ['Lake Ontario', -77.9, 43.65],
  ['Great Salt Lake', -112.5, 41.15],
  ['Lake Winnipeg', -97.9, 53],
  ['Great Bear Lake', -121, 66],
  ['Great Slave Lake', -114, 61.6],
  ['Lake Victoria', 33, -1],
  ['Lake Baikal', 108.2, 53.6],
  ['Lake Tanganyika', 29.6, -6.3],
  ['Lake Ladoga', 31.5, 60.8],
];

export function waterNames(): MapFeature[] {
  return [
    ...SEAS.map(([name, lon, lat, zoom]) => waterName(name.includes('Ocean') ? 'ocean' : 'sea', name, lon, lat, zoom)),
    ...LAKES.map(([name, lon, lat]) => waterName('lake', name, lon, lat, LAKE_NAMES_FROM)),
  ];
}

function waterName(kind: string, name: string, lon: number, lat: number, zoom: number): MapFeature {
  return {
    geometry: { type: 'Point', coordinates: [lon, lat] },
    properties: { kind, name, 'name:en': name, min_zoom: zoom },
    fromZoom: zoom,
  };
}
