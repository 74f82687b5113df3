import { listWebhooks, may } from '@milepost/contract';
import { IconBell, IconDeviceMobile, IconMail, type IconProps, IconWebhook } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ComponentType, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../base/api.ts';
import { useSession } from '../../base/session/session.ts';
import type { Form } from '../../forms/use-form.ts';
import type { RuleEditor } from '../../paths.ts';
import { usePeopleWords, useRuleTexts } from '../../rules/rule-words.ts';
import { Checkbox } from '../../ui/Checkbox.tsx';
import { Popover } from '../../ui/Popover.tsx';
import { Choices } from './Choices.tsx';
import { PeopleChoice } from './PeopleChoice.tsx';
import styles from './RuleForm.module.css';
import type { RuleValues } from './rule-form.ts';

interface Props {
  readonly form: Form<RuleValues>;
  readonly mayEdit: boolean;
  readonly isBuiltIn?: boolean;
  /** Its alerts are about a task without a vehicle. */
  readonly isOfTask?: boolean;
  /** The channel whose fields are open from the first moment on. */
  readonly opens?: RuleEditor | null;
}

/** How a rule's alerts reach people and programs. All ways but the app can be limited. */
export function Channels({ form: { set, values }, mayEdit, isBuiltIn = false, isOfTask = false, opens = null }: Props) {
  const { t } = useTranslation('rules');
  const people = usePeopleWords();
  const { builtIn, word } = useRuleTexts();
  const chosen = isBuiltIn ? builtIn.asChosen : word.asChosen;
  const mayWebhooks = useSession(({ me }) => me !== null && may(me, 'settings.write'));
  const { data: webhooks } = useQuery({
    queryKey: ['webhooks'],
    queryFn: () => call(listWebhooks),
    enabled: mayWebhooks,
  });
  const { mailTo, pushTo, webhookIds } = values;
  const [first] = (webhookIds ?? []).map(id => webhooks?.find(one => one.id === id)?.name);
  const webhookText =
    webhookIds === null
      ? t('after.webhookText')
      : first !== undefined && webhookIds.length === 1
        ? first
        : t('after.webhooks', { count: webhookIds.length });
  return (
    <ul className={styles.channels}>
      <Channel icon={IconBell} name={t('after.app')} text={t(isOfTask ? 'after.appTask' : 'after.appText')} />
      <Channel icon={IconMail} name={t('after.mail')} text={people(mailTo, chosen)}>
        {mayEdit && (
          <PeopleChoice
            legend={t('edit.people')}
            name="people-aside"
            none={t('peopleText.chosen')}
            hint={t('peopleText.hint')}
            value={mailTo}
            onChange={chosen => set('mailTo', chosen)}
          />
        )}
      </Channel>
      <Channel
        icon={IconDeviceMobile}
        name={t('after.push')}
        text={people(pushTo, t('after.pushText'))}
        opens={opens === 'push'}
      >
        {mayEdit && (
          <PeopleChoice
            legend={t('edit.push')}
            name="push"
            none={t('after.pushText')}
            hint={t('after.pushHint')}
            value={pushTo}
            onChange={chosen => set('pushTo', chosen)}
          />
        )}
      </Channel>
      <Channel icon={IconWebhook} name={t('after.webhook')} text={webhookText} opens={opens === 'webhooks'}>
        {mayEdit && mayWebhooks && (
          <>
            <Choices
              legend={t('after.webhook')}
              name="webhooks"
              options={[
                { value: 'none' as const, label: t('after.webhookText') },
                { value: 'these' as const, label: t('after.webhookThese') },
              ]}
              chosen={webhookIds === null ? 'none' : 'these'}
              onChoose={kind => set('webhookIds', kind === 'none' ? null : (webhookIds ?? []))}
            />
            {webhookIds !== null && (
              <div className={styles.people}>
                {webhooks?.map(({ id, name }) => (
                  <Checkbox
                    key={id}
                    checked={webhookIds.includes(id)}
                    onChange={event =>
                      set(
                        'webhookIds',
                        event.currentTarget.checked ? [...webhookIds, id] : webhookIds.filter(one => one !== id),
                      )
                    }
                  >
                    {name}
                  </Checkbox>
                ))}
                {webhooks?.length === 0 && <p className={styles.quiet}>{t('after.noWebhooks')}</p>}
              </div>
            )}
          </>
        )}
      </Channel>
    </ul>
  );
}

interface ChannelProps {
  readonly icon: ComponentType<IconProps>;
  readonly name: string;
  readonly text: string;
  readonly opens?: boolean;
  /** Field to change the channel, if any. */
  readonly children?: ReactNode;
}

function Channel({ children, icon: Icon, name, text, opens = false }: ChannelProps) {
  const { t } = useTranslation('rules');
  return (
    <li>
      <Icon size={18} stroke={1.75} aria-hidden />
      <b>{name}</b>
      {children ? (
        <Popover
          label={name}
          opens={opens}
          trigger={props => (
            <button type="button" {...props} className={styles.channel} aria-label={t('after.change', { name, text })}>
              {text}
            </button>
          )}
        >
          <div className={styles.editor}>{children}</div>
        </Popover>
      ) : (
        <span>{text}</span>
      )}
    </li>
  );
}
