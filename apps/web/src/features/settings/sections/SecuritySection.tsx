import {
  may,
  readSecurityPolicy,
  SECOND_FACTOR_POLICIES,
  securityPolicyChangeSchema,
  updateSecurityPolicy,
} from '@milepost/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../../../base/api.ts';
import { useSession } from '../../../base/session/session.ts';
import { toast } from '../../../base/toasts/toast.ts';
import { FormFrame } from '../../../forms/FormFrame.tsx';
import { SaveBar } from '../../../forms/SaveBar.tsx';
import { useForm } from '../../../forms/use-form.ts';
import { ReadState } from '../../../registry/ReadState.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { SelectField } from '../../../ui/SelectField.tsx';
import { Card, SectionFrame } from '../SectionFrame.tsx';
import styles from '../SettingsForm.module.css';

const QUERY = ['security-policy'] as const;
type Policy = { readonly secondFactor: (typeof SECOND_FACTOR_POLICIES)[number]; readonly missing: number };

/** Who needs a second factor. Sessions are on each user's profile, and for admins on the users page. */
export function SecuritySection() {
  const { t } = useTranslation('settings');
  const { data, error, refetch } = useQuery({ queryKey: QUERY, queryFn: () => call(readSecurityPolicy) });
  return (
    <SectionFrame title={t('sections.security')}>
      {data ? <PolicyForm policy={data} /> : <ReadState error={error} onRetry={() => void refetch()} />}
    </SectionFrame>
  );
}

function PolicyForm({ policy }: { readonly policy: Policy }) {
  const { t } = useTranslation(['settings', 'forms']);
  const queries = useQueryClient();
  const writable = useSession(({ me }) => me !== null && may(me, 'settings.write'));
  const form = useForm({
    schema: securityPolicyChangeSchema,
    initial: { secondFactor: policy.secondFactor as string },
    save: body => call(updateSecurityPolicy, { body }),
    onSaved: saved => {
      queries.setQueryData(QUERY, saved);
      toast(t('forms:saved'));
    },
  });
  return (
    <FormFrame form={form} guarded label={t('sections.security')}>
      <Card title={t('security.secondFactor')} text={t('security.secondFactorText')}>
        <SelectField
          {...form.text('secondFactor')}
          className={styles.lone}
          label={t('security.who')}
          disabled={!writable}
          options={SECOND_FACTOR_POLICIES.map(value => ({ value, label: t(`security.policies.${value}`) }))}
        />
        {policy.missing > 0 && <Notice tone="warning">{t('security.missing', { count: policy.missing })}</Notice>}
      </Card>
      {writable && <SaveBar form={form} />}
    </FormFrame>
  );
}
