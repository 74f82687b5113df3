import { type Geofence, listWebhooks, may, minutesText } from '@milepost/contract';
import {
  IconBell,
  IconBellRinging,
  IconDeviceMobile,
  IconMail,
  type IconProps,
  IconWebhook,
} from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ComponentType } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../base/api.ts';
import { useSession } from '../../base/session/session.ts';
import { listOf } from '../../format/locale.ts';
import type { RuleEditor } from '../../paths.ts';
import { useReadUsers } from '../../people/my-users.ts';
import { Reach } from '../../rules/Reach.tsx';
import { useRuleTexts, useUserName } from '../../rules/rule-words.ts';
import { Cards, Changed, Rules } from './PlaceRules.tsx';
import styles from './RuleTabs.module.css';
import type { PlaceRule } from './rules-of.ts';

/** Who gets the alerts of the rules about the geofence, and how. */
export function RecipientsTab({ geofence }: { readonly geofence: Geofence }) {
  const { t } = useTranslation('rules');
  const mayReach = useSession(({ me }) => me !== null && may(me, 'rules.write'));
  return (
    <Rules geofence={geofence}>
      {rules =>
        rules.length > 0 && (
          <>
            <Cards label={t('recipients.title')} rules={rules}>
              {rule => (
                <>
                  <Recipients rule={rule} />
                  {mayReach && (
                    <Reach
                      rule={rule}
                      name={rule.name}
                      kind={rule.isBuiltIn ? 'restricted' : 'rule'}
                      ruleId={rule.isBuiltIn ? null : rule.id}
                    />
                  )}
                </>
              )}
            </Cards>
            <p className={styles.quiet}>{t('recipients.hint')}</p>
          </>
        )
      }
    </Rules>
  );
}

function Recipients({ rule }: { readonly rule: PlaceRule }) {
  const { t } = useTranslation('rules');
  useReadUsers();
  const userName = useUserName();
  const texts = useRuleTexts();
  const mayWebhooks = useSession(({ me }) => me !== null && may(me, 'settings.write'));
  const { data: webhooks } = useQuery({
    queryKey: ['webhooks'],
    queryFn: () => call(listWebhooks),
    enabled: mayWebhooks && rule.webhookIds !== null,
  });
  const { escalation, mailTo, pushTo, severity, webhookIds } = rule;
  const named = (ids: readonly string[]): string =>
    ids.length === 0 ? texts.word.nobody : listOf(ids.map(id => userName(id) ?? texts.word.someone));
  const hooks = webhookIds?.map(id => webhooks?.find(one => one.id === id)?.name);
  return (
    <ul className={styles.channels}>
      <Channel icon={IconBell} name={t('after.app')} rule={rule} text={t('after.appText')} />
      <Channel
        icon={IconMail}
        name={t('after.mail')}
        rule={rule}
        editor="people"
        text={mailTo ? named(mailTo) : rule.isBuiltIn ? texts.builtIn.asChosen : texts.word.asChosen}
      />
      <Channel
        icon={IconDeviceMobile}
        name={t('after.push')}
        rule={rule}
        editor="push"
        text={pushTo ? named(pushTo) : t('after.pushText')}
      />
      <Channel
        icon={IconWebhook}
        name={t('after.webhook')}
        rule={rule}
        editor={mayWebhooks ? 'webhooks' : undefined}
        text={
          !hooks
            ? t('after.webhookText')
            : hooks.length > 0 && hooks.every(name => name !== undefined)
              ? listOf(hooks)
              : t('after.webhooks', { count: hooks.length })
        }
      />
      <Channel
        icon={IconBellRinging}
        name={
          escalation
            ? t('recipients.after', { duration: minutesText(escalation.minutes, texts) })
            : t('recipients.unacknowledged')
        }
        rule={rule}
        editor="escalation"
        text={escalation ? named(escalation.to) : severity === 'critical' ? texts.word.owners : texts.word.nobodyElse}
      />
    </ul>
  );
}

interface ChannelProps {
  readonly icon: ComponentType<IconProps>;
  readonly name: string;
  readonly rule: PlaceRule;
  readonly text: string;
  /** Left out if nothing can be chosen. */
  readonly editor?: RuleEditor | undefined;
}

function Channel({ icon: Icon, name, rule, text, editor }: ChannelProps) {
  return (
    <li>
      <Icon size={18} stroke={1.75} aria-hidden />
      <b>{name}</b>
      {editor ? <Changed {...{ rule, editor, name, text }} /> : <span className={styles.value}>{text}</span>}
    </li>
  );
}
