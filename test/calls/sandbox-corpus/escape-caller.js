// expect: ok true
export default () => {
  function peek() {
    try {
      return peek.caller ?? null;
    } catch {
      return null;
    }
  }
  const found = peek();
  return found === null || typeof found === "function";
};
