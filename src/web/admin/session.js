/** The admin key of this tab, and requests with it. */
import { ask, problemText } from '../ask.js';

const name = 'whereabouts.admin-key';

export const adminKey = () => sessionStorage.getItem(name) ?? '';

/** Keeps the key for this tab; forgets it, given an empty text. */
export function keepAdminKey(key) {
  if (key) sessionStorage.setItem(name, key.trim());
  else sessionStorage.removeItem(name);
}

/** The answer of the admin API. Rejects with what is wrong, for people. */
export async function askAdmin(path, options = {}) {
  const answer = await ask(`/admin/${path}`, { ...options, headers: { 'X-API-Key': adminKey() } });
  if (answer.ok) return answer;
  throw new Error(problemText(answer));
}
