/** Who works for the demo's company: departments, the folders that they look after, and drivers with cards. */

export interface DemoFolder {
  readonly name: string;
  /** Unit numbers of the vehicles in it. */
  readonly holds: (unit: string) => boolean;
  /** Who drives them. */
  readonly department: string;
}

export const DEMO_FOLDERS: readonly DemoFolder[] = [
  { name: 'Line haul North', holds: unit => /^41(0[1-9]|10)$/.test(unit), department: 'North team' },
  { name: 'Line haul South', holds: unit => /^41(1[1-9]|20)$/.test(unit), department: 'South team' },
  { name: 'City delivery', holds: unit => unit.startsWith('33'), department: 'City team' },
  { name: 'Parcel vans', holds: unit => unit.startsWith('55'), department: 'City team' },
  { name: 'Reefers', holds: unit => unit.startsWith('R-'), department: 'Reefer team' },
];

/** Vehicles that wait for another to break down: nobody's own. */
export const DEMO_SPARES: readonly string[] = ['3308', '4110', '4115', '4120', '5506'];

/** The first of a team drives the first vehicle of its folders, and so on; spares are left out. */
export const DEMO_TEAMS: Readonly<Record<string, readonly string[]>> = {
  'North team': [
    ...['Dana Whitlock', 'Marcus Tolliver', 'Renee Castellano', 'Priya Raman', 'Joel Hostetter'],
    ...['Wade Shifflett', 'Tasha Breeden', 'Chuck Dellinger', 'Inez Calhoun'],
  ],
  'South team': [
    ...['Pete Zirkle', 'Rob Nakamura', 'Faye Landes', 'Ike Rowland', 'Luis Ortega', 'Grace Adeyemi'],
    ...['Sam Kowalski', 'Denise Ashford'],
  ],
  'City team': [
    ...['Nadia Haddad', 'Owen Gallagher', 'Mei-Ling Chou', 'Terrence Boyd', 'Carla Jimenez', 'Amir Saleh'],
    ...['Brooke Sandoval', 'Curtis Yoder', 'Leila Farahani', 'Tom Bergstrom', 'Yvonne Baptiste', 'Raj Malhotra'],
  ],
  'Reefer team': [
    ...['Hank Lindqvist', 'Jolene Pruitt', 'Viktor Petrov', 'Alma Quintero', 'Desmond Clarke', 'Kirsten Vogel'],
  ],
};

export interface DemoDriver {
  readonly name: string;
  readonly department: string;
  readonly phone: string;
  readonly licence_number: string;
  readonly licence_region: string;
  readonly licence_class: string;
  /** Days from the day on which the demo is made. */
  readonly licenceDays: number;
  readonly card: string | null;
}

const LICENCE_DAYS = [640, 48, 905, 1180, 75, 21, 720, 330, 970, 410, 1490, 260];

export const DEMO_DRIVERS: readonly DemoDriver[] = Object.entries(DEMO_TEAMS)
  .flatMap(([department, names]) => names.map(name => ({ name, department })))
  .map(({ name, department }, index) => ({
    name,
    department,
    // 555-01xx is for fiction.
    phone: `+1312555${String(100 + index).padStart(4, '0')}`,
    // Illinois: the first letter of the surname and eleven digits.
    licence_number: `${name.split(' ').at(-1)?.charAt(0)}${String(41_207_300_117 + index * 90_071_993).slice(0, 11)}`,
    licence_region: 'IL',
    licence_class: department === 'City team' ? 'B' : 'A',
    licenceDays: LICENCE_DAYS[index % LICENCE_DAYS.length] ?? 365,
    // iButtons: family code 01 at the end. One driver has lost theirs.
    card:
      name === 'Wade Shifflett'
        ? null
        : `0000${(0x1a_04_a2_7f_19 + index * 0x1f_35_77).toString(16).toUpperCase().padStart(10, '0')}01`,
  }));
