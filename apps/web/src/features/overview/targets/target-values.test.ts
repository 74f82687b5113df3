import { DEFAULT_SETTINGS } from '@milepost/contract';
import { beforeAll, expect, it } from 'vitest';
import { startI18n } from '../../../base/i18n.ts';
import { loadProblemTexts } from '../../../base/language/problem-texts.ts';
import { METRIC, US } from '../../../format/measure.ts';
import { messagesFor } from '../../../forms/field-messages.ts';
import { changedTargets, targetsSchema, targetTexts } from './target-values.ts';

beforeAll(startI18n);
beforeAll(loadProblemTexts);

const settings = { ...DEFAULT_SETTINGS, targetDistanceKmPerWeek: 1000, targetIdlePercent: 7.5 };

it('shows the targets in the reader’s unit, and none as nothing', () => {
  expect(targetTexts(settings, US)).toEqual({
    targetDistanceKmPerWeek: '621',
    targetUtilisationPercent: '',
    targetIdlePercent: '7.5',
    targetKnownPercent: '',
  });
  expect(targetTexts(settings, METRIC).targetDistanceKmPerWeek).toBe('1000');
});

it('sends nothing of what was not changed, the rounded distance neither', () => {
  const texts = targetTexts(settings, US);
  expect(changedTargets(texts, texts, US)).toEqual({});
  expect(changedTargets(texts, { ...texts, targetKnownPercent: '95' }, US)).toEqual({ targetKnownPercent: 95 });
});

it('sends a changed distance in kilometers, a decimal comma as a point and an emptied field as none', () => {
  const texts = targetTexts(settings, US);
  expect(changedTargets(texts, { ...texts, targetDistanceKmPerWeek: '500' }, US)).toEqual({
    targetDistanceKmPerWeek: expect.closeTo(804.672, 6),
  });
  expect(changedTargets(texts, { ...texts, targetDistanceKmPerWeek: '500' }, METRIC)).toEqual({
    targetDistanceKmPerWeek: 500,
  });
  expect(changedTargets(texts, { ...texts, targetIdlePercent: ' 4,5 ', targetDistanceKmPerWeek: '' }, US)).toEqual({
    targetIdlePercent: 4.5,
    targetDistanceKmPerWeek: null,
  });
});

it('what is no number has the contract’s own message', () => {
  const texts = targetTexts(settings, US);
  const wrong = changedTargets(texts, { ...texts, targetIdlePercent: 'few', targetKnownPercent: '120' }, US);
  expect(messagesFor(targetsSchema, wrong)).toEqual({
    targetIdlePercent: 'Enter 0 to 100, or leave this empty.',
    targetKnownPercent: 'Enter 0 to 100, or leave this empty.',
  });
});
