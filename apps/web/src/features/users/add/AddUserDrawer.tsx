import { newUserSchema, type RouteAnswer, registerUser } from '@milepost/contract';
import { IconUserPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { z } from 'zod';
import { call } from '../../../base/api.ts';
import { useSession } from '../../../base/session/session.ts';
import { FormFrame } from '../../../forms/FormFrame.tsx';
import { NewPasswordFields } from '../../../forms/NewPasswordFields.tsx';
import { withRepeat } from '../../../forms/repeat-password.ts';
import { useForm } from '../../../forms/use-form.ts';
import { keepRegistered, useRefreshUsers } from '../../../people/my-users.ts';
import { Inspector, InspectorBody, InspectorFoot } from '../../../registry/Inspector.tsx';
import { Button } from '../../../ui/Button.tsx';
import { DialogActions } from '../../../ui/DialogActions.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { Segments } from '../../../ui/Segments.tsx';
import { InvitationLink } from '../InvitationLink.tsx';
import { AccessFields, PersonFields } from '../UserFields.tsx';
import { useRoles } from '../UsersToolbar.tsx';
import { bodyOf, NEW_USER } from '../user-values.ts';

/** How a new user gets in: through an invitation link, or with a password that they are given. */
const METHODS = ['invite', 'password'] as const;
type Method = (typeof METHODS)[number];

const SCHEMAS: Readonly<Record<Method, z.ZodType<z.output<typeof newUserSchema> & { readonly repeat?: string }>>> = {
  invite: newUserSchema,
  password: withRepeat(newUserSchema.required({ password: true })),
};

/** Adds a user: name, access, and how they sign in. */
export function AddUserDrawer({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation(['users', 'forms', 'registry']);
  const refresh = useRefreshUsers();
  // Within the user's own limits, if they have any.
  const scope = useSession(({ me }) => me?.scope ?? null);
  const initial = { ...NEW_USER, scope, password: '', repeat: '' };
  const roles = useRoles().data ?? [];
  const [method, setMethod] = useState<Method>('invite');
  const [added, setAdded] = useState<RouteAnswer<typeof registerUser> | null>(null);
  const form = useForm({
    schema: SCHEMAS[method],
    initial,
    toBody: values => ({
      ...bodyOf(values, roles),
      ...(method === 'password' && { password: values.password, repeat: values.repeat }),
    }),
    save: ({ repeat: _, ...body }) => call(registerUser, { body }),
    onSaved: answer => {
      keepRegistered(answer.data);
      setAdded(answer);
      void refresh();
    },
    problemFields: { 'user-name-taken': 'userName', 'email-taken': 'email', 'more-than-you-hold': 'roleId' },
  });
  if (added) {
    return (
      <Inspector id="added" title={t('add.done', { name: added.data.displayName })} onClose={onClose}>
        <InspectorBody>
          <Added added={added} />
          <DialogActions>
            <Button
              onClick={() => {
                form.restart(initial);
                setAdded(null);
              }}
            >
              {t('add.another')}
            </Button>
            <Button variant="primary" onClick={onClose}>
              {t('registry:closeDrawer')}
            </Button>
          </DialogActions>
        </InspectorBody>
      </Inspector>
    );
  }
  return (
    <Inspector id="new" title={t('add.title')} onClose={onClose}>
      <FormFrame form={form} guarded>
        <InspectorBody>
          <PersonFields form={form} />
          <AccessFields form={form} />
          <h3>{t('add.method')}</h3>
          <Segments
            label={t('add.method')}
            segments={METHODS.map(id => ({ id, label: t(`add.methods.${id}`) }))}
            chosen={method}
            onChoose={setMethod}
          />
          <p>{t(`add.methodText.${method}`)}</p>
          {method === 'password' && <NewPasswordFields form={form} />}
        </InspectorBody>
        <InspectorFoot>
          <DialogActions>
            <Button onClick={onClose}>{t('forms:cancel')}</Button>
            <Button
              type="submit"
              variant="primary"
              busy={form.saving}
              icon={<IconUserPlus size={16} stroke={1.75} aria-hidden />}
            >
              {t(`add.submit.${method}`)}
            </Button>
          </DialogActions>
        </InspectorFoot>
      </FormFrame>
    </Inspector>
  );
}

/** What is left to do after adding a user: pass on the link, or tell them the password. */
function Added({ added }: { readonly added: RouteAnswer<typeof registerUser> }) {
  const { t } = useTranslation('users');
  const { data, invitation } = added;
  if (invitation) return <InvitationLink user={data} invitation={invitation} />;
  return <Notice tone="ok">{t('add.tellPassword', { name: data.displayName, userName: data.userName })}</Notice>;
}
