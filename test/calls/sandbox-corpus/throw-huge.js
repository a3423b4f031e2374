// expect: sandbox_error
export default () => {
  throw new Error("x".repeat(3e6));
};
