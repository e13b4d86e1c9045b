# syntax=docker/dockerfile:1
# The service on Deno, with the permissions that its settings need, and nothing else: no shell, no Node, no database.
# `docker build -t innkeeper .`; docs/guide/containers.md#containers says how it is run.
ARG BUILD_IMAGE=node:24-trixie-slim
ARG RUNTIME_IMAGE=gcr.io/distroless/cc-debian13:nonroot

FROM ${BUILD_IMAGE} AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev --no-audit --no-fund
COPY . .
# With the runtime of the image: pages that were bundled under another one would be bundled anew.
RUN node_modules/.bin/deno run -A --node-modules-dir=manual --no-lock --no-remote ops/container/image-files.mjs /image

FROM ${RUNTIME_IMAGE}
ARG VERSION=unreleased
ARG REVISION=unknown
LABEL org.opencontainers.image.title="Innkeeper" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}"
COPY --from=build --chown=0:0 /image /
WORKDIR /app
# Only /data is written: pages that are served, and what Deno compiles. A file system that is read-only needs it alone.
ENV DATA_DIR=/data DENO_DIR=/data/deno DENO_NO_UPDATE_CHECK=1 HOST=0.0.0.0 NODE_HOST=0.0.0.0 NODE_PORT=8087
VOLUME /data
USER 65532:65532
EXPOSE 8083 8084 8085 8087
STOPSIGNAL SIGTERM
ENTRYPOINT ["/app/node_modules/.bin/deno", "run", "--no-prompt", "--node-modules-dir=manual", "--no-lock", "--no-remote", \
  "--allow-env", "--allow-sys", "--allow-read", "--allow-write=/data", "--allow-run=/app/node_modules/.bin/deno", \
  "src/launch.mjs"]
# `migrate` brings the database up instead.
CMD ["deno"]
