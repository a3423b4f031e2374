// expect: sandbox_timeout
export default () => {
  throw new (class extends Error {
    get message() {
      for (;;);
    }
  })();
};
