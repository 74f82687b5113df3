# An image of a release: the context is an unpacked release, or the folder that
# "npm run release -- --folder FOLDER" writes. Nothing is built or downloaded here.
FROM debian:bookworm-slim

RUN groupadd --system --gid 10001 milepost \
 && useradd --system --uid 10001 --gid milepost --home-dir /data --no-create-home --shell /usr/sbin/nologin milepost \
 && install -d -m 0700 -o milepost -g milepost /data

# Owned by root: the server can't change its own code.
COPY . /opt/milepost
WORKDIR /opt/milepost
RUN test -f release.json || { echo "Build the image from a release: docs/install.md#in-a-container"; exit 1; }

# Keeps Node's compiled code for the next start, in the only place that outlives the container.
ENV NODE_ENV=production NODE_COMPILE_CACHE=/data/compiled DATA_DIR=/data HOST=0.0.0.0 DEMO=off
VOLUME /data
USER 10001:10001

# The server ends its database within 30 seconds of this signal.
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node_modules/node/bin/node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 8080}/health`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node_modules/node/bin/node", "--max-semi-space-size=8", "--heap-growing-percent=60", "apps/server/src/main.ts"]
