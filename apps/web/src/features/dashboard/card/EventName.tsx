import { useTranslation } from 'react-i18next';

/** What caused a report, in words; of what a tracker names itself, its own name. */
export function Component({ event }: { readonly event: string }) {
  const { i18n } = useTranslation(['trackerEvents', 'alerts']);
  const key = [`trackerEvents:${event}`, `alerts:event.${event}`, `alerts:kind.${event}`].find(name =>
    i18n.exists(name),
  );
  return key === undefined ? event : i18n.t(key as 'alerts:kind.sos');
}
