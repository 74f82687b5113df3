import { type Driver, updateDriver } from '@milepost/contract';
import { useTranslation } from 'react-i18next';
import { call } from '../../../base/api.ts';
import { describeError } from '../../../base/describe-error.ts';
import { toast } from '../../../base/toasts/toast.ts';
import { changedHere } from '../../../changes/apply-changes.ts';

/** Restores an archived driver; their card must be assigned again. */
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
