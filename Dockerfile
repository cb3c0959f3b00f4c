# SPDX-License-Identifier: MIT
# Two stages; the second holds the daemon, its command line, the example, and nothing to build with.
#   docker build -t oband . && docker run --rm -p 127.0.0.1:8765:8765 oband
# `make docker-test` builds and runs it, also where no container engine is.
FROM debian:bookworm-slim AS build
RUN apt-get update \
 && apt-get install -y --no-install-recommends gcc make pkg-config libc6-dev libuv1-dev libwebsockets-dev \
    libcjson-dev libexpat1-dev libinih-dev \
 && rm -rf /var/lib/apt/lists/*
WORKDIR /src
COPY Makefile ./
COPY core core
COPY proto proto
COPY server server
COPY clients clients
RUN make all

FROM debian:bookworm-slim
ARG VERSION=0.1.0
LABEL org.opencontainers.image.title="oband" \
      org.opencontainers.image.description="Plays Oni object animations and streams them over WebSocket JSON" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.licenses="MIT"
# libwebsockets loads its libuv glue at run time: without libwebsockets-evlib-uv the daemon cannot start.
RUN apt-get update \
 && apt-get install -y --no-install-recommends libwebsockets17 libwebsockets-evlib-uv libuv1 libcjson1 \
    libexpat1 libinih1 \
 && rm -rf /var/lib/apt/lists/*
COPY --from=build /src/build/release/oband /src/build/release/obanctl /src/build/release/oban /usr/bin/
COPY examples/warehouse /usr/share/oband/warehouse
USER 10001:10001
EXPOSE 8765
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=2s --retries=3 \
    CMD ["/usr/bin/oband", "--healthcheck", "127.0.0.1:8765"]
ENTRYPOINT ["/usr/bin/oband"]
CMD ["--listen", "0.0.0.0:8765", "--anims", "/usr/share/oband/warehouse/anims", \
     "--scene", "/usr/share/oband/warehouse/scene.json"]
