import { type Preferences, readSettings, type Settings } from '@milepost/contract';
import { setFormatTimeZone } from '../../format/locale.ts';
import { setMeasureSystem } from '../../format/use-measure-system.ts';
import { call } from '../api.ts';
import { languageFor, setLanguage } from '../language/language.ts';
import { useSession } from './session.ts';

type Regional = Pick<Settings, 'language' | 'timeZone' | 'distanceUnit' | 'volumeUnit' | 'temperatureUnit'>;

let organisation: Regional | null = null;

/** What someone has chosen, or their organisation for them. */
function show(own: Preferences): void {
  if (!organisation) return;
  const chosen = (name: keyof Regional): string => own[name] ?? organisation?.[name] ?? '';
  setMeasureSystem({
    distance: chosen('distanceUnit') === 'km' ? 'km' : 'mi',
    volume: chosen('volumeUnit') === 'l' ? 'l' : 'gal',
    temperature: chosen('temperatureUnit') === 'c' ? 'c' : 'f',
  });
  // Without a choice of their own the device's zone is where someone is.
  setFormatTimeZone(own.timeZone ?? undefined);
  setLanguage(languageFor(own.language, organisation.language)).catch(() => {
    // Its texts could not be loaded: the present language stays until the next start.
  });
}

/** The organisation's settings have changed, or were read. */
export function setOrganisation(settings: Regional): void {
  organisation = settings;
  const { me } = useSession.getState();
  if (me) show(me.preferences);
}

async function readOrganisation(token: string): Promise<void> {
  try {
    const { settings } = await call(readSettings);
    if (useSession.getState().token === token) setOrganisation(settings);
  } catch {
    // The browser's own units go on; the next visit asks again.
  }
}

/** Language, units and time zone follow the signed-in user, and their organisation. */
export function startPreferences(): void {
  useSession.subscribe((now, before) => {
    if (now.me?.preferences !== before.me?.preferences && now.me) show(now.me.preferences);
    // The user was read by then, so that a duty that is to be done first is known.
    if (now.messaging !== null && before.messaging === null && now.token !== null) void readOrganisation(now.token);
    if (now.token === null && before.token !== null) {
      organisation = null;
      setMeasureSystem(null);
      setFormatTimeZone(undefined);
    }
  });
}
