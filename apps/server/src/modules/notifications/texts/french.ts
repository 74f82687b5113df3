import type { MailTexts } from './mail-texts.ts';

export const french: MailTexts = {
  conflict: {
    protocol: ({ protocol, address, own }) =>
      `${protocol} depuis ${address} a été refusé ; ce véhicule émet par ${own}`,
    address: ({ protocol, address }) =>
      `${protocol} depuis ${address} a été refusé ; ce véhicule est lié à d’autres adresses`,
    connection: ({ speeds, distance }) => `Deux connexions se contredisent : ${speeds}, à ${distance} l’une de l’autre`,
    itself: ({ speeds, distance }) => `Ses propres rapports se contredisent : ${speeds}, à ${distance} l’un de l’autre`,
  },
  taskDue: time => `prévue ${time}`,
  near: (distance, point, town) => `à ${distance} ${point.replaceAll('W', 'O')} de ${town}`,
  otherVehicle: name => `autre véhicule : ${name}`,
  insteadOf: (geofence, expected) => `${geofence} au lieu de ${expected}`,
  crossing: { in: geofence => `est entré dans ${geofence}`, out: geofence => `a quitté ${geofence}` },
  hello: name => `${name},`,
  came: (count, account) => (count === 1 ? `${account} a une alerte.` : `${account} a ${count} alertes.`),
  held: 'Cela comprend les alertes de vos heures calmes.',
  beyond: count =>
    count === 1
      ? 'L’une d’elles est arrivée après votre limite quotidienne.'
      : `${count} d’entre elles sont arrivées après votre limite quotidienne.`,
  digest: {
    title: count => (count === 1 ? 'Une alerte de plus' : `${count} alertes de plus`),
    body: limit =>
      `Pas encore acquittées. Elles sont arrivées après votre limite quotidienne${limit === null ? '' : ` de ${limit}`}.`,
  },
  reminder: {
    certification: {
      title: count => (count === 1 ? 'Certifiez 1 jour de votre relevé' : `Certifiez ${count} jours de votre relevé`),
      body: (by, count) =>
        `${by} vous demande de ${count === 1 ? 'le' : 'les'} vérifier et de ${count === 1 ? 'le' : 'les'} certifier.`,
    },
    proposals: {
      title: count =>
        count === 1
          ? 'Une modification de votre relevé attend votre réponse'
          : `${count} modifications de votre relevé attendent votre réponse`,
      body: (by, count) =>
        count === 1
          ? `${by} vous demande de l’accepter ou de la refuser.`
          : `${by} vous demande de les accepter ou de les refuser.`,
    },
    unidentified: {
      title: () => 'Conduite non identifiée : était-ce vous ?',
      body: (by, count) => `${by} vous interroge sur ${count === 1 ? 'une conduite' : `${count} conduites`}.`,
    },
  },
  unanswered: 'Personne ne l’a encore acquittée.',
  acknowledged: (name, time) => `Acquittée par ${name}, ${time}.`,
  ended: time => `Terminée : ${time}.`,
  undecided: time => `Décision requise avant : ${time}.`,
  late: 'Signalée en retard.',
  times: count => `${count} fois.`,
  more: count => (count === 1 ? 'Une autre ne figure pas ici.' : `${count} autres ne figurent pas ici.`),
  all: 'Toutes les alertes :',
  choose: 'Choisissez quelles alertes vous recevez par e-mail, et quand :',
  subjectUnanswered: subject => `Non acquittée : ${subject}`,
  subjectMany: (count, critical) => (critical === 0 ? `${count} alertes` : `${count} alertes, critiques : ${critical}`),
  test: {
    subject: 'Essai d’e-mail de Milepost',
    text: 'Voici l’e-mail d’essai que vous avez demandé. Les alertes vous parviendront à cette adresse.',
  },
};
