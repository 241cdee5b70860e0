/** A process that opens databases of a number when it is sent the number, and says how that went. */
import { join } from 'node:path';
import { openSqliteEngine } from '../../src/keys/sqlite/sqlite-keys.ts';

const [directory] = process.argv.slice(2);
process.on('message', (round) => {
  try {
    openSqliteEngine(join(directory, `keys-${round}.db`)).close();
    process.send?.('opened');
  } catch (error) {
    process.send?.(String(error));
  }
});
process.send?.('ready');
