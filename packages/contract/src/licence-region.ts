import { lineSchema } from './fields.ts';

/** States, territories and provinces by their two letters, with the names that people write. */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  AL: ['Alabama'],
  AK: ['Alaska'],
  AZ: ['Arizona'],
  AR: ['Arkansas'],
  CA: ['California'],
  CO: ['Colorado'],
  CT: ['Connecticut'],
  DE: ['Delaware'],
  DC: ['District of Columbia', 'Washington DC'],
  FL: ['Florida'],
  GA: ['Georgia'],
  HI: ['Hawaii'],
  ID: ['Idaho'],
  IL: ['Illinois'],
  IN: ['Indiana'],
  IA: ['Iowa'],
  KS: ['Kansas'],
  KY: ['Kentucky'],
  LA: ['Louisiana'],
  ME: ['Maine'],
  MD: ['Maryland'],
  MA: ['Massachusetts'],
  MI: ['Michigan'],
  MN: ['Minnesota'],
  MS: ['Mississippi'],
  MO: ['Missouri'],
  MT: ['Montana'],
  NE: ['Nebraska'],
  NV: ['Nevada'],
  NH: ['New Hampshire'],
  NJ: ['New Jersey'],
  NM: ['New Mexico'],
  NY: ['New York'],
  NC: ['North Carolina'],
  ND: ['North Dakota'],
  OH: ['Ohio'],
  OK: ['Oklahoma'],
  OR: ['Oregon'],
  PA: ['Pennsylvania'],
  RI: ['Rhode Island'],
  SC: ['South Carolina'],
  SD: ['South Dakota'],
  TN: ['Tennessee'],
  TX: ['Texas'],
  UT: ['Utah'],
  VT: ['Vermont'],
  VA: ['Virginia'],
  WA: ['Washington'],
  WV: ['West Virginia'],
  WI: ['Wisconsin'],
  WY: ['Wyoming'],
  AS: ['American Samoa'],
  GU: ['Guam'],
  MP: ['Northern Mariana Islands'],
  PR: ['Puerto Rico'],
  VI: ['Virgin Islands', 'US Virgin Islands'],
  AB: ['Alberta'],
  BC: ['British Columbia', 'Colombie-Britannique'],
  MB: ['Manitoba'],
  NB: ['New Brunswick', 'Nouveau-Brunswick'],
  NL: ['Newfoundland and Labrador', 'Newfoundland', 'Terre-Neuve-et-Labrador'],
  NS: ['Nova Scotia', 'Nouvelle-Écosse'],
  NT: ['Northwest Territories', 'Territoires du Nord-Ouest'],
  NU: ['Nunavut'],
  ON: ['Ontario'],
  PE: ['Prince Edward Island', 'Île-du-Prince-Édouard'],
  QC: ['Quebec'],
  SK: ['Saskatchewan'],
  YT: ['Yukon'],
};

/** Letters only, without accents and case. */
const plain = (text: string): string =>
  text
    .normalize('NFD')
    .toUpperCase()
    .replaceAll(/[^A-Z]/g, '');

const CODES = new Map(
  Object.entries(NAMES).flatMap(([code, names]) => [code, ...names].map(name => [plain(name), code] as const)),
);
/** `US-IL` as in ISO 3166-2. */
const WITH_COUNTRY = /^(?:US|CA)[\s-]+(.+)$/i;

/** The two letters of a state or province (`Illinois`, `US-IL`, `il`), or null if this is none that we know. */
export function stateCode(region: string): string | null {
  const text = region.trim();
  return CODES.get(plain(text)) ?? CODES.get(plain(WITH_COUNTRY.exec(text)?.[1] ?? '')) ?? null;
}

/**
 * Who issued a license: the letters of a state or province, anything else as it is written. So two drivers can't have
 * the same license from “IL” and from “Illinois”, and an output file names the state.
 */
export const licenceRegionSchema = lineSchema(40).transform(text => stateCode(text) ?? text);
