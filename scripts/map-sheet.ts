/**
 * Pictures of the explorer's map, to be looked at by a person: five cities at every zoom from 1 to 17, light and dark, at
 * the width of a desktop and of a phone, one sheet for each.
 *
 *     node scripts/node26.js scripts/map-sheet.ts http://127.0.0.1:8080 /tmp/sheets [city] [zoom,zoom…]
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from 'playwright-core';

const cities: Record<string, string> = {
  montevideo: '-34.9058/-56.1913',
  paris: '48.8566/2.3522',
  tokyo: '35.6812/139.7671',
  'new-york': '40.7306/-73.9866',
  vaduz: '47.1410/9.5215',
};
const widths = { desktop: { width: 1280, height: 800 }, phone: { width: 390, height: 780 } };
const [base = 'http://127.0.0.1:8080', out = 'sheets', only, zoomList] = process.argv.slice(2);
const zooms = zoomList?.split(',').map(Number) ?? Array.from({ length: 17 }, (_, index) => index + 1);
mkdirSync(out, { recursive: true });

const browser = await chromium.launch({
  executablePath: '/usr/bin/chromium',
  args: ['--headless', '--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'],
});
for (const [width, viewport] of Object.entries(widths)) {
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const [city, position] of Object.entries(cities)) {
      if (only && !only.split(',').includes(city)) continue;
      const context = await browser.newContext({ viewport, colorScheme });
      const page = await context.newPage();
      const pictures: string[] = [];
      for (const zoom of zooms) {
        await page.goto('about:blank');
        await page.goto(`${base}/explorer#map=${zoom}/${position}`);
        await page.mouse.move(viewport.width / 2, viewport.height / 2);
        await page.locator('#map .live.ready[data-idle]').waitFor();
        const picture = await page.screenshot({ type: 'jpeg', quality: 80 });
        pictures.push(
          `<figure><img src="data:image/jpeg;base64,${picture.toString('base64')}"><figcaption>${zoom}</figcaption></figure>`,
        );
      }
      const name = `${city}-${width}-${colorScheme}`;
      const style = `body{display:grid;grid-template-columns:repeat(${width === 'phone' ? 6 : 3},1fr);gap:8px;margin:8px}figure{margin:0}img{width:100%}`;
      const html = `<meta charset="utf-8"><title>${name}</title><style>${style}</style>${pictures.join('')}`;
      writeFileSync(join(out, `${name}.html`), html);
      const sheet = await browser.newPage({ viewport: { width: 1800, height: 900 } });
      await sheet.setContent(html);
      await sheet.screenshot({ path: join(out, `${name}.jpeg`), type: 'jpeg', quality: 70, fullPage: true });
      await sheet.close();
      await context.close();
      process.stdout.write(`${name}\n`);
    }
  }
}
await browser.close();
