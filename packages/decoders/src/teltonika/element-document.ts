import type { DocumentTable } from '../registration.ts';
import type { ElementRow } from './element-row.ts';
import { FMB_ELEMENTS } from './elements.ts';
import { TRUCK_ELEMENTS } from './truck-elements.ts';

const unitOf = ([, , , unit]: ElementRow): string =>
  ({ flag: 'true or false', hex: 'hexadecimal', text: 'text', digits: 'digits' })[unit] ?? unit;

const tableOf = (title: string, text: string, rows: readonly ElementRow[]): DocumentTable => ({
  title,
  text,
  columns: ['AVL id', 'attribute', 'bytes', 'unit'],
  rows: rows
    .toSorted((a, b) => a[0] - b[0])
    .map(row => [`${row[0]}`, `\`${row[1]}\``, row[2] === 'x' ? 'any' : `${row[2]}`, unitOf(row)]),
});

export const elementDocument: readonly DocumentTable[] = [
  tableOf(
    'Teltonika: FMB, FMC, FMM and what else speaks Codec 8 and 8 Extended',
    `An element is known only in the size of its row; others become \`io<id>\`. \`ignition\`, \`odometer\`, \`hdop\`, \`gsm\`, \`iButton\`
or \`rfid\`, and the levels of fuel in percent have columns of their own. The first probe of \`temperature1\`,
\`bleTemperature1\`, \`eyeTemperature1\` is also the column \`temperature\`.`,
    FMB_ELEMENTS,
  ),
  tableOf(
    'Teltonika: FMB630 and FM63XY (Codec 16)',
    'Over Codec 8 Extended a row of this table counts where the one above has no row of that id and size.',
    TRUCK_ELEMENTS,
  ),
];
