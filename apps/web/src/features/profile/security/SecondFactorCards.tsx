import {
  type RouteAnswer,
  type readSecondFactor,
  removePasskey,
  removeTotp,
  renewRecoveryCodes,
} from '@milepost/contract';
import { IconDeviceMobile, IconFingerprint, IconPencil, IconPlus, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../base/api.ts';
import { hasPasskeys } from '../../../base/passkey-support.ts';
import { formatDateOf } from '../../../format/date.ts';
import { Button } from '../../../ui/Button.tsx';
import { Chip } from '../../../ui/Chip.tsx';
import { IconButton } from '../../../ui/IconButton.tsx';
import { Card, RowItem, Rows } from '../Card.tsx';
import { type FactorDialog, FactorDialogs } from './FactorDialogs.tsx';

type Factors = RouteAnswer<typeof readSecondFactor>;

/** With this few codes left, the user should create new ones. */
const FEW_CODES = 3;

/** The user's second factors, with buttons to add and remove them. */
export function SecondFactorCards({ factors }: { readonly factors: Factors }) {
  const { t } = useTranslation('profile');
  const [dialog, setDialog] = useState<FactorDialog | null>(null);
  const { totp, passkeys, recoveryCodesLeft } = factors;
  const day = (iso: string) => formatDateOf(Date.parse(iso));
  const hasFactor = totp !== null || passkeys.length > 0;
  return (
    <>
      <Card
        title={t('totp.title')}
        lead={t('totp.lead')}
        actions={
          totp ? (
            <>
              <Chip tone="ok">{t('factor.on')}</Chip>
              <Button
                onClick={() =>
                  setDialog({
                    kind: 'prove',
                    title: t('totp.remove'),
                    text: t('totp.removeText'),
                    run: body => call(removeTotp, { body }),
                  })
                }
              >
                {t('totp.remove')}
              </Button>
            </>
          ) : (
            <Button
              icon={<IconDeviceMobile size={16} stroke={1.75} aria-hidden />}
              onClick={() => setDialog({ kind: 'totp' })}
            >
              {t('totp.setUp')}
            </Button>
          )
        }
      >
        {totp && <p>{t('since', { day: day(totp.createdAt) })}</p>}
      </Card>
      <Card
        title={t('passkeys.title')}
        lead={t(hasPasskeys() ? 'passkeys.lead' : 'passkeys.unavailable')}
        actions={
          hasPasskeys() && (
            <Button
              icon={<IconPlus size={16} stroke={1.75} aria-hidden />}
              onClick={() => setDialog({ kind: 'passkey' })}
            >
              {t('passkeys.add')}
            </Button>
          )
        }
      >
        {passkeys.length > 0 && (
          <Rows>
            {passkeys.map(({ id, name, createdAt, lastUsedAt }) => (
              <RowItem
                key={id}
                icon={<IconFingerprint size={20} stroke={1.75} aria-hidden />}
                title={name}
                text={
                  lastUsedAt
                    ? t('passkeys.used', { made: day(createdAt), used: day(lastUsedAt) })
                    : t('passkeys.unused', { made: day(createdAt) })
                }
              >
                <IconButton
                  label={t('passkeys.rename', { name })}
                  tooltip="left"
                  onClick={() => setDialog({ kind: 'rename', id, name })}
                >
                  <IconPencil size={18} stroke={1.75} aria-hidden />
                </IconButton>
                <IconButton
                  label={t('passkeys.remove', { name })}
                  tooltip="left"
                  onClick={() =>
                    setDialog({
                      kind: 'prove',
                      title: t('passkeys.remove', { name }),
                      text: t('passkeys.removeText'),
                      run: body => call(removePasskey, { params: { id }, body }),
                    })
                  }
                >
                  <IconTrash size={18} stroke={1.75} aria-hidden />
                </IconButton>
              </RowItem>
            ))}
          </Rows>
        )}
      </Card>
      {hasFactor && (
        <Card
          title={t('codes.title')}
          lead={t('codes.lead')}
          actions={
            <>
              <Chip tone={recoveryCodesLeft <= FEW_CODES ? 'warning' : 'neutral'}>
                {t('codes.left', { count: recoveryCodesLeft })}
              </Chip>
              <Button
                onClick={() =>
                  setDialog({
                    kind: 'prove',
                    title: t('codes.renew'),
                    text: t('codes.renewText'),
                    run: body => call(renewRecoveryCodes, { body }),
                  })
                }
              >
                {t('codes.renew')}
              </Button>
            </>
          }
        />
      )}
      <FactorDialogs dialog={dialog} onClose={() => setDialog(null)} />
    </>
  );
}
