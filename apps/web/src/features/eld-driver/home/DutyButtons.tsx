import type { MyDuty, ShownStatus } from '@milepost/contract';
import { type KeyboardEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Part } from '../../../base/chunks/Part.tsx';
import { withTexts } from '../../../base/chunks/with-texts.ts';
import { LATER_TEXTS } from '../later-texts.ts';
import { STATUSES } from '../statuses.ts';
import styles from './DutyButtons.module.css';

/** Loads right after the buttons, so that a tap finds it. */
const ChangeStatus = withTexts(() => import('./ChangeStatus.tsx'), LATER_TEXTS);

const STEPS: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

/** One button for each status that this driver may choose. Arrow keys move between them; choosing one asks first. */
export function DutyButtons({ duty }: { readonly duty: MyDuty }) {
  const { t } = useTranslation('eldDriver');
  const group = useRef<HTMLDivElement>(null);
  const [wanted, setWanted] = useState<ShownStatus | null>(null);
  const offered = STATUSES.filter(
    status =>
      (status !== 'PC' || duty.driver.mayUsePersonally) &&
      (status !== 'YM' || duty.driver.mayMoveInYard) &&
      // Personal use and yard moves need a vehicle.
      ((status !== 'PC' && status !== 'YM') || duty.vehicle !== null),
  );
  const { status: now } = duty.row;
  const tabbed = offered.includes(now) ? now : offered[0];

  function onKeyDown(event: KeyboardEvent<HTMLButtonElement>): void {
    const step = STEPS[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const buttons = [...(group.current?.querySelectorAll('button') ?? [])];
    const at = buttons.indexOf(event.currentTarget);
    buttons[(at + step + buttons.length) % buttons.length]?.focus();
  }

  return (
    <>
      <div ref={group} className={styles.buttons} role="radiogroup" aria-label={t('statusLabel')}>
        {offered.map(status => (
          // biome-ignore lint/a11y/useSemanticElements: choosing asks first, but a radio input would change right away.
          <button
            key={status}
            type="button"
            role="radio"
            aria-checked={status === now}
            tabIndex={status === tabbed ? 0 : -1}
            data-duty={status}
            onKeyDown={onKeyDown}
            onClick={() => status !== now && setWanted(status)}
          >
            <b>{status}</b>
            <span>{t(`short.${status}`)}</span>
          </button>
        ))}
      </div>
      <Part>
        <ChangeStatus status={wanted} onClose={() => setWanted(null)} />
      </Part>
    </>
  );
}
