/**
 * The parts of `node:http` that need more than its types. An `import` of it reads every name that it exports, two of which
 * load the code of `fetch` and WebSocket: 30 ms of a start and 15 MB that the service never uses.
 */
export const { createServer, ServerResponse } = process.getBuiltinModule('node:http');
