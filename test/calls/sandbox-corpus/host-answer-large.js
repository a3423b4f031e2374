// expect: ok 500000
export default async (args, { callTool }) => (await callTool("large")).length;
