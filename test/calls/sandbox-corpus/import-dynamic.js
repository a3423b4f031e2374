// expect: sandbox_error
export default async () => (await import("node:child_process")).execSync("id").toString();
