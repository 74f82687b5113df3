import { deleteTenantLogo, type Tenant, updateTenantLogo } from '@milepost/contract';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../base/api.ts';
import { describeError } from '../base/describe-error.ts';
import { imageUrl } from '../base/tenant/tenant.ts';
import { Avatar } from '../ui/Avatar.tsx';
import { Notice } from '../ui/Notice.tsx';
import { ImageSlot } from './ImageSlot.tsx';

interface Props {
  readonly tenant: Tenant;
  readonly onChange: (tenant: Tenant) => void;
}

/** The organization's logo, to replace or remove. Saved right away, because images have no draft. */
export function LogoSlot({ tenant, onChange }: Props) {
  const { t } = useTranslation('settings');
  const params = { id: tenant.id };
  const { mutate, isPending, error } = useMutation({
    mutationFn: async (file: File | null): Promise<Tenant> => {
      const answer = file
        ? await call(updateTenantLogo, { params, body: { file } })
        : await call(deleteTenantLogo, { params });
      return answer.tenant;
    },
    onSuccess: onChange,
  });
  const { logoUrl } = tenant;
  return (
    <ImageSlot
      title={t('branding.logo')}
      text={t('branding.imageText')}
      image={
        logoUrl === null ? (
          <Avatar name={tenant.name} kind="organisation" size={48} />
        ) : (
          <img src={imageUrl(logoUrl)} alt={t('branding.logo')} />
        )
      }
      chooseLabel={t(logoUrl === null ? 'branding.chooseLogo' : 'branding.replaceLogo')}
      removeLabel={t('branding.removeLogo')}
      busy={isPending}
      onChoose={file => mutate(file)}
      onRemove={logoUrl === null ? null : () => mutate(null)}
    >
      {error && !isPending && <Notice tone="critical">{describeError(error).message}</Notice>}
    </ImageSlot>
  );
}
