// expect: sandbox_error
export default () => {
  throw Object.defineProperty(new Error(), "stack", {
    get() {
      throw null;
    },
  });
};
