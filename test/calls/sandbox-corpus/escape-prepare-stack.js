// expect: ok ["undefined"]
export default () => {
  const seen = [];
  Error.prepareStackTrace = (error, frames) => frames.map((frame) => seen.push(typeof frame.getThis?.()?.process));
  try {
    null.x;
  } catch (error) {
    seen.push(typeof error.stack?.constructor.constructor("return process === undefined ? 1 : process")?.exit);
  }
  return seen.slice(-1);
};
