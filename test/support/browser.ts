/** Debian's Chromium, driven by playwright-core, against a service on a free port. */
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import type { AppOptions } from '../../src/server/index.ts';
import { type TestService, testService } from './service.ts';

// The one without windows and extensions takes half the processor time.
const executable = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome']
  .map((name) => `/usr/bin/${name}`)
  .find(existsSync);

/** Why browser tests are skipped, or false where there is a browser. */
export const noBrowser: string | false = executable
  ? false
  : 'needs Chromium (apt-get install chromium-headless-shell)';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** The windows that pages are tried in. */
export const phone = { width: 390, height: 844 };
export const desktop = { width: 1440, height: 900 };
/** Where a list stands beside the map, with half the pixels, each of which software draws. */
export const besideMap = { width: 1040, height: 640 };

export type Visit = {
  page: Page;
  /** Errors and warnings of the console, and errors that scripts threw. */
  complaints: string[];
  close(): Promise<void>;
};

export type Portal = TestService & {
  base: string;
  visit(path: string, options?: BrowserContextOptions & { key?: string }): Promise<Visit>;
};

/** The address of a service that is made to listen on a free port. */
export async function listening({ app }: TestService): Promise<string> {
  await app.listen({ port: 0, host: '127.0.0.1' });
  return `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
}

/** A service over the small dataset, with open sign-up by default, and a browser that visits it. */
export async function startPortal(signUp?: AppOptions['signUp'], options: Partial<AppOptions> = {}): Promise<Portal> {
  const service = await testService(undefined, { ...options, signUp: signUp ?? { mode: 'open' } });
  const base = await listening(service);
  const browser: Browser = await chromium.launch({
    timeout: 180_000,
    ...(executable ? { executablePath: executable } : {}),
    args: [
      '--headless',
      '--no-sandbox',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      // Without a graphics card, the map alone is drawn by WebGL.
      '--disable-gpu',
      '--enable-unsafe-swiftshader',
    ],
  });
  return {
    ...service,
    base,
    async visit(path, { key, ...options } = {}) {
      const context = await browser.newContext(options);
      if (key !== undefined) {
        await context.addInitScript((text) => localStorage.setItem('whereabouts.key', text), key);
      }
      const page = await context.newPage();
      page.setDefaultTimeout(180_000);
      const complaints: string[] = [];
      page.on('console', (message) => {
        const isDriver = message.text().includes('GL Driver Message');
        if (['error', 'warning'].includes(message.type()) && !isDriver) complaints.push(message.text());
      });
      page.on('pageerror', (error) => complaints.push(error.message));
      page.on('request', (request) => {
        if (!request.url().startsWith(base) && !/^(blob|data):/.test(request.url())) complaints.push(request.url());
      });
      await page.goto(base + path);
      return { page, complaints, close: () => context.close() };
    },
    async close() {
      await browser.close();
      await service.close();
    },
  };
}

/** What axe finds wrong with a page, serious and critical, as lines. */
export async function seriousIssues(page: Page): Promise<string[]> {
  // Through the debugger, which the page's policy does not bind.
  await page.evaluate(axe);
  const violations = await page.evaluate<AxeViolation[]>('axe.run().then(({ violations }) => violations)');
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, help, nodes }) => `${id}: ${help}: ${nodes.map(({ html }) => html.slice(0, 200)).join(' | ')}`);
}

type AxeViolation = { id: string; help: string; impact: string; nodes: { html: string }[] };
