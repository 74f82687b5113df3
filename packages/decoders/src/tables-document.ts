import { ALARM_CODES } from './gt06/alarm-codes.ts';
import { type ElementRow, FMB_ELEMENTS } from './teltonika/elements.ts';
import { TRUCK_ELEMENTS } from './teltonika/truck-elements.ts';

/** The tables of the decoders as a document: `docs/protocols/tables.md`. */

const unitOf = ([, , , unit]: ElementRow): string =>
  ({ flag: 'true or false', hex: 'hexadecimal', text: 'text', digits: 'digits' })[unit] ?? unit;

function elementTable(rows: readonly ElementRow[]): string {
  const lines = rows
    .toSorted((a, b) => a[0] - b[0])
    .map(row => `| ${row[0]} | \`${row[1]}\` | ${row[2] === 'x' ? 'any' : row[2]} | ${unitOf(row)} |`);
  return ['| AVL id | attribute | bytes | unit |', '|---|---|---|---|', ...lines].join('\n');
}

function alarmTable(): string {
  const lines = [...ALARM_CODES].map(
    ([code, event]) => `| 0x${code.toString(16).toUpperCase().padStart(2, '0')} | \`${event}\` |`,
  );
  return ['| code | event |', '|---|---|', ...lines].join('\n');
}

export const tablesDocument = (): string => `# Tables of the tracker protocols

Made from the decoders by \`node packages/decoders/src/cli-tables.ts\`; a test keeps the two together. Values are SI: what
travels as km/h is m/s here, minutes are seconds, millivolts are volts.

An element is known only in the size of its row; others become \`io<id>\`. \`ignition\`, \`odometer\`, \`hdop\`, \`gsm\`, \`iButton\`
or \`rfid\`, and the levels of fuel in percent have columns of their own. The first probe of \`temperature1\`,
\`bleTemperature1\`, \`eyeTemperature1\` is also the column \`temperature\`.

## Teltonika: FMB, FMC, FMM and what else speaks Codec 8 and 8 Extended

${elementTable(FMB_ELEMENTS)}

## Teltonika: FMB630 and FM63XY (Codec 16)

Over Codec 8 Extended a row of this table counts where the one above has no row of that id and size.

${elementTable(TRUCK_ELEMENTS)}

## GT06: alarm codes

Any other code is the event \`alarm\`, with its number in the attribute \`alarmCode\`.

${alarmTable()}
`;
