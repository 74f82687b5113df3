import type { Inputs } from '../inputs.ts';
import type { MapFeature } from '../layers.ts';
import { readTheme } from './natural-earth.ts';
import { labelPosition, largestPolygon } from './polygons.ts';

/** Countries whose states or provinces people mention in a location; the first four are labeled early. */
const NAMED_EARLY = ['US', 'CA', 'AU', 'BR'];
const NAMED = [...NAMED_EARLY, 'MX', 'IN', 'CN', 'RU', 'AR', 'DE', 'ES', 'IT', 'FR', 'GB', 'ZA', 'ID'];

/** Two-letter abbreviations of the United States Postal Service (Publication 28, Appendix B). */
const POSTAL: Readonly<Record<string, string>> = {
  Alabama: 'AL',
  Alaska: 'AK',
  Arizona: 'AZ',
  Arkansas: 'AR',
  California: 'CA',
  Colorado: 'CO',
  Connecticut: 'CT',
  Delaware: 'DE',
  Florida: 'FL',
  Georgia: 'GA',
  Hawaii: 'HI',
  Idaho: 'ID',
  Illinois: 'IL',
  Indiana: 'IN',
  Iowa: 'IA',
  Kansas: 'KS',
  Kentucky: 'KY',
  Louisiana: 'LA',
  Maine: 'ME',
  Maryland: 'MD',
  Massachusetts: 'MA',
  Michigan: 'MI',
  Minnesota: 'MN',
  Mississippi: 'MS',
  Missouri: 'MO',
  Montana: 'MT',
  Nebraska: 'NE',
  Nevada: 'NV',
  'New Hampshire': 'NH',
  'New Jersey': 'NJ',
  'New Mexico': 'NM',
  'New York': 'NY',
  'North Carolina': 'NC',
  'North Dakota': 'ND',
  Ohio: 'OH',
  Oklahoma: 'OK',
  Oregon: 'OR',
  Pennsylvania: 'PA',
  'Rhode Island': 'RI',
  'South Carolina': 'SC',
  'South Dakota': 'SD',
  Tennessee: 'TN',
  Texas: 'TX',
  Utah: 'UT',
  Vermont: 'VT',
  Virginia: 'VA',
  Washington: 'WA',
  'West Virginia': 'WV',
  Wisconsin: 'WI',
  Wyoming: 'WY',
};

/** Names of states and provinces, the smaller ones later; those smaller than a square degree are left out. */
export async function regionNames(inputs: Inputs): Promise<MapFeature[]> {
  const regions = await readTheme(inputs, 'admin_1_states_provinces');
  return regions.flatMap(({ geometry, properties }): MapFeature[] => {
    const name = properties.name ? `${properties.name}` : '';
    const country = `${properties.iso_a2}`;
    if (!name || !NAMED.includes(country)) return [];
    const { squareDegrees } = largestPolygon(geometry);
    if (squareDegrees <= 1) return [];
    const zoom = NAMED_EARLY.includes(country) && squareDegrees > 4 ? 3 : squareDegrees > 3 ? 4 : 5;
    const abbreviation = country === 'US' ? POSTAL[name] : undefined;
    return [
      {
        geometry: { type: 'Point', coordinates: labelPosition(inputs, geometry) },
        properties: {
          kind: 'region',
          name,
          'name:en': name,
          ref: abbreviation,
          'ref:en': abbreviation,
          min_zoom: zoom,
        },
        fromZoom: zoom,
      },
    ];
  });
}
