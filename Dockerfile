# The server of a team, as docs/team-server.md says. BASE has Node 22.16 or newer, and npm.
ARG BASE=docker.io/library/node:24-slim

FROM ${BASE} AS build
WORKDIR /source
COPY . .
RUN npx -y pnpm@12 release

FROM ${BASE}
COPY --from=build /source/dist/release/parts/npm /pagetree
RUN mkdir /wikis && chown 10001:10001 /wikis
# By number: Kubernetes sees that it is not root.
USER 10001:10001
VOLUME /wikis
EXPOSE 7327
# Any answer: it has no page for a host that is not the public one.
HEALTHCHECK CMD ["node", "-e", "fetch('http://127.0.0.1:7327').then(() => process.exit(0), () => process.exit(1))"]
ENTRYPOINT ["node", "/pagetree/pagetree.js", "serve", "--listen", "0.0.0.0", "--dir", "/wikis"]
