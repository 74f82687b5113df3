import { may, type Proposal, withdrawProposal } from '@milepost/contract';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { call } from '../../../base/api.ts';
import { useSession } from '../../../base/session/session.ts';
import { logDate } from '../../../logbook/home-time.ts';
import { paths } from '../../../paths.ts';
import { Button } from '../../../ui/Button.tsx';
import { Chip, type ChipTone } from '../../../ui/Chip.tsx';
import { DutyChip } from '../../../ui/DutyChip.tsx';
import { proposalsQuery } from '../queries.ts';
import { useWrite } from '../use-write.ts';
import styles from './List.module.css';
import { Listed } from './Listed.tsx';
import { useDeskTimes } from './use-desk-times.ts';

const TONES: Readonly<Record<Proposal['state'], ChipTone>> = {
  waiting: 'warning',
  accepted: 'ok',
  rejected: 'critical',
  withdrawn: 'neutral',
};

/** Takes a proposal back before its driver has answered. */
export function Withdraw({ proposal: { driverName, id } }: { readonly proposal: Pick<Proposal, 'driverName' | 'id'> }) {
  const { t } = useTranslation('eld');
  const { mutate, isPending } = useWrite(() => call(withdrawProposal, { params: { id } }), t('proposals.withdrawn'));
  return (
    <Button busy={isPending} onClick={() => mutate()} aria-label={t('proposals.withdrawOf', { driver: driverName })}>
      {t('proposals.withdraw')}
    </Button>
  );
}

/** Changes that the office proposed, and the drivers' answers. */
export function Proposals() {
  const { t } = useTranslation(['eld', 'logbook']);
  const query = useQuery(proposalsQuery());
  const { moment, time } = useDeskTimes();
  const mayWrite = useSession(({ me }) => me !== null && may(me, 'logbook.write'));
  return (
    <Listed
      query={query}
      label={t('tabs.proposals')}
      heads={[
        t('columns.driver'),
        t('proposals.day'),
        t('proposals.change'),
        t('proposals.reason'),
        t('proposals.by'),
        t('columns.state'),
        ...(mayWrite ? [''] : []),
      ]}
      empty={{ title: t('proposals.empty.title'), text: t('proposals.empty.text') }}
      row={({ id, driverId, driverName, date, status, at, replaces, reason, by, proposedAt, state, answeredAt }) => (
        <tr key={id}>
          <th scope="row">
            <Link to={paths.eldLog(driverId, date)}>{driverName}</Link>
          </th>
          <td className={styles.nowrap}>{logDate(date)}</td>
          <td className={styles.nowrap}>
            {replaces?.status && (
              <>
                <DutyChip status={replaces.status} label={t(`logbook:status.${replaces.status}`)} />
                {' → '}
              </>
            )}
            <DutyChip status={status} label={t(`logbook:status.${status}`)} /> {time(at, driverId)}
          </td>
          <td>{reason}</td>
          <td>
            {by}
            <span className={styles.second}>{moment(proposedAt)}</span>
          </td>
          <td>
            <Chip tone={TONES[state]}>{t(`proposals.state.${state}`)}</Chip>
            {answeredAt && <span className={styles.second}>{moment(answeredAt)}</span>}
          </td>
          {mayWrite && <td>{state === 'waiting' && <Withdraw proposal={{ id, driverName }} />}</td>}
        </tr>
      )}
    />
  );
}
