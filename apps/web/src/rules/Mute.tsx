import { may, type Rule, type RuleMute, type RuleMutes } from '@milepost/contract';
import { IconBellOff } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { describeError } from '../base/describe-error.ts';
import { useSession } from '../base/session/session.ts';
import { toast } from '../base/toasts/toast.ts';
import { formatMoment } from '../format/time.ts';
import { useMinute } from '../live/view.ts';
import { Button } from '../ui/Button.tsx';
import { IconButton } from '../ui/IconButton.tsx';
import { Menu, MenuGroup, MenuItem } from '../ui/Menu.tsx';
import { Notice } from '../ui/Notice.tsx';
import styles from './Mute.module.css';
import { type MuteLength, muteFor, nextMorning } from './mute-times.ts';
import { type MuteUntil, mute, useMutes } from './use-mutes.ts';

const WHO = ['everyone', 'me'] as const satisfies readonly (keyof RuleMutes)[];
type Who = (typeof WHO)[number];

interface Props {
  /** A rule's ID, or the kind of a built-in alert. */
  readonly id: string;
  readonly name: string;
  readonly mutes: Rule['mutes'];
  /** Whether the user may mute it for everyone. */
  readonly mayEdit: boolean;
}

function useMute(id: string, name: string) {
  const { t } = useTranslation('rules');
  const nowMs = useMinute();
  return useMutation({
    mutationFn: ({ until, who }: { readonly who: Who; readonly until: MuteUntil | null }) => mute(id, who, until),
    onSuccess: (_, { until }) =>
      toast(
        until === null
          ? t('mute.ended', { name })
          : until.until === null
            ? t('mute.done', { name })
            : t('mute.doneUntil', { name, time: formatMoment(Date.parse(until.until), nowMs) }),
      ),
    onError: error => toast(describeError(error).message, 'error'),
  });
}

/** Stops a rule's notifications for a while. */
export function MuteMenu({ id, name, mayEdit }: Omit<Props, 'mutes'>) {
  const { t } = useTranslation('rules');
  const mayMine = useSession(({ me }) => me !== null && may(me, 'profile.write'));
  const nowMs = useMinute();
  const { mutate } = useMute(id, name);
  const whose = WHO.filter(who => (who === 'me' ? mayMine : mayEdit));
  if (whose.length === 0) return null;
  const begin = (who: Who, length: MuteLength) => mutate({ who, until: muteFor(length, Date.now()) });
  return (
    <Menu
      trigger={props => (
        <IconButton {...props} label={t('mute.button')} tooltip="bottom-end">
          <IconBellOff size={18} stroke={1.75} aria-hidden />
        </IconButton>
      )}
    >
      {whose.map(who => (
        <MenuGroup key={who} label={t(`mute.for.${who}`)}>
          <MenuItem onClick={() => begin(who, 'hour')}>{t('mute.hour')}</MenuItem>
          <MenuItem onClick={() => begin(who, 'morning')}>
            {t('mute.until', { time: formatMoment(nextMorning(nowMs), nowMs) })}
          </MenuItem>
          <MenuItem onClick={() => begin(who, 'open')}>{t('mute.open')}</MenuItem>
        </MenuGroup>
      ))}
    </Menu>
  );
}

/** That it is muted, until when and by whom, with what ends it. */
export function MuteNotes({ id, mayEdit, mutes, name }: Props) {
  const { t } = useTranslation('rules');
  const mayMine = useSession(({ me }) => me !== null && may(me, 'profile.write'));
  const nowMs = useMinute();
  const current = useMutes(mutes);
  const { isPending, mutate } = useMute(id, name);
  const said = (who: Who, { by, until }: RuleMute): string => {
    const time = until === null ? '' : formatMoment(Date.parse(until), nowMs);
    if (who === 'me') return t(until === null ? 'mute.isMe' : 'mute.isMeUntil', { time });
    const words = t(until === null ? 'mute.isEveryone' : 'mute.isEveryoneUntil', { time });
    return by === null ? words : `${words} ${t('mute.by', { name: by })}`;
  };
  return WHO.map(who => {
    const one = current[who];
    return (
      one && (
        <Notice key={who} role="status" className={styles.note}>
          <div className={styles.line}>
            <span>{said(who, one)}</span>
            {(who === 'me' ? mayMine : mayEdit) && (
              <Button busy={isPending} onClick={() => mutate({ who, until: null })}>
                {t('mute.end')}
              </Button>
            )}
          </div>
        </Notice>
      )
    );
  });
}

/** The same in a few words, for lists; null if it notifies as usual. */
export function useMuteWords(mutes: RuleMutes): string | null {
  const { t } = useTranslation('rules');
  const nowMs = useMinute();
  const { everyone, me } = useMutes(mutes);
  const one = everyone ?? me;
  if (one === null) return null;
  const key = everyone ? 'mute.short' : 'mute.shortMe';
  return one.until === null ? t(key) : t(`${key}Until`, { time: formatMoment(Date.parse(one.until), nowMs) });
}

/** One line below a rule in a list. */
export function MuteLine({ mutes }: Pick<Props, 'mutes'>) {
  const words = useMuteWords(mutes);
  if (words === null) return null;
  return (
    <span className={styles.short}>
      <IconBellOff size={14} stroke={1.75} aria-hidden />
      <span>{words}</span>
    </span>
  );
}
