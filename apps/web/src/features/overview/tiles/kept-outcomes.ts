import { OUTCOME_TILES, type OutcomeTile } from '@milepost/contract';
import { listOf, oneOf, readKept } from '../../../base/session/kept.ts';
import { OUTCOMES_KEY } from '../../../base/session/storage.ts';

/** The tiles that were there last time, whose places are kept while they load, so that nothing moves when they come. */
export const keptOutcomes = (): readonly OutcomeTile[] => readKept(OUTCOMES_KEY, listOf(oneOf(OUTCOME_TILES))) ?? [];

export const keepOutcomes = (tiles: readonly OutcomeTile[]): void =>
  localStorage.setItem(OUTCOMES_KEY, JSON.stringify(tiles));
