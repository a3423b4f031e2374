# One image for every process: see docs/deploy.md.
FROM node:22-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci
COPY . .
RUN npm run pack

FROM node:22-slim
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
