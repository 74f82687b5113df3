import type { Language } from '@milepost/contract';

/** What the weekly email on rules that nobody acts on says. */
export interface NoiseTexts {
  readonly subject: (count: number) => string;
  readonly intro: string;
  readonly rule: (name: string, alerts: number, acknowledged: number) => string;
  readonly hint: string;
  /** How many alerts the reader got by email in the week. */
  readonly mails: (count: number, perDay: string) => string;
}

export const NOISE_TEXTS: Readonly<Record<Language, NoiseTexts>> = {
  'en-US': {
    subject: count => (count === 1 ? 'A rule that nobody acts on' : `${count} rules that nobody acts on`),
    intro: 'In the last 7 days, people acknowledged few alerts of these rules, or none:',
    rule: (name, alerts, acknowledged) =>
      `${name}: ${alerts === 1 ? '1 alert' : `${alerts} alerts`}, ${acknowledged} acknowledged`,
    hint: 'Open a rule and try it on the past: the test shows which other duration would alert less. Or turn it off.',
    mails: (count, perDay) =>
      `You got ${count === 1 ? '1 alert' : `${count} alerts`} by email in these 7 days, ${perDay} a day.`,
  },
  es: {
    subject: count => (count === 1 ? 'Una regla a la que nadie responde' : `${count} reglas a las que nadie responde`),
    intro: 'En los últimos 7 días se reconocieron pocas alertas de estas reglas, o ninguna:',
    rule: (name, alerts, acknowledged) =>
      `${name}: ${alerts === 1 ? '1 alerta' : `${alerts} alertas`}, ${acknowledged} reconocidas`,
    hint: 'Abra una regla y pruébela con el pasado: la prueba muestra qué otra duración avisaría menos. O desactívela.',
    mails: (count, perDay) =>
      `Usted recibió ${count === 1 ? '1 alerta' : `${count} alertas`} por correo en estos 7 días, ${perDay} por día.`,
  },
  fr: {
    subject: count =>
      count === 1 ? 'Une règle à laquelle personne ne réagit' : `${count} règles auxquelles personne ne réagit`,
    intro: 'Ces 7 derniers jours, peu d’alertes de ces règles ont été acquittées, ou aucune :',
    rule: (name, alerts, acknowledged) =>
      `${name} : ${alerts === 1 ? '1 alerte' : `${alerts} alertes`}, ${acknowledged} acquittées`,
    hint: 'Ouvrez une règle et essayez-la sur le passé : l’essai montre quelle autre durée alerterait moins. Ou désactivez-la.',
    mails: (count, perDay) =>
      `Vous avez reçu ${count === 1 ? '1 alerte' : `${count} alertes`} par courriel ces 7 jours, ${perDay} par jour.`,
  },
};
