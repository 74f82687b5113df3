import type { MyDuty } from '@milepost/contract';
import {
  IconAlertOctagon,
  IconChevronRight,
  IconClipboardCheck,
  IconEdit,
  IconExclamationCircle,
  IconSignature,
  IconSteeringWheel,
  IconUserQuestion,
} from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { dateFormat } from '../../../format/locale.ts';
import { Chip, type ChipTone } from '../../../ui/Chip.tsx';
import styles from '../Driver.module.css';
import { useDriverDuty } from '../store/driver-duty.ts';
import { type DriverView, useView } from '../view.ts';

/** More days are only counted. */
const NAMED_DAYS = 2;

interface Item {
  readonly view: DriverView;
  readonly Icon: typeof IconEdit;
  readonly text: string;
  readonly chip?: { readonly tone: ChipTone; readonly text: string };
}

/** `Tue` */
const weekday = (date: string): string =>
  dateFormat({ weekday: 'short', timeZone: 'UTC' }).format(Date.parse(`${date}T00:00:00Z`));

/** What the driver still has to do; renders nothing if there is nothing. */
export function ToDo({ duty }: { readonly duty: MyDuty }) {
  const { t } = useTranslation('eldDriverMore');
  const { open } = useView();
  const refused = useDriverDuty(state => state.refused.length);
  const changes = duty.days.reduce((sum, day) => sum + day.proposals, 0);
  const violations = duty.days[0]?.violations.length ?? 0;
  const isAsked = (what: 'certification' | 'proposals') => duty.reminders?.some(({ about }) => about === what) === true;
  const items: Item[] = [];
  if (refused > 0) {
    items.push({ view: 'refused', Icon: IconExclamationCircle, text: t('todo.refused', { count: refused }) });
  }
  if (duty.vehicle === null && duty.vehicles.length > 0) {
    items.push({ view: 'vehicle', Icon: IconSteeringWheel, text: t('todo.signIn') });
  }
  if (violations > 0) {
    items.push({ view: 'log', Icon: IconAlertOctagon, text: t('todo.violation', { count: violations }) });
  }
  if (duty.inspection) items.push({ view: 'review', Icon: IconClipboardCheck, text: t('todo.inspection') });
  if (duty.toCertify.length > 0) {
    const chip = duty.toCertify.length <= NAMED_DAYS ? duty.toCertify.toSorted().map(weekday).join(', ') : '';
    items.push({
      view: 'certify',
      Icon: IconSignature,
      text: t('todo.certify', { count: duty.toCertify.length }),
      ...(isAsked('certification')
        ? { chip: { tone: 'warning', text: t('todo.fromOffice') } }
        : chip !== '' && { chip: { tone: 'warning', text: chip } }),
    });
  }
  if (changes > 0) {
    items.push({
      view: 'changes',
      Icon: IconEdit,
      text: t('todo.changes', { count: changes }),
      chip: { tone: isAsked('proposals') ? 'warning' : 'info', text: t('todo.fromOffice') },
    });
  }
  for (const { name } of duty.teamRequests) {
    items.push({ view: 'team', Icon: IconUserQuestion, text: t('todo.team', { name }) });
  }
  if (duty.handedOver.length > 0) {
    items.push({
      view: 'team',
      Icon: IconUserQuestion,
      text: t('todo.handedOver', { count: duty.handedOver.length }),
    });
  }
  if (duty.unclaimed.length > 0) {
    items.push({
      view: 'unclaimed',
      Icon: IconUserQuestion,
      text: t('todo.unclaimed', { count: duty.unclaimed.length }),
    });
  }
  if (items.length === 0) return null;
  return (
    <ul className={styles.rows} aria-label={t('todo.label')}>
      {items.map(({ chip, Icon, text, view }) => (
        <li key={`${view} ${text}`}>
          <button type="button" onClick={() => open(view)}>
            <Icon size={22} stroke={1.75} aria-hidden />
            <span>{text}</span>
            {chip && <Chip tone={chip.tone}>{chip.text}</Chip>}
            <IconChevronRight size={20} stroke={1.75} aria-hidden />
          </button>
        </li>
      ))}
    </ul>
  );
}
