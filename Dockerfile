# Whereabouts in a container: no root, nothing to write but the volume with the data. docs/operations.md says how to run it.
#
# The image below is named by its tag: this file was written where no registry of images could be asked for its digest. Pin it
# for builds that can be repeated: docker build --build-arg NODE_IMAGE=node:26-bookworm-slim@sha256:… .
ARG NODE_IMAGE=node:26-bookworm-slim
FROM ${NODE_IMAGE} AS dependencies
WORKDIR /app
COPY package.json package-lock.json ./
COPY packages/object-store/package.json ./packages/object-store/
COPY packages/opensearch/package.json ./packages/opensearch/
COPY packages/valkey/package.json ./packages/valkey/
# The runtime is the image's own: the package `node` and all else that is only for development stay out. Optional packages
# and the extensions are in, as nobody can add them to a container.
RUN npm ci --omit=dev --no-audit --no-fund && \
    npm install --no-save --save-prod --omit=dev --no-audit --no-fund ./packages/object-store ./packages/opensearch ./packages/valkey && \
    npm cache clean --force

FROM ${NODE_IMAGE}
ENV NODE_ENV=production \
    WHEREABOUTS_DATA_DIRECTORY=/data \
    WHEREABOUTS_HOST=0.0.0.0 \
    WHEREABOUTS_PORT=8080 \
    WHEREABOUTS_WORKERS=auto \
    NODE_COMPILE_CACHE=/app/.cache \
    npm_config_cache=/tmp/npm \
    npm_config_update_notifier=false
WORKDIR /app
COPY --from=dependencies /app/node_modules ./node_modules
COPY package.json README.md ARCHITECTURE.md LICENSE ./
COPY bin ./bin
COPY docs ./docs
COPY sources ./sources
COPY src ./src
COPY packages/object-store/src ./packages/object-store/src
COPY packages/opensearch/src ./packages/opensearch/src
COPY packages/valkey/src ./packages/valkey/src
# Pages load this package of the project.
COPY packages/autocomplete/src ./packages/autocomplete/src
# The user `node` of the image is 1000:1000; the volume is made as its own.
RUN mkdir /data .cache && chown node:node /data .cache
USER node
# Compiled here and not at each start of each process, which then takes half of the processor time. A cache is for one user.
RUN node --import ./src/server/processes/process.ts bin/whereabouts.js serve --help > /dev/null
VOLUME /data
EXPOSE 8080
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=300s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.WHEREABOUTS_PORT + '/health/ready').then((a) => process.exit(a.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "bin/whereabouts.js"]
# Builds the default dataset into the volume when there is none.
CMD ["start"]
