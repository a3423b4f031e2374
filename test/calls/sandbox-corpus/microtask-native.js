// expect: sandbox_timeout
const resolved = Promise.resolve();
export default async () => {
  for (;;) await Promise.race([resolved, resolved.finally(), Promise.all([])]);
};
