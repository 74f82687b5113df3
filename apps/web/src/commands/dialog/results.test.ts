import texts from '@milepost/contract/texts/en-US/commands.json' with { type: 'json' };
import i18next from 'i18next';
import { expect, it } from 'vitest';
import { command, step } from '../testing/command.ts';
import { resultRow, resultsCsv } from './results.ts';

const i18n = i18next.createInstance();
await i18n.init({ lng: 'en', resources: { en: { commands: texts } } });
const t = i18n.getFixedT('en', 'commands');

const NOW = Date.parse('2026-11-19T19:10:00Z');
const vehicle = (id: string, deviceName: string) => ({ id, imei: `35630704244101${id}`, deviceName });
const refused = command([step('queued', 'asked'), step('failed', 'refused-by-tracker')], { answer: '=HYPERLINK("x")' });
const confirmed = { ...command([step('acknowledged')], { effect: null }), id: 'confirmed' };
const commands = new Map([refused, confirmed].map(one => [one.id, one]));
const action = 'engineStop' as const;

const rows = [
  resultRow(vehicle('1', '4118'), { action, commandId: refused.id }, commands),
  resultRow(vehicle('2', '4127'), { action, commandId: 'confirmed' }, commands),
  resultRow(vehicle('3', '4130'), { action, error: 'The tracker doesn’t offer this command.' }, commands),
  resultRow(vehicle('4', '4131'), undefined, commands),
  resultRow(vehicle('5', '4132'), { action, commandId: 'not read yet' }, commands),
];

it('says of each vehicle how far its command came, and what nobody knows yet is no failure', () => {
  expect(rows.map(({ group }) => group)).toEqual(['failed', 'worked', 'failed', null, 'under']);
});

it('writes a line for each vehicle, with the words of the table, and nothing that a spreadsheet would run', () => {
  const [title, heads, ...lines] = resultsCsv(rows, NOW, t).replace('\ufeff', '').trimEnd().split('\r\n');
  expect(title).toBe('"Stop engine, results as of 2026-11-19T19:10:00.000Z"');
  expect(heads).toBe('Vehicle,IMEI,State,Details,Sent to the server,Last change');
  const at = '2026-11-19T19:02:11.000Z';
  expect(lines).toEqual([
    `4118,356307042441011,Refused,"${texts.why['refused-by-tracker']} · =HYPERLINK(""x"")",${at},${at}`,
    `4127,356307042441012,Confirmed,,${at},${at}`,
    '4130,356307042441013,Not sent,The tracker doesn’t offer this command.,,',
    '4131,356307042441014,Not sent yet,,,',
    '4132,356307042441015,"Accepted, state not loaded yet",,,',
  ]);
});
