import { APPEARANCES, LANGUAGES, type Preferences, updateMe } from '@milepost/contract';
import { useMutation } from '@tanstack/react-query';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../base/api.ts';
import { setAppearance } from '../../../base/appearance.ts';
import { describeError } from '../../../base/describe-error.ts';
import { useNavigation } from '../../../base/navigation.ts';
import { useSession } from '../../../base/session/session.ts';
import { refreshMe } from '../../../base/session/use-me.ts';
import { ShortcutsSwitch } from '../../../base/shortcuts/ShortcutsSwitch.tsx';
import { type Option, SelectField } from '../../../ui/SelectField.tsx';
import styles from '../Card.module.css';
import { Card } from '../Card.tsx';
import { startPages, timeZones } from './choices.ts';

/** Choices that are made elsewhere: on the overview, on maps and during setup. */
type Name = Exclude<keyof Preferences, 'overviewTiles' | 'map' | 'setupDone' | 'setupSkipped'>;

/** Language, format and appearance of the app for this user. Each choice applies right away, on every device. */
export function PreferencesSection() {
  const { t } = useTranslation(['profile', 'shell']);
  const preferences = useSession(session => session.me?.preferences);
  const places = useNavigation();
  if (!preferences) return null;
  const offered: Readonly<Record<Name, readonly Option[]>> = {
    appearance: APPEARANCES.map(value => ({ value, label: t(`shell:appearance.${value}`) })),
    language: LANGUAGES.map(value => ({ value, label: t(`languages.${value}`) })),
    distanceUnit: (['mi', 'km'] as const).map(value => ({ value, label: t(`units.${value}`) })),
    volumeUnit: (['gal', 'l'] as const).map(value => ({ value, label: t(`units.${value}`) })),
    temperatureUnit: (['f', 'c'] as const).map(value => ({ value, label: t(`units.${value}`) })),
    timeZone: timeZones(Date.now(), preferences.timeZone).map(zone => ({ value: zone.name, label: zone.label })),
    startPage: startPages(places).map(({ key, path }) => ({ value: path, label: t(`shell:nav.${key}`) })),
  };
  const field = (name: Name) => <Preference key={name} name={name} value={preferences[name]} options={offered[name]} />;
  return (
    <>
      <Card title={t('preferences.look')} lead={t('preferences.lead')}>
        <div className={styles.fields}>{(['appearance', 'startPage'] as const).map(field)}</div>
      </Card>
      <Card title={t('preferences.region')}>
        <div className={styles.fields}>
          {(['language', 'timeZone', 'distanceUnit', 'volumeUnit', 'temperatureUnit'] as const).map(field)}
        </div>
      </Card>
      <Card title={t('shell:shortcuts.title')} lead={t('preferences.shortcuts')}>
        <ShortcutsSwitch />
      </Card>
    </>
  );
}

interface PreferenceProps {
  readonly name: Name;
  readonly value: string | null;
  readonly options: readonly Option[];
}

function Preference({ name, value, options }: PreferenceProps) {
  const { t } = useTranslation('profile');
  const hint = name === 'appearance' || name === 'startPage' ? t(`preferences.hints.${name}`) : undefined;
  const latest = useRef('');
  const { mutate, variables, isSuccess, isPending, error } = useMutation({
    // The same scope sends two quick choices in order.
    scope: { id: `preference-${name}` },
    mutationFn: (picked: string) =>
      call(updateMe, { body: { preferences: { [name]: picked === '' ? null : picked } } }),
    onSuccess: refreshMe,
    // If the server didn't save the choice, show the old one again, unless the user has chosen something else by now.
    onError: (_, picked) => {
      if (name === 'appearance' && picked === latest.current) setAppearance(appearanceOf(value ?? ''));
    },
  });
  const chosen = isPending ? variables : value;
  return (
    <SelectField
      label={t(`preferences.${name}`)}
      value={chosen ?? ''}
      options={[{ value: '', label: t(`preferences.unset.${name}`) }, ...options]}
      hint={isSuccess && !isPending ? t('preferences.kept') : hint}
      error={error ? describeError(error).message : undefined}
      onChange={event => {
        const picked = event.currentTarget.value;
        latest.current = picked;
        // Show the choice before the server has answered.
        if (name === 'appearance') setAppearance(appearanceOf(picked));
        mutate(picked);
      }}
    />
  );
}

const appearanceOf = (picked: string) => APPEARANCES.find(one => one === picked) ?? 'auto';
