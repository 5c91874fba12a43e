# The service with its store and the web application: docs/packages.md.
FROM node:24-slim AS build
WORKDIR /build
COPY . .
RUN npm ci --no-audit --no-fund
# The image holds what the package holds.
RUN mkdir -p image/data && npm pack --pack-destination image && tar -xzf image/*.tgz -C image

FROM node:24-alpine
ENV NODE_ENV=production \
    NODE_OPTIONS=--max-semi-space-size=16 \
    METACTION_HOST=0.0.0.0 \
    METACTION_DATA_DIR=/data \
    PORT=8080
COPY --from=build /build/image/package /opt/metaction
# 1000 is the user node. The folder of the data belongs to whom the service runs as, and so does a new volume in its place.
COPY --from=build --chown=1000:1000 /build/image/data /data
WORKDIR /data
USER 1000:1000
VOLUME ["/data"]
EXPOSE 8080
HEALTHCHECK --interval=30s --timeout=3s --start-period=10s --retries=3 \
    CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/health`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "/opt/metaction/cli/metaction.js", "start"]
