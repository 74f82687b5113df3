import { useTranslation } from 'react-i18next';
import type trackerEvents from '../../../locales/en-US/tracker-events.json';

/** What caused a report, in words; of what a tracker names itself, its own name. */
export function Component({ event }: { readonly event: string }) {
  const { i18n, t } = useTranslation('trackerEvents');
  const isKnown = (name: string): name is keyof typeof trackerEvents => i18n.exists(`trackerEvents:${name}`);
  return isKnown(event) ? t(event) : event;
}
