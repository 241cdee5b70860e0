/** A request as it is written in a shell, in JavaScript and in Python; each runs as it stands, with nothing to install. */
const shellQuoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;

export const languages = {
  curl: (url, headers) =>
    [
      'curl',
      ...Object.entries(headers).map(([name, value]) => `-H ${shellQuoted(`${name}: ${value}`)}`),
      shellQuoted(url),
    ].join(' \\\n  '),
  javascript: (url, headers) => `const answer = await fetch(${JSON.stringify(url)}, {
  headers: ${JSON.stringify(headers)},
});
console.log(await answer.json());`,
  python: (url, headers) => `import json, urllib.request

request = urllib.request.Request(
    ${JSON.stringify(url)},
    headers=${JSON.stringify(headers)},
)
with urllib.request.urlopen(request) as answer:
    print(json.dumps(json.load(answer), indent=2, ensure_ascii=False))`,
};
