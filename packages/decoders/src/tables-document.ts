import { PROTOCOL_NAMES, protocols } from './index.ts';
import type { DocumentTable, Registration } from './registration.ts';

/** The tables of the decoders as a document: `docs/protocols/tables.md`. */

const cell = (text: string): string => text.replaceAll('|', '\\|');

function tableOf({ title, text, columns, rows }: DocumentTable): string {
  const lines = [columns, columns.map(() => '---'), ...rows.map(row => row.map(cell))];
  const table = lines.map((line, i) => (i === 1 ? `|${line.join('|')}|` : `| ${line.join(' | ')} |`)).join('\n');
  return `## ${title}\n\n${text === '' ? '' : `${text}\n\n`}${table}\n`;
}

function tablesOf(name: string, { commands, models, tables }: Registration): DocumentTable[] {
  const all = [...tables];
  if (commands.length > 0) {
    all.push({
      title: `${name}: commands`,
      text: '',
      columns: ['command', 'parameters', 'the maker’s'],
      rows: commands.map(({ command, parameters, maker }) => [`\`${command}\``, parameters.join(', '), `\`${maker}\``]),
    });
  }
  if (models.length > 0) {
    all.push({
      title: `${name}: models`,
      text: '',
      columns: ['models', 'good to know'],
      rows: models.map(({ models: names, note }) => [names.join(', '), note]),
    });
  }
  return all;
}

export const tablesDocument = (): string => `# Tables of the tracker protocols

Made from the decoders by \`node packages/decoders/src/cli-tables.ts\`; a test keeps the two together. Values are SI: what
travels as km/h is m/s here, minutes are seconds, millivolts are volts.

${PROTOCOL_NAMES.flatMap(name => tablesOf(name, protocols[name]))
  .map(tableOf)
  .join('\n')}`;
