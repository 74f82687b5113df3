import type { Inputs } from '../inputs.ts';
import type { Geometry } from '../layers.ts';

/** The part used of shapefile. */
interface Shapefile {
  open(shp: string, dbf: string | undefined, options: { encoding: string }): Promise<Source>;
}
interface Source {
  read(): Promise<{ readonly done: boolean; readonly value?: Shape | undefined }>;
}
type Attributes = Readonly<Record<string, string | number | null | undefined>>;
export interface Shape {
  readonly geometry: Geometry | null;
  readonly properties: Attributes;
}
export interface NaturalEarthFeature {
  readonly geometry: Geometry;
  readonly properties: Attributes;
}

/** The folder in which Debian's packages install Natural Earth at 1:10 million. */
const MAGICS = 'debian/usr/share/magics/10m';
const GNU_DATA_LANGUAGE = 'debian/usr/share/gnudatalanguage/resource/maps/high';
const FLIGHTGEAR = 'debian/usr/share/games/flightgear/Geodata';

const THEMES = {
  land: { folder: MAGICS, encoding: 'utf-8' },
  lakes: { folder: GNU_DATA_LANGUAGE, encoding: 'utf-8' },
  rivers_lake_centerlines: { folder: MAGICS, encoding: 'windows-1252' },
  urban_areas: { folder: FLIGHTGEAR, encoding: 'utf-8' },
  admin_0_boundary_lines_land: { folder: MAGICS, encoding: 'utf-8' },
  admin_1_states_provinces_lines: { folder: MAGICS, encoding: 'utf-8' },
  admin_1_states_provinces: { folder: GNU_DATA_LANGUAGE, encoding: 'utf-8' },
  populated_places_simple: { folder: MAGICS, encoding: 'windows-1252' },
} as const;

export type Theme = keyof typeof THEMES;

/** The features of one Natural Earth theme, or null if its package is not among the inputs. */
export async function findTheme(inputs: Inputs, theme: Theme): Promise<NaturalEarthFeature[] | null> {
  const { folder, encoding } = THEMES[theme];
  const shp = inputs.find(`${folder}/ne_10m_${theme}.shp`);
  if (!shp) return null;
  const dbf = inputs.find(`${folder}/ne_10m_${theme}.dbf`) ?? undefined;
  const source = await inputs.load<Shapefile>('shapefile').open(shp, dbf, { encoding });
  const features: NaturalEarthFeature[] = [];
  for (let { done, value } = await source.read(); !done; { done, value } = await source.read()) {
    if (value?.geometry) features.push({ geometry: value.geometry, properties: value.properties ?? {} });
  }
  return features;
}

export async function readTheme(inputs: Inputs, theme: Theme): Promise<NaturalEarthFeature[]> {
  const features = await findTheme(inputs, theme);
  if (!features) throw new Error(`ne_10m_${theme}.shp is not in ${THEMES[theme].folder} of the inputs`);
  return features;
}
