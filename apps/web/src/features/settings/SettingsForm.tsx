import {
  may,
  type RouteAnswer,
  readSettingChanges,
  type SettingName,
  settingsChangeSchema,
  updateSettings,
} from '@milepost/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ACCOUNT_SETTINGS_KEY } from '../../base/account-settings.ts';
import { call } from '../../base/api.ts';
import { setOrganisation } from '../../base/session/preferences.ts';
import { useSession } from '../../base/session/session.ts';
import { toast } from '../../base/toasts/toast.ts';
import { formatDate, isoDateOf } from '../../format/date.ts';
import { FormFrame } from '../../forms/FormFrame.tsx';
import { SaveBar } from '../../forms/SaveBar.tsx';
import { type Form, useForm } from '../../forms/use-form.ts';
import { ReadState } from '../../registry/ReadState.tsx';
import { SectionFrame } from './SectionFrame.tsx';
import styles from './SettingsForm.module.css';
import { changedSettings, defaultText, type SettingTexts, settingTexts } from './setting-values.ts';

type SettingsAnswer = RouteAnswer<typeof readSettingChanges>;

const SETTINGS_QUERY = ['settings', 'changes'] as const;

interface Props<N extends SettingName> {
  readonly title: string;
  readonly names: readonly N[];
  /** Renders the cards with the fields. `hint` says who changed a setting and offers to reset it. */
  readonly children: (
    form: Form<SettingTexts<N>>,
    hint: (name: N, text?: string) => ReactNode,
    answer: SettingsAnswer,
  ) => ReactNode;
}

/** A section that is a settings form: loads, edits and saves them, and can reset each to its default. */
export function SettingsForm<N extends SettingName>(props: Props<N>) {
  const { data, error, refetch } = useSettings();
  if (data) return <Loaded {...props} answer={data} />;
  return (
    <SectionFrame title={props.title}>
      <ReadState error={error} onRetry={() => void refetch()} />
    </SectionFrame>
  );
}

function Loaded<N extends SettingName>({
  title,
  names,
  answer,
  children,
}: Props<N> & { readonly answer: SettingsAnswer }) {
  const { t } = useTranslation(['settings', 'forms']);
  const queries = useQueryClient();
  const writable = useSession(({ me }) => me !== null && may(me, 'settings.write'));
  const form = useForm({
    schema: settingsChangeSchema,
    initial: settingTexts(answer.settings, names),
    toBody: texts => changedSettings(answer.settings, texts),
    save: body => call(updateSettings, { body }),
    onSaved: saved => {
      queries.setQueryData(SETTINGS_QUERY, saved);
      queries.setQueryData(ACCOUNT_SETTINGS_KEY, { settings: saved.settings });
      setOrganisation(saved.settings);
      void queries.invalidateQueries({ queryKey: ['settings'] });
      toast(t('forms:saved'));
    },
  });

  const hint = (name: N, text?: string): ReactNode => {
    const change = answer.changed[name];
    const isDefault = form.values[name] === defaultText(name);
    return (
      <>
        {text}
        {change && (
          <span className={styles.change}>
            {t('changedBy', { who: change.by ?? t('server'), date: formatDate(isoDateOf(Date.parse(change.at))) })}
          </span>
        )}
        {!isDefault && writable && defaultText(name) !== '' && (
          <>
            {' '}
            <button
              type="button"
              className={styles.reset}
              onClick={() => form.set(name, defaultText(name) as SettingTexts<N>[N])}
            >
              {t('reset')}
            </button>
          </>
        )}
      </>
    );
  };

  return (
    <SectionFrame title={title} {...(!writable && { note: t('readOnly') })}>
      <FormFrame form={form} guarded label={title}>
        <fieldset className={styles.fields} disabled={!writable}>
          {children(form, hint, answer)}
        </fieldset>
        {writable && <SaveBar form={form} />}
      </FormFrame>
    </SectionFrame>
  );
}

/** The account's settings, and who changed each of them. */
const useSettings = () => useQuery({ queryKey: SETTINGS_QUERY, queryFn: () => call(readSettingChanges) });
