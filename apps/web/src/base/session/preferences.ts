import type { Preferences, Settings } from '@milepost/contract';
import { setFormatTimeZone } from '../../format/locale.ts';
import { setMeasureSystem } from '../../format/use-measure-system.ts';
import { accountSettingsQuery } from '../account-settings.ts';
import { languageFor, setLanguage } from '../language/language.ts';
import { queryClient } from '../queries.ts';
import { useSession } from './session.ts';

type Regional = Pick<Settings, 'language' | 'timeZone' | 'distanceUnit' | 'volumeUnit' | 'temperatureUnit'>;

let organisation: Regional | null = null;

/** Applies the user's preferences, or the organization's where the user has none. */
function show(own: Preferences): void {
  if (!organisation) return;
  const chosen = (name: keyof Regional): string => own[name] ?? organisation?.[name] ?? '';
  setMeasureSystem({
    distance: chosen('distanceUnit') === 'km' ? 'km' : 'mi',
    volume: chosen('volumeUnit') === 'l' ? 'l' : 'gal',
    temperature: chosen('temperatureUnit') === 'c' ? 'c' : 'f',
  });
  // Without a chosen time zone, the device's applies.
  setFormatTimeZone(own.timeZone ?? undefined);
  setLanguage(languageFor(own.language, organisation.language)).catch(() => {
    // The texts couldn't be loaded. The current language stays until the next start.
  });
}

/** The organization's settings were loaded or have changed. */
export function setOrganisation(settings: Regional): void {
  organisation = settings;
  const { me } = useSession.getState();
  if (me) show(me.preferences);
}

async function readOrganisation(token: string): Promise<void> {
  try {
    // The same request as that of the page, which needs them, too.
    const { settings } = await queryClient.fetchQuery(accountSettingsQuery);
    if (useSession.getState().token === token) setOrganisation(settings);
  } catch {
    // The browser's units stay in use. The next visit asks again.
  }
}

/** Keeps language, units and time zone in line with the signed-in user and the organization. */
export function startPreferences(): void {
  useSession.subscribe((now, before) => {
    if (now.me?.preferences !== before.me?.preferences && now.me) show(now.me.preferences);
    // By now the user has been read, so it is known whether they must complete a step first.
    if (now.messaging !== null && before.messaging === null && now.token !== null) void readOrganisation(now.token);
    if (now.token === null && before.token !== null) {
      organisation = null;
      setMeasureSystem(null);
      setFormatTimeZone(undefined);
    }
  });
}
