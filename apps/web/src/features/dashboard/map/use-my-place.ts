import { GeolocateControl } from 'maplibre-gl';
import { useEffect, useState } from 'react';
import { useMap } from '../../../map/map-context.ts';

/** Shows where this device is, as a dot with its accuracy. This is MapLibre's own control without its button. */
export function useMyPlace(onFailed: () => void): () => void {
  const { map } = useMap();
  const [control] = useState(
    () => new GeolocateControl({ positionOptions: { enableHighAccuracy: true }, fitBoundsOptions: { maxZoom: 14 } }),
  );
  useEffect(() => {
    map.addControl(control);
    control._container.hidden = true;
    // A map that was removed has already removed its controls.
    return () => {
      if (map.hasControl(control)) map.removeControl(control);
    };
  }, [map, control]);
  useEffect(() => {
    control.on('error', onFailed);
    return () => void control.off('error', onFailed);
  });
  return () => {
    if (!control.trigger()) onFailed();
  };
}
