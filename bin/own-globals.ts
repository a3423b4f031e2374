// Put by bin/build.mjs before everything that is bundled into the server, under the names of Node's own.

/**
 * "Once per process" is kept on `globalThis` (Next bundles each route on its own). The server shares its process with Next,
 * whose copy of the same modules is another build with other classes: what one made, the other must not be handed. So
 * each has its own, and the configuration reaches both through Postgres, as it reaches other instances.
 */
const ownGlobals: typeof globalThis = Object.create(global);

export { ownGlobals as globalThis };
