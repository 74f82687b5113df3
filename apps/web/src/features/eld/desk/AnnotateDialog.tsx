import { useTranslation } from 'react-i18next';
import { ReasonDialog } from './ReasonDialog.tsx';

interface Props {
  readonly title: string;
  readonly save: (text: string) => Promise<unknown>;
  readonly onClose: () => void;
}

/** Adds a remark to a record, stored with the log. */
export function AnnotateDialog({ title, save, onClose }: Props) {
  const { t } = useTranslation('eld');
  return (
    <ReasonDialog
      title={title}
      label={t('annotate.text')}
      hint={t('annotate.hint')}
      action={t('annotate.action')}
      done={t('annotate.done')}
      save={({ reason }) => save(reason)}
      onClose={onClose}
    />
  );
}
