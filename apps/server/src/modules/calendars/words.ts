import type { Language } from '@milepost/contract';

interface Words {
  readonly document: (title: string, owner: string) => string;
  readonly licence: (owner: string) => string;
  readonly subscription: (vehicle: string) => string;
}

/** What events are called, in the user’s language. */
export const WORDS: Readonly<Record<Language, Words>> = {
  'en-US': {
    document: (title, owner) => `${title} of ${owner} expires`,
    licence: owner => `License of ${owner} expires`,
    subscription: vehicle => `Subscription of ${vehicle} ends`,
  },
  es: {
    document: (title, owner) => `Vence ${title} de ${owner}`,
    licence: owner => `Vence la licencia de ${owner}`,
    subscription: vehicle => `Termina la suscripción de ${vehicle}`,
  },
  fr: {
    document: (title, owner) => `Expiration de ${title} (${owner})`,
    licence: owner => `Expiration du permis de ${owner}`,
    subscription: vehicle => `Fin de l’abonnement de ${vehicle}`,
  },
};
