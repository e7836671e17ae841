// Layout state shared by the map, the frame and the pages. Everything that a link should reproduce is in the address
// bar instead; this state belongs to the current window.

import type { Box } from './mapControl';

export type SheetHeight = 'peek' | 'half' | 'full';

class LayoutState {
  /** Width of the left panel, stored for the next visit. */
  panelWidth = $state(Math.min(720, Math.max(320, Number(localStorage.getItem('panel')) || 420)));
  collapsed = $state(localStorage.getItem('panel-collapsed') === 'yes');
  sheet = $state<SheetHeight>('half');
  /** Number of mounted pages that need a wide panel. */
  wideRequests = $state(0);
  drawer = $state(0);
  dock = $state(0);
  /** Position of the pointer on the map, in degrees. */
  pointer = $state.raw<{ lon: number; lat: number; hosts: string[] } | null>(null);
  view = $state.raw<Box | null>(null);
  mapReady = $state(false);
  mapProblem = $state<string | null>(null);
  isDrawing = $state(false);
  /** Land as an SVG path in degrees, for thumbnails; empty until the map data is loaded. */
  land = $state('');
  isPhone = $state(false);
  helpOpen = $state(false);
  layersOpen = $state(false);
  /** Window title of a page about a single thing; null uses the title of the page. */
  windowTitle = $state<string | null>(null);
  /** Announced by screen readers (polite). */
  announcement = $state('');

  /** Sets the window title and returns a function that resets it; call it in an effect. */
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
