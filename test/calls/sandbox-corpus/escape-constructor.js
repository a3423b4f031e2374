// expect: ok ["undefined","undefined"]
export default async (args, { callTool }) => [
  await callTool.constructor("return typeof process")(),
  console.log.constructor("return typeof require")(),
];
