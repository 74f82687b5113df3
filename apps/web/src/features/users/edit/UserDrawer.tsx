import { type User, updateMyUser, userChangeSchema } from '@milepost/contract';
import { IconLogout } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../base/api.ts';
import { toast } from '../../../base/toasts/toast.ts';
import { formatDate } from '../../../format/date.ts';
import { FormFrame } from '../../../forms/FormFrame.tsx';
import { SaveBar } from '../../../forms/SaveBar.tsx';
import { useForm } from '../../../forms/use-form.ts';
import { useRefreshUsers } from '../../../people/my-users.ts';
import { Picture } from '../../../people/Picture.tsx';
import { Inspector, InspectorBody, InspectorFoot } from '../../../registry/Inspector.tsx';
import { Button } from '../../../ui/Button.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { Tabs } from '../../../ui/Tabs.tsx';
import type { UserAction } from '../actions/UserDialogs.tsx';
import { AccessFields, PersonFields } from '../UserFields.tsx';
import { useRoles } from '../UsersToolbar.tsx';
import { changesOf, type UserValues, valuesOf } from '../user-values.ts';

interface Props {
  readonly user: User;
  readonly onClose: () => void;
  readonly onAction: (action: UserAction) => void;
}

const TABS = ['access', 'person'] as const;
type TabName = (typeof TABS)[number];
const PERSON_FIELDS: readonly string[] = ['displayName', 'userName', 'email', 'phone'] satisfies (keyof UserValues)[];

/** One user: rights, personal data and sessions. */
export function UserDrawer({ user, onClose, onAction }: Props) {
  const { t } = useTranslation('users');
  const refresh = useRefreshUsers();
  const roles = useRoles().data ?? [];
  const [tab, setTab] = useState<TabName>('access');
  const form = useForm({
    schema: userChangeSchema,
    initial: valuesOf(user),
    toBody: values => changesOf(user, values, roles),
    save: body => call(updateMyUser, { params: { id: user.id }, body }),
    // An unconfirmed address is not the user's address yet.
    held: ({ data }, sent) => (data.pendingEmail === null ? sent : { ...sent, email: data.email ?? '' }),
    onSaved: ({ data, invitation }) => {
      const { displayName: name, pendingEmail } = data;
      void refresh();
      if (invitation) return onAction({ kind: 'invited', user: data, invitation });
      const isAsked = form.changed.includes('email') && pendingEmail !== null;
      toast(isAsked ? t('done.email-asked', { name, email: pendingEmail }) : t('done.save', { name }));
    },
    problemFields: { 'user-name-taken': 'userName', 'email-taken': 'email', 'more-than-you-hold': 'roleId' },
  });
  // If all errors are on the hidden tab, switch to it.
  const wrong = Object.keys(form.messages);
  const hidden = wrong.length > 0 && wrong.every(field => PERSON_FIELDS.includes(field) !== (tab === 'person'));
  const shown: TabName = hidden ? (tab === 'access' ? 'person' : 'access') : tab;
  const mayChange = user.editable;

  return (
    <Inspector
      id={user.id}
      title={user.displayName}
      subtitle={t('since', { userName: user.userName, day: formatDate(user.createdAt.slice(0, 10)) })}
      art={<Picture name={user.displayName} image={user.image} size={34} />}
      onClose={onClose}
    >
      <FormFrame form={form} guarded>
        <InspectorBody>
          {!mayChange && <Notice>{t('holdsMore')}</Notice>}
          <Tabs
            label={user.displayName}
            tabs={TABS.map(id => ({ id, label: t(`tabs.${id}`) }))}
            chosen={shown}
            onChoose={setTab}
          >
            {shown === 'access' ? (
              <AccessFields form={form} disabled={!mayChange} />
            ) : (
              <PersonFields form={form} pendingEmail={user.pendingEmail} disabled={!mayChange} />
            )}
          </Tabs>
        </InspectorBody>
        {mayChange && (
          <InspectorFoot>
            <SaveBar form={form}>
              <Button
                icon={<IconLogout size={16} stroke={1.75} aria-hidden />}
                onClick={() => onAction({ kind: 'sign-out', user })}
                disabled={user.sessions === 0}
              >
                {t('actions.sign-out')}
              </Button>
            </SaveBar>
          </InspectorFoot>
        )}
      </FormFrame>
    </Inspector>
  );
}
