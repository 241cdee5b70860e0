/** Changes keys in a process that is killed before it closes the database: key-changer.ts <path>. Prints a line after each change. */
import { writeSync } from 'node:fs';
import { openKeys } from '../../src/keys/sqlite/sqlite-keys.ts';
import { keyPlans } from './key-engines.ts';

const keys = openKeys(process.argv[2], { plans: keyPlans, isAlone: true, flushMs: 0 });
const acknowledge = (change: string) => writeSync(1, `acknowledged ${change}\n`);
const { record } = await keys.create({ name: 'first' }, 'test');
acknowledge('create');
await keys.rotate(record.id, 0, 'test');
acknowledge('rotate');
await keys.change(record.id, { plan: 'large' }, 'test');
acknowledge('plan');
await keys.revoke(record.id, 'test');
acknowledge('revoke');
process.kill(process.pid, 'SIGKILL');
