/** The visitor's key: kept in this browser on request, and sent to this service only. */
const name = 'whereabouts.key';
let storedKey = '';
try {
  storedKey = localStorage.getItem(name) ?? '';
} catch {
  // Storage is switched off: the key lives as long as the page.
}

/** The key, or an empty text. */
export const currentKey = () => storedKey;

/** Keeps a key (or forgets it, given an empty text) and notifies every part of the page by the event `keychange`. */
export function keepKey(key) {
  storedKey = key.trim();
  try {
    if (storedKey) localStorage.setItem(name, storedKey);
    else localStorage.removeItem(name);
  } catch {
    // As above.
  }
  notify();
}

function notify() {
  document.documentElement.toggleAttribute('data-key', storedKey !== '');
  dispatchEvent(new Event('keychange'));
}

// Another tab signed up, or forgot the key.
addEventListener('storage', (event) => {
  if (event.key !== name) return;
  storedKey = event.newValue ?? '';
  notify();
});

/** The key with its middle left out, for the screen. */
export const maskedKey = () => (storedKey ? `${storedKey.slice(0, 8)}…${storedKey.slice(-4)}` : '<your key>');

/** What is wrong with a text that should be one of our keys, else empty; its checksum is the service's to see. */
export const faultOfKey = (text) =>
  /^wab_[0-9A-Za-z]{36}$/.test(text.trim()) ? '' : 'That is not a key: expected "wab_" and 36 letters and digits.';
