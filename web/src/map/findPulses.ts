// Animates finds as pulses at their hosts, with an arc from the linking page. Limited in number, and drawn only while
// a pulse is active.

import type OlMap from 'ol/Map';
import { fromLonLat } from 'ol/proj';
import { familyOf } from '../lib/kinds.svelte';
import type { MapFind } from '../lib/mapControl';
import { resolveToken } from './colours';

interface Pulse {
  at: number[];
  from: number[] | null;
  colour: string;
  born: number;
}

const life = 1600;
const most = 90;

export function createFindPulses(map: OlMap): (finds: MapFind[]) => void {
  const canvas = document.createElement('canvas');
  canvas.style.cssText = 'position:absolute;inset:0;width:100%;height:100%;pointer-events:none;z-index:1';
  canvas.setAttribute('aria-hidden', 'true');
  map.getViewport().append(canvas);
  let pulses: Pulse[] = [];
  let running = false;

  function frame(now: number): void {
    const ratio = devicePixelRatio || 1;
    const [width = 0, height = 0] = map.getSize() ?? [];
    if (canvas.width !== width * ratio || canvas.height !== height * ratio) {
      canvas.width = width * ratio;
      canvas.height = height * ratio;
    }
    const context = canvas.getContext('2d')!;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, width, height);
    pulses = pulses.filter((pulse) => now - pulse.born < life);
    for (const pulse of pulses) {
      const age = Math.max(0, (now - pulse.born) / life);
      const at = map.getPixelFromCoordinate(pulse.at);
      if (!at) continue;
      const [x = 0, y = 0] = at;
      context.strokeStyle = pulse.colour;
      const from = pulse.from && map.getPixelFromCoordinate(pulse.from);
      if (from && age < 0.8) {
        const [fx = 0, fy = 0] = from;
        const lift = Math.min(120, Math.hypot(x - fx, y - fy) * 0.25);
        context.globalAlpha = 0.55 * (1 - age / 0.8);
        context.lineWidth = 1.4;
        context.beginPath();
        context.moveTo(fx, fy);
        context.quadraticCurveTo((x + fx) / 2, (y + fy) / 2 - lift, x, y);
        context.stroke();
      }
      const eased = 1 - (1 - age) ** 3;
      context.globalAlpha = 1 - age;
      context.lineWidth = 2;
      context.beginPath();
      context.arc(x, y, 6 + eased * 26, 0, 7);
      context.stroke();
    }
    context.globalAlpha = 1;
    running = pulses.length > 0;
    if (running) requestAnimationFrame(frame);
  }

  return (finds) => {
    const now = performance.now();
    // Resolve colours once per call: the theme may change between calls, but not within one.
    const colours = new Map<string, string>();
    const colourOf = (kind: string) => {
      const family = familyOf(kind);
      const known = colours.get(family) ?? resolveToken(`family-${family}`);
      colours.set(family, known);
      return known;
    };
    for (const find of finds.slice(-most)) {
      pulses.push({ at: fromLonLat([find.lon, find.lat]), from: find.from ? fromLonLat([find.from.lon, find.from.lat]) : null, colour: colourOf(find.kind), born: now });
    }
    pulses = pulses.slice(-most);
    if (!running && pulses.length) {
      running = true;
      requestAnimationFrame(frame);
    }
  };
}
