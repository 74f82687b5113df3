import { endMyPhone, listMyPhones } from '@milepost/contract';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { call } from '../../../base/api.ts';
import { describeError } from '../../../base/describe-error.ts';
import { toast } from '../../../base/toasts/toast.ts';
import { PhoneList } from '../../../logbook/PhoneList.tsx';
import { paths } from '../../../paths.ts';
import { canEnroll } from '../../../phone/device-key.ts';
import { Button } from '../../../ui/Button.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { TextField } from '../../../ui/TextField.tsx';
import styles from '../Driver.module.css';
import { OPENED } from '../opened.ts';
import { isPin } from '../roadside/pin.ts';
import { useDriverDuty } from '../store/driver-duty.ts';
import { endThisEnrollment, enrollThisPhone } from '../store/enrollment.ts';

/** Enrolling this phone, and the driver's others. */
export function PhoneSheet() {
  const { t } = useTranslation(['eldDriverMore', 'eldDriver']);
  const enrollment = useDriverDuty(state => state.enrollment);
  const { data: phones, refetch } = useQuery({ queryKey: ['eld', 'my-phones'], queryFn: () => call(listMyPhones) });
  const end = useMutation({
    mutationFn: (id: string) =>
      id === enrollment?.phoneId ? endThisEnrollment() : call(endMyPhone, { params: { id } }).then(() => {}),
    onSuccess: () => void refetch(),
  });
  const [asked, setAsked] = useState<string | null>(null);
  const ending = phones?.find(({ id }) => id === asked);
  if (ending) {
    return (
      <div className={styles.form}>
        <h3>{t('phone.endTitle', { name: ending.name })}</h3>
        <p>{ending.id === enrollment?.phoneId ? t('phone.endThis') : t('phone.endOther', { name: ending.name })}</p>
        <Button
          variant="danger"
          size="large"
          wide
          onClick={() => {
            setAsked(null);
            end.mutate(ending.id);
          }}
        >
          {t('phone.end')}
        </Button>
        <Button size="large" wide data-autofocus onClick={() => setAsked(null)}>
          {t('phone.keep')}
        </Button>
      </div>
    );
  }
  return (
    <div className={styles.form}>
      <p>{t('phone.text')}</p>
      {enrollment ? (
        <Notice tone="ok">{t('phone.enrolled', { name: enrollment.name })}</Notice>
      ) : (
        <Enroll onDone={() => void refetch()} />
      )}
      {end.error && <Notice tone="critical">{describeError(end.error).message}</Notice>}
      {phones && <PhoneList phones={phones} busy={end.isPending} onEnd={setAsked} />}
      <div>
        <Link to={paths.profile('notifications')}>{t('phone.notifications')}</Link>
        <p className={styles.quiet}>{t('phone.notificationsText')}</p>
      </div>
    </div>
  );
}

function Enroll({ onDone }: { readonly onDone: () => void }) {
  const { t } = useTranslation(['eldDriverMore', 'eldDriver']);
  const [name, setName] = useState('');
  const [pin, setPin] = useState('');
  const [tried, setTried] = useState(false);
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => {
      // Whoever enrolls it is using it: the PIN is asked for from the next start on.
      sessionStorage.setItem(OPENED, useDriverDuty.getState().owner ?? '');
      return enrollThisPhone(name.trim(), pin);
    },
    onSuccess: () => {
      toast(t('phone.saved'));
      onDone();
    },
  });
  if (!canEnroll()) return <Notice tone="warning">{t('phone.needsTls')}</Notice>;
  return (
    <form
      className={styles.form}
      onSubmit={event => {
        event.preventDefault();
        setTried(true);
        if (name.trim() !== '' && isPin(pin)) mutate();
      }}
    >
      {error && <Notice tone="warning">{describeError(error).message}</Notice>}
      <TextField
        label={t('phone.name')}
        hint={t('phone.nameHint')}
        value={name}
        maxLength={60}
        autoComplete="off"
        error={tried && name.trim() === '' ? t('phone.nameMissing') : undefined}
        onChange={event => setName(event.target.value)}
      />
      <TextField
        label={t('roadside.pin')}
        hint={t('phone.pinText')}
        type="password"
        inputMode="numeric"
        autoComplete="new-password"
        value={pin}
        maxLength={8}
        error={tried && !isPin(pin) ? t('roadside.pinShort') : undefined}
        onChange={event => setPin(event.target.value)}
      />
      <Button type="submit" variant="primary" size="large" wide busy={isPending}>
        {t('phone.enroll')}
      </Button>
    </form>
  );
}
