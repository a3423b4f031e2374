// expect: sandbox_error
export default async () => Object.keys(await import("./script.js/../house.js"));
