// expect: ok [false,true]
export default async (args, { callTool }) => {
  const answer = await callTool("poison");
  return [{}.admin === true, Object.hasOwn(answer, "__proto__")];
};
