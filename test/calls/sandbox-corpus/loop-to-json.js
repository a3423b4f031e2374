// expect: sandbox_timeout
export default () => ({
  toJSON() {
    for (;;);
  },
});
