// expect: sandbox_memory sandbox_timeout
export default async (args, { callTool }) => {
  const all = await Promise.all(Array.from({ length: 16 }, () => callTool("large")));
  for (;;) all.push(all.map((text) => text + all.length));
};
