import type { Language } from '@milepost/contract';

/** What an evidence pack says around its data. */
export interface EvidenceWords {
  readonly title: string;
  readonly period: (from: string, to: string, zone: string) => string;
  readonly made: (time: string, name: string) => string;
  readonly map: string;
  readonly mapText: (vehicles: string, from: string, to: string) => string;
  readonly noMap: string;
  readonly vehicles: string;
  readonly events: string;
  readonly noEvents: string;
  readonly cut: (shown: number, total: number) => string;
  readonly data: string;
  readonly dataText: string;
  readonly check: (page: string) => string;
  readonly known: readonly string[];
  readonly behind: (names: string) => string;
  readonly credits: (names: string) => string;
  readonly columns: Readonly<
    Record<
      | 'vehicle'
      | 'reports'
      | 'first'
      | 'last'
      | 'doubted'
      | 'late'
      | 'distance'
      | 'topSpeed'
      | 'number'
      | 'from'
      | 'to'
      | 'duration'
      | 'what'
      | 'place'
      | 'file'
      | 'bytes'
      | 'hash'
      | 'contents',
      string
    >
  >;
  readonly trip: (to: string) => string;
  readonly stop: string;
  readonly gap: string;
  readonly alert: (what: string) => string;
  readonly inside: (geofence: string) => string;
  readonly files: Readonly<Record<'positions.csv' | 'events.csv' | 'tracks.geojson', string>>;
}

export const EVIDENCE_WORDS: Readonly<Record<Language, EvidenceWords>> = {
  'en-US': {
    title: 'Evidence pack',
    period: (from, to, zone) => `${from} – ${to}, time zone ${zone}`,
    made: (time, name) => `Created ${time} by ${name} from the data stored by then`,
    map: 'Map',
    mapText: (vehicles, from, to) =>
      `Map of the tracks of ${vehicles} from ${from} to ${to}. The table of events says the same in words.`,
    noMap: 'No vehicle sent a usable position in this period, so there is no track to draw.',
    vehicles: 'Vehicles',
    events: 'Events',
    noEvents: 'No trips, stops, alerts or visits to geofences in this period.',
    cut: (shown, total) => `The first ${shown} of ${total} events. events.csv has all of them.`,
    data: 'Attached data',
    dataText: 'Open the attachments of this PDF to read them. Times in them are UTC.',
    check: page =>
      `To check this file, open ${page} or run “npm run verify-log -- FILE”: a change of any byte is found. The SHA-256 of the whole file is listed where it was created; compare it to show that the pack was not written anew.`,
    known: [
      'Tracks are straight lines between reliable reports. Dashed lines: no report for five minutes or more, so the route is unknown.',
      'Reports without a fix or in doubt are left off the map; positions.csv lists and marks them. Late means that a report arrived after newer ones.',
      'The base map comes from this server’s own files.',
    ],
    behind: names => `Stored but not counted yet, so events may be missing: ${names}`,
    credits: names => `Map data: ${names}`,
    columns: {
      ...{
        vehicle: 'Vehicle',
        reports: 'Reports',
        first: 'First report',
        last: 'Last report',
        doubted: 'Not believed',
      },
      ...{ late: 'Late', distance: 'Distance by GPS', topSpeed: 'Top speed', number: 'No.', from: 'From', to: 'To' },
      ...{ duration: 'Duration', what: 'Event', place: 'Place', file: 'File', bytes: 'Bytes', hash: 'SHA-256' },
      contents: 'Contents',
    },
    trip: to => (to === '' ? 'Trip' : `Trip to ${to}`),
    stop: 'Stop',
    gap: 'No data',
    alert: what => `Alert: ${what}`,
    inside: geofence => `Inside ${geofence}`,
    files: {
      'positions.csv': 'Every report with its figures',
      'events.csv': 'The table of events',
      'tracks.geojson': 'The tracks as drawn',
    },
  },
  es: {
    title: 'Paquete de evidencia',
    period: (from, to, zone) => `${from} – ${to}, zona horaria ${zone}`,
    made: (time, name) => `Creado el ${time} por ${name} con los datos guardados hasta entonces`,
    map: 'Mapa',
    mapText: (vehicles, from, to) =>
      `Mapa de los recorridos de ${vehicles} del ${from} al ${to}. La tabla de eventos dice lo mismo con palabras.`,
    noMap: 'Ningún vehículo envió una posición utilizable en este período; no hay recorrido que dibujar.',
    vehicles: 'Vehículos',
    events: 'Eventos',
    noEvents: 'No hay viajes, paradas, alertas ni visitas a geocercas en este período.',
    cut: (shown, total) => `Los primeros ${shown} de ${total} eventos. events.csv los tiene todos.`,
    data: 'Datos adjuntos',
    dataText: 'Abra los archivos adjuntos de este PDF para leerlos. Sus horas son UTC.',
    check: page =>
      `Para comprobar este archivo, abra ${page} o ejecute “npm run verify-log -- ARCHIVO”: se detecta el cambio de cualquier byte. El SHA-256 de todo el archivo figura donde se creó; compárelo para demostrar que el paquete no se escribió de nuevo.`,
    known: [
      'Los recorridos son líneas rectas entre reportes que el servidor considera fiables. Discontinuas: sin reportes durante cinco minutos o más, así que el camino no se conoce.',
      'Los reportes sin posición o dudosos no están en el mapa; positions.csv los tiene, marcados. Tardío significa que llegó después de otros más nuevos.',
      'El mapa bajo los recorridos viene de los archivos de este servidor.',
    ],
    behind: names => `Guardados pero aún no contados; pueden faltar eventos: ${names}`,
    credits: names => `Datos del mapa: ${names}`,
    columns: {
      ...{ vehicle: 'Vehículo', reports: 'Reportes', first: 'Primer reporte', last: 'Último reporte' },
      ...{ doubted: 'No fiables', late: 'Tardíos', distance: 'Distancia por GPS', topSpeed: 'Velocidad máxima' },
      ...{ number: 'N.º', from: 'Desde', to: 'Hasta', duration: 'Duración', what: 'Evento', place: 'Lugar' },
      ...{ file: 'Archivo', bytes: 'Bytes', hash: 'SHA-256' },
      contents: 'Contenido',
    },
    trip: to => (to === '' ? 'Viaje' : `Viaje a ${to}`),
    stop: 'Parada',
    gap: 'Sin datos',
    alert: what => `Alerta: ${what}`,
    inside: geofence => `Dentro de ${geofence}`,
    files: {
      'positions.csv': 'Cada reporte con sus cifras',
      'events.csv': 'La tabla de eventos',
      'tracks.geojson': 'Los recorridos dibujados',
    },
  },
  fr: {
    title: 'Dossier de preuves',
    period: (from, to, zone) => `${from} – ${to}, fuseau horaire ${zone}`,
    made: (time, name) => `Créé le ${time} par ${name} à partir des données alors enregistrées`,
    map: 'Carte',
    mapText: (vehicles, from, to) =>
      `Carte des trajets de ${vehicles} du ${from} au ${to}. Le tableau des événements dit la même chose en mots.`,
    noMap: 'Aucun véhicule n’a envoyé de position utilisable pendant cette période : aucun trajet à dessiner.',
    vehicles: 'Véhicules',
    events: 'Événements',
    noEvents: 'Aucun trajet, arrêt, alerte ni visite de géorepère pendant cette période.',
    cut: (shown, total) => `Les ${shown} premiers événements sur ${total}. events.csv les contient tous.`,
    data: 'Données jointes',
    dataText: 'Ouvrez les pièces jointes de ce PDF pour les lire. Les heures y sont en UTC.',
    check: page =>
      `Pour vérifier ce fichier, ouvrez ${page} ou lancez « npm run verify-log -- FICHIER » : la modification du moindre octet est détectée. Le SHA-256 du fichier entier est affiché là où il a été créé ; comparez-le pour montrer que le dossier n’a pas été réécrit.`,
    known: [
      'Les trajets sont des lignes droites entre les messages que le serveur juge fiables. En tirets : aucun message pendant cinq minutes ou plus, le chemin n’est donc pas connu.',
      'Les messages sans position ou douteux ne sont pas sur la carte ; positions.csv les contient, signalés. Tardif : arrivé après des messages plus récents.',
      'La carte sous les trajets vient des fichiers de ce serveur.',
    ],
    behind: names => `Enregistrés mais pas encore comptés, des événements peuvent manquer : ${names}`,
    credits: names => `Données cartographiques : ${names}`,
    columns: {
      ...{ vehicle: 'Véhicule', reports: 'Messages', first: 'Premier message', last: 'Dernier message' },
      ...{ doubted: 'Non fiables', late: 'Tardifs', distance: 'Distance par GPS', topSpeed: 'Vitesse maximale' },
      ...{ number: 'N°', from: 'De', to: 'À', duration: 'Durée', what: 'Événement', place: 'Lieu' },
      ...{ file: 'Fichier', bytes: 'Octets', hash: 'SHA-256' },
      contents: 'Contenu',
    },
    trip: to => (to === '' ? 'Trajet' : `Trajet vers ${to}`),
    stop: 'Arrêt',
    gap: 'Aucune donnée',
    alert: what => `Alerte : ${what}`,
    inside: geofence => `Dans ${geofence}`,
    files: {
      'positions.csv': 'Chaque message avec ses valeurs',
      'events.csv': 'Le tableau des événements',
      'tracks.geojson': 'Les trajets dessinés',
    },
  },
};
