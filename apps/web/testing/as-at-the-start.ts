import { afterAll, vi } from 'vitest';
import { DEFAULT_LANGUAGE, i18n } from '../src/base/i18n.ts';
import { useLanguage } from '../src/base/language/language.ts';
import { setFormatLocale } from '../src/format/locale.ts';
import { setMeasureSystem } from '../src/format/use-measure-system.ts';

/** The next file of a worker finds language, units and globals as the first one did: they share their modules. */
afterAll(async () => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  if (i18n.isInitialized) await i18n.changeLanguage(DEFAULT_LANGUAGE);
  useLanguage.setState({ language: DEFAULT_LANGUAGE });
  setFormatLocale(DEFAULT_LANGUAGE);
  setMeasureSystem(null);
});
