import type { Language } from '@milepost/contract';

/** What a printed report says around its table. */
export interface PdfWords {
  readonly page: (page: number, of: number) => string;
  readonly period: (from: string, to: string) => string;
  readonly zone: (zone: string) => string;
  readonly until: (time: string) => string;
  readonly vehicles: (count: number) => string;
  readonly late: (count: number, names: string) => string;
  readonly silent: (count: number, names: string) => string;
  readonly behind: (count: number) => string;
  readonly cut: (shown: number, total: number) => string;
  readonly totals: string;
  readonly rows: (count: number) => string;
  readonly none: string;
  readonly noRows: string;
}

export const PDF_WORDS: Readonly<Record<Language, PdfWords>> = {
  'en-US': {
    page: (page, of) => `Page ${page} of ${of}`,
    period: (from, to) => `${from} – ${to}`,
    zone: zone => `Time zone ${zone}`,
    until: time => `Data until ${time}`,
    vehicles: count => (count === 1 ? '1 vehicle' : `${count} vehicles`),
    late: (count, names) => `Late, more may still arrive (${count}): ${names}`,
    silent: (count, names) => `Sent nothing in this period (${count}): ${names}`,
    behind: count => `Stored but not counted yet: reports from ${count} vehicles`,
    cut: (shown, total) => `The first ${shown} of ${total} rows. The totals are of all; CSV has every row.`,
    totals: 'Totals',
    rows: count => (count === 1 ? '1 row' : `${count} rows`),
    none: 'None',
    noRows: 'No rows in this period.',
  },
  es: {
    page: (page, of) => `Página ${page} de ${of}`,
    period: (from, to) => `${from} – ${to}`,
    zone: zone => `Zona horaria ${zone}`,
    until: time => `Datos hasta ${time}`,
    vehicles: count => (count === 1 ? '1 vehículo' : `${count} vehículos`),
    late: (count, names) => `Atrasados, aún puede llegar más (${count}): ${names}`,
    silent: (count, names) => `No enviaron nada en este período (${count}): ${names}`,
    behind: count => `Guardados pero aún no contados: reportes de ${count} vehículos`,
    cut: (shown, total) => `Las primeras ${shown} de ${total} filas. Los totales son de todas; CSV tiene cada fila.`,
    totals: 'Totales',
    rows: count => (count === 1 ? '1 fila' : `${count} filas`),
    none: 'Ninguno',
    noRows: 'No hay filas en este período.',
  },
  fr: {
    page: (page, of) => `Page ${page} sur ${of}`,
    period: (from, to) => `${from} – ${to}`,
    zone: zone => `Fuseau horaire ${zone}`,
    until: time => `Données jusqu’au ${time}`,
    vehicles: count => (count === 1 ? '1 véhicule' : `${count} véhicules`),
    late: (count, names) => `En retard, d’autres données peuvent arriver (${count}) : ${names}`,
    silent: (count, names) => `N’ont rien envoyé pendant cette période (${count}) : ${names}`,
    behind: count => `Enregistrés mais pas encore comptés : messages de ${count} véhicules`,
    cut: (shown, total) =>
      `Les ${shown} premières lignes sur ${total}. Les totaux portent sur toutes ; CSV a chaque ligne.`,
    totals: 'Totaux',
    rows: count => (count === 1 ? '1 ligne' : `${count} lignes`),
    none: 'Aucun',
    noRows: 'Aucune ligne pour cette période.',
  },
};
