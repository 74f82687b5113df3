/** A source of streets in the Protomaps schema: the product's own city patches or the installation's file. */
export interface StreetSource {
  readonly source: string;
  /** From this zoom on, the source shows more than the world map. */
  readonly fromZoom: number;
  /** Its roads appear this many zooms earlier than in a city patch, because it covers more than single cities. */
  readonly early: number;
}

export const DEMO_CITIES: StreetSource = { source: 'cities', fromZoom: 9, early: 0 };
export const OWN_STREETS: StreetSource = { source: 'streets', fromZoom: 6, early: 2.5 };
