import { controlPasswordChangeSchema, readControlPassword, setControlPassword } from '@milepost/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../../../base/api.ts';
import { toast } from '../../../base/toasts/toast.ts';
import { formatDate, isoDateOf } from '../../../format/date.ts';
import { FormFrame } from '../../../forms/FormFrame.tsx';
import { withRepeat } from '../../../forms/repeat-password.ts';
import { useForm } from '../../../forms/use-form.ts';
import { ReadState } from '../../../registry/ReadState.tsx';
import { Button } from '../../../ui/Button.tsx';
import { DialogActions } from '../../../ui/DialogActions.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { PasswordField } from '../../../ui/PasswordField.tsx';
import { Card, SectionFrame } from '../SectionFrame.tsx';
import { SecondPersonRule } from './SecondPersonRule.tsx';

const QUERY = ['control-password'] as const;
const EMPTY = { password: '', controlPassword: '', repeat: '' };
const schema = withRepeat(controlPasswordChangeSchema, 'controlPassword');

/**
 * The control password: what it protects, who set it and when, and a form to change it. Also who must confirm dangerous
 * commands.
 */
export function CommandsSection() {
  const { t } = useTranslation('settings');
  const { data, error, refetch } = useQuery({ queryKey: QUERY, queryFn: () => call(readControlPassword) });
  return (
    <SectionFrame title={t('sections.commands')}>
      {data ? (
        <>
          <Card title={t('commands.password')} text={t('commands.passwordText')}>
            {data.set ? (
              <Notice tone="ok">
                {t(data.setBy === null ? 'commands.setSometime' : 'commands.setBy', {
                  who: data.setBy,
                  date: data.setAt === null ? '' : formatDate(isoDateOf(Date.parse(data.setAt))),
                })}
              </Notice>
            ) : (
              <Notice tone="warning">{t('commands.unset')}</Notice>
            )}
            <PasswordForm isSet={data.set} />
          </Card>
          <SecondPersonRule isSet={data.set} />
        </>
      ) : (
        <ReadState error={error} onRetry={() => void refetch()} />
      )}
    </SectionFrame>
  );
}

function PasswordForm({ isSet }: { readonly isSet: boolean }) {
  const { t } = useTranslation('settings');
  const queries = useQueryClient();
  const form = useForm({
    schema,
    initial: EMPTY,
    save: ({ repeat: _, ...body }) => call(setControlPassword, { body }),
    held: () => EMPTY,
    onSaved: () => {
      void queries.invalidateQueries({ queryKey: QUERY });
      toast(t('commands.saved'));
    },
    problemFields: { 'wrong-password': 'password', 'control-password-is-own': 'controlPassword' },
  });
  const showLabel = t('commands.show');
  return (
    <FormFrame form={form} guarded label={t('commands.password')}>
      <PasswordField
        {...form.text('password')}
        label={t('commands.own')}
        autoComplete="current-password"
        showLabel={t('commands.showOwn')}
      />
      {/* Keep browsers from offering to save it as the password for this site. */}
      <PasswordField
        {...form.text('controlPassword')}
        label={t('commands.new')}
        hint={t('commands.newHint')}
        autoComplete="off"
        showLabel={showLabel}
      />
      <PasswordField {...form.text('repeat')} label={t('commands.repeat')} autoComplete="off" showLabel={showLabel} />
      <DialogActions>
        <Button type="submit" variant="primary" busy={form.saving}>
          {t(isSet ? 'commands.change' : 'commands.set')}
        </Button>
      </DialogActions>
    </FormFrame>
  );
}
