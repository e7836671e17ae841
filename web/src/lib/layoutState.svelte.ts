// What the map, the frame and the pages tell each other. Everything a link should reproduce is in the address bar
// instead; here is only what belongs to this window.

import type { Box } from './mapControl';

export type SheetHeight = 'peek' | 'half' | 'full';

class LayoutState {
  /** Width of the left panel, kept for the next visit. */
  panelWidth = $state(Math.min(720, Math.max(320, Number(localStorage.getItem('panel')) || 420)));
  collapsed = $state(localStorage.getItem('panel-collapsed') === 'yes');
  sheet = $state<SheetHeight>('half');
  /** A page asked for a wide panel. */
  wideRequests = $state(0);
  drawer = $state(0);
  dock = $state(0);
  /** Where the pointer is on the map, in degrees. */
  pointer = $state.raw<{ lon: number; lat: number; hosts: string[] } | null>(null);
  view = $state.raw<Box | null>(null);
  mapReady = $state(false);
  mapProblem = $state<string | null>(null);
  isDrawing = $state(false);
  /** Land as an SVG path in degrees, for thumbnails; empty until the map data is there. */
  land = $state('');
  isPhone = $state(false);
  helpOpen = $state(false);
  layersOpen = $state(false);
  /** What the window is named after: the one thing a page shows; null for the page itself. */
  windowTitle = $state<string | null>(null);
  /** Words for a screen reader, said politely. */
  announcement = $state('');

  /** Names the window after what is shown, until the page goes; call it in an effect. */
  setWindowTitle(title: string): () => void {
    this.windowTitle = title;
    return () => {
      if (this.windowTitle === title) this.windowTitle = null;
    };
  }

  setPanelWidth(width: number): void {
    this.panelWidth = Math.round(Math.min(720, Math.max(320, width)));
    localStorage.setItem('panel', String(this.panelWidth));
  }

  togglePanel(): void {
    this.collapsed = !this.collapsed;
    localStorage.setItem('panel-collapsed', this.collapsed ? 'yes' : 'no');
  }
}

export const layoutState = new LayoutState();

const narrow = matchMedia('(max-width: 760px)');
layoutState.isPhone = narrow.matches;
narrow.addEventListener('change', () => (layoutState.isPhone = narrow.matches));
