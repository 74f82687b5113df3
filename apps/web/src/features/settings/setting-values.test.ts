import { DEFAULT_SETTINGS, updateSettings } from '@milepost/contract';
import { beforeAll, expect, it } from 'vitest';
import { startI18n } from '../../base/i18n.ts';
import { loadProblemTexts } from '../../base/language/problem-texts.ts';
import { messagesFor } from '../../forms/field-messages.ts';
import { changedSettings, settingTexts } from './setting-values.ts';

beforeAll(startI18n);
beforeAll(loadProblemTexts);

const settings = { ...DEFAULT_SETTINGS, currency: 'EUR', offlineAfterMinutes: 60, keepPositionsDays: 30 };

it('sends what was changed, and null for what goes back to its default', () => {
  const texts = settingTexts(settings, ['currency', 'offlineAfterMinutes', 'keepPositionsDays', 'timeZone']);
  expect(changedSettings(settings, texts)).toEqual({});
  const changed = { ...texts, currency: 'USD', offlineAfterMinutes: '90', timeZone: 'Europe/Paris' };
  expect(changedSettings(settings, changed)).toEqual({
    currency: null,
    offlineAfterMinutes: 90,
    timeZone: 'Europe/Paris',
  });
  expect(changedSettings(settings, { ...texts, keepPositionsDays: '' })).toEqual({ keepPositionsDays: null });
});

it('an empty or wrong number has the contract’s own message', () => {
  const wrong = changedSettings(settings, { offlineAfterMinutes: '', keepPositionsDays: '2' });
  expect(messagesFor(updateSettings.body, wrong)).toEqual({
    offlineAfterMinutes: 'Choose between 15 minutes and 7 days.',
    keepPositionsDays: 'Enter 7 to 3,650 days.',
  });
});
