import type { MyDuty } from '@milepost/contract';
import {
  IconChartDots,
  IconChevronRight,
  IconClipboardList,
  IconClockHour4,
  IconCloudStorm,
  IconDeviceMobile,
  IconEyeCheck,
  IconTruck,
} from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { paths } from '../../../paths.ts';
import styles from '../Driver.module.css';
import { useView } from '../view.ts';
import { RoadsideRow } from './RoadsideRow.tsx';

const ROWS = [
  { view: 'log', Icon: IconClockHour4 },
  { view: 'vehicle', Icon: IconTruck },
  { view: 'inspect', Icon: IconClipboardList },
  { view: 'exception', Icon: IconCloudStorm },
  { view: 'phone', Icon: IconDeviceMobile },
] as const;

const PAGES = [
  { page: 'performance', path: paths.myPerformance(), Icon: IconChartDots },
  { page: 'privacy', path: paths.myPrivacy(), Icon: IconEyeCheck },
] as const;

/** Links to the driver's other views; the inspection is always in the same place. */
export function Actions({ duty }: { readonly duty: MyDuty }) {
  const { t } = useTranslation('eldDriverMore');
  const { open } = useView();
  return (
    <>
      <ul className={styles.rows}>
        {ROWS.filter(({ view }) => view !== 'inspect' || duty.vehicle !== null).map(({ Icon, view }) => (
          <li key={view}>
            <button type="button" onClick={() => open(view)}>
              <Icon size={22} stroke={1.75} aria-hidden />
              <span>{t(`more.${view}`)}</span>
              <IconChevronRight size={20} stroke={1.75} aria-hidden />
            </button>
          </li>
        ))}
        {PAGES.map(({ page, path, Icon }) => (
          <li key={page}>
            <Link to={path}>
              <Icon size={22} stroke={1.75} aria-hidden />
              <span>{t(`more.${page}`)}</span>
              <IconChevronRight size={20} stroke={1.75} aria-hidden />
            </Link>
          </li>
        ))}
      </ul>
      <RoadsideRow duty={duty} />
    </>
  );
}
