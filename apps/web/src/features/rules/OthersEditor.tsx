import { RULE_OTHERS_MAX } from '@milepost/contract';
import { useTranslation } from 'react-i18next';
import type { Form } from '../../forms/use-form.ts';
import { VehicleLists } from '../../geofences/VehicleLists.tsx';
import styles from './RuleForm.module.css';
import type { RuleValues } from './rule-form.ts';

/** The vehicles that each of the rule's vehicles is compared with: all in some folders, and single ones. */
export function OthersEditor({ form: { set, values } }: { readonly form: Form<RuleValues> }) {
  const { t } = useTranslation('rules');
  const { 'trigger.otherFolderIds': folderIds, 'trigger.otherIds': deviceIds } = values;
  return (
    <>
      <VehicleLists
        value={{ folderIds: [...folderIds], deviceIds: [...deviceIds] }}
        max={RULE_OTHERS_MAX}
        onChange={next => {
          set('trigger.otherFolderIds', next.folderIds);
          set('trigger.otherIds', next.deviceIds);
        }}
      />
      <p className={styles.quiet}>{t('field.othersHint', { max: RULE_OTHERS_MAX })}</p>
    </>
  );
}
