import texts from '@milepost/contract/texts/en-US/alerts.json';
import { expect, it } from 'vitest';
import { startI18n } from '../base/i18n.ts';
import { addPageTexts } from '../base/language/language.ts';
import { alertTask, taskOf } from './alert-words.ts';
import { anAlert } from './testing/alert.ts';

const DUE = '2026-11-19T19:30:00.000Z';
const NOW = Date.parse('2026-11-19T19:02:00.000Z');
const task = {
  ...{ id: '7', title: 'Reefer load', ref: 'PO-1', dueTo: DUE, arriveAt: null, lateS: null, reason: null },
  drivers: { cannot: 12, unknown: 3 },
};

it('an alert of a task that no driver can make says how many were checked, and opens the task', async () => {
  startI18n();
  await addPageTexts('alerts', texts);
  const alert = anAlert('a', { kind: 'taskNoDriver', deviceId: null, imei: null, deviceName: null, task });
  expect(alertTask(alert, NOW)).toMatch(
    /^Reefer load · due .+, none of the 12 drivers checked can make it · 3 couldn’t be checked$/,
  );
  const over = { code: 'window-over', at: DUE, shortS: 60, limit: null } as const;
  const missed = { ...task, ref: null, reason: over, drivers: { cannot: 0, unknown: 0 } };
  expect(alertTask({ ...alert, task: missed }, NOW)).toMatch(/^was due .+, not assigned to anyone$/);
  expect(taskOf(alert)).toBe('/dispatch?open=7');
});
