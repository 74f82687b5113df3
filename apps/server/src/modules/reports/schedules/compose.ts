import type { Language } from '@milepost/contract';
import type { Mail } from '../../../mail/mailer.ts';

interface Told {
  readonly id: string;
  readonly to: string;
  readonly name: string;
  readonly language: Language;
  /** The name of the schedule. */
  readonly schedule: string;
  readonly title: string;
  /** Days. */
  readonly from: string;
  readonly until: string;
  readonly rows: number;
  readonly late: number;
  readonly link: string;
  /** Where the file is: in the email, too large for it, or only behind the link. */
  readonly file: 'attached' | 'too-large' | 'linked';
}

type Words = (told: Told & { readonly days: string }) => {
  readonly subject: string;
  readonly lines: readonly string[];
};

const WORDS: Readonly<Record<Language, Words>> = {
  'en-US': ({ days, file, late, link, name, rows, schedule, title }) => ({
    subject: `${schedule}: ${title}, ${days}`,
    lines: [
      `Hello ${name},`,
      `your report ${title} for ${days} is ready. Rows: ${rows}.`,
      late > 0 ? `Vehicles that were late when it was written: ${late}. More may still arrive.` : '',
      file === 'attached' ? 'The file is attached.' : '',
      file === 'too-large' ? 'The file is over 10 MB, too large to attach.' : '',
      `Read it and download the file: ${link}`,
    ],
  }),
  es: ({ days, file, late, link, name, rows, schedule, title }) => ({
    subject: `${schedule}: ${title}, ${days}`,
    lines: [
      `Hola, ${name}:`,
      `Su informe ${title} (${days}) está listo. Filas: ${rows}.`,
      late > 0 ? `Vehículos atrasados cuando se escribió: ${late}. Aún puede llegar más.` : '',
      file === 'attached' ? 'El archivo va adjunto.' : '',
      file === 'too-large' ? 'El archivo supera 10 MB y no se puede adjuntar.' : '',
      `Léalo y descargue el archivo: ${link}`,
    ],
  }),
  fr: ({ days, file, late, link, name, rows, schedule, title }) => ({
    subject: `${schedule} : ${title}, ${days}`,
    lines: [
      `Bonjour ${name},`,
      `votre rapport ${title} (${days}) est prêt. Lignes : ${rows}.`,
      late > 0 ? `Véhicules en retard au moment de l’écriture : ${late}. D’autres données peuvent arriver.` : '',
      file === 'attached' ? 'Le fichier est joint.' : '',
      file === 'too-large' ? 'Le fichier dépasse 10 Mo et ne peut pas être joint.' : '',
      `Lisez-le et téléchargez le fichier : ${link}`,
    ],
  }),
};

/** Says that a report is ready. The report itself is behind the sign-in unless its schedule attaches it. */
export function composeReportMail(told: Told): Mail {
  const date = new Intl.DateTimeFormat(told.language, { dateStyle: 'medium', timeZone: 'UTC' });
  const days = date.formatRange(Date.parse(told.from), Date.parse(told.until));
  const { subject, lines } = WORDS[told.language]({ ...told, days });
  return { to: told.to, id: told.id, subject, text: `${lines.filter(Boolean).join('\n\n')}\n` };
}
