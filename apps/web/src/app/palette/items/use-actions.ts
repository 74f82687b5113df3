import { LANGUAGES, type Language, may, updateMe } from '@milepost/contract';
import {
  IconBrightnessHalf,
  IconDownload,
  IconKeyboard,
  IconLanguage,
  IconLogout,
  IconPlus,
} from '@tabler/icons-react';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../base/api.ts';
import { APPEARANCES, setAppearance } from '../../../base/appearance.ts';
import { useAppName } from '../../../base/client-settings.ts';
import { describeError } from '../../../base/describe-error.ts';
import { chooseLanguage } from '../../../base/language/language.ts';
import { LANGUAGE_NAMES } from '../../../base/language/names.ts';
import { useSession } from '../../../base/session/session.ts';
import { signOut } from '../../../base/session/sign-out.ts';
import { refreshMe } from '../../../base/session/use-me.ts';
import { toast } from '../../../base/toasts/toast.ts';
import { useInstall } from '../../install/install.ts';
import type { PaletteItem } from '../item.ts';

export interface ShellActions {
  readonly onShortcuts: () => void;
  readonly onInstall: () => void;
  readonly onAddVehicle: () => void;
}

/** Actions that are available on every page. */
export function useActions({ onShortcuts, onInstall, onAddVehicle }: ShellActions): readonly PaletteItem[] {
  const { t } = useTranslation(['palette', 'shell', 'install']);
  const app = useAppName();
  const installed = useInstall(state => state.installed);
  const me = useSession(session => session.me);
  return useMemo(() => {
    const action = (id: string, Icon: PaletteItem['Icon'], title: string, run: () => void, keywords = '') =>
      ({ id: `action:${id}`, group: 'actions', Icon, title, subtitle: '', keywords, run }) satisfies PaletteItem;
    return [
      ...(me && may(me, 'vehicles.write') ? [action('add', IconPlus, t('addVehicle'), onAddVehicle)] : []),
      ...APPEARANCES.map(one =>
        action(
          `appearance-${one}`,
          IconBrightnessHalf,
          t(`appearance.${one}`),
          () => setAppearance(one),
          t('themeWords'),
        ),
      ),
      ...LANGUAGES.map(one =>
        action(
          `language-${one}`,
          IconLanguage,
          t('speak', { language: LANGUAGE_NAMES[one] }),
          () => speak(one),
          'language idioma langue',
        ),
      ),
      action('shortcuts', IconKeyboard, t('shell:account.shortcuts'), onShortcuts),
      ...(installed ? [] : [action('install', IconDownload, t('install:install', { app }), onInstall)]),
      action('sign-out', IconLogout, t('shell:account.signOut'), signOut, 'logout'),
    ];
  }, [t, me, app, installed, onShortcuts, onInstall, onAddVehicle]);
}

/** Stores the language in the user's profile if they may change it, otherwise on this device. */
function speak(language: Language): void {
  const { me } = useSession.getState();
  const done =
    me && may(me, 'profile.write')
      ? call(updateMe, { body: { preferences: { language } } }).then(() => refreshMe())
      : chooseLanguage(language);
  done.catch((error: unknown) => toast(describeError(error).message, 'error'));
}
