import type { Language } from '@milepost/contract';

/** What a printed report says around its table. */
export interface PdfWords {
  readonly page: (page: number, of: number) => string;
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
  /** Of a group, at the top of the next page. */
  readonly continued: string;
  /** Instead of a picture, for those who can't see it. */
  readonly chart: (title: string) => string;
  readonly highest: (shown: number, total: number) => string;
}

const figure = (value: number, language: Language): string => value.toLocaleString(language);

export const PDF_WORDS: Readonly<Record<Language, PdfWords>> = {
  'en-US': {
    page: (page, of) => `Page ${page} of ${of}`,
    zone: zone => `Time zone ${zone}`,
    until: time => `Data until ${time}`,
    vehicles: count => (count === 1 ? '1 vehicle' : `${count} vehicles`),
    late: (count, names) => `Late, more may still arrive (${count}): ${names}`,
    silent: (count, names) => `Sent nothing in this period (${count}): ${names}`,
    behind: count => `Stored but not counted yet: reports from ${count === 1 ? '1 vehicle' : `${count} vehicles`}`,
    cut: (shown, total) =>
      `The first ${figure(shown, 'en-US')} of ${figure(total, 'en-US')} rows. The totals are of all; CSV has every row.`,
    totals: 'Totals',
    rows: count => (count === 1 ? '1 row' : `${figure(count, 'en-US')} rows`),
    none: 'None',
    noRows: 'No rows in this period.',
    continued: 'continued',
    chart: title => `Bar chart: ${title}. The table below has the same figures.`,
    highest: (shown, total) => `The highest ${shown} of ${total}`,
  },
  es: {
    page: (page, of) => `Página ${page} de ${of}`,
    zone: zone => `Zona horaria ${zone}`,
    until: time => `Datos hasta ${time}`,
    vehicles: count => (count === 1 ? '1 vehículo' : `${count} vehículos`),
    late: (count, names) => `Atrasados, aún puede llegar más (${count}): ${names}`,
    silent: (count, names) => `No enviaron nada en este período (${count}): ${names}`,
    behind: count => `Guardados pero aún no contados: reportes de ${count === 1 ? '1 vehículo' : `${count} vehículos`}`,
    cut: (shown, total) =>
      `Las primeras ${figure(shown, 'es')} de ${figure(total, 'es')} filas. Los totales son de todas; CSV tiene cada fila.`,
    totals: 'Totales',
    rows: count => (count === 1 ? '1 fila' : `${figure(count, 'es')} filas`),
    none: 'Ninguno',
    noRows: 'No hay filas en este período.',
    continued: 'continuación',
    chart: title => `Gráfico de barras: ${title}. La tabla de abajo tiene las mismas cifras.`,
    highest: (shown, total) => `Los ${shown} más altos de ${total}`,
  },
  fr: {
    page: (page, of) => `Page ${page} sur ${of}`,
    zone: zone => `Fuseau horaire ${zone}`,
    until: time => `Données jusqu’au ${time}`,
    vehicles: count => (count === 1 ? '1 véhicule' : `${count} véhicules`),
    late: (count, names) => `En retard, d’autres données peuvent arriver (${count}) : ${names}`,
    silent: (count, names) => `N’ont rien envoyé pendant cette période (${count}) : ${names}`,
    behind: count =>
      `Enregistrés mais pas encore comptés : messages de ${count === 1 ? '1 véhicule' : `${count} véhicules`}`,
    cut: (shown, total) =>
      `Les ${figure(shown, 'fr')} premières lignes sur ${figure(total, 'fr')}. Les totaux portent sur toutes ; CSV a chaque ligne.`,
    totals: 'Totaux',
    rows: count => (count === 1 ? '1 ligne' : `${figure(count, 'fr')} lignes`),
    none: 'Aucun',
    noRows: 'Aucune ligne pour cette période.',
    continued: 'suite',
    chart: title => `Graphique à barres : ${title}. Le tableau ci-dessous contient les mêmes chiffres.`,
    highest: (shown, total) => `Les ${shown} plus élevés sur ${total}`,
  },
};
