// Imported before a program, it stands for a machine where no extension is installed, nor what these depend on.
import { readdirSync, readFileSync } from 'node:fs';
import module from 'node:module';
import { join } from 'node:path';

const packages = join(import.meta.dirname, '..', 'packages');
const missing = readdirSync(packages).flatMap((name) => {
  try {
    const { dependencies = {}, peerDependencies = {} } = JSON.parse(
      readFileSync(join(packages, name, 'package.json'), 'utf8'),
    );
    return 'whereabouts' in peerDependencies ? [`packages/${name}/src/`, ...Object.keys(dependencies)] : [];
  } catch {
    return [];
  }
});

// An older Node, which npm may run on, has no such hooks and no business with extensions.
module.registerHooks?.({
  resolve(name, context, next) {
    if (!missing.some((one) => name.startsWith(one) || name.includes(`/${one}`))) return next(name, context);
    throw Object.assign(new Error(`${name} is not installed`), { code: 'ERR_MODULE_NOT_FOUND' });
  },
});
