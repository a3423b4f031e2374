// expect: ok "undefined"
export default async (args, { callTool }) => {
  try {
    await callTool(Symbol("x"));
  } catch (error) {
    return error.constructor.constructor("return typeof process")();
  }
};
