import type { MyDuty } from '@milepost/contract';
import { IconShieldCheck } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import styles from '../Driver.module.css';
import { useReadiness } from '../roadside/use-readiness.ts';
import { useView } from '../view.ts';

/** Opens the inspection in one tap. The lamp says whether an inspection would go smoothly. */
export function RoadsideRow({ duty }: { readonly duty: MyDuty }) {
  const { t } = useTranslation('eldDriverMore');
  const { open } = useView();
  const { lamp } = useReadiness(duty);
  return (
    <>
      <button type="button" className={styles.lamp} data-lamp={lamp} onClick={() => open('readiness')}>
        {t(`lamp.${lamp}`)}
      </button>
      <button type="button" className={styles.roadside} onClick={() => open('roadside')}>
        <IconShieldCheck size={24} stroke={1.75} aria-hidden />
        {t('more.roadside')}
      </button>
    </>
  );
}
