import { type Findable, FindIndex } from '../apps/web/src/app/palette/find.ts';
import { table } from './table.ts';

/** The cost of a keystroke in a search over ten thousand vehicles: `npm run bench -- search`. */

const OBJECTS = 10_000;
/** product.md N6. */
const AIM_MS = 50;
const NAMES = ['Whitlock', 'Tolliver', 'Castellano', 'Raman', 'Hostetter', 'Shifflett', 'Breeden', 'Marín', 'Orellana'];
const TOWNS = ['Broadway', 'Strasburg', 'Mt Crawford', 'Linden', 'Mt Jackson', 'Winchester', 'Lovingston'];

/** As created by `use-vehicles.ts`. */
const fleet: readonly Findable[] = Array.from({ length: OBJECTS }, (_, at) => ({
  title: at % 3 === 0 ? `Truck ${at}` : String(10_000 + at),
  subtitle: `${NAMES[at % NAMES.length]} · VA ${at % 97}-${at} · I-81 N, ${TOWNS[at % TOWNS.length]}, VA`,
  keywords: `${String(at * 7919)
    .padStart(6, '0')
    .slice(-6)} 35${String(at * 104_729)
    .padStart(13, '0')
    .slice(-13)} 1XKYD49X${at} Kenworth T680 reefer`,
}));

/** A name letter by letter, numbers, words out of order, a typo, an empty search. */
const TYPED = [
  'w',
  'wh',
  'whit',
  'whitlock',
  '4127',
  '10412',
  'va 48',
  '351047',
  'broadway truck',
  'truck 7',
  'tolivr',
  'zzz',
];

function median(work: () => void): number {
  const times = Array.from({ length: 9 }, () => {
    const began = performance.now();
    work();
    return performance.now() - began;
  });
  return times.toSorted((a, b) => a - b)[4] ?? 0;
}

export async function run(): Promise<void> {
  const building = median(() => void new FindIndex(fleet));
  const index = new FindIndex(fleet);
  const found = TYPED.map(typed => ({ typed, ms: median(() => void index.find(typed, 6)) }));
  const worst = Math.max(...found.map(({ ms }) => ms));
  const rows = [['the list made ready', building] as const, ...found.map(({ typed, ms }) => [typed, ms] as const)];
  process.stdout.write(
    table(
      ['typed', 'ms', 'of the aim'],
      rows.map(([what, ms]) => [what, ms.toFixed(1), `${Math.round((ms / AIM_MS) * 100)} %`]),
    ),
  );
  const ratio = Math.round((worst / AIM_MS) * 100) / 100;
  process.stdout.write(
    `${JSON.stringify({ bench: 'search', objects: OBJECTS, worstMs: Math.round(worst * 10) / 10, ratio })}\n`,
  );
}
