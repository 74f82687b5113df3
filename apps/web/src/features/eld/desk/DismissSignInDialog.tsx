import { type BoardRow, dismissSignIn } from '@milepost/contract';
import { useTranslation } from 'react-i18next';
import { call } from '../../../base/api.ts';
import { ReasonDialog } from './ReasonDialog.tsx';

interface Props {
  readonly driver: Pick<BoardRow, 'driverId' | 'name'>;
  readonly onClose: () => void;
}

/** Takes the sign-in of a lost phone off the board. A phone that comes back brings it back. */
export function DismissSignInDialog({ driver: { driverId, name }, onClose }: Props) {
  const { t } = useTranslation('eld');
  return (
    <ReasonDialog
      title={t('standing.dismiss.title', { name })}
      text={t('standing.dismiss.text')}
      label={t('standing.dismiss.reason')}
      hint={t('standing.dismiss.hint')}
      action={t('standing.dismiss.action')}
      done={t('standing.dismiss.done', { name })}
      save={body => call(dismissSignIn, { params: { driverId }, body })}
      onClose={onClose}
    />
  );
}
