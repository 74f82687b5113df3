import { type Driver, updateDriver } from '@milepost/contract';
import { useTranslation } from 'react-i18next';
import { call } from '../../../app/api.ts';
import { describeError } from '../../../app/describe-error.ts';
import { toast } from '../../../app/toasts/toast.ts';
import { changedHere } from '../../../changes/apply-changes.ts';

/** Somebody who left is back; their card has to be given again. */
export function useRestore(): (person: Driver) => void {
  const { t } = useTranslation('personal');
  return ({ id, name }) => {
    call(updateDriver, { params: { id }, body: { archived: false } }).then(
      () => {
        toast(t('archive.restored', { name }));
        void changedHere(['driver', id]);
      },
      (cause: unknown) => toast(describeError(cause).message, 'error'),
    );
  };
}
