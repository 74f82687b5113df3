import { deleteTenantSplash, type Tenant, updateTenant, updateTenantSplash } from '@milepost/contract';
import { IconPhoto } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../../../base/api.ts';
import { describeError } from '../../../base/describe-error.ts';
import { imageUrl } from '../../../base/tenant/tenant.ts';
import { ImageSlot } from '../../../branding/ImageSlot.tsx';
import { LogoSlot } from '../../../branding/LogoSlot.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { Switch } from '../../../ui/Switch.tsx';
import { Card } from '../SectionFrame.tsx';
import styles from '../SettingsForm.module.css';

interface Props {
  readonly tenant: Tenant;
  readonly onChange: (tenant: Tenant) => void;
}

type Change =
  | { readonly kind: 'splash'; readonly file: File | null }
  | { readonly kind: 'switch'; readonly on: boolean };

/** Logo and splash image. Each change is saved right away, because images have no draft. */
export function BrandImages({ tenant, onChange }: Props) {
  const { t } = useTranslation('settings');
  const params = { id: tenant.id };
  const { mutate, isPending, variables, error } = useMutation({
    mutationFn: async (change: Change): Promise<Tenant> => {
      if (change.kind === 'switch') {
        return (await call(updateTenant, { params, body: { isTenantSplashImg: change.on } })).tenant;
      }
      const answer = change.file
        ? await call(updateTenantSplash, { params, body: { file: change.file } })
        : await call(deleteTenantSplash, { params });
      return answer.tenant;
    },
    onSuccess: onChange,
  });
  const busy = (kind: Change['kind']): boolean => isPending && variables?.kind === kind;
  const { splashScreenUrl } = tenant;

  return (
    <Card title={t('branding.images')}>
      {error && !isPending && <Notice tone="critical">{describeError(error).message}</Notice>}
      <div className={styles.grid}>
        <LogoSlot tenant={tenant} onChange={onChange} />
        <ImageSlot
          title={t('branding.splash')}
          text={t('branding.splashText')}
          image={
            splashScreenUrl === null ? (
              <IconPhoto size={26} stroke={1.4} aria-hidden />
            ) : (
              <img src={imageUrl(splashScreenUrl)} alt={t('branding.splash')} />
            )
          }
          chooseLabel={t(splashScreenUrl === null ? 'branding.chooseSplash' : 'branding.replaceSplash')}
          removeLabel={t('branding.removeSplash')}
          busy={busy('splash')}
          onChoose={file => mutate({ kind: 'splash', file })}
          onRemove={splashScreenUrl === null ? null : () => mutate({ kind: 'splash', file: null })}
        >
          {splashScreenUrl !== null && (
            <Switch
              checked={tenant.isTenantSplashImg}
              disabled={busy('switch')}
              onChange={event => mutate({ kind: 'switch', on: event.currentTarget.checked })}
            >
              {t('branding.showSplash')}
            </Switch>
          )}
        </ImageSlot>
      </div>
    </Card>
  );
}
