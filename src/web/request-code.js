/** A request in a shell, in JavaScript and in Python; each runs unchanged, with nothing to install. */
const shellQuoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;

const python = { null: 'None', true: 'True', false: 'False' };

/** A JSON value as people write it: on one line where it is short. `words` are a language's own for null and the like. */
export function written(value, indent = '', words = {}) {
  if (typeof value !== 'object' || value === null)
    return (typeof value === 'string' ? undefined : words[value]) ?? JSON.stringify(value);
  const inner = `${indent}  `;
  const isList = Array.isArray(value);
  const parts = isList
    ? value.map((item) => written(item, inner, words))
    : Object.entries(value).map(([name, item]) => `${JSON.stringify(name)}: ${written(item, inner, words)}`);
  const [open, close] = isList ? '[]' : '{}';
  const short = open + parts.join(', ') + close;
  if (short.length <= 72 && !short.includes('\n')) return short;
  return `${open}\n${parts.map((part) => inner + part).join(',\n')}\n${indent}${close}`;
}

/**
 * By language, what makes code of a request: `url` whole, `headers` by name, and `body`, a JSON value, where it is a
 * POST.
 */
export const languages = {
  curl: ({ url, headers, body }) =>
    [
      'curl',
      ...Object.entries(headers).map(([name, value]) => `-H ${shellQuoted(`${name}: ${value}`)}`),
      ...(body === undefined ? [] : [`-d ${shellQuoted(written(body))}`]),
      shellQuoted(url),
    ].join(' \\\n  '),
  JavaScript: ({ url, headers, body }) => `const answer = await fetch(${JSON.stringify(url)}, {
${body === undefined ? '' : '  method: "POST",\n'}  headers: ${JSON.stringify(headers)},
${body === undefined ? '' : `  body: JSON.stringify(${written(body, '  ')}),\n`}});
console.log(await answer.json());`,
  Python: ({ url, headers, body }) => `import json, urllib.request

request = urllib.request.Request(
    ${JSON.stringify(url)},
    headers=${JSON.stringify(headers)},
${body === undefined ? '' : `    data=json.dumps(${written(body, '    ', python)}).encode(),\n`})
with urllib.request.urlopen(request) as answer:
    print(json.dumps(json.load(answer), indent=2, ensure_ascii=False))`,
};
