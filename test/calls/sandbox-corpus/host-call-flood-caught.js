// expect: sandbox_timeout ok 16
export default async (args, { callTool }) => {
  let made = 0;
  for (let n = 0; n < 300; n++)
    try {
      await callTool("echo");
      made++;
    } catch {}
  return made;
};
