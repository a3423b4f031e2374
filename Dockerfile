# One image for every process: see docs/deploy.md.
# The base image is fixed by digest, so that a moved tag changes nothing. To find a newer one: docker buildx imagetools inspect node:22-slim
ARG NODE_IMAGE=node:22-slim@sha256:83f487e0a63425e5b4d146fb5e5be574bcbe1b7b843d3ebafdd95eaf7767a7e5

FROM ${NODE_IMAGE} AS build
WORKDIR /app
COPY package.json package-lock.json ./
# Install scripts of packages do not run. A package that needs its script is listed here: npm rebuild NAME. Today none does,
# because the image contains no PostgreSQL (test/bin/dockerfile.test.ts compares with package.json).
RUN npm ci --ignore-scripts
COPY . .
RUN npm run pack

FROM ${NODE_IMAGE}
WORKDIR /app
ENV NODE_ENV=production NEXT_TELEMETRY_DISABLED=1 LOG_LEVEL=info DATA_DIR=/data
RUN mkdir /data && chown node /data
COPY --from=build /app/.next/standalone ./
USER node
VOLUME /data
EXPOSE 3000
HEALTHCHECK --start-period=20s CMD ["node", "-e", "fetch('http://127.0.0.1:3000/api/health').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# Agents only: append --gateway.
CMD ["node", "server.js", "--hostname", "0.0.0.0", "--port", "3000"]
