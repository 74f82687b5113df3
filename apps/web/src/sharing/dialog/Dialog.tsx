import { may } from '@milepost/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useSession } from '../../base/session/session.ts';
import { formatCount } from '../../format/locale.ts';
import { paths } from '../../paths.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { Tabs } from '../../ui/Tabs.tsx';
import { ShareLinks } from '../links/ShareLinks.tsx';
import { useShares } from '../use-shares.ts';
import styles from './Dialog.module.css';
import { NewLink, type SharedTask } from './NewLink.tsx';

export interface SharedVehicle {
  readonly id: string;
  readonly imei: string;
  readonly deviceName: string;
}

interface Props {
  readonly task?: SharedTask | undefined;
  readonly vehicles: readonly SharedVehicle[];
  readonly open: boolean;
  readonly onClose: () => void;
}

/** The title's second line has room for this many names. */
const NAMED = 3;

export function Component({ vehicles, task, open, onClose }: Props) {
  const { t } = useTranslation(['sharing', 'forms']);
  const named = vehicles.slice(0, NAMED).map(({ deviceName }) => deviceName);
  const more = vehicles.length - named.length;
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={t('title')}
      closeLabel={t('forms:close')}
      subtitle={more > 0 ? t('andMore', { names: named.join(', '), count: more }) : named.join(', ')}
    >
      <Parts vehicles={vehicles} task={task} onClose={onClose} />
    </Dialog>
  );
}

function Parts({ vehicles, task, onClose }: Omit<Props, 'open'>) {
  const { t } = useTranslation('sharing');
  const mayShare = useSession(({ me }) => me !== null && may(me, 'shares.write'));
  const [tab, setTab] = useState<'new' | 'links'>(mayShare ? 'new' : 'links');
  const ids = vehicles.map(({ id }) => id);
  const shares = useShares(ids);
  const tabs = [
    ...(mayShare ? [{ id: 'new' as const, label: t('newLink') }] : []),
    { id: 'links' as const, label: t('links'), count: shares.data && formatCount(shares.data.length) },
  ];
  return (
    <div className={styles.parts}>
      <Tabs tabs={tabs} chosen={tab} onChoose={setTab} label={t('title')}>
        {tab === 'new' ? (
          <NewLink deviceIds={ids} task={task} onDone={onClose} />
        ) : (
          <>
            <ShareLinks query={shares} />
            <Link to={paths.shareLinks()} className={styles.all} onClick={onClose}>
              {t('all')}
            </Link>
          </>
        )}
      </Tabs>
    </div>
  );
}
