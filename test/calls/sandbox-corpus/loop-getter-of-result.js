// expect: sandbox_timeout
export default () => ({
  get value() {
    for (;;);
  },
});
