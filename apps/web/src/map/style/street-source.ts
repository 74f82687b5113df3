/** A source of streets in the schema of Protomaps: the product's own patches, or a file of the installation. */
export interface StreetSource {
  readonly source: string;
  /** From here on it says more than the world's outline does. */
  readonly fromZoom: number;
  /** Its roads come so many zooms before those of a patch: it has them everywhere, not in one town. */
  readonly early: number;
}

export const DEMO_CITIES: StreetSource = { source: 'cities', fromZoom: 9, early: 0 };
export const OWN_STREETS: StreetSource = { source: 'streets', fromZoom: 6, early: 2.5 };
