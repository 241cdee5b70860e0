/** What the map and its preview have in common: colours by theme, and how many names. */
const palettes = {
  light: {
    water: '#d9e6ea',
    river: '#8fb6c4',
    land: '#f7f5ef',
    border: '#a9b3b0',
    text: '#3d474b',
    area: '#6d777a',
    waterText: '#3f7383',
    halo: '#f7f5ef',
    accent: '#0b6076',
    found: '#b3480e',
    onPin: '#ffffff',
    street: '#ffffff',
    streetEdge: '#cfc8ba',
    road: '#fbe3a6',
    roadEdge: '#d9b55f',
    house: '#8a8172',
    poi: '#7b4a86',
  },
  dark: {
    water: '#0e1519',
    river: '#070c0f',
    land: '#20282d',
    border: '#4b585f',
    text: '#b9c4c8',
    area: '#8a979d',
    waterText: '#6d9aab',
    halo: '#14181b',
    accent: '#6cc6dd',
    found: '#f2a65a',
    onPin: '#14181b',
    street: '#37424a',
    streetEdge: '#12181c',
    road: '#5b5440',
    roadEdge: '#12181c',
    house: '#8b979d',
    poi: '#c6a2d2',
  },
};

/** Whether the page is dark. */
export function isDark() {
  const { theme } = document.documentElement.dataset;
  return theme === 'dark' || (theme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
}

/** The colours of the theme that is shown. */
export const palette = () => palettes[isDark() ? 'dark' : 'light'];

/** How many places of the world, the most prominent first, may have their names by zoom; all from the last. */
const named = [25, 25, 60, 150, 400, 1000, 5000, 12_000, 25_000, 60_000];
export const namedAt = (zoom) => named[Math.max(0, Math.floor(zoom))] ?? 1e9;
