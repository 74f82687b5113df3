import { type AlertItem, alertItems, alertLength } from '../alert-items.ts';
import { driverColumn, moment, text, topSpeed, vehicleColumn } from '../columns.ts';
import { defineReport, TRIP_GROUPINGS } from '../report.ts';
import { words } from '../words.ts';

/** When a tracker, or a rule, reported that a vehicle was too fast: for a fixed speed, a geofence's limit or its own. */
export const speeding = defineReport<AlertItem>({
  key: 'speeding',
  section: 'driving',
  title: words('Speeding alerts', 'Alertas de exceso de velocidad', 'Alertes de vitesse'),
  text: words(
    'When trackers or rules reported that a vehicle was too fast',
    'Cuándo los rastreadores o las reglas reportaron que un vehículo iba demasiado rápido',
    'Quand les traceurs ou les règles ont signalé qu’un véhicule roulait trop vite',
  ),
  needs: 'alerts.read',
  isOfPositions: false,
  groupings: TRIP_GROUPINGS,
  columns: [
    vehicleColumn,
    driverColumn,
    moment('start', words('Start', 'Inicio', 'Début'), ({ alert }) => alert.opened_at.getTime()),
    moment('end', words('End', 'Fin', 'Fin'), ({ alert }) => alert.closed_at?.getTime() ?? null),
    alertLength,
    topSpeed(({ alert }) => alert.figures?.speed ?? null),
    {
      key: 'place',
      title: words('Place', 'Lugar', 'Lieu'),
      type: 'place',
      of: ({ alert: { lat, lon } }, { sources }) => sources.placeOf(lat === null || lon === null ? null : { lat, lon }),
    },
    text('rule', words('Rule', 'Regla', 'Règle'), ({ alert }) => alert.rule?.name ?? null),
    text('by', words('Acknowledged by', 'Confirmada por', 'Confirmée par'), ({ alert }) => alert.acknowledger),
  ],
  read: asked => alertItems(asked, 'overspeed', ['speed', 'limit', 'vehicleLimit']),
});
