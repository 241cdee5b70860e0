/**
 * A thread that opens the dataset in each directory it is sent and asks every endpoint, as one that might hang. It returns
 * `refused` for the whole, or the answer to each question, undefined where that was refused.
 */
import { parentPort } from 'node:worker_threads';
import { ask, createOperations } from '../../src/api/execute.ts';
import { openDataset } from '../../src/api/open.ts';
import { endpoints } from '../../src/endpoints/index.ts';
import { DatasetError } from '../../src/store/manifest.ts';
import type { Store } from '../../src/store/store.ts';

const positions = [
  { lat: '52.52', lng: '13.4' },
  { lat: '-33.9', lng: '18.4' },
  { lat: '0', lng: '0' },
];
const questions: Record<string, readonly Record<string, string>[]> = {
  search: [
    { q: 'berlin' },
    { q: 'pariss' },
    { q: 'san', country: 'US' },
    { q: 'paris texas' },
    { q: 'springfield us' },
  ],
  autocomplete: [{ q: 'b' }, { q: 'sa', country: 'US' }, { q: 'ber', lang: 'de' }],
  address: [{ q: 'Hauptstrasse 5' }],
  streets: [{ q: 'haupt' }],
  country: [{ code: 'DE' }],
  admin: [{ country: 'DE' }, { country: 'US', level: '2' }],
  cities: [{ country: 'DE' }, { country: 'US', admin1: 'Texas' }],
  postal: [{ country: 'DE', code: '10115' }],
  validate: [{ country: 'DE', city: 'Berlin', postal_code: '10115' }],
  ip: [{ ip: '8.8.8.8' }, { ip: '2001:4860::1' }],
  distance: [{ from: 'Berlin', to: 'Paris' }],
  sun: [{ city: 'Berlin' }],
};

function askAll(store: Store): (string | undefined)[] {
  const answers: (string | undefined)[] = [];
  for (const [name, operation] of Object.entries(createOperations(endpoints))) {
    for (const raw of questions[name] ?? positions) {
      try {
        const answer = ask(operation, raw, { store, profile: 'default', now: 0, clientAddress: '8.8.8.8' });
        answers.push(JSON.stringify(answer));
      } catch {
        // A refusal, or what the service answers 500.
        answers.push(undefined);
      }
    }
  }
  return answers;
}

parentPort!.on('message', (directory: string) => {
  let store: Store;
  try {
    store = openDataset(directory);
  } catch (error) {
    parentPort!.postMessage(error instanceof DatasetError ? 'refused' : String(error));
    return;
  }
  const answers = askAll(store);
  store.close();
  parentPort!.postMessage(answers);
});
