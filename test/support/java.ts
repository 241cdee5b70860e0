/** Java, and programs of Maven Central. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** A Java of this version or newer; undefined where there is none. */
export function javaOf(version: number): string | undefined {
  const jvms = '/usr/lib/jvm';
  const installed = existsSync(jvms) ? readdirSync(jvms).map((name) => join(jvms, name, 'bin/java')) : [];
  const home = process.env.JAVA_HOME;
  return [...(home ? [join(home, 'bin/java')] : []), 'java', ...installed].find((java) => {
    const { stderr = '' } = spawnSync(java, ['-version'], { encoding: 'utf8' });
    return Number(/version "(\d+)/.exec(stderr)?.[1]) >= version;
  });
}

/** The class path of what a POM names, resolved by Maven once and kept in the folder; undefined where it cannot be had. */
export function classPathOf(pom: string, folder: string): string | undefined {
  const file = join(folder, 'class-path.txt');
  if (!existsSync(file) || statSync(file).mtimeMs < statSync(pom).mtimeMs) {
    mkdirSync(folder, { recursive: true });
    const goal = ['-q', '-B', '-f', pom, 'dependency:build-classpath', `-Dmdep.outputFile=${file}`];
    if (spawnSync('mvn', goal, { timeout: 300_000 }).status !== 0) return undefined;
  }
  const path = readFileSync(file, 'utf8').trim();
  return path.split(':').every((jar) => existsSync(jar)) ? path : undefined;
}
