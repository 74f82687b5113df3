import { type AlertItem, alertColumns, alertItems } from '../alert-items.ts';
import { topSpeed } from '../columns.ts';
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
  columns: alertColumns(topSpeed(({ alert }) => alert.figures?.speed ?? null)),
  read: asked => alertItems(asked, 'overspeed', ['speed', 'limit', 'vehicleLimit']),
});
