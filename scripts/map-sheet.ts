/**
 * Pictures of the explorer's map, to be looked at by a person: cities at every zoom from 1 to 17, light and dark, at
 * the width of a desktop and of a phone. One sheet for each, and contact.jpeg with all of them, small.
 *
 *     node scripts/node26.js scripts/map-sheet.ts http://127.0.0.1:8080 /tmp/sheets [city,city…] [zoom,zoom…] [desktop-light,…]
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from 'playwright-core';

const cities: Record<string, string> = {
  paris: '48.8566/2.3522',
  montevideo: '-34.9058/-56.1913',
  tokyo: '35.6812/139.7671',
  cairo: '30.0444/31.2357',
  'new-york': '40.7306/-73.9866',
  rio: '-22.9068/-43.1729',
  istanbul: '41.0138/28.9497',
  sydney: '-33.8678/151.2073',
  vaduz: '47.1415/9.5215',
  bingen: '49.9667/7.8950',
};
const widths = { desktop: { width: 1280, height: 800 }, phone: { width: 390, height: 780 } };
const [base = 'http://127.0.0.1:8080', out = 'sheets', onlyCities, zoomList, onlyLooks] = process.argv.slice(2);
const zooms = zoomList ? zoomList.split(',').map(Number) : Array.from({ length: 17 }, (_, index) => index + 1);
const isWanted = (list: string | undefined, name: string) => !list || list.split(',').includes(name);
mkdirSync(out, { recursive: true });

const browser = await chromium.launch({
  executablePath: '/usr/bin/chromium',
  args: ['--headless', '--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'],
});

async function sheet(name: string, style: string, body: string, quality: number) {
  const page = await browser.newPage({ viewport: { width: 1800, height: 900 } });
  await page.setContent(`<meta charset="utf-8"><style>${style}</style>${body}`);
  await page.screenshot({ path: join(out, `${name}.jpeg`), type: 'jpeg', quality, fullPage: true });
  await page.screenshot({ path: join(out, `${name}.png`), fullPage: true });
  await page.close();
}

const all: string[] = [];
for (const [width, viewport] of Object.entries(widths)) {
  for (const colorScheme of ['light', 'dark'] as const) {
    if (!isWanted(onlyLooks, `${width}-${colorScheme}`)) continue;
    for (const [city, position] of Object.entries(cities)) {
      if (!isWanted(onlyCities, city)) continue;
      const context = await browser.newContext({ viewport, colorScheme });
      const page = await context.newPage();
      const pictures: string[] = [];
      await page.goto(`${base}/explorer#map=5/${position}`);
      await page.mouse.move(viewport.width / 2, viewport.height / 2);
      for (const zoom of zooms) {
        const live = page.locator('#map .live.ready[data-idle]');
        await live.waitFor({ timeout: 120_000 });
        await page.evaluate((hash) => location.replace(hash), `#map=${zoom}/${position}`);
        await page
          .locator('#map .live:not([data-idle])')
          .waitFor({ timeout: 5_000 })
          .catch(() => undefined);
        await live.waitFor({ timeout: 120_000 });
        const picture = await page.screenshot({ type: 'jpeg', quality: 80 });
        pictures.push(
          `<figure><img src="data:image/jpeg;base64,${picture.toString('base64')}"><figcaption>${zoom}</figcaption></figure>`,
        );
      }
      const name = `${city}-${width}-${colorScheme}`;
      all.push(`<p>${name}</p><div>${pictures.join('')}</div>`);
      const columns = width === 'phone' ? 6 : 3;
      const grid = `body{display:grid;grid-template-columns:repeat(${columns},1fr);gap:8px;margin:8px}figure{margin:0}img{width:100%}`;
      await sheet(name, grid, pictures.join(''), 70);
      await context.close();
      process.stdout.write(`${name}\n`);
    }
  }
}
const rows = `div{display:grid;grid-template-columns:repeat(${zooms.length},1fr);gap:3px}figure,p{margin:0}img{width:100%}p,figcaption{font:11px sans-serif}`;
await sheet('contact', rows, all.join(''), 55);
await browser.close();
