/** `/status` for people: a page where a browser asks for one, the JSON for everything else. */
import { coverageByCountry } from '../../../endpoints/coverage.ts';
import { whenFound } from '../../../store/deferred.ts';
import type { Store } from '../../../store/store.ts';
import { Asset } from '../../asset.ts';
import { assetAnswer } from '../../send.ts';
import type { Service } from '../../service.ts';
import type { Action } from '../openapi.ts';
import { wantsPage } from '../portal.ts';
import { countersHtml } from './dataset-parts.ts';
import { escapeHtml, layOut } from './layout.ts';

const streetLayers = ['addresses', 'streets', 'pois'] as const;
const country = new Intl.DisplayNames('en', { type: 'region' });

/** The action of `/status`, which answers `Accept: text/html` with a page; `headers` are those of every page. */
export function withPage(action: Action, service: Service, headers: readonly string[]): Action {
  let frame: string | undefined;
  const html = () => {
    frame ??= layOut({ ...page, body: () => '{{status}}' });
    return frame.replace('{{status}}', () => statusHtml(service));
  };
  return {
    ...action,
    handle(call) {
      if (wantsPage(call.request)) {
        return whenFound(() =>
          assetAnswer(call, new Asset('text/html; charset=utf-8', html()), {
            headers: [...headers, 'Vary', 'Accept, Accept-Encoding'],
          }),
        );
      }
      const answer = action.handle(call);
      const vary = (one: Awaited<typeof answer>) => ({ ...one, headers: [...one.headers, 'Vary', 'Accept'] });
      return answer instanceof Promise ? answer.then(vary) : vary(answer);
    },
  };
}

const page = { path: '/status', title: 'Status', description: 'The state of this server and of its dataset.' };

function statusHtml({ store, version }: Service): string {
  const { current, isStopping } = store;
  const state = isStopping ? 'The server is stopping.' : current ? 'The server answers.' : 'The server is starting.';
  return `<h1>Status</h1>
<p class="lead">${state} Version ${escapeHtml(version)}, running for ${uptime(process.uptime())}. Programs get
the same as JSON.</p>
${comingHtml(current)}${countersHtml(current)}
${current ? coverageHtml(current) : ''}
<p><a href="/docs/data">Sources, versions and licences</a></p>`;
}

const comingHtml = (store: Store | undefined) =>
  store?.manifest.coming ? `<p>Still being built: ${escapeHtml(store.manifest.coming.join(', '))}.</p>` : '';

/** The countries with streets, addresses or points, and how many; everywhere else there is none of them. */
function coverageHtml(store: Store): string {
  const rows = Object.entries(coverageByCountry(store) as Record<string, Record<string, { records: number }>>)
    .map(([code, layers]) => ({ code, counts: streetLayers.map((layer) => layers[layer]?.records ?? 0) }))
    .filter(({ counts }) => counts.some((count) => count > 0))
    .sort((a, b) => b.counts[0] - a.counts[0])
    .map(({ code, counts }) => {
      const cells = counts.map((count) => `<td>${count.toLocaleString('en')}</td>`).join('');
      return `<tr><th scope="row">${escapeHtml(country.of(code) ?? code)}</th>${cells}</tr>`;
    });
  if (rows.length === 0) return '<p>The dataset has no streets or addresses.</p>';
  return `<h2>Where there are addresses</h2>
<div class="scroll" tabindex="0" role="region" aria-label="Records by country"><table>
<tr><th scope="col">Country</th>${streetLayers.map((layer) => `<th scope="col">${layer === 'pois' ? 'points of interest' : layer}</th>`).join('')}</tr>
${rows.join('\n')}
</table></div>`;
}

function uptime(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h` : `${Math.floor(hours / 24)} days`;
}
