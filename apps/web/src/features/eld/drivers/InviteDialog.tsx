import { newUserSchema, type RosterDriver, type RouteAnswer, registerUser, updateDriver } from '@milepost/contract';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../base/api.ts';
import { changedHere } from '../../../changes/apply-changes.ts';
import { formatDay } from '../../../format/time.ts';
import { CopyLine } from '../../../forms/CopyLine.tsx';
import { FormFrame } from '../../../forms/FormFrame.tsx';
import { useForm } from '../../../forms/use-form.ts';
import { Button } from '../../../ui/Button.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { DialogActions } from '../../../ui/DialogActions.tsx';
import { QrCode } from '../../../ui/QrCode.tsx';
import { TextField } from '../../../ui/TextField.tsx';
import { useRefresh } from '../use-refresh.ts';
import styles from './Roster.module.css';
import { userNameFor } from './user-name.ts';

interface Props {
  readonly driver: RosterDriver;
  readonly onClose: () => void;
}

/** Creates a user for a driver and shows the invitation as a QR code for their phone. */
export function InviteDialog({ driver, onClose }: Props) {
  const { t } = useTranslation(['eld', 'forms']);
  const refresh = useRefresh();
  const [invitation, setInvitation] = useState<{ readonly url: string; readonly expiresAt: string } | null>(null);
  const made = useRef<RouteAnswer<typeof registerUser> | null>(null);
  const form = useForm({
    schema: newUserSchema,
    initial: { userName: userNameFor(driver.name), email: '' },
    toBody: ({ userName, email }) => ({ userName, email, displayName: driver.name, role: 'driver' as const }),
    save: async body => {
      // If linking failed before, the user is there already.
      const added = made.current ?? (await call(registerUser, { body }));
      made.current = added;
      await call(updateDriver, { params: { id: driver.driverId }, body: { userId: added.data.id } });
      return added;
    },
    onSaved: added => {
      setInvitation(added.invitation);
      void changedHere(['driver', driver.driverId], ['user', added.data.id]);
      void refresh();
    },
    problemFields: { 'user-name-taken': 'userName', 'email-taken': 'email' },
  });
  return (
    <Dialog open onClose={onClose} title={t('invite.title', { name: driver.name })} closeLabel={t('forms:close')}>
      {invitation ? (
        <div className={styles.invitation}>
          <p>{t('invite.scan', { name: driver.name })}</p>
          <QrCode text={invitation.url} label={t('invite.code')} />
          <CopyLine text={invitation.url} label={t('invite.copy')} copied={t('invite.copied')} />
          <p>{t('invite.until', { day: formatDay(Date.parse(invitation.expiresAt)) })}</p>
          <DialogActions>
            <Button variant="primary" onClick={onClose}>
              {t('forms:close')}
            </Button>
          </DialogActions>
        </div>
      ) : (
        <FormFrame form={form}>
          <p>{t('invite.text')}</p>
          <TextField
            {...form.text('userName')}
            label={t('invite.userName')}
            autoComplete="off"
            spellCheck={false}
            data-autofocus
          />
          <TextField
            {...form.text('email')}
            type="email"
            label={t('invite.email')}
            optional={t('forms:optional')}
            autoComplete="off"
          />
          <DialogActions>
            <Button onClick={onClose}>{t('forms:cancel')}</Button>
            <Button variant="primary" type="submit" busy={form.saving}>
              {t('invite.action')}
            </Button>
          </DialogActions>
        </FormFrame>
      )}
    </Dialog>
  );
}
