import type { MailTexts } from './mail-texts.ts';

export const spanish: MailTexts = {
  conflict: {
    protocol: ({ protocol, address, own }) =>
      `Se rechazó ${protocol} desde ${address}; este vehículo informa por ${own}`,
    address: ({ protocol, address }) =>
      `Se rechazó ${protocol} desde ${address}; este vehículo está vinculado a otras direcciones`,
    connection: ({ speeds, distance }) => `Dos conexiones se contradicen: ${speeds}, a ${distance} de distancia`,
    itself: ({ speeds, distance }) => `Sus propios informes se contradicen: ${speeds}, a ${distance} de distancia`,
  },
  taskDue: time => `para ${time}`,
  near: (distance, point, town) => `${distance} al ${point.replaceAll('W', 'O')} de ${town}`,
  otherVehicle: name => `otro vehículo: ${name}`,
  insteadOf: (geofence, expected) => `${geofence} en lugar de ${expected}`,
  crossing: { in: geofence => `entró en ${geofence}`, out: geofence => `salió de ${geofence}` },
  hello: name => `${name}:`,
  came: (count, account) => (count === 1 ? `${account} tiene una alerta.` : `${account} tiene ${count} alertas.`),
  held: 'Incluye las alertas de sus horas de silencio.',
  beyond: count =>
    count === 1
      ? 'Una de ellas llegó después de alcanzar su límite diario.'
      : `${count} de ellas llegaron después de alcanzar su límite diario.`,
  digest: {
    title: count => (count === 1 ? 'Una alerta más' : `${count} alertas más`),
    body: limit =>
      `Sin reconocer todavía. Llegaron después de su límite diario${limit === null ? '' : ` de ${limit}`}.`,
  },
  reminder: {
    certification: {
      title: count => (count === 1 ? 'Certifique 1 día de su registro' : `Certifique ${count} días de su registro`),
      body: (by, count) => `${by} le pide que ${count === 1 ? 'lo' : 'los'} revise y certifique.`,
    },
    proposals: {
      title: count =>
        count === 1
          ? 'Un cambio de su registro espera su respuesta'
          : `${count} cambios de su registro esperan su respuesta`,
      body: (by, count) => `${by} le pide que ${count === 1 ? 'lo' : 'los'} acepte o rechace.`,
    },
    unidentified: {
      title: () => 'Conducción sin identificar: ¿fue usted?',
      body: (by, count) => `${by} le pregunta por ${count === 1 ? 'una conducción' : `${count} conducciones`}.`,
    },
  },
  unanswered: 'Nadie la ha reconocido todavía.',
  acknowledged: (name, time) => `Reconocida por ${name}, ${time}.`,
  ended: time => `Terminó: ${time}.`,
  undecided: time => `Necesita una decisión antes de: ${time}.`,
  late: 'Notificada con retraso.',
  times: count => `${count} veces.`,
  more: count => (count === 1 ? 'Otra más no figura aquí.' : `Otras ${count} no figuran aquí.`),
  all: 'Todas las alertas:',
  choose: 'Elija qué alertas recibe por correo, y cuándo:',
  subjectUnanswered: subject => `Sin reconocer: ${subject}`,
  subjectMany: (count, critical) => (critical === 0 ? `${count} alertas` : `${count} alertas, críticas: ${critical}`),
  test: {
    subject: 'Prueba de correo de Milepost',
    text: 'Este es el correo de prueba que solicitó. Las alertas le llegarán a esta dirección.',
  },
};
